"""The archive of a bot is a folder with a manifest."""

from pathlib import Path

import pytest

from arena.bots.unpacking import unpack_bot
from arena.errors import ConfigError
from tests.bots.archives import MANIFEST, write_zip


def test_an_archive_needs_a_manifest_at_its_top_or_in_its_one_folder(tmp_path: Path) -> None:
    without = write_zip(tmp_path / "a.zip", [("bot.py", b"")], manifest=False)
    says = "no bot.toml at its top; make it with arena pack"
    with pytest.raises(ConfigError, match=says):
        unpack_bot(without, tmp_path / "out")
    deep = write_zip(tmp_path / "a.zip", [("a/b/bot.toml", MANIFEST)], manifest=False)
    with pytest.raises(ConfigError, match=says):
        unpack_bot(deep, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    inside = write_zip(
        tmp_path / "a.zip", [("fox/bot.toml", MANIFEST), ("fox/x", b"x")], manifest=False
    )
    assert unpack_bot(inside, tmp_path / "out") == tmp_path / "out" / "fox"
