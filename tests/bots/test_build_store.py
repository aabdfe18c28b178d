"""The store of builds gives back what was built or nothing, and stays within its bounds."""

import errno
import fcntl
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots import build_store
from arena.bots.build_store import BuildStore, Holdings, open_build_store
from arena.bots.built_tree import tree_digest
from arena.bots.cache_folder import VARIABLE
from arena.bots.frozen import make_read_only

KEY, OTHER, THIRD = (digit * 64 for digit in "abc")


class _Enough(Exception):
    """Work was given up."""


def go_on() -> None:
    """Never give up."""


def give_up() -> None:
    raise _Enough


@pytest.fixture
def store(tmp_path: Path) -> BuildStore:
    """Return a store in a folder of its own."""
    folder = tmp_path / "builds"
    folder.mkdir(mode=0o700)
    return BuildStore(folder=folder)


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Return a built tree: a program, a file below a folder, links, an empty folder."""
    tree = tmp_path / "built"
    (tree / "deep" / "empty").mkdir(parents=True)
    (tree / "run").write_text("#!/bin/sh\n")
    (tree / "run").chmod(0o755)
    (tree / "deep" / "data").write_bytes(bytes(1000))
    (tree / "beside").symlink_to("deep")
    (tree / "nowhere").symlink_to("/no/such/file")
    make_read_only(tree)
    return tree


def keep(store: BuildStore, built: Path, key: str = KEY) -> str:
    digest = tree_digest(built)
    store.keep(key, built, name="made", digest=digest, check=go_on)
    return digest


def contents(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_what_was_kept_is_given_back(store: BuildStore, built: Path, tmp_path: Path) -> None:
    digest = keep(store, built)
    target = tmp_path / "target"
    (target / "rubbish").mkdir(parents=True)
    assert store.take(KEY, target, go_on) == digest == tree_digest(target)
    assert contents(target) == contents(built)
    assert stat.S_IMODE((target / "run").stat().st_mode) == 0o555
    assert stat.S_IMODE((target / "deep" / "data").stat().st_mode) == 0o444
    assert (target / "run").stat().st_mtime_ns == (built / "run").stat().st_mtime_ns
    assert (target / "beside").readlink() == Path("deep")
    assert store.take(OTHER, target, go_on) is None


def test_what_was_taken_is_a_copy(store: BuildStore, built: Path, tmp_path: Path) -> None:
    """Whoever changes it, or its rights, changes nothing in the store."""
    digest = keep(store, built)
    for name in ("one", "two"):
        assert store.take(KEY, tmp_path / name, go_on) == digest
        file = tmp_path / name / "run"
        file.chmod(0o777)
        file.write_text("something else")


@pytest.mark.parametrize("harm", ["edited", "added", "taken away", "no record", "bad record"])
def test_an_entry_that_was_changed_is_not_given_and_goes(
    store: BuildStore, built: Path, tmp_path: Path, harm: str
) -> None:
    digest = keep(store, built)
    entry = store.folder / KEY
    run = entry / "tree" / "run"
    match harm:
        case "edited":
            run.chmod(0o755)
            run.write_text("#!/bin/sh\nevil\n")
        case "added":
            (entry / "tree" / "more").touch()
        case "taken away":
            run.unlink()
        case "no record":
            (entry / "build.json").unlink()
        case _:
            (entry / "build.json").write_text('{"name": "made"}')
    assert store.take(KEY, tmp_path / "target", go_on) is None
    assert list(store.folder.iterdir()) == []
    keep(store, built)
    assert store.take(KEY, tmp_path / "target", go_on) == digest


def test_a_full_disk_costs_no_entry(
    store: BuildStore, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    digest = keep(store, built)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copy2", refuse)
        assert store.take(KEY, tmp_path / "target", go_on) is None
        keep(store, built, OTHER)
    assert [path.name for path in store.folder.iterdir()] == [KEY], "nor leaves half of one"
    assert store.take(KEY, tmp_path / "target", go_on) == digest


def test_work_that_is_given_up_leaves_nothing(
    store: BuildStore, built: Path, tmp_path: Path
) -> None:
    with pytest.raises(_Enough):
        store.keep(KEY, built, name="made", digest=tree_digest(built), check=give_up)
    assert list(store.folder.iterdir()) == []
    digest = keep(store, built)
    with pytest.raises(_Enough):
        store.take(KEY, tmp_path / "target", give_up)
    assert store.take(KEY, tmp_path / "target", go_on) == digest


def test_what_a_killed_arena_left_goes_and_is_never_an_entry(
    store: BuildStore, built: Path, tmp_path: Path
) -> None:
    half = store.folder / ".half"
    (half / "tree").mkdir(parents=True)
    assert store.holdings() == Holdings(entries=0, size=0)
    keep(store, built)
    assert [path.name for path in store.folder.iterdir()] == [KEY]


KEEPER = """
import sys
from pathlib import Path
from arena.bots.build_store import BuildStore

def wait():
    print("copying", flush=True)
    sys.stdin.read()

BuildStore(folder=Path(sys.argv[1])).keep(
    "b" * 64, Path(sys.argv[2]), name="made", digest="", check=wait
)
"""


def test_a_draft_stays_as_long_as_its_arena_lives_and_goes_after_its_kill(
    store: BuildStore, built: Path
) -> None:
    words: list[str | Path] = [sys.executable, "-c", KEEPER, store.folder, built]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as keeper:
        try:
            assert keeper.stdout is not None
            assert keeper.stdout.readline() == b"copying\n"
            keep(store, built)
            assert store.holdings().entries == 1
            assert len(list(store.folder.iterdir())) == 2
        finally:
            keeper.kill()
    keep(store, built)
    assert [path.name for path in store.folder.iterdir()] == [KEY]


def test_the_second_of_two_arenas_that_keep_the_same_build_leaves_the_first(
    store: BuildStore, built: Path, tmp_path: Path
) -> None:
    digest = tree_digest(built)

    def meanwhile() -> None:
        if not (store.folder / KEY).exists():
            keep(store, built)

    store.keep(KEY, built, name="made", digest=digest, check=meanwhile)
    assert store.holdings().entries == 1
    assert [path.name for path in store.folder.iterdir()] == [KEY]
    assert store.take(KEY, tmp_path / "target", go_on) == digest


def test_two_arenas_take_the_same_build_at_once(
    store: BuildStore, built: Path, tmp_path: Path
) -> None:
    digest = keep(store, built)

    def meanwhile() -> None:
        if not (tmp_path / "second").exists():
            assert store.take(KEY, tmp_path / "second", go_on) == digest

    assert store.take(KEY, tmp_path / "first", meanwhile) == digest


def test_an_entry_that_is_being_removed_is_not_given(
    store: BuildStore, built: Path, tmp_path: Path
) -> None:
    keep(store, built)
    with (store.folder / KEY / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert store.take(KEY, tmp_path / "target", go_on) is None
    assert store.holdings().entries == 1


def test_the_oldest_use_goes_first(store: BuildStore, built: Path, tmp_path: Path) -> None:
    store = BuildStore(folder=store.folder, most_entries=2)
    for number, key in enumerate((KEY, OTHER)):
        keep(store, built, key)
        os.utime(store.folder / key / "build.json", (number, number))
    assert store.take(KEY, tmp_path / "target", go_on) is not None
    keep(store, built, THIRD)
    assert {path.name for path in store.folder.iterdir()} == {KEY, THIRD}


def test_an_entry_in_use_stays_beyond_the_bound(store: BuildStore, built: Path) -> None:
    store = BuildStore(folder=store.folder, most_entries=1)
    keep(store, built, KEY)
    os.utime(store.folder / KEY / "build.json", (0, 0))
    with (store.folder / KEY / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)  # as another arena that copies it
        keep(store, built, OTHER)
        assert {path.name for path in store.folder.iterdir()} == {KEY}, "the next oldest goes"
    keep(store, built, OTHER)
    assert {path.name for path in store.folder.iterdir()} == {OTHER}


def test_the_sizes_of_all_are_bounded_and_so_is_one(store: BuildStore, built: Path) -> None:
    keep(store, built)
    assert 1000 < store.holdings().size < 1100
    narrow = BuildStore(folder=store.folder, most_bytes=2500)
    keep(narrow, built, OTHER)
    assert narrow.holdings().entries == 2
    keep(narrow, built, THIRD)
    assert narrow.holdings().entries == 2
    tiny = BuildStore(folder=store.folder, most_bytes=900)
    keep(tiny, built, "d" * 64)
    assert not (store.folder / ("d" * 64)).exists()


def test_a_file_with_holes_counts_in_its_whole_length(store: BuildStore, tmp_path: Path) -> None:
    """A copy of it has none: a few bytes could fill the disk."""
    tree = tmp_path / "tree"
    tree.mkdir()
    with (tree / "holes").open("wb") as file:
        file.truncate(build_store.MOST_BYTES + 1)
    store.keep(KEY, tree, name="made", digest="", check=give_up)
    assert list(store.folder.iterdir()) == []


def test_what_is_no_file_is_not_kept(store: BuildStore, built: Path) -> None:
    os.mkfifo(built / "pipe")
    keep(store, built)
    assert list(store.folder.iterdir()) == []


def test_a_store_that_is_gone_meanwhile_is_nobodys_fault(
    store: BuildStore, built: Path, tmp_path: Path
) -> None:
    store.folder.rmdir()
    keep(store, built)
    assert store.take(KEY, tmp_path / "target", go_on) is None
    assert store.holdings() == Holdings(entries=0, size=0)


def test_the_store_lies_in_the_cache_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    store = open_build_store()
    assert store is not None
    assert store.folder == tmp_path / "cache" / "builds"
    monkeypatch.setenv(VARIABLE, "off")
    assert open_build_store() is None
