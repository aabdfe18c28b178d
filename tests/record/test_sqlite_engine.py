"""Results are read where nobody may write: a published folder, a copy, another user's event."""

import os
from pathlib import Path

import pytest

from arena.errors import HostFault
from arena.record.results import Results
from tests.record.test_results import ROW, VOID


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "50% of ours? #1"
    folder.mkdir()
    return folder / "results.sqlite"


def not_ours(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Take the right to write away; from root only the answer to who asks for it."""
    path.chmod(0o444)
    path.parent.chmod(0o555)
    monkeypatch.setattr(os, "access", lambda _path, mode: not mode & os.W_OK)


def kept(path: Path) -> Results:
    database = Results.open(path)
    database.count(ROW)
    return database


def test_rows_are_read_and_nothing_is_made_beside_them(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(path).close()
    before = path.read_bytes()
    not_ours(monkeypatch, path)
    reader = Results.open(path, must_exist=True)
    assert reader.rows() == (ROW,)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    reader.close()
    assert path.read_bytes() == before


def test_rows_that_the_writer_has_yet_to_move_are_read_too(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = kept(path)
    assert path.with_name(f"{path.name}-wal").stat().st_size
    not_ours(monkeypatch, path)
    reader = Results.open(path, must_exist=True)
    assert reader.rows() == (ROW,)
    reader.close()
    writer.close()


def test_nothing_can_be_written_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(path).close()
    not_ours(monkeypatch, path)
    reader = Results.open(path, must_exist=True)
    with pytest.raises(HostFault, match="readonly"):
        reader.void(VOID)
    assert reader.rows() == (ROW,)
    reader.close()
