"""Cards of an event are public once its seeds are: one rule for all that show them."""

from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.tournament.revealing import are_cards_public, event_around, refuse_hidden_cards
from tests.tournament.played_event import play_event


def cut(event: Path) -> Path:
    """Take the end off the event's log: the seeds are not revealed."""
    lines = (event / "event.jsonl").read_bytes().splitlines(keepends=True)
    (event / "event.jsonl").write_bytes(b"".join(lines[:-2]))
    return event


@pytest.mark.parametrize(
    ("is_practice", "is_over", "is_public"),
    [(False, False, False), (False, True, True), (True, False, True), (True, True, True)],
)
def test_cards_are_public_after_the_end_or_in_practice(
    tmp_path: Path, *, is_practice: bool, is_over: bool, is_public: bool
) -> None:
    event = play_event(tmp_path / "cup", is_practice=is_practice)
    if not is_over:
        cut(event)
    log = next((event / "logs").iterdir())
    for place in (event, event / "logs", log):
        folder = event_around(place)
        assert folder is not None
        assert are_cards_public(folder) is is_public
        refuse_hidden_cards(place, is_organiser=True)
        if is_public:
            refuse_hidden_cards(place, is_organiser=False)
        else:
            with pytest.raises(ConfigError, match="--organiser"):
                refuse_hidden_cards(place, is_organiser=False)


def test_cards_of_an_event_that_has_not_begun_are_not_public(tmp_path: Path) -> None:
    event = play_event(tmp_path / "cup", is_practice=False)
    (event / "event.jsonl").unlink()
    with pytest.raises(ConfigError, match="not public"):
        refuse_hidden_cards(event / "logs", is_organiser=False)


def test_a_log_in_no_events_folder_hides_nothing(tmp_path: Path) -> None:
    event = cut(play_event(tmp_path / "cup", is_practice=False))
    log = next((event / "logs").iterdir())
    (tmp_path / "log.jsonl").write_bytes(log.read_bytes())
    assert event_around(tmp_path / "log.jsonl") is None
    refuse_hidden_cards(tmp_path / "log.jsonl", is_organiser=False)


def test_logs_of_an_event_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    event = play_event(tmp_path / "cup")
    logs = [event / "event.jsonl", *(event / "logs").iterdir()]
    assert {log.stat().st_mode & 0o777 for log in logs} == {0o600}
