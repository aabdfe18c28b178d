"""``arena replay``: a match trick by trick, and whether its log is good.

On a terminal by keys, in a pipe as plain text.

Source: record.md ("Match log").
"""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.browse import browse, is_terminal
from arena.cli.match_logs import named_log
from arena.cli.output import emit
from arena.errors import ConfigError, LogCorrupt
from arena.record.browsing import Browsing
from arena.record.read import read_log
from arena.record.rerun import Difference
from arena.record.text import replay_lines
from arena.record.vouching import Verdict, vouch
from arena.tournament.fixed_deals import deal_lines


def command(
    log: Annotated[
        Path, typer.Argument(metavar="LOG", help="A match log (.jsonl, .jsonl.gz), or an EVENT.")
    ],
    match: Annotated[
        str | None,
        typer.Argument(metavar="MATCH", help="The match of that EVENT, as s1-r1-p1-o0-m1."),
    ] = None,
    *,
    seat: Annotated[int | None, typer.Option(min=0, help="Show only what this seat saw.")] = None,
    deal: Annotated[int | None, typer.Option(min=1, help="Show only this deal.")] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="All at once on a terminal too, not by keys.")
    ] = False,
    notation: Annotated[
        bool, typer.Option("--notation", help="Only the deals, as arena match --deal-file reads.")
    ] = False,
) -> None:
    """Show a match trick by trick, and check its log against the rules and its seals."""
    record = read_log(named_log(log, match))
    if notation:
        if seat is not None:
            raise ConfigError("--notation writes whole deals; leave --seat out")
        for line in deal_lines(record, deal):
            emit(line)
        return
    seats = record.header.ruleset.seats
    if seat is not None and seat >= seats:
        raise ConfigError(f"--seat {seat}: allowed are 0 to {seats - 1}")
    lines = replay_lines(record, seat, deal)
    verdict = vouch(record)
    if is_terminal() and deal is None and not plain and not verdict.wrong:
        browse(Browsing(record, seat), _good(verdict))
        return
    if verdict.wrong:
        first = verdict.wrong[0]
        if seat is not None and isinstance(first, Difference):
            # What was expected and found may name cards that the seat never saw.
            first = LogCorrupt(f"{first.file}, seq {first.seq}")
        wrong = f"this log is not what the arena wrote: {first}"
        emit(f"CAREFUL: {wrong}\n")
    for line in lines:
        emit(line)
    if verdict.wrong:
        # Again on stderr: the head of a long text has scrolled away, or was not read at all.
        raise LogCorrupt(wrong)
    emit(f"\n{_good(verdict)}")


def _good(verdict: Verdict) -> str:
    """Say what was checked, and by what."""
    if verdict.is_complete:
        words = f"checked: {verdict.events} events as the rules have it, seals whole"
    else:
        words = f"checked: {verdict.events} events as the rules have it, but the log has no end"
    if verdict.event_log is None:
        return f"{words}; in no event's folder, so nothing vouches for the seals"
    if verdict.note is None:
        return f"{words}; {verdict.event_log.name} does not count this attempt"
    does = "counts" if verdict.note.kind == "match_counted" else "voids"
    return f"{words}; {verdict.event_log.name} {does} it with this digest"
