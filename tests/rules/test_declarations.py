"""Combinations: what a hand holds and what becomes of a claim."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.cards import CARDS, Card, CardSet, Rank, Suit, set_of
from arena.rules.declarations import (
    CLAIM_RANKS,
    MAX_CLAIMS,
    Moment,
    check_count,
    check_form,
    claim_points,
    claimed_cards,
    declarable,
    refusal_of,
    specified_by,
    true_claims,
)
from arena.rules.events import Claim, ClaimKind, RefusalReason, SpecifiedBy
from arena.rules.notation import parse_cards
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.question import BadAnswer, BadAnswerKind
from arena.rules.ruleset import Ruleset

IT = PRESETS["italian-tournament"]
CZ = PRESETS["cardgames-zone-4"]
NO_OVERLAP = parse_ruleset("italian-tournament:decl_overlap=off")
WITH_FIRST_CARD = Moment(trick=1, own_card_played=False, later_seats_played=0)
NAPOLETANA = Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.COINS)
FOUR_TWOS = Claim(kind=ClaimKind.FOUR, rank=Rank.TWO)
THREE_TWOS = Claim(kind=ClaimKind.THREE, rank=Rank.TWO, suit=Suit.CLUBS)

EVERY_CLAIM = [
    *(Claim(kind=ClaimKind.NAPOLETANA, suit=suit) for suit in Suit),
    *(Claim(kind=ClaimKind.THREE, rank=rank, suit=suit) for rank in CLAIM_RANKS for suit in Suit),
    *(Claim(kind=ClaimKind.FOUR, rank=rank) for rank in CLAIM_RANKS),
]
HANDS = st.lists(st.sampled_from(CARDS), min_size=10, max_size=10, unique=True).map(set_of)
RICH_HANDS = st.lists(
    st.sampled_from([card for card in CARDS if card.rank in CLAIM_RANKS]),
    min_size=9,
    max_size=10,
    unique=True,
).map(set_of)


def hand(text: str) -> CardSet:
    return set_of(parse_cards(text))


def judge(
    claim: Claim,
    cards: CardSet,
    *,
    ruleset: Ruleset = IT,
    moment: Moment = WITH_FIRST_CARD,
    accepted: Sequence[Claim] = (),
) -> RefusalReason | None:
    return refusal_of(ruleset, claim, dealt=cards, moment=moment, accepted=accepted)


def test_a_claim_names_its_cards() -> None:
    """A napoletana's suit is the one it is in, a three's the one it is without."""
    assert claimed_cards(NAPOLETANA) == hand("DA D2 D3")
    assert claimed_cards(THREE_TWOS) == hand("D2 C2 S2")
    assert claimed_cards(FOUR_TWOS) == hand("D2 C2 S2 B2")


def test_a_hand_lists_what_it_holds_at_full_value() -> None:
    """Napoletane by suit, then aces, 2s and 3s; a four is not listed as a three as well."""
    claims = true_claims(hand("D3 D2 DA C3 C2 CA S3 S2 SA B3"))
    assert claims == (
        *(Claim(kind=ClaimKind.NAPOLETANA, suit=suit) for suit in (Suit(0), Suit(1), Suit(2))),
        Claim(kind=ClaimKind.THREE, rank=Rank.ACE, suit=Suit.CLUBS),
        THREE_TWOS,
        Claim(kind=ClaimKind.FOUR, rank=Rank.THREE),
    )
    assert sum(claim_points(IT, claim) for claim in claims) == 19
    assert true_claims(hand("D7 C7 S7 B7 DK CK SK BK")) == ()


@settings(deadline=None)
@given(HANDS | RICH_HANDS, st.sampled_from([IT, NO_OVERLAP]))
def test_all_listed_claims_are_accepted_together(cards: CardSet, ruleset: Ruleset) -> None:
    """A bot that declares everything it is offered makes no mistake."""
    accepted: list[Claim] = []
    for claim in declarable(ruleset, cards):
        check_form(ruleset, claim)
        assert judge(claim, cards, ruleset=ruleset, accepted=accepted) is None
        accepted.append(claim)
    assert bool(accepted) is bool(true_claims(cards))


@pytest.mark.parametrize(
    ("cards", "claims"),
    [
        ("DA D2 D3 C2 S2", (NAPOLETANA,)),
        ("DA D2 D3 C2 S2 B2", (FOUR_TWOS,)),
        (
            "DA D2 D3 CA SA C2 S2",
            (Claim(kind=ClaimKind.THREE, rank=Rank.ACE, suit=Suit.CLUBS), THREE_TWOS),
        ),
    ],
)
def test_where_no_card_counts_twice_the_claims_worth_most_are_listed(
    cards: str, claims: tuple[Claim, ...]
) -> None:
    """A napoletana excludes every three and four of its hand (rules.md §5.4)."""
    assert declarable(NO_OVERLAP, hand(cards)) == claims
    assert set(claims) < set(declarable(IT, hand(cards)))


@settings(deadline=None)
@given(HANDS | RICH_HANDS, st.booleans())
def test_a_claim_is_true_when_its_cards_are_held(cards: CardSet, understate: bool) -> None:  # noqa: FBT001
    """Every claim there is; three of a held four only where that may be understated."""
    ruleset = IT if understate else parse_ruleset("italian-tournament:decl_understate=off")
    listed = true_claims(cards)
    for claim in EVERY_CLAIM:
        is_held = cards & claimed_cards(claim) == claimed_cards(claim)
        fine = is_held if understate else claim in listed
        assert (judge(claim, cards, ruleset=ruleset) is None) is fine
        if not fine:
            assert judge(claim, cards, ruleset=ruleset) is RefusalReason.FALSE


def test_one_combination_counts_once() -> None:
    """The same napoletana again, or a three after the four of that rank and the reverse."""
    cards = hand("D2 C2 S2 B2 DA D3")
    for claim, earlier in (
        (NAPOLETANA, NAPOLETANA),
        (THREE_TWOS, FOUR_TWOS),
        (FOUR_TWOS, THREE_TWOS),
        (Claim(kind=ClaimKind.THREE, rank=Rank.TWO, suit=Suit.COINS), THREE_TWOS),
    ):
        assert judge(claim, cards, accepted=[earlier]) is RefusalReason.TWICE
    assert judge(FOUR_TWOS, cards, accepted=[NAPOLETANA]) is None


def test_a_shared_card_can_be_forbidden() -> None:
    """A napoletana and a three or four in one hand always share one (rules.md §5.4)."""
    cards = hand("D2 C2 S2 B2 DA D3 CA C3")
    reason = judge(FOUR_TWOS, cards, ruleset=NO_OVERLAP, accepted=[NAPOLETANA])
    assert reason is RefusalReason.OVERLAP
    cups = Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.CUPS)
    assert judge(cups, cards, ruleset=NO_OVERLAP, accepted=[NAPOLETANA]) is None


@pytest.mark.parametrize(
    ("window", "before", "own_turn", "next_played", "trick_2"),
    [
        ("before_own_card", True, False, False, False),
        ("own_first_turn", True, True, False, False),
        ("end_of_first_trick", True, True, True, False),
    ],
)
def test_windows_end_where_they_say(
    window: str,
    before: bool,  # noqa: FBT001
    own_turn: bool,  # noqa: FBT001
    next_played: bool,  # noqa: FBT001
    trick_2: bool,  # noqa: FBT001
) -> None:
    """Before the own card, after it, after the next seat's card, and in the second trick."""
    ruleset = parse_ruleset(f"italian-tournament:decl_window={window}")
    moments = (
        WITH_FIRST_CARD,
        Moment(trick=1, own_card_played=True, later_seats_played=0),
        Moment(trick=1, own_card_played=True, later_seats_played=1),
        Moment(trick=2, own_card_played=False, later_seats_played=0),
    )
    reasons = [judge(NAPOLETANA, hand("DA D2 D3"), ruleset=ruleset, moment=m) for m in moments]
    expected = [before, own_turn, next_played, trick_2]
    assert reasons == [None if fine else RefusalReason.LATE for fine in expected]


def test_without_a_window_every_claim_is_late() -> None:
    """As where declarations are off."""
    assert judge(NAPOLETANA, hand("DA D2 D3"), ruleset=PRESETS["gamelake-4"]) is RefusalReason.LATE


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        (Claim(kind=ClaimKind.NAPOLETANA), "a napoletana is claimed with its suit"),
        (
            Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.CUPS, rank=Rank.ACE),
            "a napoletana is claimed with its suit and without a rank",
        ),
        (
            Claim(kind=ClaimKind.THREE, suit=Suit.CUPS, rank=Rank.SEVEN),
            "a three with rank 7: the rank is A, 2 or 3",
        ),
        (Claim(kind=ClaimKind.FOUR), "a four with no rank: the rank is A, 2 or 3"),
        (Claim(kind=ClaimKind.THREE, rank=Rank.ACE), "a three is claimed with its missing suit"),
        (
            Claim(kind=ClaimKind.FOUR, rank=Rank.ACE, suit=Suit.CUPS),
            "a three is claimed with its missing suit, a four without a suit",
        ),
    ],
)
def test_what_is_no_claim_at_all_is_refused_outright(claim: Claim, message: str) -> None:
    """Three kings, three sevens, a claim without its suit: BAD_DECLARATION."""
    with pytest.raises(BadAnswer, match=message) as error:
        check_form(CZ, claim)
    assert error.value.kind is BadAnswerKind.BAD_DECLARATION


def test_where_declarations_are_off_every_claim_is_refused_outright() -> None:
    """GL plays without combinations."""
    with pytest.raises(BadAnswer, match="declarations are off") as error:
        check_form(PRESETS["gamelake-4"], NAPOLETANA)
    assert error.value.kind is BadAnswerKind.BAD_DECLARATION
    for claim in EVERY_CLAIM:
        check_form(CZ, claim)


def test_no_answer_makes_more_claims_than_there_are() -> None:
    """Nineteen are different; an answer with more is a flood, not a declaration."""
    assert len(EVERY_CLAIM) == MAX_CLAIMS
    check_count(EVERY_CLAIM)
    with pytest.raises(BadAnswer, match="20 claims in one answer; at most 19") as error:
        check_count([*EVERY_CLAIM, NAPOLETANA])
    assert error.value.kind is BadAnswerKind.BAD_DECLARATION


def test_points_are_the_rulesets() -> None:
    """3, 3 and 4 unless overridden."""
    own = parse_ruleset("italian-tournament:decl_napoletana=2,decl_three=5,decl_four=7")
    claims = (NAPOLETANA, THREE_TWOS, FOUR_TWOS)
    assert [claim_points(IT, claim) for claim in claims] == [3, 3, 4]
    assert [claim_points(own, claim) for claim in claims] == [2, 5, 7]


def test_suits_become_known_by_request_or_by_rule() -> None:
    """IT ¶3 on request; CZ §7 shown or spoken; a four has nothing to specify."""
    claims = (NAPOLETANA, THREE_TWOS, FOUR_TWOS)
    request, rule, nothing = SpecifiedBy.REQUEST, SpecifiedBy.RULE, SpecifiedBy.NOT
    assert [specified_by(IT, claim) for claim in claims] == [request, request, nothing]
    assert [specified_by(CZ, claim) for claim in claims] == [rule, rule, nothing]


def test_claimed_cards_of_all_claims_are_aces_twos_and_threes() -> None:
    """Nothing else makes a combination."""
    for claim in EVERY_CLAIM:
        assert claimed_cards(claim) & ~set_of(c for c in Card if c.rank in CLAIM_RANKS) == 0
