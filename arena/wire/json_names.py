"""How the JSON dialect names things: enum values and the few types with a form of their own.

Owns the difference between the dialect and canonical proto3 JSON, which readers accept
too: cards are ``"D3"``, other enum values stand in lower case without prefix, a CardList
is a bare list. Must not know single messages. Source: protocol.md ("One JSON dialect").
"""

from functools import cache

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor, OneofDescriptor

CARD_LIST = "arena.v1.CardList"
STRUCT = "google.protobuf.Struct"
_CARD = "arena.v1.Card"


@cache
def enum_texts(enum: EnumDescriptor) -> dict[int, str | None]:
    """Map the numbers of an enum to their texts; UNSPECIFIED is none."""
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    texts: dict[int, str | None] = {0: None}
    for value in enum.values:
        if value.number != 0:
            text = value.name.removeprefix(prefix)
            texts[value.number] = text if enum.full_name == _CARD else text.lower()
    return texts


@cache
def enum_numbers(enum: EnumDescriptor) -> dict[str | int, int]:
    """Map what may stand for an enum's value to its number: text, full name or number."""
    numbers: dict[str | int, int] = {}
    for value in enum.values:
        numbers[value.name] = value.number
        numbers[value.number] = value.number
        text = enum_texts(enum)[value.number]
        if text is not None:
            numbers[text] = value.number
    return numbers


@cache
def enum_allowed(enum: EnumDescriptor) -> str:
    """Say what may stand for an enum's value."""
    if enum.full_name == _CARD:
        return 'a suit D C S B and a rank A 2 3 4 5 6 7 J H K, as in "D3"'
    return ", ".join(text for text in enum_texts(enum).values() if text is not None)


def is_map(field: FieldDescriptor) -> bool:
    """Whether a field is a map from texts to texts, the only kind of map there is."""
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def oneof_of(field: FieldDescriptor) -> OneofDescriptor | None:
    """Return the oneof that a field is a member of; what `optional` makes is none."""
    oneof = field.containing_oneof
    return None if oneof is None or oneof.name == f"_{field.name}" else oneof
