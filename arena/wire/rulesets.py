"""Rulesets as messages, both ways.

Owns the correspondence of every option with the field of the same name. Must not know
what an option means.
"""

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Final

from arena.rules import options
from arena.rules.ruleset import Ruleset
from arena.v1 import ruleset_pb2
from arena.wire.enums import SIGNALS, WireEnum

_SETS: Final[Mapping[str, WireEnum[Any, Any]]] = MappingProxyType(
    {
        "sides": WireEnum(options.SideScheme, ruleset_pb2.SideScheme, "SIDE_SCHEME_"),
        "direction": WireEnum(options.Direction, ruleset_pb2.Direction, "DIRECTION_"),
        "dealer": WireEnum(options.Dealer, ruleset_pb2.Dealer, "DEALER_"),
        "first_leader": WireEnum(options.FirstLeader, ruleset_pb2.FirstLeader, "FIRST_LEADER_"),
        "leader_rotation": WireEnum(
            options.LeaderRotation, ruleset_pb2.LeaderRotation, "LEADER_ROTATION_"
        ),
        "follow_suit": WireEnum(options.FollowSuit, ruleset_pb2.FollowSuit, "FOLLOW_SUIT_"),
        "draw_order": WireEnum(options.DrawOrder, ruleset_pb2.DrawOrder, "DRAW_ORDER_"),
        "draw_visibility": WireEnum(
            options.DrawVisibility, ruleset_pb2.DrawVisibility, "DRAW_VISIBILITY_"
        ),
        "rounding": WireEnum(options.Rounding, ruleset_pb2.Rounding, "ROUNDING_"),
        "remainder_to": WireEnum(options.RemainderTo, ruleset_pb2.RemainderTo, "REMAINDER_TO_"),
        "goal": WireEnum(options.Goal, ruleset_pb2.Goal, "GOAL_"),
        "match_end_check": WireEnum(
            options.MatchEndCheck, ruleset_pb2.MatchEndCheck, "MATCH_END_CHECK_"
        ),
        "both_reached": WireEnum(options.BothReached, ruleset_pb2.BothReached, "BOTH_REACHED_"),
        "decl_window": WireEnum(
            options.DeclarationWindow, ruleset_pb2.DeclarationWindow, "DECLARATION_WINDOW_"
        ),
        "decl_basis": WireEnum(
            options.DeclarationBasis, ruleset_pb2.DeclarationBasis, "DECLARATION_BASIS_"
        ),
        "decl_specify": WireEnum(
            options.DeclarationSpecify, ruleset_pb2.DeclarationSpecify, "DECLARATION_SPECIFY_"
        ),
        "decl_scored": WireEnum(
            options.DeclarationScored, ruleset_pb2.DeclarationScored, "DECLARATION_SCORED_"
        ),
        "signal_who": WireEnum(options.SignalWho, ruleset_pb2.SignalWho, "SIGNAL_WHO_"),
        "signal_truth": WireEnum(options.SignalTruth, ruleset_pb2.SignalTruth, "SIGNAL_TRUTH_"),
        "illegal_play": WireEnum(options.IllegalPlay, ruleset_pb2.IllegalPlay, "ILLEGAL_PLAY_"),
        "revoke_declarations": WireEnum(
            options.RevokeDeclarations, ruleset_pb2.RevokeDeclarations, "REVOKE_DECLARATIONS_"
        ),
        "cappotto_test": WireEnum(options.CappottoTest, ruleset_pb2.CappottoTest, "CAPPOTTO_TEST_"),
        "annul_weak_hand": WireEnum(
            options.AnnulWeakHand, ruleset_pb2.AnnulWeakHand, "ANNUL_WEAK_HAND_"
        ),
        "auction": WireEnum(options.Auction, ruleset_pb2.Auction, "AUCTION_"),
    }
)
_OWN_WAY: Final = frozenset({"deal_packets", "signals", "infraction_points"})
"""Options that are not one field of the same form."""


def encode_ruleset(ruleset: Ruleset) -> ruleset_pb2.Ruleset:
    """Write every option of a ruleset into a message."""
    wire = ruleset_pb2.Ruleset(
        deal_packets=ruleset.deal_packets,
        signals=[SIGNALS.number[word] for word in ruleset.signals],
    )
    if ruleset.infraction_points == options.AS_REVOKE:
        wire.infraction_as_revoke = True
    else:
        wire.infraction_points = int(ruleset.infraction_points)
    for field in fields(Ruleset):
        name = field.name
        if name not in _OWN_WAY:
            value = getattr(ruleset, name)
            members = _SETS.get(name)
            setattr(wire, name, value if members is None else members.number[value])
    return wire


def decode_ruleset(wire: ruleset_pb2.Ruleset) -> Ruleset:
    """Read a ruleset from a message that holds every option.

    Raises:
        ProtocolViolation: A number of a closed set has no value.
        RulesetError: The options contradict each other.
    """
    values: dict[str, Any] = {
        "deal_packets": tuple(wire.deal_packets),
        "signals": tuple(map(SIGNALS.decode, wire.signals)),
        "infraction_points": (
            options.AS_REVOKE if wire.infraction_as_revoke else wire.infraction_points
        ),
    }
    for field in fields(Ruleset):
        name = field.name
        if name not in _OWN_WAY:
            value = getattr(wire, name)
            members = _SETS.get(name)
            values[name] = value if members is None else members.decode(value)
    return Ruleset(**values)
