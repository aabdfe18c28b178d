"""Unplayed: the row of a match that a suspended or disqualified entrant does not play.

Owns how such a match ends. Must not know who is suspended, nor why. Source: design.md §5.
"""

from collections.abc import Collection
from typing import assert_never

from arena.record.match_row import MatchRow
from arena.referee.faults import Culprit, TerminationKind
from arena.tournament.event_file import EventFile, SuspendedMatches
from arena.tournament.schedule import MatchPlan


def unplayed(
    event: EventFile, match: MatchPlan, barred_names: Collection[str], disqualified: Collection[str]
) -> MatchRow:
    """Make the row of a match that is settled without being played.

    Args:
        event: The event as frozen.
        match: The match as scheduled.
        barred_names: Who of its entrants does not play it.
        disqualified: Who is disqualified: with one of them it counts for nobody.
    """
    stage = event.stages[match.stage - 1]
    ruleset = stage.ruleset
    seats = tuple(event.entrants[index].name for index in match.seats)
    barred = [seat for seat, name in enumerate(seats) if name in barred_names]
    offender: int | None = None
    match stage.suspended:
        case SuspendedMatches.FORFEIT:
            is_out = not set(disqualified).isdisjoint(seats)
            if len({seats[seat] for seat in barred}) == 1 and not is_out:
                offender = barred[0]
        case SuspendedMatches.ANNUL:
            pass
        case _:
            assert_never(stage.suspended)
    side = None if offender is None else ruleset.side_of(offender)
    others = [other for other in range(ruleset.side_count) if other != side]
    return MatchRow(
        match_id=match.id,
        attempt=0,
        stage=match.stage,
        round=match.round,
        pairing=match.pairing,
        orientation=match.orientation,
        slice=match.slice,
        entrants=tuple(seats[ruleset.seats_of(s)[0]] for s in range(ruleset.side_count)),
        seats=seats,
        first_board=match.first_board,
        boards_planned=match.boards,
        termination=(
            TerminationKind.ANNULLED if side is None else TerminationKind.FORFEIT_SUSPENDED
        ),
        culprit=Culprit.NOBODY if side is None else Culprit.BOT,
        culprit_seat=offender,
        culprit_side=side,
        totals=(0,) * ruleset.side_count,
        winner=others[0] if side is not None and len(others) == 1 else None,
        boards=(),
        faults=(),
        digest="",
        duration_us=0,
        counted=True,
    )
