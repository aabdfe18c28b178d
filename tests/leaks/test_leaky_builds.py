"""Builds that leak are caught: each of these tells a seat a little too much."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest

from arena.referee import outbox, table
from arena.rules import deal
from arena.rules.cards import Card
from arena.rules.events import CardDrawn, DealStarted, DeclarationRefused, GameEvent
from arena.rules.match import Match
from arena.rules.observation import HandDealt, Observation, SeatGameEvent, observe, visible_to
from arena.rules.presets import PRESETS
from arena.rules.question import BadAnswer
from arena.rules.ruleset import Ruleset
from tests.leaks.bot_side import CODECS
from tests.leaks.sitting import Plan
from tests.leaks.two_worlds import CLOCK, LENIENT, TwoWorlds

TRIES: Final = 60
"""So many sittings are played at most; the first few are enough for most leaks."""


def finds_a_leak(name: str, seat: int = 0) -> bool:
    """Tell whether the property fails for a ruleset, in both codecs."""
    ruleset = PRESETS[name]
    chance = random.Random(name)  # noqa: S311  # to be repeated

    def leaks(codec: int, seed: int) -> bool:
        plan = Plan(
            ruleset=ruleset,
            codec=CODECS[codec],
            matches=(1,),
            first_boards=(1,),
            clock=CLOCK,
            conduct=LENIENT,
        )
        picks = (chance.randrange(30), chance.randrange(30))
        return TwoWorlds(plan=plan, seat=seat, seed=seed, picks=picks).leak() is not None

    return all(any(leaks(codec, seed) for seed in range(TRIES)) for codec in range(len(CODECS)))
