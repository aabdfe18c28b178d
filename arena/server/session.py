"""Session: the connection of one bot process, from its Join to its end.

Owns when its one outgoing frame leaves: whoever has something for the bot appends it to
:mod:`arena.server.outgoing`, and the frame leaves when no write is in flight, so that
messages batch without added delay. Must not know rules, tables or processes: it hands on
what the bot says to its :mod:`arena.server.places`.
Source: protocol.md ("Play", "Rules of the wire" 3, 4, 9).
"""

from collections.abc import Callable
from typing import assert_never

import trio

from arena.referee.faults import FaultKind, Reason
from arena.referee.messages import Arrival, Reject
from arena.server.allowance import Allowance
from arena.server.arrivals import now_ns
from arena.server.crowds import CROWDS
from arena.server.endings import JOINED_ALREADY, full_text, left_text, never_asked, no_table
from arena.server.link import Link, LinkClosed, LinkError, Received, ending
from arena.server.outgoing import MAX_QUEUED, OnWritten, Outgoing
from arena.server.places import Places, SeatPort
from arena.server.returns import Returns
from arena.server.tally import Tally
from arena.server.turns import TurnMeter
from arena.v1 import play_pb2
from arena.wire import to_bot
from arena.wire.codec import Codec
from arena.wire.said import AnswerSaid, BotSaid, JoinSaid, LeaveSaid, ReadySaid, Unreadable
from arena.wire.terms import GoodbyeReason, Limits, Resumed


class Session:
    """One joined bot. Created by :mod:`arena.server.admission`.

    Args:
        link: Its bytes.
        codec: How these are messages.
        joined: What the bot said of itself.
        capacity: Tables at once at most.
        implies_ready: Whether the bot is ready as soon as its MatchStarted is written.
        silence_hint: Says what to suspect where nothing ever comes from it.
        can_resume: Whether the bot may come back with a new stream (remote bots).
        now: The clock (ns) that stamps what the link receives.

    Attributes:
        limits: What the bot may send.
        places: The tables that it plays at.
        is_gone: Whether it is over for tables; ``gone_kind`` and ``gone_detail`` say how.
        is_lost: Whether its stream broke and it may still come back.
        was_given_up: Whether a match was forfeited for that since it was last there.
        has_spoken: Whether anything has come from the bot since it joined.
        write_started_ns: When the latest write started.
        tally: What it came to, for the event's log.
        says_goodbye: Whether the arena has ended it in peace.
        is_watched: Whether somebody waits for the end of its process, to say how that was.
        meter: What counts and stops the bot's processes by its turns, if anything does.
        repeats_decisions: Whether each decision is sent twice, as a bot may get it that comes
            back: what a check tries.
    """

    def __init__(
        self,
        link: Link,
        codec: Codec,
        *,
        joined: JoinSaid,
        capacity: int,
        implies_ready: bool = False,
        silence_hint: Callable[[], str] = str,
        can_resume: bool = False,
        now: Callable[[], int] = now_ns,
    ) -> None:
        self.joined = joined
        self.capacity = capacity
        self.limits = Limits.for_capacity(capacity)
        self.places = Places(capacity)
        self.implies_ready = implies_ready
        self.has_spoken = False
        self.now = now
        self.joined_ns = now()
        self.is_gone = False
        self.is_lost = False
        self.was_given_up = False
        self.is_watched = False
        self.gone_kind = FaultKind.CRASHED
        self.gone_detail = "its session is over"
        self.write_started_ns = 0
        self.meter: TurnMeter | None = None
        self.repeats_decisions = False
        self.tally = Tally()
        self.says_goodbye = False
        self.last_words: Callable[[], str] = str
        """What is known of its process by now, its last lines of stderr among it."""
        self._silence_hint = silence_hint
        self._link = link
        self._codec = codec
        self._allowance = Allowance(self.limits, self.joined_ns)
        self._returns = Returns(self.joined_ns)
        self._out = Outgoing(codec, keeps=can_resume)
        self._spoken_to: list[SeatPort] = []
        self._is_flushing_soon = False
        self._changed = trio.Event()
        link.on_idle = self.flush_soon

    @property
    def is_remote(self) -> bool:
        """Whether the bot runs elsewhere."""
        return self._out.keeps

    @property
    def is_writing(self) -> bool:
        """Whether a write is in flight (the bot may not be reading)."""
        return self._link.is_busy

    @property
    def silence_hint(self) -> str:
        """The likely cause of a silence so far unbroken; "" once anything has come."""
        return "" if self.has_spoken else self._silence_hint()

    # --- out ----------------------------------------------------------------------

    def queue(self, message: play_pb2.RefereeMessage, on_written: OnWritten | None = None) -> None:
        """Append a message to the outgoing frame; nothing is queued for a bot that is gone."""
        if self.is_gone:
            return
        if self._out.is_full:
            self.lose_deaf(full_text(MAX_QUEUED))
            return
        self._out.append(message, on_written)
        if self.repeats_decisions and message.HasField("decision"):
            again = play_pb2.RefereeMessage()
            again.CopyFrom(message)
            again.decision.ClearField("news")
            self._out.append(again, None)

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
        out = self._out
        if self.meter is not None and out:
            self.meter.wake()
        while out and not link.is_busy:
            frame = out.take_frame()
            self.tally.bytes_out += len(frame.data)
            started_ns = self.write_started_ns = self.now()
            try:
                link.send(frame.data)
            except LinkClosed:
                out.put_back(frame)
                self._lose_stream()
                return
            frame.note_written(started_ns)
        if self.says_goodbye and not out:
            link.close()

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
        self.tally.bytes_in += len(received.data)
        frame = self._codec.decode(received.data)
        self._count(len(frame) or 1, len(received.data), received.arrival)
        for said in frame:
            if self.is_gone:
                break
            self._take(said, received.arrival)
        while self._spoken_to:
            self._spoken_to.pop().on_frame_end()
        self.flush_soon()

    def _count(self, messages: int, size: int, arrival: Arrival) -> None:
        """Count what the bot says; more than it was told it may say is a flood."""
        CROWDS.count(self, messages, size, self.capacity, arrival.earliest_ns)
        words = self._allowance.count(messages, self.places.last_decision, arrival.latest_ns)
        if words is not None:
            self.lose(FaultKind.FLOOD, words, ending(Reason.TOO_MANY_MESSAGES, words))

    def _take(self, said: BotSaid, arrival: Arrival) -> None:
        match said:
            case AnswerSaid():
                self._take_answer(said, arrival)
            case ReadySaid():
                place = self.places.at(said.table)
                if place is not None:
                    self.tally.note_ready(arrival.earliest_ns)
                    self._spoken_to.append(place.port)
                    place.port.on_ready(arrival.earliest_ns)
                elif not self.places.was_taken(said.table):  # else it crossed with MatchEnded
                    self._misfit(Reason.UNKNOWN_MESSAGE, no_table(said.table), arrival)
            case LeaveSaid():
                self._take_leave(said, arrival)
            case JoinSaid():
                self._misfit(Reason.UNKNOWN_MESSAGE, JOINED_ALREADY, arrival)
            case Unreadable(reason=Reason.TOO_MANY_MESSAGES | Reason.TOO_LARGE):
                self.lose(FaultKind.FLOOD, said.message, ending(said.reason, said.message))
            case Unreadable():
                self._misfit(said.reason, said.message, arrival, said.decision_id, said.size)
            case _:
                assert_never(said)

    def _take_answer(self, said: AnswerSaid, arrival: Arrival) -> None:
        asked = self.places.asked(said.decision_id)
        if asked is not None:
            self.tally.answers += 1
            place, number = asked
            self._spoken_to.append(place.port)
            place.port.on_answer(number, said, arrival, self._allowance.said // self.capacity)
        elif self.places.was_asked(said.decision_id):
            self._reject(Reason.STALE, "too late: this decision is long over", said.decision_id)
        else:
            message = never_asked(said.decision_id, self.places.last_decision)
            self._misfit(Reason.UNKNOWN_DECISION, message, arrival, said.decision_id, said.size)

    def _take_leave(self, leave: LeaveSaid, arrival: Arrival) -> None:
        detail = left_text(leave.reason)
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
            self.tally.refused = message
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
        self._out.clear()
        at_ns = self.now()
        for place in self.places.all():
            place.port.on_gone(kind, detail, at_ns)
        self._link.close(error)

    def lose_deaf(self, words: str) -> None:
        """Give up a bot that reads nothing; a remote one may come back with another stream."""
        if self.is_remote:
            self._link.close(ending(Reason.TOO_MANY_MESSAGES, words))
            return
        self.lose(FaultKind.NOT_READING, words, ending(Reason.TOO_MANY_MESSAGES, words))

    def say_goodbye(self, reason: GoodbyeReason, grace_ms: int) -> None:
        """Tell the bot that nothing more comes; its stream then ends OK.

        What waits behind a write in flight still goes out first, if the bot reads.
        """
        if self.is_gone:
            return
        if self.places.all():
            raise AssertionError("goodbye to a bot that is still playing")
        self.queue(to_bot.goodbye(reason, grace_ms))
        self.is_gone = self.says_goodbye = True
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
        if not self._may_come_back():
            raise AssertionError("this session cannot be resumed")
        before, self._link = self._link, link
        self.tally.streams += 1
        before.on_idle = None
        link.on_idle = self.flush_soon
        before.close(ending(Reason.REPLACED, "the same token has joined again"))
        if (words := self._returns.count(self.now())) is not None:
            self.lose(FaultKind.FLOOD, words, ending(Reason.TOO_MANY_MESSAGES, words))
            return
        self._out.forget_waiting(self.now())
        missed = self._out.missed(resume_after)
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
            self._out.repeat(welcome, missed)
        self.is_lost = self.was_given_up = False
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
        wire = self._out.decision(decision.decision.decision_id)
        if wire is None:
            self.queue(decision)
        else:
            wire.time_limit_ms = decision.decision.time_limit_ms
            wire.bank_ms = decision.decision.bank_ms

    def _may_come_back(self) -> bool:
        return self.is_remote and not self.is_gone

    def _lose_stream(self) -> None:
        """Take note that nothing can be written: a local bot is gone, a remote one only lost.

        How a bot's process ended says more than a stream that is closed, and comes soon.
        """
        if self.is_remote:
            self._out.forget_waiting(self.now())
        elif self.is_watched:
            self._out.clear()
        else:
            self.lose(FaultKind.CRASHED, "its stream is closed")

    def _note_lost(self) -> None:
        """Tell the tables that the stream is over; messages are kept until the bot is back."""
        self.is_lost = True
        self._out.forget_waiting(self.now())
        at_ns = self.now()
        for place in self.places.all():
            place.port.on_lost(at_ns)
