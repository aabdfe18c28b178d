"""Standings of earlier schemas stay readable: held against what they hold, and no more."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.tournament.folder import EventFolder
from arena.tournament.rating.sequential import PointsTest
from arena.tournament.rulings import Act, Ruling, fold
from arena.tournament.schedule import MatchPlan
from arena.tournament.standings import standings
from arena.tournament.standings_data import SCHEMA, standings_json
from arena.tournament.standings_forms import charges_otherwise, in_form_of
from arena.tournament.verify_event import verify_event
from tests.tournament.played_event import play_event
from tests.tournament.results import all_rows, even, event_of

GOLDEN = Path(__file__).parents[1] / "data" / "event_schema_1"
"""An event as an arena wrote it before rulings were listed; beside it the last standings of 1."""
LAST_OF_1 = GOLDEN / "standings_later.json"


@pytest.fixture(params=["first", "last"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> EventFolder:
    """Give an event with standings of schema 1."""
    if request.param == "first":
        return EventFolder(shutil.copytree(GOLDEN, tmp_path / "event"))
    folder = EventFolder(play_event(tmp_path / "event"))
    now = json.loads(folder.standings.read_bytes())["data"]["fingerprint"]
    then = json.loads(LAST_OF_1.read_bytes())
    then["data"]["fingerprint"] = now
    write(folder, then)
    return folder


def write(folder: EventFolder, document: Any) -> None:
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    folder.standings.write_text(text, encoding="utf-8")


def edited(folder: EventFolder, edit: Callable[[Any], object]) -> list[str]:
    document = json.loads(folder.standings.read_bytes())
    edit(document)
    write(folder, document)
    return [str(finding) for finding in verify_event(folder).wrong]


def stage(document: Any) -> Any:
    return document["data"]["stages"][0]


def test_standings_of_schema_1_are_good(folder: EventFolder) -> None:
    assert json.loads(folder.standings.read_bytes())["schema"] == 1 < SCHEMA
    assert verify_event(folder).wrong == ()


@pytest.mark.parametrize(
    ("edit", "word"),
    [
        (lambda doc: stage(doc)["entrants"][0].update(points=9.0), "entrants[0].points: expected"),
        (lambda doc: stage(doc)["pairings"][0].update(elo=1.0), "pairings[0].elo: expected"),
        (lambda doc: stage(doc).pop("matches_counted"), "matches_counted: expected"),
        (lambda doc: stage(doc).update(rows=1), "rows: found, not expected"),
        (lambda doc: stage(doc).update(pairings=[]), "pairings: expected"),
        (lambda doc: stage(doc).update(pairings=[{"first": []}]), "stages[0].pairings"),
        (lambda doc: stage(doc).update(entrants=[{"disqualified": True, "name": []}]), "entrants"),
        (lambda doc: stage(doc).update(voided=[[]], adjusted={}), "expected"),
        (lambda doc: doc.update(schema=4), "expected an object of schema 1 to 3, the forms"),
        (lambda doc: doc.update(schema=True), "expected an object of schema 1 to 3, the forms"),
        (lambda doc: doc.update(data=[]), "data: expected"),
    ],
)
def test_what_they_hold_is_compared(
    edit: Callable[[Any], object], word: str, folder: EventFolder
) -> None:
    (finding,) = edited(folder, edit)
    assert "not the standings that the results come to: " in finding
    assert word in finding


def test_a_key_that_came_later_may_be_missing_in_schema_1_alone(tmp_path: Path) -> None:
    folder = EventFolder(play_event(tmp_path / "event"))
    (finding,) = edited(folder, lambda doc: stage(doc).pop("awarded"))
    assert finding.endswith("data.stages[0].awarded: expected")


def test_intervals_without_width_were_written_in_schema_1() -> None:
    flat = {"mean": 0.0, "low": 0.0, "high": 0.0, "standard_error": 0.0}
    state = {"provisional": False, "published": False}
    line: dict[str, Any] = {
        "voided": [],
        "interval": None,
        "comparison": None,
        "provisional": False,
    }
    expected = {"schema": SCHEMA, "data": {**state, "stages": [line]}}
    then = {"voided": [], "interval": flat, "provisional": False}
    found = {"schema": 1, "data": {**state, "stages": [then]}}
    assert json.loads(in_form_of(found, expected) or b"") == found
    then["interval"] = {**flat, "low": -1.0}
    assert json.loads(in_form_of(found, expected) or b"") != found


@pytest.mark.parametrize("published", [False, True])
def test_in_schema_2_a_comparison_that_needed_less_was_provisional(*, published: bool) -> None:
    event = replace(event_of("a", "b", cycles=9, boards=10, boards_per_match=10), practice=True)
    event = replace(event, compare=PointsTest())
    rows = [row for row in all_rows(event, even) if row.round <= 2]
    adjust = [
        Ruling(act=Act.ADJUST, on=row.match_id, by="me", reason="x", board=one.board, points=won)
        for row in rows
        for one in row.boards
        for won in [(8, 3) if row.seats[0] == "a" else (3, 8)]
    ]
    end = [Ruling(act=Act.PUBLISH, on="", by="me", reason="x")] if published else []
    expected = json.loads(standings_json(standings(event, rows, fold([*adjust, *end]))))
    assert expected["data"]["provisional"] is False
    assert stage(expected)["comparison"] == {
        "outcome": "accepted",
        "board_groups": 20,
        "decided": True,
    }
    then = json.loads(in_form_of({"schema": 2}, expected) or b"")
    assert then["schema"] == 2
    assert "comparison" not in stage(then)
    assert (then["data"]["provisional"], stage(then)["provisional"]) == (not published,) * 2
    assert {**stage(expected), "provisional": not published} == {
        **stage(then),
        "comparison": stage(expected)["comparison"],
    }


def test_in_schema_2_intervals_went_beyond_what_a_board_can_bring() -> None:
    event = event_of("a", "b", boards=2, boards_per_match=2)

    def points(match: MatchPlan, board: int) -> tuple[int, int]:
        own = 11 if board == 1 else 4
        return (own, 11 - own) if match.seats[0] == 0 else (11 - own, own)

    expected = json.loads(standings_json(standings(event, all_rows(event, points))))
    first = stage(expected)["entrants"][0]["interval"]
    assert (first["mean"], first["low"], first["high"]) == (4.0, -11.0, 11.0)
    then = json.loads(in_form_of({"schema": 2}, expected) or b"")
    spans = [line["interval"] for line in (*stage(then)["entrants"], *stage(then)["pairings"])]
    for span in spans:  # the two values are 11 and -3: an error of 7, and 12.7 of it to each side
        span["low"], span["high"] = span["mean"] - 88.9434, span["mean"] + 88.9434
    assert json.loads(in_form_of(then, expected) or b"") == then
    spans[0]["low"] += 1
    assert json.loads(in_form_of(then, expected) or b"") != then
    spans[0]["low"], spans[0]["high"] = -11.0, 11.0001
    assert json.loads(in_form_of(then, expected) or b"") != then


def test_standings_that_charged_forfeits_otherwise_cannot_be_worked_out_any_more() -> None:
    def stages(*, forfeits: int, **keys: object) -> dict[str, Any]:
        return {"data": {"stages": [{**keys, "entrants": [{"forfeits": forfeits}]}]}}

    priced = {"forfeit_cost": {"first": 11, "further": 11}}
    assert charges_otherwise(stages(forfeits=1), stages(forfeits=1, **priced))
    assert not charges_otherwise(stages(forfeits=0), stages(forfeits=0, **priced))
    assert not charges_otherwise(stages(forfeits=1, **priced), stages(forfeits=1, **priced))
