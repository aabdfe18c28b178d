"""``arena rulesets``: the game's presets, every option spelled out. Source: rules.md §4."""

from dataclasses import asdict, fields
from typing import Annotated

import typer

from arena.cli.options import FormatOption, JsonOption
from arena.cli.output import Format, chosen, print_envelope, print_rows
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.ruleset import Ruleset

app = typer.Typer(pretty_exceptions_enable=False)


@app.command("list")
def list_rulesets(*, fmt: FormatOption = Format.TABLE, json: JsonOption = False) -> None:
    """List the rulesets by name."""
    fmt = chosen(fmt, json=json)
    if fmt is Format.JSON:
        print_envelope("rulesets", [_plain(ruleset) for ruleset in PRESETS.values()])
        return
    rows = [
        [
            ruleset.name,
            str(ruleset.seats),
            str(ruleset.target),
            "on" if ruleset.declarations else "off",
            " ".join(ruleset.signals) or "none",
            ruleset.illegal_play,
        ]
        for ruleset in PRESETS.values()
    ]
    header = ["ruleset", "seats", "target", "declarations", "signals", "illegal play"]
    print_rows(header, rows, fmt)


@app.command("show")
def show(
    ruleset: Annotated[str, typer.Argument(metavar="RULESET", help="NAME[:key=value,…].")],
    *,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """Show every option of a ruleset."""
    fmt = chosen(fmt, json=json)
    rules = parse_ruleset(ruleset)
    if fmt is Format.JSON:
        print_envelope("ruleset", _plain(rules))
        return
    plain = _plain(rules)
    rows = [[field.name, _text(plain[field.name])] for field in fields(rules)]
    print_rows(["option", "value"], rows, fmt)


def _plain(ruleset: Ruleset) -> dict[str, object]:
    return asdict(ruleset)


def _text(value: object) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case tuple():
            return "+".join(str(item) for item in value) or "none"
        case _:
            return str(value)
