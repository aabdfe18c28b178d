"""The founding documents' own examples, each cited where it stands.

GL = seeds/000 (GameLake), CZ = seeds/002 (cardgames.zone), IT = seeds/003 (Italian
tournament rules). CZ's players 1, 2, 4, 3 are seats 0, 1, 2, 3: turn order.
"""

from itertools import pairwise

import pytest

from arena.errors import RulesError
from arena.rules.cards import SUIT_CARDS, Card, Suit, cards_of
from arena.rules.deal import Deal
from arena.rules.dealing import DealtCards, dealer_of, leader_of_board
from arena.rules.declarations import claim_points, true_claims
from arena.rules.events import CardDrawn, Claim, ClaimKind, DealScored, Revoke, TrickWon
from arena.rules.match import Match
from arena.rules.notation import format_cards, parse_cards
from arena.rules.options import Signal
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.question import Answer, BadAnswer
from arena.rules.ruleset import Ruleset
from arena.rules.scoring import Phase, card_points, judge_match, score_deal
from tests.rules.positions import dealt_with, legal_at, match_on, only, play_cards, play_deal

GL4 = PRESETS["gamelake-4"]
GL2 = PRESETS["gamelake-2"]
CZ = PRESETS["cardgames-zone-4"]
IT = PRESETS["italian-tournament"]
NAPOLETANA = Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.COINS)


def trick_of(ruleset: Ruleset, *cards: str) -> TrickWon:
    """Play the first of two tricks, led by seat 0, with these cards in turn order."""
    hands = {seat: f"{card} B{4 + seat}" for seat, card in enumerate(cards)}
    match = match_on(ruleset, dealt_with(ruleset, hands, size=2))
    return only(TrickWon, play_cards(match, " ".join(cards)))


# --- GameLake ---------------------------------------------------------------------------


def test_gamelake_order_inside_a_suit() -> None:
    """GL "The deck and the card order": 3, 2, Ace, King, Knight, Knave, 7, 6, 5, 4."""
    strong_to_weak = reversed(cards_of(SUIT_CARDS[Suit.COINS]))
    assert format_cards(strong_to_weak) == "D3 D2 DA DK DH DJ D7 D6 D5 D4"


def test_gamelake_first_picture() -> None:
    """GL "Playing a trick": the Three beats the Ace and the King, another suit never wins."""
    assert trick_of(GL4, "DA", "DK", "D3", "C7") == TrickWon(seat=2, thirds=5)


def test_gamelake_two_seats_deal_ten_and_leave_a_deck_of_twenty() -> None:
    """GL "The deal"; with four the whole deck is dealt out."""
    assert (GL2.hand_size, GL2.stock, GL4.hand_size, GL4.stock) == (10, 20, 10, 0)


def test_gamelake_the_leader_changes_every_deal() -> None:
    """GL "The deal"."""
    for ruleset in (GL2, GL4):
        leaders = [leader_of_board(ruleset, board) for board in range(1, 9)]
        assert all(leader != after for leader, after in pairwise(leaders))


def test_gamelake_the_winner_also_draws_first() -> None:
    """GL "Playing a trick": the other player draws after."""
    match = match_on(GL2, dealt_with(GL2, {0: "S7", 1: "SJ"}, size=2, stock=4))
    events = play_cards(match, "S7 SJ")
    assert [event.seat for event in events if isinstance(event, CardDrawn)] == [1, 0]
    assert match.deal.turn == 1


@pytest.mark.parametrize(
    ("stock", "allowed"), [(0, "CH"), (12, "CH S2 BJ")], ids=["without a deck", "with a deck"]
)
def test_gamelake_following_pictures(stock: int, allowed: str) -> None:
    """GL "Do you have to follow suit?": a cup is led; the hand is the 9 of cups, a 2, an 8."""
    match = match_on(GL2, dealt_with(GL2, {0: "C6 D4 D5", 1: "C9 S2 B8"}, size=3, stock=stock))
    play_cards(match, "C6")
    assert legal_at(match) == parse_cards(allowed)


def test_gamelake_ten_and_two_thirds_count_as_ten() -> None:
    """GL "Points"; cards and last trick make 11⅔, a deal gives out 11."""
    assert card_points((32, 3)) == (10, 1)
    assert sum(card_points((32, 3))) == 11


def test_gamelake_is_played_to_21_or_11() -> None:
    """GL "How to win": reached together and equal, another deal is played."""
    short = parse_ruleset("gamelake-4:target=11")
    assert judge_match(GL4, (21, 16), Phase.NORMAL).winner == 0
    assert judge_match(short, (11, 9), Phase.NORMAL).winner == 0
    assert not judge_match(GL4, (11, 9), Phase.NORMAL).over
    assert not judge_match(GL4, (22, 22), Phase.NORMAL).over


def test_gamelake_plays_without_the_extras() -> None:
    """GL "How to win": no napoletana, no signals between partners."""
    match = match_on(GL4, dealt_with(GL4, {0: "DA D2 D3"}))
    question = match.question
    assert question is not None
    assert (question.declarable, question.signals_allowed) == ((), ())


# --- cardgames.zone ---------------------------------------------------------------------


def test_cardgames_zone_opening_example() -> None:
    """CZ §3: player 3 deals, player 1 on his right leads, and holds a napoletana of coins."""
    assert leader_of_board(CZ, 1) == 0
    assert dealer_of(CZ, 0) == 3
    match = match_on(CZ, dealt_with(CZ, {0: "D3 D2 DA"}))
    question = match.question
    assert question is not None
    assert question.declarable == (NAPOLETANA,)
    assert claim_points(CZ, NAPOLETANA) == 3


def test_cardgames_zone_worked_trick() -> None:
    """CZ §5: player 1 leads the three of coins; the trick is worth 1 point."""
    assert trick_of(CZ, "D3", "DK", "D4", "D2") == TrickWon(seat=0, thirds=3)


def test_cardgames_zone_the_ace_is_safe_afterwards() -> None:
    """CZ §5: player 1 leads the ace of coins; 3 and 2 are gone."""
    dealt = dealt_with(CZ, {0: "D3 DA", 1: "DK D5", 2: "D4 D6", 3: "D2 D7"}, size=2)
    deal = Deal(CZ, dealt, 0)
    for card in parse_cards("D3 DK D4 D2 DA D5 D6 D7"):
        deal.play(card)
    assert deal.tricks_won() == (2, 0)


def test_cardgames_zone_its_two_examples_are_not_one_deal() -> None:
    """CZ §3 gives player 1 the two of coins that player 3 plays in §5."""
    hands = map(parse_cards, ("D3 D2 DA", "DK C4 C5", "D4 C6 C7", "D2 S4 S5"))
    with pytest.raises(RulesError, match="D2 is dealt twice"):
        DealtCards(tuple(hands))


def test_cardgames_zone_leaders_three_words() -> None:
    """CZ §5: knock, fly, slide; §7: nothing else may pass between partners."""
    match = match_on(CZ, dealt_with(CZ, {0: "D3 DA"}))
    question = match.question
    assert question is not None
    assert set(question.signals_allowed) == {Signal.BUSSO, Signal.VOLO, Signal.STRISCIO}


def test_cardgames_zone_a_breach_loses_the_deal() -> None:
    """CZ §7: all 11 points to the opponents."""
    match = match_on(CZ, dealt_with(CZ, {0: "D3", 1: "D4 C4"}))
    assert only(DealScored, play_cards(match, "D3 C4")).points == (11, 0)


def test_cardgames_zone_cappotto() -> None:
    """CZ §7: taking every trick often earns 11 more."""
    ruleset = parse_ruleset("cardgames-zone-4:cappotto_bonus=11")
    nothing = (0, 0)
    for rules, points in ((CZ, (11, 0)), (ruleset, (22, 0))):
        score = score_deal(
            rules, thirds=(35, 0), tricks=(10, 0), declared=nothing, penalties=nothing
        )
        assert score.points == points


def test_cardgames_zone_variants_are_options() -> None:
    """CZ §8: to 31 or 11, and without combinations."""
    for target in (11, 21, 31):
        assert parse_ruleset(f"cardgames-zone-4:target={target}").target == target
    assert not parse_ruleset("cardgames-zone-4:declarations=off").declarations


# --- Italian tournament rules -----------------------------------------------------------


def test_italian_a_three_loses_to_a_four_of_another_suit_led_first() -> None:
    """IT ¶1."""
    assert trick_of(IT, "S4", "D3", "D2", "BA").seat == 0


def test_italian_the_judge_deals_and_his_left_is_first() -> None:
    """IT ¶2: no seat deals; two rounds of five cards."""
    assert dealer_of(IT, leader_of_board(IT, 1)) is None
    assert IT.deal_packets == (5, 5)


def test_italian_buon_gioco_adds_up() -> None:
    """IT ¶3: four twos 4, a napoletana 3: "si sommano"."""
    ruleset = IT
    dealt = dealt_with(ruleset, {0: "D2 C2 S2 B2 DA D3 D4"})
    match = match_on(ruleset, dealt)
    claims = true_claims(sum(1 << card for card in dealt.hands[0]))
    match.apply(Answer(card=Card.D4, declarations=claims))
    assert play_deal(match).declared == (7, 0)


def test_italian_a_revoke_interrupts_the_deal_for_ten_points() -> None:
    """IT ¶5; a card that cannot follow is no revoke (¶2, "scarto")."""
    match = match_on(IT, dealt_with(IT, {0: "D3", 1: "D4 C4"}))
    events = play_cards(match, "D3 C4")
    assert only(Revoke, events).seat == 1
    assert only(DealScored, events).points == (10, 0)
    without = dealt_with(IT, {0: "D3 S4", 1: "C4 C5"}, size=2)
    match = match_on(IT, without)
    play_cards(match, "D3 C4")
    assert not match.is_over


def test_italian_any_other_breach_costs_a_point() -> None:
    """IT ¶5; striscio is not one of the four words of ¶4."""
    match = match_on(IT, dealt_with(IT, {0: "D3"}))
    match.apply(Answer(card=Card.D3, signal=Signal.STRISCIO))
    assert play_deal(match).penalties == (-1, 0)


def test_italian_both_at_31_play_on() -> None:
    """IT ¶6: an extra deal, then the most points, "e così via"."""
    first = judge_match(IT, (35, 32), Phase.NORMAL)
    assert (first.over, first.phase) == (False, Phase.EXTRA)
    assert judge_match(IT, (38, 40), Phase.EXTRA).winner == 1
    assert not judge_match(IT, (39, 39), Phase.EXTRA).over


# --- the same hand at three tables ------------------------------------------------------


def off_suit(ruleset: Ruleset) -> str:
    """Tell what becomes of a card that does not follow although it could."""
    match: Match = match_on(ruleset, dealt_with(ruleset, {0: "D3", 1: "D4 C4"}))
    play_cards(match, "D3")
    try:
        score = only(DealScored, match.apply(Answer(card=Card.C4)))
    except BadAnswer:
        return "refused"
    return f"{score.points[0]} points"


def test_the_seeds_differ_on_a_card_that_does_not_follow() -> None:
    """GL's site refuses it, CZ §7 takes the deal, IT ¶5 ten points (rules.md §3 row 18)."""
    assert [off_suit(ruleset) for ruleset in (GL4, CZ, IT)] == [
        "refused",
        "11 points",
        "10 points",
    ]
