"""A kept process is started, waited for, read and ended, whatever it does."""

import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
import trio

from arena.bots.exits import ExitKind
from arena.bots.kept import Command, start_kept
from arena.errors import HostFault

NS = 1_000_000_000
ENV: Mapping[str, str] = {"PATH": os.environ["PATH"]}


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def shell(folder: Path, script: str, *, has_pipes: bool = False) -> Command:
    return Command(
        argv=("sh", "-c", script),
        folder=folder,
        env=ENV,
        output=folder / "output",
        has_pipes=has_pipes,
    )


async def test_an_exit_status_and_the_output_are_kept(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    process = start_kept(nursery, shell(tmp_path, "echo out; echo err >&2; exit 3"))
    before = process.exit
    ended = await process.wait()
    assert before is None
    assert (ended.kind, ended.value, ended.is_ours) == (ExitKind.EXITED, 3, False)
    assert process.exit is ended
    assert process.output_tail() == "out\nerr"
    assert ended.peak_kib > 0
    assert await process.wait() is ended


async def test_the_output_is_no_program(tmp_path: Path, nursery: trio.Nursery) -> None:
    await start_kept(nursery, shell(tmp_path, "echo out")).wait()
    assert (tmp_path / "output").stat().st_mode & 0o777 == 0o600


async def test_a_signal_is_told(tmp_path: Path, nursery: trio.Nursery) -> None:
    process = start_kept(nursery, shell(tmp_path, "kill -SEGV $$"))
    ended = await process.wait()
    assert (ended.kind, ended.value) == (ExitKind.SIGNALLED, signal.SIGSEGV)


async def test_a_command_that_cannot_be_executed_is_told(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    (tmp_path / "text").write_text("#!/no/such/interpreter\n")
    (tmp_path / "text").chmod(0o755)
    (tmp_path / "plain").touch()
    for word, why in (
        ("no-such-program", "No such file or directory"),
        ("./text", "No such file or directory"),
        ("./plain", "Permission denied"),
    ):
        command = Command(argv=(word,), folder=tmp_path, env=ENV, output=tmp_path / "output")
        ended = await start_kept(nursery, command).wait()
        assert ended.kind is ExitKind.REFUSED
        assert ended.text == f"could not be started: {word!r}: {why}"


async def test_end_waits_for_the_grace_and_then_kills(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    script = "trap '' TERM INT HUP; echo ready; while :; do sleep 60; done"
    process = start_kept(nursery, shell(tmp_path, script))
    began = time.perf_counter()
    ended = await process.end(NS // 5)
    elapsed = time.perf_counter() - began
    assert ended.is_ours
    assert ended.text.startswith("was ended by the arena after")
    assert 0.2 <= elapsed < 2


async def test_end_does_not_wait_for_the_rest_of_the_grace(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    process = start_kept(nursery, shell(tmp_path, "exit 0"))
    with trio.fail_after(20):
        ended = await process.end(60 * NS)
    assert ended.is_success
    process.kill()
    assert not ended.is_ours


async def test_a_cancelled_nursery_ends_its_processes(tmp_path: Path) -> None:
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            process = start_kept(nursery, shell(tmp_path, "sleep 1000"))
            nursery.cancel_scope.cancel()
    assert process.exit is not None
    assert process.exit.is_ours


async def test_a_cancelled_wait_harms_nothing(tmp_path: Path, nursery: trio.Nursery) -> None:
    process = start_kept(nursery, shell(tmp_path, "read line", has_pipes=True))
    with trio.move_on_after(0):
        await process.wait()
    pipes = process.take_pipes()
    os.write(pipes.to_stdin, b"go on\n")
    assert (await process.wait()).is_success
    os.close(pipes.to_stdin)
    os.close(pipes.from_stdout)


async def test_pipes_carry_stdin_and_stdout_and_end_with_the_process(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    script = "read line; echo got $line; echo aside >&2"
    process = start_kept(nursery, shell(tmp_path, script, has_pipes=True))
    pipes = process.take_pipes()
    with trio.fail_after(20):
        async with trio.lowlevel.FdStream(pipes.to_stdin) as stdin:
            await stdin.send_all(b"this\n")
            await process.wait()
            with pytest.raises(trio.BrokenResourceError):
                await stdin.send_all(b"more\n")
        async with trio.lowlevel.FdStream(pipes.from_stdout) as stdout:
            text = b"".join([chunk async for chunk in stdout])
    assert text == b"got this\n"
    assert process.output_tail() == "aside"
    with pytest.raises(AssertionError):
        process.take_pipes()


async def test_pipes_that_nobody_takes_are_closed(tmp_path: Path) -> None:
    async def run() -> None:
        async with trio.open_nursery() as nursery:
            start_kept(nursery, shell(tmp_path, "exit 0", has_pipes=True))

    await run()
    before = open_descriptors()
    for _ in range(5):
        await run()
    assert open_descriptors() == before


async def test_nothing_of_the_arena_is_inherited(tmp_path: Path, nursery: trio.Nursery) -> None:
    script = "import os; print(*sorted(os.listdir('/proc/self/fd')), *os.environ)"
    command = Command(
        argv=(sys.executable, "-I", "-c", script),
        folder=tmp_path,
        env={"ONLY": "this"},
        output=tmp_path / "output",
    )
    process = start_kept(nursery, command)
    await process.wait()
    # 3 is the listing itself; Python may add LC_CTYPE to its own environment.
    assert process.output_tail().replace(" LC_CTYPE", "") == "0 1 2 3 ONLY"


async def test_a_live_process_shows_its_output(tmp_path: Path, nursery: trio.Nursery) -> None:
    process = start_kept(nursery, shell(tmp_path, "echo thinking; sleep 1000"))
    with trio.fail_after(10):
        while process.output_tail() != "thinking":  # noqa: ASYNC110  # a file tells nobody
            await trio.sleep(0.01)
    process.kill()


async def test_a_tail_is_short_and_harmless(tmp_path: Path, nursery: trio.Nursery) -> None:
    script = r"""
import sys
for number in range(50): print("line", number, flush=True)
sys.stdout.buffer.write(b"\x1b[2J\xff\tend\r\n" + b"x" * 5000 + b"\n\n")
"""
    command = Command(
        argv=(sys.executable, "-I", "-c", script),
        folder=tmp_path,
        env=ENV,
        output=tmp_path / "output",
    )
    process = start_kept(nursery, command)
    await process.wait()
    lines = process.output_tail(3).splitlines()
    assert lines[0] == "line 49"
    assert lines[1] == "\\x1b[2J\N{REPLACEMENT CHARACTER}\tend"
    assert lines[2] == "x" * 400 + " [...]"
    (tmp_path / "output").unlink()
    assert process.output_tail() == ""


async def test_a_flood_costs_the_arena_nothing_and_the_disk_little(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    script = "import os\nos.write(2, b'first')\nfor _ in range(2048): os.write(2, b'x' * 65536)\n"
    command = Command(
        argv=(sys.executable, "-I", "-c", script + "os.write(2, b'last')"),
        folder=tmp_path,
        env=ENV,
        output=tmp_path / "output",
    )
    cpu_before = time.process_time()
    process = start_kept(nursery, command)
    await process.wait()
    assert time.process_time() - cpu_before < 0.2
    text = (tmp_path / "output").read_bytes()
    assert len(text) == 2 * 65536 + len(b"\n[... 134086665 bytes left out ...]\n")
    assert text.startswith(b"firstx")
    assert text.endswith(b"xlast")


@pytest.mark.slow
async def test_a_bot_that_writes_a_gigabyte_loses_no_time(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    """Requirement K: at the throttled rate of an endless flood it would take an hour."""
    command = shell(tmp_path, "head -c 1000000000 /dev/zero >&2")
    process = start_kept(nursery, command)
    with trio.fail_after(60):
        ended = await process.wait()
    assert ended.is_success
    assert (tmp_path / "output").stat().st_size < 200_000


@pytest.mark.parametrize("what", ["folder", "output"])
async def test_what_this_machine_cannot_do_is_its_fault(tmp_path: Path, what: str) -> None:
    missing = tmp_path / "missing" / "place"
    command = Command(
        argv=("true",),
        folder=missing if what == "folder" else tmp_path,
        env=ENV,
        output=missing if what == "output" else tmp_path / "output",
    )
    async with trio.open_nursery() as nursery:
        before = open_descriptors()
        with pytest.raises(HostFault) as caught:
            start_kept(nursery, command)
        assert open_descriptors() == before
    assert str(missing) in str(caught.value)


async def test_a_killed_warden_takes_its_bot_along_and_is_told(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    process = start_kept(nursery, shell(tmp_path, "kill -9 $PPID; sleep 1000"))
    with trio.fail_after(10):
        ended = await process.wait()
    assert ended.kind is ExitKind.LOST


async def test_a_stopped_warden_is_ended_all_the_same(
    tmp_path: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.bots.kept._SWEEP_PATIENCE_S", 0.2)
    process = start_kept(nursery, shell(tmp_path, "kill -STOP $PPID; echo done; sleep 1000"))
    with trio.fail_after(10):
        await trio.to_thread.run_sync(os.waitid, os.P_PID, process._popen.pid, os.WSTOPPED)
        ended = await process.end(0)
    assert ended.kind is ExitKind.LOST
