"""Bots are joined by content, and nothing that was not played out is rated."""

from dataclasses import replace

import pytest

from arena.errors import ConfigError
from arena.record.match_row import MatchRow
from arena.tournament.event_file import Entrant, EventFile, Format
from arena.tournament.rating.evidence import EventInput, gather, results_digest
from arena.tournament.rulings import Act, Ruling, fold
from arena.tournament.suspension import with_suspensions
from tests.tournament.results import all_rows, chance, event_of, forfeited

EVENT = event_of("a", "b", "c")
TWO = event_of("a", "b")


def given(
    event: EventFile = EVENT, rows: list[MatchRow] | None = None, **hashes: str
) -> EventInput:
    names = [entrant.name for entrant in event.entrants]
    return EventInput(
        source=",".join(names),
        event=event,
        rows=tuple(all_rows(event, chance(1)) if rows is None else rows),
        hashes={name: hashes.get(name, f"hash of {name}") for name in names},
        digest=str(names),
    )


def test_every_board_group_is_one_meeting_with_both_margins() -> None:
    found = gather([given()])
    assert [bot.name for bot in found.bots] == ["a", "b", "c"]
    assert len(found.meetings) == 3 * 4
    assert all(len(meeting.margins) == 2 for meeting in found.meetings)
    assert found.left_out == 0


def test_a_bot_is_its_content_whatever_it_is_called() -> None:
    other = given(event_of("x", "d"), x="hash of a")
    found = gather([given(), other])
    assert [bot.name for bot in found.bots] == ["a", "b", "c", "d"]
    assert found.bots[0].names == ("a", "x")


def test_the_same_content_with_other_options_is_another_bot() -> None:
    entrants = (
        Entrant(name="a", bot="./fox:depth=1"),
        Entrant(name="b", bot="./fox:depth=5"),
        Entrant(name="c", bot="./copies/of:it", options={"depth": 5}),
    )
    found = gather([given(replace(EVENT, entrants=entrants), a="one", b="one", c="one")])
    assert [(bot.names, bot.options) for bot in found.bots] == [
        (("a",), "depth=1"),
        (("b", "c"), "depth=5"),
    ]
    assert {(m.first, m.second) for m in found.meetings} == {(0, 1)}
    assert len(found.meetings) == 2 * 4


def test_options_tell_bots_of_one_name_and_content_apart() -> None:
    events = [
        given(replace(TWO, entrants=(Entrant(name="a", bot=f"./fox:depth={n}"), TWO.entrants[1])))
        for n in range(3)
    ]
    events = [replace(event, digest=str(n)) for n, event in enumerate(events)]
    found = gather(events)
    assert [bot.name for bot in found.bots] == ["a", "b", "a@hash of a", "a@hash of a:depth=2"]


def test_remote_bots_whose_content_nobody_sees_are_told_apart_by_name() -> None:
    a, b, c = (Entrant(name=name, bot="remote") for name in "abc")
    local = Entrant(name="d", bot="d")
    event = given(replace(EVENT, entrants=(a, b, c)), a="none", b="none", c="none")
    again = given(replace(event_of("a", "d"), entrants=(a, local)), a="none")
    found = gather([event, again])
    assert [bot.name for bot in found.bots] == ["a", "b", "c", "d"]
    assert len(found.meetings) == 3 * 4 + 4


def test_another_version_of_the_same_name_is_another_bot() -> None:
    found = gather([given(), given(event_of("a", "b"), a="0123456789abcdef")])
    assert [bot.name for bot in found.bots] == ["a", "b", "c", "a@0123456789ab"]


def test_a_bot_that_meets_itself_is_not_rated_by_that() -> None:
    found = gather([given(event_of("a", "b", "c"), b="hash of a")])
    assert [bot.name for bot in found.bots] == ["a", "c"]
    assert {(m.first, m.second) for m in found.meetings} == {(0, 1)}


def test_boards_of_a_forfeit_are_left_out() -> None:
    rows = list(all_rows(EVENT, chance(1)))
    rows[0] = forfeited(rows[0], 0, 1)
    found = gather([given(rows=rows)])
    assert len(found.meetings) == 3 * 4 - 1
    assert found.left_out == 1


def test_a_bot_without_a_board_that_counts_is_named_and_keeps_nobody_from_being_rated() -> None:
    rulings = fold([Ruling(act=Act.DISQUALIFY, on="a", by="x", reason="y")])
    rows = list(with_suspensions(EVENT, list(all_rows(EVENT, chance(1))), rulings).rows)
    found = gather([given(rows=rows)])
    assert [bot.name for bot in found.bots] == ["b", "c"]
    assert {(m.first, m.second) for m in found.meetings} == {(0, 1)}
    assert [bot.name for bot in found.unmet] == ["a"]


def test_a_stage_of_four_at_a_table_is_left_out_and_named() -> None:
    event = event_of(*"abcd")
    first = event.stages[0]
    both = replace(event, stages=(first, replace(first, format=Format.INDIVIDUAL)))
    rows = list(all_rows(both, chance(1)))
    found = gather([given(both, rows=rows)])
    assert found.meetings == gather([given(event)]).meetings
    assert found.left_out == 0
    assert found.unrated == ("stage 2 of a,b,c,d seats 4 bots at a table",)
    alone = replace(event, stages=both.stages[1:])
    with pytest.raises(ConfigError, match=r"^nothing to rate: .* seats 4 bots at a table$"):
        gather([given(alone)])


def test_boards_of_different_events_share_no_luck() -> None:
    found = gather([given(), given(event_of("a", "b"))])
    assert len({meeting.cluster for meeting in found.meetings}) == 3 * 4 + 4


def test_the_same_event_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match="the same results as"):
        gather([given(), given()])


def test_nothing_played_is_nothing_to_rate() -> None:
    with pytest.raises(ConfigError, match="nothing to rate"):
        gather([given(rows=[])])


def test_the_order_of_results_changes_nothing() -> None:
    rows = list(all_rows(EVENT, chance(1)))
    assert gather([given(rows=rows[::-1])]) == gather([replace(given(), rows=tuple(rows))])


@pytest.mark.parametrize(
    "ruling",
    [
        Ruling(act=Act.VOID, on="s1-r1-p1-o0-m1", by="me", reason="x", attempt=1),
        Ruling(act=Act.REPLAY, on="s1-r1-p1-o0-m1", by="me", reason="x", attempt=1),
        Ruling(act=Act.ADJUST, on="s1-r1-p1-o0-m1", by="me", reason="x", board=1, points=(11, 0)),
        Ruling(act=Act.DISQUALIFY, on="b", by="me", reason="x"),
    ],
)
def test_a_ruling_changes_the_digest_of_the_results_and_the_order_of_results_does_not(
    ruling: Ruling,
) -> None:
    rows = list(all_rows(EVENT, chance(1)))
    plain = results_digest("f00d", rows)
    assert results_digest("f00d", reversed(rows)) == plain
    assert results_digest("beef", rows) != plain
    ruled = with_suspensions(EVENT, rows, fold([ruling])).rows
    assert results_digest("f00d", ruled) != plain
    undone = with_suspensions(EVENT, rows, fold([])).rows
    assert results_digest("f00d", undone) == plain
