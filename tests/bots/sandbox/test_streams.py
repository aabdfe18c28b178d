"""What a bot in a sandbox inherits, what its end of the pipes tells, and what it used."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from arena.bots.argument import parse_bot
from arena.bots.cgroups import Cgroups
from arena.bots.frozen import freeze
from arena.bots.kept import start_kept
from arena.bots.resources import resources_for
from arena.bots.sandbox.launch import NO_SANDBOX
from arena.bots.sandbox.mode import SandboxMode
from arena.bots.sandbox.opening import open_sandbox
from arena.bots.seating import SeatedBot, open_room, seat_bot
from arena.errors import ConfigError
from tests.bots.conftest import FreezeBot
from tests.bots.sandbox.conftest import attack, launch_of, manifest, needs_sandbox, opened, run_in

pytestmark = needs_sandbox


async def test_a_bot_inherits_its_three_streams_and_nothing_of_the_arenas(
    secret: Path, tmp_path: Path
) -> None:
    script = "import os; print([n for n in range(3, 4096) if os.path.exists(f'/proc/self/fd/{n}')])"
    assert await attack(secret, tmp_path, script) == "[]"


@pytest.mark.parametrize("is_told", [True, False])
async def test_a_bot_on_pipes_inherits_them_as_stdin_and_stdout_alone(
    secret: Path, tmp_path: Path, *, is_told: bool
) -> None:
    """Also where what bwrap is to read would get low numbers: some are free in this process."""
    script = (
        "import os, sys\n"
        "rest = [n for n in range(3, 4096) if os.path.exists(f'/proc/self/fd/{n}')]\n"
        "print(input(), rest, flush=True)\n"
        "print('aside', file=sys.stderr)"
    )
    run = ("python", "-I", "-c", script)
    async with opened(secret) as box, trio.open_nursery() as nursery:
        launch = replace(launch_of(tmp_path, manifest(*run)), has_pipes=True)
        if is_told:
            launch = replace(launch, prefix=("prlimit", "--nproc=20", "--"))
        process = start_kept(nursery, box.command(launch))
        pipes = process.take_pipes()
        os.write(pipes.to_stdin, b"hello\n")
        with trio.fail_after(20):
            await trio.lowlevel.wait_readable(pipes.from_stdout)
            said = os.read(pipes.from_stdout, 4096)
            ended = await process.wait()
        os.close(pipes.to_stdin)
        os.close(pipes.from_stdout)
    assert said == b"hello []\n"
    assert ended.is_success
    assert process.output_tail() == "aside"


async def test_that_a_bot_closed_its_stdout_shows_while_it_lives(
    secret: Path, tmp_path: Path
) -> None:
    run = ("sh", "-c", "exec >&-; read word")
    async with opened(secret) as box, trio.open_nursery() as nursery:
        launch = replace(launch_of(tmp_path, manifest(*run)), has_pipes=True)
        process = start_kept(nursery, box.command(launch))
        pipes = process.take_pipes()
        with trio.fail_after(20):
            await trio.lowlevel.wait_readable(pipes.from_stdout)
        assert os.read(pipes.from_stdout, 16) == b""
        assert process.exit is None
        os.close(pipes.from_stdout)
        os.close(pipes.to_stdin)
        with trio.fail_after(20):
            await process.wait()


async def test_tasks_are_bounded_inside_where_no_control_group_does_it(
    secret: Path, tmp_path: Path
) -> None:
    script = (
        "import os, time\n"
        "made = 0\n"
        "try:\n"
        "    while made < 100:\n"
        "        if os.fork() == 0: time.sleep(60)\n"
        "        made += 1\n"
        "except BlockingIOError: pass\n"
        "print(made)\n"
    )
    prefix = ("prlimit", "--nproc=20", "--")
    run = ("python", "-I", "-S", "-c", script)
    async with opened(secret) as box:
        launch = replace(launch_of(tmp_path, manifest(*run)), prefix=prefix)
        said, _ = await run_in(box, launch)
    assert 15 <= int(said) < 20, "some of the twenty are bwrap's and its own"


@pytest.mark.parametrize("is_boxed", [True, False])
async def test_a_bot_is_seated_with_a_bound_on_tasks_where_the_bound_is_its_own(
    secret: Path, tmp_path: Path, *, is_boxed: bool
) -> None:
    bot = freeze(parse_bot("python/greedy", Path()), tmp_path / "bots")
    async with (
        opened(secret) as box,
        open_room(20_000, server_version="test", sandbox=box if is_boxed else NO_SANDBOX) as room,
        trio.open_nursery() as nursery,
    ):
        bare = replace(room, cgroups=Cgroups({}))
        seated: SeatedBot = await nursery.start(seat_bot, bare, bot, tmp_path / "said.txt")
        assert not seated.session.is_gone, seated.session.gone_detail
        assert ("rlimit-nproc" in seated.holds) is is_boxed
        assert "cgroup-tasks" not in seated.holds
        seated.release()


async def test_tmp_is_as_large_as_the_resources_of_an_event_say(
    secret: Path, tmp_path: Path, freeze_bot: FreezeBot
) -> None:
    bot = freeze_bot(
        """
        import os, sys
        room = os.statvfs("/tmp")
        print(room.f_blocks * room.f_frsize >> 20, file=sys.stderr)
        """,
        'protocol = "lines"\nready = "implied"',
    )
    said = tmp_path / "said.txt"
    async with (
        opened(secret) as box,
        open_room(20_000, server_version="test", sandbox=box) as room,
        trio.open_nursery() as nursery,
    ):
        small = replace(room, resources=resources_for(disk_mib=8))
        seated: SeatedBot = await nursery.start(seat_bot, small, bot, said)
        with trio.fail_after(20):
            await seated.process.wait()
        seated.release()
    assert said.read_text() == "8\n"


async def test_the_time_of_what_runs_inside_is_counted(secret: Path, tmp_path: Path) -> None:
    """The process that the warden started is bwrap's own, which does nothing."""
    script = "import time\nwhile time.process_time() < 0.3: pass"
    run = ("python", "-I", "-S", "-c", script)
    async with opened(secret) as box:
        _, ended = await run_in(box, launch_of(tmp_path, manifest(*run)))
    assert 300_000 <= ended.cpu_us < 5_000_000


async def test_why_no_probe_could_be_started_is_said(
    secret: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))
    with pytest.raises(ConfigError, match="No such file or directory"):
        async with open_sandbox(SandboxMode.REQUIRED, hidden=(secret,), say=print):
            pass
