"""When a match ends, and who has won it."""

from arena.rules.dealing import DealtCards
from arena.rules.events import DealScored, DealStarted
from arena.rules.match import Match, MatchScore
from arena.rules.notation import parse_cards
from arena.rules.presets import PRESETS, parse_ruleset
from tests.rules.positions import match_on, play_deal, play_out

GL = PRESETS["gamelake-4"]

# Two tricks. Whoever leads from the first hand takes the aces' trick and the last one.
STRONG = (
    parse_cards("DA D3"),
    parse_cards("C4 C5"),
    parse_cards("CA C6"),
    parse_cards("S4 S5"),
)
# Each side takes one trick: the leader's the first, the other one the last.
EVEN = (
    parse_cards("D4 C4"),
    parse_cards("D5 SA"),
    parse_cards("D3 S4"),
    parse_cards("DA S3"),
)


def turned(hands: tuple[tuple[object, ...], ...], by: int) -> DealtCards:
    """The same hands, held by other seats."""
    return DealtCards(tuple(hands[(seat - by) % 4] for seat in range(4)))  # type: ignore[misc]


def test_boards_are_played_whatever_the_totals() -> None:
    """In boards mode nothing else ends the match."""
    match = match_on(parse_ruleset("gamelake-4:target=1"), turned(STRONG, 0), boards=3)
    events = list(play_out(match))
    assert [e.board for e in events if isinstance(e, DealStarted)] == [1, 2, 3]
    assert match.deals_played == 3
    assert match.result.drawn_at_limit is False


def test_the_higher_total_over_the_boards_wins() -> None:
    """Or nobody, when totals are equal."""
    match = match_on(GL, turned(STRONG, 0), boards=1)
    score = play_deal(match)
    assert match.result == MatchScore(totals=score.totals, winner=0, drawn_at_limit=False)
    match = match_on(GL, turned(STRONG, 0), turned(STRONG, 1), boards=2)
    list(play_out(match))
    assert match.totals[0] == match.totals[1]
    assert match.result.winner is None


def test_the_first_side_at_the_target_wins() -> None:
    """GL "How to win"; looked at when a deal is over."""
    match = match_on(parse_ruleset("gamelake-4:target=5"), turned(STRONG, 0), boards=None)
    scores = [event for event in play_out(match) if isinstance(event, DealScored)]
    assert max(scores[-1].totals) >= 5
    assert all(max(score.totals) < 5 for score in scores[:-1])
    assert match.result.winner == scores[-1].totals.index(max(scores[-1].totals))


def test_another_deal_follows_when_both_reach_the_target_equal() -> None:
    """GL "How to win", CZ §4."""
    ruleset = parse_ruleset("gamelake-4:target=4")
    match = match_on(ruleset, turned(STRONG, 0), turned(STRONG, 1), turned(STRONG, 2), boards=None)
    first = play_deal(match)
    points = first.points[0]
    assert first.points == (points, 0)
    ruleset = parse_ruleset(f"gamelake-4:target={points + 1}")
    match = match_on(ruleset, turned(STRONG, 0), turned(STRONG, 1), turned(STRONG, 2), boards=None)
    scores = [event for event in play_out(match) if isinstance(event, DealScored)]
    assert [score.totals for score in scores] == [
        (points, 0),
        (points, points),
        (2 * points, points),
    ]
    assert match.result == MatchScore(totals=(2 * points, points), winner=0, drawn_at_limit=False)


def even_match(ruleset_text: str) -> Match:
    return match_on(
        parse_ruleset(ruleset_text),
        turned(EVEN, 0),
        turned(EVEN, 1),
        turned(EVEN, 2),
        boards=None,
    )


def test_an_extra_deal_follows_when_both_reach_the_target_at_once() -> None:
    """IT ¶6: whatever the totals; after it the higher total wins, and so on while equal."""
    probe = play_deal(even_match("italian-tournament:target=99"))
    assert probe.points == (1, 2)
    match = even_match("italian-tournament:target=1")
    scores = [event for event in play_out(match) if isinstance(event, DealScored)]
    assert [score.totals for score in scores] == [
        (1, 2),
        (3, 3),
        (4, 5),
    ]
    assert match.result.winner == 1


def test_the_same_deals_end_at_once_elsewhere() -> None:
    """CZ and GL: the higher total wins when both reach the target."""
    match = even_match("cardgames-zone-4:target=1")
    list(play_out(match))
    assert match.deals_played == 1
    assert match.result.winner is not None


def test_a_match_that_cannot_end_is_drawn_at_the_limit() -> None:
    """rules.md §4, max_deals."""
    match = even_match("italian-tournament:target=1,max_deals=2")
    list(play_out(match))
    assert match.deals_played == 2
    assert match.result == MatchScore(totals=match.totals, winner=None, drawn_at_limit=True)


def test_a_match_decided_in_the_last_deal_allowed_is_won() -> None:
    """The limit draws only what is still open."""
    match = even_match("italian-tournament:target=1,max_deals=3")
    list(play_out(match))
    assert match.deals_played == 3
    assert match.result.winner is not None
    assert not match.result.drawn_at_limit
