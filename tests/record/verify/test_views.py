"""An audit of a log proves that views do not depend on hidden cards, and finds those that do."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.record.read import read_log
from arena.record.verify.views import audit_views
from arena.rules import observation
from tests.leaks import test_leaky_builds as leaky
from tests.record.make_golden import GOLDENS

COMPLETED = sorted((*GOLDENS.glob("*.completed.jsonl"), *GOLDENS.glob("*.false_claim.jsonl")))


@pytest.mark.parametrize("path", COMPLETED, ids=lambda path: path.stem)
def test_no_view_of_an_honest_build_depends_on_hidden_cards(path: Path) -> None:
    audit = audit_views(read_log(path))
    assert audit.first is None
    assert audit.worlds > 10
    assert audit.views > 150


@pytest.mark.parametrize(
    ("where", "leak", "name"),
    [
        ("visible_to", leaky.shows_refused_claims, "italian-tournament.false_claim"),
        ("visible_to", leaky.shows_draws, "gamelake-2"),
        ("visible_to", leaky.numbers_deals_as_boards, "gamelake-4"),
        ("observe", leaky.shows_a_length, "gamelake-4"),
        ("observe", leaky.shows_the_stock, "gamelake-2"),
        ("observe", leaky.shows_all_hands, "gamelake-4"),
        ("observe", leaky.numbers_the_deal_as_board, "gamelake-4"),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_leaky_build_is_caught_from_a_log(
    where: str, leak: Callable[..., object], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observation, where, leak)
    path = GOLDENS / (f"{name}.jsonl" if "." in name else f"{name}.completed.jsonl")
    found = audit_views(read_log(path)).first
    assert found is not None
    assert "shown the same" in found.expected
