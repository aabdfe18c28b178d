"""One JSON dialect: what is written is read back, canonical proto3 JSON is read too."""

import json
from collections.abc import Callable

import msgspec
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ProtocolViolation
from arena.referee.messages import Ask, Close, Reject
from arena.rules.cards import Card
from arena.rules.events import CardPlayed
from arena.rules.presets import PRESETS
from arena.v1 import cards_pb2, log_pb2, play_pb2, seat_pb2
from arena.wire import to_bot
from arena.wire.json_dialect import (
    decode_object,
    from_object,
    line_to_message,
    line_to_referee_message,
    message_to_line,
    to_object,
)
from arena.wire.rulesets import encode_ruleset
from tests.wire import strategies as values

ANSWER = {
    "decision_id": 3,
    "card": "D3",
    "signal": "busso",
    "declarations": [{"kind": "three", "suit": "cups", "rank": "ace"}],
    "value_thirds": -4,
    "note": "é",
}


def line_of(**message: object) -> bytes:
    return json.dumps(message).encode()


def why_not(line: bytes) -> str:
    with pytest.raises(ProtocolViolation) as refusal:
        line_to_message(line)
    return str(refusal.value)


def outcome(read: Callable[[], object]) -> str:
    """Say how reading ended; anything but a value or a refusal fails the test."""
    try:
        read()
    except ProtocolViolation as refusal:
        return str(refusal)
    return "read"


# --- written and read back ----------------------------------------------------------


@given(values.asks, values.counts)
def test_a_decision_comes_back_from_its_line(ask: Ask, sequence: int) -> None:
    message = to_bot.decision(1, 7, ask)
    message.sequence = sequence
    assert line_to_referee_message(message_to_line(message)) == message


@given(values.rejects)
def test_a_refusal_comes_back_from_its_line(reject: Reject) -> None:
    message = to_bot.rejected(1, reject.number, reject)
    assert line_to_referee_message(message_to_line(message)) == message


@given(values.closes)
def test_the_end_of_a_match_comes_back_from_its_line(close: Close) -> None:
    message = to_bot.match_ended(1, close)
    assert line_to_referee_message(message_to_line(message)) == message


@given(values.asks)
def test_canonical_proto3_json_is_read_as_the_same_message(ask: Ask) -> None:
    message = to_bot.decision(1, 7, ask)
    for text in (
        json_format.MessageToJson(message),
        json_format.MessageToJson(message, preserving_proto_field_name=True),
        json_format.MessageToJson(message, use_integers_for_enums=True),
        json_format.MessageToJson(message, always_print_fields_with_no_presence=True),
    ):
        assert line_to_referee_message(text.encode()) == message


def test_bytes_are_base64_as_in_canonical_json() -> None:
    wire = play_pb2.MatchStarted(seed_commitment=bytes(range(240, 256)))
    written = to_object(wire)
    assert written["seed_commitment"] == "8PHy8/T19vf4+fr7/P3+/w=="
    assert from_object(play_pb2.MatchStarted(), written, []) == wire
    url_safe = {"seed_commitment": "8PHy8_T19vf4-fr7_P3-_w"}
    assert from_object(play_pb2.MatchStarted(), url_safe, []) == wire


def test_a_ruleset_comes_back_from_its_object() -> None:
    for ruleset in PRESETS.values():
        wire = encode_ruleset(ruleset)
        assert from_object(type(wire)(), to_object(wire), []) == wire


def test_the_maps_and_tables_of_a_log_head_come_back() -> None:
    head = log_pb2.LogOpened(schema=1, entrants=[log_pb2.LogEntrant(options={"depth": "3"})])
    head.conditions.update({"tables": 8, "thinking": "own_turn", "trust": True})
    written = to_object(head)
    assert written["conditions"] == {"tables": 8, "thinking": "own_turn", "trust": True}
    assert written["entrants"][0]["options"] == {"depth": "3"}
    assert from_object(log_pb2.LogOpened(), written, []) == head


# --- the form of a line -------------------------------------------------------------


def test_a_line_prints_what_is_absent_and_of_a_oneof_only_what_is_set() -> None:
    message = to_bot.update(1, (CardPlayed(seat=0, card=Card.D3),))
    message.sequence = 7
    assert message_to_line(message) == (
        b'{"sequence":7,"update":{"table":1,"news":['
        b'{"card_played":{"seat":0,"card":"D3","signal":null,"autoplayed":false}}]}}\n'
    )


def test_an_optional_number_that_is_absent_is_null_and_zero_is_zero() -> None:
    assert to_object(seat_pb2.DealStarted())["dealer"] is None
    assert to_object(seat_pb2.DealStarted(dealer=0))["dealer"] == 0


def test_a_list_of_cards_stands_bare_and_is_read_in_either_form() -> None:
    seen = seat_pb2.Observation(
        known_cards=[cards_pb2.CardList(cards=[cards_pb2.CARD_D3]), cards_pb2.CardList()]
    )
    assert to_object(seen)["known_cards"] == [["D3"], []]
    for known in ([["D3"], []], [{"cards": ["CARD_D3"]}, {}]):
        assert from_object(seat_pb2.Observation(), {"known_cards": known}, []) == seen


def test_an_enum_number_without_a_name_is_written_as_a_number() -> None:
    card = seat_pb2.CardPlayed()
    card.card = cards_pb2.Card.ValueType(77)
    assert to_object(card)["card"] == 77


def test_numbers_above_32_bits_are_json_numbers_and_read_as_texts_too() -> None:
    event = log_pb2.Event(seq=1, at_us=2**60)
    assert to_object(event)["at_us"] == 2**60
    assert from_object(log_pb2.Event(), {"seq": "1", "at_us": str(2**60)}, []) == event


def test_every_field_of_every_message_can_be_written() -> None:
    """A type of field that the dialect does not know is found here, not at run time."""
    for module in (play_pb2, seat_pb2, log_pb2):
        for descriptor in module.DESCRIPTOR.message_types_by_name.values():
            message = descriptor._concrete_class()
            assert from_object(descriptor._concrete_class(), to_object(message), []) == message


# --- what bots may write ------------------------------------------------------------


def test_an_answer_may_be_as_short_as_it_can_be() -> None:
    message = line_to_message(b'{"answer":{"decision_id":3,"card":"D3"}}\r\n')
    assert message == play_pb2.BotMessage(
        answer=play_pb2.Answer(decision_id=3, card=cards_pb2.CARD_D3)
    )


@pytest.mark.parametrize(
    "answer",
    [
        {"decisionId": 3, "card": "CARD_D3"},
        {"decision_id": "3", "card": 10},
        {"decision_id": 3.0, "card": "D3", "signal": None, "declarations": None, "note": None},
        {"decision_id": 3, "card": "D3", "valueThirds": None, "of_a_later_version": [1, {}]},
    ],
)
def test_an_answer_may_be_written_in_every_form_of_proto3_json(answer: object) -> None:
    assert line_to_message(line_of(answer=answer)) == play_pb2.BotMessage(
        answer=play_pb2.Answer(decision_id=3, card=cards_pb2.CARD_D3)
    )


@pytest.mark.parametrize(
    ("change", "path", "value", "allowed"),
    [
        ({"card": "D9"}, "answer.card", "'D9'", "a suit D C S B and a rank"),
        ({"card": "d3"}, "answer.card", "'d3'", "a suit D C S B and a rank"),
        ({"card": True}, "answer.card", "True", "a suit D C S B and a rank"),
        ({"card": ["D3"]}, "answer.card", "list", "a suit D C S B and a rank"),
        ({"signal": "volò"}, "answer.signal", r"'vol\xf2'", "busso, striscio, volo"),
        ({"decision_id": -1}, "answer.decision_id", "-1", "from 0 to 4294967295"),
        ({"decision_id": 1 << 32}, "answer.decision_id", "4294967296", "from 0 to 4294967295"),
        ({"decision_id": True}, "answer.decision_id", "True", "a whole number"),
        ({"decision_id": 3.5}, "answer.decision_id", "3.5", "a whole number"),
        ({"decision_id": "3x"}, "answer.decision_id", "'3x'", "a whole number"),
        ({"value_thirds": 1 << 31}, "answer.value_thirds", "2147483648", "to 2147483647"),
        ({"note": 3}, "answer.note", "3", "a text"),
        ({"declarations": {}}, "answer.declarations", "dict", "a list"),
        ({"declarations": [4]}, "answer.declarations[0]", "4", "an object"),
        (
            {"declarations": [{"kind": "four"}, {"kind": "fou"}]},
            "answer.declarations[1].kind",
            "'fou'",
            "napoletana, three, four",
        ),
    ],
)
def test_a_wrong_value_is_refused_with_place_value_and_what_is_allowed(
    change: dict[str, object], path: str, value: str, allowed: str
) -> None:
    text = why_not(line_of(answer=ANSWER | change))
    assert text.startswith(f"{path}: {value} is not allowed; allowed: ")
    assert allowed in text


@pytest.mark.parametrize(
    ("message", "value", "what"),
    [
        (play_pb2.MatchStarted(), {"seed_commitment": "a!"}, "bytes in base64"),
        (play_pb2.MatchStarted(), {"seed_commitment": 3}, "bytes in base64"),
        (seat_pb2.CardPlayed(), {"autoplayed": 1}, "true or false"),
        (play_pb2.Answer(), {"note": "\ud800"}, "a text that has UTF-8"),
        (log_pb2.LogEntrant(), {"options": []}, "options: list is not allowed; allowed: an object"),
        (log_pb2.LogEntrant(), {"options": {"depth": 3}}, "options.depth: 3 is not allowed"),
        (log_pb2.LogOpened(), {"conditions": 3}, "conditions: 3 is not allowed"),
        (log_pb2.LogOpened(), {"conditions": {"x": object()}}, "conditions: "),
        (seat_pb2.Observation(), {"known_cards": ["D3"]}, "known_cards[0]: 'D3' is not allowed"),
    ],
)
def test_every_type_of_field_refuses_what_it_cannot_hold(
    message: Message, value: object, what: str
) -> None:
    with pytest.raises(ProtocolViolation) as refusal:
        from_object(message, value, [])
    assert what in str(refusal.value)


def test_two_members_of_a_oneof_are_refused() -> None:
    text = why_not(line_of(ready={"table": 1}, answer=ANSWER))
    assert text == "answer: ready is set already; only one of them may be"


def test_a_member_that_is_null_is_not_set() -> None:
    assert line_to_message(line_of(ready=None, leave={})).WhichOneof("message") == "leave"


def test_a_message_that_is_no_object_is_refused() -> None:
    assert why_not(line_of(answer=3)).startswith("answer: 3 is not allowed; allowed: an object")


def test_a_wrong_token_is_not_repeated() -> None:
    for token in (77_331, "77331é"):
        text = why_not(line_of(join={"token": token}))
        assert "77331" not in text
        assert text.startswith("join.token")
    assert "77331" not in why_not(b'{"join":{"token":"77331"')


def test_a_long_wrong_value_is_shown_in_part() -> None:
    text = why_not(line_of(answer=ANSWER | {"card": "x" * 5000}))
    assert len(text) < 200


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"thinking about D3...",
        b"[1,2]",
        b"3",
        b'"answer"',
        b'{"answer":',
        b'{"answer":{}} {"answer":{}}',
        b"\xff\xfe",
        b"[" * 5000,
        b'{"a":' * 5000,
        b"NaN",
        b'{"answer":{"note":"\\ud800"}}',
        b'\xef\xbb\xbf{"ready":{"table":1}}',
    ],
)
def test_a_line_that_is_no_json_object_says_where_output_belongs(line: bytes) -> None:
    text = why_not(line)
    assert text.startswith("this line is no JSON object")
    assert "stdout carries the protocol" in text
    assert "print everything else to stderr" in text


def test_a_line_over_one_mebibyte_is_refused_unread() -> None:
    longest = b'{"leave":{}}'.ljust((1 << 20) - 1) + b"\n"
    assert line_to_message(longest).WhichOneof("message") == "leave"
    assert why_not(longest + b" ") == "a line of 1048577 bytes; allowed are 1048576"


def test_keys_that_no_field_has_are_skipped_and_listed() -> None:
    skipped: list[str] = []
    value = {"answer": {"decision_id": 3, "crd": "D3"}, "extra": 1}
    from_object(play_pb2.BotMessage(), value, skipped)
    assert skipped == ["answer.crd", "extra"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["answer", "card", "join", *ANSWER]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["answer", "join", "ready", "leave"]), json_values))
def test_any_object_is_a_message_or_refused_in_words(value: dict[str, object]) -> None:
    assert outcome(lambda: from_object(play_pb2.BotMessage(), value, []))


@given(st.binary(max_size=200))
def test_any_bytes_are_an_object_or_refused_in_words(line: bytes) -> None:
    assert outcome(lambda: decode_object(line)).isprintable()


@given(st.dictionaries(st.sampled_from([*ANSWER]), json_values))
def test_an_answer_with_any_fields_is_read_or_refused_in_words(fields: dict[str, object]) -> None:
    try:
        line = msgspec.json.encode({"answer": fields})
    except (UnicodeEncodeError, OverflowError):
        return
    assert outcome(lambda: line_to_message(line))
