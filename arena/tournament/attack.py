"""Attack: the chaos bot against honest neighbours on this machine, and what held.

Owns the table at which each act of :mod:`arena.tournament.attack_list` is tried, through the
same seating, referee and sandbox that an event has, and the verdict on its outcome. Must not
know how findings are shown. Source: commands.md (``doctor --attack``), requirements.md A-F, S.

The neighbours are chaos bots too, honest ones; they are seated once and play every match, so
that an act which harms them shows. A guard held if the match ended as the list says, with the
hostile seat to blame; nobody else had a fault; the bot reported no success (``STOLEN``); no
process of it is left; and all was over in the time that the clock allows.
"""

import os
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import trio

from arena.bots.argument import parse_bot, set_options
from arena.bots.build import build_bot
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.manifest import ReadyStyle, Talk
from arena.bots.resources import resources_for
from arena.bots.sandbox.launch import NO_SANDBOX, Sandbox
from arena.bots.seating import SeatedBot, SeatingRoom, explain_ms_for, open_room, seat_bot
from arena.bots.work_folder import open_work_folder
from arena.errors import HostFault
from arena.referee.clock import MS, Clock
from arena.referee.conduct import Conduct
from arena.referee.events import Fault, MatchEnded
from arena.referee.faults import Culprit, Termination, TerminationKind
from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.presets import parse_ruleset
from arena.server.arrivals import current_arrivals, now_ns
from arena.server.host import HostedMatch, play_match
from arena.tournament.attack_list import ATTACKS, MOST_OF, Attack
from arena.tournament.run_state import ARENA_VERSION
from arena.wire.terms import Resources

SLACK_MS: Final = 100
"""By how much a wait may exceed its limit (requirements.md A)."""
MOST_SILENCE_MS: Final = 60_000
MOST_OUTPUT_BYTES: Final = 150_000
"""What is kept of a bot's stderr: its first and last 64 KiB and a line between."""
END_S: Final = 5.0
"""How long anything of a bot may survive (requirements.md B)."""
PROC: Final = Path("/proc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What came of one attack; ``problems`` empty: the guard held."""

    attack: Attack
    talk: Talk
    problems: tuple[str, ...]
    termination: Termination
    faults: tuple[Fault, ...]
    elapsed_ms: int

    @property
    def guard(self) -> str:
        """The guard's name: over lines, it is a guard of its own."""
        return guard_name(self.attack, self.talk)

    @property
    def held(self) -> bool:
        """Whether the guard held."""
        return not self.problems


def guard_name(attack: Attack, talk: Talk) -> str:
    """Name the guard that an attack tries over one wire."""
    return attack.guard if talk is Talk.GRPC else f"{attack.guard} (lines)"


def all_attacks() -> Iterator[tuple[Attack, Talk]]:
    """Yield every attack over every wire where it makes sense."""
    for attack in ATTACKS:
        for talk in attack.over:
            yield attack, talk


@dataclass(slots=True, kw_only=True)
class _Ring:
    """Where attacks take place."""

    room: SeatingRoom
    nursery: trio.Nursery
    bot: FrozenBot
    clock: Clock
    folder: Path
    port: int
    resources: Resources
    victims: list[SeatedBot] = field(default_factory=list)


async def attack(
    attacks: Collection[tuple[Attack, Talk]],
    *,
    clock: Clock,
    sandbox: Sandbox = NO_SANDBOX,
    resources: Resources | None = None,
    report: Callable[[Finding], None] = lambda _: None,
) -> list[Finding]:
    """Try attacks one after another.

    Args:
        attacks: Which, over which wire.
        clock: The time allowances of every match.
        sandbox: What surrounds all bots.
        resources: What a bot may have; None: what an event gives by default.
        report: Takes each finding as it is made.

    Raises:
        ConfigError: The chaos bot is not there (only a source checkout ships it).
        HostFault: This machine cannot play, even among honest bots.
    """
    findings: list[Finding] = []
    async with _open_ring(clock, sandbox, resources or resources_for()) as ring:
        for one, talk in attacks:
            findings.append(await _try(ring, one, talk))
            report(findings[-1])
    return findings


@asynccontextmanager
async def _open_ring(clock: Clock, sandbox: Sandbox, resources: Resources) -> AsyncIterator[_Ring]:
    with open_work_folder() as folder:
        choice = parse_bot("python/chaos", Path())
        bot = await trio.to_thread.run_sync(freeze, choice, folder / "bots")
        bot = await build_bot(bot, folder / "bots", sandbox=sandbox)
        secret = folder / "seed.key"
        secret.write_text(secrets.token_hex(32))
        secret.chmod(0o600)
        async with (
            open_room(clock.start_ms, server_version=ARENA_VERSION, sandbox=sandbox) as room,
            trio.open_nursery() as nursery,
        ):
            port = await nursery.start(_listen)
            yield _Ring(
                room=replace(room, resources=resources, explain_ms=explain_ms_for(clock.limit_ms)),
                nursery=nursery,
                bot=bot,
                clock=clock,
                folder=folder,
                port=port,
                resources=resources,
            )
            nursery.cancel_scope.cancel()


async def _listen(*, task_status: trio.TaskStatus[int]) -> None:
    """Be there on loopback, for bots that must not get so far: TCP and UDP at one port."""
    (tcp,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port: int = tcp.socket.getsockname()[1]
    with trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM) as udp:
        await udp.bind(("127.0.0.1", port))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, _hang_up, [tcp])
            task_status.started(port)
            while True:
                data, sender = await udp.recvfrom(64)
                await udp.sendto(data, sender)


async def _hang_up(stream: trio.SocketStream) -> None:
    await stream.aclose()


async def _try(ring: _Ring, one: Attack, talk: Talk) -> Finding:
    """Play one match against the act and judge it."""
    rules = parse_ruleset(one.ruleset)
    hostile = [seat for seat in range(rules.seats) if rules.side_of(seat) == 0]
    if one.act != "partner_talk":
        hostile = hostile[:1]
    await _seat_victims(ring, rules.seats - len(hostile))
    mark = secrets.token_hex(8)
    bot = _hostile_bot(ring, one, talk, mark)
    outputs = [ring.folder / f"{mark}-{seat}.txt" for seat in hostile]
    async with trio.open_nursery() as starts:
        seated: dict[int, SeatedBot] = {}
        for seat, output in zip(hostile, outputs, strict=True):
            starts.start_soon(_seat, ring, bot, output, seated, seat)
    victims = iter(ring.victims)
    table = [seated[seat] if seat in seated else next(victims) for seat in range(rules.seats)]
    began = min(bot.process.started_ns for bot in seated.values())
    now = now_ns()
    match = HostedMatch(
        public_id=secrets.token_hex(8),
        ruleset=rules,
        cards=partial(deal_board, rules, seed_from_text("attack")),
        first_board=1,
        boards=1,
        clock=ring.clock,
        conduct=replace(Conduct(), late=one.late),
        commitment=b"",
        bot_seeds=(1,) * rules.seats,
        launched_ns=tuple(now - (b.joining_ns if s in seated else 0) for s, b in enumerate(table)),
    )
    records: list[object] = []
    with current_arrivals().watch_loop() as watch:
        sessions = [bot.session for bot in table]
        await play_match(match, sessions, sink=lambda r: records.append(r.event), watch=watch)
    elapsed_ms = (now_ns() - began) // MS
    for gone in seated.values():
        gone.release()
    with trio.move_on_after(END_S) as ending:
        for gone in seated.values():
            await gone.ended()
    left = await trio.to_thread.run_sync(processes_marked, mark)
    (termination,) = (event.termination for event in records if isinstance(event, MatchEnded))
    faults = tuple(event for event in records if isinstance(event, Fault))
    problems = [
        *_problems_of_outcome(one, hostile, termination, faults),
        *_problems_of_output(one, outputs),
        *_problems_of_time(ring.clock, len(match.cards(1).hands[0]), elapsed_ms),
    ]
    if ending.cancelled_caught or left:
        problems.append(f"{len(left)} of its processes are left after {END_S:g} s")
    problems += [
        f"a neighbour was lost: {victim.session.gone_detail}"
        for victim in ring.victims
        if victim.session.is_gone
    ]
    return Finding(
        attack=one,
        talk=talk,
        problems=tuple(problems),
        termination=termination,
        faults=faults,
        elapsed_ms=elapsed_ms,
    )


def _hostile_bot(ring: _Ring, one: Attack, talk: Talk, mark: str) -> FrozenBot:
    """Make chaos do the act over the wire; ``mark`` is in the environment of all it starts."""
    options = {
        "act": one.act,
        "silence_ms": MOST_SILENCE_MS,
        "memory_mib": min(ring.resources.memory_mib, MOST_OF["memory_mib"]),
        "tasks": min(ring.resources.tasks, MOST_OF["tasks"]),
        "disk_mib": min(ring.resources.disk_mib, MOST_OF["disk_mib"]),
        "port": ring.port,
        "secret": str(ring.folder / "seed.key"),
        "run": mark,
        "work": str(ring.room.work),
        "doors": " ".join(victim.address for victim in ring.victims),
    }
    choice = set_options(parse_bot("python/chaos", Path()), options)
    manifest = ring.bot.manifest
    if talk is Talk.LINES:
        manifest = msgspec.structs.replace(manifest, protocol=Talk.LINES, ready=ReadyStyle.EXPLICIT)
    return replace(ring.bot, manifest=manifest, options=choice.options)


async def _seat_victims(ring: _Ring, count: int) -> None:
    """Have so many honest neighbours; a lost one is replaced."""
    ring.victims = [victim for victim in ring.victims if not victim.session.is_gone]
    while len(ring.victims) < count:
        output = ring.folder / f"neighbour-{secrets.token_hex(4)}.txt"
        cores = ring.room.cores.take(ring.resources.cores)
        start = partial(seat_bot, ring.room, ring.bot, output, cores=cores)
        victim = await ring.nursery.start(start)
        if victim.session.is_gone:
            raise HostFault(f"an honest bot could not be seated: {victim.session.gone_detail}")
        ring.victims.append(victim)


async def _seat(
    ring: _Ring, bot: FrozenBot, output: Path, seated: dict[int, SeatedBot], seat: int
) -> None:
    cores = ring.room.cores.take(ring.resources.cores)
    start = partial(seat_bot, ring.room, bot, output, cores=cores)
    seated[seat] = await ring.nursery.start(start)


# --- verdicts -------------------------------------------------------------------------


def _problems_of_outcome(
    one: Attack, hostile: Sequence[int], termination: Termination, faults: Sequence[Fault]
) -> Iterator[str]:
    if termination.kind not in one.ends:
        allowed = ", ".join(sorted(one.ends))
        yield f"the match ended {termination.kind} ({termination.detail}); due: {allowed}"
    elif termination.kind.is_forfeit and termination.seat not in hostile:
        yield f"seat {termination.seat} was blamed; hostile: {hostile[0]}"
    for fault in faults:
        if fault.culprit is not Culprit.BOT or fault.seat not in hostile:
            yield f"{fault.culprit} (seat {fault.seat}) had a fault: {fault.kind}: {fault.detail}"
        elif fault.kind not in one.faults | one.too:
            yield f"an unexpected fault: {fault.kind}: {fault.detail}"
    must_fault = one.faults and (not one.runs or termination.kind is not TerminationKind.COMPLETED)
    if must_fault and not any(fault.kind in one.faults for fault in faults):
        yield f"no fault was seen; due: {', '.join(sorted(one.faults))}"
    said = " / ".join([*(fault.detail for fault in faults), termination.detail])
    if one.words and one.words not in said:
        yield f"the author is not told {one.words!r}, but: {said}"


def _problems_of_output(one: Attack, outputs: Sequence[Path]) -> Iterator[str]:
    for output in outputs:
        size = output.stat().st_size
        if size > MOST_OUTPUT_BYTES:
            yield f"{size} bytes of its output were kept"
        lines = output.read_text("utf-8", "replace").splitlines()
        yield from (line for line in lines if line.startswith("STOLEN "))
        if one.runs and f"TRIED {one.act}" not in lines:
            yield "the act was not tried: " + " | ".join(lines[-3:])


def _problems_of_time(clock: Clock, cards: int, elapsed_ms: int) -> Iterator[str]:
    """Hold the whole against all waits there can be; each by itself is the tests' business."""
    decision_ms = clock.limit_ms + clock.margin_ms + SLACK_MS
    allowed_ms = 2 * clock.start_ms + 2 * cards * decision_ms + clock.bank_ms
    if elapsed_ms > allowed_ms:
        yield f"it took {elapsed_ms} ms; the clock allows {allowed_ms} ms"


def processes_marked(mark: str) -> tuple[int, ...]:
    """List the processes whose environment holds a word, as far as this process may look."""
    found = []
    for entry in PROC.glob("[0-9]*"):
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue  # gone, or another user's
    return tuple(pid for pid in found if pid != os.getpid())
