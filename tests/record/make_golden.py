"""The golden logs: which there are, and how each is made again.

``python -m tests.record.make_golden`` writes those that are missing; an old log is never
rewritten, since it must stay readable (delete it first where a golden was wrong). Matches
are played in memory by scripted bots with times of their own, so that each run makes the
same bytes.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.record.match_log import MatchLog
from arena.record.sent import SentDigests
from arena.referee.clock import MS, Clock
from arena.referee.faults import Culprit, FaultKind, Reason, Termination, TerminationKind
from arena.referee.messages import Ask, Begin, BotReady, Stop
from arena.rules.cards import Rank
from arena.rules.events import Claim, ClaimKind
from arena.rules.options import IllegalPlay, Signal
from arena.rules.presets import PRESETS, override
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.testing.in_memory import InMemory, MemoryMatch, open_table
from arena.testing.memory_bots import (
    THINK_NS,
    Act,
    Gone,
    Policy,
    Reply,
    Rubbish,
    at_its,
    breaks_suit,
    plays_unheld,
)
from tests.record.samples import make_header, ticking, write_outputs

GOLDENS: Final = Path(__file__).parent.parent / "data" / "logs"
OLD_GOLDENS: Final = GOLDENS.with_name("logs_schema_1")
"""Logs of schema 1, as they were written then; they are never made again."""
CLOCK: Final = Clock(limit_ms=100, bank_ms=200, increment_ms=1, margin_ms=10)
NAMES: Final = ('Zoë "la volpe" 🃏', "שלום\u202e\\n")

NOT_PLAYED: Final = (TerminationKind.FORFEIT_SUSPENDED, TerminationKind.ANNULLED)
"""Ends that are ruled without a table, so that no log holds them."""

_GONE: Final = {
    "forfeit_crash": Gone(kind=FaultKind.CRASHED, detail="signal 9\nlast words: \x1b[31mKeyError"),
    "forfeit_left": Gone(kind=FaultKind.LEFT, detail="Leave"),
    "forfeit_lost": Gone(kind=FaultKind.LOST, detail="no reconnect within 10000 ms"),
    "forfeit_flood": Gone(kind=FaultKind.FLOOD, detail="more than 64 messages in a frame"),
    "forfeit_not_reading": Gone(kind=FaultKind.NOT_READING, detail="a write in flight for 1 s"),
}
_STOPS: Final = {
    "aborted": Termination(kind=TerminationKind.ABORTED, culprit=Culprit.HOST, detail="SIGINT"),
    "host_fault": Termination(
        kind=TerminationKind.HOST_FAULT, culprit=Culprit.HOST, detail="disk full"
    ),
    "referee_fault": Termination(
        kind=TerminationKind.REFEREE_FAULT, culprit=Culprit.REFEREE, detail="AssertionError"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden:
    """One golden log: a ruleset and what happens in it."""

    ruleset: Ruleset
    case: str

    @property
    def name(self) -> str:
        """The file's name."""
        return f"{self.ruleset.name.partition(':')[0]}.{self.case}.jsonl"

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return GOLDENS / self.name


def goldens() -> Iterator[Golden]:
    """List every golden log that there must be."""
    for preset in PRESETS.values():
        for case in ("completed", "late", "refused", "forfeit_faults", "forfeit_not_ready"):
            yield Golden(ruleset=preset, case=case)
        for case in (*_GONE, *_STOPS):
            yield Golden(ruleset=preset, case=case)
        yield Golden(ruleset=override(preset, {"max_deals": 1}), case="drawn_at_limit")
        if preset.illegal_play is IllegalPlay.REVOKE:
            yield Golden(ruleset=preset, case="revoke")
        if preset.declarations:
            yield Golden(ruleset=preset, case="false_claim")
        if preset.signals:
            yield Golden(ruleset=preset, case="unheard_word")
    yield Golden(ruleset=override(PRESETS["gamelake-4"], {"target": 11}), case="target")


def play(golden: Golden, *, first_board: int = 1) -> tuple[MemoryMatch, int | None]:
    """Play the match of a golden log; with it, how many boards it was for."""
    case = golden.case
    ruleset = golden.ruleset
    policies = [_lively(seat) for seat in range(ruleset.seats)]
    if case in _SPOILED:
        policies[1] = _SPOILED[case](policies[1])
    boards = _BOARDS.get(case, 1)
    never_ready = (1,) if case == "forfeit_not_ready" else ()
    table = open_table(
        ruleset=ruleset, boards=boards, first_board=first_board, clock=CLOCK, seed_text="golden"
    )
    driver = InMemory(table, policies)
    driver.apply(Begin(at_ns=0))
    for seat in range(ruleset.seats):
        if seat not in never_ready:
            driver.schedule(BotReady(seat=seat, at_ns=THINK_NS), THINK_NS)
    if case in _STOPS:
        driver.schedule(Stop(termination=_STOPS[case], at_ns=40 * MS), 40 * MS)
    return driver.run(), boards


def write(golden: Golden, folder: Path) -> Path:
    """Play a match and write its log, uncompressed."""
    match, boards = play(golden)
    header = make_header(golden.ruleset, boards=boards, names=NAMES, clock=CLOCK)
    sent = SentDigests(golden.ruleset.seats)
    log = MatchLog(folder / golden.name, header, wall_time=ticking(), sent=sent)
    write_outputs(log, sent, match.outputs)
    return log.close().path


# --- bots -----------------------------------------------------------------------------


def _lively(seat: int) -> Policy:
    """Play at random, with words, claims, notes and times of all sizes."""
    chance = random.Random(seat)  # noqa: S311  # a game, not a secret

    def policy(ask: Ask) -> Act:
        question = ask.question
        words: Sequence[Signal | None] = (None, *question.signals_allowed)
        return Reply(
            answer=Answer(
                card=chance.choice(question.legal),
                signal=chance.choice(words),
                declarations=question.declarable,
            ),
            think_ns=int(chance.lognormvariate(14, 1)),
            lag_ns=int(chance.expovariate(1 / 50_000)),
            value_thirds=chance.choice((None, chance.randint(-35, 35))),
            note=chance.choice(("", "", "", 'piombo? "ora" \t→ 🂡')),
        )

    return policy


def _late(ask: Ask) -> Act:
    return Reply(answer=Answer(card=ask.question.legal[0]), think_ns=400 * MS)


def _refused(ask: Ask) -> Sequence[Act]:
    """Send what is no message, then a card not held, then one that cannot be played, then play."""
    good = Answer(card=ask.question.legal[0])
    return (
        Rubbish(reason=Reason.MALFORMED, message="field 99 is unknown"),
        Reply(answer=plays_unheld(ask), think_ns=2 * THINK_NS),
        Reply(answer=good, think_ns=3 * THINK_NS),
        Reply(answer=good, think_ns=4 * THINK_NS),
    )


def _false_claims(ask: Ask) -> Act:
    """Claim what is true, one of it once more, and something false."""
    true = ask.question.declarable
    fours = (Claim(kind=ClaimKind.FOUR, rank=rank) for rank in (Rank.THREE, Rank.TWO))
    false = next(claim for claim in fours if claim not in true)
    return Reply(answer=Answer(card=ask.question.legal[0], declarations=(*true, *true[:1], false)))


def _unheard_word(ask: Ask) -> Act:
    word = next(word for word in Signal if word not in ask.question.signals_allowed)
    return Reply(answer=Answer(card=ask.question.legal[0], signal=word))


def _once(nth: int, misbehave: Policy) -> Callable[[Policy], Policy]:
    return lambda otherwise: at_its(nth, misbehave, otherwise=otherwise)


def _goes(gone: Gone) -> Policy:
    return lambda _ask: gone


_SPOILED: Final[Mapping[str, Callable[[Policy], Policy]]] = {
    "late": _once(2, _late),
    "refused": _once(3, _refused),
    "forfeit_faults": lambda _lively: _late,
    "revoke": lambda _lively: breaks_suit,
    "false_claim": _once(1, _false_claims),
    "unheard_word": _once(2, _unheard_word),
    **{case: _once(2, _goes(gone)) for case, gone in _GONE.items()},
}
"""What the bot of seat 1 becomes in a case."""

_BOARDS: Final[Mapping[str, int | None]] = {
    "completed": 2,
    "drawn_at_limit": None,
    "target": None,
}
"""How many boards a case is for, where it is not one."""


if __name__ == "__main__":
    GOLDENS.mkdir(exist_ok=True)
    for missing in goldens():
        if not missing.path.exists():
            write(missing, GOLDENS)
