"""What every deed comes to at every moment of a match: the rules of conduct as one table.

Owns the expected outcomes, each with its events, its culprit, its cost and its words; who is
the culprit follows from the fault. Must not know how a table is brought to a moment.
Source: design.md §5.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from arena.referee.events import LogEvent, SeatLost, SeatReturned
from arena.referee.faults import Culprit, FaultKind, Reason, TerminationKind
from arena.rules.events import CardPlayed, DeclarationRefused, Infraction, Revoke
from tests.referee.deeds import Deed, Moment

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a deed comes to."""

    reason: Reason | None = None
    """Why its message is refused."""
    told: str = ""
    """What the refusal says."""
    fault: FaultKind | None = None
    """What it is charged with."""
    logged: str = ""
    """What the fault's detail says, which the author reads."""
    events: tuple[type[LogEvent], ...] = ()
    """What else is recorded, beside refusal, fault and end, in order."""
    ending: TerminationKind | None = None
    """How it ends the match."""
    is_impossible: bool = False
    """Whether only a bug of the server could bring it."""

    @property
    def culprit(self) -> Culprit:
        """Whose doing the fault is."""
        match self.fault:
            case FaultKind.HOST | FaultKind.HOST_LAG:
                return Culprit.HOST
            case FaultKind.REFEREE:
                return Culprit.REFEREE
            case _:
                return Culprit.BOT

    @property
    def ended_by(self) -> Culprit:
        """Whose doing the end is."""
        match self.ending:
            case TerminationKind.HOST_FAULT:
                return Culprit.HOST
            case TerminationKind.REFEREE_FAULT:
                return Culprit.REFEREE
            case TerminationKind() if self.ending.is_forfeit:
                return Culprit.BOT
            case _:
                return Culprit.NOBODY


NOTHING: Final = Outcome()
IMPOSSIBLE: Final = Outcome(is_impossible=True)
STANDS: Final = Outcome(events=(CardPlayed,))
UNSOLICITED: Final = Outcome(
    reason=Reason.UNKNOWN_DECISION,
    told="this decision was never put to this seat; answer only the one it was sent last",
    fault=FaultKind.UNSOLICITED,
    logged="this decision was never put to this seat; answer only the one it was sent last",
)
MALFORMED: Final = Outcome(
    reason=Reason.MALFORMED,
    told="are no arena.v1.PlayRequest; send serialised PlayRequest messages",
    fault=FaultKind.MALFORMED,
    logged="are no arena.v1.PlayRequest; send serialised PlayRequest messages",
)
_LATE_WORDS: Final = "allowed were 100 ms, 0 ms of bank and 10 ms of margin"
LATE: Final = Outcome(
    reason=Reason.STALE,
    told="the referee plays for this seat",
    fault=FaultKind.LATE,
    logged=_LATE_WORDS,
    events=(CardPlayed,),
)
SILENT: Final = Outcome(fault=FaultKind.LATE, logged=_LATE_WORDS, events=(CardPlayed,))
STALE: Final = Outcome(reason=Reason.STALE, told="the referee has already played for this seat")
CONTRADICTION: Final = Outcome(
    reason=Reason.ALREADY_ANSWERED, told="this decision was already answered, with "
)
ILLEGAL: Final = Outcome(
    reason=Reason.ILLEGAL_CARD,
    told="can follow suit, so it may not play",
    fault=FaultKind.ILLEGAL,
    logged="allowed: ",
)
NOT_HELD: Final = Outcome(
    reason=Reason.CARD_NOT_HELD, told="does not hold", fault=FaultKind.NOT_HELD, logged="allowed: "
)
REVOKED: Final = Outcome(
    fault=FaultKind.REVOKE,
    logged="could follow suit and played ",
    events=(CardPlayed, Revoke),
)
FALSE_CLAIM: Final = Outcome(
    fault=FaultKind.INFRACTION,
    logged="a declaration was refused: four ",
    events=(DeclarationRefused, Infraction, CardPlayed),
)
LATE_CLAIM: Final = Outcome(
    fault=FaultKind.INFRACTION,
    logged="a declaration was refused: four ace: the time to declare it was over",
    events=(DeclarationRefused, Infraction, CardPlayed),
)
UNKNOWN_CLAIM: Final = Outcome(
    reason=Reason.BAD_DECLARATION,
    told="a four with rank K: the rank is A, 2 or 3",
    fault=FaultKind.MALFORMED,
    logged="a four with rank K: the rank is A, 2 or 3",
)
FORBIDDEN_WORD: Final = Outcome(
    fault=FaultKind.INFRACTION,
    logged="a signal was refused: 'striscio' is not allowed to this seat with this card",
    events=(Infraction, CardPlayed),
)
UNKNOWN_WORD: Final = Outcome(
    reason=Reason.BAD_SIGNAL,
    told="striscio: this ruleset has no words; say none",
    fault=FaultKind.MALFORMED,
    logged="striscio: this ruleset has no words; say none",
)
HOST_LAG: Final = Outcome(
    fault=FaultKind.HOST_LAG,
    logged="arrived within an interval of 30 ms",
    ending=TerminationKind.HOST_FAULT,
)
CROWDED: Final = Outcome(
    fault=FaultKind.FLOOD,
    logged="17 messages of this bot kept the referee from seeing an answer in time",
    ending=TerminationKind.FORFEIT_FLOOD,
)
NO_RETURN: Final = Outcome(
    fault=FaultKind.LOST,
    logged="its stream broke and it did not come back within 200 ms",
    ending=TerminationKind.FORFEIT_LOST,
)
NEVER_READY: Final = Outcome(
    fault=FaultKind.NOT_READY,
    logged="no Ready within 500 ms",
    ending=TerminationKind.FORFEIT_NOT_READY,
)


def _gone(fault: FaultKind, ending: TerminationKind, words: str) -> Outcome:
    return Outcome(fault=fault, logged=words, ending=ending, events=(SeatLost,))


def _until_the_end(outcome: Outcome) -> dict[Moment, Outcome]:
    """Say that a deed comes to the same whenever the match is not over."""
    return {moment: NOTHING if moment is Moment.OVER else outcome for moment in Moment}


def _answer(asked: Outcome, thinking: Outcome, *, elsewhere: Outcome) -> dict[Moment, Outcome]:
    """Say what an answer comes to: to a question not yet written, written, or not put."""
    own = {Moment.ASKED: asked, Moment.THINKING: thinking}
    return _until_the_end(elsewhere) | own


def _later(before: Outcome, after: Outcome) -> dict[Moment, Outcome]:
    """Say what a deed comes to before the first question, and after."""
    early = dict.fromkeys((Moment.WAITING, Moment.GETTING_READY), before)
    return _until_the_end(after) | early


_BY_DEED: Final[Mapping[Deed, Mapping[Moment, Outcome]]] = {
    Deed.BEGIN: _until_the_end(IMPOSSIBLE) | {Moment.WAITING: NOTHING},
    Deed.READY: _until_the_end(NOTHING),
    Deed.WRITE: _later(IMPOSSIBLE, NOTHING),
    Deed.ANSWER: _answer(STANDS, STANDS, elsewhere=UNSOLICITED),
    # While its question is not yet written, no time has passed for it.
    Deed.LATE_ANSWER: _answer(STANDS, LATE, elsewhere=UNSOLICITED),
    Deed.SILENCE: _until_the_end(NOTHING) | {Moment.THINKING: SILENT},
    Deed.STALE: _later(UNSOLICITED, STALE),
    Deed.DUPLICATE: _later(UNSOLICITED, NOTHING),
    Deed.CONTRADICTION: _later(UNSOLICITED, CONTRADICTION),
    Deed.UNSOLICITED: _until_the_end(UNSOLICITED),
    Deed.MALFORMED: _until_the_end(MALFORMED),
    Deed.ILLEGAL: _answer(ILLEGAL, ILLEGAL, elsewhere=UNSOLICITED),
    Deed.NOT_HELD: _answer(NOT_HELD, NOT_HELD, elsewhere=UNSOLICITED),
    Deed.REVOKE: _answer(REVOKED, REVOKED, elsewhere=UNSOLICITED),
    Deed.FALSE_CLAIM: _answer(FALSE_CLAIM, FALSE_CLAIM, elsewhere=UNSOLICITED),
    Deed.LATE_CLAIM: _answer(LATE_CLAIM, LATE_CLAIM, elsewhere=UNSOLICITED),
    Deed.UNKNOWN_CLAIM: _answer(UNKNOWN_CLAIM, UNKNOWN_CLAIM, elsewhere=UNSOLICITED),
    Deed.FORBIDDEN_WORD: _answer(FORBIDDEN_WORD, FORBIDDEN_WORD, elsewhere=UNSOLICITED),
    Deed.UNKNOWN_WORD: _answer(UNKNOWN_WORD, UNKNOWN_WORD, elsewhere=UNSOLICITED),
    Deed.FLOOD: _until_the_end(
        _gone(FaultKind.FLOOD, TerminationKind.FORFEIT_FLOOD, "257 messages since")
    ),
    Deed.NOT_READING: _until_the_end(
        _gone(FaultKind.NOT_READING, TerminationKind.FORFEIT_NOT_READING, "has read nothing for")
    ),
    Deed.CRASH: _until_the_end(
        _gone(FaultKind.CRASHED, TerminationKind.FORFEIT_CRASH, "was ended by SIGSEGV after 0.21 s")
    ),
    Deed.LEAVE: _until_the_end(
        _gone(FaultKind.LEFT, TerminationKind.FORFEIT_LEFT, "the bot sent Leave: fed up")
    ),
    Deed.GIVEN_UP: _until_the_end(
        _gone(FaultKind.LOST, TerminationKind.FORFEIT_LOST, "has not come back since")
    ),
    Deed.LOSS: _until_the_end(Outcome(events=(SeatLost,))),
    Deed.RETURN: _until_the_end(Outcome(events=(SeatReturned,))),
    Deed.NO_RETURN: _until_the_end(NO_RETURN),
    Deed.NEVER_READY: _until_the_end(NOTHING) | {Moment.GETTING_READY: NEVER_READY},
    Deed.VAGUE_ANSWER: _answer(STANDS, HOST_LAG, elsewhere=UNSOLICITED),
    Deed.CROWDED_ANSWER: _answer(STANDS, CROWDED, elsewhere=UNSOLICITED),
    Deed.HOST_FAULT: _until_the_end(
        Outcome(fault=FaultKind.HOST, logged="disk full", ending=TerminationKind.HOST_FAULT)
    ),
    Deed.REFEREE_FAULT: _until_the_end(
        Outcome(fault=FaultKind.REFEREE, logged="a bug", ending=TerminationKind.REFEREE_FAULT)
    ),
    Deed.ABORT: _until_the_end(Outcome(ending=TerminationKind.ABORTED)),
    Deed.SUSPENSION: _until_the_end(Outcome(ending=TerminationKind.FORFEIT_SUSPENDED)),
}

ROWS: Final[Mapping[tuple[Moment, Deed], Outcome]] = MappingProxyType(
    {
        (moment, deed): outcome
        for deed, by_moment in _BY_DEED.items()
        for moment, outcome in by_moment.items()
    }
)
"""By moment and deed; a test sees that none is missing."""
