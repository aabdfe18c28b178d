"""``arena ratings``: rate the bots of one or more events. Source: commands.md."""

from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.options import FormatOption, JsonOption
from arena.cli.output import Format, chosen, emit, print_envelope, print_rows
from arena.errors import ConfigError
from arena.tournament.folder import locate
from arena.tournament.known import read_known
from arena.tournament.rating.evidence import EventInput, Evidence, gather, results_digest
from arena.tournament.rating.methods import Method, Ratings, rate
from arena.tournament.suspension import with_suspensions

DIGITS: Final = 6


def command(
    events: Annotated[
        list[Path], typer.Argument(metavar="EVENT", help="Event files, or folders of events.")
    ],
    *,
    method: Annotated[Method, typer.Option(metavar="METHOD", help="How to rate.")] = Method.POINTS,
    anchor: Annotated[
        str | None, typer.Option(metavar="NAME=VALUE", help="Give a bot this value.")
    ] = None,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """Rate the bots of events, joined by the bots' content; for information, it ranks nobody.

    Boards left by forfeits and matches that only repeat others are not rated. The covariance
    is in --json.
    """
    inputs = [_read(event) for event in events]
    evidence = gather(inputs)
    found = rate(method, len(evidence.bots), evidence.meetings, _anchor(anchor, evidence))
    _print(found, evidence, inputs, anchor, chosen(fmt, json=json))


def _read(path: Path) -> EventInput:
    """Read an event's results as ``arena standings`` does: rulings and suspensions applied."""
    known = read_known(locate(path).folder)
    rows = with_suspensions(known.event, known.rows, known.begun.rulings).rows
    return EventInput(
        source=str(known.folder.path),
        event=known.event,
        rows=tuple(rows),
        hashes=known.begun.freeze.entrants,
        digest=results_digest(known.begun.freeze.fingerprint, rows),
    )


def _anchor(text: str | None, evidence: Evidence) -> dict[int, float]:
    """Read NAME=VALUE; the name may hold equals signs itself."""
    if text is None:
        return {}
    name, equals, value = text.rpartition("=")
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not equals or not abs(number) <= 1e6:  # noqa: PLR2004  # beyond any rating; refuses nan
        raise ConfigError(f"--anchor {text}: allowed is NAME=VALUE, for instance greedy=1500")
    places = {bot.name: place for place, bot in enumerate(evidence.bots)}
    if name not in places:
        own = [place for place, bot in enumerate(evidence.bots) if name in bot.names]
        if len(own) != 1:
            raise ConfigError(f"--anchor {text}: no bot {name!r}; there are: {', '.join(places)}")
        return {own[0]: number}
    return {places[name]: number}


def _error(found: Ratings, bot: int) -> float | None:
    """Give a standard error; None where there is none: of an anchor, or of boards all alike."""
    return round(found.error(bot), DIGITS) or None


def _print(
    found: Ratings,
    evidence: Evidence,
    inputs: list[EventInput],
    anchor: str | None,
    fmt: Format,
) -> None:
    meetings = [0] * len(evidence.bots)
    for meeting in evidence.meetings:
        meetings[meeting.first] += 1
        meetings[meeting.second] += 1
    order = sorted(range(len(evidence.bots)), key=lambda bot: -found.estimates[bot])
    if fmt is Format.JSON:
        data = {
            "method": found.method.value,
            "version": found.version,
            "unit": found.unit,
            "seed": None,
            "anchor": anchor,
            "inputs": [{"event": one.source, "digest": one.digest} for one in inputs],
            "matches_left_out": evidence.left_out,
            "stages_left_out": list(evidence.unrated),
            "not_rated": [
                {"name": bot.name, "content_hash": bot.content_hash, "options": bot.options}
                for bot in evidence.unmet
            ],
            "bots": [
                {
                    "name": evidence.bots[bot].name,
                    "content_hash": evidence.bots[bot].content_hash,
                    "names": list(evidence.bots[bot].names),
                    "options": evidence.bots[bot].options,
                    "estimate": round(found.estimates[bot], DIGITS),
                    "standard_error": _error(found, bot),
                    "board_groups": meetings[bot],
                }
                for bot in order
            ],
            "covariance": [
                [round(found.covariance[one][other], DIGITS) for other in order] for one in order
            ],
        }
        print_envelope("ratings", data)
        return
    rows = [
        (
            evidence.bots[bot].name,
            f"{found.estimates[bot]:+.2f}",
            "-" if _error(found, bot) is None else f"{found.error(bot):.2f}",
            str(meetings[bot]),
            evidence.bots[bot].content_hash[:12],
        )
        for bot in order
    ]
    print_rows(("bot", found.unit, "standard error", "board groups", "hash"), rows, fmt)
    if fmt is Format.TABLE:
        emit(f"· method {found.method.value}, version {found.version}; no chance in it, no seed")
        emit(f"· for information; matches left out (forfeits, repeats): {evidence.left_out}")
        for bot in evidence.bots:
            if len(bot.names) > 1:
                others = ", ".join(name for name in bot.names if name != bot.name)
                emit(f"· {bot.name} is also {others}: the same content and options, rated as one")
        for stage in evidence.unrated:
            emit(f"· left out: {stage}; ratings are of two against each other")
        if evidence.unmet:
            names = ", ".join(bot.name for bot in evidence.unmet)
            emit(f"· not rated, without a board against another bot that counts: {names}")
        for one in inputs:
            emit(f"· input {one.source} {one.digest}")
