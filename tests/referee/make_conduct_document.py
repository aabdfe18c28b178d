"""The table of ``docs/clocks-and-faults.md``: what each deed of a bot or the host comes to.

``python -m tests.referee.make_conduct_document`` writes it anew between the document's marks
and leaves its prose alone. What a deed is called stands here; its events, culprit and cost are
those of :mod:`tests.referee.deed_rows`, which are tested, and its words those that a table
really says.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.referee.conduct import COUNTED_AS, Conduct
from arena.referee.events import Fault
from arena.referee.faults import Culprit, FaultKind
from arena.referee.messages import Record, Reject
from arena.testing.in_memory import of_type
from arena.wire.log_events import encode_event
from tests.referee.deed_courses import SEAT, course_for
from tests.referee.deed_rows import ROWS, Outcome
from tests.referee.deeds import Deed, Moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "clocks-and-faults.md"
NAMES: Final[Mapping[Deed, str]] = {
    Deed.SILENCE: "is silent until its time is over",
    Deed.LATE_ANSWER: "answers late",
    Deed.STALE: "answers what the referee has played",
    Deed.DUPLICATE: "answers twice alike",
    Deed.CONTRADICTION: "answers again, otherwise",
    Deed.UNSOLICITED: "answers a decision that was never asked, or another's",
    Deed.MALFORMED: "sends what is no message",
    Deed.ILLEGAL: "plays a held card that does not follow, `illegal_play = reject`",
    Deed.NOT_HELD: "names a card that it does not hold",
    Deed.REVOKE: "plays a held card that does not follow, `illegal_play = revoke`",
    Deed.FALSE_CLAIM: "makes a false claim",
    Deed.LATE_CLAIM: "makes a claim after its time",
    Deed.UNKNOWN_CLAIM: "makes a claim that the ruleset does not know",
    Deed.FORBIDDEN_WORD: "says a word that is not allowed to it now",
    Deed.UNKNOWN_WORD: "says a word where the ruleset knows none",
    Deed.FLOOD: "says more than Welcome allows",
    Deed.CROWDED_ANSWER: "says so much that its answer is seen too late to judge",
    Deed.NOT_READING: "does not read",
    Deed.CRASH: "ends, whatever the reason",
    Deed.LEAVE: "sends `Leave`, or closes its stream",
    Deed.LOSS: "runs elsewhere, and its stream breaks",
    Deed.RETURN: "comes back in time",
    Deed.NO_RETURN: "does not come back in time",
    Deed.GIVEN_UP: "is not back for its next match either",
    Deed.NEVER_READY: "does not get ready",
    Deed.VAGUE_ANSWER: "(the host saw its answer too late to judge it)",
    Deed.HOST_FAULT: "(the host fails)",
    Deed.REFEREE_FAULT: "(the referee fails)",
    Deed.ABORT: "(the organiser ends everything now)",
    Deed.SUSPENSION: "is suspended",
}
"""What the bot does; in brackets, what others do. What is no mistake is left out."""
NO_MISTAKE: Final = frozenset({Deed.BEGIN, Deed.READY, Deed.WRITE, Deed.ANSWER})

_BEGIN: Final = "<!-- made: conduct -->\n"
_END: Final = "<!-- end -->\n"


def written_anew(document: str) -> str:
    """Give the document with its table as the code has it today."""
    before, begin, rest = document.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not end:
        raise AssertionError(f"the document has no {_BEGIN.strip()} … {_END.strip()}")
    return before + begin + "\n" + "\n".join(table_lines()) + "\n\n" + end + after


def table_lines() -> Iterator[str]:
    """Write one line a deed."""
    yield "| the bot | in the log | whose | cost | what is said of it |"
    yield "| --- | --- | --- | --- | --- |"
    for deed, name in NAMES.items():
        moment = Moment.GETTING_READY if deed is Deed.NEVER_READY else Moment.THINKING
        outcome = ROWS[moment, deed]
        cells = (name, _events(moment, deed), _whose(outcome), _cost(outcome), _said(moment, deed))
        yield "| " + " | ".join(cells) + " |"


def _records(moment: Moment, deed: Deed) -> tuple[list[Record], list[Reject]]:
    """Let the deed be done, and give what comes of it."""
    course = course_for(moment, deed)
    event = course.input_of(deed, SEAT)
    assert event is not None
    outputs = course.bring(event)
    return of_type(Record, outputs), of_type(Reject, outputs)


def _events(moment: Moment, deed: Deed) -> str:
    """Name what is recorded, up to the next question or deal."""
    names = []
    for record in _records(moment, deed)[0]:
        fields = encode_event(record.event, None)
        kind = str(fields["event"])
        if kind in ("decision_asked", "deal_started", "deal_scored", "trick_won"):
            break
        what = fields.get("reason") or fields.get("termination")
        if kind == "fault":
            what = fields["kind"]
        autoplayed = " (autoplayed)" if fields.get("autoplayed") else ""
        names.append(f"`{kind}{f' {what}' if what else ''}`{autoplayed}")
    return ", ".join(names) or "nothing"


def _whose(outcome: Outcome) -> str:
    whose = outcome.culprit if outcome.fault is not None else outcome.ended_by
    return "" if whose is Culprit.NOBODY else str(whose.value)


def _cost(outcome: Outcome) -> str:
    """Say what it costs: the match, what the ruleset says, one more fault of a kind, nothing."""
    if outcome.ending is not None:
        return "the match" if outcome.ending.is_forfeit else "none: the match is void"
    if outcome.fault is None:
        return "none"
    counted = COUNTED_AS[outcome.fault]
    limit = Conduct().limit_of(counted, 100)
    is_game = outcome.fault in (FaultKind.REVOKE, FaultKind.INFRACTION)
    price = "the ruleset's price; " if is_game else ""
    return f"{price}`{counted.value}`: {limit} in 100 boards forfeit"


def _said(moment: Moment, deed: Deed) -> str:
    """Give the fault's detail, which the author reads, or else the refusal, which the bot does."""
    records, rejects = _records(moment, deed)
    faults = of_type(Fault, (record.event for record in records))
    words = [fault.detail for fault in faults] or [reject.message for reject in rejects]
    return " ".join(" ".join(words).replace("|", "").split())


if __name__ == "__main__":
    DOCUMENT.write_text(written_anew(DOCUMENT.read_text()))
