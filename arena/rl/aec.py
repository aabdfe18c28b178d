"""One deal as a PettingZoo environment: the names that its users expect, and nothing more.

Owns the translation to agents, spaces and dictionaries. The game is
:class:`arena.rl.deals.VectorDeals` with one deal. Must not know arrays' layout.
"""

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from arena.errors import RulesError
from arena.rl.deals import VectorDeals
from arena.rules.cards import CARDS, DECK_SIZE
from arena.rules.ruleset import Ruleset
from arena.sdk.encode import SIZE

_AGENT = "seat_"


class DealEnvironment(AECEnv):  # type: ignore[misc] # PettingZoo tells no types
    """One deal; ``seat_0`` and so on act in the order of play.

    An action is a card from 0 (``D4``) to 39 (``B3``). An observation is a dictionary:
    ``observation`` as in :mod:`arena.sdk.encode`, ``action_mask`` with a 1 for each card that
    the seat may play now (all 0 while others are to play). At the end of the deal each seat is
    rewarded with its side's points minus the other's. Every reset deals anew; the lead goes
    round from deal to deal, and starts again with each seed.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "tressette_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, ruleset: Ruleset | str = "gamelake-4", *, render_mode: str | None = None
    ) -> None:
        """Prepare; see :class:`VectorDeals` for the ruleset and what it raises.

        Raises:
            ValueError: ``render_mode`` is neither ``ansi`` nor None.
        """
        super().__init__()
        if render_mode not in {None, "ansi"}:
            raise ValueError(f"render_mode = {render_mode!r}: 'ansi' or None")
        self.render_mode = render_mode
        self._deals = VectorDeals(1, ruleset, seed=_chance(), redeal=False)
        self._fresh = True
        seats = self._deals.ruleset.seats
        self.possible_agents = [f"{_AGENT}{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self._played: list[str] = []
        self._actions = {agent: Discrete(DECK_SIZE) for agent in self.possible_agents}
        self._observations = {
            agent: Dict(
                {
                    "observation": Box(0, 255, (SIZE,), np.uint8),
                    "action_mask": Box(0, 1, (DECK_SIZE,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Dict:
        """Return the space of what a seat sees; always the same object."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        """Return the space of cards; always the same object."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo's signature
        """Deal anew: from the seed where there is one, else the next deal of the last seed."""
        if seed is not None:
            self._deals.reset(seed)
        elif not self._fresh:
            self._deals.redeal()
        self._fresh = False
        self._played.clear()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_to_play()

    def step(self, action: int | None) -> None:
        """Play a card for the seat whose turn it is.

        Raises:
            RulesError: it may not be played; nothing changed.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise RulesError(f"{agent} has to play a card")
        step = self._deals.step([int(action)])
        self._played.append(f"{agent} {CARDS[int(action)]}")
        self._cumulative_rewards[agent] = 0
        self.rewards = {name: int(step.reward[0, self._seat(name) % 2]) for name in self.agents}
        if step.done[0]:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._agent_to_play()
        self._accumulate_rewards()
        if self.render_mode is not None:
            self.render()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what a seat knows now, and the cards it may play if it is to play."""
        mask = np.zeros(DECK_SIZE, dtype=np.int8)
        if agent == self._agent_to_play():
            mask[:] = self._deals.look().legal[0]
        return {
            "observation": self._deals.observe(0, self._seat(agent)),
            "action_mask": mask,
        }

    def render(self) -> str | None:
        """Return the cards played so far as text; None unless ``render_mode`` is ``ansi``."""
        return ", ".join(self._played) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    def _agent_to_play(self) -> str:
        return self.possible_agents[int(self._deals.turn[0])]

    def _seat(self, agent: str) -> int:
        return int(agent.removeprefix(_AGENT))


def environment(ruleset: Ruleset | str = "gamelake-4", *, render_mode: str | None = None) -> AECEnv:
    """Return a deal in PettingZoo's usual wrappers, which say what a caller did wrong."""
    wrapped = AssertOutOfBoundsWrapper(DealEnvironment(ruleset, render_mode=render_mode))
    return OrderEnforcingWrapper(wrapped)


def _chance() -> int:
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
