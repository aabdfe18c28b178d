"""Every form of the standings says the same numbers, in bytes that do not vary."""

import csv
import io
import json
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from arena.record.match_row import FaultCount
from arena.referee.faults import FaultKind
from arena.rules.presets import PRESETS
from arena.tournament.criteria import RankBy
from arena.tournament.event_file import Entrant, EventFile, ForfeitCredit
from arena.tournament.rulings import Act, Ruling, fold
from arena.tournament.schedule import MatchPlan
from arena.tournament.standing import Standings
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_csv, standings_json
from arena.tournament.standings_text import (
    published_lines,
    stage_table,
    standings_markdown,
    state_word,
)
from tests.tournament.results import Points, all_rows, even, event_of, forfeited, voided

NASTY = 'Ü "quoted", | *bold* <b> 👩‍🚀 שלום'


def uneven(match: MatchPlan, board: int) -> tuple[int, int]:
    """Let the first entrant lead by more on later boards."""
    return (7 + board * (match.orientation == 0), 4)


def table_of(event: EventFile, points: Points = even, *, spoilt: bool = False) -> Standings:
    rows = list(all_rows(event, points))
    if spoilt:
        fault = FaultCount(seat=0, kind=FaultKind.CRASHED, count=1)
        late = FaultCount(seat=0, kind=FaultKind.LATE, count=2)
        rows[0] = forfeited(rows[0], 0, 1, fault, late)
        rows.append(voided(replace(rows[1], attempt=2)))
    return standings(event, rows)


def named(name: str) -> EventFile:
    event = event_of("a", "b")
    return replace(event, name=name, entrants=(Entrant(name=name, bot="a"), event.entrants[1]))


def test_json_is_an_envelope_with_every_number() -> None:
    document = json.loads(
        standings_json(
            table_of(event_of("a", "b"), uneven, spoilt=True),
            commitments=["c0ffee"],
            fingerprint="f00d",
        )
    )
    assert (document["schema"], document["kind"]) == (3, "standings")
    data: dict[str, Any] = document["data"]
    assert (data["event"], data["provisional"], data["published"]) == ("trial", True, False)
    assert [stage["provisional"] for stage in data["stages"]] == [True]
    assert (data["commitments"], data["fingerprint"]) == (["c0ffee"], "f00d")
    (stage,) = data["stages"]
    assert (stage["unit"], stage["notes"]) == ("board", ["trust_memory = true"])
    best, worst = stage["entrants"]
    assert (best["name"], best["rank"], worst["rank"]) == ("b", 1, 2)
    assert (worst["forfeits"], worst["boards_forfeited"], best["boards_credited"]) == (1, 1, 1)
    assert worst["faults"] == {"late": 2, "crashed": 1}
    assert worst["voids"] == 1
    # Board 2 was left at home (-11) and lost 4-7: mean of 0.5, -7, 1.5, 2.
    assert worst["points"] == -0.75
    assert worst["interval"] == {
        "mean": 1.3333,
        "low": -0.564,
        "high": 3.2306,
        "standard_error": 0.441,
        "board_groups": 3,
        "different_boards": 3,
    }


def test_the_same_results_give_the_same_bytes_whatever_their_order_and_times() -> None:
    event = event_of("a", "b", "c")
    rows = list(all_rows(event, even))
    slower = [replace(row, duration_us=99, digest="other") for row in reversed(rows)]
    assert standings_json(standings(event, slower)) == standings_json(standings(event, rows))


def test_json_says_null_where_nothing_is_known() -> None:
    data = json.loads(standings_json(standings(event_of("a", "b"), [])))["data"]
    (stage,) = data["stages"]
    assert [(line["rank"], line["points"], line["interval"]) for line in stage["entrants"]] == [
        (None, None, None)
    ] * 2


def test_json_holds_names_as_they_are() -> None:
    data = standings_json(table_of(named(NASTY)))
    assert "Ü".encode() in data
    assert data.endswith(b"}\n")
    assert json.loads(data)["data"]["event"] == NASTY


def test_csv_has_a_line_an_entrant_and_reads_back() -> None:
    lines = list(csv.DictReader(io.StringIO(standings_csv(table_of(named(NASTY), spoilt=True)))))
    assert [line["rank"] for line in lines] == ["1", "2"]
    assert lines[1]["name"] == NASTY
    assert (lines[1]["points"], lines[1]["faults"], lines[1]["stage"]) == ("-1.75", "3", "1")
    assert lines[1]["faults_by_kind"] == "late 2, crashed 1"
    assert (lines[1]["provisional"], lines[1]["unit"]) == ("true", "board")
    assert lines[1]["ruleset"] == "italian-tournament:declarations=off"


def test_csv_leaves_what_is_not_known_empty() -> None:
    lines = list(csv.DictReader(io.StringIO(standings_csv(standings(event_of("a", "b"), [])))))
    assert [(line["rank"], line["points"], line["low"]) for line in lines] == [("", "", "")] * 2


def test_a_table_shows_columns_only_where_there_is_something_to_show() -> None:
    plain = stage_table(table_of(event_of("a", "b")).stages[0])
    assert plain.columns == (
        "rank",
        "entrant",
        "points/board",
        "95 %",
        "first",
        "lead",
        "groups won",
        "drawn",
        "lost",
        "boards",
    )
    assert plain.lines[0] == ("1", "a", "+0.00", "no interval", "50%", "≈", "0", "4", "0", "8")
    spoilt = stage_table(table_of(event_of("a", "b"), spoilt=True).stages[0])
    assert spoilt.columns[10:] == ("forfeits", "boards left", "boards credited", "faults", "voids")
    assert spoilt.lines[1][10:] == ("1", "1", "0", "late 2, crashed 1", "1")


def test_an_interval_that_is_not_about_its_points_is_marked() -> None:
    spoilt = stage_table(table_of(event_of("a", "b"), uneven, spoilt=True).stages[0])
    assert spoilt.lines[1][2:4] == ("-0.75", "-0.56 … +3.23†")
    assert spoilt.notes[-1].startswith("† of what was played out only")
    plain = stage_table(table_of(event_of("a", "b"), uneven).stages[0])
    assert "†" not in "".join(chain(*plain.lines, plain.notes))


def test_what_was_published_stands_with_its_meaning_in_what_is_printed() -> None:
    lines = published_lines(fingerprint="f00d", commitments=["c0", "ffee"], log_chain="beef")
    assert [line.split(" (")[0].split()[-1] for line in lines] == ["f00d", "c0", "ffee", "beef"]
    table = table_of(event_of("a", "b"))
    assert standings_markdown(table, lines).splitlines()[-1].startswith("- log chain   beef")
    assert json.loads(standings_json(table, log_chain="beef"))["data"]["log_chain"] == "beef"
    assert "log_chain" not in json.loads(standings_json(table))["data"]


def test_a_table_says_what_must_be_said() -> None:
    event = replace(event_of("a", "b", trust_memory=False), practice=True, seed="text")
    notes = stage_table(standings(event, list(all_rows(event, even))[:1]).stages[0]).notes
    assert notes[0] == "provisional: matches settled 1 of 4, rounds complete 0 of 1"
    assert notes[1].startswith("ranked by points_per_board; everything else is for information")
    assert notes[2] == "no interval: of fewer than two boards, or of boards that are all alike"
    assert notes[3].startswith("guessable seed: ")
    assert notes[4].startswith("luck not cancelled: ")


def test_boards_that_are_all_alike_give_points_and_no_interval_of_no_width() -> None:
    table = table_of(event_of("a", "b"))
    (stage,) = json.loads(standings_json(table))["data"]["stages"]
    assert [(line["points"], line["interval"]) for line in stage["entrants"]] == [(0.0, None)] * 2
    (pairing,) = stage["pairings"]
    shown = (pairing["points"], pairing["interval"], pairing["elo"], pairing["elo_error"])
    assert shown == (0.0, None, 0.0, None)
    first, _ = csv.DictReader(io.StringIO(standings_csv(table)))
    assert (first["points"], first["low"], first["high"]) == ("0.0", "", "")


def test_a_table_says_what_forfeits_score() -> None:
    def last_note(event: EventFile) -> str:
        notes = stage_table(table_of(event, spoilt=True).stages[0]).notes
        return next(note for note in notes if note.startswith("boards left by a forfeit"))

    assert "its own average, at least +2" in last_note(event_of("a", "b"))
    full = event_of("a", "b", forfeit_credit=ForfeitCredit.FULL)
    assert "the other side +11" in last_note(full)
    to_target = event_of("a", "b", boards=2, boards_per_match=None)
    assert "the other side gets the target, the offender loses to" in last_note(to_target)
    assert "at least 41; in points" in last_note(to_target)


def test_table_and_json_say_what_a_forfeit_costs_the_offender() -> None:
    def said(ruleset: str, **stage: object) -> tuple[object, str]:
        table = table_of(event_of("a", "b", ruleset=PRESETS[ruleset], **stage), spoilt=True)
        notes = "; ".join(stage_table(table.stages[0]).notes)
        return json.loads(standings_json(table))["data"]["stages"][0]["forfeit_cost"], notes

    cost, notes = said("gamelake-4")
    assert cost == {"first": 11, "further": 11}
    assert "boards left by a forfeit: -11 to the offender; the other side" in notes
    cost, notes = said("pagat-4")
    assert cost == {"first": 35, "further": 11}
    assert "-35 to the offender on the board in progress, -11 on each further one; the" in notes
    cost, notes = said("pagat-4", boards=2, boards_per_match=None)
    assert cost == {"against": 20 + 35}
    assert "at least 55; in points" in notes


def test_a_table_of_matches_to_a_target_counts_matches() -> None:
    event = event_of("a", "b", boards=2, boards_per_match=None)
    table = stage_table(table_of(event).stages[0])
    assert table.columns[2:5] == ("matches_won", "points/match", "95 %")
    assert [line[2] for line in table.lines] == ["0.50", "0.50"]
    assert table.columns[7:] == ("matches won", "drawn", "lost", "deals")
    assert table.notes[0].startswith("ranked by matches_won, ties by points_per_board; ")
    assert table.lines[0][7:] == ("2", "0", "2", "20")


def test_what_ranks_stands_in_every_form() -> None:
    event = replace(event_of("a", "b"), rank_by=RankBy.BOARDS_WON, tie_breaks=(RankBy.MATCHES_WON,))
    table = table_of(event)
    laid_out = stage_table(table.stages[0])
    assert laid_out.columns[2:5] == ("boards_won", "matches_won", "points/board")
    assert laid_out.lines[0][2:4] == ("0.50", "0.50")
    (stage,) = json.loads(standings_json(table))["data"]["stages"]
    assert stage["entrants"][0]["criteria"] == {"boards_won": 0.5, "matches_won": 0.5}
    line = next(csv.DictReader(io.StringIO(standings_csv(table))))
    assert line["criteria"] == "boards_won 0.5, matches_won 0.5"


def test_without_results_cells_are_empty() -> None:
    table = stage_table(standings(event_of("a", "b"), []).stages[0])
    assert table.lines[0][:4] == ("", "a", "", "")


def test_markdown_shows_names_without_reading_them_as_markup() -> None:
    text = standings_markdown(table_of(named(NASTY)))
    assert r'Ü "quoted", \| \*bold\* \<b\> 👩‍🚀 שלום' in text
    lines = text.splitlines()
    header = lines.index(
        "| rank | entrant | points/board | 95 % | first | lead "
        "| groups won | drawn | lost | boards |"
    )
    assert lines[header + 1] == f"| ---: | --- |{' ---: |' * 8}"
    assert lines[-3].startswith(r"- trust\_memory = true: ")
    assert lines[-2:] == ["", "not published yet: provisional"]


def test_below_a_stage_stand_the_matches_that_are_not_simply_what_was_played() -> None:
    event = event_of("a", "b")
    rows = list(all_rows(event, even))
    first, second, third, fourth = (row.match_id for row in rows)
    rulings = fold(
        [
            Ruling(act=Act.VOID, on=first, by="me", reason="x", attempt=1),
            Ruling(act=Act.ADJUST, on=second, by="me", reason="x", board=3, points=(5, 6)),
            Ruling(act=Act.REPLAY, on=third, by="me", reason="x", attempt=1),
        ]
    )
    table = standings(event, rows, rulings)
    notes = stage_table(table.stages[0]).notes
    assert f"voided by ruling: {first}" in notes
    assert f"adjusted by ruling: {second}" in notes
    assert f"replayed by ruling: {third}" in notes
    assert not any(fourth in note for note in notes)
    (stage,) = json.loads(standings_json(table))["data"]["stages"]
    assert (stage["voided"], stage["adjusted"]) == ([first], [second])
    assert (stage["replayed"], stage["awarded"]) == ([third], [])


@pytest.mark.parametrize("practice", [True, False])
@pytest.mark.parametrize("is_published", [True, False])
@pytest.mark.parametrize("is_over", [True, False])
def test_every_form_says_alike_whether_standings_are_provisional(
    *, practice: bool, is_published: bool, is_over: bool
) -> None:
    event = replace(event_of("a", "b"), practice=practice)
    rows = list(all_rows(event, even))[: None if is_over else -1]
    given = [Ruling(act=Act.PUBLISH, on="", by="me", reason="x")] if is_published else []
    table = standings(event, rows, fold(given))
    # Publishing an event that was cut short makes it final, too.
    is_provisional = not is_published and not (is_over and practice)
    data = json.loads(standings_json(table))["data"]
    assert (data["provisional"], data["published"]) == (is_provisional, is_published)
    assert data["stages"][0]["provisional"] is is_provisional
    line = next(csv.DictReader(io.StringIO(standings_csv(table))))
    assert (line["provisional"], line["published"]) == (
        str(is_provisional).lower(),
        str(is_published).lower(),
    )
    word = state_word(table)
    assert ("published: final" in word) == is_published
    assert ("provisional" in word) == (is_over and not is_published and not practice)
