"""New bots are whole folders made from the sample bots."""

import errno
from pathlib import Path

import pytest

from arena.bots import templates
from arena.bots.manifest import read_manifest
from arena.bots.shipped import SAMPLE_BOTS, shipped_folder
from arena.bots.templates import Language, write_bot
from arena.errors import ConfigError, HostFault


@pytest.mark.parametrize("language", Language)
def test_a_new_bot_is_whole_and_its_own(language: Language, tmp_path: Path) -> None:
    folder = tmp_path / 'un bot "tutto mio"'
    template = write_bot(language, folder)
    manifest = read_manifest(folder)
    assert manifest.name == folder.name
    assert manifest.authors == ()
    sample = read_manifest(shipped_folder(SAMPLE_BOTS) / template.sample)
    assert (manifest.run, manifest.build) == (sample.run, sample.build)
    assert (folder / template.source).is_file()
    assert "/matches/" in (folder / ".gitignore").read_text().splitlines()
    readme = (folder / "README.md").read_text("utf-8")
    assert "arena check ." in readme
    assert "sample_bots/" not in readme


@pytest.mark.parametrize("language", Language)
def test_a_new_bot_needs_nothing_outside_its_folder(language: Language, tmp_path: Path) -> None:
    template = write_bot(language, tmp_path / "mine")
    texts = [file.read_text("utf-8") for file in (tmp_path / "mine").rglob("*") if file.is_file()]
    assert not any("../../" in text for text in texts)
    protos = {file.name for file in (tmp_path / "mine").glob("proto/arena/v1/*")}
    needed = {"cards.proto", "match.proto", "play.proto", "ruleset.proto", "seat.proto"}
    assert protos == (needed if template.has_stubs else set())


@pytest.mark.parametrize("name", ["mine", "ünï cödé", "🃏", "名前"])
@pytest.mark.parametrize(
    "language",
    [Language.GO, Language.JAVA, Language.RUST, Language.CPP, Language.TYPESCRIPT],
)
def test_a_new_bot_joins_under_its_own_name(language: Language, tmp_path: Path, name: str) -> None:
    """As it is: an escape for a letter would be right in some languages alone."""
    template = write_bot(language, tmp_path / name)
    assert f'"{name}"' in (tmp_path / name / template.source).read_text("utf-8")
    manifest = (tmp_path / name / "bot.toml").read_text("utf-8")
    assert manifest.startswith(f'name = "{name}"\n')
    assert read_manifest(tmp_path / name).name == name


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.py").write_text("years of work")
    with pytest.raises(ConfigError, match="exists; name a folder that does not"):
        write_bot(Language.PYTHON, tmp_path / "mine")
    assert (tmp_path / "mine" / "bot.py").read_text() == "years of work"


def test_a_folder_that_holds_a_repository_alone_is_as_good_as_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = tmp_path / "mine" / ".git" / "HEAD"
    head.parent.mkdir(parents=True)
    head.write_text("ref: refs/heads/main")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(templates, "_rename", full)
        with pytest.raises(HostFault, match="No space left"):
            write_bot(Language.PYTHON, tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == [".git"]
    write_bot(Language.PYTHON, tmp_path / "mine")
    assert (tmp_path / "mine" / "bot.toml").is_file()
    assert head.read_text() == "ref: refs/heads/main"


@pytest.mark.parametrize(
    ("name", "why"), [("x" * 65, "has 65 characters"), ("a\nb", "U\\+000A"), ("\udcff", "U\\+DCFF")]
)
def test_a_folder_whose_name_is_no_bots_name_is_not_made(
    tmp_path: Path, name: str, why: str
) -> None:
    with pytest.raises(ConfigError, match=f"the folder's name becomes the bot's: .*{why}") as told:
        write_bot(Language.PYTHON, tmp_path / name)
    assert "\n" not in str(told.value)
    assert list(tmp_path.iterdir()) == []


def test_weights_that_were_trained_are_kept_with_the_source(tmp_path: Path) -> None:
    write_bot(Language.PYTHON_TORCH, tmp_path / "mine")
    assert "weights" not in (tmp_path / "mine" / ".gitignore").read_text()
