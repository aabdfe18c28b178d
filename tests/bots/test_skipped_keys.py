"""Keys that an adapter skips are named in the refusals that a referee makes without them."""

from arena.bots.skipped_keys import MOST_KEPT, SkippedKeys
from arena.v1 import play_pb2
from arena.wire.from_bot import read_message
from arena.wire.said import Unreadable

HINT = "; not known here and skipped: "


def refused(keys: SkippedKeys, message: play_pb2.BotMessage) -> str:
    """Refuse a message as a referee does that gets no more than it; give what is told here."""
    said = read_message(message, message.ByteSize())
    assert isinstance(said, Unreadable)
    rejected = play_pb2.Rejected(message=said.message)
    keys.complete(rejected)
    return rejected.message.removeprefix(said.message)


def test_a_refusal_names_the_keys_of_its_own_line() -> None:
    keys = SkippedKeys()
    lines = b'{"answer":{"crd":"D3"}}', b'{"answer":{}}', b'{"anwser":{"card":"D3"}}'
    first, second, third = map(keys.read, lines)
    assert refused(keys, third) == f"{HINT}anwser"
    assert refused(keys, first) == f"{HINT}answer.crd"
    assert refused(keys, second) == ""


def test_a_refusal_of_what_could_be_read_stays_as_it_is() -> None:
    keys = SkippedKeys()
    message = keys.read(b'{"answer":{"decision_id":1,"card":"D3","mood":"good"}}')
    assert message.answer.decision_id == 1
    rejected = play_pb2.Rejected(message="not your turn")
    keys.complete(rejected)
    assert rejected.message == "not your turn"


def test_what_no_referee_ever_refuses_is_forgotten() -> None:
    keys = SkippedKeys()
    first = keys.read(b'{"anwser":1}')
    for _ in range(MOST_KEPT):
        keys.read(b'{"answer":{"crd":"D3"}}')
    assert refused(keys, first) == ""
