"""Every command that a document names exists, with every option that it names."""

import itertools
import re
from typing import Any

import pytest
import typer

from arena.cli.main import COMMANDS, build
from tests.documents.snippets import ROOT, commands, inline_commands, snippets

NAMES = {entry.name for entry in COMMANDS}
GROUPS = {entry.name for entry in COMMANDS if entry.is_group}
SHOWN = sorted(
    {
        (document, " ".join(words))
        for document, words in itertools.chain(
            inline_commands(),
            ((s.document, words) for s in snippets() for words in commands(s.text)),
        )
        if words[0] not in {"COMMAND", "--help"}
    }
)


def options_of(name: str, *inner: str) -> set[str]:
    """List the options of a command, or of one of a group's."""
    group: Any = typer.main.get_command(build([name]))
    command = group.commands[name]
    for word in inner:
        command = command.commands[word]
    return {option for parameter in command.params for option in parameter.opts} | {"--help"}


@pytest.mark.parametrize(("document", "command"), SHOWN)
def test_a_command_of_a_document_exists_with_its_options(document: str, command: str) -> None:
    words = command.partition(" -- ")[0].split()
    assert words[0] in NAMES, document
    inner = words[1:2] if words[0] in GROUPS and len(words) > 1 else []
    used = {word.rstrip(",;.") for word in words if re.match(r"--?[a-z]", word)}
    assert used <= options_of(words[0], *inner), document


ROWS = re.findall(
    r"^\| `arena ([^`]+)`[^|]*\|((?:[^|]|\\\|)*)\|$",
    (ROOT / "docs/commands.md").read_text("utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize(("command", "does"), ROWS, ids=[command for command, _ in ROWS])
def test_every_option_of_the_documents_table_is_the_commands(command: str, does: str) -> None:
    name, *more = command.split()
    inner = more[:1] if name in GROUPS else []
    code = " ".join(part for part in re.findall(r"`([^`]+)`", does) if "arena " not in part)
    assert set(re.findall(r"(?<!\w)--[a-z][\w-]*", code)) <= options_of(name, *inner)


def test_every_command_is_in_the_document_of_commands() -> None:
    """A row, or named in another's as the same."""
    told = {words[0] for document, words in inline_commands() if document == "commands.md"}
    assert {entry.name for entry in COMMANDS} <= told
    assert len(ROWS) > 20
