"""Session: the connection of one bot process, from its Join to its end.

Owns what is counted per session: the ``sequence`` of messages, ``decision_id``s, table
numbers, and the one outgoing frame. Whoever has something for the bot appends it; the
frame leaves when no write is in flight, so that messages batch without added delay.
Must not know rules, tables or processes: seats at tables are :class:`SeatPort`s.
Source: protocol.md ("Play", "Rules of the wire" 3, 4, 9).
"""

from collections.abc import Callable
from typing import Final, Protocol, assert_never

from arena.referee.faults import FaultKind, Reason
from arena.referee.messages import Arrival, Reject
from arena.server.arrivals import now_ns
from arena.server.link import Link, LinkClosed, LinkError, Received
from arena.v1 import play_pb2
from arena.wire import to_bot
from arena.wire.codec import Codec, ProtoCodec
from arena.wire.said import AnswerSaid, BotSaid, JoinSaid, LeaveSaid, ReadySaid, Unreadable
from arena.wire.status import CODE_OF_REASON
from arena.wire.terms import FRAME_BYTES, FRAME_MESSAGES, PROTOCOL_VERSION, GoodbyeReason

MAX_QUEUED: Final = 1_024
"""Messages that may wait for a bot that does not read; one more ends the session."""
RECENT_DECISIONS: Final = 64
"""Decisions of a table whose answers are still told apart; older ones are just stale."""

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

    def on_frame_end(self) -> None:
        """All of a frame was taken in that said something to this seat: send what came of it."""

    def on_gone(self, kind: FaultKind, detail: str, at_ns: int) -> None:
        """The bot is gone for this table: nothing more comes from it."""


class _Place:
    """A table of the session: its seat, and its latest decisions by their number there."""

    __slots__ = ("decisions", "port")

    def __init__(self, port: SeatPort) -> None:
        self.port = port
        self.decisions: dict[int, int] = {}


class Session:
    """One joined bot. Created by :mod:`arena.server.admission`.

    Args:
        link: Its bytes.
        codec: How these are messages.
        joined: What the bot said of itself.
        capacity: Tables at once at most.
        implies_ready: Whether the bot is ready as soon as its MatchStarted is written.
        silence_hint: What to suspect where nothing ever comes from it.
        now: The clock (ns) that stamps what the link receives.

    Attributes:
        is_gone: Whether the session is over for tables; ``gone_kind`` and ``gone_detail``
            say how it ended.
        has_spoken: Whether anything has come from the bot since it joined.
        write_started_ns: When the latest write started.
    """

    def __init__(
        self,
        link: Link,
        codec: Codec,
        *,
        joined: JoinSaid,
        capacity: int,
        implies_ready: bool = False,
        silence_hint: str = "",
        now: Callable[[], int] = now_ns,
    ) -> None:
        self.joined = joined
        self.capacity = capacity
        self.implies_ready = implies_ready
        self.has_spoken = False
        self.now = now
        self.joined_ns = now()
        self.is_gone = False
        self.gone_kind = FaultKind.CRASHED
        self.gone_detail = "its session is over"
        self.write_started_ns = 0
        self._silence_hint = silence_hint
        self._link = link
        self._codec = codec
        self._sequence = 0
        self._last_decision = 0
        self._asked: dict[int, tuple[_Place, int]] = {}
        self._places: dict[int, _Place] = {}
        self._queue: list[tuple[play_pb2.RefereeMessage, OnWritten | None]] = []
        self._spoken_to: list[SeatPort] = []
        self._says_goodbye = False
        link.on_idle = self.flush

    @property
    def is_writing(self) -> bool:
        """Whether a write is in flight (the bot may not be reading)."""
        return self._link.is_busy

    @property
    def silence_hint(self) -> str:
        """The likely cause of a silence so far unbroken; "" once anything has come."""
        return "" if self.has_spoken else self._silence_hint

    # --- tables -------------------------------------------------------------------

    def take_table(self, port: SeatPort) -> int:
        """Give ``port`` the lowest free table number of this session, from 1."""
        number = 1
        while number in self._places:
            number += 1
        assert number <= self.capacity, "more tables than the session's capacity"
        self._places[number] = _Place(port)
        return number

    def leave_table(self, table: int) -> None:
        """Free a table number after MatchEnded; its decisions become stale."""
        for decision_id in self._places.pop(table).decisions.values():
            del self._asked[decision_id]

    def new_decision(self, table: int, number: int) -> int:
        """Give decision ``number`` of ``table`` its id in this session."""
        self._last_decision += 1
        place = self._places[table]
        decisions = place.decisions
        decisions[number] = self._last_decision
        self._asked[self._last_decision] = (place, number)
        if len(decisions) > RECENT_DECISIONS:
            del self._asked[decisions.pop(next(iter(decisions)))]
        return self._last_decision

    def decision_id(self, table: int, number: int) -> int | None:
        """Find the id under which the bot knows a recent decision of ``table``."""
        return self._places[table].decisions.get(number)

    # --- out ----------------------------------------------------------------------

    def queue(self, message: play_pb2.RefereeMessage, on_written: OnWritten | None = None) -> None:
        """Append a message to the outgoing frame; nothing is queued for a bot that is gone."""
        if self.is_gone:
            return
        if len(self._queue) >= MAX_QUEUED:
            words = f"{MAX_QUEUED} messages wait for this bot and none is read"
            self.lose(FaultKind.NOT_READING, words, _ending(Reason.TOO_MANY_MESSAGES, words))
            return
        self._sequence += 1
        message.sequence = self._sequence
        self._queue.append((message, on_written))

    def flush(self) -> None:
        """Send what waits, unless a write is in flight: then it leaves when that has ended."""
        link = self._link
        while self._queue and not link.is_busy:
            data, count = self._encode_frame()
            batch = self._queue[:count]
            del self._queue[:count]
            self.write_started_ns = self.now()
            try:
                link.send(data)
            except LinkClosed:
                self.lose(FaultKind.CRASHED, "its stream is closed")
                return
            for _, on_written in batch:
                if on_written is not None:
                    on_written(self.write_started_ns)
        if self._says_goodbye and not self._queue:
            link.close()

    def _encode_frame(self) -> tuple[bytes, int]:
        """Write as much of what waits as one frame may hold; say how many messages that is."""
        messages = [message for message, _ in self._queue[:FRAME_MESSAGES]]
        data = self._codec.encode(messages)
        # Hardly ever: only announcements of many matches at once are so long.
        while len(data) > FRAME_BYTES and len(messages) > 1:
            del messages[len(messages) // 2 :]
            data = self._codec.encode(messages)
        return data, len(messages)

    # --- in -----------------------------------------------------------------------

    async def run(self) -> None:
        """Take in what the bot says until its stream ends or the session is lost."""
        await self._link.deliver(self._take_in)

    def _take_in(self, received: Received) -> None:
        """Take in a frame; what all of its messages bring about is sent after the last one."""
        self.has_spoken = True
        for said in self._codec.decode(received.data):
            if self.is_gone:
                return
            self._take(said, received.arrival)
        while self._spoken_to:
            self._spoken_to.pop().on_frame_end()
        self.flush()

    def _take(self, said: BotSaid, arrival: Arrival) -> None:
        match said:
            case AnswerSaid():
                self._take_answer(said, arrival)
            case ReadySaid():
                place = self._places.get(said.table)
                if place is None:
                    self._misfit(Reason.UNKNOWN_MESSAGE, f"ready: no table {said.table}", arrival)
                else:
                    self._spoken_to.append(place.port)
                    place.port.on_ready(arrival.earliest_ns)
            case LeaveSaid():
                self._take_leave(said, arrival)
            case JoinSaid():
                self._misfit(Reason.UNKNOWN_MESSAGE, "join: this session has joined", arrival)
            case Unreadable(reason=Reason.TOO_MANY_MESSAGES | Reason.TOO_LARGE):
                self.lose(FaultKind.FLOOD, said.message, _ending(said.reason, said.message))
            case Unreadable():
                self._misfit(said.reason, said.message, arrival, said.decision_id, said.size)
            case _:
                assert_never(said)

    def _take_answer(self, said: AnswerSaid, arrival: Arrival) -> None:
        asked = self._asked.get(said.decision_id)
        if asked is not None:
            place, number = asked
            self._spoken_to.append(place.port)
            place.port.on_answer(number, said, arrival)
        elif 0 < said.decision_id <= self._last_decision:
            self._reject(Reason.STALE, "this decision is long over", said.decision_id)
        else:
            message = f"decision_id {said.decision_id} was never asked"
            self._misfit(Reason.UNKNOWN_DECISION, message, arrival, said.decision_id, said.size)

    def _take_leave(self, leave: LeaveSaid, arrival: Arrival) -> None:
        detail = f"the bot sent Leave: {leave.reason}" if leave.reason else "the bot sent Leave"
        for table, place in list(self._places.items()):
            if leave.table in (None, table):
                place.port.on_gone(FaultKind.LEFT, detail, arrival.earliest_ns)
        if leave.table is None:
            self.flush()  # how its matches ended
            self.lose(FaultKind.LEFT, detail)

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
        if asked is None:
            ports = [place.port for place in self._places.values()]
            number = None
        else:
            place, number = asked
            ports = [place.port]
        for port in ports:
            self._spoken_to.append(port)
            port.on_misfit(reason, message, number=number, size=size, at_ns=arrival.earliest_ns)
        if not ports:
            self._reject(reason, message, decision_id)

    def _reject(self, reason: Reason, message: str, decision_id: int | None) -> None:
        reject = Reject(seat=0, number=None, reason=reason, message=message)
        self.queue(to_bot.rejected(None, decision_id, reject))

    # --- end ----------------------------------------------------------------------

    def lose(self, kind: FaultKind, detail: str, error: LinkError | None = None) -> None:
        """Give the session up: every table learns why; the link is closed. Idempotent.

        Args:
            kind: How it ended.
            detail: For the log.
            error: The status that the bot's stream ends with; None = OK.
        """
        if self.is_gone:
            return
        self.is_gone = True
        self.gone_kind = kind
        self.gone_detail = detail
        self._queue.clear()
        at_ns = self.now()
        for place in list(self._places.values()):
            place.port.on_gone(kind, detail, at_ns)
        self._link.close(error)

    def say_goodbye(self, reason: GoodbyeReason, grace_ms: int) -> None:
        """Tell the bot that nothing more comes; its stream then ends OK.

        What waits behind a write in flight still goes out first, if the bot reads.
        """
        if self.is_gone:
            return
        assert not self._places, "goodbye to a bot that is still playing"
        self.queue(to_bot.goodbye(reason, grace_ms))
        self.is_gone = self._says_goodbye = True
        self.flush()


def _ending(reason: Reason, words: str) -> LinkError:
    return LinkError(CODE_OF_REASON[reason], reason.name, words)


class _NoLink:
    """The link of a bot that never came."""

    on_idle: Callable[[], None] | None = None
    is_busy = False
    is_open = False

    def send(self, data: bytes) -> None:
        raise LinkClosed

    async def recv(self) -> Received:
        raise LinkClosed

    async def deliver(self, receive: Callable[[Received], None]) -> None:
        """Deliver nothing."""

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
