"""Session: the connection of one bot process, from its Join to its end.

Owns the ``sequence`` of messages and the one outgoing frame. Whoever has something for the
bot appends it; the frame leaves when no write is in flight, so that messages batch without
added delay. Must not know rules, tables or processes: it hands on what the bot says to its
:mod:`arena.server.places`.
Source: protocol.md ("Play", "Rules of the wire" 3, 4, 9).
"""

from collections.abc import Callable
from typing import Final, assert_never

import trio

from arena.referee.faults import FaultKind, Reason
from arena.referee.messages import Arrival, Reject
from arena.server.arrivals import now_ns
from arena.server.kept_messages import KeptMessages
from arena.server.link import Link, LinkClosed, LinkError, Received
from arena.server.places import Places, SeatPort
from arena.server.turns import TurnMeter
from arena.v1 import play_pb2
from arena.wire import to_bot
from arena.wire.codec import Codec
from arena.wire.said import AnswerSaid, BotSaid, JoinSaid, LeaveSaid, ReadySaid, Unreadable
from arena.wire.status import CODE_OF_REASON
from arena.wire.terms import (
    FRAME_BYTES,
    FRAME_MESSAGES,
    MESSAGES_PER_DECISION,
    GoodbyeReason,
    Limits,
    Resumed,
)

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
        can_resume: Whether the bot may come back with a new stream (remote bots).
        now: The clock (ns) that stamps what the link receives.

    Attributes:
        limits: What the bot may send.
        places: The tables that it plays at.
        is_gone: Whether the session is over for tables; ``gone_kind`` and ``gone_detail``
            say how it ended.
        is_lost: Whether its stream broke and it may still come back.
        has_spoken: Whether anything has come from the bot since it joined.
        write_started_ns: When the latest write started.
        ready_ns: When it first was ready for a match; None: never.
        bytes_in: Bytes received from the bot; ``bytes_out`` sent to it.
        meter: What counts and stops the bot's processes by its turns, if anything does.
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
        can_resume: bool = False,
        now: Callable[[], int] = now_ns,
    ) -> None:
        self.joined = joined
        self.capacity = capacity
        self.limits = Limits(messages_per_decision=MESSAGES_PER_DECISION * capacity)
        self.places = Places(capacity)
        self.implies_ready = implies_ready
        self.has_spoken = False
        self.now = now
        self.joined_ns = now()
        self.is_gone = False
        self.is_lost = False
        self.gone_kind = FaultKind.CRASHED
        self.gone_detail = "its session is over"
        self.write_started_ns = 0
        self.meter: TurnMeter | None = None
        self.ready_ns: int | None = None
        self.bytes_in = 0
        self.bytes_out = 0
        self.last_words: Callable[[], str] = str
        """What is known of its process by now, its last lines of stderr among it."""
        self._silence_hint = silence_hint
        self._link = link
        self._codec = codec
        self._sequence = 0
        self._said = 0
        self._said_since = 0
        self._waiting: list[tuple[play_pb2.RefereeMessage, OnWritten | None]] = []
        self._spoken_to: list[SeatPort] = []
        self._says_goodbye = False
        self._is_flushing_soon = False
        self._kept = KeptMessages() if can_resume else None
        self._changed = trio.Event()
        link.on_idle = self.flush_soon

    @property
    def is_remote(self) -> bool:
        """Whether the bot runs elsewhere."""
        return self._kept is not None

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
        if self._kept is not None:
            self._kept.append(message)

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
        if self.meter is not None and self._waiting:
            self.meter.wake()
        while self._waiting and not link.is_busy:
            data, count = self._encode_frame()
            batch = self._waiting[:count]
            del self._waiting[:count]
            self.bytes_out += len(data)
            started_ns = self.write_started_ns = self.now()
            try:
                link.send(data)
            except LinkClosed:
                self._waiting[:0] = batch
                self._lose_stream()
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
        """Take in what the bot says until its stream ends or the session is lost.

        A session that can be resumed goes on with the bot's next stream.
        """
        while True:
            link = self._link
            await link.deliver(self._take_in)
            if not self._may_come_back():
                return
            if link is self._link:  # else the next stream has replaced it
                self._note_lost()
                await self._changed.wait()

    def _take_in(self, received: Received) -> None:
        """Take in a frame; what all of its messages bring about is sent after the last one."""
        self.has_spoken = True
        self.bytes_in += len(received.data)
        frame = self._codec.decode(received.data)
        self._count(len(frame) or 1)
        for said in frame:
            if self.is_gone:
                break
            self._take(said, received.arrival)
        while self._spoken_to:
            self._spoken_to.pop().on_frame_end()
        self.flush_soon()

    def _count(self, messages: int) -> None:
        """Count what the bot says since it was last asked anything; too much is a flood."""
        asked = self.places.last_decision
        if asked != self._said_since:
            self._said_since = asked
            self._said = 0
        self._said += messages
        most = self.limits.messages_per_decision
        if self._said > most:
            words = f"{self._said} messages since its latest decision; allowed are {most}"
            self.lose(FaultKind.FLOOD, words, _ending(Reason.TOO_MANY_MESSAGES, words))

    def _take(self, said: BotSaid, arrival: Arrival) -> None:
        match said:
            case AnswerSaid():
                self._take_answer(said, arrival)
            case ReadySaid():
                place = self.places.at(said.table)
                if place is not None:
                    self.ready_ns = self.ready_ns or arrival.earliest_ns
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
            place.port.on_answer(number, said, arrival, self._said)
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
        self._changed.set()
        self._waiting.clear()
        at_ns = self.now()
        for place in self.places.all():
            place.port.on_gone(kind, detail, at_ns)
        self._link.close(error)

    def lose_deaf(self, words: str) -> None:
        """Give up a bot that reads nothing; a remote one may come back with another stream."""
        if self._kept is not None:
            self._link.close(_ending(Reason.TOO_MANY_MESSAGES, words))
            return
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
        self._changed.set()
        self.flush()

    # --- a stream that breaks, and the next one -----------------------------------------

    def resume(self, link: Link, *, resume_after: int | None, server: str) -> None:
        """Go on with another stream of the same bot; the one before, if it lives, is over.

        Args:
            link: The new stream, whose Join was read.
            resume_after: The last message that the bot has, as its Join says.
            server: The arena's version, told in Welcome.
        """
        if self._kept is None or self.is_gone:
            raise AssertionError("this session cannot be resumed")
        before, self._link = self._link, link
        before.on_idle = None
        link.on_idle = self.flush_soon
        before.close(_ending(Reason.REPLACED, "the same token has joined again"))
        self._forget_waiting()
        missed = self._kept.after(resume_after)
        resumed = Resumed.SNAPSHOT if missed is None else Resumed.CONTINUED
        welcome = to_bot.welcome(
            capacity=self.capacity, server_version=server, limits=self.limits, resumed=resumed
        )
        if missed is None:
            self.queue(welcome)
            for place in self.places.all():
                place.port.on_snapshot()
        else:
            welcome.sequence = resume_after or 0  # so that the bot counts on without a gap
            self._waiting = [(message, None) for message in (welcome, *missed)]
        self.is_lost = False
        self._changed.set()
        self._changed = trio.Event()
        at_ns = self.now()
        for place in self.places.all():
            place.port.on_returned(at_ns)
        self.flush()

    def queue_again(self, decision: play_pb2.RefereeMessage) -> None:
        """Append a pending decision for a bot that is back; what it missed may hold it already.

        There it keeps its news and its place, and only its times change.
        """
        for message, _ in self._waiting:
            wire = message.decision
            if message.HasField("decision") and wire.decision_id == decision.decision.decision_id:
                wire.time_limit_ms = decision.decision.time_limit_ms
                wire.bank_ms = decision.decision.bank_ms
                return
        self.queue(decision)

    def _may_come_back(self) -> bool:
        return self._kept is not None and not self.is_gone

    def _lose_stream(self) -> None:
        """Take note that nothing can be written: a local bot is gone, a remote one only lost."""
        if self._kept is None:
            self.lose(FaultKind.CRASHED, "its stream is closed")
        else:
            self._forget_waiting()

    def _note_lost(self) -> None:
        """Tell the tables that the stream is over; messages are kept until the bot is back."""
        self.is_lost = True
        self._forget_waiting()
        at_ns = self.now()
        for place in self.places.all():
            place.port.on_lost(at_ns)

    def _forget_waiting(self) -> None:
        """Count as written what waits: it is kept, and clocks run on without a stream."""
        now = self.now()
        while self._waiting:
            _, on_written = self._waiting.pop(0)
            if on_written is not None:
                on_written(now)


def _ending(reason: Reason, words: str) -> LinkError:
    return LinkError(CODE_OF_REASON[reason], reason.name, words)
