"""Values of the rules, read from and written to the stubs.

Owns the few conversions that a bot needs: claims, words, declarations and the ruleset.
Loaded only when one of them is asked for. Must not know views or sessions.
"""

from dataclasses import fields
from enum import Enum
from typing import cast

from google.protobuf.descriptor import FieldDescriptor

from arena.rules.cards import CARDS, Rank, Suit
from arena.rules.events import Claim, ClaimKind, DeclarationMade, SignalMade, SpecifiedBy
from arena.rules.ruleset import AS_REVOKE, Ruleset, Signal
from arena.v1 import cards_pb2, ruleset_pb2, seat_pb2

__all__ = [
    "CARDS",
    "Claim",
    "ClaimKind",
    "DeclarationMade",
    "Ruleset",
    "Signal",
    "SignalMade",
    "read_claim",
    "read_declaration",
    "read_ruleset",
    "read_signal",
    "read_signal_made",
    "write_claim",
    "write_signal",
]


def read_claim(message: seat_pb2.Claim) -> Claim:
    """Read a claim; the wire counts suits and ranks from 1, the rules from 0."""
    return Claim(
        kind=ClaimKind(_value_of(message.DESCRIPTOR.fields_by_name["kind"], message.kind)),
        suit=Suit(message.suit - 1) if message.suit else None,
        rank=Rank(message.rank - 1) if message.rank else None,
    )


def write_claim(claim: Claim) -> seat_pb2.Claim:
    """Write a claim."""
    return seat_pb2.Claim(
        kind=seat_pb2.ClaimKind.Value(f"CLAIM_KIND_{claim.kind.name}"),
        suit=cast("cards_pb2.Suit.ValueType", 0 if claim.suit is None else claim.suit + 1),
        rank=cast("cards_pb2.Rank.ValueType", 0 if claim.rank is None else claim.rank + 1),
    )


def read_signal(number: int) -> Signal:
    """Read a word."""
    return tuple(Signal)[number - 1]


def write_signal(signal: Signal) -> ruleset_pb2.Signal.ValueType:
    """Write a word."""
    return ruleset_pb2.Signal.Value(f"SIGNAL_{signal.name}")


def read_declaration(message: seat_pb2.DeclarationMade) -> DeclarationMade:
    """Read an accepted claim."""
    field = message.DESCRIPTOR.fields_by_name["specified_by"]
    return DeclarationMade(
        seat=message.seat,
        claim=read_claim(message.claim),
        points=message.points,
        specified_by=SpecifiedBy(_value_of(field, message.specified_by)),
    )


def read_signal_made(message: seat_pb2.SignalMade) -> SignalMade:
    """Read a word that was heard."""
    return SignalMade(play=message.play, seat=message.seat, word=read_signal(message.word))


def read_ruleset(message: ruleset_pb2.Ruleset) -> Ruleset:
    """Read the ruleset in force.

    An option that the message does not have is not offered on this wire and keeps the one
    value that the rules offer.

    Raises:
        ValueError: an option has a value that this version of the arena does not know.
        RulesetError: the options contradict each other.
    """
    options: dict[str, object] = {}
    for option in fields(Ruleset):
        field = message.DESCRIPTOR.fields_by_name.get(option.name)
        if field is None:
            continue
        value = getattr(message, option.name)
        if option.name == "signals":
            value = tuple(map(read_signal, value))
        elif field.is_repeated:
            value = tuple(value)
        elif isinstance(option.default, Enum):
            value = type(option.default)(_value_of(field, value))
        options[option.name] = value
    if message.infraction_as_revoke:
        options["infraction_points"] = AS_REVOKE
    return Ruleset(**options)  # type: ignore[arg-type]  # the descriptor vouches for the types


def _value_of(field: FieldDescriptor, number: int) -> str:
    """Return the value's name without the prefix, in lower case: the rules' spelling."""
    kind = field.enum_type
    assert kind is not None, f"{field.full_name} is no enum"  # noqa: S101 - a bug if it happens
    if number not in kind.values_by_number:
        raise ValueError(f"{field.full_name}: {number} is a value of a newer arena; update yours")
    prefix = kind.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return str(kind.values_by_number[number].name.removeprefix(prefix).lower())
