"""A log cut at any byte loses one trick at most, and verifying it says so."""

import gzip
import os
from pathlib import Path

from arena.record.read import read_log
from arena.record.verify.log import verify_log
from arena.rules.events import TrickWon
from tests.record.test_tampering import LOG

LAST_BYTES = 2048
STEP = int(os.environ.get("TRESSETTE_CUT_STEP", "61"))
"""Which bytes are looked at: all of them, which takes a minute, where it is 1."""


def tricks(path: Path) -> int:
    return sum(isinstance(line.event, TrickWon) for line in read_log(path).lines)


def test_a_log_cut_anywhere_in_its_end_is_good_up_to_its_last_whole_line(
    tmp_path: Path,
) -> None:
    content = LOG.read_bytes()
    path = tmp_path / "log.jsonl"
    for size in range(len(content) - LAST_BYTES, len(content), STEP):
        path.write_bytes(content[:size])
        verdict = verify_log(path)
        whole = content[:size].count(b"\n")
        assert verdict.first is not None
        assert verdict.first.seq == whole + 1
        assert verdict.first.expected == "the log to go on to log_closed"
        assert verdict.kept.startswith(f"good up to seq {whole}")
        # What the file still holds: every trick whose line stands before the cut.
        assert tricks(path) == content[:size].rpartition(b"\n")[0].count(b'"trick_won"')


def test_a_compressed_log_cut_anywhere_in_its_end_is_good_up_to_its_last_whole_line(
    tmp_path: Path,
) -> None:
    content = gzip.compress(LOG.read_bytes())
    path = tmp_path / "log.jsonl.gz"
    for size in range(len(content) - LAST_BYTES, len(content), STEP):
        path.write_bytes(content[:size])
        verdict = verify_log(path)
        assert verdict.record is not None
        assert verdict.is_log
        assert verdict.first is not None
        assert verdict.first.expected == "the log to go on to log_closed"
        assert verdict.kept == f"good up to seq {len(verdict.record.lines)}" or (
            f"; {verdict.record.cut_bytes} bytes of a cut line are lost" in verdict.kept
        )
