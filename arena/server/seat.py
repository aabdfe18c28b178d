"""Seat: one seat of a hosted table as the session of its bot sees it.

Owns the translation of what a bot says into inputs of the table. Must not know what comes
of them.
"""

from collections.abc import Callable

from arena.referee.clock import HOST_LAG_FLOOR_NS
from arena.referee.faults import FaultKind, Reason
from arena.referee.judging import CROWD
from arena.referee.messages import (
    Answered,
    Arrival,
    BotGone,
    BotLost,
    BotReady,
    BotReturned,
    Input,
    Misfit,
)
from arena.server.crowds import CROWDS
from arena.server.session import Session
from arena.v1 import play_pb2
from arena.wire.said import AnswerSaid


class Seat:
    """The :class:`arena.server.places.SeatPort` of one seat.

    Args:
        seat: Its number in the match.
        session: Whose it is; it gives the table a number.
        take: Brings an input to the table; nothing is sent before ``send_out``.
        send_out: Sends the bots of the table what was said to them.
        seat_of: Names the seat of a session at this table; None if it has none.
    """

    __slots__ = ("_seat_of", "_send_out", "_take", "announcement", "place", "seat", "session")

    def __init__(
        self,
        seat: int,
        session: Session,
        *,
        take: Callable[[Input], None],
        send_out: Callable[[], None],
        seat_of: Callable[[object], int | None],
    ) -> None:
        self.seat = seat
        self.session = session
        self.announcement: play_pb2.RefereeMessage | None = None
        """Its MatchStarted, once that was said."""
        self.place = session.places.take(self)
        self._take = take
        self._send_out = send_out
        self._seat_of = seat_of

    def on_ready(self, at_ns: int) -> None:
        """Bring the bot's Ready to the table."""
        self._take(BotReady(seat=self.seat, at_ns=at_ns))

    def on_announced(self, at_ns: int) -> None:
        """Be ready, where that need not be said: the bot's MatchStarted is written."""
        self.session.tally.note_ready(at_ns)
        self.on_ready(at_ns)
        self._send_out()

    def on_answer(self, number: int, said: AnswerSaid, arrival: Arrival, crowd: int) -> None:
        """Bring an answer to the table."""
        meter = self.session.meter
        crowd_seat: int | None = self.seat
        if crowd <= CROWD and arrival.latest_ns - arrival.earliest_ns > HOST_LAG_FLOOR_NS:
            crowder, crowd = CROWDS.largest(arrival.earliest_ns)
            crowd_seat = self._seat_of(crowder)
        self._take(
            Answered(
                cpu_us=None if meter is None else meter.spent_us(),
                seat=self.seat,
                number=number,
                answer=said.answer,
                arrival=arrival,
                value_thirds=said.value_thirds,
                note=said.note,
                size=said.size,
                crowd=crowd,
                crowd_seat=crowd_seat,
            )
        )

    def on_misfit(
        self, reason: Reason, message: str, *, number: int | None, size: int, at_ns: int
    ) -> None:
        """Let the table refuse a message."""
        self._take(
            Misfit(
                seat=self.seat,
                reason=reason,
                message=message,
                number=number,
                size=size,
                at_ns=at_ns,
            )
        )

    def on_frame_end(self) -> None:
        """Send what came of the frame."""
        self._send_out()

    def on_lost(self, at_ns: int) -> None:
        """Tell the table that its bot may come back, and the other bots what comes of that."""
        self._take(BotLost(seat=self.seat, at_ns=at_ns))
        self._send_out()

    def on_snapshot(self) -> None:
        """Announce the match again."""
        if self.announcement is not None:
            message = play_pb2.RefereeMessage()
            message.CopyFrom(self.announcement)
            self.session.queue(message)

    def on_returned(self, at_ns: int) -> None:
        """Tell the table that its bot is back, which may be asked something."""
        self._take(BotReturned(seat=self.seat, at_ns=at_ns))
        self._send_out()

    def on_gone(self, kind: FaultKind, detail: str, at_ns: int) -> None:
        """Tell the table that its bot is gone, and the other bots what comes of that."""
        self._take(BotGone(seat=self.seat, kind=kind, detail=detail, at_ns=at_ns))
        self._send_out()
