"""What faults cost: limits per kind, and the closed lists are mapped whole."""

import pytest

from arena.errors import ConfigError
from arena.referee.conduct import (
    COUNTED_AS,
    FAULT_OF_REASON,
    FORFEIT_OF_GONE,
    Conduct,
    FaultCount,
)
from arena.referee.faults import Culprit, FaultKind, Reason, TerminationKind
from arena.rules.question import BadAnswerKind


@pytest.mark.parametrize(
    ("kind", "boards", "limit"),
    [
        (FaultKind.LATE, 100, 10),
        (FaultKind.LATE, None, 10),  # a match to a target counts as 100 boards
        (FaultKind.LATE, 10, 3),
        (FaultKind.LATE, 31, 4),  # 3.1 rounded up
        (FaultKind.LATE, 1000, 100),
        (FaultKind.ILLEGAL, 100, 3),
        (FaultKind.ILLEGAL, 101, 4),
        (FaultKind.INFRACTION, 50, 5),
        (FaultKind.REVOKE, 1, 3),
        (FaultKind.MALFORMED, None, 3),
        (FaultKind.NOT_HELD, 200, 6),
        (FaultKind.UNSOLICITED, 200, 6),
        (FaultKind.CRASHED, 100, None),
        (FaultKind.HOST_LAG, 100, None),
    ],
)
def test_a_limit_grows_with_the_boards_and_never_falls_below_three(
    kind: FaultKind, boards: int | None, limit: int | None
) -> None:
    assert Conduct().limit_of(kind, boards) == limit


def test_the_fault_that_reaches_the_limit_forfeits() -> None:
    faults = FaultCount(Conduct(), boards=10)
    assert faults.add(1, FaultKind.REVOKE, "again") is None
    assert faults.add(3, FaultKind.REVOKE, "again") is None, "each seat is counted by itself"
    assert faults.add(1, FaultKind.REVOKE, "again") is None
    lost = faults.add(1, FaultKind.REVOKE, "again")
    assert lost is not None
    assert lost.kind is TerminationKind.FORFEIT_FAULTS
    assert (lost.culprit, lost.seat) == (Culprit.BOT, 1)
    assert lost.detail == "3 faults counted as revoke, the limit of this match; the last: again"


def test_a_card_not_held_counts_as_illegal_and_an_unsolicited_message_as_malformed() -> None:
    faults = FaultCount(Conduct(), boards=10)
    assert faults.add(0, FaultKind.NOT_HELD, "again") is None
    assert faults.add(0, FaultKind.UNSOLICITED, "again") is None
    assert faults.add(0, FaultKind.ILLEGAL, "again") is None
    assert faults.add(0, FaultKind.MALFORMED, "again") is None
    assert faults.add(0, FaultKind.NOT_HELD, "again") is not None
    assert faults.add(0, FaultKind.UNSOLICITED, "again") is not None


def test_faults_that_end_a_match_by_themselves_are_not_counted() -> None:
    faults = FaultCount(Conduct(), boards=10)
    assert all(faults.add(0, FaultKind.CRASHED, "again") is None for _ in range(20))


def test_every_reason_says_which_fault_it_is_or_that_it_is_none() -> None:
    assert set(FAULT_OF_REASON) == set(Reason)
    harmless = {reason for reason, kind in FAULT_OF_REASON.items() if kind is None}
    assert {Reason.STALE, Reason.ALREADY_ANSWERED} < harmless


def test_every_way_to_refuse_an_answer_is_a_reason_of_the_wire() -> None:
    assert {kind.value for kind in BadAnswerKind} <= {reason.value for reason in Reason}


def test_every_fault_is_counted_ends_the_match_or_is_not_a_bot_s() -> None:
    others = {FaultKind.HOST_LAG, FaultKind.HOST, FaultKind.REFEREE}
    assert set(COUNTED_AS) | set(FORFEIT_OF_GONE) | others == set(FaultKind)
    assert not set(COUNTED_AS) & set(FORFEIT_OF_GONE)


def test_a_limit_below_one_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="illegal_tries = 0 is too small"):
        Conduct(illegal_tries=0)
