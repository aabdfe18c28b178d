"""What each act of ruling needs and what it may be about.

Owns the refusals of rulings, each with what is allowed. Must not write anything, nor know what
rulings come to (:mod:`arena.tournament.rulings`). Source: design.md §5 ("Rulings").
"""

import difflib
from collections.abc import Collection
from dataclasses import replace
from typing import assert_never

from arena.counted import counted
from arena.errors import ConfigError
from arena.record.event_log import EventLine, read_event_log
from arena.record.match_row import MatchRow
from arena.rules.worth import may_be_negative, most_points
from arena.tournament.comparing import comparison
from arena.tournament.known import Known
from arena.tournament.rulings import Act, Ruling, Rulings
from arena.tournament.suspension import with_suspensions


def checked(known: Known, ruling: Ruling) -> Ruling:
    """Refuse a ruling that makes no sense; fill in what it is about.

    Raises:
        ConfigError: It is about nothing that is there, lacks something, repeats an earlier one
            or comes too early or too late.
    """
    if ruling.act is not Act.ADJUST and (ruling.points or ruling.board is not None):
        raise ConfigError(f"{ruling.act.value}: --points and --board go with adjust only")
    match ruling.act:
        case Act.VOID | Act.REPLAY | Act.ADJUST:
            return _about_match(known, ruling)
        case Act.DISQUALIFY | Act.REINSTATE:
            return _about_entrant(known, ruling)
        case Act.PUBLISH:
            if ruling.on:
                raise ConfigError(f"publish is about the whole event, not about {ruling.on!r}")
            _check_over(known)
            return ruling
        case _:
            assert_never(ruling.act)


def _about_match(known: Known, ruling: Ruling) -> Ruling:
    row = _match(known, ruling.on)
    if ruling.act is Act.REPLAY:
        if known.begun.is_revealed:
            raise ConfigError(
                "replay: the event is over and its seeds are public, so no card can be dealt "
                "any more; allowed are void and adjust"
            )
    elif ruling.on in known.begun.rulings.annulled:
        raise ConfigError(
            f"{ruling.act.value}: match {ruling.on} counts for nobody already: "
            f"{_earlier(known, Act.VOID, ruling.on)}"
        )
    if ruling.act is Act.ADJUST:
        _check_form(row, ruling)
        _check_worth(known, row, ruling)
        _check_change(known, ruling)
    return replace(ruling, attempt=row.attempt)


def _about_entrant(known: Known, ruling: Ruling) -> Ruling:
    _known_name(ruling.on, "entrant", [entrant.name for entrant in known.event.entrants])
    standing = known.begun.rulings
    is_out = ruling.on in standing.disqualified
    if ruling.act is Act.DISQUALIFY:
        if is_out:
            raise ConfigError(
                f"disqualify: {ruling.on!r} is out of the event already: "
                f"{_earlier(known, Act.DISQUALIFY, ruling.on)}"
            )
        return ruling
    forfeits = _forfeits(known, ruling.on)
    if not is_out and standing.forgiven.issuperset(forfeits):
        raise ConfigError(
            f"reinstate: {ruling.on!r} is neither disqualified nor suspended, and no forfeit of "
            "its counts towards that"
        )
    reinstated = replace(ruling, forgiven=forfeits)
    if known.begun.is_revealed and _leaves_more(known, standing.after(reinstated)):
        raise ConfigError(
            f"reinstate: the event is over and its seeds are public, so what {ruling.on!r} did "
            "not play cannot be dealt any more"
        )
    return reinstated


def _leaves_more(known: Known, rulings: Rulings) -> bool:
    """Whether, by rulings after the end, matches lack in rounds that were complete at the end.

    Rounds that ``finish_by`` cut off, or that a decided comparison did not need, lack theirs
    whatever is ruled.
    """
    at_end = replace(rulings.at_end or rulings, drawn=rulings.drawn)
    before = with_suspensions(known.event, known.rows, at_end).drawings
    now = with_suspensions(known.event, known.rows, rulings).drawings
    pairs = zip(now, before, strict=True)
    return any(one.rounds_complete < other.rounds_complete for one, other in pairs)


def _is_over(known: Known, rulings: Rulings) -> bool:
    """Whether by rulings nothing is left to play that is needed."""
    compared = comparison(known.event, known.rows, rulings)
    if compared is not None and compared.is_decided:
        return True
    return with_suspensions(known.event, known.rows, rulings).is_over


def _check_over(known: Known) -> None:
    """Refuse to publish what is published, or neither played out nor cut after a complete round."""
    if known.begun.rulings.is_published:
        raise ConfigError(
            f"publish: the event is published already: {_earlier(known, Act.PUBLISH)}"
        )
    if not known.begun.is_closed:
        drawings = with_suspensions(known.event, known.rows, known.begun.rulings).drawings
        complete = sum(drawing.rounds_complete for drawing in drawings)
        planned = sum(drawing.rounds_planned for drawing in drawings)
        if known.begun.is_cut and complete:
            return
        if _is_over(known, known.begun.rulings):
            raise ConfigError(
                "publish: all that is needed is played, but the event was not closed; close it "
                f"first: arena run {known.folder.path}"
            )
        raise ConfigError(
            f"publish: the event is not over (rounds complete: {complete} of {planned}); "
            f"play the rest first: arena run {known.folder.path}"
        )


def _earlier(known: Known, act: Act, on: str = "", board: int | None = None) -> str:
    """Name the last ruling of an act on something."""

    def is_it(line: EventLine) -> bool:
        fields = line.fields
        about = (fields.get("act"), fields.get("on"), fields.get("board"))
        return line.kind == "ruling" and about == (act, on, board)

    line = next(filter(is_it, reversed(read_event_log(known.folder.event_log))))
    by, reason = line.fields.get("by"), line.fields.get("reason")
    return f"ruling of {by} at {line.time} (seq {line.seq}): {reason}"


def _match(known: Known, match: str) -> MatchRow:
    counted = {row.match_id: row for row in known.rows if row.counted}
    if match not in counted:
        raise ConfigError(
            f"match {match!r} does not count in this event; allowed: the id of a match that "
            f"does, for instance s1-r1-p1-o0-m1 (arena standings {known.folder.path} --matches "
            "lists them)"
        )
    return counted[match]


def _known_name(name: str, what: str, names: Collection[str]) -> None:
    if name not in names:
        near = difflib.get_close_matches(name, list(names), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(names)}"
        raise ConfigError(f"no {what} {name!r} in this event{hint}")


def _check_form(row: MatchRow, ruling: Ruling) -> None:
    if len(ruling.points) != len(row.totals):
        raise ConfigError(
            f"adjust: --points: give {len(row.totals)} whole numbers joined by /, one a side: "
            f"{' / '.join(row.entrants)}"
        )
    if row.boards_planned is None:
        if ruling.board is not None:
            raise ConfigError(
                f"adjust: match {row.match_id} is to a target: --points are its totals; "
                "leave out --board"
            )
        return
    last = row.first_board + row.boards_planned - 1
    if ruling.board is None or not row.first_board <= ruling.board <= last:
        raise ConfigError(
            f"adjust: --board: {ruling.board if ruling.board is not None else 'missing'}; "
            f"allowed are the boards of match {row.match_id}: {row.first_board} to {last}"
        )


def _check_worth(known: Known, row: MatchRow, ruling: Ruling) -> None:
    """Refuse points that no play of the boards could have brought."""
    ruleset = known.event.stages[row.stage - 1].ruleset
    most = most_points(ruleset)
    what = f"board {ruling.board} of match {row.match_id}"
    if row.boards_planned is None:
        most = max(ruleset.target, most * len(row.boards))
        deals = counted(len(row.boards), "deal")
        what = f"match {row.match_id}, to {ruleset.target} with {deals} played,"
    least = -most if may_be_negative(ruleset) else 0
    if not all(least <= points <= most for points in ruling.points):
        given = "/".join(map(str, ruling.points))
        raise ConfigError(
            f"adjust: --points: {given} is beyond what {what} can bring under {ruleset.name}; "
            f"allowed are {least} to {most} for each side"
        )


def _check_change(known: Known, ruling: Ruling) -> None:
    """Refuse an adjustment to the points that an earlier one set; other points correct it."""
    if known.begun.rulings.adjusted.get((ruling.on, ruling.board)) == ruling.points:
        what = f"match {ruling.on}"
        if ruling.board is not None:
            what = f"board {ruling.board} of {what}"
        given = "/".join(map(str, ruling.points))
        raise ConfigError(
            f"adjust: {what} stands at {given} by a ruling already: "
            f"{_earlier(known, Act.ADJUST, ruling.on, ruling.board)}"
        )


def _forfeits(known: Known, entrant: str) -> tuple[str, ...]:
    """List the matches that an entrant forfeited so far."""
    return tuple(
        row.match_id
        for row in known.rows
        if row.counted
        and row.termination.is_forfeit
        and row.culprit_seat is not None
        and row.seats[row.culprit_seat] == entrant
    )
