"""The arithmetic of rules.md §5, computed from the engine's own tables and judgements."""

from fractions import Fraction
from itertools import combinations
from math import comb, prod

import pytest

from arena.rules.cards import CARDS, CardSet, Rank, set_of
from arena.rules.declarations import CLAIM_RANKS, claim_points, claimed_cards, true_claims
from arena.rules.events import Claim, ClaimKind
from arena.rules.presets import PRESETS
from arena.rules.scoring import card_points
from arena.rules.trick import trick_thirds

IT = PRESETS["italian-tournament"]
HONOURS = [card for card in CARDS if card.rank in CLAIM_RANKS]


def every_honour_hand() -> list[tuple[CardSet, int]]:
    """List each set of aces, 2s and 3s in a hand, with how many hands of ten hold just that."""
    return [
        (set_of(honours), comb(40 - len(HONOURS), 10 - count))
        for count in range(11)
        for honours in combinations(HONOURS, count)
    ]


HANDS = [(true_claims(cards), weight) for cards, weight in every_honour_hand()]


def hands_with(count_of: int, *kinds: ClaimKind, rank: Rank | None = None) -> int:
    """Count the hands with exactly so many claims of these kinds."""
    return sum(
        weight
        for claims, weight in HANDS
        if sum(c.kind in kinds and (rank is None or c.rank is rank) for c in claims) == count_of
    )


def test_the_deck_is_worth_32_thirds_and_35_with_the_last_trick() -> None:
    """§5.1, GL "Points", IT ¶1: 10⅔ and 11⅔."""
    assert trick_thirds(CARDS) == 32
    assert trick_thirds(CARDS) + IT.last_trick_thirds == 35
    attainable = {0}
    for card in CARDS:
        attainable |= {total + card.thirds for total in attainable}
    assert attainable == set(range(33))


def test_two_sides_always_share_eleven_points() -> None:
    """§5.2: floors give 11 for every split, all twelve results occur, two thirds are lost."""
    splits = [(won, 35 - won) for won in range(36)]
    assert {sum(card_points(split)) for split in splits} == {11}
    assert {card_points(split) for split in splits} == {(n, 11 - n) for n in range(12)}
    assert {(a % 3, b % 3) for a, b in splits} == {(0, 2), (1, 1), (2, 0)}


def test_more_sides_do_not_always_share_eleven() -> None:
    """§5.3: so players of one side are never floored apart."""
    three = {(a, b, 35 - a - b) for a in range(36) for b in range(36 - a)}
    assert {sum(card_points(split)) for split in three} == {10, 11}
    assert card_points((8, 10, 10, 7)) == (2, 3, 3, 2)
    assert card_points((8 + 10, 10 + 7)) == (6, 5)


def test_a_napoletana_and_a_three_or_four_share_exactly_one_card() -> None:
    """§5.4: whenever one hand holds both."""
    shared = {
        (claimed_cards(first) & claimed_cards(second)).bit_count()
        for claims, _ in HANDS
        for first, second in combinations(claims, 2)
        if first.kind is ClaimKind.NAPOLETANA and second.kind is not ClaimKind.NAPOLETANA
    }
    assert shared == {1}


NAPOLETANA, THREE, FOUR = ClaimKind.NAPOLETANA, ClaimKind.THREE, ClaimKind.FOUR
ALL_HANDS = comb(40, 10)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (sum(weight for _, weight in HANDS), 847_660_528),
        (ALL_HANDS - hands_with(0, NAPOLETANA), 40_903_756),
        (hands_with(1, NAPOLETANA), 40_625_748),
        (hands_with(2, NAPOLETANA), 277_884),
        (hands_with(3, NAPOLETANA), 124),
        (hands_with(1, THREE, rank=Rank.ACE), 33_390_720),
        (hands_with(1, FOUR, rank=Rank.TWO), 1_947_792),
        (ALL_HANDS - hands_with(0, THREE), 98_447_872),
        (ALL_HANDS - hands_with(0, FOUR), 5_841_888),
        (ALL_HANDS - hands_with(0, THREE, FOUR), 104_170_768),
        (ALL_HANDS - hands_with(0, NAPOLETANA, THREE, FOUR), 135_172_258),
    ],
)
def test_combinations_are_as_frequent_as_counted(found: int, expected: int) -> None:
    """§5.5: of all hands of ten cards."""
    assert found == expected


def test_declared_points_average_4824_in_9139_hands() -> None:
    """§5.5: 0.5278 a hand; the largest hand is worth 19 points, and there are twelve of it."""
    points = [(sum(claim_points(IT, c) for c in claims), weight) for claims, weight in HANDS]
    assert Fraction(sum(p * weight for p, weight in points), ALL_HANDS) == Fraction(4824, 9139)
    assert max(points)[0] == 19
    assert sum(weight for p, weight in points if p == 19) == 12


def test_a_given_napoletana_is_in_one_hand_of_82() -> None:
    """§5.5: C(37, 7) hands."""
    coins = Claim(kind=NAPOLETANA, suit=CARDS[0].suit)
    assert sum(weight for claims, weight in HANDS if coins in claims) == comb(37, 7)


def test_deals_are_as_many_as_counted() -> None:
    """§5.6: 40! / (10!)^4."""
    ways = prod(comb(40 - 10 * seat, 10) for seat in range(4))
    assert f"{ways:.3e}" == "4.705e+21"
