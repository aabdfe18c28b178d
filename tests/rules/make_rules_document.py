"""The tables of ``docs/rules.md``: every option, its meaning, source and value per preset.

``python -m tests.rules.make_rules_document`` writes them anew between the document's marks
and leaves its prose alone. Everything comes from where it is said once: meanings and
sources from the docstrings beside the fields of Ruleset, what a value means from the
comments of ``ruleset.proto``, values from the presets, ranges and contradictions from
:mod:`arena.rules.consistency`.
"""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, EnumType
from itertools import pairwise
from pathlib import Path
from types import GenericAlias
from typing import Any, Final, get_args

from arena.rules import ruleset as ruleset_module
from arena.rules.consistency import CONTRADICTIONS, OFFERED, RANGES
from arena.rules.options import AS_REVOKE, format_option
from arena.rules.presets import PRESETS
from arena.rules.ruleset_text import GROUPS, OPTION_TYPES

ROOT: Final = Path(__file__).parents[2]
DOCUMENT: Final = ROOT / "docs" / "rules.md"
PROTO: Final = ROOT / "proto" / "arena" / "v1" / "ruleset.proto"

SECTIONS: Final[Mapping[str, str]] = {
    "seats": "Table and deal",
    "follow_suit": "Play",
    "last_trick_thirds": "Points",
    "target": "End of the match",
    "declarations": "Combinations",
    "signals": "Words",
    "illegal_play": "Breaches",
    "cappotto_bonus": "Sweeps and the rest",
}
"""Headings of the options, by the first option under each."""

_BEGIN: Final = "<!-- made: options -->\n"
_END: Final = "<!-- end -->\n"


def written_anew(document: str) -> str:
    """Give the document with its tables as the code has them today."""
    before, begin, rest = document.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not end:
        raise AssertionError(f"the document has no {_BEGIN.strip()} … {_END.strip()}")
    return f"{before}{begin}\n{options_text()}\n{end}{after}"


def options_text() -> str:
    """Write every option under its heading, then what may not be combined."""
    lines: list[str] = []
    for heading, keys in sections().items():
        lines += [f"### {heading}", "", *_values_table(keys), ""]
        lines += [line for key in keys for line in _option_lines(key)]
        lines += [""]
    lines += ["### What switches what off", "", *_switch_lines(), ""]
    lines += ["### What contradicts what", "", *_contradiction_lines()]
    return "\n".join(lines) + "\n"


def sections() -> dict[str, list[str]]:
    """List the options under each heading, in the order of the fields."""
    found: dict[str, list[str]] = {}
    heading = ""
    for key in OPTION_TYPES:
        heading = SECTIONS.get(key, heading)
        found.setdefault(heading, []).append(key)
    return found


def meaning_and_source(key: str) -> tuple[str, str]:
    """Split the docstring beside a field into what the option means and where it is from."""
    text = re.sub(r":class:(?=`)", "", _FIELD_DOCS[key].replace("``", "`"))
    text = text.replace("rules.md ", "")  # the reader is there
    meaning, _, source = text.partition("Source: ")
    return meaning.strip(), source.strip().removesuffix(".")


def _values_table(keys: list[str]) -> Iterator[str]:
    yield "| option | " + " | ".join(PRESETS) + " |"
    yield "| --- " * (len(PRESETS) + 1) + "|"
    for key in keys:
        values = [format_option(getattr(preset, key)) for preset in PRESETS.values()]
        yield f"| `{key}` | " + " | ".join(values) + " |"


def _option_lines(key: str) -> Iterator[str]:
    meaning, source = meaning_and_source(key)
    yield f"- **`{key}`**: {meaning} *{source}.*"
    kind = OPTION_TYPES[key]
    if isinstance(kind, GenericAlias):
        kind = get_args(kind)[0]
    if isinstance(kind, EnumType):
        members: Iterable[Enum] = kind
        for member in members:
            yield f"  - `{format_option(member)}`: {_value_meaning(member)}"
    else:
        yield f"  - {_allowed(key, kind)}"


def _value_meaning(member: Enum) -> str:
    prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", type(member).__name__).upper()
    return _PROTO_COMMENTS[f"{prefix}_{str(member.value).upper()}"]


def _allowed(key: str, kind: Any) -> str:
    if kind is bool and key not in OFFERED:
        return "`on` or `off`"
    if key in OFFERED:
        return "offered: " + ", ".join(f"`{format_option(value)}`" for value in OFFERED[key])
    if key == "infraction_points":
        return f"0 or less, or `{AS_REVOKE}`: the breach ends the deal like a revoke"
    if key == "deal_packets":
        return "numbers that add up to a hand, joined by `+`; `none`: the whole hand at once"
    least, greatest = RANGES[key]
    return f"{least} to {greatest}"


def _switch_lines() -> Iterator[str]:
    yield "Whoever overrides the first need not name the others: they follow."
    yield ""
    for group in GROUPS:
        followers = ", ".join(
            f"`{key}={format_option(value)}`" for key, value in group.off_values.items()
        )
        idle = ", ".join(f"`{key}`" for key in group.idle)
        meaningless = f"; then {idle} mean nothing" if idle else ""
        yield f"- without `{group.switch}`: {followers}{meaningless}"


def _contradiction_lines() -> Iterator[str]:
    yield "A ruleset in which any of these pairs disagree is refused, with both options named."
    yield ""
    for pair in CONTRADICTIONS:
        first, second = pair.keys
        yield f"- `{first}`, `{second}`: {pair.why}"


def _field_docs() -> Iterator[tuple[str, str]]:
    """Find the string that stands under each field of Ruleset."""
    tree = ast.parse(inspect.getsource(ruleset_module))
    body = next(
        node.body
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == ruleset_module.Ruleset.__name__
    )
    for field, below in pairwise(body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, " ".join(text.split())


def _proto_comments() -> Iterator[tuple[str, str]]:
    """Find the comment above each value of the wire's enums."""
    found = re.findall(r"((?:^ +//.*\n)+) +([A-Z_]+) = \d+;", PROTO.read_text(), re.MULTILINE)
    for comment, name in found:
        yield name, " ".join(comment.replace("//", " ").split())


_FIELD_DOCS: Final = dict(_field_docs())
_PROTO_COMMENTS: Final = dict(_proto_comments())


if __name__ == "__main__":
    DOCUMENT.write_text(written_anew(DOCUMENT.read_text()))
