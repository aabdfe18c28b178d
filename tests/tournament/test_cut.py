"""A run whose time is up ends at a complete round, and another one goes on."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
import trio
from trio.testing import MockClock

from arena.counted import counted
from arena.tournament.event_file import Entrant, EventFile, Stage
from arena.tournament.finish_by import FinishBy
from tests.tournament.test_memory import QUIET, Play

STAGE = Stage(boards=2, boards_per_match=1, cycles=10, trust_memory=True)
LONGEST_MATCH = 10
"""Seconds that a match in play may still take once the time is up."""
PER_ROUND = 3 * 2 * 2
"""Pairings of six entrants, orientations, matches."""
EVENT = EventFile(
    name="trial",
    entrants=tuple(Entrant(name=f"e{number}", bot="low") for number in range(6)),
    stages=(STAGE,),
)


def play(seconds: int, *, tables: int = 1, stage: Stage = STAGE) -> tuple[Play, bool, float]:
    """Play under a bound; give the trial, whether it came to its end, and how long it took."""
    event = replace(EVENT, stages=(stage,), finish_by=FinishBy(within=timedelta(seconds=seconds)))
    with pytest.MonkeyPatch.context() as patch:

        async def timed() -> tuple[Play, bool, float]:
            trial = Play(patch, event, tables, QUIET)
            began = trio.current_time()
            return trial, await trial.play(), trio.current_time() - began

        return trio.run(timed, clock=MockClock(autojump_threshold=0))


def rounds_of(trial: Play) -> list[int]:
    """List the rounds of the matches that count, in order."""
    return [int(match.split("-")[1].removeprefix("r")) for match in trial.counted]


@pytest.mark.parametrize("tables", [1, 3, 8])
@pytest.mark.parametrize("seconds", [200, 500, 1_000])
def test_a_run_is_cut_after_a_complete_round_and_in_time(tables: int, seconds: int) -> None:
    trial, is_done, took = play(seconds, tables=tables)
    if is_done:
        assert len(trial.counted) == 50 * PER_ROUND
        return
    assert took < seconds + LONGEST_MATCH
    assert trial.stopper.is_cut
    counts = Counter(rounds_of(trial))
    complete = next(number for number in range(50) if counts[number + 1] < PER_ROUND)
    rest = len(trial.counted) - complete * PER_ROUND
    assert 0 < complete < 50
    # A round is left in part only if the forecast was wrong and the time ran out.
    assert rest == 0 or took >= seconds
    partly = f" and {rest} matches of later ones" if rest else ""
    assert trial.stopper.cut_reason == (
        f"finish_by {FinishBy(within=timedelta(seconds=seconds))}: "
        f"cut after {complete} of 50 rounds{partly}; "
        f"left: {50 * PER_ROUND - len(trial.counted)} matches"
    )


def test_the_shorter_the_time_the_fewer_the_rounds() -> None:
    counts = [len(play(seconds)[0].counted) for seconds in (100, 300, 900)]
    assert counts == sorted(counts)
    assert len(set(counts)) == 3


def test_a_first_round_that_takes_too_long_is_broken_off_between_matches_when_the_time_is_up() -> (
    None
):
    trial, is_done, took = play(5)
    assert not is_done
    assert 0 < len(trial.counted) < PER_ROUND
    assert set(rounds_of(trial)) == {1}
    assert took < 5 + LONGEST_MATCH
    assert trial.stopper.cut_reason is not None
    assert f"cut after 0 of 50 rounds and {counted(len(trial.counted), 'match')} of later ones" in (
        trial.stopper.cut_reason
    )


def test_time_enough_cuts_nothing() -> None:
    trial, is_done, _ = play(100_000)
    assert is_done
    assert not trial.stopper.is_cut
    assert len(trial.counted) == 50 * PER_ROUND
