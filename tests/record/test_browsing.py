"""A reader goes through a match by card, trick and deal, both ways."""

import pytest

from arena.record.browsing import Browsing, Move
from arena.record.read import MatchRecord, read_log
from arena.record.text import replay_lines
from arena.rules.events import CardPlayed
from tests.record.make_golden import GOLDENS, Golden, goldens


@pytest.fixture
def record() -> MatchRecord:
    """Read a log of two deals."""
    return read_log(GOLDENS / "gamelake-4.completed.jsonl")


def cards_shown(browsing: Browsing) -> int:
    """Count the cards that the page shows as played."""
    return sum(line.count(":") for line in browsing.page() if line.startswith("  trick"))


def test_each_card_forward_shows_one_more_and_back_one_less(record: MatchRecord) -> None:
    browsing = Browsing(record)
    seen = [cards_shown(browsing)]
    for _ in range(39):
        browsing.go(Move.CARD_ON)
        seen.append(cards_shown(browsing))
    assert seen == list(range(40))
    for count in reversed(range(39)):
        browsing.go(Move.CARD_BACK)
        assert cards_shown(browsing) == count
    browsing.go(Move.CARD_BACK)
    assert cards_shown(browsing) == 0


def test_tricks_and_deals_are_left_at_their_edges(record: MatchRecord) -> None:
    browsing = Browsing(record)
    browsing.go(Move.TRICK_ON)
    assert (browsing.stop.trick, cards_shown(browsing)) == (2, 4)
    browsing.go(Move.CARD_ON)
    browsing.go(Move.TRICK_BACK)
    assert (browsing.stop.trick, cards_shown(browsing)) == (2, 4)
    browsing.go(Move.DEAL_ON)
    assert (browsing.stop.deal, browsing.stop.trick, cards_shown(browsing)) == (2, 1, 0)
    browsing.go(Move.CARD_BACK)
    assert (browsing.stop.deal, browsing.stop.trick, cards_shown(browsing)) == (1, 0, 40)
    browsing.go(Move.DEAL_BACK)
    assert (browsing.stop.deal, cards_shown(browsing)) == (1, 0)


@pytest.mark.parametrize("golden", tuple(goldens()), ids=lambda golden: golden.name)
def test_the_last_page_is_the_whole_replay_and_every_page_can_be_told(golden: Golden) -> None:
    record = read_log(golden.path)
    for seat in (None, 0):
        browsing = Browsing(record, seat)
        pages = []
        for _ in range(30):
            pages.append(browsing.page())
            browsing.go(Move.TRICK_ON)
        browsing.go(Move.LAST)
        assert browsing.page() == list(replay_lines(record, seat))
        ends = [page for page in pages if any("The log ends here" in line for line in page)]
        assert record.complete
        assert ends == []


def test_a_seats_pages_show_no_other_seats_cards(record: MatchRecord) -> None:
    browsing = Browsing(record, 1)
    played = {line.event.card for line in record.lines if isinstance(line.event, CardPlayed)}
    assert len(played) == 40
    assert not [line for line in browsing.page() if line.startswith("  seat 0   ")]
    assert [line for line in browsing.page() if line.startswith("  hand     ")]
