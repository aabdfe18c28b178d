"""What a bot's author is told beside it while it plays elsewhere."""

import pytest

from arena.bots.author_words import MOST_REFUSED, AuthorWords
from arena.bots.manifest import Manifest, Talk
from arena.v1 import match_pb2, play_pb2, seat_pb2

LATE = [seat_pb2.SeatEvent(late=seat_pb2.Late(limit_ms=100, think_ms=111))]


class Author:
    """What an author was told of one bot."""

    def __init__(self, unfinished: bytes = b"") -> None:
        manifest = Manifest(name="x", version="1", run=("perl", "x"), protocol=Talk.LINES)
        self.told: list[str] = []
        self.words = AuthorWords(manifest, self.told.append, lambda: unfinished)

    def starts(self, seat: int) -> None:
        """Announce a match at table 1."""
        started = play_pb2.MatchStarted(table=1, seat=seat)
        self.words.heard(play_pb2.RefereeMessage(match_started=started))

    def is_late(self) -> None:
        """Ask again after a decision that was played by the referee."""
        self.words.heard(play_pb2.RefereeMessage(decision=play_pb2.Decision(news=LATE)))

    def ends(self, kind: match_pb2.TerminationKind.ValueType, seat: int | None) -> None:
        """End the match at table 1."""
        termination = match_pb2.Termination(kind=kind, seat=seat)
        result = match_pb2.MatchResult(termination=termination)
        ended = play_pb2.MatchEnded(table=1, result=result)
        self.words.heard(play_pb2.RefereeMessage(match_ended=ended))


def test_a_bot_that_is_late_and_was_never_heard_is_suspected_once() -> None:
    author = Author()
    author.is_late()
    author.is_late()
    (told,) = author.told
    assert told.startswith("late: more than 100 ms; nothing has ever come from its stdout")
    assert told.endswith("the cure: $| = 1")


def test_news_without_a_question_tell_of_it_too() -> None:
    author = Author(unfinished=b'{"answer":')
    author.words.heard(play_pb2.RefereeMessage(update=play_pb2.Update(news=LATE)))
    assert "a line that has no end" in author.told[0]


def test_a_bot_that_has_spoken_is_not_suspected() -> None:
    author = Author()
    author.words.note_spoken()
    author.is_late()
    assert author.told == []


def test_refusals_are_told_until_they_repeat_too_often() -> None:
    """The referee's and those of lines that never reach it alike."""
    author = Author()
    for number in range(MOST_REFUSED):
        rejected = play_pb2.Rejected(message=f"no {number}")
        author.words.heard(play_pb2.RefereeMessage(rejected=rejected))
        author.words.refused(f"nor {number}")
    assert author.told[:2] == ["refused: no 0", "refused: nor 0"]
    assert author.told[-1] == "refused: no 2; further refusals are not told here"
    assert len(author.told) == MOST_REFUSED


@pytest.mark.parametrize(("culprit", "is_told"), [(1, True), (0, False), (None, False)])
def test_a_match_that_this_bot_forfeits_is_told(culprit: int | None, *, is_told: bool) -> None:
    author = Author()
    author.starts(seat=1)
    author.ends(match_pb2.TERMINATION_KIND_FORFEIT_FAULTS, culprit)
    told = ["match ended: forfeit_faults by this bot (seat 1)"] if is_told else []
    assert author.told == told
