"""Seating: a bot process on one side, its joined session on the other.

Owns the way from a frozen bot to a session ready for matches, and back: listener or pipes,
start, Join within the start allowance, the watch over stream and process, the orderly end.
A bot that does not make it is seated as *absent*, so that its match is played out as a
forfeit with the reason in the log. Must not know matches or events.
Source: design.md §5 (start), protocol.md ("Rules of the wire" 10; "Bots that speak lines"),
requirements.md A, D, E.
"""

import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import trio

from arena.bots.cgroups import BotGroup, Cgroups, Guard, open_cgroups
from arena.bots.frozen import FrozenBot
from arena.bots.line_link import LineLink
from arena.bots.manifest import Manifest, Talk
from arena.bots.process import BotProcess, StartGate, core_numbers, start_bot
from arena.bots.resources import CoreShares, ProcessLimits, process_limits, resources_for
from arena.bots.sandbox.launch import NO_SANDBOX, Sandbox
from arena.bots.silence import silence_hint
from arena.bots.work_folder import open_work_folder
from arena.errors import ProtocolViolation
from arena.referee.clock import MS
from arena.referee.faults import FaultKind
from arena.server.absent import absent_session
from arena.server.admission import admit, join_unasked
from arena.server.collector import calm_collector
from arena.server.grpc_link import GrpcLink
from arena.server.remote_doors import HANDSHAKE_S, NO_JOIN, RemoteDoors
from arena.server.runtime import GrpcRuntime, open_grpc_runtime
from arena.server.seat_listener import SeatListener, open_seat_listener, unix_address
from arena.server.session import Session
from arena.server.turns import TurnMeter
from arena.wire.codec import LinesCodec, ProtoCodec
from arena.wire.terms import GoodbyeReason, Resources

GRACE_MS = 1_000
"""How long a bot may take to exit after Goodbye before its processes are killed."""
EXPLAIN_MS = 1_000
"""How long the end of a stream and that of its process wait for each other at most: together
they tell more."""
LEAST_EXPLAIN_MS: Final = 100
PRLIMIT: Final = "/usr/bin/prlimit"
"""Of util-linux; every sandbox sees ``/usr``."""
LOOPBACK = "127.0.0.1:0"
"""Where to listen for a bot whose gRPC library has no Unix sockets: any free port."""
QUIET_HINT: Final = (
    'one that speaks lines has protocol = "lines" in its bot.toml, or as a command --lines '
    "before the --; one on the Python kit calls run()"
)
"""What to suspect where a bot went in peace before its Join: it found its stdin empty, or its
program only said what the bot is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingRoom:
    """What all seatings of a run share."""

    runtime: GrpcRuntime
    gate: StartGate
    work: Path
    """A private folder with a short path (a Unix socket's path holds 107 bytes)."""
    start_ms: int
    """The start allowance: from launch to Ready."""
    server_version: str
    cgroups: Cgroups = field(default_factory=lambda: Cgroups({}))
    cores: CoreShares = field(default_factory=lambda: CoreShares(core_numbers()))
    resources: Resources = field(default_factory=resources_for)
    """What each bot may use."""
    freezes: bool = False
    """Whether a bot is frozen while others decide, where its group can be."""
    explain_ms: int = EXPLAIN_MS
    """How long a bot whose stream has ended may take to end too: it has left only then."""
    sandbox: Sandbox = NO_SANDBOX
    doors: RemoteDoors | None = None
    """Where remote bots come in; None where none plays."""


@asynccontextmanager
async def open_room(
    start_ms: int, *, server_version: str, sandbox: Sandbox = NO_SANDBOX
) -> AsyncIterator[SeatingRoom]:
    """Open what seatings share; at most one room is open at a time in a process."""
    # Sockets lie here: their paths must be short, an event's folder need not have one.
    with open_work_folder() as work, calm_collector(), open_cgroups() as cgroups:
        async with open_grpc_runtime() as runtime:
            yield SeatingRoom(
                runtime=runtime,
                gate=StartGate(),
                work=work,
                start_ms=start_ms,
                server_version=server_version,
                cgroups=cgroups,
                cores=CoreShares(core_numbers()),
                sandbox=sandbox,
            )


def explain_ms_for(limit_ms: int) -> int:
    """Give :attr:`SeatingRoom.explain_ms` for a time limit: what has left is not late before."""
    return min(EXPLAIN_MS, max(LEAST_EXPLAIN_MS, 3 * limit_ms // 4))


@dataclass(slots=True, kw_only=True)
class SeatedBot:
    """A bot at its place; ``session`` is gone from the start where the bot did not make it."""

    bot: FrozenBot
    session: Session
    process: BotProcess
    joining_ns: int
    """From launch to Join: so much of the start allowance is used."""
    group: BotGroup
    address: str = ""
    """Where the referee listens for it; empty for a bot that speaks lines."""
    holds: frozenset[str] = frozenset()
    """What keeps its resources, by name."""
    matches: list[str] = field(default_factory=list)
    """What it has played, by id; whoever plays adds to it."""
    _released: trio.Event = field(default_factory=trio.Event)
    _ended: trio.Event = field(default_factory=trio.Event)
    _silent: trio.Event = field(default_factory=trio.Event)
    _goodbye: GoodbyeReason = GoodbyeReason.FINISHED

    def release(self, reason: GoodbyeReason = GoodbyeReason.FINISHED) -> None:
        """Let the bot go: Goodbye, end of the stream, then of the process. Idempotent."""
        self._goodbye = reason
        self._released.set()

    async def ended(self) -> None:
        """Wait until nothing of a released bot is left."""
        await self._ended.wait()


async def seat_bot(
    room: SeatingRoom,
    bot: FrozenBot,
    stderr_path: Path,
    *,
    cores: frozenset[int] | None = None,
    task_status: trio.TaskStatus[SeatedBot],
) -> None:
    """Start a bot and keep it until it is released; started when it has joined or failed to.

    A cancel ends the bot at once, and all of its processes before this returns. ``cores`` is
    its share of :attr:`SeatingRoom.cores`, which is given back at its end.
    """
    group = room.cgroups.for_bot(room.resources)
    scratch = Path(tempfile.mkdtemp(dir=room.work))
    try:
        home = scratch / "home"
        home.mkdir()
        async with AsyncExitStack() as doors, trio.open_nursery() as nursery:
            start = partial(
                start_bot,
                nursery,
                bot,
                scratch=home,
                stderr_path=stderr_path,
                sandbox=room.sandbox,
                cores=room.resources.cores or len(core_numbers()),
                limits=_limits(room, cores),
                group=group,
                prefix=_task_limit(room),
            )
            address = ""
            if bot.manifest.protocol is Talk.LINES:
                async with room.gate.slot():
                    process = start(address="", token="")
                    link = LineLink(nursery, process.take_pipes())
                    doors.enter_context(closing(link))
                session = _join_for(bot.manifest, link)
            else:
                is_tcp = room.sandbox.listens_on_tcp(bot.manifest)
                socket = None if is_tcp else scratch / "s"
                place = LOOPBACK if socket is None else unix_address(socket)
                token = secrets.token_hex(16)
                listener = await doors.enter_async_context(open_seat_listener(room.runtime, place))
                address = listener.address
                async with room.gate.slot():
                    process = start(address=address, token=token, socket=socket)
                    session = await _join(room, listener, process, token)
            seated = SeatedBot(
                bot=bot,
                session=session,
                process=process,
                joining_ns=session.joined_ns - process.started_ns,
                group=group,
                address=address,
                holds=_holds(room, cores),
            )
            doors.callback(group.close)
            session.last_words = process.explain
            session.is_watched = True
            if not session.is_gone:
                session.meter = _meter(room, bot, group)
            task_status.started(seated)
            nursery.start_soon(_watch_stream, seated, room.explain_ms)
            nursery.start_soon(_watch_process, seated)
            await seated._released.wait()  # noqa: SLF001  # this task is the other half of it
            group.thaw()
            session.say_goodbye(seated._goodbye, GRACE_MS)  # noqa: SLF001
            await process.end(GRACE_MS * MS)
            seated._ended.set()  # noqa: SLF001
            nursery.cancel_scope.cancel()
    finally:
        room.cores.give_back(cores)
        # In a thread: a bot may have left any number of files.
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(partial(shutil.rmtree, scratch, ignore_errors=True))


def _limits(room: SeatingRoom, cores: frozenset[int] | None) -> ProcessLimits:
    has_memory_group = Guard.MEMORY in room.cgroups.guards
    return process_limits(room.resources, cores=cores, has_memory_group=has_memory_group)


def _task_limit(room: SeatingRoom) -> tuple[str, ...]:
    """Give the words that bound a bot's tasks where no control group does.

    RLIMIT_NPROC counts the processes of one user in one user namespace: those of this bot alone
    where it has a namespace or a user of its own, else those of all bots and of whoever runs the
    arena.
    """
    tasks = room.resources.tasks
    has_group = Guard.TASKS in room.cgroups.guards
    if has_group or not tasks or not room.sandbox.counts_tasks or not Path(PRLIMIT).exists():
        return ()
    return (PRLIMIT, f"--nproc={tasks}", "--")


def _holds(room: SeatingRoom, cores: frozenset[int] | None) -> frozenset[str]:
    """Name what keeps a bot to its resources."""
    limits = _limits(room, cores)
    others = {
        "affinity": limits.cores is not None,
        "rlimit-data": limits.data_bytes is not None,
        "rlimit-fsize": limits.file_bytes is not None,
        "rlimit-nproc": bool(_task_limit(room)),
        "memory-watch": limits.watched_bytes is not None,
    }
    bounds = room.cgroups.guards & {Guard.MEMORY, Guard.TASKS}
    return frozenset({*bounds, *(name for name, is_held in others.items() if is_held)})


def _meter(room: SeatingRoom, bot: FrozenBot, group: BotGroup) -> TurnMeter | None:
    """Give a session what acts on its bot's turns; None where nothing can or shall."""
    freezes = room.freezes and group.can_freeze and bot.manifest.capacity == 1
    if bot.manifest.capacity > 1 or not (freezes or group.can_count_cpu):
        return None
    return TurnMeter(group, freezes=freezes)


def _join_for(manifest: Manifest, link: LineLink) -> Session:
    """Say for a bot on pipes what its manifest says."""
    return join_unasked(
        link,
        LinesCodec(),
        name=manifest.name,
        version=manifest.version,
        language=manifest.language,
        capacity=manifest.capacity,
        implies_ready=manifest.implies_ready,
        silence_hint=lambda: silence_hint(manifest, link.unfinished),
    )


async def _join(
    room: SeatingRoom, listener: SeatListener, process: BotProcess, token: str
) -> Session:
    """Wait for the Join, the end of the process or the end of the start allowance.

    Several streams may say it at once, and the first with the right token wins. One that is
    refused costs the bot nothing but a word in the explanation: somebody else may have
    opened it.
    """
    joined: Session | None = None
    refusal = ""
    with trio.move_on_after(room.start_ms / 1000) as allowance:
        async with trio.open_nursery() as race:

            async def give_up_at_exit() -> None:
                await process.wait()
                race.cancel_scope.cancel()

            async def greet(link: GrpcLink) -> None:
                nonlocal joined, refusal
                session: Session | None = None
                try:
                    with trio.move_on_after(HANDSHAKE_S):
                        session = await admit(
                            link,
                            ProtoCodec(),
                            token=token,
                            capacity=process.bot.manifest.capacity,
                            server=room.server_version,
                        )
                except ProtocolViolation as error:
                    refusal = f"; a stream was refused: {error}"
                    return
                if session is None:
                    link.close(NO_JOIN)
                    refusal = f"; a stream was refused: {NO_JOIN.message}"
                elif joined is None:
                    joined = session
                    listener.settle(link)
                    race.cancel_scope.cancel()

            race.start_soon(give_up_at_exit)
            while True:
                race.start_soon(greet, await listener.accept())
    if joined is not None:
        return joined
    if allowance.cancelled_caught:
        process.kill()
        detail = f"no Join within the start allowance of {room.start_ms} ms{refusal}"
        return absent_session(FaultKind.NOT_READY, process.explain(detail))
    ended = await process.wait()
    hint = f" ({QUIET_HINT})" if ended.is_success else ""
    return absent_session(FaultKind.CRASHED, process.explain(f"before its Join{refusal}{hint}"))


async def _watch_stream(seated: SeatedBot, explain_ms: int) -> None:
    """Take in what the bot says; the end of its stream is the end of its session."""
    await seated.session.run()
    seated._silent.set()  # noqa: SLF001  # for the other watch
    with trio.move_on_after(explain_ms / 1000):
        await seated.process.wait()
    if seated.process.exit is None:
        stream = "pipes" if seated.bot.manifest.protocol is Talk.LINES else "stream"
        detail = seated.process.explain(f"but it has closed its {stream} without Leave")
        seated.session.lose(FaultKind.LEFT, detail)


async def _watch_process(seated: SeatedBot) -> None:
    """The end of a local process ends its session, once all is heard that it still said.

    Both ends may come to light at the same moment: a bot that goes right after its answer
    has answered.
    """
    await seated.process.wait()
    with trio.move_on_after(EXPLAIN_MS / 1000):
        await seated._silent.wait()  # noqa: SLF001  # from the other watch
    seated.session.lose(FaultKind.CRASHED, seated.process.explain())
