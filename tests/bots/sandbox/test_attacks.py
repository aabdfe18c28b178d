"""What a bot tries from inside a sandbox, and does not get."""

import os
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.exits import ExitKind
from arena.bots.frozen import FrozenBot
from arena.bots.sandbox.bubblewrap import Bubblewrap
from arena.bots.sandbox.launch import TMP_BYTES
from arena.bots.sandbox.mode import WEAKER, Guard, forgets
from arena.errors import ConfigError
from tests.bots.sandbox.conftest import (
    attack,
    launch_of,
    manifest,
    needs_sandbox,
    opened,
    run_in,
)

pytestmark = needs_sandbox
BASE = Path(sys.executable).resolve()

TRY = """
import os, sys
def attempt(act, *words):
    try:
        return act(*words)
    except OSError as error:
        return "refused: " + (error.strerror or str(error))
"""


async def test_every_guard_holds_here_and_boards_may_come_back(secret: Path) -> None:
    async with opened(secret) as box:
        wanted = {guard.value for guard in Guard if guard not in WEAKER}
        if os.getuid() != 0:
            wanted.discard("user")
        assert set(box.guards) == wanted
        assert forgets(box.guards)


async def test_the_event_the_home_and_other_bots_are_not_there(
    secret: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes").write_text("hands")
    paths = (secret / "seed.key", other / "notes", "/etc/shadow", "/home", "/var", "/proc/1/root/a")
    said = await attack(
        secret, tmp_path, TRY + "print([os.path.exists(path) for path in sys.argv[1:]])", *paths
    )
    assert said == str([False] * len(paths))


async def test_nothing_can_be_written_but_a_bounded_tmp_that_is_gone_afterwards(
    secret: Path, tmp_path: Path
) -> None:
    script = (
        TRY
        + """
for place in ("/", "/bot", "/usr", "/etc", "/run", "/dev", "/opt/arena"):
    print(place, attempt(open, place + "/note", "w"))
print(os.listdir("/tmp"))
written = 0
with open("/tmp/note", "wb", buffering=0) as file:
    while isinstance(count := attempt(file.write, bytes(1 << 20)), int):
        written += count
print(written <= int(sys.argv[1]), count)
"""
    )
    for _ in range(2):
        said = (await attack(secret, tmp_path, script, TMP_BYTES)).splitlines()
        assert all("refused" in line for line in said[:7]), said
        assert said[7] == "[]"
        assert said[8] == "True refused: No space left on device"
    assert list((tmp_path / "bot").iterdir()) == []


async def test_no_address_of_the_machine_is_reached(secret: Path, tmp_path: Path) -> None:
    name = f"arena-test-{os.getpid()}"
    path = tmp_path / "there.sock"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as bound,
    ):
        udp.bind(("127.0.0.1", 0))
        udp.settimeout(0.2)
        abstract.bind(f"\0{name}")
        abstract.listen()
        bound.bind(str(path))
        bound.listen()
        script = (
            TRY
            + """
import socket
tcp, udp, name, path = sys.argv[1:]
def connect(family, address):
    with socket.socket(family) as there:
        there.settimeout(2)
        there.connect(address)
        return "reached"
print(attempt(connect, socket.AF_INET, ("127.0.0.1", int(tcp))))
print(attempt(connect, socket.AF_INET, ("192.0.2.1", 80)))
print(attempt(connect, socket.AF_UNIX, "\\0" + name))
print(attempt(connect, socket.AF_UNIX, path))
print(attempt(socket.socket, 40))
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
    attempt(out.sendto, b"a card", ("127.0.0.1", int(udp)))
print([entry[1] for entry in socket.if_nameindex()])
"""
        )
        ports = (tcp.getsockname()[1], udp.getsockname()[1])
        said = (await attack(secret, tmp_path, script, *ports, name, path)).splitlines()
        with pytest.raises(TimeoutError):
            udp.recv(10)
    assert all(line.startswith("refused") for line in said[:5]), said
    assert said[5] == "['lo']"


async def test_no_process_of_others_is_seen_signalled_or_traced(
    secret: Path, tmp_path: Path
) -> None:
    script = (
        TRY
        + """
import ctypes
pid = int(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
print(sorted(int(entry) for entry in os.listdir("/proc") if entry.isdigit())[-1] < 10)
print(attempt(os.kill, pid, 0))
print(attempt(open, "/proc/%d/environ" % pid, "rb"))
print(libc.ptrace(16, pid, 0, 0), ctypes.get_errno())
print(libc.unshare(0x10000000), ctypes.get_errno())
print(libc.mount(b"none", b"/tmp", b"tmpfs", 0, None), ctypes.get_errno())
print(libc.syscall(425, 8, 0), ctypes.get_errno())
print(os.getuid(), os.environ.get("ARENA_TOKEN"), len(os.environ) < 12)
"""
    )
    assert (await attack(secret, tmp_path, script, os.getpid())).splitlines() == [
        "True",
        "refused: No such process",
        "refused: No such file or directory",
        "-1 1",
        "-1 1",
        "-1 1",
        "-1 1",
        "1000 None True",
    ]


@pytest.mark.parametrize("ending", ["exit", "kill"])
async def test_a_daemon_ends_with_its_bot(secret: Path, tmp_path: Path, ending: str) -> None:
    """It holds a pipe to the arena: that it is gone shows as the end of the pipe."""
    script = f"""
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print("daemon", flush=True)
        time.sleep(600)
    os._exit(0)
time.sleep(0.1 if {ending!r} == "exit" else 600)
"""
    run = ("python", "-I", "-S", "-c", script)
    async with opened(secret) as box:
        said, ended = await run_in(box, launch_of(tmp_path, manifest(*run)), seconds=2)
    assert "daemon" in said
    assert ended.kind is (ExitKind.EXITED if ending == "exit" else ExitKind.SIGNALLED)


async def test_a_secret_stands_in_no_command_line(secret: Path, tmp_path: Path) -> None:
    run = ("sh", "-c", "echo $ARENA_TOKEN")
    launch = replace(launch_of(tmp_path, manifest(*run)), env={"ARENA_TOKEN": "hush"})
    async with opened(secret) as box:
        command = box.command(launch)
        for descriptor in command.inherited:
            os.close(descriptor)
        said, _ = await run_in(box, launch)
    assert said == "hush\n"
    assert not any("hush" in word for word in command.argv)
    assert not command.env


async def test_a_signal_that_ends_a_bot_is_told_as_one(secret: Path, tmp_path: Path) -> None:
    async with opened(secret) as box:
        _, ended = await run_in(box, launch_of(tmp_path, manifest("sh", "-c", "kill -SEGV $$")))
    assert "SIGSEGV" in ended.text


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give bots other users")
async def test_two_bots_are_two_users_where_the_arena_is_root(secret: Path, tmp_path: Path) -> None:
    async with opened(secret) as box:
        first, second = (box.command(launch_of(tmp_path, manifest("true"))) for _ in range(2))
        for descriptor in (*first.inherited, *second.inherited):
            os.close(descriptor)
    users = [command.entry.split(b"\0")[0] for command in (first, second)]
    assert len(set(users)) == 2
    assert b"0" not in users


async def test_a_need_is_seen_read_only_and_only_where_it_hides_nothing(
    secret: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "book").write_text("an opening")
    script = (
        TRY
        + """
print(open(sys.argv[1] + "/book").read())
print(attempt(open, sys.argv[1] + "/note", "w"))
"""
    )
    run = ("python", "-I", "-c", script, str(data))
    async with opened(secret) as box:
        launch = launch_of(tmp_path, manifest(*run, needs=(str(data),)))
        said, ended = await run_in(box, launch)
    assert ended.is_success, said
    assert said.splitlines() == ["an opening", "refused: Read-only file system"]


@pytest.mark.parametrize("need", ["/", "/root", "~", "EVENT", "EVENT/logs", "~/no such thing"])
async def test_a_need_that_would_show_a_home_or_the_event_is_refused(
    secret: Path, tmp_path: Path, need: str
) -> None:
    (secret / "logs").mkdir()
    path = need.replace("EVENT", str(secret)).replace("~", str(Path.home()))
    bot = FrozenBot(manifest=manifest("true", needs=(path,)), hash="", folder=tmp_path, options={})
    async with opened(secret) as box:
        with pytest.raises(ConfigError, match=r"no bot may see|does not exist"):
            box.check(bot)


async def test_a_command_does_not_see_the_events_that_lie_where_it_was_given(
    secret: Path, tmp_path: Path
) -> None:
    event = tmp_path / "bot" / "matches" / "a-v-b"
    (event / "logs").mkdir(parents=True)
    (event / "event.toml").write_text("")
    (event / "seed.key").write_text("the seed")
    script = "import os; print(os.listdir('.'), os.listdir('matches/a-v-b'))"
    said = await attack(secret, tmp_path, script, is_command=True)
    assert said == "['matches'] []"


async def test_where_bots_are_users_of_their_own_a_commands_closed_folder_is_named_with_the_cure(
    secret: Path, tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(0o700)
    bot = FrozenBot(manifest=manifest("true"), hash="", folder=closed, options={}, is_command=True)
    async with opened(secret) as box:
        assert isinstance(box, Bubblewrap)
        box.users = iter((70_001,))
        with pytest.raises(ConfigError, match=r"owner alone \(mode 0700\).*chmod o\+rx"):
            box.check(bot)
        closed.chmod(0o755)
        box.check(bot)


async def test_bots_in_python_see_the_kit_and_nothing_of_the_referee(
    secret: Path, tmp_path: Path
) -> None:
    script = """
import importlib, sys
import arena.sdk
print(arena.__file__)
for name in ("arena.referee", "arena.record", "arena.tournament", "arena.cli"):
    try:
        importlib.import_module(name)
        print("has", name)
    except ModuleNotFoundError:
        pass
"""
    assert await attack(secret, tmp_path, script) == "/opt/arena/kit/arena/__init__.py"


async def test_another_python_under_a_private_home_finds_the_kit(
    secret: Path, tmp_path: Path
) -> None:
    private = tmp_path / "home"
    private.mkdir(mode=0o700)
    (private / "venv" / "bin").mkdir(parents=True)
    (private / "venv" / "bin" / "python").symlink_to(BASE)
    (private / "venv" / "pyvenv.cfg").write_text(f"home = {BASE.parent}\n")
    python = str(private / "venv" / "bin" / "python")
    run = (python, "-c", "import sys, arena.rules.cards; print(sys.prefix)")
    async with opened(secret) as box:
        said, ended = await run_in(box, launch_of(tmp_path, manifest(*run)))
    assert ended.is_success, said
    assert said.strip() == str(private / "venv")
