"""What a Table does with each input in each phase, as data.

Owns the phases, the acts and the table that joins them; the acts themselves stand in
:mod:`arena.referee.table`. Source: design.md §4-5, protocol.md ("What happens when").

A match passes through five phases, in this order, and can leave any of them for the last:

WAITING_TO_BEGIN
    The seats are joined, MatchStarted is not yet written to all. A bot that was told
    early may already say Ready: that is kept, not lost. One that was lost early has as
    long to come back as later.
GETTING_READY
    Every seat has a start allowance, each with a timer. The last Ready starts the match.
ASKED
    A question was put to one seat and its frame waits to be written. No clock runs: the
    server owes an AskWritten or, if it cannot write, a BotGone.
THINKING
    The frame is being written: the seat's clock runs and a timer bounds it. Refused
    answers change nothing; an answer that stands, a late one or one too many refused
    cards lead to the next question (ASKED) or to the end.
OVER
    Close was sent. Whatever still arrives was on its way and means nothing.

At most one decision is pending at a table, so at most one seat thinks. Three kinds of
input do not fit a phase, and they are kept apart: what a bot can cause is *answered*
(refused, forgiven or counted as a fault), what may cross on its way is *ignored*, and
what only a bug of the server can cause is *impossible* and raises AssertionError.
"""

from collections.abc import Mapping
from enum import Enum, auto
from types import MappingProxyType
from typing import Final

from arena.referee.messages import (
    Answered,
    AskWritten,
    Begin,
    BotGone,
    BotLost,
    BotReady,
    BotReturned,
    Input,
    Misfit,
    Stop,
    TimerFired,
)


class Phase(Enum):
    """How far a match is."""

    __hash__ = object.__hash__  # Enum's own is not the interpreter's, and looked up for each card

    WAITING_TO_BEGIN = auto()
    GETTING_READY = auto()
    ASKED = auto()
    THINKING = auto()
    OVER = auto()


class Act(Enum):
    """What the table does with an input."""

    __hash__ = object.__hash__  # as above

    BEGIN = auto()
    """Record who sits here and give every seat its start allowance."""
    KEEP_READY = auto()
    """Remember that a seat was ready before the match began."""
    NOTE_READY = auto()
    """Record it; if it was the last seat, start the match."""
    START_CLOCK = auto()
    """The seat's time to think begins now."""
    JUDGE = auto()
    """The answer stands, is refused, is late, or belongs to no pending decision."""
    REFUSE = auto()
    """Refuse the message and count the fault behind it."""
    END_WAIT = auto()
    """A wait on a seat is over, unless what was waited for crossed with it: by the timer's
    kind, the seat was not ready, the referee plays for it, or it did not come back."""
    FORFEIT_GONE = auto()
    """The seat's bot is gone: its side forfeits the match, if anything was left to ask of it."""
    NOTE_LOST = auto()
    """Tell the others, and wait for the seat to come back; its clock runs on."""
    NOTE_RETURNED = auto()
    """Tell the others that a lost seat is back; put its pending question to it again."""
    STOP = auto()
    """End for a reason outside the table."""
    IGNORE = auto()
    """It crossed with something else on its way; nothing happens."""
    IMPOSSIBLE = auto()
    """Only a bug of the caller can cause it."""


TRANSITIONS: Final[Mapping[tuple[Phase, type[Input]], Act]] = MappingProxyType(
    {
        (Phase.WAITING_TO_BEGIN, Begin): Act.BEGIN,
        (Phase.WAITING_TO_BEGIN, BotReady): Act.KEEP_READY,
        (Phase.WAITING_TO_BEGIN, AskWritten): Act.IMPOSSIBLE,
        (Phase.WAITING_TO_BEGIN, Answered): Act.JUDGE,
        (Phase.WAITING_TO_BEGIN, Misfit): Act.REFUSE,
        (Phase.WAITING_TO_BEGIN, BotGone): Act.FORFEIT_GONE,
        (Phase.WAITING_TO_BEGIN, BotLost): Act.NOTE_LOST,
        (Phase.WAITING_TO_BEGIN, BotReturned): Act.NOTE_RETURNED,
        (Phase.WAITING_TO_BEGIN, TimerFired): Act.END_WAIT,
        (Phase.WAITING_TO_BEGIN, Stop): Act.STOP,
        (Phase.GETTING_READY, Begin): Act.IMPOSSIBLE,
        (Phase.GETTING_READY, BotReady): Act.NOTE_READY,
        (Phase.GETTING_READY, AskWritten): Act.IMPOSSIBLE,
        (Phase.GETTING_READY, Answered): Act.JUDGE,
        (Phase.GETTING_READY, Misfit): Act.REFUSE,
        (Phase.GETTING_READY, BotGone): Act.FORFEIT_GONE,
        (Phase.GETTING_READY, BotLost): Act.NOTE_LOST,
        (Phase.GETTING_READY, BotReturned): Act.NOTE_RETURNED,
        (Phase.GETTING_READY, TimerFired): Act.END_WAIT,
        (Phase.GETTING_READY, Stop): Act.STOP,
        (Phase.ASKED, Begin): Act.IMPOSSIBLE,
        (Phase.ASKED, BotReady): Act.IGNORE,
        (Phase.ASKED, AskWritten): Act.START_CLOCK,
        (Phase.ASKED, Answered): Act.JUDGE,
        (Phase.ASKED, Misfit): Act.REFUSE,
        (Phase.ASKED, BotGone): Act.FORFEIT_GONE,
        (Phase.ASKED, BotLost): Act.NOTE_LOST,
        (Phase.ASKED, BotReturned): Act.NOTE_RETURNED,
        (Phase.ASKED, TimerFired): Act.END_WAIT,
        (Phase.ASKED, Stop): Act.STOP,
        (Phase.THINKING, Begin): Act.IMPOSSIBLE,
        (Phase.THINKING, BotReady): Act.IGNORE,
        (Phase.THINKING, AskWritten): Act.IGNORE,
        (Phase.THINKING, Answered): Act.JUDGE,
        (Phase.THINKING, Misfit): Act.REFUSE,
        (Phase.THINKING, BotGone): Act.FORFEIT_GONE,
        (Phase.THINKING, BotLost): Act.NOTE_LOST,
        (Phase.THINKING, BotReturned): Act.NOTE_RETURNED,
        (Phase.THINKING, TimerFired): Act.END_WAIT,
        (Phase.THINKING, Stop): Act.STOP,
        (Phase.OVER, Begin): Act.IGNORE,
        (Phase.OVER, BotReady): Act.IGNORE,
        (Phase.OVER, AskWritten): Act.IGNORE,
        (Phase.OVER, Answered): Act.IGNORE,
        (Phase.OVER, Misfit): Act.IGNORE,
        (Phase.OVER, BotGone): Act.IGNORE,
        (Phase.OVER, BotLost): Act.IGNORE,
        (Phase.OVER, BotReturned): Act.IGNORE,
        (Phase.OVER, TimerFired): Act.IGNORE,
        (Phase.OVER, Stop): Act.IGNORE,
    }
)
