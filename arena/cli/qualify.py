"""``arena qualify``: the same as ``arena doctor --attack``. Source: commands.md."""

import typer

from arena.cli.doctor import (
    EventOption,
    OnlyOption,
    RequireOption,
    run_attacks,
)
from arena.cli.options import FormatOption, JsonOption, SandboxOption
from arena.cli.output import Format, chosen


def command(
    *,
    event: EventOption = None,
    sandbox: SandboxOption = None,
    only: OnlyOption = None,
    require: RequireOption = None,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """Let the chaos bots loose on this machine; exit status 1 unless all required guards hold."""
    raise typer.Exit(
        run_attacks(
            event=event,
            sandbox=sandbox,
            only=only or [],
            require=require or [],
            fmt=chosen(fmt, json=json),
        )
    )
