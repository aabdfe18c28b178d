"""Worth: the most points that one deal can bring a side, by the ruleset alone.

Owns the bound that a ruling on points is held against, and that a board in progress costs who
forfeits it. Must not know deals in progress.
Source: rules.md §1.6, §2 (declarations, revoke, cappotto), §4.
"""

from typing import Final

from arena.rules.cards import CARDS, Suit
from arena.rules.declarations import CLAIM_RANKS
from arena.rules.ruleset import Ruleset
from arena.rules.scoring import card_points

_CARD_THIRDS: Final = sum(card.thirds for card in CARDS)


def all_card_points(ruleset: Ruleset) -> int:
    """Give the points of all cards and the last trick of a deal, to one side."""
    (cards,) = card_points([_CARD_THIRDS + ruleset.last_trick_thirds])
    return cards


def most_points(ruleset: Ruleset) -> int:
    """Bound a side's points of one deal from above.

    All cards and the last trick with a sweep, or what a revoke brings; and every combination
    there is. At most one seat holds three of a rank, so each rank counts once.
    """
    declared = 0
    if ruleset.declarations:
        of_a_rank = max(ruleset.decl_three, ruleset.decl_four)
        declared = len(Suit) * ruleset.decl_napoletana + len(CLAIM_RANKS) * of_a_rank
    breach = max(ruleset.revoke_points, ruleset.revoke_own_points)
    return max(all_card_points(ruleset) + ruleset.cappotto_bonus, breach) + declared


def most_margin(ruleset: Ruleset) -> int:
    """Bound from above by how much a side's points of one deal exceed another's.

    What infractions that do not end a deal cost the other side comes on top: their number has no
    bound.
    """
    return most_points(ruleset) + max(0, -ruleset.revoke_own_points)


def may_be_negative(ruleset: Ruleset) -> bool:
    """Whether a side's points of one deal can be below 0: an infraction can cost it some."""
    cost = ruleset.infraction_points
    costs = (cost if isinstance(cost, int) else 0, ruleset.revoke_points, ruleset.revoke_own_points)
    return min(costs) < 0
