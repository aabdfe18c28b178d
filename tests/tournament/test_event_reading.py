"""What an event file says is what the event holds; stages override, defaults fill in."""

from pathlib import Path

import msgspec
import pytest

from arena.errors import ConfigError
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.rules.presets import parse_ruleset
from arena.rules.ruleset import Signal
from arena.tournament.event_file import (
    BoardsShared,
    Entrant,
    EventFile,
    ForfeitCredit,
    Names,
    Restart,
    Stage,
)
from arena.tournament.event_reading import load_event, parse_event
from arena.tournament.event_tables import ClockTable, ConductTable, EventTable

TWO = '[[entrant]]\nbot = "greedy"\n[[entrant]]\nbot = "random"\n'


def read(text: str) -> EventFile:
    return parse_event(text.encode(), source="event.toml")


def test_a_file_with_a_name_and_two_bots_is_one_round_robin_at_the_defaults() -> None:
    event = read(f'name = "cup"\n{TWO}')
    assert event == EventFile(
        name="cup",
        entrants=(Entrant(name="greedy", bot="greedy"), Entrant(name="random", bot="random")),
        stages=(Stage(),),
    )
    assert event.stages[0].ruleset == parse_ruleset("italian-tournament:declarations=off")
    assert (event.names, event.tables, event.practice) == (Names.HIDDEN, None, False)


def test_every_key_is_read() -> None:
    event = read(
        """
        name = "cup"
        practice = true
        seed = "text"
        names = "shown"
        tables = 3
        [clock]
        preset = "fast"
        bank_ms = 500
        [conduct]
        late = 7
        forfeit_credit = "full"
        [ruleset]
        name = "gamelake-4"
        target = 11
        [[entrant]]
        name = "Fox"
        bot = "bots/fox"
        tags = ["python"]
        options = { depth = 3, style = "calm", deep = true, ratio = 0.5 }
        [[entrant]]
        bot = "bots/hen:depth=3"
        [[stage]]
        format = "round_robin"
        cycles = 2
        boards = 40
        boards_per_match = 20
        boards_shared = "event"
        restart = "match"
        capacity = 8
        trust_memory = true
        """
    )
    assert event == EventFile(
        name="cup",
        practice=True,
        seed="text",
        names=Names.SHOWN,
        tables=3,
        entrants=(
            Entrant(
                name="Fox",
                bot="bots/fox",
                tags=("python",),
                options={"depth": 3, "style": "calm", "deep": True, "ratio": 0.5},
            ),
            Entrant(name="hen", bot="bots/hen:depth=3"),
        ),
        stages=(
            Stage(
                cycles=2,
                boards=40,
                boards_per_match=20,
                boards_shared=BoardsShared.EVENT,
                restart=Restart.MATCH,
                capacity=8,
                trust_memory=True,
                clock=Clock(limit_ms=100, bank_ms=500),
                conduct=Conduct(late=7),
                forfeit_credit=ForfeitCredit.FULL,
                ruleset=parse_ruleset("gamelake-4:target=11"),
            ),
        ),
    )
    assert event.is_guessable


def test_a_stage_overrides_the_event_key_by_key() -> None:
    event = read(
        f"""
        name = "cup"
        [clock]
        limit_ms = 200
        bank_ms = 9
        [conduct]
        late = 5
        [ruleset]
        name = "gamelake-4"
        target = 11
        {TWO}
        [[stage]]
        [[stage]]
        [stage.clock]
        limit_ms = 300
        [stage.conduct]
        illegal = 4
        [stage.ruleset]
        max_deals = 50
        [[stage]]
        [stage.clock]
        preset = "long"
        [stage.ruleset]
        name = "italian-tournament"
        """
    )
    first, second, third = event.stages
    assert first.clock == Clock(limit_ms=200, bank_ms=9)
    assert second.clock == Clock(limit_ms=300, bank_ms=9)
    assert second.conduct == Conduct(late=5, illegal=4)
    assert second.ruleset == parse_ruleset("gamelake-4:target=11,max_deals=50")
    # A preset and a ruleset's name begin anew.
    assert third.clock == Clock(limit_ms=5_000, bank_ms=60_000)
    assert third.ruleset == parse_ruleset("italian-tournament")


def test_a_stage_to_a_target_counts_matches() -> None:
    stage = read(f'name = "c"\n{TWO}[[stage]]\nboards_per_match = "target"\nboards = 6').stages[0]
    assert (stage.boards_per_match, stage.boards) == (None, 6)


def test_lists_of_a_ruleset_are_written_as_toml_lists() -> None:
    text = f'name = "c"\n[ruleset]\nsignals = ["busso", "volo"]\ndeal_packets = [4, 6]\n{TWO}'
    ruleset = read(text).stages[0].ruleset
    assert (ruleset.signals, ruleset.deal_packets) == ((Signal.BUSSO, Signal.VOLO), (4, 6))


def test_names_with_accents_emoji_quotes_and_right_to_left_letters_are_kept() -> None:
    name = "Perché \"no\" 'sì' 👩‍🚀 שלום"
    text = f"name = {msgspec.json.encode(name).decode()}\n{TWO}"
    assert read(text).name == name


def test_a_file_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(f'name = "cup"\n{TWO}')
    assert load_event(path).name == "cup"


def test_the_tables_have_a_key_for_every_field_of_clock_and_conduct() -> None:
    assert set(ClockTable.__struct_fields__) - {"preset"} == set(Clock.__dataclass_fields__)
    of_stage = {"forfeit_credit", "suspend_after", "suspended"}
    conduct = set(ConductTable.__struct_fields__) - of_stage
    assert conduct == set(Conduct.__dataclass_fields__)


def test_a_json_schema_follows_from_the_tables() -> None:
    definitions = msgspec.json.schema(EventTable)["$defs"]
    assert definitions["ClockTable"]["properties"]["limit_ms"]["minimum"] == 1
    assert definitions["EventTable"]["additionalProperties"] is False


def test_an_event_built_in_code_is_checked_as_well() -> None:
    with pytest.raises(ConfigError, match="seats 2 at a table"):
        EventFile(name="cup", entrants=(Entrant(name="a", bot="a"),))
    with pytest.raises(ConfigError, match="at least one"):
        EventFile(name="cup", entrants=(), stages=())


def test_an_event_can_go_on_with_some_of_its_entrants() -> None:
    entrants = tuple(Entrant(name=name, bot=name) for name in "abc")
    event = EventFile(name="cup", entrants=entrants)
    assert event.only({"c", "a"}) == EventFile(name="cup", entrants=(entrants[0], entrants[2]))


def test_processes_may_live_for_a_stage_whose_boards_do_not_come_back() -> None:
    for shared in ("round", "pairing"):
        text = f'[[stage]]\nrestart = "never"\nboards_shared = "{shared}"\ncycles = 2'
        stage = read(f'name = "cup"\n{TWO}{text}').stages[0]
        assert (stage.restart, stage.boards_shared) == (Restart.NEVER, BoardsShared(shared))
