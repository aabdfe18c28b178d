"""What goes to a terminal cannot command it, and what is styled stays so."""

import ast
import json
from functools import partial
from pathlib import Path

import pytest
import typer

import arena.cli
from arena.cli.output import emit, harmless, print_json, say

FOREIGN = [
    ("\x1b[2Jgone", "\\x1b[2Jgone"),
    ("a\rb\x07\x9b", "a\\rb\\x07\\x9b"),
    ("\u202eabc\u2066", "\\u202eabc\\u2066"),
    ("a\u200bb\u2028", "a\\u200bb\\u2028"),
    ("low\udcff", "low\\udcff"),
    ("\x1b[1mnot alone\x1b[0m on its line", "\\x1b[1mnot alone\\x1b[0m on its line"),
]


@pytest.mark.parametrize(("text", "told"), FOREIGN)
def test_what_could_command_a_terminal_is_escaped(
    capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    assert harmless(text) == told
    emit(text)
    say(text)
    assert capsys.readouterr() == (f"{told}\n", f"{told}\n")


@pytest.mark.parametrize("text", ["Forlì\t1\n", "👩\u200d👧 🂡", "שלום", "a\xa0b", "a\\b"])
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert harmless(text) == text


def test_a_bold_line_survives_and_what_is_in_it_is_harmless(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    echo = partial(typer.echo, color=True)  # as on a terminal
    monkeypatch.setattr(typer, "echo", echo)
    head = typer.style("rank  name", bold=True)
    emit(f"cup\n{head}\n1  \x1b[1mlow", newline=False)
    emit(typer.style("a\u202eb", bold=True))
    bold = typer.style("a\\u202eb", bold=True)
    assert capsys.readouterr().out == f"cup\n{head}\n1  \\x1b[1mlow{bold}\n"


@pytest.mark.parametrize("text", [text for text, _ in FOREIGN])
def test_json_says_the_same_and_commands_nothing(
    capsys: pytest.CaptureFixture[str], text: str
) -> None:
    print_json({"name": text})
    out = capsys.readouterr().out
    assert out.rstrip("\n").isprintable()
    assert json.loads(out) == {"name": text}


WRITERS = {
    "output.py": "makes all else harmless",
    "main.py": "asks output.harmless for its one line, and tells its own version",
    "browse.py": "clears the screen itself, and asks output.harmless for each line",
    "progress.py": "shows a bar with words of its own alone",
}


def test_no_command_writes_to_a_terminal_but_by_output() -> None:
    """Names, notes and stderr of bots can stand in anything that is shown."""
    found = set()
    for path in Path(arena.cli.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            match node.func:
                case ast.Name(id="print" | "Console"):
                    found.add(path.name)
                case ast.Attribute(value=ast.Name(id="typer"), attr="echo" | "secho" | "prompt"):
                    found.add(path.name)
                case ast.Attribute(value=ast.Attribute(attr="stdout" | "stderr"), attr="write"):
                    found.add(path.name)
                case _:
                    pass
    assert found <= WRITERS.keys()


def test_bytes_are_data_and_stay_as_they_are(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    emit(b'{"name": "a\xe2\x80\x8b"}')
    assert capsysbinary.readouterr().out == b'{"name": "a\xe2\x80\x8b"}\n'
