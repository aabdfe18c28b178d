"""Session: the connection of one bot process, from its Join to its end.

Owns the ``sequence`` of messages and the one outgoing frame. Whoever has something for the
bot appends it; the frame leaves when no write is in flight, so that messages batch without
added delay. Must not know rules, tables or processes: it hands on what the bot says to its
:mod:`arena.server.places`.
Source: protocol.md ("Play", "Rules of the wire" 3, 4, 9).
"""

from collections.abc import Callable
from typing import Final, assert_never

from arena.referee.faults import FaultKind, Reason
from arena.referee.messages import Arrival, Reject
from arena.server.arrivals import now_ns
from arena.server.link import Link, LinkClosed, LinkError, Received
from arena.server.places import Places, SeatPort
from arena.v1 import play_pb2
from arena.wire import to_bot
from arena.wire.codec import Codec, ProtoCodec
from arena.wire.said import AnswerSaid, BotSaid, JoinSaid, LeaveSaid, ReadySaid, Unreadable
from arena.wire.status import CODE_OF_REASON
from arena.wire.terms import FRAME_BYTES, FRAME_MESSAGES, PROTOCOL_VERSION, GoodbyeReason

MAX_QUEUED: Final = 1_024
"""Messages that may wait for a bot that does not read; one more ends the session."""

OnWritten = Callable[[int], None]
"""Called with the moment (ns) when the write of a message's frame started."""


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
        places: The tables that it plays at.
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
        self.places = Places(capacity)
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
        self._waiting: list[tuple[play_pb2.RefereeMessage, OnWritten | None]] = []
        self._spoken_to: list[SeatPort] = []
        self._says_goodbye = False
        self._is_flushing_soon = False
        link.on_idle = self.flush_soon

    @property
    def is_writing(self) -> bool:
        """Whether a write is in flight (the bot may not be reading)."""
        return self._link.is_busy

    @property
    def silence_hint(self) -> str:
        """The likely cause of a silence so far unbroken; "" once anything has come."""
        return "" if self.has_spoken else self._silence_hint

    # --- out ----------------------------------------------------------------------

    def queue(self, message: play_pb2.RefereeMessage, on_written: OnWritten | None = None) -> None:
        """Append a message to the outgoing frame; nothing is queued for a bot that is gone."""
        if self.is_gone:
            return
        if len(self._waiting) >= MAX_QUEUED:
            self.lose_deaf(f"{MAX_QUEUED} messages wait for the bot and none is read")
            return
        self._sequence += 1
        message.sequence = self._sequence
        self._waiting.append((message, on_written))

    def flush_soon(self) -> None:
        """Send what waits; at many tables, together with what other events will bring.

        A bot that plays at one table is never made to wait: there is nothing to wait for.
        """
        if len(self.places) <= 1:
            self.flush()
        elif not self._is_flushing_soon:
            self._is_flushing_soon = True
            self._link.when_idle(self._flush_gathered)

    def _flush_gathered(self) -> None:
        self._is_flushing_soon = False
        self.flush()

    def flush(self) -> None:
        """Send what waits, unless a write is in flight: then it leaves when that has ended."""
        link = self._link
        while self._waiting and not link.is_busy:
            data, count = self._encode_frame()
            batch = self._waiting[:count]
            del self._waiting[:count]
            started_ns = self.write_started_ns = self.now()
            try:
                link.send(data)
            except LinkClosed:
                self.lose(FaultKind.CRASHED, "its stream is closed")
                return
            for _, on_written in batch:
                if on_written is not None:
                    on_written(started_ns)  # which may lead back here
        if self._says_goodbye and not self._waiting:
            link.close()

    def _encode_frame(self) -> tuple[bytes, int]:
        """Write as much of what waits as one frame may hold; say how many messages that is."""
        messages = [message for message, _ in self._waiting[:FRAME_MESSAGES]]
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
                break
            self._take(said, received.arrival)
        while self._spoken_to:
            self._spoken_to.pop().on_frame_end()
        self.flush_soon()

    def _take(self, said: BotSaid, arrival: Arrival) -> None:
        match said:
            case AnswerSaid():
                self._take_answer(said, arrival)
            case ReadySaid():
                place = self.places.at(said.table)
                if place is not None:
                    self._spoken_to.append(place.port)
                    place.port.on_ready(arrival.earliest_ns)
                elif not self.places.was_taken(said.table):  # else it crossed with MatchEnded
                    self._misfit(Reason.UNKNOWN_MESSAGE, f"ready: no table {said.table}", arrival)
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
        asked = self.places.asked(said.decision_id)
        if asked is not None:
            place, number = asked
            self._spoken_to.append(place.port)
            place.port.on_answer(number, said, arrival)
        elif self.places.was_asked(said.decision_id):
            self._reject(Reason.STALE, "this decision is long over", said.decision_id)
        else:
            message = f"decision_id {said.decision_id} was never asked"
            self._misfit(Reason.UNKNOWN_DECISION, message, arrival, said.decision_id, said.size)

    def _take_leave(self, leave: LeaveSaid, arrival: Arrival) -> None:
        detail = f"the bot sent Leave: {leave.reason}" if leave.reason else "the bot sent Leave"
        for place in self.places.all():
            if leave.table in (None, place.table):
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
        asked = self.places.asked(decision_id) if decision_id is not None else None
        if asked is None:
            ports = [place.port for place in self.places.all()]
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
        self._waiting.clear()
        at_ns = self.now()
        for place in self.places.all():
            place.port.on_gone(kind, detail, at_ns)
        self._link.close(error)

    def lose_deaf(self, words: str) -> None:
        """Give up a bot that reads nothing."""
        self.lose(FaultKind.NOT_READING, words, _ending(Reason.TOO_MANY_MESSAGES, words))

    def say_goodbye(self, reason: GoodbyeReason, grace_ms: int) -> None:
        """Tell the bot that nothing more comes; its stream then ends OK.

        What waits behind a write in flight still goes out first, if the bot reads.
        """
        if self.is_gone:
            return
        if self.places.all():
            raise AssertionError("goodbye to a bot that is still playing")
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

    def send(self, data: bytes) -> None:  # noqa: ARG002  # the Link's
        raise LinkClosed

    def when_idle(self, callback: Callable[[], None]) -> None:
        callback()

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
