"""What is written as an event file reads back as the same event."""

import re
from collections.abc import Iterator

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from arena.bots.names import folded, problem_of_name
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
from arena.tournament.event_tables import EventTable
from arena.tournament.event_text import default_event_text, event_text
from arena.tournament.rating.sequential import PointsTest

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
        unique_by=lambda entrant: folded(entrant.name),
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


def keys_of(info: msgspec.inspect.Type, place: str = "") -> Iterator[tuple[str, bool]]:
    """Give every key that the validator knows, and whether it is a table's name."""
    match info:
        case msgspec.inspect.StructType():
            for field in info.fields:
                inner = list(keys_of(field.type, field.name))
                yield field.name, bool(inner) or field.name == "ruleset"
                yield from inner
        case msgspec.inspect.UnionType():
            for one in info.types:
                yield from keys_of(one, place)
        case msgspec.inspect.ListType():
            yield from keys_of(info.item_type, place)
        case _:
            pass


def test_the_file_of_a_new_event_shows_every_key_that_the_validator_knows() -> None:
    text = default_event_text("Autumn cup")
    keys = set(keys_of(msgspec.inspect.type_info(EventTable)))
    assert {("seed_source", False), ("model", False), ("compare", True), ("limit_ms", False)} < keys
    for key, is_table in keys:
        shown = rf"(# )?\[+{key}\]+$" if is_table else rf"(# )?(Milliseconds\. )?{key} = "
        assert re.search(f"^{shown}", text, re.MULTILINE), key


def test_the_file_of_a_new_event_explains_every_key_that_the_validator_knows() -> None:
    """What is commented out is a value that the validator takes, where it is used."""
    text = default_event_text("Autumn cup", bots=[f"bot {number}" for number in range(8)])
    taken_out = re.findall(r"^# ([a-z_]+ = .*?)(?:  # .*)?$", text, re.MULTILINE)
    assert len(taken_out) >= 8
    for line in taken_out:
        key = line.partition(" ")[0]
        if key in ("test", "low", "high", "alpha", "beta", "model"):
            continue  # of [compare], which is for two entrants
        practice = "practice = true" if key in ("seed", "deals") else "practice = false"
        whole = text.replace("practice = false", practice)
        whole = whole.replace('"round_robin"\n', '"swiss"\n') if key == "rounds" else whole
        whole = whole.replace(f"# {line}", line, 1) + ("[[stage]]\n" if key == "advance" else "")
        parse_event(whole.encode(), source="event.toml")
    two = default_event_text("Autumn cup")
    start, end = two.index("# [compare]"), two.index('# model = "')
    lines = "\n".join(line.removeprefix("# ") for line in two[start:end].splitlines())
    whole = two[:start] + lines + "\n" + two[end:]
    whole = whole.replace("trust_memory = false", "trust_memory = true")
    assert parse_event(whole.encode(), source="event.toml").compare == PointsTest()


@given(EVENTS)
def test_any_event_reads_back_as_it_was_written(event: EventFile) -> None:
    assert parse_event(event_text(event).encode(), source="event.toml") == event
