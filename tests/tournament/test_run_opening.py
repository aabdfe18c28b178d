"""What is published when an event opens, and what is held against it later."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError, LogCorrupt
from arena.record.event_log import EventLog
from arena.tournament.begun import read_begun
from arena.tournament.folder import EventFolder, EventPlace
from arena.tournament.freeze import Freeze
from arena.tournament.published_file import published_text

FREEZE = Freeze(event="e" * 64, arena_version="1", arena_files={"a.py": "f" * 64}, entrants={})


def open_log(folder: Path) -> EventLog:
    folder.mkdir(exist_ok=True)
    return EventLog(folder / "event.jsonl", wall_time=lambda: "2026-01-01T00:00:00.000Z")


@pytest.mark.parametrize(
    "line",
    [
        'seed = "a text"',
        "seed='a text'",
        '  "seed"  =  "a text"  # secret',
        'seed = "a \\"te\\" xt"',
        "'seed' = 'a text'",
    ],
)
def test_an_event_file_is_published_without_its_seed(line: str) -> None:
    before, after = 'name = "cup"\npractice = true', "[[entrant]]\noptions = { seed = 5 }\nseed = 7"
    published = published_text(f"{before}\n{line}\n{after}\n")
    head = line[: line.index("=") + 1]
    assert published == f'{before}\n{head} "(secret)"\n{after}\n'


@pytest.mark.parametrize("text", ['seed = """\na text\n"""\n', '"se\\u0065d" = "a text"\n'])
def test_of_an_event_file_whose_seed_cannot_be_cut_out_nothing_is_published(text: str) -> None:
    assert published_text(text) == "(secret)"


def test_an_event_file_without_a_seed_is_published_as_it_is() -> None:
    text = 'name = "a seed = x"\n# seed = "none"\n[[entrant]]\nbot = "greedy"\nseed = 1\n'
    assert published_text(text) == text


def test_a_folder_where_nothing_was_published_has_not_begun(tmp_path: Path) -> None:
    folder = EventFolder(tmp_path)
    assert read_begun(folder) is None
    folder.event_log.write_bytes(b'{"seq":1,"time":"cut')
    assert read_begun(folder) is None


def test_what_began_is_read_back_from_the_log(tmp_path: Path) -> None:
    folder = EventFolder(tmp_path)
    with open_log(tmp_path) as log:
        log.append(
            "event_opened",
            durable=True,
            bots_from="..",
            commitments=["c" * 64],
            **FREEZE.to_fields(),
        )
        match: dict[str, Any] = {"match": "s1-r1-p1-o0-m1", "digest": "d", "totals": [1, 2]}
        log.append("match_voided", **match, attempt=1, termination="host_fault")
        log.append("match_counted", **match, attempt=2, termination="completed")
    begun = read_begun(folder)
    assert begun is not None
    assert begun.freeze == FREEZE
    assert begun.bots_from == tmp_path / ".."
    assert begun.commitments == ("c" * 64,)
    assert begun.noted.keys() == {("s1-r1-p1-o0-m1", 1), ("s1-r1-p1-o0-m1", 2)}
    assert (begun.is_revealed, begun.is_closed) == (False, False)
    with open_log(tmp_path) as log:
        log.append("seed_revealed", seeds=[])
    drawn = replace(begun.rulings.drawn, is_over=True)
    rulings = replace(begun.rulings, drawn=drawn, at_end=begun.rulings)
    begun = replace(begun, is_revealed=True, rulings=rulings)
    assert read_begun(folder) == begun
    with open_log(tmp_path) as log:
        log.append("event_closed")
    assert read_begun(folder) == replace(begun, is_closed=True)


def test_another_event_file_than_the_one_that_began_is_refused(tmp_path: Path) -> None:
    folder = EventFolder(tmp_path)
    with open_log(tmp_path) as log:
        log.append(
            "event_opened", durable=True, bots_from=".", commitments=[], **FREEZE.to_fields()
        )
    begun = read_begun(folder)
    assert begun is not None
    place = EventPlace(file=tmp_path / "cup.toml", folder=folder, content=b"another")
    with pytest.raises(ConfigError, match=r"cup.toml: not the file .* began with \(eeeeeeeeeeee →"):
        begun.refuse_another(place)
    with pytest.raises(ConfigError, match=r"cup.toml: cannot be read: No such file"):
        begun.refuse_another(replace(place, content=None))


def test_a_log_that_does_not_begin_with_an_opening_is_corrupt(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        log.append("event_resumed")
    with pytest.raises(LogCorrupt, match="first line is not event_opened"):
        read_begun(EventFolder(tmp_path))


def test_an_opening_without_its_fields_is_corrupt(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        log.append("event_opened", durable=True, **FREEZE.to_fields())
    with pytest.raises(LogCorrupt, match="bots_from"):
        read_begun(EventFolder(tmp_path))
