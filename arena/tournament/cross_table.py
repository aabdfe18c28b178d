"""The crosstable: what each pair of entrants came to against each other.

Owns the lines of pairings. Must not know ranks; nothing here decides one.
Source: issue "Tournaments to trust" (Output).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from arena.record.match_row import MatchRow
from arena.tournament.groups import BoardGroup, offender_of
from arena.tournament.rating.elo import Tally, pentanomial, trinomial
from arena.tournament.statistics import GroupValue, Interval, interval, points_per_board


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingStanding:
    """Two entrants against each other, seen from the first; the second has the negative.

    Only board groups played to their end count; forfeits are told beside.
    """

    first: str
    second: str
    points: Fraction | None
    interval: Interval | None
    groups_won: int
    groups_drawn: int
    groups_lost: int
    matches: int
    forfeits: tuple[int, int]
    tally: Tally
    """By orientation: pairs where boards were turned, else single boards."""


def cross_table(
    names: Sequence[str],
    groups: Sequence[BoardGroup],
    counted: Sequence[MatchRow],
    most: int | None,
) -> tuple[PairingStanding, ...]:
    """List every pair with a match that counts, in the order of the names.

    Args:
        names: The entrants, best first.
        groups: Board groups of tables of two entrants; those of larger tables are left out.
        counted: The matches that count for somebody.
        most: What a group can come to (:func:`arena.tournament.groups.most_value`).
    """
    by_pair: defaultdict[frozenset[str], list[BoardGroup]] = defaultdict(list)
    for group in groups:
        by_pair[group.entrants].append(group)
    rows: defaultdict[frozenset[str], list[MatchRow]] = defaultdict(list)
    for row in counted:
        rows[frozenset(row.seats)].append(row)
    return tuple(
        _pairing(first, second, by_pair[pair], rows[pair], most)
        for first, second in combinations(names, 2)
        if (pair := frozenset((first, second))) in rows
    )


def _pairing(
    first: str,
    second: str,
    groups: Sequence[BoardGroup],
    rows: Sequence[MatchRow],
    most: int | None,
) -> PairingStanding:
    played = [group for group in groups if group.is_played]
    values = [GroupValue(cluster=group.board, value=group.value(first)) for group in played]
    margins = [
        [float(part.margins[first]) for part in group.parts if part.margins is not None]
        for group in played
    ]
    is_turned = bool(margins) and all(len(of_group) == 2 for of_group in margins)  # noqa: PLR2004
    offenders = [offender_of(row) for row in rows]
    return PairingStanding(
        first=first,
        second=second,
        points=points_per_board([value.value for value in values]),
        interval=interval(values, most),
        groups_won=sum(value.value > 0 for value in values),
        groups_drawn=sum(value.value == 0 for value in values),
        groups_lost=sum(value.value < 0 for value in values),
        matches=len(rows),
        forfeits=(offenders.count(first), offenders.count(second)),
        tally=pentanomial([(one, other) for one, other in margins])
        if is_turned
        else trinomial([margin for of_group in margins for margin in of_group]),
    )
