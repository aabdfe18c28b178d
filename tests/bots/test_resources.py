"""What a bot may use is given in one block, shared out evenly, and held."""

import pytest

from arena.bots.resources import CoreShares, default_tasks, process_limits, resources_for
from arena.errors import ConfigError
from arena.wire.terms import Resources


@pytest.mark.parametrize(("cores", "tasks"), [(1, 64), (8, 64), (16, 96)])
def test_tasks_follow_the_cores(cores: int, tasks: int) -> None:
    assert default_tasks(cores) == tasks
    assert resources_for(cores=cores).tasks == tasks


def test_defaults_are_told() -> None:
    assert resources_for() == Resources(cores=1, memory_mib=1024, tasks=64, disk_mib=64)


def test_memory_in_which_nothing_starts_is_refused() -> None:
    with pytest.raises(ConfigError, match="memory = 8 is too small; allowed are whole MiB from 64"):
        resources_for(memory_mib=8)


def test_cores_are_shared_out_evenly_and_given_back() -> None:
    shares = CoreShares(frozenset({3, 4, 5, 6}))
    first, second = shares.take(2), shares.take(2)
    assert (first, second) == (frozenset({3, 4}), frozenset({5, 6}))
    shares.give_back(second)
    assert shares.take(2) == second


def test_holders_of_one_share_give_it_back_one_by_one() -> None:
    shares = CoreShares(frozenset({0, 1}))
    table = shares.take(1, holders=2)
    assert (table, shares.take(1), shares.take(1)) == (
        frozenset({0}),
        frozenset({1}),
        frozenset({1}),
    )
    shares.give_back(table)
    assert shares.take(1) == frozenset({0})


@pytest.mark.parametrize("cores", [0, 2, 3])
def test_nothing_is_bound_where_a_bot_may_use_all_cores(cores: int) -> None:
    assert CoreShares(frozenset({0, 1})).take(cores) is None


def test_what_a_control_group_holds_needs_no_other_limit() -> None:
    held = process_limits(resources_for(), cores=None, has_memory_group=True)
    bare = process_limits(resources_for(), cores=None, has_memory_group=False)
    assert (held.data_bytes, held.watched_bytes) == (None, None)
    assert (bare.data_bytes, bare.watched_bytes) == (1 << 30, 1 << 30)
    assert held.file_bytes == bare.file_bytes == 64 << 20
