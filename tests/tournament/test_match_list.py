"""Each match that counts is listed once with its id, and forfeits are counted in one way."""

from arena.tournament.forfeited import forfeited as forfeits_of
from arena.tournament.match_list import match_lines
from arena.tournament.rulings import Act, Ruling, Rulings, fold
from arena.tournament.standings import standings
from arena.tournament.suspension import with_suspensions
from tests.tournament.results import all_rows, even, event_of, forfeited, voided

EVENT = event_of("a", "b", "c", suspend_after=3)
ROWS = tuple(all_rows(EVENT, even))


def ruling(act: Act, on: str, **more: object) -> Ruling:
    return Ruling(act=act, on=on, by="me", reason="because", **more)  # type: ignore[arg-type]


def crashing() -> list:  # type: ignore[type-arg]
    """Give rows in which b crashes wherever it plays."""
    return [
        forfeited(row, row.entrants.index("b"), 0) if "b" in row.entrants else row for row in ROWS
    ]


def test_matches_are_listed_in_the_order_of_the_schedule_whatever_order_they_come_in() -> None:
    spoiled = voided(ROWS[0])
    lines = match_lines((*reversed(ROWS), spoiled), Rulings())
    assert [line.match for line in lines] == [row.match_id for row in ROWS]
    assert lines[0].to_cells() == (
        ROWS[0].match_id,
        "1",
        " v ".join(ROWS[0].entrants),
        "14-8",
        "completed",
        "",
        "",
        "yes",
    )


def test_a_line_names_the_ruling_that_stands() -> None:
    first, second, third = (row.match_id for row in ROWS[:3])
    rulings = fold(
        [
            ruling(Act.ADJUST, first, board=1, points=(5, 6)),
            ruling(Act.VOID, first, attempt=1),
            ruling(Act.ADJUST, second, board=1, points=(5, 6)),
            ruling(Act.REPLAY, third, attempt=1),
        ]
    )
    lines = {line.match: line for line in match_lines(rulings.applied(ROWS), rulings)}
    assert (lines[first].ruling, lines[first].ended) == ("void", "annulled")
    assert lines[second].ruling == "adjust"
    assert third not in lines  # it is to be played again
    assert {line.ruling for line in lines.values()} == {"", "void", "adjust"}


def test_what_a_suspended_entrant_did_not_play_is_listed_without_an_attempt() -> None:
    rows = [row for row in crashing() if row.round < 3]
    settled = with_suspensions(EVENT, rows)
    assert settled.suspended == {"b"}
    unplayed = [line for line in match_lines(settled.rows, Rulings()) if not line.attempt]
    assert unplayed
    assert {(line.ended, line.offender) for line in unplayed} == {("forfeit_suspended", "b")}
    assert unplayed[0].to_fields()["attempt"] == 0


def test_matches_of_a_disqualified_entrant_are_listed_as_played_and_count_nowhere() -> None:
    rulings = fold([ruling(Act.DISQUALIFY, "b")])
    lines = match_lines(with_suspensions(EVENT, ROWS, rulings).rows, rulings)
    assert len(lines) == len(ROWS)
    of_b = [line for line in lines if "b" in line.entrants]
    assert {(line.points, line.attempt, line.ended) for line in of_b} == {((14, 8), 1, "annulled")}
    assert {(line.ruling, line.counts) for line in of_b} == {("disqualify", False)}
    others = [line for line in lines if "b" not in line.entrants]
    assert {(line.ruling, line.counts) for line in others} == {("", True)}
    table = standings(EVENT, ROWS, rulings).stages[0]
    counting = {name: sum(name in line.entrants for line in others) for name in "abc"}
    assert {line.name: line.matches for line in table.entrants} == counting
    assert [(one.first, one.second, one.matches) for one in table.pairings] == [
        ("a", "c", len(others))
    ]


def test_all_ways_of_counting_forfeits_agree() -> None:
    rows = crashing()
    void = ruling(Act.VOID, next(row.match_id for row in rows if "b" in row.entrants), attempt=1)
    for rulings in (Rulings(), fold([void])):
        settled = with_suspensions(EVENT, rows, rulings)
        found = forfeits_of(settled.rows)
        table = standings(EVENT, rows, rulings).stages[0]
        assert len(found) == sum(line.forfeits for line in table.entrants) > 0
        listed = [line for line in match_lines(settled.rows, rulings) if line.offender]
        assert [line.match for line in listed] == [row.match_id for row in found]
