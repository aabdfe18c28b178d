"""Forfeit count: when an entrant's forfeits come to a suspension.

Owns the count over the whole event, taken as each round is complete and in the order of the
schedule, and since when somebody is suspended. Must not know which matches that touches
(:mod:`arena.tournament.suspension`). Source: design.md §5 ("suspend_after").
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.counted import counted
from arena.record.match_row import MatchRow
from arena.tournament.drawn import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspension:
    """An entrant that plays no match of a later round than this one."""

    entrant: str
    stage: int
    round: int
    forfeits: int

    @property
    def reason(self) -> str:
        """Say why, for the log and for its author."""
        return (
            f"{counted(self.forfeits, 'match')} forfeited by the end of round {self.round} "
            f"of stage {self.stage}"
        )


class ForfeitCount:
    """Who is suspended by the rounds that were counted.

    Args:
        limits: By stage, the forfeits that suspend; 0: none do.
        standing: The suspensions that stand, where no later ruling may change who has played;
            None: forfeits are counted.
    """

    def __init__(self, limits: Sequence[int], standing: Mapping[str, Place] | None) -> None:
        self._limits = limits
        self._is_standing = standing is not None
        self._since: dict[str, Place] = dict(standing or {})
        self._forfeits: Counter[str] = Counter()

    @property
    def since(self) -> Mapping[str, Place]:
        """By entrant that is suspended, the last round that it may have played in."""
        return self._since

    def judge(self, place: Place, offenders: Sequence[str]) -> Iterator[Suspension]:
        """Count the forfeits of a round that is complete, in the order of the schedule."""
        if self._is_standing:
            return
        limit = self._limits[place[0] - 1]
        self._forfeits.update(offenders)
        for name in dict.fromkeys(offenders):
            if limit and name not in self._since and self._forfeits[name] >= limit:
                self._since[name] = place
                yield Suspension(
                    entrant=name, stage=place[0], round=place[1], forfeits=self._forfeits[name]
                )


def not_lifted(
    since: Mapping[str, Place], rows: Iterable[MatchRow], forgiven: Collection[str]
) -> dict[str, Place]:
    """Pick the suspensions whose forfeits among ``rows`` were not all forgiven."""
    forfeits: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.counted and row.termination.is_forfeit and row.culprit_seat is not None:
            forfeits[row.seats[row.culprit_seat]].add(row.match_id)
    return {name: place for name, place in since.items() if not forfeits[name] <= set(forgiven)}
