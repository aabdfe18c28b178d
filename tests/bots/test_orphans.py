"""Requirement B: whatever a bot does, and whatever the arena dies of, nothing is left.

The witness is a socket: every process of the bot connects to it, and the kernel closes the
connection when the process is gone.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from arena.bots.process import start_bot
from tests.bots.conftest import FreezeBot

HYDRA = """
import os, signal, socket, sys, time

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)

def live(name):
    witness = socket.socket(socket.AF_UNIX)
    witness.connect(os.environ["WITNESS"])
    witness.sendall(f"{os.getpid()} {name}".encode())
    while True:
        time.sleep(1000)

def child(name, *, session, orphan):
    if os.fork():
        return
    if session:
        os.setsid()
    if orphan and os.fork():
        os._exit(0)
    live(name)

child("child", session=False, orphan=False)
child("group leader", session=True, orphan=False)
child("orphan", session=False, orphan=True)
child("daemon", session=True, orphan=True)
if os.fork() == 0:
    os.setsid()
    child("grandchild", session=True, orphan=False)
    child("grandorphan", session=True, orphan=True)
    live("second")
if "BRIEF" in os.environ:
    sys.stdin.read()
    time.sleep(0.2)
    sys.exit(5)
live("first")
"""
NAMES = {
    "child", "group leader", "orphan", "daemon", "grandchild", "grandorphan", "second", "first",
}  # fmt: skip

ARENA = """
import sys
from pathlib import Path
import trio
from arena.bots.argument import choose
from arena.bots.frozen import freeze
from arena.bots.process import start_bot

async def main(folder, store, witness):
    async with trio.open_nursery() as nursery:
        bot = freeze(choose(Path(folder)), Path(store))
        env = {"WITNESS": witness}
        start_bot(nursery, bot, address="x", token="x", scratch=Path(store),
                  stderr_path=Path(store, "stderr"), extra_env=env)

trio.run(main, *sys.argv[1:])
"""


class Witness:
    """Sees which processes live."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "w")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.address)
        listener.listen()
        self._listener = trio.socket.from_stdlib_socket(listener)
        self._streams: dict[str, trio.SocketStream] = {}
        self._pids: dict[str, int] = {}

    async def see(self, names: set[str]) -> None:
        """Wait until all these processes live."""
        with trio.fail_after(30):
            while set(self._streams) != names:
                connection, _ = await self._listener.accept()
                stream = trio.SocketStream(connection)
                pid, _, name = (await stream.receive_some()).decode().partition(" ")
                self._streams[name] = stream
                self._pids[name] = int(pid)
        self._listener.close()

    async def see_all_gone(self) -> None:
        """Fail if one of them lives for 5 seconds more (and end it, then)."""
        survivors = set(self._streams)
        with trio.move_on_after(5):
            for name, stream in self._streams.items():
                with contextlib.suppress(trio.BrokenResourceError):
                    assert await stream.receive_some() == b""
                survivors.discard(name)
        for name, stream in self._streams.items():
            with contextlib.suppress(ProcessLookupError):
                if name in survivors:
                    os.kill(self._pids[name], signal.SIGKILL)
            await stream.aclose()
        assert not survivors


async def test_the_end_of_a_bot_is_the_end_of_all_its_processes(
    freeze_bot: FreezeBot, short_folder: Path, tmp_path: Path, nursery: trio.Nursery
) -> None:
    witness = Witness(short_folder)
    process = start_bot(
        nursery,
        freeze_bot(HYDRA),
        address="",
        token="",
        scratch=tmp_path,
        stderr_path=tmp_path / "stderr",
        extra_env={"WITNESS": witness.address},
    )
    await witness.see(NAMES)
    began = trio.current_time()
    ended = await process.end(0)
    assert trio.current_time() - began < 2
    assert ended.is_ours
    await witness.see_all_gone()


async def test_what_a_bot_leaves_behind_goes_with_it(
    freeze_bot: FreezeBot, short_folder: Path, tmp_path: Path, nursery: trio.Nursery
) -> None:
    witness = Witness(short_folder)
    process = start_bot(
        nursery,
        freeze_bot(HYDRA, 'protocol = "lines"'),
        address="",
        token="",
        scratch=tmp_path,
        stderr_path=tmp_path / "stderr",
        extra_env={"WITNESS": witness.address, "BRIEF": "1"},
    )
    pipes = process.take_pipes()
    await witness.see(NAMES - {"first"})
    os.close(pipes.to_stdin)
    ended = await process.wait()
    os.close(pipes.from_stdout)
    assert (ended.value, ended.is_ours) == (5, False)
    await witness.see_all_gone()


@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGKILL", "SIGKILL to the group"])
async def test_the_end_of_the_arena_is_the_end_of_all_its_bots(
    freeze_bot: FreezeBot, short_folder: Path, tmp_path: Path, end: str
) -> None:
    witness = Witness(short_folder)
    folder = tmp_path / "made bot é"
    freeze_bot(HYDRA)
    (tmp_path / "arena_main.py").write_text(ARENA)
    argv = [sys.executable, "arena_main.py", str(folder), str(short_folder), witness.address]
    arena = subprocess.Popen(  # noqa: ASYNC220  # a millisecond
        argv, cwd=tmp_path, start_new_session=True, stderr=subprocess.DEVNULL
    )
    try:
        await witness.see(NAMES)
    finally:
        name, _, group = end.partition(" ")
        kill = os.killpg if group else os.kill
        kill(arena.pid, signal.Signals[name])
        await trio.to_thread.run_sync(arena.wait, 30)
    await witness.see_all_gone()


async def test_a_chain_of_forks_is_caught(
    freeze_bot: FreezeBot, short_folder: Path, tmp_path: Path, nursery: trio.Nursery
) -> None:
    """Each link forks the next, in a session of its own, and is gone."""
    chain = """
    import os, socket, time
    witness = socket.socket(socket.AF_UNIX)
    witness.connect(os.environ["WITNESS"])
    witness.sendall(b"%d chain" % os.getpid())
    if os.fork():
        time.sleep(1000)
    while True:
        if os.fork():
            os._exit(0)
        os.setsid()
        time.sleep(0.002)
    """
    witness = Witness(short_folder)
    process = start_bot(
        nursery,
        freeze_bot(chain),
        address="",
        token="",
        scratch=tmp_path,
        stderr_path=tmp_path / "stderr",
        extra_env={"WITNESS": witness.address},
    )
    await witness.see({"chain"})
    await process.end(0)
    await witness.see_all_gone()
