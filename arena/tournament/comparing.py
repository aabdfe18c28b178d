"""Comparing two entrants: play turned boards until a sequential test is decided.

Owns when an event with ``[compare]`` is over and what it came to: a pure function of its
results, the same whatever the order they came in and however many tables played. Must not
know how the test computes (:mod:`arena.tournament.rating.sequential`) or what is printed.
Source: commands.md (``compare``), requirements.md L, N.

Boards come in blocks, each a round of the schedule. The test looks once after each block, in
the order of the schedule, at all boards up to there; the first look that decides is the
verdict. Blocks that other tables finished later, or meanwhile, change nothing.
Results count as they score: with the rulings, and with suspensions.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from arena.record.match_row import MatchRow
from arena.tournament.compared import Comparison, Outcome
from arena.tournament.event_file import EventFile
from arena.tournament.groups import board_groups, most_value, offender_of
from arena.tournament.plan import stage_plan
from arena.tournament.rating.elo import pentanomial
from arena.tournament.rating.sequential import SequentialTest, evaluate
from arena.tournament.rating.sprt import Verdict
from arena.tournament.rulings import Rulings
from arena.tournament.schedule import matches_per_sitting, orientations
from arena.tournament.statistics import GroupValue, interval, points_per_board
from arena.tournament.suspension import NO_RULINGS, with_suspensions

MOST_FORFEITS: Final = 3
"""Matches that a bot may forfeit before the comparison is given up: it does not work."""


class Comparer:
    """Takes results, as they score, as they come and says when they are enough."""

    def __init__(self, event: EventFile, test: SequentialTest) -> None:
        """Begin with no results.

        Args:
            event: An event of two entrants and one stage of turned boards.
            test: What is to be decided.
        """
        plan = stage_plan(event, 1)
        self._names = event.entrants[0].name, event.entrants[1].name
        self._test = test
        self._ruleset = event.stages[0].ruleset
        self._ways = len(orientations(plan.seats, plan.per_table))
        self._matches_per_block = self._ways * matches_per_sitting(plan)
        self._blocks = plan.cycles
        self._boards_per_block = plan.boards
        self._waiting: defaultdict[int, dict[str, MatchRow]] = defaultdict(dict)
        self._taken = 0
        self._pairs: list[tuple[float, float]] = []
        self._values: list[GroupValue] = []
        self._forfeits: Counter[str] = Counter()
        self._standing = evaluate(test, [])
        self.outcome = Outcome.OPEN
        """How it stands after the blocks that are complete."""

    def add(self, row: MatchRow) -> bool:
        """Take a match; whether a further block is complete. The same again changes nothing."""
        if not row.counted or row.round <= self._taken:
            return False
        self._waiting[row.round][row.match_id] = row
        before = self._taken
        while (
            self.outcome is Outcome.OPEN
            and len(self._waiting[self._taken + 1]) == self._matches_per_block
        ):
            self._taken += 1
            self._take(self._waiting.pop(self._taken).values())
        return self._taken > before

    def result(self) -> Comparison:
        """Say what is known."""
        return Comparison(
            entrants=self._names,
            test=self._test,
            outcome=self.outcome,
            standing=self._standing,
            points=points_per_board([group.value for group in self._values]),
            interval=interval(self._values, most_value(self._ruleset, is_to_target=False)),
            tally=pentanomial(self._pairs),
            most_boards=self._blocks * self._boards_per_block,
            forfeits=(self._forfeits[self._names[0]], self._forfeits[self._names[1]]),
        )

    def _take(self, rows: Iterable[MatchRow]) -> None:
        """Look at the test with one more block."""
        block = list(rows)
        self._forfeits.update(offender for row in block if (offender := offender_of(row)))
        own = self._names[0]
        for group in board_groups(block, ways=self._ways, ruleset=self._ruleset):
            margins = [float(part.margins[own]) for part in group.parts if part.margins]
            if group.is_played and len(margins) == self._ways:
                self._pairs.append((margins[0], margins[1]))
                self._values.append(GroupValue(cluster=group.board, value=group.value(own)))
        self._standing = evaluate(self._test, self._pairs)
        self.outcome = self._outcome()

    def _outcome(self) -> Outcome:
        if max(self._forfeits.values(), default=0) >= MOST_FORFEITS:
            return Outcome.FORFEITED
        match self._standing.verdict:
            case Verdict.ACCEPTED:
                return Outcome.ACCEPTED
            case Verdict.REJECTED:
                return Outcome.REJECTED
            case Verdict.OPEN:
                return Outcome.UNDECIDED if self._taken == self._blocks else Outcome.OPEN


def taken_up(
    event: EventFile,
    test: SequentialTest,
    rows: Iterable[MatchRow],
    rulings: Rulings = NO_RULINGS,
) -> Comparer:
    """Take up a comparison where results and rulings leave it.

    Args:
        event: The event as frozen.
        test: What is to be decided.
        rows: Every attempt, in any order.
        rulings: What the organiser has ruled.
    """
    comparer = Comparer(event, test)
    if any(entrant.name in rulings.disqualified for entrant in event.entrants):
        comparer.outcome = Outcome.DISQUALIFIED
        return comparer
    for row in with_suspensions(event, rows, rulings).rows:
        comparer.add(row)
    return comparer


def comparison(
    event: EventFile, rows: Iterable[MatchRow], rulings: Rulings = NO_RULINGS
) -> Comparison | None:
    """Say what an event's results decide by the rulings; None where it compares nothing."""
    if event.compare is None:
        return None
    return taken_up(event, event.compare, rows, rulings).result()
