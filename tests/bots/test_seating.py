"""A bot joins where it was told to; one that does not is seated as absent, with the reason."""

import re
from functools import partial
from pathlib import Path

import pytest
import trio

from arena.bots.exits import Exit
from arena.bots.frozen import FrozenBot
from arena.bots.seating import SeatedBot, open_room, seat_bot
from arena.referee.faults import FaultKind
from tests.bots.conftest import FreezeBot

HANGS = "import time; print('loading', flush=True); time.sleep(1000)"
JOINS = """
import os, sys
from arena.sdk import Bot

class First(Bot):
    def play(self, view):
        return view.legal[0]

sys.stderr.write(os.environ["ARENA_ADDRESS"] + "\\n")
First().run()
"""


async def seat_and_release(
    bot: FrozenBot, folder: Path, start_ms: int
) -> tuple[SeatedBot, float, Exit | None]:
    """Seat one bot and let it go; return also how long the seating took."""
    async with open_room(start_ms, server_version="1") as room, trio.open_nursery() as nursery:
        began = trio.current_time()
        seated: SeatedBot = await nursery.start(partial(seat_bot, room, bot, folder / "stderr"))
        elapsed = trio.current_time() - began
        seated.release()
        await seated.ended()
    return seated, elapsed, seated.process.exit


@pytest.mark.parametrize(
    ("manifest", "address"),
    [("", r"unix:/.+/s"), ('transport = "tcp"', r"127\.0\.0\.1:[1-9]\d*")],
)
async def test_a_bot_joins_at_an_address_of_the_kind_that_its_manifest_asks_for(
    freeze_bot: FreezeBot, tmp_path: Path, manifest: str, address: str
) -> None:
    seated, _, ended = await seat_and_release(freeze_bot(JOINS, manifest), tmp_path, 60_000)
    assert seated.session.joined.token, "one that does not join has said none"
    assert re.fullmatch(address, (tmp_path / "stderr").read_text().strip())
    assert ended is not None
    assert ended.is_success, "it was told goodbye"


async def test_a_bot_that_exits_at_once_is_seated_as_crashed(
    freeze_bot: FreezeBot, tmp_path: Path
) -> None:
    bot = freeze_bot("raise SystemExit('no model found')")
    seated, elapsed, _ = await seat_and_release(bot, tmp_path, 60_000)
    assert elapsed < 30
    assert seated.session.is_gone
    assert seated.session.gone_kind is FaultKind.CRASHED
    detail = seated.session.gone_detail
    assert detail.startswith("bot made 1.0: exited with status 1 after ")
    assert detail.endswith("before its Join; its last lines:\n  | no model found")


async def test_a_bot_that_goes_in_peace_before_its_join_is_told_of_lines_and_of_run(
    freeze_bot: FreezeBot, tmp_path: Path
) -> None:
    bot = freeze_bot("import sys\nfor line in sys.stdin: pass")
    seated, _, _ = await seat_and_release(bot, tmp_path, 60_000)
    detail = seated.session.gone_detail
    assert "exited with status 0" in detail
    assert 'protocol = "lines"' in detail
    assert "calls run()" in detail
    assert (tmp_path / "stderr").stat().st_mode & 0o111 == 0, "what a bot says is no program"


async def test_a_bot_that_hangs_is_seated_as_not_ready_when_its_allowance_ends(
    freeze_bot: FreezeBot, tmp_path: Path
) -> None:
    seated, elapsed, ended = await seat_and_release(freeze_bot(HANGS), tmp_path, 400)
    assert 0.4 <= elapsed < 1.5
    assert seated.session.gone_kind is FaultKind.NOT_READY
    detail = seated.session.gone_detail
    assert "no Join within the start allowance of 400 ms" in detail
    assert detail.endswith("\n  | loading")
    assert ended is not None
    assert ended.is_ours


async def test_a_cancelled_seating_leaves_no_process(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    bot = freeze_bot(HANGS)
    with trio.fail_after(20):
        async with open_room(60_000, server_version="1") as room, trio.open_nursery() as nursery:
            with trio.move_on_after(0.3) as scope:
                await nursery.start(partial(seat_bot, room, bot, tmp_path / "stderr"))
    assert scope.cancelled_caught


@pytest.mark.parametrize("count", [12])
async def test_many_bots_start_beside_each_other(
    freeze_bot: FreezeBot, tmp_path: Path, count: int
) -> None:
    """More than the gate lets in at once: each has its allowance from its own launch."""
    bot = freeze_bot("raise SystemExit(1)")
    kinds: list[FaultKind] = []

    async with open_room(60_000, server_version="1") as room, trio.open_nursery() as nursery:

        async def seat(number: int) -> None:
            file = tmp_path / f"stderr {number}"
            seated: SeatedBot = await nursery.start(partial(seat_bot, room, bot, file))
            kinds.append(seated.session.gone_kind)
            seated.release()

        async with trio.open_nursery() as starts:
            for number in range(count):
                starts.start_soon(seat, number)
    assert kinds == [FaultKind.CRASHED] * count
