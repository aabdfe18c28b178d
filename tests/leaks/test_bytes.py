"""A seat's bytes do not depend on what the seat may not know (requirement O).

Real hosts, sessions and codecs, scripted bots: two worlds differ only in two cards hidden
from one seat. Everything that seat is sent, from Welcome to Goodbye, must be the same bytes
in both, up to the first event by which the rules let it see the difference.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.conduct import Conduct
from arena.referee.faults import FaultKind, Reason
from arena.rules.presets import PRESETS, parse_ruleset
from arena.testing.memory_bots import Gone
from arena.v1 import play_pb2, seat_pb2
from arena.wire.codec import Codec
from arena.wire.enums import REASONS
from tests.leaks.bot_side import CODECS, read
from tests.leaks.erratic import CLOCK, LENIENT
from tests.leaks.sitting import Plan
from tests.leaks.two_worlds import Mishap, TwoWorlds, lives_on_boards
from tests.leaks.worlds import cards_named, parting

RULESETS = (
    *PRESETS,
    "gamelake-4:target=3",
    "gamelake-2:follow_suit=always",
    "pagat-2:draw_visibility=owner_only",
    "cardgames-zone-4:infraction_points=-1",
    "cardgames-zone-4:cappotto_bonus=11,declarations=off",
    "italian-tournament:illegal_play=reject",
    "italian-tournament:signal_truth=checked",
)
GONE = (FaultKind.CRASHED, FaultKind.LEFT, FaultKind.FLOOD)
"""How a bot can go while it plays."""
REFUSALS = (
    Reason.MALFORMED,
    Reason.UNKNOWN_MESSAGE,
    Reason.STALE,
    Reason.ALREADY_ANSWERED,
    Reason.UNKNOWN_DECISION,
    Reason.CARD_NOT_HELD,
    Reason.ILLEGAL_CARD,
    Reason.BAD_DECLARATION,
    Reason.BAD_SIGNAL,
)
"""Why a message can be refused while its stream goes on."""
LENGTHS = ((2, 1), (1, 2), (None,), (1, None))
"""Boards of the matches of a sitting; None = to the target."""


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Draw a sitting: rulesets, lengths, tables, and what may go wrong."""
    ruleset = parse_ruleset(draw(st.sampled_from(RULESETS)))
    seats = st.integers(0, ruleset.seats - 1)
    matches = draw(st.sampled_from(LENGTHS))
    rarely = st.sampled_from([True] + [False] * 7)
    return Plan(
        ruleset=ruleset,
        codec=draw(st.sampled_from(CODECS)),
        matches=matches,
        first_boards=(1, 1 + (matches[0] or 2))[: len(matches)],
        tables=draw(st.integers(1, len(matches))),
        clock=CLOCK,
        conduct=draw(st.sampled_from((LENIENT, LENIENT, Conduct()))),
        never_ready=draw(seats) if draw(rarely) else None,
        slow_reader=draw(seats) if draw(rarely) else None,
        abort_after_ms=draw(st.integers(1, 3_000)) if draw(rarely) else None,
    )


@st.composite
def worlds(draw: st.DrawFn) -> TwoWorlds:
    """Draw two worlds and the seat that must not notice."""
    plan = draw(plans())
    seats = st.integers(0, plan.ruleset.seats - 1)
    mishaps = st.builds(
        Mishap,
        seat=seats,
        nth=st.integers(1, 12),
        gone=st.builds(Gone, kind=st.sampled_from(GONE)),
    )
    return TwoWorlds(
        plan=plan,
        seat=draw(seats),
        seed=draw(st.integers(0, 2**32)),
        board=draw(st.integers(1, 3)),
        picks=draw(st.tuples(st.integers(0, 29), st.integers(0, 29))),
        mishap=draw(st.one_of(st.none(), st.none(), mishaps)),
    )


@settings(max_examples=60, deadline=None)
@given(worlds())
def test_hidden_cards_change_no_byte_that_a_seat_is_sent(two: TwoWorlds) -> None:
    assert two.leak() is None


@settings(max_examples=30, deadline=None)
@given(
    name=st.sampled_from(sorted(PRESETS)),
    seat=st.integers(0, 3),
    seed=st.integers(0, 2**32),
    picks=st.tuples(st.integers(0, 29), st.integers(0, 29)),
    codec=st.sampled_from(CODECS),
)
def test_what_first_differs_is_an_event_that_names_a_differing_card(
    name: str, seat: int, seed: int, picks: tuple[int, int], codec: Codec
) -> None:
    """Where nobody whispers, nothing but a card that lies open tells the worlds apart."""
    ruleset = PRESETS[name]
    plan = Plan(ruleset=ruleset, codec=codec, clock=CLOCK, conduct=LENIENT)
    two = TwoWorlds(plan=plan, seat=seat % ruleset.seats, seed=seed, picks=picks, is_quiet=True)
    parted = parting(*two.lives())
    if parted is not None:
        named = {card for event in parted for card in cards_named(event)}
        assert named & set(two.pair), parted


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: type(codec).__name__)
def test_the_numbers_of_boards_change_no_byte(name: str, codec: Codec) -> None:
    """A bot that met a board before must not know it again: boards are told as ordinals."""
    ruleset = PRESETS[name]
    lives = lives_on_boards(ruleset, codec, later=0)
    assert lives == lives_on_boards(ruleset, codec, later=4_000)


# --- the properties compare something ---------------------------------------------------


def test_all_that_a_seat_can_be_told_is_compared() -> None:
    """Every kind of message, of news and of refusal stands in what was the same in both worlds."""
    told: Counter[str | int] = Counter()
    for number, name in enumerate([*PRESETS] * 3):
        codec = CODECS[number % 2]
        two = TwoWorlds(
            plan=Plan(ruleset=PRESETS[name], codec=codec, clock=CLOCK, conduct=LENIENT),
            seat=0,
            seed=number,
            board=3,
            picks=(number, number + 7),
            mishap=Mishap(seat=1, nth=14, gone=Gone()) if number % 2 else None,
        )
        pairs = zip(*two.lives(), strict=False)
        for moment, _ in takewhile(lambda pair: pair[0] == pair[1], pairs):
            if isinstance(moment, bytes):
                told.update(kind for message in read(codec, moment) for kind in kinds_of(message))
    assert told["decision"] > 200, "the worlds part too early"
    kinds = {
        *play_pb2.RefereeMessage.DESCRIPTOR.oneofs_by_name["message"].fields,
        *seat_pb2.SeatEvent.DESCRIPTOR.oneofs_by_name["event"].fields,
    }
    names = {field.name for field in kinds} - {"seat_returned"}  # remote sessions only
    assert names | {REASONS.number[reason] for reason in REFUSALS} <= told.keys()


def kinds_of(message: play_pb2.RefereeMessage) -> Iterator[str | int]:
    """Name what a message is, what it tells, and the number of why it refuses."""
    kind = message.WhichOneof("message")
    assert kind is not None
    yield kind
    told = getattr(message, kind)
    yield from (str(event.WhichOneof("event")) for event in getattr(told, "news", ()))
    if kind == "rejected":
        yield message.rejected.reason
