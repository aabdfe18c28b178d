"""Author's words: what a bot's author is told beside it while it plays elsewhere.

Owns which of the referee's and the adapter's messages an author must read to mend the bot,
and how many of them. Must not know pipes or streams. Source: issue "The whole wire" 3
(bots that never flush are told so); requirements.md E ("the author sees why").
"""

from collections.abc import Callable, Iterable
from typing import Final

from arena.bots.manifest import Manifest
from arena.bots.silence import silence_hint
from arena.v1 import match_pb2, play_pb2, seat_pb2

MOST_REFUSED: Final = 5
"""Refusals that are told; a bot that makes one mistake makes it a thousand times."""


class AuthorWords:
    """Tells an author what goes wrong.

    Args:
        manifest: The bot's.
        tell: Takes one line at a time.
        unfinished: Gives what has come from the bot's stdout since the last end of a line.
    """

    def __init__(
        self, manifest: Manifest, tell: Callable[[str], None], unfinished: Callable[[], bytes]
    ) -> None:
        self._manifest = manifest
        self._tell = tell
        self._unfinished = unfinished
        self._has_spoken = False
        self._has_told_silence = False
        self._refused = 0
        self._seats: dict[int, int] = {}

    def note_spoken(self) -> None:
        """Note that a whole line came from the bot."""
        self._has_spoken = True

    def heard(self, message: play_pb2.RefereeMessage) -> None:
        """Tell what of a message to the bot is for its author too."""
        match message.WhichOneof("message"):
            case "match_started":
                self._seats[message.match_started.table] = message.match_started.seat
            case "decision":
                self._look_for_late(message.decision.news)
            case "update":
                self._look_for_late(message.update.news)
            case "rejected":
                self.refused(message.rejected.message)
            case "match_ended":
                self._ended(message.match_ended)
            case _:
                pass

    def refused(self, why: str) -> None:
        """Tell why something that the bot said was refused."""
        self._refused += 1
        if self._refused <= MOST_REFUSED:
            more = "; further refusals are not told here" if self._refused == MOST_REFUSED else ""
            self._tell(f"refused: {why}{more}")

    def _look_for_late(self, news: Iterable[seat_pb2.SeatEvent]) -> None:
        for event in news:
            if event.HasField("late"):
                self._late(event.late.limit_ms)

    def _late(self, limit_ms: int) -> None:
        if not (self._has_spoken or self._has_told_silence):
            self._has_told_silence = True
            hint = silence_hint(self._manifest, self._unfinished())
            self._tell(f"late: more than {limit_ms} ms; {hint}")

    def _ended(self, ended: play_pb2.MatchEnded) -> None:
        seat = self._seats.pop(ended.table, None)
        termination = ended.result.termination
        if termination.HasField("seat") and termination.seat == seat:
            name = match_pb2.TerminationKind.Name(termination.kind)
            kind = name.removeprefix("TERMINATION_KIND_").lower()
            self._tell(f"match ended: {kind} by this bot (seat {seat})")
