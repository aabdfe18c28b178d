"""What goes to a terminal cannot command it, and what is styled stays so."""

from functools import partial

import pytest
import typer

from arena.cli.output import emit, harmless, say

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


def test_bytes_are_data_and_stay_as_they_are(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    emit(b'{"name": "a\xe2\x80\x8b"}')
    assert capsysbinary.readouterr().out == b'{"name": "a\xe2\x80\x8b"}\n'
