"""Going after one's last card of a match is no loss; a card earlier it is."""

from collections.abc import Sequence

import pytest

from arena.referee.faults import FaultKind, TerminationKind
from arena.referee.messages import Ask
from arena.rules.presets import PRESETS
from arena.testing.in_memory import play_in_memory
from arena.testing.memory_bots import THINK_NS, Act, Gone, Policy, Reply, plays_first

FOUR = PRESETS["gamelake-4"]
TWO = PRESETS["gamelake-2"]


def goes_after(cards: int, kind: FaultKind = FaultKind.CRASHED) -> Policy:
    """Make a bot that plays so many cards and is gone with the last of them."""
    played = 0

    def policy(ask: Ask) -> Sequence[Act]:
        nonlocal played
        played += 1
        acts: list[Act] = [Reply(answer=plays_first(ask))]
        if played == cards:
            acts.append(Gone(kind=kind, think_ns=THINK_NS + 1))
        return acts

    return policy


@pytest.mark.parametrize("kind", [FaultKind.CRASHED, FaultKind.LEFT, FaultKind.NOT_READING])
@pytest.mark.parametrize("seat", range(4))
def test_a_bot_may_go_after_its_last_card(seat: int, kind: FaultKind) -> None:
    policies: list[Policy] = [plays_first] * 4
    policies[seat] = goes_after(20, kind)
    match = play_in_memory(policies, ruleset=FOUR, boards=2)
    assert match.faults == []
    assert match.ended.termination.kind is TerminationKind.COMPLETED
    assert (
        match.ended.totals == play_in_memory([plays_first] * 4, ruleset=FOUR, boards=2).ended.totals
    )


def test_a_bot_that_draws_may_go_after_its_last_card() -> None:
    match = play_in_memory([goes_after(20), plays_first], ruleset=TWO)
    assert match.ended.termination.kind is TerminationKind.COMPLETED


@pytest.mark.parametrize("cards", [10, 19])
def test_whoever_goes_with_cards_left_to_play_forfeits(cards: int) -> None:
    match = play_in_memory([goes_after(cards), *[plays_first] * 3], ruleset=FOUR, boards=2)
    assert match.ended.termination.kind is TerminationKind.FORFEIT_CRASH


def test_in_a_match_to_a_target_another_deal_may_follow() -> None:
    match = play_in_memory([goes_after(10), *[plays_first] * 3], ruleset=FOUR, boards=None)
    assert match.ended.termination.kind is TerminationKind.FORFEIT_CRASH
