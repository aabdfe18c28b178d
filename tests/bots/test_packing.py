"""A bot's archive is the same everywhere, and holds what is frozen."""

import hashlib
import os
import zipfile
from pathlib import Path

import pytest

from arena.bots.argument import BotChoice, choose
from arena.bots.frozen import content_hash, freeze
from arena.bots.packing import pack_bot
from arena.bots.unpacking import unpack_bot
from arena.errors import ConfigError
from tests.bots.archives import MANIFEST


def make_bot(folder: Path) -> BotChoice:
    """Make a bot with what is left out, an executable file, an odd name and a link inside."""
    (folder / "data").mkdir(parents=True)
    (folder / "bot.toml").write_bytes(MANIFEST)
    (folder / "bot").write_text("#!/bin/sh\n")
    (folder / "bot").chmod(0o700)
    (folder / "data" / "öffnung 🂡.txt").write_text("x" * 5000)
    (folder / "Z").write_text("")
    (folder / "link").symlink_to("data")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_text("x")
    (folder / ".git").mkdir()
    return choose(folder)


def test_an_archive_holds_what_is_frozen_under_the_same_hash(tmp_path: Path) -> None:
    choice = make_bot(tmp_path / "fox")
    packed = pack_bot(choice, tmp_path / "fox.zip")
    assert packed.hash == freeze(choice, tmp_path / "store").hash
    out = unpack_bot(tmp_path / "fox.zip", tmp_path / "out")
    assert out == tmp_path / "out"
    assert content_hash(out) == packed.hash
    with zipfile.ZipFile(tmp_path / "fox.zip") as archive:
        names = archive.namelist()
    assert names == sorted(names, key=os.fsencode)
    assert (packed.files, len(names)) == (5, 5)
    assert packed.size == (tmp_path / "fox.zip").stat().st_size


def test_the_same_bot_is_the_same_archive_wherever_and_whenever_it_lies(tmp_path: Path) -> None:
    one = make_bot(tmp_path / "one" / "fox")
    other = make_bot(tmp_path / "other" / "a fox")
    for path in sorted((tmp_path / "other").rglob("*")):
        if path.is_file():
            path.chmod(path.stat().st_mode | 0o044)
            os.utime(path, (1, 1))
    umask = os.umask(0o077)
    try:
        pack_bot(one, tmp_path / "one.zip")
    finally:
        os.umask(umask)
    pack_bot(other, tmp_path / "other.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()


def test_the_bytes_of_an_archive_are_pinned(tmp_path: Path) -> None:
    """They depend on no library that compresses; a change here is a change of the format."""
    (tmp_path / "fox").mkdir()
    (tmp_path / "fox" / "bot.toml").write_bytes(MANIFEST)
    pack_bot(choose(tmp_path / "fox"), tmp_path / "fox.zip")
    content = (tmp_path / "fox.zip").read_bytes()
    assert (
        hashlib.sha256(content).hexdigest()
        == "48d0dc7a3a6baaa7b58cc1256aa8348404e079540ebe36d915f269e47cb69e94"
    )


def test_an_archive_is_not_overwritten_unless_it_is_the_same_or_that_is_asked(
    tmp_path: Path,
) -> None:
    choice = make_bot(tmp_path / "fox")
    out = tmp_path / "fox.zip"
    assert pack_bot(choice, out).is_new
    assert not pack_bot(choice, out).is_new
    out.write_text("something else")
    with pytest.raises(ConfigError, match="exists and is another file"):
        pack_bot(choice, out)
    assert out.read_text() == "something else"
    assert pack_bot(choice, out, may_replace=True).is_new
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fox", "fox.zip"]


def test_an_archive_in_the_bots_own_folder_is_refused(tmp_path: Path) -> None:
    choice = make_bot(tmp_path / "fox")
    with pytest.raises(ConfigError, match="in the bot's own folder"):
        pack_bot(choice, tmp_path / "fox" / "fox.zip")


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    choice = make_bot(tmp_path / "fox")
    (tmp_path / "fox" / "out").symlink_to("/etc")
    with pytest.raises(ConfigError, match="outside the bot's folder"):
        pack_bot(choice, tmp_path / "fox.zip")
    assert not (tmp_path / "fox.zip").exists()


@pytest.mark.parametrize(("name", "says"), [("BOT", "one file on some"), ("a\\b", "backslash")])
def test_names_that_would_not_be_unpacked_are_refused(tmp_path: Path, name: str, says: str) -> None:
    choice = make_bot(tmp_path / "fox")
    (tmp_path / "fox" / name).write_text("")
    with pytest.raises(ConfigError, match=says):
        pack_bot(choice, tmp_path / "fox.zip")
    assert not (tmp_path / "fox.zip").exists()
