"""Prove: what a sandbox keeps from a bot here is found by trying it from inside.

Owns the probe and what its answers mean. Must not know how a sandbox is made. Source:
sandbox.md ("`arena doctor` *runs* each probe on this host and says what holds").
"""

import os
import secrets
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import trio

from arena.bots.kept import start_kept
from arena.bots.manifest import Manifest
from arena.bots.sandbox.launch import TMP_BYTES, Launch, Sandbox
from arena.bots.sandbox.mode import Guard
from arena.errors import HostFault

PATIENCE_S: Final = 20.0
"""How long the probe may take; it needs a twentieth of a second."""

_TOOLS: Final = """
import ctypes, os, socket, sys
witness, pid, port, name, most, owner, namespaces = sys.argv[1:8]
libc = ctypes.CDLL(None, use_errno=True)

def fails(act, *arguments):
    try:
        act(*arguments)
    except OSError:
        return True
    return False

def refused(call, *arguments):
    return call(*arguments) == -1 and ctypes.get_errno() == 1

def reaches(family, address):
    with socket.socket(family) as there:
        there.settimeout(2)
        return not fails(there.connect, address)

status = dict(line.split(":", 1) for line in open("/proc/self/status"))
"""

BOXED: Final = """
def own(kind):
    return os.readlink("/proc/self/ns/" + kind) not in namespaces.split(",")

def size(path):
    status = os.statvfs(path)
    return status.f_blocks * status.f_frsize

places = ("/", "/usr", "/bot", "/etc", "/dev", "/run", "/opt/arena")
held = {
    "files": own("mnt") and not os.path.exists(witness) and not os.path.exists("/proc/%s" % pid)
        and all(fails(open, place + "/.probe", "w") for place in places),
    "network": own("net") and not reaches(socket.AF_INET, ("127.0.0.1", int(port)))
        and not reaches(socket.AF_UNIX, "\\0" + name),
    "processes": own("pid") and fails(os.kill, int(pid), 0)
        and len([entry for entry in os.listdir("/proc") if entry.isdigit()]) < 8,
    "ipc": own("ipc"),
    "system_calls": refused(libc.ptrace, 0, 0, 0, 0) and refused(libc.unshare, 0x10000000),
    "disk": size("/tmp") <= int(most) and size("/dev/shm") <= int(most),
    "privileges": int(status["CapEff"], 16) == int(status["CapBnd"], 16) == 0
        and status["NoNewPrivs"].strip() == "1",
    "user": owner == "0" and os.stat("/bot").st_uid != os.getuid(),
}
print(*[guard for guard in held if held[guard]])
"""
"""For a root of its own: what is not there cannot be reached."""

WALLED: Final = """
def denied(act, *arguments):
    try:
        act(*arguments)
    except PermissionError:
        return True
    except OSError:
        pass
    return False

def lets_make(*arguments):
    try:
        socket.socket(*arguments).close()
    except OSError:
        return False
    return True

work = os.path.dirname(witness)
places = ("/", "/usr", "/etc", "/dev", "/dev/shm", "/tmp", "/run", work, os.getcwd())
families = (socket.AF_INET, socket.AF_INET6)
others = [(socket.AF_UNIX, kind) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)]
others += [(family, socket.SOCK_DGRAM) for family in families]
def opens_with_data(address):
    with socket.socket() as there:
        return not denied(there.sendto, b"x", 0x20000000, address)

def listens():
    with socket.socket() as here:
        return not denied(here.listen)

own = ("127.0.0.1", int(os.environ["ARENA_ADDRESS"].split(":")[1]))
others += [(socket.AF_NETLINK, socket.SOCK_RAW), (socket.AF_INET, socket.SOCK_STREAM, 262)]
held = {
    "file_contents": denied(open, witness) and denied(os.listdir, work) and denied(os.listdir, "/")
        and denied(os.listdir, "/proc") and all(denied(open, p + "/.probe", "w") for p in places)
        and denied(os.chmod, os.environ["HOME"], 0o700) and denied(os.utime, os.environ["HOME"]),
    "own_port": reaches(socket.AF_INET, own) and not any(lets_make(*one) for one in others)
        and not reaches(socket.AF_INET, ("127.0.0.1", int(port))) and not listens()
        and not opens_with_data(("127.0.0.1", int(port))),
    "ipc": refused(libc.shmget, 0, 4096, 0o1600) and refused(libc.semget, 0, 1, 0o1600)
        and refused(libc.msgget, 0, 0o1600) and refused(libc.syscall, MQ_OPEN, 0, 0, 0, 0),
    "signals": denied(os.kill, int(pid), 0) and denied(os.kill, os.getppid(), 0)
        and denied(open, "/proc/%s/cmdline" % pid) and denied(open, "/proc/self/net/unix"),
    "system_calls": refused(libc.ptrace, 0, 0, 0, 0) and refused(libc.unshare, 0x10000000),
    "privileges": int(status["CapEff"], 16) == int(status["CapPrm"], 16) == 0
        and int(status["CapAmb"], 16) == 0 and status["NoNewPrivs"].strip() == "1",
    "user": owner == "0" and os.getuid() != 0,
}
print(*[guard for guard in held if held[guard]])
""".replace("MQ_OPEN", "240 if os.uname().machine == 'x86_64' else 180")
"""For rules over this machine's own paths: each is asked for, and must be refused as such."""


async def prove(sandbox: Sandbox, work: Path, script: str) -> tuple[tuple[str, ...], str]:
    """Try everything from inside.

    Args:
        sandbox: What is to be proven.
        work: A private folder for the probe.
        script: How: :data:`BOXED` or :data:`WALLED`.

    Returns:
        The guards that hold, in their order, and what the probe said on stderr.

    Raises:
        HostFault: The probe could not be started.
    """
    folder = work / "probe"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    scratch = work / "probe-scratch"
    scratch.mkdir()
    witness = work / "witness"
    witness.write_text("seen")
    witness.chmod(0o644)
    name = secrets.token_hex(8)
    namespaces = _namespaces()
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        own = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0{name}")
        abstract.listen()
        facts = (
            witness, os.getpid(), tcp.getsockname()[1], name, TMP_BYTES, os.getuid(),
            ",".join(namespaces),
        )  # fmt: skip
        argv = ("python", "-I", "-S", "-c", _TOOLS + script, *map(str, facts))
        launch = Launch(
            manifest=Manifest(name="probe", version="0", run=argv, language="python"),
            argv=argv,
            folder=folder,
            env={},
            scratch=scratch,
            output=work / "probe.txt",
            # Which it may reach where no root of its own keeps it from all.
            address=f"127.0.0.1:{own.getsockname()[1]}",
        )
        said = await _run(sandbox, launch)
    held = said.splitlines()[-1].split() if said.strip() else []
    return tuple(guard.value for guard in Guard if guard.value in held), said.strip()


def _namespaces() -> list[str]:
    """Name the arena's own, as the kernel does."""
    return [str(Path("/proc/self/ns", kind).readlink()) for kind in ("mnt", "net", "pid", "ipc")]


async def _run(sandbox: Sandbox, launch: Launch) -> str:
    """Run the probe; give what it said, or nothing if it hangs."""
    said, fault = "", None
    async with trio.open_nursery() as nursery:
        try:
            process = start_kept(nursery, sandbox.command(launch))
        except HostFault as error:
            fault = error  # a nursery would put it into a group
        else:
            await process.end(int(PATIENCE_S * 1e9))
            said = launch.output.read_text("utf-8", "replace")
    if fault is not None:
        raise fault
    return said
