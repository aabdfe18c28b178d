"""An event that keeps more processes than this user may have is refused before it is played."""

import resource

import pytest

from arena.tournament.event_file import Restart
from arena.tournament.machine_limits import kept_processes, limit_problem
from tests.tournament.results import event_of

NAMES = [f"bot {number}" for number in range(5)]
KEPT = event_of(*NAMES, restart=Restart.NEVER)


@pytest.mark.parametrize(
    ("limit", "words"),
    [(resource.RLIMIT_NOFILE, "204 open files"), (resource.RLIMIT_NPROC, "21 processes")],
)
def test_the_limit_that_is_met_is_named(
    limit: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        resource,
        "getrlimit",
        lambda key: (20, 20) if key == limit else (resource.RLIM_INFINITY, resource.RLIM_INFINITY),
    )
    problem = limit_problem(KEPT)
    assert problem is not None
    assert "keeps 20 bot processes at once" in problem
    assert words in problem
    assert "this user may have 20" in problem


def test_an_event_with_room_or_that_keeps_nothing_is_let_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert kept_processes(event_of(*NAMES)) == 0
    monkeypatch.setattr(resource, "getrlimit", lambda _key: (1, 1))
    assert limit_problem(event_of(*NAMES)) is None
    monkeypatch.setattr(resource, "getrlimit", lambda _key: (204, 204))
    assert limit_problem(KEPT) is None
