"""The fenced blocks of README, CONTRIBUTING and docs/, and the commands in them.

Owns finding them. A block is known by its document and how it begins.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/*.md")))
LONGEST = 40
"""Characters of a first line that a block is known by."""
MADE = ROOT / "docs" / "protocol-reference.md"
"""Made from comments; its blocks are laid-out text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A fenced block."""

    document: str
    language: str
    text: str

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by: its document and how it begins, without a comment."""
        first = re.sub(r" +# .*", "", self.text.partition("\n")[0])
        return self.document, first[:LONGEST]


def snippets() -> Iterator[Snippet]:
    """Find every block."""
    for file in DOCUMENTS:
        for language, text in re.findall(
            r"^```(\w*)\n(.*?)^```$", file.read_text("utf-8"), re.DOTALL | re.MULTILINE
        ):
            if file != MADE:
                yield Snippet(document=file.name, language=language, text=text)


def snippet(document: str, first: str) -> Snippet:
    """Give the block of a document that begins so."""
    (found,) = (s for s in snippets() if s.key == (document, first))
    return found


def commands(text: str) -> list[list[str]]:
    """Give the words of each line that calls ``arena``, without the program's name."""
    lines = [shlex.split(line, comments=True) for line in text.splitlines()]
    return [words[1:] for words in lines if words and Path(words[0]).name == "arena"]


def inline_commands() -> Iterator[tuple[str, list[str]]]:
    """Find every ```arena …``` in running text, with its document."""
    for file in DOCUMENTS:
        text = re.sub(r"^```.*?^```$", "", file.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", text):
            words = code.replace("\\|", "|").split()
            if words[:1] == ["arena"] and len(words) > 1:
                yield file.name, words[1:]
