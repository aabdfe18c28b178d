"""Round results: what counts of one round, as far as it has been played.

Owns the tally that says when a round is complete and who forfeited in it. Must not know what
follows for anybody (:mod:`arena.tournament.suspension`). Source: design.md §5.
"""

from collections import Counter
from dataclasses import dataclass

from arena.record.match_row import MatchRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit:
    """A forfeited match: its place in the round and who forfeited it."""

    place: tuple[int, int, int]
    pairing: int
    offender: str


class RoundResults:
    """What counts of one round: matches by pairing, forfeits, and rows where they are needed."""

    __slots__ = ("counted", "forfeits", "rows")

    def __init__(self) -> None:
        """Begin with a round of which nothing has been played."""
        self.counted: Counter[int] = Counter()
        self.forfeits: list[Forfeit] = []
        self.rows: list[MatchRow] = []
