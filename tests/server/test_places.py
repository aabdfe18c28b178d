"""A session's bot knows tables and decisions by numbers that count in that session alone."""

import pytest

from arena.server.places import RECENT_DECISIONS, Places
from tests.server.ports import NotedSeat


def test_a_table_gets_the_lowest_free_number() -> None:
    places = Places(3)
    first, second, third = (places.take(NotedSeat()) for _ in range(3))
    assert [place.table for place in (first, second, third)] == [1, 2, 3]
    places.leave(second)
    assert places.take(NotedSeat()).table == 2


def test_places_are_as_many_as_the_tables_that_are_played() -> None:
    places = Places(3)
    first = places.take(NotedSeat())
    places.take(NotedSeat())
    assert len(places) == 2
    places.leave(first)
    assert len(places) == 1


def test_a_table_that_was_left_is_known_and_one_that_never_was_is_not() -> None:
    places = Places(3)
    places.leave(places.take(NotedSeat()))
    assert [table for table in range(4) if places.was_taken(table)] == [1]
    assert places.at(1) is None


def test_more_tables_than_the_capacity_are_a_bug() -> None:
    places = Places(1)
    places.take(NotedSeat())
    with pytest.raises(AssertionError, match="more tables than the session's capacity, 1"):
        places.take(NotedSeat())


def test_decisions_count_across_tables_and_matches() -> None:
    places = Places(2)
    first, second = places.take(NotedSeat()), places.take(NotedSeat())
    assert [places.ask(first, 1), places.ask(second, 1), places.ask(first, 5)] == [1, 2, 3]
    places.leave(first)
    assert places.ask(places.take(NotedSeat()), 1) == 4


def test_a_decision_is_found_by_its_id_and_its_id_by_its_number() -> None:
    places = Places(2)
    places.ask(places.take(NotedSeat()), 1)
    place = places.take(NotedSeat())
    decision_id = places.ask(place, 7)
    assert places.asked(decision_id) == (place, 7)
    assert place.decision_id(7) == decision_id
    assert place.decision_id(1) is None


def test_the_decisions_of_a_table_that_was_left_are_not_found_but_were_asked() -> None:
    places = Places(1)
    place = places.take(NotedSeat())
    decision_id = places.ask(place, 1)
    places.leave(place)
    assert places.asked(decision_id) is None
    assert places.was_asked(decision_id)
    assert not places.was_asked(decision_id + 1)
    assert not places.was_asked(0)


def test_of_a_long_match_only_the_recent_decisions_are_kept() -> None:
    places = Places(2)
    other = places.take(NotedSeat())
    kept = places.ask(other, 1)
    place = places.take(NotedSeat())
    ids = [places.ask(place, number) for number in range(1, 5_001)]
    found = [decision_id for decision_id in ids if places.asked(decision_id)]
    assert found == ids[-RECENT_DECISIONS:]
    assert len(place.decisions) == RECENT_DECISIONS
    assert places.asked(kept) == (other, 1)
    assert all(map(places.was_asked, ids))
