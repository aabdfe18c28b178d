"""A bot that speaks lines is seated without a word of its own, and told what is wrong with it."""

import json
from functools import partial
from pathlib import Path

import pytest
import trio

from arena.bots.frozen import FrozenBot
from arena.bots.seating import open_room, seat_bot
from arena.referee.clock import Clock
from arena.referee.events import SeatReady
from arena.referee.faults import FaultKind, TerminationKind
from arena.wire.terms import GoodbyeReason
from tests.bots.conftest import FreezeBot
from tests.bots.line_matches import Played, play_bots, play_seated, seat_all

PREFACE = """
import json, sys

def say(**message):
    print(json.dumps(message), flush=True)

def play(decision, **more):
    say(answer={"decision_id": decision["decision_id"], "card": decision["card"]["legal"][0]})

"""
LINES = 'protocol = "lines"\n'
EXPLICIT = LINES + 'ready = "explicit"\n'
IMPLIED = LINES + 'ready = "implied"\n'
HASTY = Clock(limit_ms=150, margin_ms=10)

PLAYS = """
for line in sys.stdin:
    message = json.loads(line)
    if "match_started" in message:
        say(ready={"table": message["match_started"]["table"]})
    if "decision" in message:
        play(message["decision"])
"""
TELLS = """
for line in sys.stdin:
    sys.stderr.write(line)
    message = json.loads(line)
    if "decision" in message:
        play(message["decision"])
"""
NEVER_FLUSHES = """
for line in sys.stdin:
    message = json.loads(line)
    if "match_started" in message:
        print('{"ready":{"table":1}}')
    if "decision" in message:
        print('{"answer":{"decision_id":1,"card":"D4"}}')
"""
NEVER_ENDS_A_LINE = """
for line in sys.stdin:
    message = json.loads(line)
    if "decision" in message:
        sys.stdout.write('{"answer":{"decision_id":1,"card":"D4"}}')
        sys.stdout.flush()
"""


async def play_against(
    bot: FrozenBot, other: FrozenBot, folder: Path, clock: Clock | None = None
) -> Played:
    """Play one board for two, ``bot`` in seat 0, which leads."""
    if clock is None:
        return await play_bots([bot, other], folder, ruleset="gamelake-2")
    return await play_bots([bot, other], folder, ruleset="gamelake-2", clock=clock)


@pytest.fixture
def good(freeze_bot: FreezeBot) -> FrozenBot:
    """Return a bot that plays."""
    return freeze_bot(PREFACE + PLAYS, LINES)


async def test_the_first_line_is_match_started_and_the_last_is_goodbye(
    freeze_bot: FreezeBot, good: FrozenBot, tmp_path: Path
) -> None:
    bot = freeze_bot(PREFACE + TELLS, IMPLIED)
    played = await play_against(bot, good, tmp_path)
    assert played.outcome.termination.kind is TerminationKind.COMPLETED
    assert played.faults == []
    lines = [json.loads(line) for line in (tmp_path / "0.txt").read_text().splitlines()]
    kinds = [next(key for key in line if key != "sequence") for line in lines]
    assert kinds == ["match_started", *["decision"] * 20, "update", "match_ended", "goodbye"]
    assert [line["sequence"] for line in lines] == list(range(1, len(lines) + 1))


async def test_it_is_joined_as_its_manifest_says_and_gets_no_address(
    freeze_bot: FreezeBot, tmp_path: Path
) -> None:
    script = "import os, sys; sys.stderr.write(str([k for k in os.environ if 'ARENA' in k]))"
    manifest = LINES + 'name = "liner"\nversion = "2.1"\ncapacity = 3\n'
    async with open_room(30_000, server_version="1") as room, trio.open_nursery() as nursery:
        (seated,) = await seat_all(nursery, room, [freeze_bot(script, manifest)], tmp_path)
        joined = seated.session.joined
        assert (joined.name, joined.version, joined.language) == ("liner", "2.1", "python")
        assert (joined.token, seated.session.capacity) == ("", 3)
        await seated.process.wait()
        seated.release()
        await seated.ended()
    assert (tmp_path / "0.txt").read_text() == "[]"


async def test_an_implied_ready_is_recorded_without_a_word_and_an_explicit_one_is_waited_for(
    freeze_bot: FreezeBot, good: FrozenBot, tmp_path: Path
) -> None:
    bot = freeze_bot(PREFACE + TELLS, IMPLIED)
    played = await play_against(good, bot, tmp_path)
    events = [record.event for record in played.records]
    ready = [event.seat for event in events if isinstance(event, SeatReady)]
    assert ready == [1, 0]


async def test_a_session_plays_one_match_after_another(good: FrozenBot, tmp_path: Path) -> None:
    async with open_room(30_000, server_version="1") as room, trio.open_nursery() as nursery:
        seated = await seat_all(nursery, room, [good, good], tmp_path)
        for ruleset in ("gamelake-2", "pagat-2"):
            played = await play_seated(seated, ruleset=ruleset)
            assert played.outcome.termination.kind is TerminationKind.COMPLETED
        for bot in seated:
            bot.release(GoodbyeReason.SHUTDOWN)
            await bot.ended()
            assert bot.process.exit is not None
            assert bot.process.exit.is_success


# --- bots that are told what is wrong -------------------------------------------------


async def test_a_bot_that_never_flushes_is_told_so_in_its_language(
    freeze_bot: FreezeBot, good: FrozenBot, tmp_path: Path
) -> None:
    bot = freeze_bot(NEVER_FLUSHES.replace("for", "import json, sys\nfor", 1), IMPLIED)
    played = await play_against(bot, good, tmp_path, HASTY)
    late = [fault for fault in played.faults if fault.seat == 0]
    assert [fault.kind for fault in late] == [FaultKind.LATE] * 3
    for text in (*(fault.detail for fault in late), played.ended.termination.detail):
        assert "nothing has ever come from its stdout" in text
        assert text.endswith("the cure: print(..., flush=True)")


async def test_a_bot_that_never_flushes_its_ready_is_told_so(
    freeze_bot: FreezeBot, good: FrozenBot, tmp_path: Path
) -> None:
    bot = freeze_bot(NEVER_FLUSHES.replace("for", "import json, sys\nfor", 1), EXPLICIT)
    played = await play_against(bot, good, tmp_path, Clock(start_ms=600))
    (fault,) = played.faults
    assert (fault.kind, fault.seat) == (FaultKind.NOT_READY, 0)
    assert fault.detail.startswith("no Ready within 600 ms; nothing has ever come")
    assert 'ready = "explicit", so it must say {"ready":{"table":N}}' in fault.detail


async def test_a_bot_that_has_spoken_once_is_not_suspected(
    freeze_bot: FreezeBot, good: FrozenBot, tmp_path: Path
) -> None:
    script = "sys.stdin.readline()\nsay(ready={'table': 1})\nfor line in sys.stdin: pass\n"
    played = await play_against(freeze_bot(PREFACE + script, EXPLICIT), good, tmp_path, HASTY)
    late = [fault for fault in played.faults if fault.seat == 0]
    assert len(late) == 3
    assert not any("stdout" in fault.detail for fault in late)


async def test_a_bot_that_never_ends_a_line_is_told_what_it_began(
    freeze_bot: FreezeBot, good: FrozenBot, tmp_path: Path
) -> None:
    """Its output arrives: to speak of flushing would send its author astray."""
    bot = freeze_bot(PREFACE + NEVER_ENDS_A_LINE, IMPLIED)
    # The last of three: by then it has started and written.
    played = await play_against(bot, good, tmp_path, Clock(limit_ms=600))
    text = played.ended.termination.detail
    assert 'its stdout holds a line that has no end, \'{"answer"' in text
    assert "end each line with a newline" in text
    assert "nothing has ever come" not in text


async def test_what_is_no_json_is_rejected_as_a_line_that_says_where_print_belongs(
    freeze_bot: FreezeBot, good: FrozenBot, tmp_path: Path
) -> None:
    script = PREFACE + "print('Hello, I am thinking', flush=True)" + TELLS
    played = await play_against(freeze_bot(script, IMPLIED), good, tmp_path)
    assert played.outcome.termination.kind is TerminationKind.COMPLETED
    assert [(fault.kind, fault.seat) for fault in played.faults] == [(FaultKind.MALFORMED, 0)]
    told = [json.loads(line) for line in (tmp_path / "0.txt").read_text().splitlines()]
    (rejected,) = (line["rejected"] for line in told if "rejected" in line)
    assert rejected["reason"] == "malformed"
    assert "'Hello, I am thinking'" in rejected["message"]
    assert "stdout carries the protocol" in rejected["message"]
    assert "print(..., file=sys.stderr)" in rejected["message"]


# --- bots that go ---------------------------------------------------------------------


async def test_a_bot_that_dies_forfeits_with_its_exit_and_last_words(
    freeze_bot: FreezeBot, good: FrozenBot, tmp_path: Path
) -> None:
    script = PREFACE + "sys.stdin.readline(); sys.stdin.readline(); sys.exit('out of ideas')"
    played = await play_against(freeze_bot(script, IMPLIED), good, tmp_path)
    (fault,) = played.faults
    assert (fault.kind, fault.seat) == (FaultKind.CRASHED, 0)
    assert "exited with status 1" in fault.detail
    assert fault.detail.endswith("| out of ideas")


async def test_a_bot_that_closes_its_stdout_has_left(
    freeze_bot: FreezeBot, good: FrozenBot, tmp_path: Path
) -> None:
    script = PREFACE + "import os\nos.close(1)\nfor line in sys.stdin: pass\n"
    played = await play_against(freeze_bot(script, IMPLIED), good, tmp_path)
    (fault,) = played.faults
    assert (fault.kind, fault.seat) == (FaultKind.LEFT, 0)
    assert "still runs, but it has closed its pipes without Leave" in fault.detail


async def test_a_bot_can_leave_in_a_line(
    freeze_bot: FreezeBot, good: FrozenBot, tmp_path: Path
) -> None:
    script = PREFACE + "say(leave={'reason': 'had enough'})\nfor line in sys.stdin: pass\n"
    played = await play_against(freeze_bot(script, IMPLIED), good, tmp_path)
    assert played.outcome.termination.kind is TerminationKind.FORFEIT_LEFT
    (fault,) = played.faults
    assert "had enough" in fault.detail


async def test_a_cancelled_seating_leaves_no_process(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    script = "import sys\nfor line in sys.stdin: pass\nimport time; time.sleep(1000)"
    bot = freeze_bot(script, LINES)
    with trio.fail_after(20):
        async with open_room(30_000, server_version="1") as room, trio.open_nursery() as nursery:
            seated = await nursery.start(partial(seat_bot, room, bot, tmp_path / "stderr"))
            nursery.cancel_scope.cancel()
    assert seated.process.exit is not None
    assert seated.process.exit.is_ours
