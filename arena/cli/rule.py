"""``arena rule``: the organiser's decisions. Source: commands.md; design.md §5 ("Rulings")."""

import getpass
import shlex
from typing import Annotated

import typer

from arena.cli.options import EventArgument
from arena.cli.output import emit
from arena.errors import ConfigError
from arena.tournament.begun import read_begun
from arena.tournament.folder import locate
from arena.tournament.ruling_act import rule
from arena.tournament.rulings import Act, Ruling


def command(
    event: EventArgument,
    act: Annotated[Act, typer.Argument(metavar="ACT", show_choices=False, help="What is ruled.")],
    on: Annotated[
        str, typer.Argument(metavar="MATCH|ENTRANT", help="About what; nothing for publish.")
    ] = "",
    *,
    reason: Annotated[str, typer.Option(help="Why; it stands in the event's log for good.")],
    by: Annotated[str | None, typer.Option(help="Who rules (default: who is logged in).")] = None,
    board: Annotated[
        int | None, typer.Option(min=1, help="adjust: which board of the match.")
    ] = None,
    points: Annotated[
        str | None, typer.Option(help="adjust: points of each side, for instance 7/4.")
    ] = None,
) -> None:
    """Rule on an event; nothing is erased, standings follow the rulings.

    void MATCH: counts for nobody. replay MATCH: is played again. adjust MATCH: other points.
    disqualify ENTRANT: out of the event. reinstate ENTRANT: undoes that, and a suspension.
    publish: the standings are final, until the next ruling.
    """
    place = locate(event)
    before = read_begun(place.folder)
    was_published = before is not None and before.rulings.is_published
    ruling = rule(
        place.folder,
        Ruling(
            act=act,
            on=on,
            by=by if by is not None else _who(),
            reason=reason,
            board=board,
            points=_points(points),
        ),
    )
    about = f" {ruling.on}" if ruling.on else ""
    emit(f"ruled: {ruling.act.value}{about}, by {ruling.by}: {ruling.reason}")
    if was_published and ruling.act is not Act.PUBLISH:
        emit("the standings had been published: they are provisional again, until the next publish")
    begun = read_begun(place.folder)
    is_over = begun is not None and begun.is_closed
    if ruling.act in (Act.REPLAY, Act.REINSTATE) and not is_over:
        emit(f"to play what is left: arena run {shlex.quote(str(place.folder.path))}")


def _who() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "organiser"


def _points(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    try:
        return tuple(int(word) for word in text.split("/"))
    except ValueError:
        raise ConfigError(
            f"--points: {text!r}: allowed are whole numbers joined by /, for instance 7/4"
        ) from None
