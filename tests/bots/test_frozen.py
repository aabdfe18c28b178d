"""A frozen copy is what was entered, and its hash says so."""

import errno
import hashlib
import os
import shutil
import stat
from pathlib import Path

import pytest

from arena.bots.argument import choose, command_bot
from arena.bots.frozen import content_hash, freeze
from arena.errors import ConfigError, HostFault
from tests.bots.conftest import WriteBot


def test_the_hash_is_what_the_module_documents(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_bytes(b"one")
    (tmp_path / "run").write_bytes(b"two!")
    (tmp_path / "run").chmod(0o755)
    expected = hashlib.sha256(
        b"tressette bot v1\0run\0x\0\0\0\0\0\0\0\x04two!sub/a.txt\0-\0\0\0\0\0\0\0\x03one"
    ).hexdigest()
    assert content_hash(tmp_path) == expected


def test_a_copy_has_the_hash_of_its_source(write_bot: WriteBot, tmp_path: Path) -> None:
    folder = write_bot("print('é')")
    (folder / "data").mkdir()
    (folder / "data" / "wörter 1.bin").write_bytes(bytes(range(256)))
    frozen = freeze(choose(folder), tmp_path / "store")
    assert frozen.folder == tmp_path / "store" / frozen.hash
    assert content_hash(frozen.folder) == frozen.hash == content_hash(folder)
    assert (frozen.name, frozen.version, frozen.run) == ("made", "1.0", ("python", "bot.py"))
    assert [path.name for path in (tmp_path / "store").iterdir()] == [frozen.hash]


def test_freezing_twice_gives_the_same_copy(write_bot: WriteBot, tmp_path: Path) -> None:
    choice = choose(write_bot())
    first = freeze(choice, tmp_path / "store")
    before = (first.folder / "bot.py").stat()
    assert freeze(choice, tmp_path / "store") == first
    assert (first.folder / "bot.py").stat().st_mtime_ns == before.st_mtime_ns


def test_a_copy_is_read_only_and_can_be_deleted(write_bot: WriteBot, tmp_path: Path) -> None:
    folder = write_bot()
    (folder / "tool").write_text("#!/bin/sh\n")
    (folder / "tool").chmod(0o700)
    frozen = freeze(choose(folder), tmp_path / "store")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in frozen.folder.iterdir()}
    assert modes == {"bot.py": 0o444, "bot.toml": 0o444, "tool": 0o555}
    assert os.access(frozen.folder, os.W_OK)


@pytest.mark.parametrize("change", ["content", "name", "mode", "more"])
def test_any_change_gives_another_hash(write_bot: WriteBot, change: str) -> None:
    folder = write_bot("1")
    before = content_hash(folder)
    file = folder / "bot.py"
    match change:
        case "content":
            file.write_text("2")
        case "name":
            file.rename(folder / "bot2.py")
        case "mode":
            file.chmod(0o755)
        case "more":
            (folder / "empty").touch()
    assert content_hash(folder) != before


def test_what_was_played_in_its_folder_is_no_part_of_a_bot(
    write_bot: WriteBot, tmp_path: Path
) -> None:
    folder = write_bot()
    (folder / "logs").mkdir()
    before = freeze(choose(folder), tmp_path / "store")
    played = folder / "matches" / "one"
    (played / "logs").mkdir(parents=True)
    for file in ("event.toml", "seed.key", "logs/s1.jsonl"):
        (played / file).write_text("x")
    after = freeze(choose(folder), tmp_path / "store")
    assert after == before
    assert not (after.folder / "matches").exists()
    (played / "logs" / "s1.jsonl").unlink()
    (played / "logs").rmdir()
    assert content_hash(folder) != before.hash, "a file event.toml alone may be the bot's own"


def test_caches_and_times_do_not_enter_the_hash(write_bot: WriteBot, tmp_path: Path) -> None:
    folder = write_bot()
    before = content_hash(folder)
    for name in ("__pycache__", ".git", ".venv"):
        (folder / name).mkdir()
        (folder / name / "x").write_text("x")
    (folder / "bot.pyc").write_text("x")
    os.utime(folder / "bot.py", (1, 1))
    assert content_hash(folder) == before
    frozen = freeze(choose(folder), tmp_path / "store")
    assert sorted(path.name for path in frozen.folder.iterdir()) == ["bot.py", "bot.toml"]


def test_links_inside_the_folder_become_copies(write_bot: WriteBot, tmp_path: Path) -> None:
    folder = write_bot("1")
    (folder / "lib").mkdir()
    (folder / "lib" / "x.py").write_text("x")
    (folder / "again.py").symlink_to("bot.py")
    (folder / "lib2").symlink_to("lib")
    frozen = freeze(choose(folder), tmp_path / "store")
    assert not (frozen.folder / "again.py").is_symlink()
    assert (frozen.folder / "again.py").read_text() == "1"
    assert (frozen.folder / "lib2" / "x.py").read_text() == "x"


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("/etc/passwd", "outside the bot's folder"),
        ("..", "outside the bot's folder"),
        ("missing", "does not exist"),
        (".", "a folder that it lies in"),
        ("odd", "does not exist"),
    ],
)
def test_a_link_that_leads_astray_is_refused(
    write_bot: WriteBot, tmp_path: Path, goal: str, told: str
) -> None:
    folder = write_bot()
    (folder / "odd").symlink_to(goal)
    with pytest.raises(ConfigError) as caught:
        freeze(choose(folder), tmp_path / "store")
    assert told in str(caught.value)
    assert str(folder / "odd") in str(caught.value)


def test_links_in_a_circle_of_folders_are_refused(write_bot: WriteBot) -> None:
    folder = write_bot()
    for name, goal in (("a", "../b"), ("b", "../a")):
        (folder / name).mkdir()
        (folder / name / "link").symlink_to(goal)
    with pytest.raises(ConfigError, match="a folder that it lies in"):
        content_hash(folder)


def test_what_is_neither_file_nor_folder_is_refused(write_bot: WriteBot) -> None:
    folder = write_bot()
    os.mkfifo(folder / "pipe")
    with pytest.raises(ConfigError, match="pipe: is neither a file nor a folder"):
        content_hash(folder)


def test_made_by_hand_what_a_build_makes_is_refused(write_bot: WriteBot, tmp_path: Path) -> None:
    folder = write_bot()
    (folder / "node_modules").mkdir()
    with pytest.raises(ConfigError, match=r"node_modules is not copied.*build = "):
        freeze(choose(folder), tmp_path / "store")
    folder = write_bot(manifest='build = ["npm", "ci"]')
    assert freeze(choose(folder), tmp_path / "store").folder.is_dir()


def test_an_unwritable_store_is_the_hosts_fault(write_bot: WriteBot, tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file")
    with pytest.raises(HostFault, match=r"store.*while freezing"):
        freeze(choose(write_bot()), tmp_path / "store")


def test_a_folder_that_cannot_be_read_is_the_hosts_fault(tmp_path: Path) -> None:
    with pytest.raises(HostFault, match=r"gone: cannot be read: No such file or directory"):
        content_hash(tmp_path / "gone")


def test_a_copy_made_meanwhile_by_another_arena_is_used(
    write_bot: WriteBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice = choose(write_bot("1"))
    other = freeze(choice, tmp_path / "other")
    target = tmp_path / "store" / other.hash

    def too_late(draft: Path, goal: Path) -> None:
        shutil.copytree(other.folder, target)
        raise OSError(errno.ENOTEMPTY, "Directory not empty", str(goal))

    monkeypatch.setattr(Path, "rename", too_late)
    assert freeze(choice, tmp_path / "store").folder == target
    assert [path.name for path in (tmp_path / "store").iterdir()] == [other.hash]


def test_a_folder_that_changes_while_it_is_copied_is_refused(
    write_bot: WriteBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice = choose(write_bot("1"))
    copy = shutil.copyfile

    def change(source: Path, target: Path) -> None:
        copy(source, target)
        target.write_text("other")

    monkeypatch.setattr(shutil, "copyfile", change)
    with pytest.raises(ConfigError, match="changed while it was being copied"):
        freeze(choice, tmp_path / "store")
    assert list((tmp_path / "store").iterdir()) == []


def test_a_command_is_hashed_with_the_files_it_names(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("1")
    long = "x = 1;" * 1000
    choice = command_bot(("python", "mine.py", "-c", long), tmp_path)
    first = freeze(choice, tmp_path / "store")
    assert first == freeze(choice, tmp_path / "store")
    assert first.folder == tmp_path
    (tmp_path / "mine.py").write_text("2")
    assert freeze(choice, tmp_path / "store").hash != first.hash
    assert not (tmp_path / "store").exists()


def test_a_folder_that_links_make_endless_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d0").mkdir()
    (tmp_path / "d0" / "f").write_text("x")
    for number in range(1, 18):
        (tmp_path / f"d{number}").mkdir()
        for name in "ab":
            (tmp_path / f"d{number}" / name).symlink_to(f"../d{number - 1}")
    with pytest.raises(ConfigError, match="more than 20000 files and folders"):
        content_hash(tmp_path)


def test_a_folder_that_links_make_endless_without_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d0").mkdir()
    for number in range(1, 18):
        (tmp_path / f"d{number}").mkdir()
        for name in "ab":
            (tmp_path / f"d{number}" / name).symlink_to(f"../d{number - 1}")
    with pytest.raises(ConfigError, match="more than 20000 files and folders"):
        content_hash(tmp_path)


def test_files_beyond_a_gibibyte_are_refused_unread(write_bot: WriteBot) -> None:
    folder = write_bot()
    for name in "ab":
        with (folder / name).open("wb") as file:
            file.truncate(1 << 29)
    with pytest.raises(ConfigError, match=r"more than 1073741824 bytes.*`needs`"):
        content_hash(folder)


def test_folders_in_one_another_have_a_bound(write_bot: WriteBot) -> None:
    folder = write_bot()
    deep = folder.joinpath(*"d" * 65)
    deep.mkdir(parents=True)
    with pytest.raises(ConfigError, match="more than 64 folders in one another"):
        content_hash(folder)


@pytest.mark.parametrize("checks", range(0, 12, 2))
def test_freezing_is_given_up_where_its_check_says_so(
    write_bot: WriteBot, tmp_path: Path, checks: int
) -> None:
    folder = write_bot("1")
    left = list(range(checks))
    with pytest.raises(IndexError, match="pop from empty list"):
        freeze(choose(folder), tmp_path / "store", check=left.pop)
    assert list(tmp_path.glob("store/*")) == []


def test_a_command_that_names_no_plain_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    words = ("cat", "/dev/zero", "pipe", "x" * 5000)
    assert len(freeze(command_bot(words, tmp_path), tmp_path / "store").hash) == 64
