"""What a forfeit costs the offender: boards that it leaves, or a match to a target.

Owns that cost; everybody else asks. Must not know what the other side is credited
(:mod:`arena.tournament.groups`), nor ranks. Source: design.md §5 ("What a forfeit scores"); issue
"Tournaments to trust": a crash never pays over an event.

What the offender may know decides. The board that was being played, or was about to be, may have
gone as badly as a board can: it costs all that a board can bring a side, combinations and sweep in.
Of the boards after it nobody has seen a card, and no bot expects to lose every trick of each, less
still to be swept on each or to meet more combinations than it has: all card points are enough.

A match to a target is lost as it is; what is left to lose are points, of which the other side could
have had more than the target at the end. The offender is measured against the most of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.record.match_row import MatchRow
from arena.rules.ruleset import Ruleset
from arena.rules.worth import all_card_points, most_points


@dataclass(frozen=True, slots=True, kw_only=True)
class ForfeitCost:
    """Points that the offender loses by: board by board, or in a match to ``target``."""

    first: int
    """On the board that was being played, or was about to be."""
    further: int
    """On each board after it."""
    target: int
    """The ruleset's; of no account where matches are of boards."""

    def by_board(self, row: MatchRow) -> Mapping[int, int]:
        """Give the cost of each board that a match left; nothing where none is left."""
        # Rulings may have settled boards that were left, among them the first.
        first = row.first_board + sum(not board.is_ruled for board in row.boards)
        return {board: self.first if board == first else self.further for board in boards_left(row)}

    def against(self, total: int) -> int:
        """Give the most that another side could have ended with in a match to the target.

        That is one point short of the target before the last deal, or what it has by now, and
        then all that a deal can bring.
        """
        return max(total, self.target - 1) + self.first


def forfeit_cost(ruleset: Ruleset) -> ForfeitCost:
    """Say what a forfeit costs under a ruleset."""
    return ForfeitCost(
        first=most_points(ruleset), further=all_card_points(ruleset), target=ruleset.target
    )


def boards_left(row: MatchRow) -> tuple[int, ...]:
    """List the boards that a forfeited match left unfinished; none in a match to a target."""
    if row.boards_planned is None or not row.termination.is_forfeit:
        return ()
    finished = {board.board for board in row.boards}
    planned = range(row.first_board, row.first_board + row.boards_planned)
    return tuple(board for board in planned if board not in finished)
