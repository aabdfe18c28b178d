"""Allowed: what a key of a TOML file takes, in words.

Owns the words for each form of value; a refusal names them after the key and the value. Must
not know any file.
"""

from msgspec import inspect


def allowed(kind: inspect.Type) -> str:  # noqa: C901, PLR0911, PLR0912  # a line per type
    """Say in words what a type takes.

    Raises:
        AssertionError: There are none for it: no file has such a value.
    """
    match kind:
        case inspect.IntType():
            return f"a whole number{_range(kind.ge, kind.le)}"
        case inspect.Metadata(extra_json_schema={"description": str(words)}):
            return words
        case inspect.StrType():
            return f"a text{_length(kind)}"
        case inspect.BoolType():
            return "true or false"
        case inspect.FloatType():
            return f"a number{_range(kind.ge, kind.le)}"
        case inspect.EnumType():
            return ", ".join(f'"{member.value}"' for member in kind.cls)
        case inspect.LiteralType():
            return ", ".join(f'"{value}"' for value in kind.values)
        case inspect.UnionType():
            kinds = (one for one in kind.types if not isinstance(one, inspect.NoneType))
            return " or ".join(allowed(member) for member in kinds)
        case inspect.ListType(item_type=inspect.StructType()):
            return "tables, each under a [[…]] of its own"
        case inspect.ListType() | inspect.VarTupleType():
            full = "not empty, " if kind.min_length else ""
            return f"a list, {full}each member {allowed(kind.item_type)}"
        case (
            inspect.DictType(value_type=inspect.AnyType() | inspect.StructType())
            | inspect.StructType()
        ):
            return "a table"
        case inspect.DictType():
            return f"a table, each value {allowed(kind.value_type)}"
        case _:
            raise AssertionError(f"no words for {kind!r}")


def _range(low: float | None, high: float | None) -> str:
    match low, high:
        case None, None:
            return ""
        case _, None:
            return f" of {low} or more"
        case None, _:
            return f" of {high} or less"
        case _:
            return f" from {low} to {high}"


def _length(kind: inspect.StrType) -> str:
    """Word the bounds of a text's length; a pattern only keeps zero characters out."""
    words = []
    if kind.max_length is not None:
        words.append(f" of {kind.min_length or 0} to {kind.max_length} characters")
    elif kind.min_length:
        words.append(" that is not empty")
    if kind.pattern is not None:
        words.append(" none of them zero")
    return ",".join(words)
