"""What ``finish_by`` comes to, in words and for machines, before a run begins.

Owns the wording that ``arena plan`` and ``arena run`` share. Must not know how a run is cut.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from arena.tournament.estimate import StageEstimate, rounds_that_fit
from arena.tournament.event_file import EventFile
from arena.tournament.finish_by import FinishBy


def finish_words(ends: FinishBy, found: Sequence[StageEstimate]) -> str:
    """Say when a run that starts now ends, and how far it comes.

    Args:
        ends: When it is to be over.
        found: What all of the event takes; none: part of it is played, so that says nothing.
    """
    left = ends.left_at(datetime.now(UTC))
    if left is None:
        return f"finish_by {ends}: has passed; a run goes on until all is played"
    words = f"finish_by {ends}: a run ends within {_seconds(left)}, after a complete round"
    if not found:
        return words
    rounds = sum(stage.rounds for stage in found)
    expected = timedelta(seconds=sum(stage.expected_s_estimate for stage in found))
    fitting = rounds_that_fit(found, left.total_seconds())
    return (
        f"{words}; all of it is expected to take about {expected}: "
        f"rounds that fit: about {fitting} of {rounds} (estimate)"
    )


def finish_data(event: EventFile, found: Sequence[StageEstimate]) -> dict[str, object]:
    """Give the same for machines; nothing where the event has no ``finish_by``."""
    ends = event.finish_by
    if ends is None:
        return {}
    left = ends.left_at(datetime.now(UTC))
    fitting = None if left is None else rounds_that_fit(found, left.total_seconds())
    return {
        "finish_by": {
            "text": str(ends),
            "left_s": None if left is None else int(left.total_seconds()),
            "rounds_fitting_estimate": fitting,
        }
    }


def _seconds(span: timedelta) -> timedelta:
    return timedelta(seconds=int(span.total_seconds()))
