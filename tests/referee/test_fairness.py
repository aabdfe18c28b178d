"""Commitments and derived seeds are those of the design, byte for byte."""

import hashlib
import hmac
import json
from pathlib import Path

import pytest

from arena.referee import fairness
from arena.rules.dealing import seed_from_text

VECTORS = json.loads(
    (Path(__file__).parents[1] / "data" / "deal_vectors.json").read_text(encoding="utf-8")
)["vectors"]
SECRET = bytes(range(32))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["text"])
def test_the_commitment_of_a_seed_is_that_of_the_vectors(vector: dict[str, str]) -> None:
    seed = seed_from_text(vector["text"])
    assert seed.hex() == vector["seed"]
    assert fairness.commitment(seed).hex() == vector["commitment"]


def test_a_secret_is_committed_to_under_a_name_of_its_own() -> None:
    expected = hashlib.sha256(b"tressette secret v1" + SECRET).digest()
    assert fairness.secret_commitment(SECRET) == expected
    assert fairness.commitment(SECRET) != expected


def test_a_public_text_makes_a_secret_a_seed() -> None:
    text = "estrazione 7 é 42"
    expected = hashlib.sha256(b"tressette seed v1" + SECRET + text.encode("utf-8")).digest()
    assert fairness.seed_from_public_text(SECRET, text) == expected
    assert fairness.seed_from_public_text(SECRET, text + " ") != expected


def test_a_bot_seed_is_the_first_word_of_its_hmac() -> None:
    match_id = "s1-r2-p3-o1-m4"
    seeds = []
    for seat in range(4):
        message = b"tressette bot v1" + match_id.encode() + bytes([seat])
        digest = hmac.new(SECRET, message, "sha256").digest()
        seeds.append(fairness.bot_seed(SECRET, match_id, seat))
        assert seeds[-1] == int.from_bytes(digest[:4], "big")
    assert len(set(seeds)) == 4
    assert all(0 <= seed < 2**32 for seed in seeds)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_size_is_a_bug(size: int) -> None:
    with pytest.raises(AssertionError, match=f"a seed holds 32 bytes, not {size}"):
        fairness.commitment(bytes(size))
    with pytest.raises(AssertionError, match="a secret holds 32 bytes"):
        fairness.secret_commitment(bytes(size))
