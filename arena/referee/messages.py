"""What goes into a Table and what comes out of it.

Owns the inputs and outputs of the referee's state machine as values. Seats are numbered
as in the match; ``number`` is a decision's number at this table (from 1), which the
server maps to the session's ``decision_id``. Times are monotonic nanoseconds.
"""

from enum import StrEnum

from arena.referee.events import AnswerTiming, LogEvent, SeatEvent
from arena.referee.faults import FaultKind, Reason, Termination
from arena.rules.cards import Card
from arena.rules.observation import Observation
from arena.rules.question import Answer, Question
from arena.rules.values import value


@value
class Arrival:
    """When a message arrived: not before ``earliest_ns``, not after ``latest_ns``.

    The verdict on lateness uses the earliest moment: doubt favours the bot.
    """

    earliest_ns: int
    latest_ns: int


# --- inputs -----------------------------------------------------------------------


@value
class Begin:
    """All seats have joined; MatchStarted was written to them.

    ``launched_ns`` by seat: when its process was started, in a session's first match,
    where the start allowance runs from launch to Ready. None: it runs from ``at_ns``.
    """

    at_ns: int
    launched_ns: tuple[int, ...] | None = None


@value
class BotReady:
    """A bot says Ready."""

    seat: int
    at_ns: int


@value
class AskWritten:
    """A decision's clock starts.

    ``at_ns`` is when the write of its frame started or, while an earlier write of the
    session is in flight, ``margin`` after it was queued, whichever is first. Every Ask is
    owed one, unless the seat is reported gone: until then no timer bounds the decision.
    """

    seat: int
    number: int
    at_ns: int


@value
class Answered:
    """A well-formed answer to decision ``number``; ``size`` in bytes on the wire.

    ``crowd``: so many messages of one bot may have kept the host from looking sooner;
    ``crowd_seat``: whose, None = a bot's that does not sit at this table.
    """

    seat: int
    number: int
    answer: Answer
    arrival: Arrival
    value_thirds: int | None = None
    note: str = ""
    cpu_us: int | None = None
    size: int = 0
    crowd: int = 0
    crowd_seat: int | None = None


@value
class Misfit:
    """A message that is no answer to a pending decision, or is not well formed."""

    seat: int
    reason: Reason
    message: str
    at_ns: int
    number: int | None = None
    size: int = 0


@value
class BotGone:
    """A bot left, crashed or is lost; ``detail`` holds exit code or signal and stderr's end."""

    seat: int
    kind: FaultKind
    detail: str
    at_ns: int


@value
class BotLost:
    """The stream of a remote bot broke; it may come back, and its clock runs on meanwhile."""

    seat: int
    at_ns: int


@value
class BotReturned:
    """A bot has a new stream for its session, whether or not the old one was seen to break."""

    seat: int
    at_ns: int


@value
class TimerFired:
    """A timer that was set came due (and no message was waiting to be read).

    ``hint`` says what may be the cause, where the transport knows of one.
    """

    timer: "Timer"
    at_ns: int
    hint: str = ""


@value
class Stop:
    """The match is to end now for a reason outside the table (abort, host fault)."""

    termination: Termination
    at_ns: int


Input = (
    Begin
    | BotReady
    | AskWritten
    | Answered
    | Misfit
    | BotGone
    | BotLost
    | BotReturned
    | TimerFired
    | Stop
)


# --- outputs ----------------------------------------------------------------------


class TimerKind(StrEnum):
    """What a timer bounds."""

    READY = "ready"
    ANSWER = "answer"
    RETURN = "return"


@value
class Timer:
    """One wait on one seat; ``number`` is the decision's where it bounds an answer."""

    kind: TimerKind
    seat: int
    number: int = 0


@value
class Ask:
    """Put a question to a seat, with all that it has newly learnt."""

    seat: int
    number: int
    question: Question
    observation: Observation
    news: tuple[SeatEvent, ...]
    limit_ns: int
    bank_ns: int


@value
class AskAgain:
    """Put a pending question once more to a seat that is back, with what is left of its time.

    What it has newly learnt it was told, or can see in the observation.
    """

    ask: Ask


@value
class Tell:
    """Give news to a seat without a question."""

    seat: int
    news: tuple[SeatEvent, ...]


@value
class Reject:
    """Refuse a message of a seat; ``allowed`` are the cards it may play, if that was the matter."""

    seat: int
    number: int | None
    reason: Reason
    message: str
    allowed: tuple[Card, ...] = ()


@value
class Record:
    """Write an event to the match's log."""

    event: LogEvent
    at_ns: int
    timing: AnswerTiming | None = None


@value
class SetTimer:
    """Send TimerFired(timer) at ``at_ns`` unless cancelled; setting again replaces."""

    timer: Timer
    at_ns: int


@value
class CancelTimer:
    """A timer is no longer needed."""

    timer: Timer


@value
class Close:
    """The match is over: tell every seat MatchEnded and release the table.

    ``termination`` is as seats may be told it, without its detail; the recorded
    MatchEnded holds it whole.
    """

    termination: Termination
    totals: tuple[int, ...]
    winner: int | None


Output = Ask | AskAgain | Tell | Reject | Record | SetTimer | CancelTimer | Close
