"""The protocol reference says what the proto files say today."""

import re

from arena.v1 import cards_pb2, match_pb2, play_pb2, ruleset_pb2, seat_pb2
from tests.wire.make_protocol_reference import DOCUMENT, reference

TEXT = DOCUMENT.read_text("utf-8")


def test_it_is_what_the_comments_make() -> None:
    """After a change of the proto files: make docs."""
    assert reference() == TEXT


def test_every_message_and_enum_has_a_section_and_every_field_words() -> None:
    files = (play_pb2, match_pb2, seat_pb2, cards_pb2, ruleset_pb2)
    names = {
        name
        for file in files
        for name in (*file.DESCRIPTOR.message_types_by_name, *file.DESCRIPTOR.enum_types_by_name)
    }
    assert names <= set(re.findall(r"^### (\w+)$", TEXT, re.MULTILINE))
    fields = re.findall(r"^\| `[a-z_0-9]+` = \d+ \| [\w. ]+ \| (.*) \|$", TEXT, re.MULTILINE)
    assert len(fields) == sum(
        len(message.fields)
        for file in files
        for message in file.DESCRIPTOR.message_types_by_name.values()
    )
    assert all(words.endswith((".", ":")) for words in fields)
