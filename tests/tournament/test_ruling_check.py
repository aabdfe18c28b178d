"""A ruling that makes no sense is refused in one line, and nothing is written."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.tournament.folder import EventFolder
from arena.tournament.known import read_known
from arena.tournament.ruling_act import rule
from arena.tournament.ruling_check import checked
from arena.tournament.rulings import Act, Ruling
from tests.tournament.played_event import play_event

FIRST, SECOND = "s1-r1-p1-o0-m1", "s1-r1-p1-o1-m1"


@pytest.fixture
def cup(tmp_path: Path) -> EventFolder:
    """Return an event of two matches that is over."""
    return EventFolder(play_event(tmp_path / "cup"))


def ruling(act: Act, on: str = "", **more: object) -> Ruling:
    return Ruling(act=act, on=on, by="me", reason="because", **more)  # type: ignore[arg-type]


def refused(cup: EventFolder, one: Ruling) -> str:
    """Rule in vain; give what was said."""
    before = cup.event_log.read_bytes(), cup.standings.read_bytes()
    with pytest.raises(ConfigError) as refusal:
        rule(cup, one)
    assert (cup.event_log.read_bytes(), cup.standings.read_bytes()) == before
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


@pytest.mark.parametrize("points", [(12, 0), (0, 12), (-12, 11), (1_000_000, 0)])
def test_points_that_no_board_can_bring_are_refused_with_the_bound(
    cup: EventFolder, points: tuple[int, int]
) -> None:
    said = refused(cup, ruling(Act.ADJUST, FIRST, board=1, points=points))
    given = "/".join(map(str, points))
    assert said == (
        f"adjust: --points: {given} is beyond what board 1 of match {FIRST} can bring under "
        "italian-tournament:declarations=off; allowed are -11 to 11 for each side"
    )


@pytest.mark.parametrize("points", [(11, 11), (0, 0), (-1, 11), (5, 6)])
def test_points_within_the_bound_are_taken(cup: EventFolder, points: tuple[int, int]) -> None:
    rule(cup, ruling(Act.ADJUST, FIRST, board=1, points=points))
    (row,) = [row for row in read_known(cup).rows if row.match_id == FIRST and row.counted]
    applied = read_known(cup).begun.rulings.applied([row])
    assert applied[0].boards[0].points == points


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (ruling(Act.VOID, FIRST), ruling(Act.VOID, FIRST)),
        (ruling(Act.VOID, FIRST), ruling(Act.ADJUST, FIRST, board=1, points=(5, 6))),
        (
            ruling(Act.ADJUST, FIRST, board=1, points=(5, 6)),
            ruling(Act.ADJUST, FIRST, board=1, points=(5, 6)),
        ),
        (ruling(Act.DISQUALIFY, "greedy"), ruling(Act.DISQUALIFY, "greedy")),
        (ruling(Act.PUBLISH), ruling(Act.PUBLISH)),
    ],
)
def test_what_was_ruled_already_is_refused_with_the_earlier_ruling(
    cup: EventFolder, first: Ruling, again: Ruling
) -> None:
    rule(cup, first)
    said = refused(cup, again)
    assert said.startswith(f"{again.act.value}: ")
    assert "already: ruling of me at " in said
    assert said.endswith("): because")


def test_an_adjustment_is_corrected_by_other_points_and_named_by_its_board(
    cup: EventFolder,
) -> None:
    rule(cup, ruling(Act.ADJUST, FIRST, board=1, points=(5, 6)))
    rule(cup, ruling(Act.ADJUST, FIRST, board=2, points=(5, 6)))
    said = refused(cup, ruling(Act.ADJUST, FIRST, board=1, points=(5, 6)))
    assert said.startswith(f"adjust: board 1 of match {FIRST} stands at 5/6 by a ruling already: ")
    rule(cup, ruling(Act.ADJUST, FIRST, board=1, points=(6, 5)))
    assert read_known(cup).begun.rulings.adjusted[FIRST, 1] == (6, 5)


def test_another_match_may_be_void_too_and_another_ruling_unpublishes(cup: EventFolder) -> None:
    for one in (
        ruling(Act.VOID, FIRST),
        ruling(Act.PUBLISH),
        ruling(Act.VOID, SECOND),
        ruling(Act.PUBLISH),
    ):
        rule(cup, one)
    assert read_known(cup).begun.rulings.annulled == {FIRST, SECOND}
    assert read_known(cup).begun.rulings.is_published


def test_who_is_neither_out_nor_suspended_cannot_be_reinstated(cup: EventFolder) -> None:
    said = refused(cup, ruling(Act.REINSTATE, "greedy"))
    assert said.startswith("reinstate: 'greedy' is neither disqualified nor suspended")
    rule(cup, ruling(Act.DISQUALIFY, "greedy"))
    rule(cup, ruling(Act.REINSTATE, "greedy"))
    refused(cup, ruling(Act.REINSTATE, "greedy"))


@pytest.mark.parametrize("was_out", [True, False])
@pytest.mark.parametrize("played_all", [True, False])
def test_after_the_end_nobody_comes_back_who_was_out_before_it_and_did_not_play_all(
    cup: EventFolder, *, was_out: bool, played_all: bool
) -> None:
    known = read_known(cup)
    now = known.begun.rulings.after(ruling(Act.DISQUALIFY, "random"))
    at_end = now if was_out else known.begun.rulings
    rows = tuple(row for row in known.rows if played_all or row.match_id != SECOND)
    begun = replace(known.begun, rulings=replace(now, at_end=at_end))
    ended = replace(known, begun=begun, rows=rows)
    back = ruling(Act.REINSTATE, "random")
    if played_all or not was_out:  # who was put out afterwards lacks what was cut off for all
        checked(ended, back)
        return
    with pytest.raises(ConfigError) as refusal:
        checked(ended, back)
    assert str(refusal.value) == (
        "reinstate: the event is over and its seeds are public, so what 'random' did not play "
        "cannot be dealt any more"
    )


def test_an_event_that_is_not_closed_cannot_be_published(cup: EventFolder) -> None:
    lines = cup.event_log.read_bytes().splitlines(keepends=True)
    cup.event_log.write_bytes(b"".join(lines[:-2]))  # before the seeds were revealed
    said = refused(cup, ruling(Act.PUBLISH))
    assert said == (
        "publish: all that is needed is played, but the event was not closed; close it first: "
        f"arena run {cup.path}"
    )


def test_an_id_that_does_not_count_is_refused_with_the_way_to_list_those_that_do(
    cup: EventFolder,
) -> None:
    said = refused(cup, ruling(Act.VOID, "s1-r9-p9-o0-m1"))
    assert f"arena standings {cup.path} --matches lists them" in said


@pytest.mark.parametrize("text", ["a\nruling: publish by me: b", "a\x1b[2K", "a\u2028b"])
@pytest.mark.parametrize("part", ["reason", "by"])
def test_words_of_a_ruling_stay_in_their_line(cup: EventFolder, part: str, text: str) -> None:
    one = ruling(Act.VOID, FIRST)
    one = replace(one, reason=text) if part == "reason" else replace(one, by=text)
    assert refused(cup, one).startswith(f"--{part}: ")
