"""The attacks that a machine is tried with: what each tries, and what must come of it.

Owns the closed list of acts of the shipped bot ``chaos``, the guard that each tries, and the
outcomes that mean that the guard held. Must not start anything (:mod:`arena.tournament.attack`
does). Source: design.md §5, requirements.md A-F, K, P, S.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from arena.bots.manifest import Talk
from arena.referee.conduct import ANY_NUMBER, Conduct
from arena.referee.faults import FaultKind, TerminationKind

TWO_SEATS = "gamelake-2"
"""The ruleset of most attacks: one hostile seat, one victim."""
FOUR_SEATS = "gamelake-4"
"""Where the hostile bot needs a partner."""

T = TerminationKind
F = FaultKind


MOST_OF: Final[Mapping[str, int]] = MappingProxyType(
    {"memory_mib": 65_536, "tasks": 1_000, "disk_mib": 4_096}
)
"""The largest bounds that chaos goes beyond, as its ``bot.toml`` has them."""


class Giver(StrEnum):
    """What part of the arena gives a guard."""

    REFEREE = "referee"
    KEEPER = "keeper"
    """The process that keeps a bot: output, descendants."""
    RESOURCES = "resources"
    SANDBOX = "sandbox"
    """Any sandbox."""
    NAMESPACES = "namespaces"
    """A sandbox with a root of its own: bubblewrap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One act of chaos, tried over one wire.

    ``ends`` are the terminations allowed, of which those that are forfeits must name the
    hostile seat; ``faults`` are the kinds of which the hostile seat must have one, unless
    ``completed`` without any is allowed too; ``too`` are kinds that it may have besides, each
    for a reason. No other seat may have a fault at all.
    """

    act: str
    guard: str
    tries: str
    giver: Giver = Giver.REFEREE
    ends: frozenset[TerminationKind] = frozenset({T.COMPLETED})
    faults: frozenset[FaultKind] = frozenset()
    too: frozenset[FaultKind] = frozenset()
    words: str = ""
    """What the author is told, somewhere among faults and termination."""
    ruleset: str = TWO_SEATS
    over: tuple[Talk, ...] = (Talk.GRPC, Talk.LINES)
    late: int = Conduct().late
    """With so many late answers the match is forfeited."""
    runs: bool = True
    """Whether the bot reports that it came so far as to try (an act before Ready)."""


def _wire(
    act: str,
    guard: str,
    tries: str,
    *,
    end: TerminationKind | tuple[TerminationKind, ...] = T.COMPLETED,
    fault: FaultKind | tuple[FaultKind, ...] = (),
    too: frozenset[FaultKind] = frozenset(),
    words: str = "",
    ruleset: str = TWO_SEATS,
    over: tuple[Talk, ...] = (Talk.GRPC, Talk.LINES),
    late: int = Conduct().late,
) -> Attack:
    return Attack(
        act=act,
        guard=guard,
        tries=tries,
        ends=frozenset(end if isinstance(end, tuple) else (end,)),
        faults=frozenset(fault if isinstance(fault, tuple) else (fault,)),
        too=too,
        words=words,
        ruleset=ruleset,
        over=over,
        late=late,
        runs=False,
    )


def _hog(
    act: str,
    guard: str,
    tries: str,
    giver: Giver,
    *,
    costs: Mapping[TerminationKind, FaultKind] = MappingProxyType({}),
    too: frozenset[FaultKind] = frozenset(),
) -> Attack:
    """Make an attack that is refused, so that the match is played; or it ``costs`` the match."""
    return Attack(
        act=act,
        guard=guard,
        tries=tries,
        giver=giver,
        ends=frozenset({T.COMPLETED, *costs}),
        faults=frozenset(costs.values()),
        too=too,
    )


def _snoop(
    act: str,
    guard: str,
    tries: str,
    *,
    giver: Giver = Giver.SANDBOX,
    ruleset: str = TWO_SEATS,
    over: tuple[Talk, ...] = (Talk.GRPC,),
) -> Attack:
    return Attack(act=act, guard=guard, tries=tries, giver=giver, ruleset=ruleset, over=over)


_GRPC = (Talk.GRPC,)
_LINES = (Talk.LINES,)

ATTACKS: tuple[Attack, ...] = (
    _wire("honest", "fair play", "nothing", over=(Talk.GRPC, Talk.LINES)),
    # Waits that end.
    _wire(
        "silent_before_join", "join deadline", "never join",
        end=T.FORFEIT_NOT_READY, fault=F.NOT_READY, words="Join", over=_GRPC,
    ),
    _wire(
        "silent_after_join", "ready deadline, deaf", "join, then read nothing",
        end=T.FORFEIT_NOT_READY, fault=F.NOT_READY, words="Ready", over=_GRPC,
    ),
    _wire(
        "silent_before_ready", "ready deadline", "never get ready",
        end=T.FORFEIT_NOT_READY, fault=F.NOT_READY, words="eady",
    ),
    _wire(
        "silent_at_decision", "time limit, silence", "never answer",
        end=T.FORFEIT_FAULTS, fault=F.LATE, words="late",
    ),
    _wire(
        "never_reading", "time limit, deaf", "read nothing after Ready",
        # So little is written in one match that it all fits into the pipes.
        end=T.FORFEIT_FAULTS, fault=F.LATE, words="late",
    ),
    _wire(
        "chatter", "time limit, chatter", "send valid-looking rubbish for ever, never an answer",
        end=T.FORFEIT_FAULTS, fault=F.UNSOLICITED, words="decision",
    ),
    _wire("slow", "patience", "use half of each limit"),
    _wire(
        "too_slow", "time limit", "think beyond limit and margin",
        end=T.FORFEIT_FAULTS, fault=F.LATE, words="late",
    ),
    _wire("silent_at_end", "exit deadline", "go silent after the last card"),
    _wire("silent_at_goodbye", "exit deadline, goodbye", "never end after Goodbye"),
    _wire("exit_after_last_card", "end of play", "exit right after the last card"),
    # Acts on the wire.
    _wire(
        "flood", "message limits", "send harmless answers as fast as they go out",
        end=T.FORFEIT_FLOOD, fault=F.FLOOD, words="messages",
    ),
    _wire(
        "huge_message", "frame limit", "send one message of 100 MB",
        # The library ends the stream and tells the bot alone, which dies of it, sooner or later.
        # Until then the clock runs, and on a busy machine to send so much takes many turns: what
        # is tried is the limit, so the clock alone does not end the match.
        end=(T.FORFEIT_CRASH, T.FORFEIT_LEFT), fault=(F.CRASHED, F.LEFT),
        too=frozenset({F.LATE}), over=_GRPC, late=ANY_NUMBER,
    ),
    _wire(
        "huge_message", "frame limit", "send one line of 100 MB",
        end=T.FORFEIT_FLOOD, fault=F.FLOOD, words="a line of", over=_LINES,
    ),
    _wire(
        "half_close", "half-closed stream", "close its half of the stream in mid-trick",
        end=T.FORFEIT_LEFT, fault=F.LEFT, words="without Leave",
    ),
    _wire("stale", "stale answers", "answer the decision before again"),
    _wire("duplicate", "duplicate answers", "send each answer twice"),
    _wire(
        "unsolicited", "answers to other decisions", "answer what was never asked",
        end=T.FORFEIT_FAULTS, fault=F.UNSOLICITED, words="decision",
    ),
    _wire(
        "malformed", "malformed bytes", "send bytes that are no message",
        end=T.FORFEIT_FAULTS, fault=F.MALFORMED,
    ),
    _wire(
        "crash", "crash in mid-trick", "raise an exception",
        end=T.FORFEIT_CRASH, fault=F.CRASHED, words="chaos was told to crash",
    ),
    # Acts of the game.
    _wire(
        "illegal", "following suit", "play a held card of another suit",
        end=T.FORFEIT_FAULTS, fault=F.ILLEGAL, words="follow suit",
        ruleset=FOUR_SEATS,
    ),
    _wire(
        "not_held", "cards held", "play a card it does not hold",
        end=T.FORFEIT_FAULTS, fault=F.NOT_HELD, words="hold",
    ),
    _wire(
        "revoke", "revoke", "play a held card of another suit where that stands",
        fault=F.REVOKE, words="could follow suit",
        ruleset="italian-tournament:declarations=off",
    ),
    _wire(
        "false_claim", "false declarations", "claim four aces",
        end=T.FORFEIT_FAULTS, fault=F.INFRACTION, ruleset="pagat-2",
        words="four ace: its hand did not hold it",
    ),
    _wire(
        "unheard_signal", "signals", "say a word that is not allowed",
        end=T.FORFEIT_FAULTS, fault=F.INFRACTION, words="'striscio' is not allowed",
        ruleset="italian-tournament:declarations=off",
    ),
    # More of the machine than a bot may have.
    _hog("stderr_flood", "output", "write 256 MB to stderr", Giver.KEEPER),
    _hog("orphan_maker", "orphans", "leave daemons that ignore SIGTERM", Giver.KEEPER),
    _hog(
        "fork_bomb", "processes", "start 136 processes more than the limit", Giver.RESOURCES,
        # A library that gets no thread any more hangs or gives up.
        costs={T.FORFEIT_NOT_READY: F.NOT_READY, T.FORFEIT_CRASH: F.CRASHED},
    ),
    _hog(
        "memory_hog", "memory", "take 256 MiB more than the limit", Giver.RESOURCES,
        costs={T.FORFEIT_CRASH: F.CRASHED},
    ),
    _hog("disk_hog", "disk", "write 64 MiB more than the limit", Giver.NAMESPACES),
    _hog("descriptor_hog", "descriptors", "open 10,000 files", Giver.KEEPER),
    _hog(
        "cpu_burner", "processor", "keep twice the cores busy", Giver.RESOURCES,
        # It has to share its cores with its own helpers.
        too=frozenset({F.LATE}),
    ),
    # What belongs to others.
    _snoop("file_snoop", "files", "read the seed and other seats' files"),
    _snoop("environment_snoop", "environments", "read tokens in /proc"),
    _snoop("memory_snoop", "memory of others", "read /proc/PID/mem"),
    _snoop("ptrace", "tracing", "attach to other seats"),
    _snoop("signal", "signals to others", "signal other seats"),
    _snoop("socket_snoop", "sockets", "connect to other seats' sockets"),
    _snoop("network", "network", "reach loopback by TCP and UDP", over=(Talk.GRPC, Talk.LINES)),
    _snoop("partner_talk", "partners apart", "talk past the referee", ruleset=FOUR_SEATS),
    _snoop("token_thief", "stolen tokens", "join by another seat's token"),
    _snoop("token_guesser", "guessed tokens", "join by made-up tokens", giver=Giver.REFEREE),
    _snoop("second_join", "one session a token", "join twice", giver=Giver.REFEREE),
    _snoop("many_streams", "streams", "open 1,000 connections", giver=Giver.REFEREE),
    _snoop("garbage", "garbage", "send bytes that are no HTTP/2", giver=Giver.REFEREE),
)  # fmt: skip
"""In the order in which they are tried."""
