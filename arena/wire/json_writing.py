"""Messages to objects of the JSON dialect, nothing left out.

Owns how each type of field is written: what is absent stands as 0, "", [], false, or null
for messages, enums and `optional` fields; of a oneof only the member that is set. A plan
per type of message is made once. Must not know single messages.
"""

import base64
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from arena.wire.json_names import (
    CARD_LIST,
    STRUCT,
    enum_texts,
    is_map,
    oneof_of,
)

Object = dict[str, Any]
_Step = Callable[[Any, Object], None]
_Convert = Callable[[Any], Any]


def to_object(message: Message) -> Object:
    """Write a message as an object, fields in their order in the proto file."""
    written: Object = {}
    for step in _plan(message.DESCRIPTOR):
        step(message, written)
    return written


@cache
def _plan(descriptor: Descriptor) -> tuple[_Step, ...]:
    steps: list[_Step] = []
    oneofs: set[str] = set()
    for field in descriptor.fields:
        oneof = oneof_of(field)
        if oneof is None:
            steps.append(_field_step(field))
        elif oneof.name not in oneofs:
            oneofs.add(oneof.name)
            steps.append(_oneof_step(oneof))
    return tuple(steps)


def _oneof_step(oneof: OneofDescriptor) -> _Step:
    oneof_name = oneof.name
    converts = {field.name: _convert(field) for field in oneof.fields}

    def step(message: Message, written: Object) -> None:
        name = message.WhichOneof(oneof_name)
        if name is not None:
            written[name] = converts[name](getattr(message, name))

    return step


def _field_step(field: FieldDescriptor) -> _Step:
    name = field.name
    get = attrgetter(name)
    convert = _convert_all(field) if field.is_repeated else _convert(field)

    def step(message: Message, written: Object) -> None:
        written[name] = convert(get(message))

    def step_with_presence(message: Message, written: Object) -> None:
        written[name] = convert(get(message)) if message.HasField(name) else None

    return step_with_presence if field.has_presence else step


def _convert_all(field: FieldDescriptor) -> _Convert:
    if is_map(field):
        return dict
    if field.enum_type is not None:
        texts = enum_texts(field.enum_type)
        return lambda numbers: [texts.get(number, number) for number in numbers]
    if field.message_type is None and field.type != field.TYPE_BYTES:
        return list
    convert = _convert(field)
    return lambda values: [convert(value) for value in values]


def _convert(field: FieldDescriptor) -> _Convert:
    if field.enum_type is not None:
        texts = enum_texts(field.enum_type)
        return lambda number: texts.get(number, number)
    if field.message_type is not None:
        full_name = field.message_type.full_name
        if full_name == CARD_LIST:
            cards = _convert_all(field.message_type.fields_by_name["cards"])
            return lambda message: cards(message.cards)
        return MessageToDict if full_name == STRUCT else to_object
    if field.type == field.TYPE_BYTES:
        return lambda data: base64.b64encode(data).decode("ascii")
    return _same


def _same(value: Any) -> Any:
    return value
