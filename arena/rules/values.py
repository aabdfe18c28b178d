"""Values: the form of what is passed from hand to hand thousands of times a second.

Owns one decorator, for the values of this package and of those below it. Imports nothing of
the arena.
"""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a class a value: slotted, keyword-only, equal and hashed by its fields, and frozen.

    It is the type checker that holds it frozen, not the interpreter: a frozen dataclass sets
    each field through ``object.__setattr__``, which makes it three times as dear to make, and
    some twenty values are made for every card that is played.
    """
    return dataclass(slots=True, kw_only=True, unsafe_hash=True)(cls)
