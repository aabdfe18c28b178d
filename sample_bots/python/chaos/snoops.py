"""Acts that reach for what belongs to others. Whatever one gets hold of, it reports.

They harm nobody: signals are SIGCONT, a traced process is not stopped, network stays on
loopback, and everything ends within a few seconds.
"""

import ctypes
import os
import re
import secrets
import signal
import socket
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

from report import stolen

PROC = Path("/proc")
PATIENCE_S = 2.0
PTRACE_SEIZE = 0x4206
NEARBY = 2_000
"""So many process numbers below one's own are tried where no list of them is to be had."""
IPC_CREAT, IPC_EXCL, IPC_RMID = 0o1000, 0o2000, 0


def others() -> Iterator[int]:
    """Yield the processes of other seats that can be seen: of this run, not of another's."""
    mine = os.getsid(0)
    here = str(Path.cwd())
    for entry in PROC.glob("[0-9]*"):
        pid = int(entry.name)
        try:
            is_bot = b"bot.py" in (entry / "cmdline").read_bytes()
            if is_bot and os.getsid(pid) != mine and _runs_in(entry, here):
                yield pid
        except OSError:
            continue


def _runs_in(entry: Path, folder: str) -> bool:
    """Whether a process runs in a folder: all bots of a run are one frozen copy. Doubt: yes."""
    try:
        return str((entry / "cwd").readlink()) == folder
    except OSError:
        return True


def files() -> None:
    """Read the arena's seed, and what other seats wrote in their homes."""
    secret = os.environ.get("ARENA_OPTION_SECRET", "")
    home = Path(os.environ["HOME"]).resolve()
    found = [Path(secret)] if secret else []
    for above in (home.parent, home.parent.parent, home.parent.parent.parent):
        found += [file for file in _in(above, "*/secret.txt") if file.parent != home]
        found += [file for file in _in(above, "*/home/secret.txt") if file.parent != home]
    for pid in others():
        found += _in(PROC / str(pid) / "cwd", "secret.txt")
    for file in dict.fromkeys(found):
        try:
            stolen(f"file: {file} of {len(file.read_bytes())} bytes")
        except OSError:
            continue


def _in(folder: Path, pattern: str) -> list[Path]:
    """List what a folder shows, nothing where it may not be looked into."""
    try:
        return list(folder.glob(pattern))
    except OSError:
        return []


def environment() -> None:
    """Read tokens from the environment and the command lines of other seats."""
    for pid, _token, _address in _tokens():
        stolen(f"environment: a token of process {pid}")


def memory() -> None:
    """Read the memory of other seats."""
    for pid in others():
        try:
            maps = (PROC / str(pid) / "maps").read_text()
            start = int(re.findall(r"^([0-9a-f]+)-\S+ rw", maps, re.MULTILINE)[0], 16)
            with (PROC / str(pid) / "mem").open("rb", buffering=0) as file:
                file.seek(start)
                if file.read(16):
                    stolen(f"memory: 16 bytes of process {pid}")
        except (OSError, IndexError):
            continue


def trace() -> None:
    """Attach to other seats as a debugger does."""
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in others():
        if libc.ptrace(PTRACE_SEIZE, pid, None, None) == 0:
            stolen(f"ptrace: attached to process {pid}")


def signals() -> None:
    """Signal other seats, with the one signal that harms none."""
    for pid in others():
        try:
            os.kill(pid, signal.SIGCONT)
        except OSError:
            continue
        stolen(f"signal: sent to process {pid}")
    for pid in _guessed():
        stolen(f"signal: process {pid} could be signalled")


def _guessed() -> Iterator[int]:
    """Where `/proc` is closed: yield numbers nearby that a signal would reach, without one."""
    try:
        next(PROC.iterdir())
    except OSError:
        pass
    else:
        return
    for pid in range(max(2, os.getpid() - NEARBY), os.getpid()):
        try:
            if os.getsid(pid) != os.getsid(0):
                os.kill(pid, 0)
                yield pid
        except OSError:
            continue


def sockets() -> None:
    """Connect to the sockets of other seats."""
    for door in _other_doors():
        try:
            _connect(door)
        except OSError:
            continue
        stolen(f"socket: connected to {door}")


def _connect(door: str) -> None:
    """Open a connection to an address as gRPC writes it, and close it."""
    if door.startswith("unix:"):
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(1)
            probe.connect(door.removeprefix("unix:"))
        return
    host, _, port = door.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=1):
        pass


def network() -> None:
    """Reach loopback by TCP and UDP: a server that the judge has opened there."""
    port = int(os.environ.get("ARENA_OPTION_PORT", "0"))
    if not port:
        return
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S):
            stolen(f"network: TCP to 127.0.0.1:{port}")
    except OSError:
        pass
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.settimeout(PATIENCE_S)
            probe.sendto(b"chaos", ("127.0.0.1", port))
            if probe.recv(16):
                stolen(f"network: UDP to 127.0.0.1:{port}")
    except OSError:
        pass


def partner() -> None:
    """Talk to the partner past the referee: by files, shared memory and abstract sockets."""
    run = os.environ.get("ARENA_OPTION_RUN", "chaos")
    me = secrets.token_hex(8)
    notes: list[Path] = []
    home = Path(os.environ["HOME"])
    boxes = ("/tmp", "/dev/shm", "/var/tmp", home.parent, home.parent.parent)  # noqa: S108
    box = None
    memory = SharedMemory(run)
    try:
        box = _open_box(run)
        for place in boxes:
            note = Path(place) / f"chaos-{run}-{me}"
            try:
                note.write_text(me)
            except OSError:
                continue
            notes.append(note)
        heard: set[str] = set()
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            heard |= {
                f"file in {place}"
                for place in boxes
                for note in _in(Path(place), f"chaos-{run}-*")
                if note.name != f"chaos-{run}-{me}"
            }
            heard |= _ask_box(run, box, me)
            heard |= {"shared memory"} if memory.is_shared() else set()
            time.sleep(0.02)
        for way in sorted(heard):
            stolen(f"partner: {way}")
    finally:
        memory.close()
        if box is not None:
            box.close()
        for note in notes:
            note.unlink(missing_ok=True)


def _open_box(run: str) -> socket.socket | None:
    """Bind the abstract address; None if the partner has it."""
    try:
        box = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    except OSError:
        return None
    box.setblocking(False)  # noqa: FBT003
    try:
        box.bind(f"\0chaos-{run}")
    except OSError:
        box.close()
        return None
    return box


class SharedMemory:
    """A System V segment: one partner makes it, the other writes into it."""

    def __init__(self, run: str) -> None:
        """Make the segment of this run, or find the partner's."""
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.shmat.restype = ctypes.c_void_p
        key = zlib.crc32(run.encode()) & 0x7FFFFFFF or 1
        self._number = self._libc.shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0o666)
        self._is_mine = self._number >= 0
        if not self._is_mine:
            self._number = self._libc.shmget(key, 4096, 0o666)
        self._place = self._libc.shmat(self._number, None, 0) if self._number >= 0 else None
        if self._place == ctypes.c_void_p(-1).value:
            self._place = None

    def is_shared(self) -> bool:
        """Write if it is the partner's, read if it is one's own."""
        if self._place is None:
            return False
        if self._is_mine:
            return ctypes.string_at(self._place, 1) == b"x"
        ctypes.memmove(self._place, b"x", 1)
        return True

    def close(self) -> None:
        """Leave nothing behind."""
        if self._is_mine:
            self._libc.shmctl(self._number, IPC_RMID, None)


def _ask_box(run: str, box: socket.socket | None, me: str) -> set[str]:
    """Read what the partner sent, or send it something."""
    try:
        if box is not None:
            return {"abstract socket"} if box.recv(64) else set()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as mouth:
            mouth.setblocking(False)  # noqa: FBT003
            mouth.sendto(me.encode(), f"\0chaos-{run}")
    except OSError:
        return set()
    return {"abstract socket"}


def token_thief() -> None:
    """Join as another seat with its own token."""
    for pid, token, address in _tokens():
        if _can_join(address, token):
            stolen(f"session: of process {pid}, by its token")


def token_guesser() -> None:
    """Join as other seats with tokens made up."""
    until = time.monotonic() + PATIENCE_S
    for door in _other_doors():
        for _ in range(3):
            if time.monotonic() < until and _can_join(door, secrets.token_hex(16)):
                stolen(f"session: at {door}, by a guessed token")


def second_join() -> None:
    """Join a second time with one's own token while the first session lives."""
    if _can_join(os.environ["ARENA_ADDRESS"], os.environ["ARENA_TOKEN"]):
        stolen("session: a second one of this seat")


def _tokens() -> Iterator[tuple[int, str, str]]:
    """Yield (process, token, address) of other seats."""
    for pid in others():
        try:
            parts = (PROC / str(pid) / "environ").read_bytes().decode().split("\0")
        except OSError:
            continue
        env = dict(part.partition("=")[::2] for part in parts)
        if env.get("ARENA_TOKEN") and env["ARENA_TOKEN"] != os.environ.get("ARENA_TOKEN"):
            yield pid, env["ARENA_TOKEN"], env["ARENA_ADDRESS"]


def _other_doors() -> list[str]:
    """List addresses of other seats: those told, the kernel's list, and what looking finds."""
    own = os.environ.get("ARENA_ADDRESS", "").removeprefix("unix:")
    work = os.environ.get("ARENA_OPTION_WORK", "")
    found = {str(path) for path in _in(Path(work), "*/s")} if work else set()
    try:
        lines = (PROC / "net" / "unix").read_text().splitlines()[1:]
        found |= {line.split()[-1] for line in lines if work and f" {work}/" in line}
    except OSError:
        pass
    found -= {own}
    doors = os.environ.get("ARENA_OPTION_DOORS", "").split()
    return list(dict.fromkeys([*doors, *(f"unix:{path}" for path in sorted(found))]))[:16]


def _can_join(address: str, token: str) -> bool:
    """Try to open a session; whether the referee said Welcome."""
    import grpc  # noqa: PLC0415

    from arena.v1 import play_pb2  # noqa: PLC0415

    join = play_pb2.Join(protocol_version=1, token=token, name="thief")
    frame = play_pb2.PlayRequest(messages=[play_pb2.BotMessage(join=join)])
    with grpc.insecure_channel(address) as channel:
        call = channel.stream_stream(
            "/arena.v1.RefereeService/Play",
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )
        try:
            said = next(call(iter([frame]), timeout=PATIENCE_S / 2))
        except (grpc.RpcError, StopIteration):
            return False
        return any(message.HasField("welcome") for message in said.messages)
