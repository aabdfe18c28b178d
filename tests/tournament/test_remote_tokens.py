"""The tokens of remote entrants."""

import stat
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.tournament.event_reading import parse_event
from arena.tournament.remote_tokens import FILE_NAME, make_tokens, read_tokens, remote_entrants

EVENT = parse_event(
    b'name = "x"\n[[entrant]]\nname = "far"\nbot = "remote"\n[[entrant]]\nbot = "greedy"\n',
    source="event.toml",
)


def test_a_side_of_two_seats_has_two_tokens_that_stay(tmp_path: Path) -> None:
    """They are of 128 bits, and nobody else may read them."""
    assert remote_entrants(EVENT) == ("far",)
    tokens = make_tokens(EVENT, tmp_path)
    assert [len(token) for token in tokens["far"]] == [32, 32]
    assert len(set(tokens["far"])) == 2
    assert make_tokens(EVENT, tmp_path) == tokens == read_tokens(tmp_path)
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


def test_rotated_tokens_share_nothing_with_the_old(tmp_path: Path) -> None:
    old = make_tokens(EVENT, tmp_path)
    new = make_tokens(EVENT, tmp_path, anew="far")
    assert not set(old["far"]) & set(new["far"])


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("what?")
    with pytest.raises(ConfigError, match=f"{FILE_NAME}: no tokens file"):
        read_tokens(tmp_path)


def test_the_margin_of_an_event_with_remote_bots_is_wider() -> None:
    assert {stage.clock.margin_ms for stage in EVENT.stages} == {200}
