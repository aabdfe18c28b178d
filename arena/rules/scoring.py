"""Scoring: from thirds to a deal's points, from totals to the end of the match.

Owns all arithmetic of points, in integers. Must not know cards or whose turn it is.
Source: rules.md §1.6, §2, §3 rows 18-26 and 32, §5; GL "Points" and "How to win",
CZ §4, §6, §7; IT ¶1, ¶3, ¶5, ¶6.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from arena.rules.options import AS_REVOKE, BothReached, CappottoTest, RevokeDeclarations
from arena.rules.ruleset import Ruleset

THIRDS_PER_POINT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DealScore:
    """What a deal scores, by side, in whole points.

    ``points`` is the whole score; ``declared`` and ``penalties`` are the parts of it that
    came from declarations and from revokes or infractions.
    """

    points: tuple[int, ...]
    declared: tuple[int, ...]
    penalties: tuple[int, ...]


class Phase(StrEnum):
    """Whether a match is still on the way to its target, or in extra deals. Source: IT ¶6."""

    NORMAL = "normal"
    EXTRA = "extra"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchVerdict:
    """What a match to the target is at the end of a deal."""

    over: bool
    winner: int | None
    phase: Phase


def card_points(thirds: Sequence[int]) -> tuple[int, ...]:
    """Turn each side's thirds of a deal into points; each side drops its fraction."""
    return tuple(won // THIRDS_PER_POINT for won in thirds)


def sweeping_side(ruleset: Ruleset, *, thirds: Sequence[int], tricks: Sequence[int]) -> int | None:
    """Return the side that took all tricks, or all points, as ``cappotto_test`` asks."""
    match ruleset.cappotto_test:
        case CappottoTest.ALL_TRICKS:
            taken = tuple(tricks)
        case CappottoTest.ALL_POINTS:
            taken = card_points(thirds)
        case _:
            assert_never(ruleset.cappotto_test)
    sides = [side for side, count in enumerate(taken) if count]
    return sides[0] if len(sides) == 1 else None


def score_deal(
    ruleset: Ruleset,
    *,
    thirds: Sequence[int],
    tricks: Sequence[int],
    declared: Sequence[int],
    penalties: Sequence[int],
) -> DealScore:
    """Score a deal that was played out; all arguments are by side.

    Args:
        ruleset: the rules in force.
        thirds: thirds won, the last trick included.
        tricks: tricks won.
        declared: points of accepted declarations.
        penalties: points of infractions, 0 or less.
    """
    points = list(card_points(thirds))
    if ruleset.cappotto_bonus:
        sweeper = sweeping_side(ruleset, thirds=thirds, tricks=tricks)
        if sweeper is not None:
            points[sweeper] += ruleset.cappotto_bonus
    return DealScore(
        points=_add(points, declared, penalties),
        declared=tuple(declared),
        penalties=tuple(penalties),
    )


def score_revoke(
    ruleset: Ruleset, *, offender: int, declared: Sequence[int], penalties: Sequence[int]
) -> DealScore:
    """Score a deal that a revoke, or an infraction that counts as one, has ended.

    The cards count for nobody, nor does what the offenders declared, although ``decl_scored`` may
    have put it into the totals already. ``offender`` is a side; the other arguments are as in
    :func:`score_deal`. Source: CZ §7, IT ¶5; whose declarations stand: rules.md §2d.
    """
    keeps = ruleset.revoke_declarations is RevokeDeclarations.INNOCENT_KEEPS
    kept = tuple(
        points if keeps and side != offender else 0 for side, points in enumerate(declared)
    )
    revoke = tuple(
        ruleset.revoke_own_points if side == offender else ruleset.revoke_points
        for side in range(ruleset.side_count)
    )
    costs = _add(revoke, penalties)
    return DealScore(points=_add(kept, costs), declared=kept, penalties=costs)


def infraction_cost(ruleset: Ruleset) -> int:
    """Return what an infraction adds at once to the offender's side, 0 or less.

    An infraction that counts as a revoke costs what :func:`score_revoke` says, later.
    """
    penalty = ruleset.infraction_points
    return penalty if isinstance(penalty, int) else 0


def infraction_ends_deal(ruleset: Ruleset) -> bool:
    """Tell whether any infraction ends the deal like a revoke. Source: CZ §7."""
    return ruleset.infraction_points == AS_REVOKE


def add_to_totals(
    ruleset: Ruleset, totals: Sequence[int], points: Sequence[int]
) -> tuple[int, ...]:
    """Add a deal's points to the totals; see ``negative_totals``."""
    added = _add(totals, points)
    return added if ruleset.negative_totals else tuple(max(0, total) for total in added)


def side_ahead(totals: Sequence[int]) -> int | None:
    """Return the side with the highest total, None when the highest is shared."""
    best = max(totals)
    leaders = [side for side, total in enumerate(totals) if total == best]
    return leaders[0] if len(leaders) == 1 else None


def judge_match(ruleset: Ruleset, totals: Sequence[int], phase: Phase) -> MatchVerdict:
    """Tell after a deal whether a match to the target is over, and who won.

    ``phase`` is the one in which the deal was played.
    """
    ahead = side_ahead(totals)
    reached = sum(total >= ruleset.target for total in totals)
    match ruleset.both_reached:
        case BothReached.HIGHER_WINS_EQUAL_REDEAL:
            is_decided = reached > 0
        case BothReached.EXTRA_DEAL_THEN_HIGHER_TOTAL if phase is Phase.EXTRA:
            is_decided = True
        case BothReached.EXTRA_DEAL_THEN_HIGHER_TOTAL:
            is_decided = reached == 1
            phase = Phase.EXTRA if reached > 1 else phase
        case _:
            assert_never(ruleset.both_reached)
    winner = ahead if is_decided else None
    return MatchVerdict(over=winner is not None, winner=winner, phase=phase)


def _add(*parts: Sequence[int]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*parts, strict=True)))
