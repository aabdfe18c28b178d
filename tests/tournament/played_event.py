"""An event that was played in memory: its whole folder, written as a run writes it."""

import hashlib
from dataclasses import asdict, replace
from pathlib import Path

from arena.record.event_log import EventLog
from arena.record.header import LogHeader, SeatHeader
from arena.record.match_log import MatchLog
from arena.record.match_row import MatchRow, row_from_records
from arena.record.paths import log_path
from arena.record.results import Results
from arena.record.sent import SentDigests
from arena.referee.clock import MS
from arena.referee.faults import Culprit, Termination, TerminationKind
from arena.referee.messages import Ask, Begin, BotReady, Stop
from arena.rules.dealing import deal_board
from arena.rules.question import Answer
from arena.testing.in_memory import InMemory, open_table
from arena.testing.memory_bots import THINK_NS, Act, Reply
from arena.tournament.begun import EVENT_SCHEMA
from arena.tournament.event_file import Entrant, EventFile, Stage
from arena.tournament.event_text import event_text
from arena.tournament.folder import EVENT_FILE, EventFolder, EventPlace, create_folder
from arena.tournament.freeze import Freeze
from arena.tournament.plan import stage_plan
from arena.tournament.schedule import MatchPlan, sittings
from arena.tournament.seeding import Seed, draw_seeds
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_json
from tests.record.samples import ticking, write_outputs

EVENT = EventFile(
    name="trial",
    practice=True,
    seed="a text",
    entrants=(Entrant(name="greedy", bot="greedy"), Entrant(name="random", bot="random")),
    stages=(Stage(boards=2, boards_per_match=2, trust_memory=True),),
)
HASHES = {"greedy": "0" * 64, "random": "1" * 64}
STOP = Termination(kind=TerminationKind.HOST_FAULT, culprit=Culprit.HOST, detail="no disk")

SESSIONS: tuple[dict[str, object], ...] = (
    {
        "entrant": "greedy",
        "matches": ["s1-r1-p1-o0-m1"],
        "start_us": 40_000,
        "bytes_in": 1_700,
        "bytes_out": 38_000,
        "ready_us": 90_000,
        "cpu_us": 8_500,
        "peak_memory": 1_200_000,
        "exit": 0,
    },
    {
        "entrant": "random",
        "matches": ["s1-r1-p1-o0-m1", "s1-r1-p1-o1-m1"],
        "start_us": 41_000,
        "bytes_in": 0,
        "bytes_out": 0,
        "exit": -9,
    },
)
"""What is noted of two of its bots: one that ended well, one that was killed early."""


def play_event(path: Path, *, is_practice: bool = True) -> Path:
    """Play two matches, the first at its second attempt; give the folder."""
    event = EVENT if is_practice else replace(EVENT, practice=False, seed=None)
    content = event_text(event).encode()
    folder = create_folder(
        EventPlace(file=path / EVENT_FILE, folder=EventFolder(path), content=content)
    )
    (seed,) = draw_seeds(event)
    freeze = Freeze(
        event=hashlib.sha256(content).hexdigest(),
        arena_version="0.1.0",
        arena_files={},
        entrants=HASHES,
    )
    results = Results.open(folder.results)
    with EventLog(folder.event_log, wall_time=ticking()) as log:
        log.append(
            "event_opened",
            durable=False,
            schema=EVENT_SCHEMA,
            name=event.name,
            practice=event.practice,
            guessable_seed=event.is_guessable,
            bots_from=".",
            commitments=[seed.commitment],
            **freeze.to_fields(),
        )
        for name, content_hash in HASHES.items():
            log.append("entrant_frozen", entrant=name, bot=name, version="1.0", hash=content_hash)
        log.append("round_started", stage=1, round=1)
        matches = [m for sitting in sittings(stage_plan(EVENT, 1)) for m in sitting.matches]
        for match in matches:
            for attempt in (1, 2) if match.orientation == 0 else (1,):
                is_void = match.orientation == 0 and attempt == 1
                row = _play(folder, match, attempt, seed, is_void=is_void)
                (results.void if is_void else results.count)(row)
                log.append(
                    "match_voided" if is_void else "match_counted",
                    match=row.match_id,
                    attempt=attempt,
                    digest=row.digest,
                    termination=row.termination.value,
                    totals=list(row.totals),
                )
        for session in SESSIONS:
            log.append("session_closed", durable=False, **session)
        log.append("seed_revealed", seeds=[seed.key.hex()])
        folder.standings.write_bytes(
            standings_json(
                standings(event, results.rows()),
                commitments=[seed.commitment],
                fingerprint=freeze.fingerprint,
            )
        )
        log.append("event_closed")
    results.close()
    return path


def _play(
    folder: EventFolder,
    match: MatchPlan,
    attempt: int,
    seed: Seed,
    *,
    is_void: bool,
) -> MatchRow:
    stage = EVENT.stages[0]
    names = [EVENT.entrants[index].name for index in match.seats]
    header = LogHeader(
        arena_version="0.1.0",
        match=match.id,
        attempt=attempt,
        ruleset=stage.ruleset,
        first_board=match.first_board,
        boards=match.boards,
        clock=stage.clock,
        conduct=stage.conduct,
        commitment=seed.commitment,
        guessable_seed=seed.is_guessable,
        conditions={"restart": stage.restart.value, "trust_memory": stage.trust_memory},
        resources=asdict(stage.resources),
        seats=tuple(
            SeatHeader(entrant=name, bot=name, version="1.0", content_hash=HASHES[name])
            for name in names
        ),
    )
    table = open_table(
        ruleset=stage.ruleset,
        cards=lambda board: deal_board(stage.ruleset, seed.key, board),
        first_board=match.first_board,
        boards=match.boards,
        clock=stage.clock,
        conduct=stage.conduct,
    )
    driver = InMemory(table, [_last_card if name == "random" else _first_card for name in names])
    driver.apply(Begin(at_ns=0))
    for seat in range(len(names)):
        driver.schedule(BotReady(seat=seat, at_ns=THINK_NS), THINK_NS)
    if is_void:
        driver.schedule(Stop(termination=STOP, at_ns=40 * MS), 40 * MS)
    played = driver.run()
    sent = SentDigests(len(names))
    log = MatchLog(log_path(folder.logs, match.id, attempt), header, wall_time=ticking(), sent=sent)
    write_outputs(log, sent, played.outputs)
    return row_from_records(header, played.records, digest=log.close().sha256)


def _first_card(ask: Ask) -> Act:
    return Reply(answer=Answer(card=ask.question.legal[0]))


def _last_card(ask: Ask) -> Act:
    return Reply(answer=Answer(card=ask.question.legal[-1]))
