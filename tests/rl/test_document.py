"""What docs/research.md shows works."""

import re
from pathlib import Path

import pytest

from arena.rl import VectorDeals
from arena.sdk.encode import SIZE
from tests.sdk.positions import match_of, view_of

DOCUMENT = Path(__file__).parents[2] / "docs" / "research.md"
SNIPPETS = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("at", range(3))
def test_a_snippet_runs(at: int) -> None:
    names = {"view": view_of(match_of())}
    exec(SNIPPETS[at], names)  # noqa: S102 - our own document
    assert len(SNIPPETS) == 3


def test_the_shapes_are_those_of_the_document() -> None:
    step = VectorDeals(2).look()
    assert f"(n, {SIZE}) uint8" in DOCUMENT.read_text("utf-8")
    assert step.observation.shape == (2, SIZE)
    assert (step.legal.shape, step.reward.shape, step.done.shape) == ((2, 40), (2, 2), (2,))
