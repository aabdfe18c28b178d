"""The event folder: where it lies, how it is made, and that one run has it at a time."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import ConfigError, HostFault, LogCorrupt
from arena.tournament.begun import read_begun
from arena.tournament.folder import (
    EventFolder,
    EventPlace,
    create_folder,
    first_free,
    locate,
    locked,
)
from arena.tournament.known import read_known
from arena.tournament.verify_event import verify_event
from tests.tournament.played_event import play_event

TEXT = "name = 'cup'\n"


def file_at(path: Path, text: str = TEXT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_file_is_played_in_the_folder_beside_it(tmp_path: Path) -> None:
    file = file_at(tmp_path / "cup.toml")
    assert locate(file) == EventPlace(file=file, folder=EventFolder(tmp_path / "cup"))


@pytest.mark.parametrize("left", [None, b"", b'{"seq":1,"time":"2026'])
def test_an_event_whose_log_went_is_not_begun_again_over_its_matches(
    tmp_path: Path, left: bytes | None
) -> None:
    folder = EventFolder(play_event(tmp_path / "cup"))
    folder.event_log.unlink()
    if left is not None:
        folder.event_log.write_bytes(left)
    for read in (read_begun, read_known, verify_event):
        with pytest.raises(LogCorrupt, match="missing or empty, but"):
            read(folder)
    for log in folder.logs.iterdir():
        log.unlink()
    assert read_begun(folder) is None  # a start that was killed before it published anything


def test_a_folder_can_be_named(tmp_path: Path) -> None:
    file = file_at(tmp_path / "cup.toml")
    assert locate(file, tmp_path / "x").folder == EventFolder(tmp_path / "x")


def test_the_folder_of_an_event_stands_for_the_event(tmp_path: Path) -> None:
    folder = create_folder(locate(file_at(tmp_path / "cup.toml")))
    expected = EventPlace(file=folder.event_file, folder=folder)
    folder.event_log.write_text("{}\n")
    assert locate(folder.path) == expected
    assert locate(folder.event_file) == expected


def test_before_its_start_a_folder_stands_for_the_file_that_it_was_made_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The paths of bots start there."""
    file = file_at(tmp_path / "cup.toml")
    folder = create_folder(locate(file))
    assert locate(folder.path) == EventPlace(file=file, folder=folder)
    monkeypatch.chdir(folder.path)
    assert locate(Path()).file == file
    file.write_text("name = 'another'\n")
    assert locate(folder.path).file == folder.event_file
    file.unlink()
    assert locate(folder.path).file == folder.event_file


def test_a_file_called_event_toml_elsewhere_gets_a_folder_of_its_own(tmp_path: Path) -> None:
    file = file_at(tmp_path / "event.toml")
    assert locate(file).folder == EventFolder(tmp_path / "event")


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("none.toml", "no such file or folder; make one with `arena new event`"),
        ("empty", "no event's folder, it holds no event.toml"),
        ("cup", "the event's folder would bear this name too; give -o FOLDER"),
    ],
)
def test_what_is_no_event_is_refused(tmp_path: Path, name: str, answer: str) -> None:
    (tmp_path / "empty").mkdir()
    file_at(tmp_path / "cup")
    with pytest.raises(ConfigError, match=answer):
        locate(tmp_path / name)


def test_a_folder_is_made_with_its_copy_of_the_event_file(tmp_path: Path) -> None:
    folder = create_folder(locate(file_at(tmp_path / "cup.toml"), tmp_path / "deep" / "cup"))
    assert folder.event_file.read_text() == TEXT
    assert not folder.has_begun
    names = {path.name for path in folder.path.iterdir()}
    assert names == {"event.toml", "logs", "stderr", "bots"}


def test_making_it_again_changes_nothing(tmp_path: Path) -> None:
    place = locate(file_at(tmp_path / "cup.toml"))
    folder = create_folder(place)
    folder.event_log.write_text("{}\n")
    before = folder.event_file.stat().st_mtime_ns
    assert create_folder(place) == folder
    assert folder.event_file.stat().st_mtime_ns == before
    assert folder.has_begun


def test_the_folder_of_another_event_is_refused(tmp_path: Path) -> None:
    create_folder(locate(file_at(tmp_path / "cup.toml"))).event_log.write_text("{}\n")
    other = file_at(tmp_path / "cup.toml", "name = 'pot'\n")
    with pytest.raises(ConfigError, match=r"cup: holds another event: its event\.toml is not "):
        create_folder(locate(other))


def test_until_an_event_has_begun_its_file_may_be_mended(tmp_path: Path) -> None:
    folder = create_folder(locate(file_at(tmp_path / "cup.toml")))
    create_folder(locate(file_at(tmp_path / "cup.toml", "name = 'pot'\n")))
    assert folder.event_file.read_text() == "name = 'pot'\n"


def test_somebodys_own_event_file_is_not_written_over(tmp_path: Path) -> None:
    own = file_at(tmp_path / "mine" / "event.toml", "name = 'mine'\n")
    with pytest.raises(ConfigError, match="holds another event"):
        create_folder(locate(file_at(tmp_path / "cup.toml"), own.parent))
    assert own.read_text() == "name = 'mine'\n"
    assert create_folder(locate(own.parent)).event_file == own


def test_a_name_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    assert first_free(tmp_path / "cup") == tmp_path / "cup"
    (tmp_path / "cup").mkdir()
    assert first_free(tmp_path / "cup") == tmp_path / "cup"
    file_at(tmp_path / "cup" / "event.toml")
    file_at(tmp_path / "cup-2")
    assert first_free(tmp_path / "cup") == tmp_path / "cup-3"


def test_a_folder_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    file_at(tmp_path / "cup" / "letters.txt")
    with pytest.raises(ConfigError, match="exists, is not empty and is no event's folder"):
        create_folder(locate(file_at(tmp_path / "cup.toml")))


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "cup").mkdir()
    assert create_folder(locate(file_at(tmp_path / "cup.toml"))).event_file.is_file()


def test_a_place_where_no_folder_can_stand_is_the_users_to_mend(tmp_path: Path) -> None:
    blocking = file_at(tmp_path / "file")
    with pytest.raises(ConfigError, match=r"file.*cannot be written: Not a directory"):
        create_folder(locate(file_at(tmp_path / "cup.toml"), blocking / "cup"))
    with pytest.raises(ConfigError, match="cannot be written: Not a directory"):
        create_folder(locate(file_at(tmp_path / "cup.toml"), blocking))


@pytest.mark.parametrize(
    ("number", "family"), [(errno.EACCES, ConfigError), (errno.ENOSPC, HostFault)]
)
def test_a_forbidden_place_and_a_full_disk_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, family: type[Exception]
) -> None:
    place = locate(file_at(tmp_path / "cup.toml"))

    def refuse(path: Path, **_: object) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(family, match=f"cup: .*{os.strerror(number)}"):
        create_folder(place)


def test_an_event_file_is_copied_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = locate(file_at(tmp_path / "cup.toml"))

    def refuse(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(HostFault, match="No space left"):
        create_folder(place)
    assert not place.folder.event_file.exists()


def test_a_second_run_is_refused_and_told_who_runs(tmp_path: Path) -> None:
    folder = create_folder(locate(file_at(tmp_path / "cup.toml")))
    with (
        locked(folder),
        pytest.raises(ConfigError, match=f"process {os.getpid()} is running this event"),
        locked(folder),
    ):
        raise AssertionError
    with locked(folder):
        assert folder.lock.read_text() == f"{os.getpid()}\n"


def test_the_lock_of_a_killed_run_is_free(tmp_path: Path) -> None:
    folder = create_folder(locate(file_at(tmp_path / "cup.toml")))
    program = (
        "import sys, pathlib, arena.tournament.folder as f\n"
        "with f.locked(f.EventFolder(pathlib.Path(sys.argv[1]))):\n"
        "    print('locked', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(folder.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        with pytest.raises(ConfigError, match=f"process {other.pid} "), locked(folder):
            raise AssertionError
        other.kill()
        other.wait()
    with locked(folder):
        assert folder.lock.read_text() == f"{os.getpid()}\n"


def test_a_lock_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    folder = EventFolder(tmp_path / "none")
    with pytest.raises(ConfigError, match=r"none/lock: .*No such file"), locked(folder):
        raise AssertionError


def test_a_full_disk_does_not_leave_the_lock_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = create_folder(locate(file_at(tmp_path / "cup.toml")))

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", refuse)
        with pytest.raises(HostFault, match=r"lock: .*No space left"), locked(folder):
            raise AssertionError
    with locked(folder):
        assert folder.lock.exists()


def test_every_part_has_its_place() -> None:
    folder = EventFolder(Path("cup"))
    parts = (folder.results, folder.standings, folder.seed_key, folder.logs, folder.stderr)
    assert [part.name for part in parts] == [
        "results.sqlite",
        "standings.json",
        "seed.key",
        "logs",
        "stderr",
    ]
    assert folder.bots == Path("cup/bots")
