"""What the referee itself brings about: events of a match that are not the game's.

Owns the values that, with the game's events, make up a match log and the news of seats.
Source: record.md (kinds), protocol.md (SeatEvent).
"""

from arena.referee.faults import Culprit, FaultKind, Reason, Termination
from arena.rules.cards import Card
from arena.rules.events import Claim, GameEvent
from arena.rules.observation import SeatGameEvent
from arena.rules.options import Signal
from arena.rules.question import QuestionKind
from arena.rules.values import value


@value
class SeatJoined:
    """A bot took its seat."""

    seat: int


@value
class SeatReady:
    """A bot said it is ready for this match."""

    seat: int


@value
class MatchStarted:
    """Every seat is ready; the first deal follows."""


@value
class DecisionAsked:
    """A seat was asked; ``legal`` are the cards it may play."""

    seat: int
    kind: QuestionKind
    legal: tuple[Card, ...]
    limit_ms: int
    bank_ms: int


@value
class AnswerRejected:
    """A message was refused; never its content, only its ``size`` in bytes."""

    seat: int
    reason: Reason
    size: int


@value
class Fault:
    """Somebody's mistake; ``seat`` only where a bot's. ``detail`` tells what to fix."""

    culprit: Culprit
    kind: FaultKind
    seat: int | None = None
    detail: str = ""


@value
class Late:
    """News to the late seat alone: the referee played for it.

    ``limit_ms`` is all the time it had: limit and bank.
    """

    limit_ms: int
    think_ms: int


@value
class SeatLost:
    """A seat's bot is gone."""

    seat: int


@value
class SeatReturned:
    """A lost seat's bot came back."""

    seat: int


@value
class MatchEnded:
    """A match ended. ``totals`` by side; ``winner`` None = no side ahead.

    The table leaves ``loop_stall_max_us`` at 0: only the server can measure it. What seats
    are told has a termination without its detail.
    """

    termination: Termination
    totals: tuple[int, ...]
    winner: int | None
    loop_stall_max_us: int = 0


@value
class AnswerTiming:
    """The answer behind an event of the log: rides on the card it caused.

    ``think_us`` from the write of the question to the start of the answer's arrival
    interval, ``lag_us`` that interval's width; ``cpu_us`` of the bot's tree, None where
    it is not measured. ``value_thirds`` and ``note`` are the bot's own words,
    ``declarations`` its claims as made and ``signal`` its word as said, also where nobody
    may hear it: with the card of the event they are the whole answer, for a replay. When
    the referee played for the seat only the times are set. Where an answer ends the deal
    before its card is played, this rides on the first event it caused and ``card`` names
    the card; else ``card`` is None.
    """

    think_us: int
    lag_us: int
    cpu_us: int | None = None
    value_thirds: int | None = None
    note: str = ""
    declarations: tuple[Claim, ...] = ()
    signal: Signal | None = None
    card: Card | None = None


TableEvent = (
    SeatJoined
    | SeatReady
    | MatchStarted
    | DecisionAsked
    | AnswerRejected
    | Fault
    | SeatLost
    | SeatReturned
    | MatchEnded
)
LogEvent = GameEvent | TableEvent
"""Everything a match log can hold between its header and its closing line."""

SeatEvent = SeatGameEvent | Late | SeatLost | SeatReturned | MatchEnded
"""Everything a seat can be told as news."""
