"""Words: who may say which, and when they are true."""

import pytest

from arena.rules.cards import Card, set_of
from arena.rules.notation import parse_cards
from arena.rules.options import Signal
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.signals import allowed_words, is_true, meaning, must_be_true


def test_each_ruleset_has_its_words() -> None:
    """CZ §5: three, the leader's; IT ¶4: four, anyone's; GL: none."""
    cz, it, gl = (PRESETS[n] for n in ("cardgames-zone-4", "italian-tournament", "gamelake-4"))
    assert allowed_words(cz, is_leader=True) == (Signal.BUSSO, Signal.STRISCIO, Signal.VOLO)
    assert allowed_words(cz, is_leader=False) == ()
    words = (Signal.BUSSO, Signal.VOLO, Signal.LISCIO, Signal.PIOMBO)
    assert allowed_words(it, is_leader=True) == allowed_words(it, is_leader=False) == words
    assert allowed_words(gl, is_leader=True) == ()


@pytest.mark.parametrize(
    ("word", "hand", "outstanding", "expected"),
    [
        ("busso", "D3 D7", "D2 DA", True),
        ("busso", "DA D7", "D3 D2", False),
        ("busso", "DA", "D4 C3", True),
        ("busso", "C3 S3", "", False),
        ("volo", "C3 S3", "D3", True),
        ("volo", "C3 D7", "", False),
        ("piombo", "C3", "D3", True),
        ("piombo", "D7", "D3", False),
        ("striscio", "D5 D7", "", True),
        ("striscio", "D5 C7", "", False),
        ("liscio", "D5 D7 DK", "D3", True),
        ("liscio", "C5 C7", "", False),
    ],
)
def test_words_mean_what_the_seed_says(
    word: str,
    hand: str,
    outstanding: str,
    expected: bool,  # noqa: FBT001
) -> None:
    """CZ §5: I hold the highest, my last, several more; IT's piombo and liscio like pagat's."""
    assert (
        is_true(
            Signal(word),
            Card.D4,
            hand_after=set_of(parse_cards(hand)),
            outstanding=set_of(parse_cards(outstanding)),
        )
        is expected
    )


def test_truth_is_asked_for_only_where_the_ruleset_says_so() -> None:
    """No seed asks for it."""
    assert not any(map(must_be_true, PRESETS.values()))
    assert must_be_true(parse_ruleset("italian-tournament:signal_truth=checked"))


def test_words_with_one_truth_have_one_meaning() -> None:
    """§3 row 16: piombo is volo, liscio is striscio."""
    assert meaning(Signal.PIOMBO) == meaning(Signal.VOLO)
    assert meaning(Signal.LISCIO) == meaning(Signal.STRISCIO)
    assert len(set(map(meaning, Signal))) == 3
