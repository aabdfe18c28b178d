"""Options that several commands have, with one meaning and one wording each."""

from typing import Annotated

import typer

Organiser = Annotated[
    bool,
    typer.Option("--organiser", help="Show cards that are not public yet: you are the organiser."),
]
"""See :mod:`arena.tournament.revealing`."""
