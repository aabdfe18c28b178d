"""What a bot tries from inside the walls of Landlock, what it does not get, and what it sees."""

import os
import shutil
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from arena.bots.argument import choose
from arena.bots.build import build_bot
from arena.bots.exits import ExitKind
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.sandbox.landlock import Landlock, closed_above
from arena.bots.sandbox.launch import Launch
from arena.bots.sandbox.mode import WEAKER, Guard, SandboxMode, forgets, guards_line, lacking
from arena.bots.sandbox.opening import NEEDED_OF_LANDLOCK
from arena.errors import ConfigError
from tests.bots.sandbox.conftest import (
    launch_of,
    manifest,
    needs_landlock,
    opened,
    run_in,
)
from tests.bots.sandbox.test_attacks import TRY
from tests.bots.sandbox.test_runtimes import GO, JAVA, NODE

pytestmark = needs_landlock
LANDLOCK = SandboxMode.LANDLOCK


@pytest.fixture
def port() -> Iterator[int]:
    """Return the port of a server on this machine's loopback."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def walled_launch(place: Path, *run: str, **more: object) -> Launch:
    """Describe a start with a scratch folder beside the bot's own."""
    scratch = place / "scratch"
    scratch.mkdir(exist_ok=True)
    return replace(launch_of(place, manifest(*run)), scratch=scratch, **more)  # type: ignore[arg-type]


async def attack(secret: Path, place: Path, script: str, *words: object, **more: object) -> str:
    """Run a Python script behind the walls; give what it said. It must end with status 0."""
    run = ("python", "-I", "-c", dedent(script), *map(str, words))
    async with opened(secret, LANDLOCK) as box:
        said, ended = await run_in(box, walled_launch(place, *run, **more))
    assert ended.is_success, (ended.text, said)
    return said.strip()


async def test_all_that_landlock_can_give_holds_here_and_it_is_not_forgetting(
    secret: Path,
) -> None:
    async with opened(secret, LANDLOCK) as box:
        assert set(box.guards) >= NEEDED_OF_LANDLOCK
        assert not set(box.guards) & {"files", "network", "processes", "disk"}
        assert not forgets(box.guards)
        assert guards_line(box.guards).startswith("sandbox: Landlock; guards: ")


def test_a_stronger_guard_stands_for_its_weaker_form() -> None:
    weak, strong = [guard.value for guard in NEEDED_OF_LANDLOCK], list(Guard)
    assert lacking(weak, [guard for guard in strong if guard not in WEAKER]) == ()
    assert lacking([guard for guard in strong if guard not in WEAKER], weak) == (
        Guard.FILES, Guard.NETWORK, Guard.PROCESSES, Guard.DISK, Guard.USER,
    )  # fmt: skip


async def test_contents_of_others_are_closed_and_their_names_not_listed(
    secret: Path, place: Path
) -> None:
    other = place / "other"
    other.mkdir()
    (other / "notes").write_text("hands")
    paths = (
        secret / "seed.key",
        other / "notes",
        "/etc/passwd",
        "/proc/1/cmdline",
        "/proc/net/unix",
    )
    script = (
        TRY
        + """
for path in sys.argv[1:]:
    print(attempt(open, path))
for place in ("/", "/tmp", "/proc", "/dev", "/home", os.path.dirname(sys.argv[1])):
    print(attempt(os.listdir, place))
"""
    )
    said = (await attack(secret, place, script, *paths)).splitlines()
    assert len(said) == len(paths) + 6
    refused = ("refused: Permission denied", "refused: No such file or directory")
    assert all(line in refused for line in said), said


async def test_only_its_own_scratch_folder_can_be_written_and_no_file_be_marked(
    secret: Path, place: Path
) -> None:
    mine = place / "mine"
    mine.write_text("of whoever runs the arena")
    before = mine.stat()
    script = (
        TRY
        + """
for folder in ("/", "/tmp", "/dev/shm", "/var/tmp", os.getcwd(), os.path.dirname(sys.argv[1])):
    print(attempt(open, folder + "/note", "w"))
print(attempt(os.chmod, sys.argv[1], 0o777))
print(attempt(os.utime, sys.argv[1], (1, 1)))
print(attempt(os.setxattr, sys.argv[1], "user.board", b"7"))
print(attempt(os.truncate, sys.argv[1], 0))
print(attempt(os.rename, sys.argv[1], os.environ["HOME"] + "/taken"))
print(attempt(os.link, sys.argv[1], os.environ["HOME"] + "/taken"))
with open(os.environ["TMPDIR"] + "/note", "w") as note:
    print(note.write("mine"))
"""
    )
    said = (await attack(secret, place, script, mine)).splitlines()
    assert all(line.startswith("refused") for line in said[:-1]), said
    assert said[-1] == "4"
    after = mine.stat()
    assert (after.st_mode, after.st_mtime, after.st_size) == (
        before.st_mode, before.st_mtime, before.st_size,
    )  # fmt: skip
    assert (place / "scratch" / "note").read_text() == "mine"


async def test_its_own_port_is_reached_and_no_other_way_out(
    secret: Path, place: Path, port: int
) -> None:
    path = place / "there.sock"
    script = (
        TRY
        + """
import socket
own, other, path, name = sys.argv[1:]
def connect(family, address):
    with socket.socket(family) as there:
        there.settimeout(2)
        there.connect(address)
        return "reached"
print(attempt(connect, socket.AF_INET, ("127.0.0.1", int(own))))
print(attempt(connect, socket.AF_INET, ("127.0.0.1", int(other))))
print(attempt(connect, socket.AF_INET6, ("::ffff:127.0.0.1", int(other))))
print(attempt(connect, socket.AF_UNIX, path))
print(attempt(connect, socket.AF_UNIX, chr(0) + name))
for family, kind in ((2, 2), (10, 2), (16, 3), (17, 3), (40, 1)):
    print(attempt(socket.socket, family, kind))
print(attempt(socket.socket, 2, 1, 262))
print(attempt(socket.socket().bind, ("127.0.0.1", 0)))
print(attempt(socket.socket().listen))
print(attempt(socket.socket().sendto, b"x", 0x20000000, ("127.0.0.1", int(other))))
left, right = socket.socketpair()
left.send(b"between threads")
print(right.recv(20).decode())
"""
    )
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        socket.socket(socket.AF_UNIX) as bound,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        bound.bind(str(path))
        path.chmod(0o777)
        bound.listen()
        name = f"arena-test-{os.getpid()}"
        abstract.bind(f"\0{name}")
        abstract.listen()
        words = (port, other.getsockname()[1], path, name)
        said = await attack(secret, place, script, *words, address=f"127.0.0.1:{port}")
    first, *refused, last = said.splitlines()
    assert (first, last) == ("reached", "between threads")
    assert len(refused) == 13
    assert all(line.startswith("refused") for line in refused), refused


async def test_a_bot_that_speaks_lines_has_no_socket_at_all(secret: Path, place: Path) -> None:
    script = TRY + "import socket; print(attempt(socket.socket), attempt(socket.socket, 1))"
    refused = "refused: Operation not permitted"
    assert await attack(secret, place, script) == f"{refused} {refused}"


async def test_nobody_else_is_signalled_traced_slowed_or_spoken_to(
    secret: Path, place: Path
) -> None:
    script = (
        TRY
        + """
import ctypes, resource
pid = int(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
for target in (pid, os.getppid(), -1):
    print(attempt(os.kill, target, 0) if target > 0 else "refused")
print(attempt(open, "/proc/%d/environ" % pid))
print(attempt(open, "/proc/%d/stat" % pid))
print(attempt(resource.prlimit, pid, resource.RLIMIT_CPU, (1, 1)))
print(attempt(os.sched_setaffinity, pid, {0}))
print(attempt(os.setpriority, os.PRIO_PROCESS, pid, 19))
for call in (libc.shmget, libc.semget, libc.msgget):
    print("refused" if call(0, 1, 0o1600) == -1 and ctypes.get_errno() == 1 else "made")
print(libc.ptrace(16, pid, 0, 0), libc.unshare(0x10000000), libc.syscall(425, 8, 0))
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(int(status["CapEff"], 16), int(status["CapPrm"], 16), status["NoNewPrivs"].strip())
"""
    )
    *refused, calls, rights = (await attack(secret, place, script, os.getpid())).splitlines()
    assert len(refused) == 11
    assert all(line.startswith("refused") for line in refused), refused
    assert (calls, rights) == ("-1 -1 -1", "0 0 1")


@pytest.mark.parametrize("ending", ["exit", "kill"])
async def test_a_daemon_ends_with_its_bot(secret: Path, place: Path, ending: str) -> None:
    """It holds a pipe to the arena: that it is gone shows as the end of the pipe."""
    script = f"""
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print("daemon", flush=True)
        time.sleep(600)
    os._exit(0)
time.sleep(0.1 if {ending!r} == "exit" else 600)
"""
    run = ("python", "-I", "-S", "-c", script)
    began = time.monotonic()
    async with opened(secret, LANDLOCK) as box:
        said, ended = await run_in(box, walled_launch(place, *run), seconds=2)
    assert "daemon" in said
    assert ended.kind is (ExitKind.EXITED if ending == "exit" else ExitKind.SIGNALLED)
    assert time.monotonic() - began < 60


async def test_ends_are_told_as_they_are_and_a_missing_program_is_named(
    secret: Path, place: Path
) -> None:
    async with opened(secret, LANDLOCK) as box:
        _, ended = await run_in(box, walled_launch(place, "sh", "-c", "kill -SEGV $$"))
        said, missing = await run_in(box, walled_launch(place, "./no-such-bot"))
    assert (ended.kind, "SIGSEGV" in ended.text) == (ExitKind.SIGNALLED, True)
    assert (missing.value, "./no-such-bot: [Errno 2]" in said) == (127, True)


async def test_a_command_beside_events_sees_only_the_files_that_it_names(
    secret: Path, place: Path
) -> None:
    event = place / "bot" / "matches" / "a-v-b"
    (event / "logs").mkdir(parents=True)
    (event / "event.toml").write_text("")
    (place / "bot" / "named.py").write_text(
        TRY + "print(attempt(open, 'matches/a-v-b/event.toml'), attempt(os.listdir, '.'))"
    )
    run = ("python", "-I", "named.py")
    async with opened(secret, LANDLOCK) as box:
        said, ended = await run_in(box, walled_launch(place, *run, is_command=True))
    assert ended.is_success, said
    assert said.strip() == "refused: Permission denied refused: Permission denied"


async def test_bots_in_python_see_the_kit_and_nothing_of_the_referee(
    secret: Path, place: Path
) -> None:
    script = """
import importlib
import arena.sdk, grpc
for name in ("arena.referee", "arena.record", "arena.tournament"):
    try:
        importlib.import_module(name)
        print("has", name)
    except (ModuleNotFoundError, PermissionError):
        pass
print(arena.__file__.endswith("/walled/kit/kit/arena/__init__.py"))
"""
    assert await attack(secret, place, script) == "True"


@pytest.mark.parametrize(
    ("file", "source", "steps", "run", "said"),
    [
        ("Bot.java", JAVA, '["javac", "Bot.java"]', '["java", "Bot"]', "java 2 true"),
        ("bot.go", GO, '["go", "build", "-o", "bot", "bot.go"]', '["./bot"]', "go 2"),
        ("bot.js", NODE, "[]", '["node", "bot.js"]', "node 2"),
    ],
)
async def test_a_runtime_builds_and_runs_inside(  # noqa: PLR0917  # by pytest's names
    place: Path, secret: Path, file: str, source: str, steps: str, run: str, said: str
) -> None:
    tool = said.partition(" ")[0]
    if shutil.which(tool) is None or (tool == "java" and shutil.which("javac") is None):
        pytest.skip(f"no {tool} here")
    home = place / "source"
    home.mkdir()
    (home / file).write_text(dedent(source))
    keys = f'name = "{tool}"\nversion = "1"\nlanguage = "{tool}"\nbuild = {steps}\nrun = {run}\n'
    (home / "bot.toml").write_text(keys)
    async with opened(secret, LANDLOCK) as box:
        store = place / "store"
        bot = await build_bot(freeze(choose(home), store), store, sandbox=box, has_network=False)
        launch = replace(walled_launch(place, *bot.run), folder=bot.folder)
        out, ended = await run_in(box, replace(launch, manifest=bot.manifest))
    assert ended.is_success, out
    assert out.strip() == said


async def test_a_need_that_would_show_a_home_or_the_event_is_refused(
    secret: Path, place: Path
) -> None:
    bot = FrozenBot(
        manifest=manifest("true", needs=(str(secret),)), hash="", folder=place, options={}
    )
    async with opened(secret, LANDLOCK) as box:
        with pytest.raises(ConfigError, match="no bot may see"):
            box.check(bot)


async def test_where_bots_are_users_of_their_own_a_private_folder_is_named_with_the_cure(
    secret: Path, place: Path
) -> None:
    private = place / "private"
    (private / "bot").mkdir(parents=True)
    private.chmod(0o700)
    assert closed_above(private / "bot") == private
    assert closed_above(place) is None
    bot = FrozenBot(manifest=manifest("true"), hash="", folder=private / "bot", options={})
    async with opened(secret, LANDLOCK) as box:
        assert isinstance(box, Landlock)
        box.users = iter((70_001,))
        with pytest.raises(ConfigError, match=r"private, which a bot's own user may not enter"):
            box.check(bot)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give bots other users")
async def test_as_root_a_bot_is_a_user_of_its_own_where_all_may_enter_what_it_runs(
    secret: Path, place: Path
) -> None:
    run = ("sh", "-c", 'id -u; id -G; echo "$HOME"; echo mine > "$HOME/note"; cat /etc/shadow')
    async with opened(secret, LANDLOCK) as box:
        assert isinstance(box, Landlock)
        box.users = iter((70_001,))
        said, _ = await run_in(box, walled_launch(place, *run))
    assert said.splitlines()[:2] == ["70001", "70001"]
    assert "Permission denied" in said
    assert (place / "scratch" / "note").stat().st_uid == 70_001
