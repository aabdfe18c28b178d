"""Whoever forfeits does not win a pairing by it."""

from arena.record.match_row import MatchRow
from arena.rules.presets import PRESETS
from arena.rules.ruleset import Ruleset
from arena.tournament.meeting import Meeting, meetings_of
from tests.tournament.results import all_rows, event_of, forfeited

GAMELAKE, PAGAT = PRESETS["gamelake-4"], PRESETS["pagat-4"]


def meeting_of(rows: list[MatchRow], ruleset: Ruleset) -> Meeting:
    """Give the meeting of a (index 0, at home) and b."""
    (meeting,) = meetings_of([(0, 1)], ["a", "b"], rows, ruleset=ruleset)
    return meeting


def test_boards_left_count_by_what_they_cost() -> None:
    # a wins every board 8-3, in four matches of two; it leaves the first one's second board.
    event = event_of("a", "b")
    home = {0: (8, 3), 1: (3, 8)}
    rows = list(all_rows(event, lambda match, _: home[match.orientation]))
    assert meeting_of(rows, GAMELAKE).lead == (0, 8 * 5)
    rows[0] = forfeited(rows[0], side=0, finished=1)
    assert meeting_of(rows, GAMELAKE).lead == (0, 7 * 5 - 11)
    assert meeting_of(rows, PAGAT).lead == (0, 7 * 5 - 35)
    rows[0] = forfeited(rows[0], side=0, finished=0)
    meeting = meeting_of(rows, PAGAT)
    assert (meeting.lead, meeting.winner) == ((0, 6 * 5 - 35 - 11), 1)


def test_a_lost_match_to_a_target_is_not_saved_by_leaving_it_early() -> None:
    # Each wins a match to 21 at home, 35-20; a leaves the second before a card is played.
    event = event_of("a", "b", boards=1, boards_per_match=None)
    rows = list(all_rows(event, lambda *_: (7, 4)))
    assert meeting_of(rows, GAMELAKE).lead == (0, 0)
    left = forfeited(rows[1], side=1, finished=0)
    meeting = meeting_of([rows[0], left], GAMELAKE)
    assert (meeting.lead, meeting.winner) == ((0, 35 - 20 - (20 + 11)), 1)
    left = forfeited(rows[1], side=0, finished=0)
    assert meeting_of([rows[0], left], GAMELAKE).lead == (2, 35 - 20 + (20 + 11))
