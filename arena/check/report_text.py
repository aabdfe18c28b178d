"""A report of a check as plain text, for a terminal and for a file.

Owns the layout. Must not judge. Source: issue "A kit for bot authors" 4.
"""

from collections.abc import Iterator

from arena.check.checking import Report
from arena.check.rule import Standing
from arena.counted import counted
from arena.wire.terms import PROTOCOL_VERSION


def report_lines(report: Report) -> Iterator[str]:
    """Give a report line by line: each rule's verdict and cure, then the whole."""
    for verdict in report.verdicts:
        first, *more = verdict.found.splitlines() or [""]
        mark = verdict.standing.value if verdict.standing is not Standing.BAD else "BAD"
        yield f"{mark:9}  {verdict.rule.value}: {first}"
        for line in more:
            yield f"           {line}"
        if verdict.cure:
            yield f"           what to do: {verdict.cure}"
    yield ""
    word = "good" if report.is_good else "BAD"
    yield f"{report.name} {report.version}: {word}; {counted(report.boards, 'board')}"
    if report.bot_hash:
        conditions = report.conditions
        yield f"bundle      {report.bot_hash}"
        yield f"conditions  {conditions.digest} ({conditions.source})"
        yield f"bound to    {report.binding} (both, and protocol version {PROTOCOL_VERSION})"
