"""What a bot is sent says exactly what the referee put out."""

import pytest
from hypothesis import given

from arena.referee.clock import Clock
from arena.referee.events import MatchEnded
from arena.referee.faults import Culprit, Reason, Termination, TerminationKind
from arena.referee.messages import Ask, Close, Reject
from arena.rules.cards import CARDS, Card
from arena.rules.events import CardPlayed, TrickWon
from arena.rules.observation import Observation
from arena.rules.options import Signal
from arena.rules.presets import PRESETS
from arena.rules.question import Question, QuestionKind
from arena.v1 import match_pb2, play_pb2, seat_pb2
from arena.wire import to_bot
from arena.wire.claims import decode_claim
from arena.wire.enums import SIGNALS, decode_cards
from arena.wire.observations import decode_observation
from arena.wire.rulesets import decode_ruleset
from arena.wire.seat_events import decode_result, decode_seat_event
from arena.wire.terms import GoodbyeReason, Limits, Resources, Resumed
from tests.wire import strategies as values

MID_DEAL = Observation(
    seat=1,
    deal=3,
    dealer=2,
    leader=1,
    hand=CARDS[:5],
    trick=CARDS[5:7],
    history=CARDS[7:27],
    trick_leaders=(0, 1, 2, 3, 0),
    stock_size=0,
    declarations=(),
    signals=(),
    known_cards=((), (), (), ()),
    thirds=(4, 7),
    totals=(3, -2),
)


@given(values.asks)
def test_a_decision_holds_the_whole_ask(ask: Ask) -> None:
    message = to_bot.decision(2, 7, ask)
    decision = play_pb2.RefereeMessage.FromString(message.SerializeToString()).decision
    assert (decision.table, decision.decision_id) == (2, 7)
    assert decision.WhichOneof("question") == "card"
    question = Question(
        seat=ask.question.seat,
        kind=QuestionKind.CARD,
        legal=decode_cards(decision.card.legal),
        declarable=tuple(map(decode_claim, decision.card.declarable)),
        signals_allowed=tuple(map(SIGNALS.decode, decision.card.signals_allowed)),
    )
    assert question == ask.question
    assert decode_observation(decision.observation) == ask.observation
    assert tuple(map(decode_seat_event, decision.news)) == ask.news


@given(values.asks)
def test_times_are_told_in_whole_milliseconds_rounded_down(ask: Ask) -> None:
    decision = to_bot.decision(1, 1, ask).decision
    assert decision.time_limit_ms * 1_000_000 <= ask.limit_ns
    assert ask.limit_ns < (decision.time_limit_ms + 1) * 1_000_000
    assert decision.bank_ms * 1_000_000 <= ask.bank_ns < (decision.bank_ms + 1) * 1_000_000


def test_an_observation_in_the_middle_of_a_deal_has_about_a_hundred_bytes() -> None:
    ask = Ask(
        seat=1,
        number=1,
        question=Question(seat=1, kind=QuestionKind.CARD, legal=CARDS[:3]),
        observation=MID_DEAL,
        news=(CardPlayed(seat=0, card=Card.D3), TrickWon(seat=0, thirds=5)),
        limit_ns=10**9,
        bank_ns=0,
    )
    decision = to_bot.decision(1, 20, ask).decision
    assert decision.observation.ByteSize() <= 100
    assert decision.ByteSize() <= 130


def test_the_session_numbers_messages_not_the_builder() -> None:
    assert to_bot.update(1, ()).sequence == 0


def test_an_update_holds_its_news_in_order() -> None:
    news = (CardPlayed(seat=3, card=Card.C2, signal=Signal.VOLO), TrickWon(seat=3, thirds=2))
    update = to_bot.update(4, news).update
    assert update.table == 4
    assert tuple(map(decode_seat_event, update.news)) == news


@given(values.rejects)
def test_a_refusal_tells_reason_words_and_what_was_allowed(reject: Reject) -> None:
    wire = to_bot.rejected(3, 9, reject).rejected
    assert (wire.table, wire.decision_id, wire.message) == (3, 9, reject.message)
    assert match_pb2.ErrorReason.Name(wire.reason) == f"ERROR_REASON_{reject.reason.name}"
    assert decode_cards(wire.allowed) == reject.allowed


@pytest.mark.parametrize("table", [None, 0])
def test_a_refusal_without_table_or_decision_leaves_both_absent(table: int | None) -> None:
    reject = Reject(seat=0, number=None, reason=Reason.MALFORMED, message="no")
    wire = to_bot.rejected(table, None, reject).rejected
    assert not wire.HasField("table")
    assert not wire.HasField("decision_id")


@given(values.closes)
def test_the_end_of_a_match_tells_result_and_culprit(close: Close) -> None:
    wire = to_bot.match_ended(2, close).match_ended
    assert wire.table == 2
    assert decode_result(wire.result) == MatchEnded(
        termination=close.termination, totals=close.totals, winner=close.winner
    )


def test_the_detail_of_a_termination_is_not_told() -> None:
    termination = Termination(
        kind=TerminationKind.FORFEIT_CRASH, culprit=Culprit.BOT, seat=2, detail="stderr: hand D3"
    )
    message = to_bot.match_ended(1, Close(termination=termination, totals=(0, 0), winner=None))
    assert b"stderr" not in message.SerializeToString()


def test_welcome_tells_version_limits_and_how_the_session_began() -> None:
    welcome = to_bot.welcome(
        capacity=8,
        server_version="0.1.0",
        limits=Limits(messages_per_decision=5),
        resumed=Resumed.SNAPSHOT,
    ).welcome
    assert (welcome.protocol_version, welcome.capacity) == (1, 8)
    assert welcome.limits.frame_bytes == 65_536
    assert welcome.limits.frame_messages == 64
    assert welcome.limits.messages_per_decision == 5
    assert welcome.resumed == play_pb2.RESUMED_SNAPSHOT


@pytest.mark.parametrize("preset", PRESETS)
def test_match_started_spells_the_ruleset_and_the_sides_out(preset: str) -> None:
    ruleset = PRESETS[preset]
    wire = to_bot.match_started(
        table=1,
        match_id="k3f9",
        ruleset=ruleset,
        seat=1,
        clock=Clock(limit_ms=250, bank_ms=9),
        boards=10,
        commitment=bytes(32),
        bot_seed=2**32 - 1,
        seat_names=tuple("abcd"[: ruleset.seats]),
        resources=Resources(cores=2, memory_mib=1024),
    ).match_started
    assert decode_ruleset(wire.ruleset) == ruleset
    assert list(wire.sides) == [ruleset.side_of(seat) for seat in range(ruleset.seats)]
    assert (wire.clock.limit_ms, wire.clock.bank_ms) == (250, 9)
    assert (wire.resources.cores, wire.resources.memory_mib) == (2, 1024)
    assert (wire.WhichOneof("length"), wire.boards) == ("boards", 10)
    assert wire.bot_seed == 2**32 - 1
    assert "".join(wire.seat_names) == "abcd"[: ruleset.seats]


def test_a_match_without_boards_goes_to_the_target_of_its_ruleset() -> None:
    wire = to_bot.match_started(
        table=1,
        match_id="k3f9",
        ruleset=PRESETS["italian-tournament"],
        seat=0,
        clock=Clock(),
        boards=None,
        commitment=bytes(32),
        bot_seed=0,
    ).match_started
    assert (wire.WhichOneof("length"), wire.target) == ("target", 31)
    assert not wire.seat_names
    assert not wire.HasField("resources")


@pytest.mark.parametrize("reason", GoodbyeReason)
def test_goodbye_names_its_reason(reason: GoodbyeReason) -> None:
    wire = to_bot.goodbye(reason, 500).goodbye
    assert play_pb2.GoodbyeReason.Name(wire.reason) == f"GOODBYE_REASON_{reason.name}"
    assert wire.grace_ms == 500


def test_the_redaction_table_names_every_field_that_can_hold_a_card() -> None:
    """A new field of news or Observation that holds cards must be argued for in seat.proto."""
    own = {"DealStarted.hand", "Observation.hand", "DeclarationRefused.claim"}
    public = {
        "CardPlayed.card",
        "CardDrawn.card",
        "DeclarationMade.claim",
        "Observation.trick",
        "Observation.history",
        "Observation.declarations",
        "Observation.known_cards",
    }
    revealing = {"arena.v1.Card", "arena.v1.CardList", "arena.v1.Claim"}
    revealing.add("arena.v1.DeclarationMade")
    found = set()
    told = [seat_pb2.Observation.DESCRIPTOR]
    told += [
        field.message_type
        for field in seat_pb2.SeatEvent.DESCRIPTOR.fields
        if field.message_type is not None
    ]
    for message in told:
        for field in message.fields:
            of = field.enum_type or field.message_type
            if of is not None and of.full_name in revealing:
                found.add(f"{message.name}.{field.name}")
    assert found == own | public
