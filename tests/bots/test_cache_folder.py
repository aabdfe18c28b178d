"""The cache lies where its user says, is this user's alone, or there is none."""

import os
import stat
from pathlib import Path

import pytest

from arena.bots.cache_folder import VARIABLE, NoCache, open_cache


@pytest.fixture(autouse=True)
def _unset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Leave nothing that names the real home."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)


def test_it_lies_where_caches_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_cache("a") == tmp_path / "home/.cache/tressette-arena/a"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert open_cache("a") == tmp_path / "home/.cache/tressette-arena/a"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert open_cache("a") == tmp_path / "xdg/tressette-arena/a"
    monkeypatch.setenv(VARIABLE, str(tmp_path / "own"))
    assert open_cache("a") == tmp_path / "own/a"
    assert (tmp_path / "own/a").is_dir()


@pytest.mark.parametrize("value", ["", "off"])
def test_it_can_be_switched_off(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(NoCache, match=f"ARENA_CACHE is '{value}'"):
        open_cache("a")
    assert list((tmp_path / "home").iterdir()) == []


def test_nobody_else_may_look_into_it() -> None:
    folder = open_cache("a")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o777)
    assert stat.S_IMODE(open_cache("a").stat().st_mode) == 0o700


def test_what_is_anothers_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    open_cache("a")
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(NoCache, match=r"no folder of this user|belongs to another user"):
        open_cache("a")
    with pytest.raises(NoCache):
        open_cache("b")


def test_a_link_in_its_place_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    (tmp_path / "goal").mkdir()
    (tmp_path / "a").symlink_to("goal")
    with pytest.raises(NoCache, match="is no folder of this user"):
        open_cache("a")


def test_what_cannot_be_made_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file"))
    with pytest.raises(NoCache, match=r"file/a: Not a directory"):
        open_cache("a")
    monkeypatch.setenv(VARIABLE, "x" * 300)
    with pytest.raises(NoCache, match="File name too long"):
        open_cache("a")


def test_who_has_no_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", refuse)
    with pytest.raises(NoCache, match="home"):
        open_cache("a")


def test_a_folder_that_cannot_be_written_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    open_cache("a")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(NoCache, match="is not writable"):
        open_cache("a")
