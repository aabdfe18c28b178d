"""Over an event no misbehaviour pays: whoever is at fault never has more than without it."""

from __future__ import annotations

from functools import cached_property, partial
from itertools import count
from typing import TYPE_CHECKING, Final

import pytest

from arena.referee.conduct import Conduct
from arena.referee.faults import FaultKind, TerminationKind
from arena.rules.cards import RANK_OF, SUIT_OF, THIRDS
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.question import Answer
from arena.testing.memory_bots import Gone, at_its, breaks_suit, insists, plays_unheld, stalls
from arena.tournament.event_file import ForfeitCredit
from tests.tournament.memory_events import plans_of, play_match, points_of
from tests.tournament.results import event_of, voided

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from arena.record.match_row import MatchRow
    from arena.referee.messages import Ask
    from arena.testing.memory_bots import Act, Policy
    from arena.tournament.event_file import EventFile
    from arena.tournament.schedule import MatchPlan

BOARDS: Final = 2
CULPRIT: Final = "a"
WAYS_TO_GO: Final = (
    FaultKind.CRASHED,
    FaultKind.LEFT,
    FaultKind.FLOOD,
    FaultKind.NOT_READING,
    FaultKind.LOST,
)


def weakly(ask: Ask) -> Answer:
    """Play the least of a suit: a bot that mostly loses, so that misbehaving could tempt it."""
    return Answer(card=ask.question.legal[0], declarations=ask.question.declarable)


def strongly(ask: Ask) -> Answer:
    """Play the best of a suit."""
    return Answer(card=ask.question.legal[-1], declarations=ask.question.declarable)


def reluctantly(ask: Ask) -> Answer:
    """Play as the referee does for a bot that is late."""
    legal = ask.question.legal
    least = min(legal, key=lambda card: (THIRDS[card], RANK_OF[card], SUIT_OF[card]))
    return Answer(card=least)


def goes(kind: FaultKind) -> Policy:
    """Be gone in some way."""
    return lambda _: Gone(kind=kind)


def insisting_from(nth: int) -> Policy:
    """Name a card that is not held before each answer, from the ``nth`` question on."""
    asked = count(1)

    def policy(ask: Ask) -> Act | Sequence[Act]:
        return insists(plays_unheld, 1)(ask) if next(asked) >= nth else weakly(ask)

    return policy


class Played:
    """An event of three whose first entrant may misbehave in one match or in all."""

    def __init__(self, ruleset: str, seed: str, **stage: object) -> None:
        options = {"boards": BOARDS, "boards_per_match": BOARDS} | stage
        self.event: EventFile = event_of("a", "b", "c", ruleset=parse_ruleset(ruleset), **options)
        self.seed = seed
        self.plans = plans_of(self.event)
        self.rows = [self.play(plan) for plan in self.plans]

    @cached_property
    def points(self) -> Fraction:
        """What the culprit has without misbehaving."""
        return points_of(self.event, self.rows, CULPRIT)

    @property
    def worst(self) -> int:
        """What the culprit makes of the board that goes worst without misbehaving."""
        return min(
            2 * board.points[seat % 2] - sum(board.points)
            for index, seat in self.seats()
            for board in self.rows[index].boards
        )

    def play(self, plan: MatchPlan, culprit: Policy = weakly, seat: int | None = None) -> MatchRow:
        """Play a match; the culprit's bot is another at one of its seats, or at all."""
        names = [self.event.entrants[index].name for index in plan.seats]
        policies: list[Policy] = [weakly if name == CULPRIT else strongly for name in names]
        for at, name in enumerate(names):
            if name == CULPRIT and seat in (None, at):
                policies[at] = culprit
        return play_match(self.event, plan, policies, seed=self.seed)

    def seats(self) -> Iterator[tuple[int, int]]:
        """List the places of the culprit: the match's, and the seat."""
        for index, plan in enumerate(self.plans):
            for seat, entrant in enumerate(plan.seats):
                if self.event.entrants[entrant].name == CULPRIT:
                    yield index, seat

    def points_with(self, index: int, *rows: MatchRow) -> Fraction:
        """Give the culprit's points where one match ended otherwise."""
        changed = [*self.rows[:index], *rows, *self.rows[index + 1 :]]
        return points_of(self.event, changed, CULPRIT)

    def asked(self) -> range:
        """Number the questions that a seat is asked in a match."""
        rules = self.event.stages[0].ruleset
        return range(1, (rules.hand_size + rules.stock // rules.seats) * BOARDS + 1)


@pytest.mark.parametrize(
    ("ruleset", "seed", "worst"),
    [
        ("gamelake-4", "going", range(-11, 0)),
        ("gamelake-2", "going", range(-11, 0)),
        ("cardgames-zone-4", "declared 13", range(-35, -11)),
        ("italian-tournament", "declared 14", range(-35, -11)),
        ("pagat-4", "declared 49", range(-35, -11)),
        ("pagat-2", "declared 31", range(-35, -11)),
        ("gamelake-4:cappotto_bonus=11", "declared 68", range(-22, -11)),
    ],
)
@pytest.mark.parametrize("credit", ForfeitCredit)
def test_going_at_any_moment_of_any_match_pays_nothing(
    ruleset: str, seed: str, worst: range, credit: ForfeitCredit
) -> None:
    """Whatever the way and the score, and however badly an honest board goes."""
    played = Played(ruleset, seed, forfeit_credit=credit)
    assert played.worst in worst
    ends = set()
    for index, seat in played.seats():
        for nth in played.asked()[(index + seat) % 4 :: 4]:
            kind = WAYS_TO_GO[nth % len(WAYS_TO_GO)]
            bot = at_its(nth, goes(kind), otherwise=weakly)
            row = played.play(played.plans[index], bot, seat)
            ends.add(row.termination)
            assert played.points_with(index, row) <= played.points, (index, seat, nth)
    assert len(ends) == len(WAYS_TO_GO)


@pytest.mark.parametrize("ruleset", ["gamelake-4", "italian-tournament", "pagat-2"])
def test_going_in_a_match_to_a_target_pays_nothing(ruleset: str) -> None:
    """Not even in points, which break ties: the winner may end beyond the target."""
    played = Played(ruleset, "target 0", boards=1, boards_per_match=None)
    for index, seat in list(played.seats())[:8]:
        asked = len(played.rows[index].boards) * len(played.asked()) // BOARDS
        for nth in range(1 + index % 7, asked + 1, 7):
            bot = at_its(nth, goes(FaultKind.LEFT), otherwise=weakly)
            row = played.play(played.plans[index], bot, seat)
            assert row.termination is TerminationKind.FORFEIT_LEFT
            assert played.points_with(index, row) <= played.points, (index, seat, nth)


@pytest.mark.parametrize("ruleset", ["gamelake-4", "gamelake-2"])
def test_insisting_on_what_is_refused_pays_nothing(ruleset: str) -> None:
    """Cards not held, from any moment on: the referee plays, then the match is forfeited."""
    played = Played(ruleset, "insisting")
    for index, seat in played.seats():
        for nth in played.asked()[::10]:
            row = played.play(played.plans[index], insisting_from(nth), seat)
            assert played.points_with(index, row) <= played.points


@pytest.mark.parametrize("ruleset", sorted(PRESETS))
def test_being_late_scores_what_the_bot_could_have_played_itself(ruleset: str) -> None:
    """And beyond the limit it loses the match."""
    lenient = Played(ruleset, "late", conduct=Conduct(late=90_000))
    strict = Played(ruleset, "late")
    for index in sorted({index for index, _ in lenient.seats()})[::2]:
        plan = lenient.plans[index]
        late, prompt = lenient.play(plan, stalls), lenient.play(plan, reluctantly)
        assert late.boards == prompt.boards
        lost = strict.play(strict.plans[index], stalls)
        assert lost.termination is TerminationKind.FORFEIT_FAULTS
        kept = strict.points_with(index, strict.play(strict.plans[index], reluctantly))
        assert strict.points_with(index, lost) <= kept


@pytest.mark.parametrize("kind", [TerminationKind.HOST_FAULT, TerminationKind.ABORTED])
def test_a_void_match_changes_nothing_once_it_is_played_again(kind: TerminationKind) -> None:
    """Whatever the score at which it was spoiled."""
    played = Played("gamelake-4", "void")
    for index, _ in played.seats():
        spoiled = voided(played.rows[index], kind)
        assert played.points_with(index, spoiled, played.rows[index]) == played.points


@pytest.mark.parametrize("ruleset", ["italian-tournament", "cardgames-zone-4"])
def test_a_revoke_saves_at_most_what_its_price_is_below_a_whole_deal(ruleset: str) -> None:
    """At any moment: the offender's cards count for nobody, the others have the price.

    The price is the ruleset's; that of italian-tournament, 10 points, is one less than to
    lose all tricks. Who revokes for that point has spent a third of what forfeits a match.
    """
    played = Played(ruleset, "revoke")
    rules = PRESETS[ruleset]
    revoked = 0
    for index, seat in played.seats():
        side = rules.side_of(seat)
        for nth in played.asked()[::2]:
            bot = at_its(nth, breaks_suit, otherwise=weakly)
            row = played.play(played.plans[index], bot, seat)
            if not any(fault.kind is FaultKind.REVOKE for fault in row.faults):
                continue
            revoked += 1
            at = (nth - 1) // rules.hand_size
            own, other = row.boards[at].points[side], row.boards[at].points[1 - side]
            assert own <= rules.revoke_own_points
            assert other >= rules.revoke_points
    assert revoked > 10


def test_revoking_wherever_one_can_loses_the_match() -> None:
    played = Played("italian-tournament", "revokes", boards=8, boards_per_match=4)
    for index, seat in played.seats():
        row = played.play(played.plans[index], breaks_suit, seat)
        assert row.termination is TerminationKind.FORFEIT_FAULTS
        assert played.points_with(index, row) < played.points


WHOLE_EVENT = partial(Played, "gamelake-4", "all of it")


@pytest.mark.parametrize("kind", WAYS_TO_GO)
def test_going_in_every_match_loses_the_event(kind: FaultKind) -> None:
    played = WHOLE_EVENT()
    rows = [
        played.play(plan, at_its(5, goes(kind), otherwise=weakly))
        if any(played.event.entrants[index].name == CULPRIT for index in plan.seats)
        else row
        for plan, row in zip(played.plans, played.rows, strict=True)
    ]
    assert points_of(played.event, rows, CULPRIT) == -11 < played.points
