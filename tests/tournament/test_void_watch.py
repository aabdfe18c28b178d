"""Spoiled matches pause an event, also where they were spoiled before a restart."""

from arena.record.match_row import MatchRow
from arena.referee.faults import TerminationKind
from arena.tournament.accounts import Noted
from arena.tournament.void_watch import VoidWatch
from tests.tournament.results import all_rows, even, event_of, voided

ROWS = tuple(all_rows(event_of("a", "b", boards=300, boards_per_match=1), even))


def noted(*terminations: TerminationKind) -> dict[tuple[str, int], Noted]:
    return {
        (ROWS[place].match_id, 1): Noted(
            seq=place + 1,
            counted=not kind.is_void,
            digest="",
            termination=kind.value,
            totals=(0, 0),
        )
        for place, kind in enumerate(terminations)
    }


def reasons(watch: VoidWatch, *rows: MatchRow) -> list[str | None]:
    return [watch.add(row) for row in rows]


def test_the_third_void_attempt_at_a_match_pauses_and_so_does_every_further_one() -> None:
    spoiled = voided(ROWS[0])
    watch = VoidWatch((), {})
    told = "match s1-r1-p1-o0-m1 was void {} times; its logs say why"
    expected = [None, None, told.format(3), told.format(4)]
    assert reasons(watch, spoiled, spoiled, spoiled, spoiled) == expected
    assert watch.add(ROWS[0]) is None, "a match that counts pauses nothing"


def test_voids_of_an_earlier_run_are_counted() -> None:
    spoiled = voided(ROWS[0])
    assert "was void 3 times" in str(VoidWatch((spoiled, spoiled), {}).add(spoiled))


def test_five_void_of_the_last_hundred_pause() -> None:
    watch = VoidWatch((), {})
    rows = [voided(row) if place % 25 == 24 else row for place, row in enumerate(ROWS[:124])]
    assert set(reasons(watch, *rows)) == {None}
    why = str(watch.add(voided(ROWS[124])))
    watch = VoidWatch(
        (), noted(*[TerminationKind.HOST_FAULT] * 4, *[TerminationKind.COMPLETED] * 95)
    )
    why = str(watch.add(voided(ROWS[124])))
    assert why.startswith("5 of the last 100 attempts at matches were void")
    assert ROWS[124].match_id in why


def test_what_lies_further_back_or_was_broken_off_is_not_counted() -> None:
    before = noted(*[TerminationKind.HOST_FAULT] * 4, *[TerminationKind.COMPLETED] * 100)
    assert VoidWatch((), before).add(voided(ROWS[200])) is None
    broken = voided(ROWS[0], TerminationKind.ABORTED)
    watch = VoidWatch((), noted(*[TerminationKind.ABORTED] * 9))
    assert reasons(watch, *[broken] * 9) == [None] * 9
