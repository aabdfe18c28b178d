"""An event that is interrupted, resumed, run twice at once, or changed under way."""

import json
import random
import resource
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.referee.events import LogEvent, MatchEnded, SeatReady
from arena.referee.faults import Culprit, Termination, TerminationKind
from arena.referee.messages import Begin, Record, Stop
from arena.server.host import HostedMatch
from arena.testing.in_memory import of_type, open_table
from arena.tournament import sitting
from tests.cli.bots import HIGH, KIT, LOW, slow_bot, write_bot, write_event
from tests.cli.conftest import RunArena, StartArena
from tests.cli.logs import Played, counted_matches, event_kinds, played_in, standings_of
from tests.cli.processes import see_all_gone

KILLS = 6


def write_cup(home: Path, *, boards: int = 1) -> Path:
    """Write an event of three bots that play the same cards whenever they are asked."""
    for name, script in (("low", LOW), ("high", HIGH), ("middle", KIT)):
        write_bot(home / name, script)
    return write_event(home / "cup.toml", "low", "high", "middle", boards=boards)


def test_an_arena_killed_at_any_moments_comes_to_the_same_standings(
    start_arena: StartArena, arena: RunArena, home: Path
) -> None:
    write_cup(home, boards=2)
    assert arena("run", "cup.toml", "-o", "whole").status == 0
    for _ in range(KILLS):
        running = start_arena("run", "cup.toml", "-o", "killed")
        try:
            for _ in range(random.randrange(4)):  # noqa: S311  # chance, not a secret
                running.see("/12")
        except AssertionError:
            break  # it was over before
        running.lives_for(random.uniform(0, 0.3))  # noqa: S311
        running.signal(signal.SIGKILL)
        running.end()
        see_all_gone(home)
    whole, killed = home / "whole", home / "killed"
    assert arena("run", "cup.toml", "-o", "killed").status == 0

    assert (killed / "standings.json").read_bytes() == (whole / "standings.json").read_bytes()
    counted = counted_matches(killed)
    assert sorted(counted) == sorted(set(counted)) == sorted(counted_matches(whole))
    assert event_kinds(killed).count("seed_revealed") == 1
    assert event_kinds(killed)[-1] == "event_closed"
    with sqlite3.connect(killed / "results.sqlite") as results:
        (rows,) = results.execute("select count(*) from matches where counted").fetchone()
    results.close()
    assert rows == len(counted)
    played_in(killed)  # every sealed log re-runs clean


def test_drawn_stages_killed_at_any_moments_come_to_the_same_draws_and_standings(
    start_arena: StartArena, arena: RunArena, home: Path
) -> None:
    """A Swiss stage seeds a knockout; what was drawn before a kill stands after it."""
    cup = write_cup(home)
    text = cup.read_text("utf-8")
    bot = f'[[entrant]]\nname = "LOW2"\nbot = "{home / "low"}"\n\n'
    head, first, tail = text.partition("[[stage]]\n")
    swiss = f'{first}format = "swiss"\nadvance = 3\n{tail}'
    knockout = f'{first}format = "knockout"\n{tail}'
    cup.write_text(f"{head}{bot}{swiss}\n{knockout}", "utf-8")
    assert arena("run", "cup.toml", "-o", "whole").status == 0
    for _ in range(KILLS // 2):
        running = start_arena("run", "cup.toml", "-o", "killed")
        try:
            for _ in range(random.randrange(5)):  # noqa: S311  # chance, not a secret
                running.see("/")
        except AssertionError:
            break  # it was over before
        running.lives_for(random.uniform(0, 0.3))  # noqa: S311
        running.signal(signal.SIGKILL)
        running.end()
        see_all_gone(home)
    assert arena("run", "cup.toml", "-o", "killed").status == 0
    whole, killed = home / "whole", home / "killed"
    assert (killed / "standings.json").read_bytes() == (whole / "standings.json").read_bytes()
    assert draws_of(killed) == draws_of(whole)
    assert len(draws_of(whole)) >= 5  # two Swiss rounds, a field of three, two levels
    assert sorted(counted_matches(killed)) == sorted(counted_matches(whole))
    assert arena("verify", "killed").status == 0


def draws_of(folder: Path) -> list[object]:
    """Read what an event's log says was drawn, in order."""
    lines = map(json.loads, (folder / "event.jsonl").read_text("utf-8").splitlines())
    return [
        (line["stage"], line.get("round"), line.get("pairings") or line["entrants"])
        for line in lines
        if line["event"] in ("stage_seeded", "round_drawn")
    ]


def test_a_full_disk_is_a_clear_stop_and_nothing_is_lost(
    start_arena: StartArena, arena: RunArena, home: Path
) -> None:
    """No file may grow beyond so many bytes: what the arena sees is an error in writing."""
    slow_bot(home / "slow", 0.01)
    write_bot(home / "low")
    write_event(home / "cup.toml", "slow", "low", boards=2)
    running = start_arena("run", "cup.toml", "--tables", "1")
    running.see("1/4")
    resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (2_000, 2_000))
    full = running.end()
    see_all_gone(home)
    assert (full.status, full.out) == (3, "")
    (reason,) = [line for line in full.err.splitlines() if line.startswith("arena: ")]
    assert full.err.endswith(f"{reason}\n")
    assert str(home / "cup") in reason or "cup/" in reason
    assert reason.endswith("; when that is mended, go on with: arena run cup")
    counted = counted_matches(home / "cup")
    assert arena("run", "cup").status == 0
    assert counted_matches(home / "cup")[: len(counted)] == counted
    assert len(counted_matches(home / "cup")) == len(set(counted_matches(home / "cup"))) == 4
    played_in(home / "cup")


async def play_void(
    match: HostedMatch,
    _sessions: object,
    *,
    sink: Callable[[Record], None],
    watch: object,
    on_sent: object,
) -> None:
    """Stand for a match that the host spoils at once."""
    spoiled = Termination(
        kind=TerminationKind.HOST_FAULT, culprit=Culprit.HOST, detail="the clock stood still"
    )
    table = open_table(ruleset=match.ruleset, cards=match.cards, boards=match.boards)
    for event in (Begin(at_ns=0), Stop(termination=spoiled, at_ns=1)):
        for record in of_type(Record, table.apply(event)):
            sink(record)


def test_a_match_that_stays_void_pauses_the_event_until_the_host_is_mended(
    arena: RunArena, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bot(home / "low")
    write_bot(home / "high", HIGH)
    write_event(home / "cup.toml", "low", "high")
    cup = home / "cup"
    with monkeypatch.context() as patch:
        patch.setattr(sitting, "play_match", play_void)
        paused = arena("run", "cup.toml", "--tables", "1")
    assert (paused.status, paused.out) == (3, "")
    assert "match s1-r1-p1-o0-m1 was void 3 times; its logs say why" in paused.err
    assert "; when that is mended, go on with: arena run cup" in paused.err
    kinds = [kind for kind in event_kinds(cup) if kind != "session_closed"]
    assert kinds[-4:] == [*["match_voided"] * 3, "event_paused"]
    for match in played_in(cup):
        assert match.termination.detail == "the clock stood still"
    assert standings_of(cup)["low"]["voids"] == 3

    assert arena("run", "cup").status == 0
    assert sorted(counted_matches(cup)) == ["s1-r1-p1-o0-m1", "s1-r1-p1-o1-m1"]
    assert [match.record.header.attempt for match in played_in(cup)] == [1, 2, 3, 4, 1]
    assert "voids" in arena("standings", "cup").out


def test_a_finished_event_prints_its_standings_and_starts_nothing(
    arena: RunArena, home: Path
) -> None:
    write_bot(home / "low")
    write_bot(home / "high", HIGH)
    event = write_event(home / "cup.toml", "low", "high")
    first = arena("run", "cup.toml")
    log = (home / "cup" / "event.jsonl").read_bytes()
    for again in (arena("run", "cup.toml"), arena("run", "cup"), arena("run", event)):
        assert (again.status, again.out) == (0, first.out)
        assert again.err == "this event is over; its standings:\n"
    assert (home / "cup" / "event.jsonl").read_bytes() == log
    assert arena("standings", "cup").out == first.out
    shown = json.loads(arena("run", "cup", "--json").out)
    assert len(shown["data"].pop("log_chain")) == 64  # of this log; the file holds results alone
    assert shown == json.loads((home / "cup" / "standings.json").read_text("utf-8"))

    # Fresh is another folder beside it.
    assert arena("run", "cup.toml", "--fresh").status == 0
    assert (home / "cup-2" / "standings.json").read_bytes() == (
        home / "cup" / "standings.json"
    ).read_bytes()
    # What was changed since is refused, even now.
    event.write_text(event.read_text("utf-8").replace("boards = 1", "boards = 2"), "utf-8")
    changed = arena("run", "cup.toml")
    assert (changed.status, changed.out) == (2, "")
    assert "cup.toml: not the file that the event in cup began with" in changed.err


@pytest.fixture
def stopped_cup(start_arena: StartArena, home: Path) -> Path:
    """Begin an event, and stop it after its first match."""
    slow_bot(home / "slow", 0.02)
    write_bot(home / "low")
    event = write_event(home / "cup.toml", "slow", "low", boards=2)
    running = start_arena("run", "cup.toml", "--tables", "1")
    running.see("1/4")
    running.signal(signal.SIGINT)
    assert running.end().status == 4
    return event


def test_an_event_does_not_go_on_with_anything_changed(
    arena: RunArena, home: Path, stopped_cup: Path
) -> None:
    cup = home / "cup"
    began = {path: path.read_bytes() for path in (cup / "event.jsonl", cup / "results.sqlite")}

    def refused(*parts: str) -> None:
        ended = arena("run", "cup.toml")
        assert (ended.status, ended.out) == (2, "")
        for part in parts:
            assert part in ended.err
        assert {path: path.read_bytes() for path in began} == began

    def changed(path: Path, before: str, after: str, *parts: str) -> None:
        text = path.read_text("utf-8")
        path.write_text(text.replace(before, after), "utf-8")
        refused(*parts)
        path.write_text(text, "utf-8")

    changed(home / "low" / "bot.py", "[0]", "[-1]", "entrant low changed: ", "put them back")
    changed(stopped_cup, "boards = 2", "boards = 3", "cup.toml: not the file", "-o FOLDER")
    changed(stopped_cup, "./low", "./high", "cup.toml: not the file")
    changed(cup / "event.toml", "boards = 2", "boards = 3", "cup", "event.toml is not cup.toml")
    key = (cup / "seed.key").read_text("ascii")
    changed(cup / "seed.key", key[:8], "00000000", "seed.key: not the seeds")
    (cup / "seed.key").rename(home / "seed.key")
    refused("seed.key: the seed cannot be read")
    (home / "seed.key").rename(cup / "seed.key")
    (home / "low").rename(home / "gone")
    refused("no bot './low'")
    (home / "gone").rename(home / "low")

    edited = cup / "event.toml"
    text = edited.read_text("utf-8")
    edited.write_text(text.replace("boards = 2", "boards = 3"), "utf-8")
    shown = arena("standings", "cup")
    assert shown.status == 2
    assert "not the file that the event in cup began with" in shown.err
    edited.write_text(text, "utf-8")
    assert arena("run", "cup.toml").status == 0


def test_a_log_that_was_tampered_with_is_told_and_nothing_is_played(
    arena: RunArena, home: Path, stopped_cup: Path
) -> None:
    log = home / "cup" / "event.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"attempt":1', b'"attempt":2', 1))
    for words in (["run", "cup.toml"], ["run", "cup"], ["standings", "cup"]):
        ended = arena(*words)
        assert (ended.status, ended.out) == (1, "")
        assert len(ended.err.splitlines()) == 1
        assert "event.jsonl, seq " in ended.err


def test_results_that_the_log_does_not_count_are_told_and_nothing_is_played(
    arena: RunArena, home: Path, stopped_cup: Path
) -> None:
    log = home / "cup" / "event.jsonl"
    results = home / "cup" / "results.sqlite"
    kept, logged = results.read_bytes(), log.read_bytes()

    def refused(told: str) -> None:
        for words in (["run", "cup.toml"], ["standings", "cup"]):
            ended = arena(*words)
            assert (ended.status, ended.out) == (1, "")
            assert told in ended.err
            assert "Traceback" not in ended.err
        assert log.read_bytes() == logged

    for change, told in (
        ("update matches set totals = '[99, 0]'", "totals: found [99, 0], expected"),
        ("delete from boards", "expected [0, 0], the sum of its boards' points"),
        ("delete from matches", "found no row, expected one"),
        ("update matches set termination = 'won'", "Invalid enum value 'won'"),
    ):
        with closing(sqlite3.connect(results)) as database, database:
            database.execute(change)
        refused(told)
        results.write_bytes(kept)
    results.unlink()
    refused("results.sqlite: no such file")
    assert not results.exists()


def test_a_second_run_of_the_same_event_is_refused(
    start_arena: StartArena, arena: RunArena, home: Path
) -> None:
    slow_bot(home / "hangs", 3600)
    write_bot(home / "low")
    write_event(home / "cup.toml", "hangs", "low", more="[clock]\nlimit_ms = 600000")
    running = start_arena("run", "cup.toml")
    running.see("sandbox")
    for event in ("cup.toml", "cup"):
        second = arena("run", event)
        assert (second.status, second.out) == (2, "")
        assert f"process {running.pid} is running this event" in second.err
    # Whoever only looks is not kept out.
    looking = arena("standings", "cup")
    assert looking.status == 0
    assert "provisional" in looking.out
    running.signal(signal.SIGINT)
    running.see("stopping")
    running.signal(signal.SIGINT)
    assert running.end().status == 4


def events_of(match: Played) -> list[LogEvent]:
    return [entry.event for entry in match.record.records()]


def is_timeless(event: LogEvent) -> bool:
    """Tell whether an event has nothing to do with time.

    Who is ready first is a matter of time; the end says how long the loop was busy.
    """
    return not isinstance(event, SeatReady | MatchEnded)


def test_one_table_and_eight_play_the_same_matches(arena: RunArena, home: Path) -> None:
    write_cup(home)
    records = {}
    for tables in ("1", "8"):
        ended = arena("run", "cup.toml", "-o", f"by {tables}", "--tables", tables)
        assert ended.status == 0
        folder = home / f"by {tables}"
        records[tables] = [
            (match.record.header.match, [event for event in events_of(match) if is_timeless(event)])
            for match in played_in(folder)
        ]
    assert len(records["1"]) == 6
    assert records["1"] == records["8"]
    one, eight = (
        json.loads((home / f"by {tables}" / "standings.json").read_bytes()) for tables in ("1", "8")
    )
    assert one == eight
