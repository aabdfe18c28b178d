"""Criteria: what a stage is ranked by, and which of them an event file may choose.

Owns the closed list, what ranks where nothing is chosen, and the refusal of choices that rank
nothing. Must not know events, formats or results. Source: issue "Tournaments to trust".
"""

from collections.abc import Collection
from enum import StrEnum

from arena.errors import ConfigError


class RankBy(StrEnum):
    """What a stage is ranked by, greater is better; shares count a drawn one as half."""

    POINTS = "points_per_board"
    """Points per board; in matches to a target, per match."""
    BOARDS_WON = "boards_won"
    """The share of board groups won."""
    MATCHES_WON = "matches_won"
    """The share of matches won."""
    ROUND_POINTS = "round_points"
    """Swiss: the mean over its rounds of 1 for a pairing won or a bye, a half for an even one."""
    BUCHHOLZ = "buchholz"
    """Swiss: the round points of all that were met, summed up."""
    LEVELS = "levels"
    """Knockout: how many levels of the bracket were got over."""

    @property
    def is_of_format(self) -> bool:
        """Whether it belongs to a format and cannot be chosen."""
        return self in (RankBy.ROUND_POINTS, RankBy.BUCHHOLZ, RankBy.LEVELS)


def criteria_in_force(
    rank_by: RankBy | None, tie_breaks: tuple[RankBy, ...] | None, *, is_to_target: bool
) -> tuple[RankBy, ...]:
    """List the official criterion and what breaks ties, as chosen or as is usual."""
    first, *others = (RankBy.MATCHES_WON, RankBy.POINTS) if is_to_target else (RankBy.POINTS,)
    official = rank_by or first
    breaks = others if tie_breaks is None else tie_breaks
    return official, *(criterion for criterion in breaks if criterion is not official)


def check_criteria(
    rank_by: RankBy | None,
    tie_breaks: tuple[RankBy, ...] | None,
    *,
    are_to_target: Collection[bool],
) -> None:
    """Refuse a criterion that ranks nothing, or none that another leaves equal.

    Args:
        rank_by: The official one, if it was chosen.
        tie_breaks: Those after it, if they were.
        are_to_target: Of each stage that is ranked by them, whether its matches are to a target.

    Raises:
        ConfigError: The first that is refused, with what is allowed.
    """
    chosen = [*([] if rank_by is None else [rank_by]), *(tie_breaks or ())]
    for place, criterion in enumerate(chosen):
        if criterion.is_of_format:
            allowed = ", ".join(one.value for one in RankBy if not one.is_of_format)
            raise ConfigError(
                f"rank_by or tie_breaks: {criterion.value!r} belongs to Swiss or knockout "
                f"stages, which are ranked by it anyway; allowed are {allowed}"
            )
        if criterion in chosen[:place]:
            raise ConfigError(
                f"tie_breaks: {criterion.value!r} stands twice in rank_by and tie_breaks; "
                "each criterion once"
            )
    if chosen and not are_to_target:
        raise ConfigError(
            "rank_by or tie_breaks: nothing is ranked by it, since Swiss and knockout stages have "
            "criteria of their own; leave it out"
        )
    for criterion in tie_breaks or ():
        if all(
            criteria_in_force(rank_by, (), is_to_target=it) == (criterion,) for it in are_to_target
        ):
            raise ConfigError(
                f"tie_breaks: {criterion.value!r} breaks no tie, since it is what ranks where "
                "rank_by is left out; leave it out or give another rank_by"
            )
