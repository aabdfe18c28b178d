"""Deals follow from the seed that a log commits to; ten lines of any language show it."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.record.lines import decode_line
from arena.record.verify.deals import DealProof
from arena.record.verify.log import verify_log
from arena.referee.fairness import commitment
from arena.rules.dealing import seed_from_text
from tests.record.test_tampering import LOG, changed, resealed

DOCS = Path(__file__).parents[3] / "docs"
VECTORS = Path(__file__).parents[2] / "data" / "deal_vectors.json"
SEED = seed_from_text("golden")


def committed(tmp_path: Path) -> Path:
    """Write the golden log as one that commits to the seed that it was dealt from."""
    lines = [decode_line(line) for line in LOG.read_bytes().splitlines()]
    path = tmp_path / "log.jsonl"
    change = changed("log_opened", seed_commitment=commitment(SEED).hex())
    path.write_bytes(resealed(change(lines)))
    return path


def test_deals_are_proven_once_the_seed_is_there(tmp_path: Path) -> None:
    verdict = verify_log(committed(tmp_path), (bytes(32), SEED))
    assert (verdict.deals, verdict.first) == (DealProof.PROVEN, None)


def test_deals_are_not_provable_before(tmp_path: Path) -> None:
    assert verify_log(committed(tmp_path)).deals is DealProof.NOT_YET
    assert verify_log(committed(tmp_path), (bytes(32),)).deals is DealProof.NOT_YET


@pytest.mark.parametrize("language", ["perl", "node"])
def test_the_documented_lines_deal_every_vector(language: str) -> None:
    program = shutil.which(language)
    if program is None:
        pytest.skip(f"{language} is not here")
    name = {"perl": "perl", "node": "javascript"}[language]
    found = re.search(rf"```{name}\n(.*?)```", (DOCS / "tampering.md").read_text(), re.DOTALL)
    assert found is not None
    assert found[1].strip().count("\n") < 10
    for vector in json.loads(VECTORS.read_text())["vectors"]:
        dealt = subprocess.run(
            [program, "-e", found[1], vector["seed"], str(vector["board"])],
            capture_output=True,
            check=True,
            text=True,
            timeout=60,
        )
        assert dealt.stdout.split() == vector["deck"]
