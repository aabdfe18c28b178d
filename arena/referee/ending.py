"""Why a match ended, who won it, and what of that is told.

Owns the terminations a table comes to by itself, and their winners. What a forfeit scores
is computed by the tournament. Source: design.md §5.
"""

from dataclasses import replace

from arena.referee.clock import MS
from arena.referee.faults import Culprit, Termination, TerminationKind
from arena.rules.match import Match


def played_out(match: Match) -> Termination:
    """Say why a match ended whose last deal is scored."""
    if match.result.drawn_at_limit:
        return Termination(kind=TerminationKind.DRAWN_AT_LIMIT)
    return Termination(kind=TerminationKind.COMPLETED)


def forfeit(kind: TerminationKind, seat: int, detail: str) -> Termination:
    """Say that a bot lost the match by its own doing."""
    return Termination(kind=kind, culprit=Culprit.BOT, seat=seat, detail=detail)


def hinted(detail: str, hint: str) -> str:
    """Add to a detail what may be the cause, where anything is known of it."""
    return f"{detail}; {hint}" if hint else detail


def vague_arrival(seat: int, lag_ns: int) -> Termination:
    """Say that the host watched too badly to judge an answer: the match is void."""
    detail = (
        f"an answer of seat {seat} arrived within an interval of {lag_ns // MS} ms; "
        "nobody can say whether it was in time"
    )
    return Termination(kind=TerminationKind.HOST_FAULT, culprit=Culprit.HOST, detail=detail)


def winner_of(termination: Termination, match: Match) -> int | None:
    """Name the side that won a match that ended so; None = no side.

    A match that was played out has its winner by the rules: most points in a match of
    boards. A forfeit is won by the other side whatever the totals (of several others, by
    the one with most points). Anything else nobody wins.
    """
    if termination.kind.is_forfeit and termination.seat is not None:
        ruleset = match.ruleset
        offender = ruleset.side_of(termination.seat)
        others = [side for side in range(ruleset.side_count) if side != offender]
        best = max(match.totals[side] for side in others)
        ahead = [side for side in others if match.totals[side] == best]
        return ahead[0] if len(ahead) == 1 else None
    if termination.kind is TerminationKind.COMPLETED:
        return match.result.winner
    return None


def as_told(termination: Termination) -> Termination:
    """Strip what only the log may hold: a detail can quote a bot's stderr or a path."""
    return replace(termination, detail="")
