"""Meeting: what a pairing came to as a whole, for formats that pair by results.

Owns who led a pairing, over all its matches. Must not know formats nor ranks. Source: issue
"Tournaments to trust" (Formats); design.md §5 ("What a forfeit scores").

Where matches are of boards, the pairing goes by the sum of margins; boards that a forfeit left
are lost by what they cost. Where they are to a target, it goes by matches won, then by the totals;
where it was forfeited, by those that the offender is measured against.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.record.match_row import MatchRow
from arena.rules.ruleset import Ruleset
from arena.tournament.forfeit_cost import forfeit_cost
from arena.tournament.groups import offender_of

Lead = tuple[int, int]
"""Matches won more (0 in matches of boards), then points more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Two entrants that met, by index, home first; ``lead`` of the home one.

    ``lead`` is None where all their matches were annulled.
    """

    home: int
    guest: int
    lead: Lead | None

    @property
    def winner(self) -> int | None:
        """Who leads; None where nobody does."""
        if self.lead is None or self.lead == (0, 0):
            return None
        return self.home if self.lead > (0, 0) else self.guest


def meetings_of(
    pairs: Sequence[tuple[int, int]],
    names: Sequence[str],
    rows: Iterable[MatchRow],
    *,
    ruleset: Ruleset,
) -> tuple[Meeting, ...]:
    """Work out a round's meetings.

    Args:
        pairs: Of each pairing, in order from 1, the indices of home and guest.
        names: Of all entrants, by index.
        rows: The round's results as they score, in any order.
        ruleset: The stage's.
    """
    found: list[list[Lead]] = [[] for _ in pairs]
    for row in rows:
        if row.scores:
            home = names[pairs[row.pairing - 1][0]]
            found[row.pairing - 1].append(_lead(row, home, ruleset))
    return tuple(
        Meeting(
            home=home,
            guest=guest,
            lead=(sum(won for won, _ in leads), sum(more for _, more in leads)) if leads else None,
        )
        for (home, guest), leads in zip(pairs, found, strict=True)
    )


def _lead(row: MatchRow, home: str, ruleset: Ruleset) -> Lead:
    """Give what one match adds to the lead of an entrant."""
    side = row.entrants.index(home)
    margin = row.totals[side] - row.totals[1 - side]
    offender, cost = offender_of(row), forfeit_cost(ruleset)
    sign = 0 if offender is None else -1 if offender == home else 1
    if row.boards_planned is not None:
        return 0, margin + sign * sum(cost.by_board(row).values())
    if offender is not None:
        lost = row.entrants.index(offender)
        return sign, sign * (cost.against(row.totals[1 - lost]) - row.totals[lost])
    if row.winner is None:
        return 0, margin
    return (1 if row.winner == side else -1), margin
