"""The decisions of one table: which is pending, and how the others were closed.

Owns the numbers of decisions and what is known of each. Must not know the game, what a
clock allows or what a fault costs.
"""

from arena.referee.messages import Timer, TimerKind
from arena.rules.question import Answer, Question
from arena.rules.values import value


class Pending:
    """The one question of a table that waits for its answer."""

    __slots__ = ("number", "refused_cards", "seat", "timer", "written_ns")

    def __init__(self, *, number: int, seat: int) -> None:
        self.number = number
        self.seat = seat
        self.timer = Timer(kind=TimerKind.ANSWER, seat=seat, number=number)
        self.written_ns: int | None = None
        """When its clock started; None while its frame waits to be written."""
        self.refused_cards = 0

    def think_ns(self, at_ns: int) -> int:
        """Say how long the seat had thought at a moment; never negative.

        It is nothing for an answer that comes before its question is written: numbers can
        be guessed.
        """
        return 0 if self.written_ns is None else max(0, at_ns - self.written_ns)


@value
class Closed:
    """A decision that is over; ``answer`` None = the referee played for the seat."""

    seat: int
    answer: Answer | None


class Decisions:
    """All decisions of a table, numbered from 1 in the order asked; one pending at most.

    The closed ones are kept: a match is finite, and a bot may repeat any answer.
    """

    __slots__ = ("_closed", "_pending")

    def __init__(self) -> None:
        self._pending: Pending | None = None
        self._closed: list[Closed] = []

    def open(self, question: Question) -> Pending:
        """Make a question the pending one."""
        self._pending = Pending(number=len(self._closed) + 1, seat=question.seat)
        return self._pending

    @property
    def pending(self) -> Pending | None:
        """The pending decision, whoever is asked."""
        return self._pending

    def pending_at(self, seat: int, number: int) -> Pending | None:
        """Give the pending decision, if it is this one of this seat."""
        pending = self._pending
        if pending is None or pending.number != number or pending.seat != seat:
            return None
        return pending

    def close(self, pending: Pending, answer: Answer | None) -> None:
        """End the pending decision with the answer that stands; None = it was ruled."""
        self._closed.append(Closed(seat=pending.seat, answer=answer))
        self._pending = None

    def closed(self, number: int) -> Closed | None:
        """Tell how a decision was closed; None if it never was, or was never opened."""
        return self._closed[number - 1] if 1 <= number <= len(self._closed) else None
