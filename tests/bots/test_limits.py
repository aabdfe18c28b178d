"""A command is held to its limits, and its author is told which one it met."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from arena.bots.cgroups import BotGroup, Guard, can_freeze, open_cgroups
from arena.bots.exits import ExitKind
from arena.bots.kept import Command, start_kept
from arena.bots.process import core_numbers
from arena.bots.resources import MIB, ProcessLimits
from arena.wire.terms import Resources

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's")

FILL = "x = bytearray({mib} << 20); print('filled', flush=True); import time; time.sleep(60)"


def python(folder: Path, script: str, limits: ProcessLimits, group: BotGroup | None) -> Command:
    return Command(
        argv=(sys.executable, "-c", script),
        folder=folder,
        env={"PATH": os.environ["PATH"]},
        output=folder / "output",
        limits=limits,
        groups=group.folders if group is not None else (),
    )


def children_of(pid: int) -> list[str]:
    """List the children of a process."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for what another process does."""
    with trio.fail_after(10):
        while not is_so():  # noqa: ASYNC110  # no event comes from another process
            await trio.sleep(0.01)


async def run(folder: Path, script: str, limits: ProcessLimits) -> tuple[str, str]:
    """Run a script within limits; how it ended, and what it wrote."""
    async with trio.open_nursery() as nursery:
        process = start_kept(nursery, python(folder, script, limits, None))
        ended = await process.wait()
    return ended.text, process.output_tail()


async def test_a_bot_that_counts_cores_counts_its_own(tmp_path: Path) -> None:
    core = max(core_numbers())
    script = "import os; print(sorted(os.sched_getaffinity(0)))"
    _, output = await run(tmp_path, script, ProcessLimits(cores=frozenset({core})))
    assert output == f"[{core}]"


async def test_a_file_beyond_the_bound_ends_the_bot_that_does_not_look(tmp_path: Path) -> None:
    script = (
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "open('big', 'wb').write(bytes(3 << 20))"
    )
    text, _ = await run(tmp_path, script, ProcessLimits(file_bytes=MIB))
    assert "SIGXFSZ" in text
    assert "a larger file than [resources] disk allows" in text
    assert (tmp_path / "big").stat().st_size <= MIB


async def test_memory_beyond_the_bound_of_one_process_is_refused(tmp_path: Path) -> None:
    limits = ProcessLimits(data_bytes=100 * MIB)
    text, output = await run(tmp_path, FILL.format(mib=200), limits)
    assert output.endswith("MemoryError")
    assert text.startswith("exited with status 1")


async def test_memory_of_all_descendants_is_watched_where_no_group_bounds_it(
    tmp_path: Path,
) -> None:
    script = f"import os; os.fork(); {FILL.format(mib=60)}"
    text, output = await run(tmp_path, script, ProcessLimits(watched_bytes=100 * MIB))
    assert "filled" in output
    assert "out of memory: it needed more than [resources] memory allows" in text


async def test_what_processes_share_counts_once(tmp_path: Path) -> None:
    script = (
        "import os, time; x = bytearray(60 << 20)\n"
        "for _ in range(3):\n    os.fork()\n"
        "time.sleep(1.2)"
    )
    text, _ = await run(tmp_path, script, ProcessLimits(watched_bytes=150 * MIB))
    assert text.startswith("exited with status 0")


async def test_a_group_bounds_memory_and_says_who_went_beyond(tmp_path: Path) -> None:
    with open_cgroups() as cgroups:
        if Guard.MEMORY not in cgroups.guards:
            pytest.skip("no memory control group may be made here")
        group = cgroups.for_bot(Resources(memory_mib=64))
        async with trio.open_nursery() as nursery:
            command = python(tmp_path, FILL.format(mib=200), ProcessLimits(), group)
            ended = await start_kept(nursery, command).wait()
        assert (ended.kind, ended.value) == (ExitKind.SIGNALLED, signal.SIGKILL)
        assert "out of memory" in ended.text
        assert "somebody killed it" not in ended.text
        assert ended.peak_kib <= 64 * 1024
        assert not any(folder.path.exists() for folder in group.folders), "the warden removes it"


async def test_a_group_bounds_tasks_and_says_how_often_they_were_refused(tmp_path: Path) -> None:
    script = (
        "import os, time\n"
        "for _ in range(40):\n"
        "    try:\n"
        "        if os.fork() == 0: time.sleep(60)\n"
        "    except BlockingIOError: print('EAGAIN')\n"
    )
    with open_cgroups() as cgroups:
        if Guard.TASKS not in cgroups.guards:
            pytest.skip("no pids control group may be made here")
        group = cgroups.for_bot(Resources(tasks=20))
        async with trio.open_nursery() as nursery:
            process = start_kept(nursery, python(tmp_path, script, ProcessLimits(), group))
            ended = await process.wait()
        assert process.output_tail(100).count("EAGAIN") == 21
        assert ended.task_refusals == 21
        assert "asked 21 times for more processes or threads than [resources] tasks" in ended.text


async def test_a_frozen_bot_uses_no_cpu_and_a_thawed_one_goes_on(tmp_path: Path) -> None:
    with open_cgroups() as cgroups:
        if not {Guard.FREEZING, Guard.CPU} <= cgroups.guards:
            pytest.skip("bots cannot be frozen here")
        group = cgroups.for_bot(Resources())
        async with trio.open_nursery() as nursery:
            script = "print('here', flush=True)\nwhile True: pass"
            process = start_kept(nursery, python(tmp_path, script, ProcessLimits(), group))
            await until(lambda: "here" in process.output_tail())
            assert group.can_freeze
            group.freeze()
            await trio.sleep(0.05)
            before = group.cpu_us()
            await trio.sleep(0.2)
            frozen = group.cpu_us()
            group.thaw()
            await trio.sleep(0.2)
            thawed = group.cpu_us()
            assert before is not None
            assert frozen is not None
            assert thawed is not None
            assert frozen - before < 20_000
            assert thawed - frozen > 20_000
            group.freeze()
            process.kill()
            with trio.fail_after(5):
                ended = await process.wait()
            group.close()
        assert ended.text.startswith("was ended by the arena"), "a frozen bot can be killed"
        assert not any(folder.path.exists() for folder in group.folders)


async def test_leftovers_of_a_killed_arena_are_removed_by_the_next(tmp_path: Path) -> None:
    with open_cgroups() as cgroups:
        if not cgroups.guards:
            pytest.skip("no control group may be made here")
        home = cgroups.for_bot(Resources()).folders[0].path.parent
        leftover = home.parent / "arena-4194304-1"  # above every process id
        async with trio.open_nursery() as nursery:
            script = "import time; time.sleep(60)"
            process = start_kept(nursery, python(tmp_path, script, ProcessLimits(), None))
            await until(lambda: bool(children_of(process.pid)))
            (leftover / "bot1").mkdir(parents=True)
            (leftover / "bot1" / "cgroup.procs").write_text(children_of(process.pid)[0])
            with open_cgroups():
                pass
            with trio.fail_after(5):
                ended = await process.wait()
        assert ended.value == signal.SIGKILL
        with open_cgroups():
            pass
        assert not leftover.exists()


def test_whether_bots_can_be_frozen_is_found_by_trying_and_leaves_nothing() -> None:
    with open_cgroups() as cgroups:
        homes = {folder.path.parent for folder in cgroups.for_bot(Resources()).folders}
        expected = Guard.FREEZING in cgroups.guards
    assert can_freeze() == expected
    assert not any(home.exists() for home in homes)
