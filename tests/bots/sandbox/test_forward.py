"""TCP inside a sandbox, a Unix socket outside."""

import socket
import threading
from dataclasses import replace
from pathlib import Path

from arena.bots.manifest import Manifest, Transport
from tests.bots.sandbox.conftest import launch_of, needs_sandbox, opened, run_in

CLIENT = """
import os, socket, sys
host, port = os.environ["ARENA_ADDRESS"].split(":")
with socket.create_connection((host, int(port))) as there:
    there.sendall(b"x" * 3_000_000)
    there.shutdown(socket.SHUT_WR)
    back = b""
    while piece := there.recv(65536):
        back += piece
print(host, len(back), os.path.exists("/run/arena.sock"))
sys.exit(7)
"""


def _echo(listener: socket.socket) -> None:
    """Take all that comes until its end, then send it back."""
    there, _ = listener.accept()
    with there:
        data = b""
        while piece := there.recv(65536):
            data += piece
        there.sendall(data)


@needs_sandbox
async def test_bytes_and_ends_pass_both_ways_and_the_bots_status_is_its_own(
    secret: Path, tmp_path: Path, short_folder: Path
) -> None:
    path = short_folder / "s"
    bot = Manifest(
        name="old",
        version="1",
        run=("python", "-c", CLIENT),
        language="python",
        transport=Transport.TCP,
    )
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        listener.settimeout(20)
        echo = threading.Thread(target=_echo, args=(listener,))
        echo.start()
        async with opened(secret) as box:
            assert not box.listens_on_tcp(bot)
            launch = replace(launch_of(tmp_path, bot), address=f"unix:{path}", socket=path)
            said, ended = await run_in(box, launch)
        echo.join(20)
    assert said.strip() == "127.0.0.1 3000000 True"
    assert ended.value == 7
