"""What is written as an event file reads back as the same event."""

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arena.bots.names import problem_of_name
from arena.bots.resources import resources_for
from arena.bots.sandbox.mode import SandboxMode
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.rules.presets import PRESETS
from arena.tournament.event_file import (
    BoardsShared,
    Entrant,
    EventFile,
    ForfeitCredit,
    Names,
    Restart,
    Stage,
    Thinking,
)
from arena.tournament.event_reading import parse_event
from arena.tournament.event_tables import (
    ClockTable,
    ConductTable,
    EntrantTable,
    EventTable,
    ResourcesTable,
    SandboxTable,
    StageTable,
)
from arena.tournament.event_text import default_event_text, event_text

NAMES = st.text(min_size=1, max_size=20).filter(lambda name: problem_of_name(name) is None)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
MILLISECONDS = st.integers(1, 86_400_000)
VALUES = TEXTS | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False)
CLOCKS = st.builds(Clock, **dict.fromkeys(Clock.__dataclass_fields__, MILLISECONDS))
CONDUCTS = st.builds(Conduct, **dict.fromkeys(Conduct.__dataclass_fields__, st.integers(1, 99)))
STAGES = st.builds(
    Stage,
    cycles=st.integers(1, 3),
    thinking=st.sampled_from(Thinking),
    resources=st.builds(
        resources_for,
        cores=st.integers(1, 64),
        memory_mib=st.integers(64, 4096),
        tasks=st.none() | st.integers(16, 500),
        disk_mib=st.integers(1, 500),
    ),
    boards=st.integers(1, 50),
    boards_per_match=st.none() | st.integers(1, 50),
    boards_shared=st.sampled_from(BoardsShared),
    restart=st.sampled_from(Restart),
    capacity=st.integers(1, 1024),
    trust_memory=st.booleans(),
    clock=CLOCKS,
    conduct=CONDUCTS,
    forfeit_credit=st.sampled_from(ForfeitCredit),
    ruleset=st.sampled_from(sorted(PRESETS.values(), key=lambda ruleset: ruleset.name)),
).filter(lambda stage: (stage.restart, stage.boards_shared) != (Restart.NEVER, BoardsShared.EVENT))
EVENTS = st.builds(
    EventFile,
    name=NAMES,
    entrants=st.lists(
        st.builds(
            Entrant,
            name=NAMES,
            bot=TEXTS.filter(bool),
            tags=st.lists(TEXTS, max_size=2).map(tuple),
            options=st.dictionaries(TEXTS, VALUES, max_size=3),
        ),
        min_size=2,
        max_size=4,
        unique_by=lambda entrant: entrant.name,
    ).map(tuple),
    stages=st.lists(STAGES, min_size=1, max_size=2).map(tuple),
    practice=st.just(value=True),
    seed=st.none() | TEXTS.filter(bool),
    names=st.sampled_from(Names),
    tables=st.none() | st.integers(1, 4096),
    sandbox=st.sampled_from(SandboxMode),
    build_network=st.booleans(),
)


def test_the_file_of_a_new_event_holds_every_default() -> None:
    event = parse_event(default_event_text("Autumn cup").encode(), source="event.toml")
    assert event == EventFile(
        name="Autumn cup",
        entrants=(Entrant(name="greedy", bot="greedy"), Entrant(name="random", bot="random")),
    )


def test_the_file_of_a_new_event_shows_every_key() -> None:
    text = default_event_text("Autumn cup")
    tables: tuple[Any, ...] = (EventTable, ClockTable, ConductTable, EntrantTable, StageTable)
    tables += (ResourcesTable, SandboxTable)
    inner = {"entrant", "stage", "clock", "conduct", "resources", "ruleset", "compare"}
    inner |= {"sandbox"}
    for key in {key for table in tables for key in table.__struct_fields__} - inner:
        assert re.search(rf"^(# )?(Milliseconds\. )?{key} = ", text, re.MULTILINE), key


@given(EVENTS)
def test_any_event_reads_back_as_it_was_written(event: EventFile) -> None:
    assert parse_event(event_text(event).encode(), source="event.toml") == event
