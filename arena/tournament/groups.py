"""Board groups: what the counted matches of a stage come to, board by board.

Owns how results are gathered into the statistical unit and what the other side is credited on
boards that a forfeit leaves (what they cost: :mod:`arena.tournament.forfeit_cost`). Must not know
ranks or intervals. Source: design.md §2 (Board group), §5 ("What a forfeit scores").

In a match to a target the unit is the match: the matches of a pairing that start at the
same board, in all orientations, are one group, and its value is in points per match.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, assert_never

from arena.errors import LogCorrupt
from arena.record.match_row import MatchRow
from arena.rules.ruleset import Ruleset
from arena.rules.worth import most_margin, most_points
from arena.tournament.event_file import ForfeitCredit
from arena.tournament.forfeit_cost import forfeit_cost
from arena.tournament.statistics import points_per_board

FULL_CREDIT: Final = 11
"""Points a board that the innocent side is credited where the event file says "full"."""
LEAST_CREDIT: Final = 2
"""Points a board that the innocent side is credited at least."""

Margin = int | Fraction
"""Own points minus the other side's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One orientation of a group: margins by entrant; ``offender`` where it was forfeited.

    They are one another's negatives, except where a match to a target was forfeited.
    Boards left by a forfeit have no margins: what they score depends on the field.
    """

    margins: Mapping[str, Margin] | None
    cost: int = 0
    """What the offender loses by where there are no margins."""
    offender: str | None = None
    partner: str | None = None
    """The offender's, where that is another entrant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardGroup:
    """A board (or the first board of a match to a target) in all its orientations."""

    board: int
    entrants: frozenset[str]
    parts: tuple[Part, ...]

    @property
    def is_played(self) -> bool:
        """Whether every part was played to its end: only such groups enter intervals."""
        return all(part.offender is None for part in self.parts)

    def counts_for(self, entrant: str) -> bool:
        """Whether the group scores for an entrant: not where its own partner left a part of it.

        Whoever crashes loses for itself alone; its partner neither gains nor loses by it.
        """
        return entrant in self.entrants and all(part.partner != entrant for part in self.parts)

    def value(self, entrant: str, credit: Margin = 0) -> Fraction:
        """Give the mean of an entrant's margins; ``credit`` stands for boards left to it."""
        total: Margin = 0
        for part in self.parts:
            if part.margins is not None:
                total += part.margins[entrant]
            else:
                total += -part.cost if part.offender == entrant else credit
        return Fraction(total, len(self.parts))


def board_groups(
    rows: Iterable[MatchRow], *, ways: int, ruleset: Ruleset
) -> tuple[BoardGroup, ...]:
    """Gather one stage's counted matches into groups, in the order of rounds and boards.

    Args:
        rows: The matches that count, in any order.
        ways: Orientations in which each board is played.
        ruleset: The stage's.

    Returns:
        The groups that are complete; a board not yet played in all orientations still
        holds the luck of the deal and is left out.

    Raises:
        LogCorrupt: Rows contradict each other.
    """
    found: dict[tuple[int, int, int], dict[int, Part]] = {}
    entrants: dict[tuple[int, int], frozenset[str]] = {}
    for row in rows:
        if row.is_annulled:
            continue
        entrants.setdefault((row.round, row.pairing), frozenset(row.seats))
        for board, part in _parts(row, ruleset):
            parts = found.setdefault((row.round, row.pairing, board), {})
            if row.orientation in parts:
                raise LogCorrupt(f"match {row.match_id}: board {board} counts already")
            parts[row.orientation] = part
    return tuple(
        BoardGroup(
            board=board,
            entrants=entrants[round_, pairing],
            parts=tuple(part for _, part in sorted(parts.items())),
        )
        for (round_, pairing, board), parts in sorted(found.items())
        if len(parts) == ways
    )


def most_value(ruleset: Ruleset, *, is_to_target: bool) -> int | None:
    """Bound the value of a group that was played to its end, to either side of 0.

    In a match to a target nobody is ahead by more than the winner has, who was below the target
    before the last deal; None where revokes take points off without end. What further
    infractions cost is left out, since nothing bounds it.
    """
    if not is_to_target:
        return most_margin(ruleset)
    return None if ruleset.revoke_own_points < 0 else ruleset.target - 1 + most_points(ruleset)


def offender_of(row: MatchRow) -> str | None:
    """Name the entrant that forfeited a match; None where nobody did.

    Raises:
        LogCorrupt: The row is a forfeit and does not say whose.
    """
    if not row.termination.is_forfeit:
        return None
    if row.culprit_seat is None:
        raise LogCorrupt(f"match {row.match_id}: {row.termination.value} without a culprit's seat")
    return row.seats[row.culprit_seat]


def partner_of(row: MatchRow) -> str | None:
    """Name the entrant that is partner to who forfeited a match; None where there is none."""
    offender = offender_of(row)
    if offender is None:
        return None
    sides = sides_of(row)
    partners = (name for name in sides if sides[name] == sides[offender] and name != offender)
    return next(partners, None)


def sides_of(row: MatchRow) -> dict[str, int]:
    """Give the side of each entrant at the table: sides sit in turn."""
    return {name: seat % len(row.totals) for seat, name in enumerate(row.seats)}


def field_credit(played: Sequence[Fraction], policy: ForfeitCredit) -> Fraction:
    """Say what an entrant is credited on each board that an opponent left by a forfeit.

    Its own average against the field, so that nobody gains from meeting a bot that crashes
    more than from playing as it does; at least +2; or a full +11.

    Args:
        played: The values of the entrant's groups that were played to their end.
        policy: What the event file says.
    """
    match policy:
        case ForfeitCredit.FULL:
            return Fraction(FULL_CREDIT)
        case ForfeitCredit.FIELD:
            return max(Fraction(LEAST_CREDIT), points_per_board(played) or Fraction(0))
        case _:
            assert_never(policy)


def _parts(row: MatchRow, ruleset: Ruleset) -> Iterable[tuple[int, Part]]:
    """Give what one match adds, by board."""
    offender, partner = offender_of(row), partner_of(row)
    if row.boards_planned is None:
        margins = (
            _margins(row, row.totals)
            if offender is None
            else _forfeited_margins(row, sides_of(row)[offender], ruleset)
        )
        yield row.first_board, Part(margins=margins, offender=offender, partner=partner)
        return
    for board in row.boards:
        yield board.board, Part(margins=_margins(row, board.points))
    for left, cost in forfeit_cost(ruleset).by_board(row).items():
        yield left, Part(margins=None, cost=cost, offender=offender, partner=partner)


def _forfeited_margins(row: MatchRow, lost: int, ruleset: Ruleset) -> dict[str, Margin]:
    """Give the margins of a match to a target that a side forfeited: its own are worse."""
    cost = forfeit_cost(ruleset)
    credited, charged = list(row.totals), list(row.totals)
    for side, total in enumerate(row.totals):
        if side != lost:
            credited[side], charged[side] = max(total, ruleset.target), cost.against(total)
    own = _margins(row, charged)
    return {
        name: own[name] if sides_of(row)[name] == lost else margin
        for name, margin in _margins(row, credited).items()
    }


def _margins(row: MatchRow, points: Sequence[int]) -> dict[str, Margin]:
    """Give own points minus the others' mean, by entrant: a whole number for two sides."""
    total, others = sum(points), len(points) - 1
    of_side = [
        (own - (total - own)) if others == 1 else own - Fraction(total - own, others)
        for own in points
    ]
    return {name: of_side[side] for name, side in sides_of(row).items()}
