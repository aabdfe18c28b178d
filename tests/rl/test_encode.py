"""A playing bot sees the same numbers as a learning one."""

import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from arena.rl import VectorDeals
from arena.rules.cards import Card
from arena.rules.dealing import DealtCards
from arena.rules.match import Match
from arena.rules.notation import parse_deal
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.sdk import encode
from arena.sdk.encode import (
    HAND,
    KNOWN,
    LEADER,
    LED,
    PLAYED,
    SIZE,
    STOCK,
    TABLE,
    THIRDS,
    VOIDS,
)
from tests.rl.games import RULESETS, dealt_board
from tests.sdk.positions import played_at_random, view_of

EVERY_RULESET = pytest.mark.parametrize("ruleset", RULESETS, ids=[r.name for r in RULESETS])


def given(dealt: DealtCards, board: int) -> DealtCards:
    """Give the same cards whatever the board."""
    return dealt


@EVERY_RULESET
@pytest.mark.parametrize("board", range(1, 9))
def test_a_view_is_encoded_as_the_arrays_show_it(ruleset: Ruleset, board: int) -> None:
    dealt, leader = dealt_board(ruleset, board)
    match = Match(ruleset, cards=partial(given, dealt), first_board=board, boards=1)
    deals = VectorDeals(1, ruleset, redeal=False)
    deals.place(0, dealt, leader)
    while match.question is not None:
        view = view_of(match)
        shown = deals.look().observation[0]
        assert encode(view) == shown.tobytes()
        card = view.random.choice(view.legal)
        match.apply(Answer(card=card))
        deals.step([card - 1])


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS.keys())
def test_a_view_of_every_ruleset_is_encoded(ruleset: Ruleset) -> None:
    for match in played_at_random(ruleset, board=3):
        view = view_of(match)
        places = np.frombuffer(encode(view), dtype=np.uint8)
        assert places.shape == (SIZE,)
        assert [Card(int(at) + 1) for at in np.flatnonzero(places[HAND:KNOWN])] == [*view.hand]
        assert places[KNOWN:PLAYED].sum() == sum(map(len, view.known_cards))
        assert places[PLAYED:TABLE].sum() == len(view.played)


def test_the_layout_is_this() -> None:
    ruleset = parse_ruleset("gamelake-4")
    dealt = parse_deal(
        "D4 D5 D6 D7 DJ DH DK DA D2 D3 | C4 C5 C6 C7 CJ CH CK CA C2 C3 |"
        "S4 S5 S6 S7 SJ SH SK SA S2 S3 | B4 B5 B6 B7 BJ BH BK BA B2 B3",
        ruleset,
    )
    match = Match(ruleset, cards=partial(given, dealt), first_board=1, boards=1)
    for card in (Card.DA, Card.CA, Card.S4, Card.BK, Card.D4):
        match.apply(Answer(card=card))
    places = encode(view_of(match))
    # Seat 1 looks: 2 is next, then 3; 0, which led both tricks, is the last.
    expected = dict.fromkeys(range(HAND + 10, HAND + 20), 1)
    expected[HAND + 17] = 0  # its ace is gone
    expected[PLAYED + 17] = 1
    expected[PLAYED + 40 + 20] = 1
    expected[PLAYED + 80 + 36] = 1
    expected[PLAYED + 120 + 7] = expected[PLAYED + 120 + 0] = 1
    expected[TABLE + 0] = 1
    expected[LED + 0] = 1
    expected[LEADER + 3] = 1
    expected[VOIDS + 0] = expected[VOIDS + 4] = expected[VOIDS + 8] = 1
    expected[THIRDS + 1] = 7
    expected[STOCK] = 0
    assert {at: byte for at, byte in enumerate(places) if byte} == {
        at: byte for at, byte in expected.items() if byte
    }


def test_the_kit_encodes_without_numpy() -> None:
    code = "import sys, arena.sdk; arena.sdk.encode; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
