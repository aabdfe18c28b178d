"""Small events with real bots: one process at many tables, processes that live for a stage."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.record.lines import decode_line
from arena.record.paths import packed_path
from arena.record.read import read_log
from arena.referee.events import SeatReady
from arena.tournament.begun import EVENT_SCHEMA, read_begun
from arena.tournament.folder import EventFolder, EventPlace
from arena.tournament.opening import open_event
from arena.tournament.runner import run_event
from arena.tournament.stopping import Stopper
from arena.v1 import event_log_pb2
from tests.record.test_schema import skipped_of
from tests.record.test_tampering import changed
from tests.tournament.test_verify_event import edit_event_log

BOT = """
import sys
from arena.sdk import Bot

class Note(Bot):
    capacity = CAPACITY
    open = 0

    def match_started(self, match):
        self.open += 1
        print("open", self.open, file=sys.stderr)

    def deal_started(self, view):
        print("hand", *sorted(view.hand), file=sys.stderr)

    def match_ended(self, match, end):
        self.open -= 1
        if CRASHES:
            raise SystemExit(3)

    def play(self, view):
        return view.random.choice(view.legal)

Note().run()
"""
MANIFEST = """
name = "NAME"
version = "1.0"
language = "python"
run = ["python", "bot.py"]
capacity = CAPACITY
"""


def write_bots(folder: Path, *names: str, capacity: int = 1, crashes: bool = False) -> None:
    """Write bots that play by chance and note what they meet; some crash after a match."""
    for name in names:
        (folder / name).mkdir()
        for file, form in (("bot.py", BOT), ("bot.toml", MANIFEST)):
            text = form.replace("CAPACITY", str(capacity)).replace("NAME", name)
            text = text.replace("CRASHES", str(crashes))
            (folder / name / file).write_text(text, encoding="utf-8")


async def play(folder: Path, out: str, *names: str, stage: str) -> EventFolder:
    """Play an event of bots in a folder to its end, two seats at a table."""
    entrants = "".join(f'[[entrant]]\nbot = "./{name}"\n' for name in names)
    head = 'name = "cup"\npractice = true\nseed = "a text"\n[ruleset]\nname = "gamelake-2"\n'
    place = EventPlace(
        file=folder / "cup.toml",
        folder=EventFolder(folder / out),
        content=f"{head}{entrants}[[stage]]\n{stage}".encode(),
    )
    stopper = Stopper()
    async with open_event(
        place, stopper=stopper, skip_missing=False, tables=2, say=lambda _line: None
    ) as run:
        assert run is not None
        assert await run_event(run, stopper=stopper, report=lambda _progress: None)
    return place.folder


def processes(folder: EventFolder) -> list[list[str]]:
    """Give what each process of the matches noted, line by line."""
    return [
        path.read_text("utf-8").splitlines() for path in sorted(folder.stderr.glob("s*.seat?.txt"))
    ]


def most_open(noted: list[str]) -> int:
    return max(int(line.split()[1]) for line in noted if line.startswith("open"))


def hands(noted: list[str]) -> list[str]:
    return [line for line in noted if line.startswith("hand")]


def matches(folder: EventFolder) -> dict[str, list[tuple[str, Any]]]:
    """Give what happened in each match, without times; who was ready first is one of those."""
    logs = [read_log(path) for path in sorted(folder.logs.glob(packed_path(Path("*.jsonl")).name))]
    assert all(log.complete for log in logs)
    return {
        log.header.match: [
            (type(record.event).__name__, timeless(asdict(record.event)))
            for record in log.records()
            if not isinstance(record.event, SeatReady)
        ]
        for log in logs
    }


def timeless(value: Any) -> Any:
    """Leave out what tells a time."""
    match value:
        case dict():
            return {
                key: timeless(inner)
                for key, inner in value.items()
                if not str(key).endswith(("_us", "_ns"))
            }
        case list() | tuple():
            return [timeless(inner) for inner in value]
        case _:
            return value


async def test_one_process_at_many_tables_plays_the_same_matches_as_one_after_another(
    tmp_path: Path,
) -> None:
    write_bots(tmp_path, "hen", "fox", capacity=8)
    stage = "boards = 10\nboards_per_match = 1\ntrust_memory = true\ncapacity = {}"
    single = await play(tmp_path, "single", "hen", "fox", stage=stage.format(1))
    many = await play(tmp_path, "many", "hen", "fox", stage=stage.format(8))
    few = await play(tmp_path, "few", "hen", "fox", stage=stage.format(3))
    assert [most_open(noted) for noted in processes(single)] == [1] * 4
    assert [most_open(noted) for noted in processes(many)] == [8] * 4
    assert [most_open(noted) for noted in processes(few)] == [3] * 4
    played = matches(single)
    assert len(played) == 20
    assert matches(many) == played
    assert matches(few) == played


async def test_a_set_plays_no_more_matches_at_once_than_the_least_of_its_bots_offers(
    tmp_path: Path,
) -> None:
    write_bots(tmp_path, "hen", capacity=2)
    write_bots(tmp_path, "fox", capacity=4)
    stage = "boards = 5\nboards_per_match = 1\ncapacity = 8"
    folder = await play(tmp_path, "cup", "hen", "fox", stage=stage)
    assert [most_open(noted) for noted in processes(folder)] == [2] * 4


async def test_processes_that_never_restart_play_the_whole_stage_and_meet_no_hand_twice(
    tmp_path: Path,
) -> None:
    names = ("hen", "fox", "owl")
    write_bots(tmp_path, *names, capacity=2)
    stage = 'boards = 4\nboards_per_match = 2\ntrust_memory = true\nrestart = "{}"\ncapacity = 2'
    never = await play(tmp_path, "never", *names, stage=stage.format("never"))
    noted = processes(never)
    assert len(noted) == 3 * 2
    for process in noted:
        assert len(hands(process)) == len(set(hands(process))) == 2 * 4
        assert most_open(process) == 2
    fresh = await play(tmp_path, "fresh", *names, stage=stage.format("pairing"))
    assert len(processes(fresh)) == 3 * 2 * 2
    assert matches(never) == matches(fresh)


async def test_a_crash_forfeits_what_a_process_plays_and_a_fresh_one_goes_on_with_the_rest(
    tmp_path: Path,
) -> None:
    write_bots(tmp_path, "hen", capacity=3)
    write_bots(tmp_path, "fox", capacity=3, crashes=True)
    stage = 'boards = 7\nboards_per_match = 1\nrestart = "never"\ncapacity = 3'
    folder = await play(tmp_path, "cup", "hen", "fox", stage=stage)
    played = matches(folder)
    assert len(played) == 2 * 7
    ends = [str(dict(events)["MatchEnded"]) for events in played.values()]
    assert any("completed" in end for end in ends)
    assert any("forfeit_crash" in end for end in ends)
    names = Counter(
        read_log(log).header.seats[int(path.stem[-1])].entrant
        for path in folder.stderr.glob("s*.seat?.txt")
        for log in folder.logs.glob(f"{path.stem.rpartition('.')[0]}.jsonl.gz")
    )
    assert names["hen"] == 2, "it has lost nobody and goes on"
    assert names["fox"] > 2


async def test_the_schema_knows_every_field_that_a_run_writes_to_its_log(tmp_path: Path) -> None:
    write_bots(tmp_path, "fox", "owl")
    folder = await play(tmp_path, "cup", "fox", "owl", stage="boards = 1\nboards_per_match = 1\n")
    lines = folder.event_log.read_bytes().splitlines()
    assert decode_line(lines[0])["schema"] == EVENT_SCHEMA
    for line in lines:
        assert skipped_of(event_log_pb2.EventLogEntry(), line) == []


async def test_an_event_of_a_later_arena_is_refused(tmp_path: Path) -> None:
    write_bots(tmp_path, "fox", "owl")
    folder = await play(tmp_path, "cup", "fox", "owl", stage="boards = 1\nboards_per_match = 1\n")
    edit_event_log(folder, changed("event_opened", schema=EVENT_SCHEMA + 1))
    with pytest.raises(ConfigError, match=r"event\.jsonl: has schema 2, this arena reads"):
        read_begun(folder)
