"""The PettingZoo environment passes PettingZoo's own tests and is the arrays' game."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from arena.errors import RulesError, RulesetError
from arena.rl import DealEnvironment, VectorDeals, environment
from tests.rl.games import RULESETS

EVERY_RULESET = pytest.mark.parametrize("ruleset", RULESETS, ids=[r.name for r in RULESETS])


# PettingZoo warns of every observation that is a dictionary, as those of its own card games are.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@EVERY_RULESET
def test_the_api_test_passes(ruleset: object, capfd: pytest.CaptureFixture[str]) -> None:
    api_test(environment(ruleset), num_cycles=300)  # type: ignore[arg-type]
    assert "Passed API test" in capfd.readouterr().out


@EVERY_RULESET
def test_the_seed_test_passes(ruleset: object) -> None:
    seed_test(lambda: environment(ruleset), num_cycles=200)  # type: ignore[arg-type]


def test_a_deal_is_that_of_the_arrays() -> None:
    table, deals = environment("gamelake-2"), VectorDeals(1, "gamelake-2", seed=4)
    table.reset(seed=4)
    rewards = dict.fromkeys(table.possible_agents, 0)
    for agent in table.agent_iter():
        seen, reward, ended, _, _ = table.last()
        rewards[agent] += reward
        if ended:
            table.step(None)
            continue
        assert agent == f"seat_{deals.turn[0]}"
        assert np.array_equal(seen["observation"], deals.look().observation[0])
        assert np.array_equal(seen["action_mask"], deals.look().legal[0])
        card = deals.random_cards()[0]
        table.step(card)
        step = deals.step([card])
    assert step.done[0]
    assert [*rewards.values()] == step.reward[0].tolist()


def test_only_the_seat_to_play_has_cards_in_its_mask() -> None:
    table = DealEnvironment()
    table.reset(seed=1)
    assert [table.observe(agent)["action_mask"].sum() for agent in table.agents] == [10, 0, 0, 0]


def test_each_reset_deals_other_cards_and_a_seed_the_same() -> None:
    table = DealEnvironment()
    first, seen = [], []
    for seed in (8, None, 8):
        table.reset(seed=seed)
        first.append(table.agent_selection)
        seen.append(table.observe("seat_0")["observation"][:40].tolist())
    assert first == ["seat_0", "seat_1", "seat_0"]
    assert seen[0] == seen[2] != seen[1]


def test_an_illegal_card_is_refused() -> None:
    table = DealEnvironment()
    table.reset(seed=1)
    held = table.observe("seat_0")["action_mask"]
    with pytest.raises(RulesError, match="deal 0, seat 0"):
        table.step(int(np.flatnonzero(held == 0)[0]))
    with pytest.raises(RulesError, match="seat_0 has to play a card"):
        table.step(None)


def test_rendering_lists_the_cards() -> None:
    table = DealEnvironment(render_mode="ansi")
    table.reset(seed=1)
    card = int(np.flatnonzero(table.observe("seat_0")["action_mask"])[0])
    table.step(card)
    rendered = table.render()
    assert rendered is not None
    assert rendered.startswith("seat_0 ")
    with pytest.raises(ValueError, match="render_mode = 'human'"):
        DealEnvironment(render_mode="human")


def test_what_arrays_do_not_play_is_refused() -> None:
    with pytest.raises(RulesetError, match="declarations=off"):
        environment("pagat-2")
