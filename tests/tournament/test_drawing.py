"""Rounds that are drawn, and stages that are seeded, follow from results and rulings alone."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.record.event_log import EventLine
from arena.record.match_row import MatchRow
from arena.tournament import disk_watch
from arena.tournament.accounts import Noted
from arena.tournament.begun import read_begun
from arena.tournament.disk_watch import low_disk
from arena.tournament.drawn import Drawn, read_drawn
from arena.tournament.event_file import EventFile, Format
from arena.tournament.folder import EventFolder
from arena.tournament.plan import event_totals
from arena.tournament.rulings import Act, Ruling, Rulings, fold
from arena.tournament.schedule import MatchPlan
from arena.tournament.standings import standings
from arena.tournament.suspension import NO_RULINGS, Suspensions
from arena.tournament.verify_standings import unsettled
from tests.tournament.played_event import play_event
from tests.tournament.results import Points, chance, even, event_of, forfeited, row_of

NAMES = "abcdefg"


def cup(*names: str, advance: int | None = 4) -> EventFile:
    """Make an event of a Swiss stage and a knockout of its best."""
    event = event_of(*names, boards=2, format=Format.SWISS)
    (first,) = event.stages
    final = replace(first, format=Format.KNOCKOUT)
    return replace(event, stages=(replace(first, advance=advance), final))


def play(
    event: EventFile,
    points: Points,
    rows: Sequence[MatchRow] = (),
    rulings: Rulings = NO_RULINGS,
    most: int | None = None,
) -> list[MatchRow]:
    """Play an event on, as far as its draws come; stop after so many matches."""
    rows = list(rows)
    while True:
        known = Suspensions(event, rulings)
        for row in rows:
            known.add(row)
        known.settle()
        counted = {row.match_id for row in rows}
        left = [
            match
            for stage in range(1, len(event.stages) + 1)
            for sitting in known.sittings_known(stage) or ()
            if not known.bars(sitting.pairing)
            for match in sitting.matches
            if match.id not in counted
        ]
        if not left or (most is not None and len(rows) >= most):
            return rows
        rows.append(row_of(event, left[0], points))


@pytest.mark.parametrize("entrants", [2, 3, 5, 6, 7])
def test_an_event_taken_up_at_any_match_comes_to_the_same_end(entrants: int) -> None:
    event = cup(*NAMES[:entrants], advance=min(4, entrants))
    whole = play(event, chance(entrants))
    table = standings(event, whole)
    assert not table.is_unfinished
    assert [line.rank for line in table.stages[1].entrants][:2] == [1, 2]
    for cut in range(0, len(whole), 3):
        part = play(event, chance(entrants), most=cut)
        if cut:
            assert standings(event, part).is_unfinished
        again = play(event, chance(entrants), part[::-1])
        assert standings(event, again) == table


@pytest.mark.parametrize("entrants", [4, 5])
def test_a_swiss_plans_as_many_matches_at_every_moment(entrants: int) -> None:
    event = event_of(*NAMES[:entrants], boards=2, format=Format.SWISS)
    whole = play(event, chance(2))
    for cut in range(len(whole) + 1):
        known = Suspensions(event)
        for row in whole[:cut]:
            known.add(row)
        known.settle()
        assert known.matches_planned == len(whole)


def planned_at(event: EventFile, rows: Sequence[MatchRow]) -> tuple[int, int]:
    """Give the matches and rounds planned once these matches count."""
    known = Suspensions(event)
    for row in rows:
        known.add(row)
    known.settle()
    return known.matches_planned, known.drawing(1).rounds_planned


def first_wins(match: MatchPlan, _board: int) -> tuple[int, int]:
    return (11, 0) if match.seats[0] < match.seats[1] else (0, 11)


@pytest.mark.parametrize("entrants", range(2, 10))
def test_a_knockout_without_even_pairings_plans_what_is_played_at_every_moment(
    entrants: int,
) -> None:
    event = event_of(*"abcdefghi"[:entrants], boards=2, format=Format.KNOCKOUT)
    rows = play(event, first_wins)
    assert len(rows) == (entrants - 1) * 2
    planned = {planned_at(event, rows[:most]) for most in range(len(rows) + 1)}
    assert planned == {(len(rows), (entrants - 1).bit_length())}
    assert event_totals(event).matches == len(rows)


@pytest.mark.parametrize("entrants", [2, 3, 5, 8])
def test_a_knockout_plans_further_boards_once_they_are_drawn(entrants: int) -> None:
    event = event_of(*"abcdefgh"[:entrants], boards=2, format=Format.KNOCKOUT)
    rows = play(event, even)
    planned = [planned_at(event, rows[:most]) for most in range(len(rows) + 1)]
    assert planned == sorted(planned)
    assert planned[0] == (event_totals(event).matches, (entrants - 1).bit_length())
    assert planned[-1] == (len(rows), 4 * (entrants - 1).bit_length())
    assert all(matches > count for count, (matches, _) in enumerate(planned[:-1]))


def test_a_pairing_won_in_a_swiss_is_a_point_which_buchholz_adds_up() -> None:
    event = event_of(*NAMES[:4], boards=2, format=Format.SWISS)
    (stage,) = standings(event, play(event, chance(2))).stages
    points = {line.name: line.criteria[0] for line in stage.entrants}
    assert sum(points.values()) == 2 * 2  # rounds, pairings
    met = {
        line.name: sum(
            points[pair.second if pair.first == line.name else pair.first]
            for pair in stage.pairings
            if line.name in (pair.first, pair.second)
        )
        for line in stage.entrants
    }
    assert {line.name: line.criteria[1] for line in stage.entrants} == met


def test_the_best_go_on_in_the_order_of_their_rank() -> None:
    event = cup(*NAMES[:6])
    first, second = standings(event, play(event, chance(8))).stages
    best = [line.name for line in first.entrants][:4]
    assert {line.name for line in second.entrants} == set(best)
    assert {frozenset((p.first, p.second)) for p in second.pairings} >= {
        frozenset((best[0], best[3])),
        frozenset((best[1], best[2])),
    }


def test_who_is_disqualified_neither_meets_anybody_nor_goes_on() -> None:
    event = cup(*NAMES[:6])
    out = fold([Ruling(act=Act.DISQUALIFY, on="a", by="me", reason="x")])
    rows = play(event, chance(1), rulings=out)
    assert rows
    assert all("a" not in row.seats for row in rows)
    assert "a" not in {line.name for line in standings(event, rows, out).stages[1].entrants}


def test_a_draw_that_the_log_holds_stands_whatever_is_ruled_later() -> None:
    event = event_of(*NAMES[:4], boards=2, format=Format.SWISS)
    rows = play(event, chance(2), most=4)
    known = Suspensions(event)
    for row in rows:
        known.add(row)
    known.settle()
    drawn = known.drawn
    assert set(drawn.rounds) == {(1, 1), (1, 2)}
    lines = [
        EventLine(
            seq=1,
            time="",
            chain="",
            kind="round_drawn",
            fields={
                "stage": stage,
                "round": number,
                "pairings": [{"entrants": list(pair)} for pair in pairs],
            },
        )
        for (stage, number), pairs in drawn.rounds.items()
    ]
    assert read_drawn(lines, Path("event.jsonl")).rounds == drawn.rounds
    loser = next(row for row in rows if row.winner is not None)
    ruled = fold([Ruling(act=Act.VOID, on=loser.match_id, by="me", reason="x", attempt=1)])
    kept = Suspensions(event, replace(ruled, drawn=drawn))
    for row in ruled.applied(rows):
        kept.add(row)
    kept.settle()
    assert kept.drawn.rounds == drawn.rounds


def over(event: EventFile, rows: Sequence[MatchRow]) -> Drawn:
    """Give the draws of an event of which everything was played, as its log holds them."""
    known = Suspensions(event)
    for row in rows:
        known.add(row)
    known.settle()
    assert known.is_over
    return replace(known.drawn, is_over=True)


@pytest.mark.parametrize("format_", [Format.SWISS, Format.KNOCKOUT])
@pytest.mark.parametrize("luck", range(6))
def test_no_ruling_after_the_end_asks_for_another_round(luck: int, format_: Format) -> None:
    event = event_of(*NAMES[:6], boards=2, format=format_)
    rows = play(event, chance(luck))
    drawn = over(event, rows)
    before = standings(event, rows, replace(NO_RULINGS, drawn=drawn)).stages[0]
    assert not before.is_unfinished
    acts: list[tuple[Act, str, int | None]] = [(Act.DISQUALIFY, name, None) for name in NAMES[:6]]
    acts += [(Act.VOID, row.match_id, row.attempt) for row in rows]
    for act, on, attempt in acts:
        ruled = fold([Ruling(act=act, on=on, by="me", reason="x", attempt=attempt)])
        (after,) = standings(event, rows, replace(ruled, drawn=drawn)).stages
        assert not after.is_unfinished, (act, on)
        assert after.rounds_planned == before.rounds_planned


def test_the_finalist_that_is_left_wins_a_knockout_whose_winner_is_disqualified() -> None:
    event = event_of(*NAMES[:4], boards=2, format=Format.KNOCKOUT)
    rows = play(event, chance(5))
    drawn = over(event, rows)
    first, second = (line.name for line in standings(event, rows).stages[0].entrants[:2])
    out = fold([Ruling(act=Act.DISQUALIFY, on=first, by="me", reason="x")])
    after = standings(event, rows, replace(out, drawn=drawn)).stages[0].entrants
    levels = {line.name: line.criteria[0] for line in after if line.rank is not None}
    assert levels.pop(second) == 2
    assert set(levels.values()) == {0}


def test_a_closed_event_that_lacks_its_last_draw_is_found(tmp_path: Path) -> None:
    event = event_of(*NAMES[:4], boards=2, format=Format.KNOCKOUT)
    rows = play(event, chance(5))
    rounds = dict(over(event, rows).rounds)
    whole = replace(NO_RULINGS, drawn=Drawn(rounds=dict(rounds)))
    last, _ = rounds.popitem()
    kept = tuple(row for row in rows if (row.stage, row.round) != last)
    begun = read_begun(EventFolder(play_event(tmp_path / "cup")))
    assert begun is not None

    def lacking(rows: Sequence[MatchRow], rulings: Rulings) -> list[str]:
        ids = [row.match_id for row in rows]
        noted = {
            (one, 1): Noted(seq=2, counted=True, digest="", termination="completed", totals=())
            for one in ids
        }
        of_event = replace(begun, noted=noted, rulings=rulings)
        return unsettled(event, of_event, tuple(rows), ids)

    assert lacking(rows, whole) == []
    assert lacking(kept, replace(NO_RULINGS, drawn=Drawn(rounds=rounds))) == [
        "every round drawn and complete"
    ]


def test_a_crash_costs_the_bot_and_leaves_its_partner_as_it_was() -> None:
    event = event_of(*NAMES[:4], boards=2, format=Format.INDIVIDUAL, suspend_after=0)
    rows = play(event, chance(3))
    crash = forfeited(rows[0], 0, 0)
    offender, partner, other = crash.seats[0], crash.seats[2], crash.seats[1]
    table = {line.name: line for line in standings(event, [crash, *rows[1:]]).stages[0].entrants}
    clean = {line.name: line for line in standings(event, rows).stages[0].entrants}
    assert (table[offender].forfeits, table[offender].boards_forfeited) == (1, 2)
    assert (table[partner].forfeits, table[partner].boards_forfeited) == (0, 0)
    assert table[partner].boards_credited == 0
    assert table[other].boards_credited == 2
    scored = table[partner].interval
    assert scored is not None
    before = clean[partner].interval
    assert before is not None
    assert scored.groups == before.groups - 2


def test_a_disk_that_is_nearly_full_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert low_disk(tmp_path / "missing") is None
    monkeypatch.setattr(disk_watch, "LEAST_FREE", 0)
    assert low_disk(tmp_path) is None
    monkeypatch.setattr(disk_watch, "LEAST_FREE", 1 << 62)
    assert "MiB are free on its disk" in (low_disk(tmp_path) or "")
