"""A seed is secret, drawn once, and published only as its commitment."""

import hashlib
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ConfigError, HostFault
from arena.tournament.event_file import EventFile
from arena.tournament.seeding import Seed, draw_seeds, read_seeds, write_seeds
from tests.tournament.results import event_of


def two_stages(**values: object) -> EventFile:
    event = event_of("a", "b")
    return replace(event, stages=event.stages * 2, **values)  # type: ignore[arg-type]


def test_each_stage_has_32_bytes_of_its_own_from_the_operating_system() -> None:
    seeds = draw_seeds(two_stages())
    assert [len(seed.key) for seed in seeds] == [32, 32]
    assert seeds[0].key != seeds[1].key
    assert not any(seed.is_guessable for seed in seeds)


def test_chance_can_be_given() -> None:
    assert draw_seeds(event_of("a", "b"), lambda size: b"\7" * size)[0].key == b"\7" * 32


def test_a_text_is_a_seed_in_practice_and_each_stage_has_a_text_of_its_own() -> None:
    seeds = draw_seeds(two_stages(practice=True, seed="Übung"))
    assert [seed.key for seed in seeds] == [
        hashlib.sha256("Übung".encode()).digest(),
        hashlib.sha256("Übung#2".encode()).digest(),
    ]
    assert all(seed.is_guessable for seed in seeds)


def test_the_commitment_is_the_published_hash() -> None:
    seed = Seed(key=bytes(32), is_guessable=False)
    assert seed.commitment == hashlib.sha256(b"tressette commit v1" + bytes(32)).hexdigest()


def test_a_seed_does_not_show_itself() -> None:
    seed = Seed(key=b"\xab" * 32, is_guessable=False)
    assert "ab" not in repr(seed).replace("guessable", "")
    assert "\\xab" not in repr(seed)


def test_seeds_are_kept_for_the_owner_alone_and_read_back(tmp_path: Path) -> None:
    event = two_stages()
    seeds = draw_seeds(event)
    path = tmp_path / "seed.key"
    mask = os.umask(0)
    try:
        write_seeds(path, seeds)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == "".join(f"{seed.key.hex()}\n" for seed in seeds)
    assert read_seeds(path, event) == seeds
    assert list(tmp_path.iterdir()) == [path]


def test_a_seed_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "seed.key"
    write_seeds(path, draw_seeds(event_of("a", "b")))
    before = path.read_bytes()
    with pytest.raises(HostFault, match=r"seed\.key: the seed cannot be kept: File exists"):
        write_seeds(path, draw_seeds(event_of("a", "b")))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(HostFault, match=r"none/seed\.key: .*No such file"):
        write_seeds(tmp_path / "none" / "seed.key", draw_seeds(event_of("a", "b")))


def test_a_missing_seed_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"seed\.key: the seed cannot be read: No such file"):
        read_seeds(tmp_path / "seed.key", event_of("a", "b"))


def test_a_seed_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "seed.key"
    write_seeds(path, draw_seeds(event_of("a", "b")))
    path.chmod(0o644)
    with pytest.raises(ConfigError, match=r"mode 0644 lets others read the seed.*chmod 600"):
        read_seeds(path, event_of("a", "b"))


@pytest.mark.parametrize(
    "content", [b"", b"ab\n", b"zz" * 32 + b"\n", b"ab" * 32 + b"\n" + b"cd" * 32 + b"\n", b"\xff"]
)
def test_a_spoilt_seed_is_refused_without_being_shown(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "seed.key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(ConfigError) as caught:
        read_seeds(path, event_of("a", "b"))
    assert "seed.key" in str(caught.value)
    assert "abab" not in str(caught.value)
