"""Results made up for tests: rows as a referee would have left them, without playing."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from arena.record.match_row import BoardRow, FaultCount, MatchRow
from arena.referee.faults import Culprit, TerminationKind
from arena.tournament.event_file import Entrant, EventFile, Stage
from arena.tournament.plan import event_sittings
from arena.tournament.schedule import MatchPlan

Points = Callable[[MatchPlan, int], tuple[int, int]]
"""Points of both sides of a match on a board."""


def event_of(*names: str, **stage: object) -> EventFile:
    """Make an event of one stage whose boards are turned."""
    values = {"boards": 4, "boards_per_match": 2, "trust_memory": True} | stage
    return EventFile(
        name="trial",
        entrants=tuple(Entrant(name=name, bot=name) for name in names),
        stages=(replace(Stage(), **values),),  # type: ignore[arg-type]
    )


def row_of(event: EventFile, match: MatchPlan, points: Points, attempt: int = 1) -> MatchRow:
    """Give the row of a match of boards, or of five deals to a target, played to its end."""
    names = [entrant.name for entrant in event.entrants]
    seats = tuple(names[index] for index in match.seats)
    deals = 5 if match.boards is None else match.boards
    boards = tuple(
        BoardRow(board=board, points=points(match, board))
        for board in range(match.first_board, match.first_board + deals)
    )
    totals = tuple(sum(board.points[side] for board in boards) for side in range(2))
    winner = None if totals[0] == totals[1] else totals.index(max(totals))
    return MatchRow(
        match_id=match.id,
        attempt=attempt,
        stage=match.stage,
        round=match.round,
        pairing=match.pairing,
        orientation=match.orientation,
        slice=match.slice,
        entrants=seats[:2],
        seats=seats,
        first_board=match.first_board,
        boards_planned=match.boards,
        termination=TerminationKind.COMPLETED,
        culprit=Culprit.NOBODY,
        culprit_seat=None,
        culprit_side=None,
        totals=totals,
        winner=winner,
        boards=boards,
        faults=(),
        digest="",
        duration_us=attempt,
        counted=True,
    )


def all_rows(event: EventFile, points: Points) -> Iterator[MatchRow]:
    """Give the rows of an event in which everything went well."""
    for sitting in event_sittings(event):
        for match in sitting.matches:
            yield row_of(event, match, points)


def forfeited(row: MatchRow, side: int, finished: int, *faults: FaultCount) -> MatchRow:
    """Turn a row into one that a side forfeited by a crash after so many boards."""
    boards = row.boards[:finished]
    return replace(
        row,
        termination=TerminationKind.FORFEIT_CRASH,
        culprit=Culprit.BOT,
        culprit_seat=side,
        culprit_side=side,
        boards=boards,
        totals=tuple(sum(board.points[s] for board in boards) for s in range(2)),
        winner=1 - side,
        faults=faults,
    )


def voided(row: MatchRow, kind: TerminationKind = TerminationKind.HOST_FAULT) -> MatchRow:
    """Turn a row into a spoiled attempt, which does not count."""
    return replace(row, termination=kind, culprit=Culprit.HOST, boards=(), counted=False)


def even(match: MatchPlan, board: int) -> tuple[int, int]:
    """Give the home side 7 of 11 points, whoever sits there: luck of the deal alone."""
    return (7, 4)


def chance(seed: int) -> Points:
    """Make points from a seed: the same for a match and a board in every call."""

    def points(match: MatchPlan, board: int) -> tuple[int, int]:
        own = random.Random(f"{seed} {match.id} {board}").randint(0, 11)  # noqa: S311  # no secret
        return own, 11 - own

    return points
