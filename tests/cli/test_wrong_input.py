"""Wrong input: one line that says what is wrong, exit status 2, and nothing left behind."""

import sys
import tempfile
from pathlib import Path

import pytest

from tests.cli.bots import LOW, SPEAKS_LINES, write_bot, write_event, write_raw_bot
from tests.cli.conftest import RunArena
from tests.cli.processes import Ended


def refused(ended: Ended, *parts: str, lines: int = 1) -> None:
    """Hold the end of a command against what a refusal must be."""
    assert (ended.status, ended.out) == (2, "")
    assert len(ended.err.splitlines()) == lines, ended.err
    for part in parts:
        assert part in ended.err


# --- words on the command line --------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["frobnicate"], ["arena: ", "'frobnicate'", "arena --help"]),
        (["rum", "cup.toml"], ["'rum'", "'run'"]),
        (["run"], ["arena run: ", "EVENT", "arena run --help"]),
        (["run", "cup.toml", "--tabels", "3"], ["--tabels", "--tables"]),
        (["run", "cup.toml", "--tables", "0"], ["--tables", "1"]),
        (["run", "--", "python", "bot.py"], ["-- COMMAND", "arena match"]),
        (["match", "greedy", "--boards", "ten"], ["--boards", "integer"]),
        (["match"], ["0 bots given", "one", "two"]),
        (["match", "greedy", "--lines"], ["--lines: says what a command after -- speaks"]),
        (["match", "greedy", "random", "bare"], ["3 bots given"]),
        (["match", "gredy"], ["'gredy'", "'greedy'"]),
        (["match", "greedy:depth=3"], ["bot greedy", "'depth'"]),
        (["match", "greedy", "--ruleset", "italian"], ["'italian'", "italian-tournament"]),
        (["match", "greedy", "--ruleset", "gamelake-4:target=0"], ["target"]),
        (["match", "--", "no such tool"], ["'no such tool'", "not found on this machine"]),
        (["standings", "cup"], ["cup", "no such file or folder"]),
        (["rulesets", "show", "gamelake-5"], ["'gamelake-5'", "gamelake-4"]),
        (["rulesets", "list", "--format", "yaml"], ["'yaml'", "markdown"]),
        (["deal", "--seed", "x", "--board", "4294967296"], ["4294967296", "4294967295"]),
        (["deal", "--board", "1"], ["--seed"]),
        (["new", "cup"], ["'cup'"]),
        (["replay", "nothing.jsonl"], ["nothing.jsonl", "no such file"]),
    ],
)
def test_wrong_words_are_told_in_one_line(
    arena: RunArena, words: list[str], parts: list[str]
) -> None:
    refused(arena(*words), *parts)


# --- event files ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (b"\xff\xfe\x00not text", ["cup.toml", "UTF-8"]),
        (b"name = ", ["cup.toml", "TOML", "Invalid value"]),
        (b"", ["cup.toml", "name: missing"]),
        (b'name = "cup"\nbords = 3', ["cup.toml", "bords"]),
        (b'name = "cup"\n[[stage]]\nboards_per_mach = 3', ["boards_per_mach", "boards_per_match"]),
        (b'name = "cup"\n[clock]\nlimit = 3', ["limit", "limit_ms"]),
        (b'name = "cup"\n[clock]\nlimit_ms = "3"', ["limit_ms", '"3"', "a whole number"]),
        (b'name = "cup"\nseed = "x"', ["seed", "practice"]),
        (b'name = "cup"\n[[entrant]]\nbot = "low"', ["1 entered", "2"]),
        (b'name = "cup"\n[[entrant]]\nbot = "low"\n[[entrant]]\nbot = "low"', ["'low'", "name"]),
        (b'name = "cup"\n[ruleset]\nname = "italian"', ["italian"]),
    ],
)
def test_a_wrong_event_file_is_refused_before_anything_is_written(
    arena: RunArena, home: Path, text: bytes, parts: list[str]
) -> None:
    (home / "cup.toml").write_bytes(text)
    refused(arena("run", "cup.toml"), *parts)
    assert [path.name for path in home.iterdir()] == ["cup.toml"]


def test_an_event_that_is_missing_or_a_folder_of_other_things_is_refused(
    arena: RunArena, home: Path
) -> None:
    refused(arena("run", "cup.toml"), "cup.toml", "arena new event")
    (home / "things").mkdir()
    refused(arena("run", "things"), "things", "event.toml")
    refused(arena("standings", "things"), "things", "event.toml")


def test_a_folder_that_cannot_be_written_is_named(arena: RunArena, home: Path) -> None:
    write_bot(home / "low")
    write_bot(home / "high")
    write_event(home / "cup.toml", "low", "high")
    (home / "file").touch()
    refused(arena("run", "cup.toml", "-o", "file/cup"), "file/cup", "Not a directory")
    refused(arena("run", "cup.toml", "-o", "file"), "file")
    # Not even root may write there.
    refused(arena("run", "cup.toml", "-o", "/proc/cup"), "/proc/cup")
    (home / "full").mkdir()
    (home / "full" / "thing").touch()
    refused(arena("run", "cup.toml", "-o", "full"), "full", "not empty", "-o FOLDER")


# --- entrants -------------------------------------------------------------------------


def test_all_entrants_that_are_wrong_are_named_at_once(arena: RunArena, home: Path) -> None:
    write_bot(home / "low")
    write_bot(home / "lacking", manifest='run = ["no-such-tool"]')
    write_bot(home / "misspelt", manifest='langage = "python"')
    write_bot(home / "four", manifest='rulesets = ["gamelake-4"]')
    write_event(home / "cup.toml", "low", "lacking", "misspelt", "four", "nobody")
    ended = arena("run", "cup.toml")
    refused(
        ended,
        "nothing was played:",
        "entrant 'misspelt': ",
        "'langage'; did you mean 'language'?",
        "entrant 'four': bot four plays gamelake-4, not gamelake-2",
        "entrant 'nobody': no bot './nobody'",
        "entrant 'lacking': bot lacking needs 'no-such-tool', not found on this machine; "
        "install it or leave the bot out, as arena run --skip-missing does",
        lines=5,
    )
    assert not (home / "cup").exists()


def test_entrants_without_their_tools_are_left_out_on_demand(arena: RunArena, home: Path) -> None:
    write_bot(home / "low")
    write_bot(home / "high")
    write_bot(home / "lacking", manifest='run = ["no-such-tool"]')
    write_event(home / "cup.toml", "low", "lacking", "high")
    ended = arena("run", "cup.toml", "--skip-missing")
    assert ended.status == 0
    assert "skipped: entrant 'lacking': bot lacking needs 'no-such-tool'" in ended.err
    assert "2/2" in ended.err
    assert "lacking" not in ended.out


def test_an_event_with_one_entrant_left_is_refused(arena: RunArena, home: Path) -> None:
    write_bot(home / "low")
    write_bot(home / "lacking", manifest='run = ["no-such-tool"]')
    write_event(home / "cup.toml", "low", "lacking")
    ended = arena("run", "cup.toml", "--skip-missing")
    refused(ended, "skipped: ", "1 of 2 entrants are skipped", "enter at least 2", lines=2)


BROKEN = "import sys; print('no model file', file=sys.stderr); sys.exit(3)"


@pytest.mark.parametrize(
    ("mode", "parts"),
    [
        ("rubbish", ["refused: these 19 bytes are no arena.v1.PlayRequest"]),
        ("impostor", ["refused: the token"]),
        ("silent", ["no Join within the start allowance of 2500 ms"]),
    ],
)
def test_a_bot_that_fails_its_first_hello_is_told_before_the_first_card(
    arena: RunArena, home: Path, mode: str, parts: list[str]
) -> None:
    write_bot(home / "low")
    write_raw_bot(home / "raw")
    write_event(home / "cup.toml", "low", f"raw:mode={mode}", more="[clock]\nstart_ms = 2500")
    ended = arena("run", "cup.toml")
    last_words = [line for line in ended.err.splitlines() if line.startswith("  | ")]
    told = ("nothing was played: entrant 'raw': fails its first hello: ", *parts)
    refused(ended, *told, lines=1 + len(last_words))


def test_bots_that_exit_at_once_or_cannot_be_run_are_told_with_their_last_words(
    arena: RunArena, home: Path
) -> None:
    write_bot(home / "low")
    write_bot(home / "broken", BROKEN)
    write_event(home / "cup.toml", "low", "broken")
    ended = arena("run", "cup.toml")
    refused(ended, "entrant 'broken'", "exited with status 3", "\n  | no model file", lines=2)
    write_bot(home / "mute", BROKEN, manifest=SPEAKS_LINES)
    write_event(home / "cup.toml", "low", "mute")
    ended = arena("run", "cup.toml")
    refused(ended, "entrant 'mute'", "exited with status 3", "\n  | no model file", lines=2)
    write_bot(home / "unbuilt", manifest='run = ["./engine"]\nlanguage = "c"')
    write_event(home / "cup.toml", "low", "unbuilt")
    refused(arena("run", "cup.toml"), "entrant 'unbuilt'", "'./engine': no such file")
    write_bot(home / "failing", manifest='build = ["false"]')
    write_event(home / "cup.toml", "low", "failing")
    ended = arena("run", "cup.toml")
    refused(
        ended, "building failing", "entrant 'failing'", "build step 1 of 1 (false) exited", lines=2
    )


def test_after_a_refusal_the_mended_event_is_played_in_the_same_folder(
    arena: RunArena, home: Path
) -> None:
    write_bot(home / "low")
    write_bot(home / "high", BROKEN)
    event = write_event(home / "cup.toml", "low", "high")
    assert arena("run", "cup.toml").status == 2
    write_bot(home / "high", LOW)
    event.write_text(event.read_text("utf-8").replace("cup", "better cup"), "utf-8")
    ended = arena("run", "cup.toml")
    assert ended.status == 0
    assert ended.out.startswith("better cup\n")


def test_a_temporary_folder_with_a_long_path_does_no_harm(
    arena: RunArena, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = home / ("d" * 100)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    write_bot(home / "low")
    ended = arena("match", "./low", "./low", "--boards", "1", "--ruleset", "gamelake-2")
    assert ended.status == 0
    assert list(deep.iterdir()) == []


def test_a_command_line_that_is_no_text_is_refused(arena: RunArena) -> None:
    surrogate = b"cup\xff.toml".decode("utf-8", "surrogateescape")
    assert sys.getfilesystemencoding() == "utf-8"
    refused(arena("run", surrogate), "no such file")


def test_what_a_bot_is_called_cannot_command_the_terminal(arena: RunArena, home: Path) -> None:
    folder = home / "red\x1b[31m"
    folder.mkdir()
    ended = arena("match", f"./{folder.name}")
    assert ended.status == 2
    assert "\x1b" not in ended.err
    assert "red\\x1b[31m" in ended.err


def test_a_bot_in_a_folder_that_is_no_utf8_is_refused(arena: RunArena, home: Path) -> None:
    folder = home / b"low\xff".decode("utf-8", "surrogateescape")
    write_bot(folder, name="low")
    refused(arena("match", f"./{folder.name}"), "./low\\udcff: is no UTF-8")
