"""``arena replay``: a match trick by trick, and whether its log is good.

On a terminal by keys, in a pipe or while it is played (--follow) as plain text.

Source: record.md ("Match log").
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.browse import browse, is_terminal
from arena.cli.match_logs import folder_of_logs, log_to_follow, named_log
from arena.cli.options import Organiser
from arena.cli.output import emit
from arena.cli.unpacking import unpacked
from arena.errors import ConfigError, LogCorrupt
from arena.record.browsing import Browsing
from arena.record.following import follow_log
from arena.record.header import LogHeader
from arena.record.read import read_log
from arena.record.rerun import Difference
from arena.record.text import replay_lines, told_lines
from arena.record.vouching import Verdict, vouch
from arena.record.watching import FolderWatch
from arena.tournament.fixed_deals import deal_lines
from arena.tournament.revealing import refuse_hidden_cards


def command(
    log: Annotated[
        Path,
        typer.Argument(
            metavar="LOG", help="A match log, an EVENT, or a zip of one or of evidence."
        ),
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
    follow: Annotated[
        bool, typer.Option("--follow", help="A match that is being played, to its end.")
    ] = False,
    patience: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=86_400,
            help="Seconds that --follow waits for the next line.",
        ),
    ] = 300.0,
    organiser: Organiser = False,
) -> None:
    """Show a match trick by trick, and check its log against the rules and its seals."""
    if follow:
        if notation or deal is not None:
            raise ConfigError("--follow tells the whole match; leave --deal and --notation out")
        _follow(log, match, seat, patience, is_organiser=organiser)
        return
    with unpacked(log) as place:
        path = named_log(place, match)
        refuse_hidden_cards(path, is_organiser=organiser)
        _show(path, seat, deal, is_plain=plain, is_notation=notation)


def _show(
    path: Path, seat: int | None, deal: int | None, *, is_plain: bool, is_notation: bool
) -> None:
    """Show what was logged of a match that is not being followed."""
    record = read_log(path)
    if is_notation:
        if seat is not None:
            raise ConfigError("--notation writes whole deals; leave --seat out")
        for line in deal_lines(record, deal):
            emit(line)
        return
    _refuse_no_seat(seat, record.header)
    lines = replay_lines(record, seat, deal)
    verdict = vouch(record)
    if is_terminal() and deal is None and not is_plain and not verdict.wrong:
        browse(Browsing(record, seat), _good(verdict))
        return
    _print(lines, verdict, seat)


def _print(lines: Iterator[str], verdict: Verdict, seat: int | None) -> None:
    """Print a match as plain text, and what its log is worth."""
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


def _follow(
    log: Path, match: str | None, seat: int | None, patience_s: float, *, is_organiser: bool
) -> None:
    """Tell a match as it is played; its log may not be there yet."""
    folder = folder_of_logs(log, match)
    refuse_hidden_cards(folder, is_organiser=is_organiser)
    with FolderWatch(folder) as watch:
        deadline = time.monotonic() + patience_s
        while (path := log_to_follow(log, match)) is None:
            if not watch.wait(max(0, deadline - time.monotonic())):
                raise ConfigError(f"{folder}: no log of match {match} within {patience_s:g} s")
        followed = follow_log(path, watch.wait, patience_s)
        _refuse_no_seat(seat, followed.header)
        for line in told_lines(followed.header, followed.lines, seat):
            emit(line)


def _refuse_no_seat(seat: int | None, header: LogHeader) -> None:
    seats = header.ruleset.seats
    if seat is not None and seat >= seats:
        raise ConfigError(f"--seat {seat}: allowed are 0 to {seats - 1}")


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
    after = ", until a ruling had the match played again" if verdict.is_set_aside else ""
    return f"{words}; {verdict.event_log.name} {does} it with this digest{after}"
