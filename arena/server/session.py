"""Session: the connection of one bot process, from its Join to its end.

Owns what is counted per session: the ``sequence`` of messages, ``decision_id``s, table
numbers, and the one outgoing frame. Whoever has something for the bot appends it; the
frame leaves when no write is in flight, so that messages batch without added delay.
Must not know rules, tables or processes: seats at tables are :class:`SeatPort`s.
Source: protocol.md ("Play", "Rules of the wire" 3, 4, 9).
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, assert_never

from arena.referee.faults import FaultKind, Reason
from arena.referee.messages import Arrival, Reject
from arena.server.arrivals import now_ns
from arena.server.link import Link, LinkClosed, LinkError, Received
from arena.v1 import play_pb2
from arena.wire import to_bot
from arena.wire.codec import Codec, ProtoCodec
from arena.wire.said import AnswerSaid, BotSaid, JoinSaid, LeaveSaid, ReadySaid, Unreadable
from arena.wire.terms import FRAME_MESSAGES, PROTOCOL_VERSION, GoodbyeReason

MAX_QUEUED = 1_024
"""Messages that may wait for a bot that does not read; one more ends the session."""

OnWritten = Callable[[int], None]
"""Called with the moment (ns) when the write of a message's frame started."""


class SeatPort(Protocol):
    """One seat at one table, as its session sees it."""

    def on_ready(self, at_ns: int) -> None:
        """The bot said Ready for this table."""

    def on_answer(self, number: int, said: AnswerSaid, arrival: Arrival) -> None:
        """The bot answered decision ``number`` of this table."""

    def on_misfit(
        self, reason: Reason, message: str, *, number: int | None, size: int, at_ns: int
    ) -> None:
        """The bot sent something that is no answer to a pending decision."""

    def on_gone(self, kind: FaultKind, detail: str, at_ns: int) -> None:
        """The bot is gone for this table: nothing more comes from it."""


@dataclass(slots=True)
class _Asked:
    """Where a decision_id belongs."""

    table: int
    number: int


class Session:
    """One joined bot. Created by :func:`arena.server.admission.admit`."""

    def __init__(self, link: Link, codec: Codec, *, joined: JoinSaid, capacity: int) -> None:
        self.joined = joined
        self.capacity = capacity
        self.is_gone = False
        self.joined_ns = now_ns()
        self.gone_kind = FaultKind.CRASHED
        self.gone_detail = ""
        self.write_started_ns = 0
        self._link = link
        self._codec = codec
        self._sequence = 0
        self._last_decision = 0
        self._asked: dict[int, _Asked] = {}
        self._ports: dict[int, SeatPort] = {}
        self._frame: list[tuple[play_pb2.RefereeMessage, OnWritten | None]] = []
        self._is_taking = False
        link.on_idle = self.flush

    @property
    def is_writing(self) -> bool:
        """Whether a write is in flight (the bot may not be reading)."""
        return self._link.is_busy

    # --- tables -------------------------------------------------------------------

    def take_table(self, port: SeatPort) -> int:
        """Give ``port`` the lowest free table number of this session, from 1."""
        number = 1
        while number in self._ports:
            number += 1
        assert number <= self.capacity, "more tables than the session's capacity"
        self._ports[number] = port
        return number

    def leave_table(self, table: int) -> None:
        """Free a table number after MatchEnded; its decisions become stale."""
        del self._ports[table]
        self._asked = {i: asked for i, asked in self._asked.items() if asked.table != table}

    def new_decision(self, table: int, number: int) -> int:
        """Give decision ``number`` of ``table`` its id in this session."""
        self._last_decision += 1
        self._asked[self._last_decision] = _Asked(table, number)
        return self._last_decision

    def decision_id(self, table: int, number: int) -> int | None:
        """Find the id under which the bot knows decision ``number`` of ``table``."""
        for decision_id, asked in reversed(self._asked.items()):
            if asked.table == table and asked.number == number:
                return decision_id
        return None

    # --- out ----------------------------------------------------------------------

    def queue(self, message: play_pb2.RefereeMessage, on_written: OnWritten | None = None) -> None:
        """Append a message to the outgoing frame; nothing is queued for a bot that is gone."""
        if self.is_gone:
            return
        if len(self._frame) >= MAX_QUEUED:
            self.lose(FaultKind.NOT_READING, f"{MAX_QUEUED} messages wait and none is read")
            return
        self._sequence += 1
        message.sequence = self._sequence
        self._frame.append((message, on_written))

    def flush(self) -> None:
        """Send what waits, unless a write is in flight or a frame is being taken in."""
        while self._frame and not (self._is_taking or self._link.is_busy or self.is_gone):
            batch = self._frame[:FRAME_MESSAGES]
            del self._frame[: len(batch)]
            data = self._codec.encode([message for message, _ in batch])
            self.write_started_ns = now_ns()
            try:
                self._link.send(data)
            except LinkClosed:
                self.lose(FaultKind.CRASHED, "its stream is closed")
                return
            for _, on_written in batch:
                if on_written is not None:
                    on_written(self.write_started_ns)

    # --- in -----------------------------------------------------------------------

    async def run(self) -> None:
        """Take in what the bot says until its stream ends or the session is lost."""
        with contextlib.suppress(LinkClosed):
            while not self.is_gone:
                received = await self._link.recv()
                self._is_taking = True
                try:
                    for said in self._codec.decode(received.data):
                        self._take(said, received.arrival)
                finally:
                    self._is_taking = False
                self.flush()

    def _take(self, said: BotSaid, arrival: Arrival) -> None:
        match said:
            case AnswerSaid():
                self._take_answer(said, arrival)
            case ReadySaid():
                port = self._ports.get(said.table)
                if port is None:
                    self._misfit(Reason.UNKNOWN_MESSAGE, f"ready: no table {said.table}", arrival)
                else:
                    port.on_ready(arrival.earliest_ns)
            case LeaveSaid():
                for table, port in list(self._ports.items()):
                    if said.table in (None, table):
                        detail = f"the bot sent Leave: {said.reason}" if said.reason else ""
                        port.on_gone(FaultKind.LEFT, detail, arrival.earliest_ns)
            case JoinSaid():
                self._misfit(Reason.UNKNOWN_MESSAGE, "join: this session has joined", arrival)
            case Unreadable():
                self._misfit(said.reason, said.message, arrival, said.decision_id, said.size)
            case _:
                assert_never(said)

    def _take_answer(self, said: AnswerSaid, arrival: Arrival) -> None:
        asked = self._asked.get(said.decision_id)
        if asked is not None:
            self._ports[asked.table].on_answer(asked.number, said, arrival)
        elif 0 < said.decision_id <= self._last_decision:
            self._reject(Reason.STALE, "this decision's match is over", said.decision_id)
        else:
            message = f"decision_id {said.decision_id} was never asked"
            self._misfit(Reason.UNKNOWN_DECISION, message, arrival, said.decision_id, said.size)

    def _misfit(
        self,
        reason: Reason,
        message: str,
        arrival: Arrival,
        decision_id: int | None = None,
        size: int = 0,
    ) -> None:
        """Charge a misfit to the table it belongs to, or else to every table of the session."""
        asked = self._asked.get(decision_id) if decision_id is not None else None
        ports = list(self._ports.values()) if asked is None else [self._ports[asked.table]]
        for port in ports:
            number = None if asked is None else asked.number
            port.on_misfit(reason, message, number=number, size=size, at_ns=arrival.earliest_ns)
        if not ports:
            self._reject(reason, message, decision_id)

    def _reject(self, reason: Reason, message: str, decision_id: int | None) -> None:
        reject = Reject(seat=0, number=None, reason=reason, message=message)
        self.queue(to_bot.rejected(0, decision_id, reject))

    # --- end ----------------------------------------------------------------------

    def lose(self, kind: FaultKind, detail: str) -> None:
        """Give the session up: every table learns why; the link is closed. Idempotent."""
        if self.is_gone:
            return
        self.is_gone = True
        self.gone_kind = kind
        self.gone_detail = detail
        at_ns = now_ns()
        for port in list(self._ports.values()):
            port.on_gone(kind, detail, at_ns)
        self._link.close()

    def say_goodbye(self, reason: GoodbyeReason, grace_ms: int) -> None:
        """Tell the bot that nothing more comes; the stream then ends OK."""
        if self.is_gone:
            return
        self.queue(to_bot.goodbye(reason, grace_ms))
        self.flush()
        self.is_gone = True
        self._link.close()


class _NoLink:
    """The link of a bot that never came."""

    on_idle: Callable[[], None] | None = None
    is_busy = False
    is_open = False

    def send(self, data: bytes) -> None:
        raise LinkClosed

    async def recv(self) -> Received:
        raise LinkClosed

    def close(self, error: LinkError | None = None) -> None:
        """Nothing is open."""


def absent_session(kind: FaultKind, detail: str) -> Session:
    """Make the session of a bot that did not join: gone from the start, with the reason."""
    joined = JoinSaid(
        protocol_version=PROTOCOL_VERSION,
        token="",
        name="",
        version="",
        language="",
        capacity=1,
        resume_after=None,
    )
    session = Session(_NoLink(), ProtoCodec(), joined=joined, capacity=1)
    session.lose(kind, detail)
    return session
