"""What leaves a table: log, news, refusals and timers, in the order they came about.

Owns the outputs of the input being judged, what seats have still to be told, and which
timers run. Must not know why anything is written, told or timed.
"""

from collections.abc import Iterable

from arena.referee.events import AnswerRejected, AnswerTiming, LogEvent, SeatEvent
from arena.referee.faults import Reason
from arena.referee.messages import CancelTimer, Output, Record, Reject, SetTimer, Tell, Timer
from arena.rules.cards import Card
from arena.rules.events import GameEvent
from arena.rules.observation import is_public, visible_to
from arena.rules.ruleset import Ruleset


class Outbox:
    """Collects the outputs of one input; the news and timers of a table outlive it.

    The news of a seat are a queue, emptied by each message to it. The game bounds it: it
    holds at most what happens between two decisions of its seat, and the end of a deal
    empties it.
    """

    __slots__ = ("_news", "_out", "_ruleset", "_timers", "now_ns")

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._news: list[list[SeatEvent]] = [[] for _ in range(ruleset.seats)]
        self._timers: list[Timer] = []
        self._out: list[Output] = []
        self.now_ns = 0

    def open(self, now_ns: int) -> list[Output]:
        """Begin the outputs of an input that came in at ``now_ns``; the list grows."""
        self.now_ns = now_ns
        self._out = []
        return self._out

    def put(self, output: Output) -> None:
        """Add an output that needs no care."""
        self._out.append(output)

    def record(self, event: LogEvent, timing: AnswerTiming | None = None) -> None:
        """Write an event to the log, at the time of the input."""
        self._out.append(Record(event=event, at_ns=self.now_ns, timing=timing))

    def publish(self, event: GameEvent, timing: AnswerTiming | None = None) -> None:
        """Write an event of the game to the log and let every seat learn what it may see.

        What that is, is decided in :mod:`arena.rules.observation` alone.
        """
        self._out.append(Record(event=event, at_ns=self.now_ns, timing=timing))
        if is_public(event):
            for news in self._news:
                news.append(event)
            return
        for seat, news in enumerate(self._news):
            seen = visible_to(event, seat, self._ruleset)
            if seen is not None:
                news.append(seen)

    def post(self, event: SeatEvent, seats: Iterable[int]) -> None:
        """Let some seats learn of something that is not of the game."""
        for seat in seats:
            self._news[seat].append(event)

    def take_news(self, seat: int) -> tuple[SeatEvent, ...]:
        """Take what a seat has newly learnt, to tell it with a question."""
        news = tuple(self._news[seat])
        self._news[seat].clear()
        return news

    def tell_all(self, *, but: int | None = None) -> None:
        """Tell every seat its news now, without a question; there are some for each.

        Args:
            but: A seat that cannot be told anything any more.
        """
        for seat in range(len(self._news)):
            if seat != but:
                self._out.append(Tell(seat=seat, news=self.take_news(seat)))

    def reject(
        self,
        *,
        seat: int,
        number: int | None,
        reason: Reason,
        message: str,
        size: int,
        allowed: tuple[Card, ...] = (),
    ) -> None:
        """Refuse a message of a seat, and log that, without its content."""
        self._out.append(
            Reject(seat=seat, number=number, reason=reason, message=message, allowed=allowed)
        )
        self.record(AnswerRejected(seat=seat, reason=reason, size=size))

    def set_timer(self, timer: Timer, at_ns: int) -> None:
        """Start a timer."""
        self._timers.append(timer)
        self._out.append(SetTimer(timer=timer, at_ns=at_ns))

    def note_fired(self, timer: Timer) -> bool:
        """Take note that a timer came due; False if it was no longer running."""
        if timer not in self._timers:
            return False
        self._timers.remove(timer)
        return True

    def cancel_timer(self, timer: Timer) -> None:
        """Stop a timer, if it runs."""
        if timer in self._timers:
            self._timers.remove(timer)
            self._out.append(CancelTimer(timer=timer))

    def cancel_all(self) -> None:
        """Stop every timer that runs."""
        self._out.extend(CancelTimer(timer=timer) for timer in self._timers)
        self._timers.clear()
