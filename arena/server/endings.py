"""Endings: what the author of a bot is told about the way its session went.

Owns the words: what happened, with which numbers, what was allowed and what to do. Must not
decide anything. Source: requirements.md E ("the author sees why").
"""

from typing import Final

from arena.referee.clock import MS
from arena.referee.faults import Culprit, Termination, TerminationKind

GIVEN_UP: Final = (
    "its stream broke in an earlier match and it has not come back since; "
    "it may join again with the same token"
)
"""Why a match does not wait for a bot that was lost before."""
JOINED_ALREADY: Final = "join: this session has joined already; say it once, as the first message"


def stood_still(late_ns: int) -> Termination:
    """Say that arena or machine stood still while a bot's time ended: the match is void."""
    detail = (
        f"the end of a bot's time was seen {late_ns // MS} ms late: arena or machine stood "
        "still, and nobody can say who would have been in time"
    )
    return Termination(kind=TerminationKind.HOST_FAULT, culprit=Culprit.HOST, detail=detail)


def left_text(reason: str) -> str:
    """Say that a bot left, and why by its own word."""
    return f"the bot sent Leave: {reason}" if reason else "the bot sent Leave"


def deaf_text(writing_ns: int, allowed_ns: int) -> str:
    """Say that a bot has not read for too long what is written to it."""
    return (
        f"the bot has read nothing for {writing_ns // MS} ms; allowed are {allowed_ns // MS} ms: "
        "it must read while it thinks"
    )


def full_text(messages: int) -> str:
    """Say that a bot has not read for so long that too much waits for it."""
    return f"{messages} messages wait for the bot and none is read: it must read while it thinks"


def no_table(table: int) -> str:
    """Say that a bot is ready for what was not announced."""
    return f"ready: no match was announced at table {table}; name the one of MatchStarted"


def never_asked(decision_id: int, latest: int) -> str:
    """Say that a bot answers what it was not asked; ``latest`` is 0 before the first decision."""
    there = f"the latest is {latest}" if latest else "there has been none yet"
    return f"decision_id {decision_id} was never asked; {there}"
