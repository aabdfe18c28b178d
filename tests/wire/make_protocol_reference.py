"""``docs/protocol-reference.md``: every message, field and value that a bot meets.

``python -m tests.wire.make_protocol_reference`` writes it anew. All of it comes from the
comments of the ``.proto`` files, where a reader of these finds it too; the files of logs are
left out, because bots never see them.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)

ROOT: Final = Path(__file__).parents[2]
DOCUMENT: Final = ROOT / "docs" / "protocol-reference.md"
PROTO: Final = ROOT / "proto"
FILES: Final = ("play", "match", "seat", "cards", "ruleset")

# The numbers of fields in descriptor.proto, which a place in a file is made of.
_SYNTAX, _MESSAGE, _ENUM, _SERVICE = 12, 4, 5, 6
_FIELD, _NESTED, _NESTED_ENUM, _ONEOF = 2, 3, 4, 8
_VALUE = _METHOD = 2

Place = tuple[int, ...]
Comments = Mapping[Place, str]

_HEAD: Final = """\
# Protocol reference

Made from the comments of [`proto/arena/v1`](../proto/arena/v1/play.proto) by `make docs`: change
those. How the parts play together is in [protocol.md](protocol.md).
"""


def reference() -> str:
    """Write the whole document."""
    parts = [_HEAD]
    for file in _described():
        comments = {
            tuple(at.path): at.leading_comments or "\n".join(at.leading_detached_comments)
            for at in file.source_code_info.location
        }
        parts += _file(file, comments)
    return "\n".join(parts) + "\n"


def _described() -> list[FileDescriptorProto]:
    """Compile the files with their comments."""
    names = [f"arena/v1/{name}.proto" for name in FILES]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "set")
        words = [f"-I{PROTO}", "--include_source_info", f"--descriptor_set_out={out}", *names]
        subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *words], check=True)
        found = FileDescriptorSet.FromString(out.read_bytes())
    return sorted(found.file, key=lambda file: names.index(file.name))


def _file(file: FileDescriptorProto, comments: Comments) -> Iterator[str]:
    yield f"## {file.name}\n"
    yield f"{_prose(comments[_SYNTAX,])}\n"
    for number, service in enumerate(file.service):
        yield from _service(service, (_SERVICE, number), comments)
    for number, message in enumerate(file.message_type):
        yield from _message(message, (_MESSAGE, number), comments, "")
    for number, enum in enumerate(file.enum_type):
        yield from _enum(enum, (_ENUM, number), comments, "")


def _service(service: ServiceDescriptorProto, place: Place, comments: Comments) -> Iterator[str]:
    yield f"### {service.name}\n\n{_prose(comments[place])}\n"
    for number, method in enumerate(service.method):
        took, gave = _short(method.input_type), _short(method.output_type)
        took = f"stream {took}" if method.client_streaming else took
        gave = f"stream {gave}" if method.server_streaming else gave
        yield f"`rpc {method.name}({took}) returns ({gave})`\n"
        yield f"{_prose(comments[*place, _METHOD, number])}\n"


def _message(
    message: DescriptorProto, place: Place, comments: Comments, above: str
) -> Iterator[str]:
    name = f"{above}{message.name}"
    yield f"### {name}\n\n{_prose(comments[place])}\n"
    for number, oneof in enumerate(message.oneof_decl):
        told = comments.get((*place, _ONEOF, number), "")
        if told:  # an optional field is a oneof of its own, without a comment
            yield f"One of `{oneof.name}`: {_line(told)}\n"
    if message.field:
        yield "| field | type | what |\n| --- | --- | --- |"
        for number, field in enumerate(message.field):
            told = _cell(comments[*place, _FIELD, number])
            yield f"| `{field.name}` = {field.number} | {_type(field)} | {told} |"
        yield ""
    for number, inner in enumerate(message.nested_type):
        yield from _message(inner, (*place, _NESTED, number), comments, f"{name}.")
    for number, enum in enumerate(message.enum_type):
        yield from _enum(enum, (*place, _NESTED_ENUM, number), comments, f"{name}.")


def _enum(enum: EnumDescriptorProto, place: Place, comments: Comments, above: str) -> Iterator[str]:
    yield f"### {above}{enum.name}\n\n{_prose(comments[place])}\n"
    yield "| value | what |\n| --- | --- |"
    for number, value in enumerate(enum.value):
        told = comments.get((*place, _VALUE, number), "")
        yield f"| `{value.name}` = {value.number} | {_cell(told)} |"
    yield ""


def _type(field: FieldDescriptorProto) -> str:
    if field.type_name:
        kind = _short(field.type_name)
    else:
        kind = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {kind}"
    return f"optional {kind}" if field.proto3_optional else kind


def _short(type_name: str) -> str:
    return type_name.removeprefix(".arena.v1.")


def _line(comment: str) -> str:
    return " ".join(comment.split())


def _cell(comment: str) -> str:
    return _line(comment).replace("|", "\\|").replace("<", "&lt;")


def _prose(comment: str) -> str:
    """Keep paragraphs; what is laid out by blanks or as a table becomes a block."""
    parts = []
    for paragraph in comment.strip("\n").split("\n\n"):
        lines = [line.removeprefix(" ") for line in paragraph.split("\n")]
        is_block = all(line.startswith(("  ", "|")) for line in lines if line)
        parts.append("```\n" + "\n".join(lines) + "\n```" if is_block else _cell(paragraph))
    return "\n\n".join(parts)


if __name__ == "__main__":
    DOCUMENT.write_text(reference(), "utf-8")
