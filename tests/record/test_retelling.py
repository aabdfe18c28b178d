"""What seats were told can be told again from the log alone, message by message."""

from pathlib import Path

import pytest

from arena.record.read import read_log
from arena.record.retelling import Put, retold
from arena.referee.messages import Ask, Tell
from tests.record.make_golden import Golden, goldens, play, write

ALL = tuple(goldens())


@pytest.mark.parametrize("golden", ALL, ids=lambda golden: golden.name)
def test_a_log_tells_again_all_that_seats_were_told_but_refusals(
    golden: Golden, tmp_path: Path
) -> None:
    played, _ = play(golden)
    told = [output for output in played.outputs if isinstance(output, Ask | Tell)]
    record = read_log(write(golden, tmp_path))
    again = [one.ask if isinstance(one, Put) else one for one in retold(record)]
    assert [_rounded(one) for one in again] == [_rounded(one) for one in told]


def _rounded(one: Ask | Tell) -> object:
    """Give a message as it is sent: its times in whole milliseconds."""
    if isinstance(one, Tell):
        return one
    limits = one.limit_ns // 1_000_000, one.bank_ns // 1_000_000
    return one.seat, one.number, one.question, one.observation, one.news, limits
