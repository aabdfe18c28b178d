"""A BOT argument names exactly one bot, or says why none."""

from pathlib import Path

import pytest

from arena.bots.argument import (
    command_bot,
    command_text,
    is_command,
    parse_bot,
    set_options,
    settings_of,
    shipped_bots,
)
from arena.bots.manifest import Talk
from arena.bots.names import problem_of_name
from arena.errors import ConfigError
from tests.bots.conftest import WriteBot

OPTIONS = """
[options.depth]
type = "int"
default = 3
[options.url]
type = "text"
default = ""
"""


def test_a_folder_is_a_bot(write_bot: WriteBot, tmp_path: Path) -> None:
    folder = write_bot()
    for text in (str(folder), folder.name, f"./{folder.name}"):
        choice = parse_bot(text, tmp_path, {})
        assert choice.manifest.name == "made"
        assert choice.folder == folder
        assert not choice.options


def test_a_shipped_bot_goes_by_its_name(write_bot: WriteBot, tmp_path: Path) -> None:
    folder = write_bot()
    assert parse_bot("greedy", tmp_path, {"greedy": folder}).folder == folder


def test_options_are_set_after_a_colon(write_bot: WriteBot, tmp_path: Path) -> None:
    folder = write_bot(manifest=OPTIONS)
    assert parse_bot(folder.name, tmp_path, {}).options == {"depth": 3, "url": ""}
    choice = parse_bot(f"{folder.name}:depth=7,url=a:b=c", tmp_path, {})
    assert choice.options == {"depth": 7, "url": "a:b=c"}


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("greedy", {}),
        ("./a:b/fox:depth=7,url=http://x/y", {"depth": "7", "url": "http://x/y"}),
        ("odd: one", {}),
        ("remote", {}),
        ("-- python bot.py a:b=c", {}),
    ],
)
def test_settings_are_read_by_the_form_of_a_bot_alone(text: str, settings: dict[str, str]) -> None:
    assert settings_of(text) == settings


def test_a_folder_may_hold_a_colon_in_its_name(write_bot: WriteBot, tmp_path: Path) -> None:
    folder = write_bot(manifest=OPTIONS, folder="odd: one")
    assert parse_bot("odd: one", tmp_path, {}).folder == folder
    assert parse_bot("odd: one:depth=4", tmp_path, {}).options["depth"] == 4


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("gredy", ["'gredy'", "did you mean 'greedy'?", "greedy, random"]),
        ("gredy:depth=3", ["'gredy'", "'greedy'"]),
        ("", ["''", "greedy, random"]),
        ("remote:name=x", ["a remote bot has its options where it runs"]),
        ("notes.txt", ["is a file", "bot.toml"]),
        ("made bot é:dept=3", ["no option 'dept'", "did you mean 'depth'?", "depth, url"]),
        ("made bot é:depth=deep", ["option depth", "'deep'", "int"]),
        ("made bot é:depth", ["key=value", "'depth'"]),
        ("made bot é:depth=1,depth=2", ["'depth' is given twice"]),
        ("empty", ["no bot.toml"]),
    ],
)
def test_a_bad_argument_is_explained(
    write_bot: WriteBot, tmp_path: Path, text: str, told: list[str]
) -> None:
    write_bot(manifest=OPTIONS)
    (tmp_path / "notes.txt").touch()
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError) as caught:
        parse_bot(text, tmp_path, {"greedy": tmp_path, "random": tmp_path})
    for part in told:
        assert part in str(caught.value)


def test_without_shipped_bots_the_message_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no bots are shipped here"):
        parse_bot("greedy", tmp_path, {})


def test_options_of_an_event_file_are_typed(write_bot: WriteBot, tmp_path: Path) -> None:
    choice = parse_bot(str(write_bot(manifest=OPTIONS)), tmp_path, {})
    assert set_options(choice, {"depth": 9}).options == {"depth": 9, "url": ""}
    assert choice.options["depth"] == 3, "a choice is a value"
    with pytest.raises(ConfigError, match=r"bot made: option depth: True is not of type int"):
        set_options(choice, {"depth": True})
    plain = parse_bot(str(write_bot(folder="plain")), tmp_path, {})
    with pytest.raises(ConfigError, match="it has none"):
        set_options(plain, {"depth": 9})


def test_a_command_is_a_bot(tmp_path: Path) -> None:
    choice = command_bot(("python", "src/mine.py", "--fast"), tmp_path, Talk.LINES)
    assert choice.is_command
    assert choice.manifest.name == "mine.py"
    assert choice.manifest.is_python
    assert choice.manifest.protocol is Talk.LINES
    assert command_bot(("./bot",), tmp_path).manifest.name == "bot"
    for argv in ((), ("",)):
        with pytest.raises(ConfigError, match="after -- comes the command"):
            command_bot(argv, tmp_path)


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """Write files here and elsewhere; give the folder in which commands are given."""
    for name in ("here/near.py", "here/sub/deep.py", "there/far.py", "there/far.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("")
    return tmp_path / "here"


@pytest.mark.parametrize(
    ("words", "folder", "run"),
    [
        ("python near.py -v", "here", "python near.py -v"),
        ("python sub/deep.py", "here", "python sub/deep.py"),
        ("python {here}/sub/deep.py", "here", "python sub/deep.py"),
        ("python ../there/far.py x", "there", "python far.py x"),
        ("python {here}/../there/far.py", "there", "python far.py"),
        ("python -u {there}/far.py ../there/far.json", "there", "python -u far.py far.json"),
        ("../there/far.py", "there", "./far.py"),
        ("/usr/bin/env python near.py", "here", "/usr/bin/env python near.py"),
        ("{there}/far.py near.py", "here", "{there}/far.py near.py"),
        # Of two folders only one can be seen.
        ("python ../there/far.py near.py", "here", "python ../there/far.py near.py"),
        ("python ../nowhere.py", "here", "python ../nowhere.py"),
    ],
)
def test_a_script_elsewhere_is_run_in_its_own_folder(
    places: Path, words: str, folder: str, run: str
) -> None:
    paths = {"here": places, "there": places.parent / "there"}
    choice = command_bot(tuple(words.format_map(paths).split()), places)
    assert choice.folder.resolve() == places.parent / folder
    assert choice.manifest.run == tuple(run.format_map(paths).split())


@pytest.mark.parametrize("talk", Talk)
def test_the_text_of_a_command_says_what_it_speaks(tmp_path: Path, talk: Talk) -> None:
    text = command_text(("./my bot", "--fast"), talk)
    choice = parse_bot(text, tmp_path, {})
    assert is_command(text)
    assert choice.is_command
    assert choice.manifest.protocol is talk
    assert choice.manifest.run == ("./my bot", "--fast")
    assert settings_of(f"{text} x:key=value") == {}


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("python -u src/mine.py --fast", "mine.py"),
        ("python -m mine.bot", "mine.bot"),
        ("python -c pass", "python"),
        ("python", "python"),
        ("./-x", "command"),
        ("./=x", "command"),
    ],
)
def test_a_command_has_a_name_that_is_one(words: str, name: str, tmp_path: Path) -> None:
    choice = command_bot(tuple(words.split()), tmp_path)
    assert choice.manifest.name == name
    assert problem_of_name(name) is None


def test_a_command_in_one_text_is_split_as_a_shell_would(tmp_path: Path) -> None:
    choice = parse_bot("-- python 'my bot.py' --fast", tmp_path, {})
    assert choice.is_command
    assert choice.manifest.run == ("python", "my bot.py", "--fast")
    with pytest.raises(ConfigError, match="No closing quotation"):
        parse_bot("-- python 'my bot.py", tmp_path, {})
    with pytest.raises(ConfigError, match="after -- comes the command"):
        parse_bot("-- ", tmp_path, {})


def test_shipped_bots_are_folders_with_a_manifest() -> None:
    for name, folder in shipped_bots().items():
        assert (folder / "bot.toml").is_file()
        assert name in (folder.name, f"{folder.parent.name}/{folder.name}")


def test_ones_own_bot_goes_before_a_shipped_one_which_keeps_its_full_name(
    write_bot: WriteBot, tmp_path: Path
) -> None:
    shipped, own = write_bot(folder="shipped"), write_bot(folder="low")
    known = {"perl/low": shipped, "low": shipped}
    chosen = parse_bot("low", tmp_path, known)
    assert (chosen.folder, chosen.hides) == (own, "perl/low")
    named = parse_bot("perl/low", tmp_path, known)
    assert (named.folder, named.hides) == (shipped, "")
    assert parse_bot("./low", tmp_path, known).hides == ""
    (own / "bot.toml").unlink()
    assert parse_bot("low", tmp_path, known).folder == shipped
