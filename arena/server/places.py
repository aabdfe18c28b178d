"""Places: the tables of one session, and under which numbers its bot knows them.

Owns the session's table numbers and ``decision_id``s. Must not know messages or links.
Source: protocol.md ("Play", "Rules of the wire" 3, 4).
"""

from typing import Final, Protocol

from arena.referee.faults import FaultKind, Reason
from arena.referee.messages import Arrival
from arena.wire.said import AnswerSaid

RECENT_DECISIONS: Final = 64
"""Decisions of a table whose answers are still told apart; older ones are just stale."""


class SeatPort(Protocol):
    """One seat at one table, as its session sees it."""

    def on_ready(self, at_ns: int) -> None:
        """The bot said Ready for this table."""

    def on_answer(self, number: int, said: AnswerSaid, arrival: Arrival, crowd: int) -> None:
        """The bot answered decision ``number`` of this table.

        ``crowd``: so many messages it has sent for each of its tables since it was last asked.
        """

    def on_misfit(
        self, reason: Reason, message: str, *, number: int | None, size: int, at_ns: int
    ) -> None:
        """The bot sent something that is no answer to a pending decision."""

    def on_frame_end(self) -> None:
        """The frame that said something to this seat is taken in: send what came of it."""

    def on_lost(self, at_ns: int) -> None:
        """The bot's stream broke; it may come back."""

    def on_snapshot(self) -> None:
        """The bot is back and has missed too much: announce the match again."""

    def on_returned(self, at_ns: int) -> None:
        """The bot is back: put to it again what it was asked."""

    def on_gone(self, kind: FaultKind, detail: str, at_ns: int) -> None:
        """The bot is gone for this table: nothing more comes from it."""


class Place:
    """One table of a session.

    Attributes:
        table: Its number in the session.
        port: The seat that the bot has there.
    """

    __slots__ = ("decisions", "port", "table")

    def __init__(self, table: int, port: SeatPort) -> None:
        self.table = table
        self.port = port
        self.decisions: dict[int, int] = {}
        """The ids of its latest decisions, by their numbers at the table."""

    def decision_id(self, number: int) -> int | None:
        """Find the id under which the bot knows a recent decision of this table."""
        return self.decisions.get(number)


class Places:
    """All tables of one session; decisions count across them."""

    __slots__ = ("_asked", "_by_table", "_capacity", "_highest_table", "_last_decision")

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._by_table: dict[int, Place] = {}
        self._asked: dict[int, tuple[Place, int]] = {}
        self._last_decision = 0
        self._highest_table = 0

    def __len__(self) -> int:
        """Count the tables."""
        return len(self._by_table)

    def take(self, port: SeatPort) -> Place:
        """Give ``port`` the lowest free table number, from 1."""
        table = 1
        while table in self._by_table:
            table += 1
        if table > self._capacity:
            raise AssertionError(f"more tables than the session's capacity, {self._capacity}")
        self._highest_table = max(self._highest_table, table)
        place = self._by_table[table] = Place(table, port)
        return place

    def leave(self, place: Place) -> None:
        """Free a table's number; its decisions become stale."""
        del self._by_table[place.table]
        for decision_id in place.decisions.values():
            del self._asked[decision_id]
        place.decisions.clear()

    def at(self, table: int) -> Place | None:
        """Find a table by its number."""
        return self._by_table.get(table)

    def was_taken(self, table: int) -> bool:
        """Whether there is, or ever was, a match at a table of this number."""
        return 0 < table <= self._highest_table

    def all(self) -> list[Place]:
        """List the tables."""
        return list(self._by_table.values())

    def ask(self, place: Place, number: int) -> int:
        """Give decision ``number`` of a table its id."""
        decision_id = self._last_decision = self._last_decision + 1
        decisions = place.decisions
        decisions[number] = decision_id
        self._asked[decision_id] = (place, number)
        if len(decisions) > RECENT_DECISIONS:
            del self._asked[decisions.pop(next(iter(decisions)))]
        return decision_id

    def asked(self, decision_id: int) -> tuple[Place, int] | None:
        """Find a recent decision of a live table: the table, and the number there."""
        return self._asked.get(decision_id)

    @property
    def last_decision(self) -> int:
        """The id of the session's latest decision; 0 before the first."""
        return self._last_decision

    def was_asked(self, decision_id: int) -> bool:
        """Whether there ever was such a decision."""
        return 0 < decision_id <= self._last_decision
