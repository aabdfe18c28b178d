"""Declarations: which combinations a hand holds, and what becomes of a claim.

Owns the judgement of one claim at one moment, with the windows of all rulesets. Must not
know whose turn it is or what a refused claim costs (:mod:`arena.rules.match`).
Source: rules.md §2c-d, §3 rows 5-11; CZ §3, §6, §7; IT ¶3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from arena.rules.cards import SUIT_SIZE, CardSet, Rank, Suit
from arena.rules.events import Claim, ClaimKind, RefusalReason, SpecifiedBy
from arena.rules.options import DeclarationSpecify, DeclarationWindow
from arena.rules.question import BadAnswer, BadAnswerKind
from arena.rules.ruleset import Ruleset

CLAIM_RANKS: Final = (Rank.ACE, Rank.TWO, Rank.THREE)
"""The ranks that make combinations; three sevens or kings do not. Source: CZ §6, IT ¶3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When a claim is made, seen from the seat that makes it."""

    trick: int
    """The trick in progress, from 1."""
    own_card_played: bool
    """Whether the seat has already played to that trick."""
    later_seats_played: int
    """How many seats have played to that trick after this seat."""


MAX_CLAIMS: Final = 19
"""As many as there are: four napoletane, twelve threes (by missing suit), three fours."""


def check_count(claims: Sequence[Claim]) -> None:
    """Refuse an answer that makes more claims than there are.

    Raises:
        BadAnswer: BAD_DECLARATION.
    """
    if len(claims) > MAX_CLAIMS:
        raise _bad(f"{len(claims)} claims in one answer; at most {MAX_CLAIMS}")


def check_form(ruleset: Ruleset, claim: Claim) -> None:
    """Refuse what the ruleset does not know as a claim at all.

    Raises:
        BadAnswer: BAD_DECLARATION where declarations are off, for a rank other than ace,
            2 or 3, and for a claim without the suit it needs or with one it has not.
    """
    if not ruleset.declarations:
        raise _bad("declarations are off in this ruleset; send none")
    match claim.kind:
        case ClaimKind.NAPOLETANA:
            if claim.suit is None or claim.rank is not None:
                raise _bad("a napoletana is claimed with its suit and without a rank")
        case ClaimKind.THREE | ClaimKind.FOUR as kind:
            if claim.rank not in CLAIM_RANKS:
                named = "no rank" if claim.rank is None else f"rank {claim.rank.letter}"
                raise _bad(f"a {kind.value} with {named}: the rank is A, 2 or 3")
            if (claim.suit is None) != (kind is ClaimKind.FOUR):
                raise _bad("a three is claimed with its missing suit, a four without a suit")
        case _:
            assert_never(claim.kind)


def claimed_cards(claim: Claim) -> CardSet:
    """Return the cards that a well-formed claim says are in the hand."""
    ranks = CLAIM_RANKS if claim.rank is None else (claim.rank,)
    # A napoletana names the suit it is in, a three the suit it is without, a four none.
    is_named = claim.kind is ClaimKind.NAPOLETANA
    suits = [suit for suit in Suit if (suit is claim.suit) is is_named]
    return sum(_bit(suit, rank) for suit in suits for rank in ranks)


def claim_points(ruleset: Ruleset, claim: Claim) -> int:
    """Return what a claim scores, in whole points."""
    match claim.kind:
        case ClaimKind.NAPOLETANA:
            return ruleset.decl_napoletana
        case ClaimKind.THREE:
            return ruleset.decl_three
        case ClaimKind.FOUR:
            return ruleset.decl_four
        case _:
            assert_never(claim.kind)


def true_claims(dealt: CardSet) -> tuple[Claim, ...]:
    """List what a dealt hand holds, each combination once and at its full value.

    Napoletane by suit, then threes and fours by rank. The understatement of a four as a
    three is allowed by ``decl_understate`` but not listed.
    """
    claims = [claim for claim, cards in _NAPOLETANE if dealt & cards == cards]
    for rank in CLAIM_RANKS:
        missing = [suit for suit in Suit if not dealt & _bit(suit, rank)]
        if not missing:
            claims.append(Claim(kind=ClaimKind.FOUR, rank=rank))
        elif len(missing) == 1:
            claims.append(Claim(kind=ClaimKind.THREE, suit=missing[0], rank=rank))
    return tuple(claims)


def declarable(ruleset: Ruleset, dealt: CardSet) -> tuple[Claim, ...]:
    """List the claims that a dealt hand may make together: the true ones.

    Where no card may count twice (``decl_overlap``) they are those worth most. A napoletana
    shares a card with every three or four of the same hand, so they are of one sort; the
    others stay true, and may be made instead. Source: rules.md §3 row 9, §5.4.
    """
    claims = true_claims(dealt)
    if ruleset.decl_overlap:
        return claims
    napoletane = tuple(claim for claim in claims if claim.kind is ClaimKind.NAPOLETANA)
    of_ranks = claims[len(napoletane) :]
    return max(
        napoletane,
        of_ranks,
        key=lambda together: sum(claim_points(ruleset, claim) for claim in together),
    )


def refusal_of(
    ruleset: Ruleset, claim: Claim, *, dealt: CardSet, moment: Moment, accepted: Sequence[Claim]
) -> RefusalReason | None:
    """Judge a well-formed claim; None means that it is accepted.

    Args:
        ruleset: the rules in force.
        claim: the claim, see :func:`check_form`.
        dealt: the hand as it was dealt (``decl_basis``).
        moment: when the claim is made.
        accepted: the claims of this seat that were accepted before, in this deal.
    """
    if not _is_in_window(ruleset, moment):
        return RefusalReason.LATE
    cards = claimed_cards(claim)
    if dealt & cards != cards:
        return RefusalReason.FALSE
    if not ruleset.decl_understate and _understates(claim, dealt):
        return RefusalReason.FALSE
    if any(_is_same_combination(claim, earlier) for earlier in accepted):
        return RefusalReason.TWICE
    if not ruleset.decl_overlap and any(cards & claimed_cards(other) for other in accepted):
        return RefusalReason.OVERLAP
    return None


def specified_by(ruleset: Ruleset, claim: Claim) -> SpecifiedBy:
    """Tell why a claim's suit is known to all; a four has nothing to specify.

    Specifying on request is played as "every opponent always asks". Source: protocol.md,
    "What happens when" 6; IT ¶3.
    """
    if claim.suit is None:
        return SpecifiedBy.NOT
    if ruleset.decl_specify is DeclarationSpecify.ON_REQUEST:
        return SpecifiedBy.REQUEST
    return SpecifiedBy.RULE


def _is_in_window(ruleset: Ruleset, moment: Moment) -> bool:
    if moment.trick != 1:
        return False
    match ruleset.decl_window:
        case DeclarationWindow.NONE:
            return False
        case DeclarationWindow.BEFORE_OWN_CARD:
            return not moment.own_card_played
        case DeclarationWindow.OWN_FIRST_TURN:
            return moment.later_seats_played == 0
        case DeclarationWindow.END_OF_FIRST_TRICK:
            return True
        case _:
            assert_never(ruleset.decl_window)


def _is_same_combination(claim: Claim, other: Claim) -> bool:
    # Three and four of one rank are one combination: a four does not also score as a three.
    if claim.rank is None or other.rank is None:
        return claim == other
    return claim.rank is other.rank


def _understates(claim: Claim, dealt: CardSet) -> bool:
    return claim.kind is ClaimKind.THREE and (
        claim.suit is not None
        and claim.rank is not None
        and dealt & _bit(claim.suit, claim.rank) != 0
    )


def _bit(suit: Suit, rank: Rank) -> CardSet:
    return 1 << 1 + SUIT_SIZE * suit + rank


_NAPOLETANE: Final = tuple(
    (claim, claimed_cards(claim))
    for claim in (Claim(kind=ClaimKind.NAPOLETANA, suit=suit) for suit in Suit)
)


def _bad(message: str) -> BadAnswer:
    return BadAnswer(BadAnswerKind.BAD_DECLARATION, message)
