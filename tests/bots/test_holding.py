"""What an organiser is told of what keeps bots to their memory, tasks and turns."""

import pytest

from arena.bots.cgroups import Guard
from arena.bots.holding import holding_line

ALL = frozenset(Guard)
NONE = frozenset[Guard]()
UNSTOPPED = "bots NOT stopped out of their turn: they may think while others decide"


@pytest.mark.parametrize(
    ("guards", "counts_tasks", "own_turn", "line"),
    [
        (
            ALL,
            True,
            True,
            "control groups; memory held, tasks held, bots stopped out of their turn",
        ),
        (ALL, False, False, "control groups; memory held, tasks held"),
        (NONE, True, False, "no control groups; memory watched, tasks limited"),
        (
            ALL - {Guard.FREEZING, Guard.TASKS},
            False,
            True,
            f"control groups; memory held, tasks NOT bounded, {UNSTOPPED}",
        ),
    ],
)
def test_what_holds_is_told_and_what_does_not_is_in_capitals(
    guards: frozenset[Guard],
    *,
    counts_tasks: bool,
    own_turn: bool,
    line: str,
) -> None:
    said = holding_line(guards, counts_tasks=counts_tasks, own_turn=own_turn)
    assert said == f"resources: {line}"
