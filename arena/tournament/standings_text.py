"""Standings for people: the cells of a table, and Markdown.

Owns columns and wording. Must not compute a number. For machines:
:mod:`arena.tournament.standings_data`. Source: commands.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, assert_never

from arena.tournament.criteria import RankBy
from arena.tournament.event_file import ForfeitCredit
from arena.tournament.standing import (
    EntrantStanding,
    Note,
    RuledMatches,
    StageStandings,
    Standings,
    Unit,
)

_MARK: Final = "†"
"""Stands behind an interval that is not about the points beside it."""
_MOST_LISTED: Final = 5
"""Matches that a note names."""
_NO_INTERVAL: Final = "no interval"
_UNSEPARATED: Final = "≈"
"""Marks a lead over the next line that may be chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A stage as cells to print: what stands above, the columns, the lines, what is below."""

    title: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


def standings_markdown(standings: Standings, published: Sequence[str] = ()) -> str:
    """Write a heading, a table a stage, and the lines of :func:`published_lines`."""
    blocks = [f"# {_escape(standings.event)}"]
    for stage in standings.stages:
        table = stage_table(stage, was_published=standings.was_published)
        ruler = ["---:", "---", *("---:" for _ in table.columns[2:])]
        rows = [table.columns, ruler, *([_escape(cell) for cell in line] for line in table.lines)]
        blocks.append(f"## {_escape(table.title)}")
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
        blocks.append("\n".join(f"- {_escape(note)}" for note in table.notes))
    if word := state_word(standings):
        blocks.append(word)
    if published:
        blocks.append("\n".join(f"- {_escape(line)}" for line in published))
    return "\n\n".join(blocks) + "\n"


def published_lines(
    *, fingerprint: str, commitments: Sequence[str], log_chain: str
) -> tuple[str, ...]:
    """Write the hashes that stand below standings, each with what it vouches for."""
    return (
        f"fingerprint {fingerprint} (what was frozen: event file, entrants, arena; no results)",
        *(
            f"commitment  {commitment} (to the seed of stage {stage})"
            for stage, commitment in enumerate(commitments, start=1)
        ),
        f"log chain   {log_chain} (the head of event.jsonl: every result up to now)",
    )


def state_word(standings: Standings) -> str:
    """Say whether standings are final; nothing where matches are to be played, or of practice."""
    if standings.is_published:
        return "published: final"
    goes_on = standings.is_unfinished and not standings.was_published
    return "" if standings.practice or goes_on else "not published yet: provisional"


def stage_table(stage: StageStandings, *, was_published: bool = False) -> Table:
    """Lay a stage out as cells; columns that would be empty for everybody are left out."""
    forfeits = any(e.forfeits or e.boards_credited for e in stage.entrants)
    faults = any(e.faults for e in stage.entrants)
    voids = any(e.voids for e in stage.entrants)
    repeats = any(e.repeats for e in stage.entrants)
    columns = ["rank", "entrant", f"points/{stage.unit.value}", "95 %", *_score_columns(stage.unit)]
    columns[4:4] = ["first", "lead"]
    # Points have a column of their own.
    shown = [n for n, criterion in enumerate(stage.criteria) if criterion is not RankBy.POINTS]
    columns[2:2] = [stage.criteria[n].value for n in shown]
    columns += ["repeats"] if repeats else []
    columns += ["forfeits", "boards left", "boards credited"] if forfeits else []
    columns += ["faults"] if faults else []
    columns += ["voids"] if voids else []
    lines = []
    for entrant in stage.entrants:
        line = [
            "" if entrant.rank is None else str(entrant.rank),
            entrant.name,
            *(f"{float(entrant.criteria[n]):.2f}" if entrant.criteria else "" for n in shown),
            _signed(entrant.points),
            _interval_words(entrant) + (_MARK if _is_off_centre(entrant) else ""),
            "" if entrant.first_probability is None else f"{entrant.first_probability:.0%}",
            _UNSEPARATED if entrant.separated is False else "",
            *_score_cells(entrant, stage.unit),
        ]
        if repeats:
            line.append(str(entrant.repeats))
        if forfeits:
            line += [
                str(entrant.forfeits),
                str(entrant.boards_forfeited),
                str(entrant.boards_credited),
            ]
        if faults:
            line.append(", ".join(f"{f.kind.value} {f.count}" for f in entrant.faults))
        if voids:
            line.append(str(entrant.voids))
        lines.append(tuple(line))
    return Table(
        title=f"Stage {stage.stage}: {stage.ruleset}",
        columns=tuple(columns),
        lines=tuple(lines),
        notes=tuple(_stage_notes(stage, has_forfeits=forfeits, was_published=was_published)),
    )


def _score_columns(unit: Unit) -> tuple[str, ...]:
    """Name the columns of what was won: groups of boards, or matches."""
    match unit:
        case Unit.BOARD:
            return "groups won", "drawn", "lost", "boards"
        case Unit.MATCH:
            return "matches won", "drawn", "lost", "deals"
        case _:
            assert_never(unit)


def _score_cells(entrant: EntrantStanding, unit: Unit) -> tuple[str, ...]:
    """Fill the columns of :func:`_score_columns`."""
    match unit:
        case Unit.BOARD:
            counts = (entrant.groups_won, entrant.groups_drawn, entrant.groups_lost)
        case Unit.MATCH:
            counts = (entrant.matches_won, entrant.matches_drawn, entrant.matches_lost)
        case _:
            assert_never(unit)
    return (*(str(count) for count in counts), str(entrant.boards_played))


def _stage_notes(stage: StageStandings, *, has_forfeits: bool, was_published: bool) -> list[str]:
    """Word what must be said below a stage's table."""
    notes = []
    if stage.compared is not None:
        notes.append(stage.compared.words)
    if stage.is_decided and stage.matches_counted < stage.matches_planned:
        more = stage.matches_planned - stage.matches_counted
        notes.append(f"matches settled: {stage.matches_counted}; not needed: up to {more} more")
    if stage.is_unfinished:
        state = "cut short" if was_published else "provisional"
        notes.append(
            f"{state}: matches settled {stage.matches_counted} of {stage.matches_planned}, "
            f"rounds complete {stage.rounds_complete} of {stage.rounds_planned}"
        )
    notes.append(_criteria_words(stage))
    if any(_interval_words(entrant) == _NO_INTERVAL for entrant in stage.entrants):
        notes.append(f"{_NO_INTERVAL}: of fewer than two boards, or of boards that are all alike")
    if any(entrant.separated is False for entrant in stage.entrants):
        notes.append(f"{_UNSEPARATED} in lead: the lead over the next line may be chance (95 %)")
    if any(entrant.repeats for entrant in stage.entrants):
        notes.append("repeats: matches played before card by card; they are in no other number")
    notes += [f"{note.value}: {_meaning(note)}" for note in stage.notes]
    if has_forfeits:
        notes.append(f"boards left by a forfeit: {_forfeit_words(stage)}")
    notes += [
        f"suspended: {entrant.name}, for its forfeits; it plays no more"
        for entrant in stage.entrants
        if entrant.is_suspended
    ]
    notes += [
        f"disqualified: {entrant.name}, by the organiser's ruling; its matches count for nobody"
        for entrant in stage.entrants
        if entrant.is_disqualified
    ]
    notes += _ruled_words(stage.ruled)
    if any(map(_is_off_centre, stage.entrants)):
        notes.append(
            f"{_MARK} of what was played out only: the points, forfeits in, may lie outside"
        )
    return notes


def _ruled_words(ruled: RuledMatches) -> list[str]:
    """Name the matches whose results are not simply what was played."""
    kinds = (
        ("voided by ruling", ruled.voided),
        ("replayed by ruling", ruled.replayed),
        ("adjusted by ruling", ruled.adjusted),
        ("awarded without play, to the opponents of who is suspended", ruled.awarded),
    )
    return [f"{what}: {_ids(matches)}" for what, matches in kinds if matches]


def _ids(matches: Sequence[str]) -> str:
    """List matches; many are cut short with their number."""
    more = len(matches) - _MOST_LISTED
    listed = ", ".join(matches[:_MOST_LISTED])
    return f"{listed} and {more} more" if more > 0 else listed


def _criteria_words(stage: StageStandings) -> str:
    """Say what ranks, and that nothing else does."""
    official, *breaks = (criterion.value for criterion in stage.criteria)
    ties = f", ties by {', then '.join(breaks)}" if breaks else ""
    words = f"ranked by {official}{ties}; everything else is for information"
    if all(entrant.first_probability is None for entrant in stage.entrants):
        return words
    return f"{words}; first: how probably it comes first on other boards like these"


def _is_off_centre(entrant: EntrantStanding) -> bool:
    """Whether forfeits count in an entrant's points, which its interval leaves out."""
    span = entrant.interval
    return span is not None and entrant.points is not None and float(entrant.points) != span.mean


def _meaning(note: Note) -> str:
    """Explain a note to somebody who has not read the design."""
    match note:
        case Note.GUESSABLE_SEED:
            return "the seed is a text, so a bot may guess it; for practice only"
        case Note.TRUST_MEMORY:
            return "boards come back turned, and the organiser trusts bots not to remember them"
        case Note.LUCK_NOT_CANCELLED:
            return "bots could remember boards, so none is played twice and luck stays in"
        case _:
            assert_never(note)


def _forfeit_words(stage: StageStandings) -> str:
    """Say what forfeits scored in this stage."""
    if stage.unit is Unit.MATCH:
        most = stage.forfeit_cost.against(0)
        own = f"the offender loses to the most it could have had, at least {most}"
        return f"the other side gets the target, {own}; in points, never in intervals"
    match stage.forfeit_credit:
        case ForfeitCredit.FIELD:
            other = "the other side its own average, at least +2"
        case ForfeitCredit.FULL:
            other = "the other side +11"
        case _:
            assert_never(stage.forfeit_credit)
    cost = stage.forfeit_cost
    own = f"-{cost.first} to the offender"
    if cost.further != cost.first:
        own += f" on the board in progress, -{cost.further} on each further one"
    return f"{own}; {other}; in points, never in intervals"


def _signed(points: Fraction | None) -> str:
    """Show points for a person to read: two decimals, always with a sign."""
    return "" if points is None else f"{float(points):+.2f}"


def _interval_words(entrant: EntrantStanding) -> str:
    """Show an interval as its two ends; where points stand without one, say so."""
    span = entrant.interval
    if span is None:
        return "" if entrant.points is None else _NO_INTERVAL
    return f"{span.low:+.2f} … {span.high:+.2f}"


def _escape(text: str) -> str:
    """Keep a name from being read as Markdown or HTML."""
    return "".join(f"\\{mark}" if mark in r"\`*_[]<>|~&" else mark for mark in text)
