"""Standings: what an event's results come to, entrant by entrant.

Owns ranks, counts and what must be said beside them. A pure function of the event and the
rows of its results, in whatever order they come; must not know files, clocks or how it is
printed (:mod:`arena.tournament.standings_text`). Source: design.md §2, §5-6.

Each stage has standings of its own: its entrants met under one ruleset on one set of
boards, and numbers of other stages would mean something else.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from arena.errors import LogCorrupt
from arena.record.match_row import MatchRow
from arena.tournament.comparing import comparison
from arena.tournament.event_file import EventFile
from arena.tournament.rulings import Rulings
from arena.tournament.stage_standings import stage_standings
from arena.tournament.standing import Standings
from arena.tournament.suspension import NO_RULINGS, with_suspensions


def standings(
    event: EventFile, rows: Iterable[MatchRow], rulings: Rulings = NO_RULINGS
) -> Standings:
    """Work out the standings.

    Args:
        event: The event as frozen.
        rows: Every attempt in the results, in any order.
        rulings: What the organiser has ruled.

    Raises:
        LogCorrupt: The results are not of this event or contradict themselves.
    """
    known = {entrant.name for entrant in event.entrants}
    by_stage: defaultdict[int, list[MatchRow]] = defaultdict(list)
    rows = tuple(rows)
    for row in rows:
        if row.stage > len(event.stages):
            raise LogCorrupt(
                f"match {row.match_id}: the event has {len(event.stages)} stages, no {row.stage}"
            )
        if strangers := sorted({*row.entrants, *row.seats} - known):
            raise LogCorrupt(f"match {row.match_id}: {strangers[0]!r} is no entrant of the event")
    settled = with_suspensions(event, rows, rulings)
    for row in settled.rows:
        by_stage[row.stage].append(row)
    compared = comparison(event, rows, rulings)
    return Standings(
        event=event.name,
        practice=event.practice,
        is_published=rulings.is_published,
        was_published=rulings.was_published,
        stages=tuple(
            replace(
                stage_standings(
                    event,
                    number,
                    stage,
                    by_stage[number],
                    drawing=settled.drawings[number - 1],
                    suspended=settled.suspended,
                    rulings=rulings,
                ),
                compared=compared,
            )
            for number, stage in enumerate(event.stages, start=1)
        ),
    )
