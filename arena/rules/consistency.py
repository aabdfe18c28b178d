"""What a ruleset may not be: values out of range, not offered, or contradicting each other.

Owns the ranges and the list of contradictory pairs, as data. Must not know presets or how
a ruleset came to be. Source: rules.md §4; each pair says its reason.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.errors import RulesetError
from arena.rules.options import (
    AS_REVOKE,
    CappottoTest,
    DeclarationScored,
    DeclarationSpecify,
    DeclarationWindow,
    DrawOrder,
    DrawVisibility,
    FollowSuit,
    IllegalPlay,
    RevokeDeclarations,
    SideScheme,
    SignalTruth,
    SignalWho,
    format_option,
)

if TYPE_CHECKING:
    from arena.rules.ruleset import Ruleset

_DECK = 40
_TWO_SEATS = 2
_FOUR_SEATS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two options that cannot stand together."""

    keys: tuple[str, str]
    is_broken: "Callable[[Ruleset], bool]"
    why: str


OFFERED: Final = {
    "seats": (_TWO_SEATS, _FOUR_SEATS),
    "monte": (0,),
    "must_beat": (False,),
}
"""Options of which only some values are offered yet, though their type allows more."""

RANGES: Final = {
    "hand_size": (1, 20),
    "stock": (0, 38),
    "last_trick_thirds": (0, 99),
    "target": (1, 9999),
    "decl_napoletana": (0, 99),
    "decl_three": (0, 99),
    "decl_four": (0, 99),
    "revoke_points": (0, 99),
    "revoke_own_points": (-99, 99),
    "cappotto_bonus": (0, 99),
    "max_deals": (1, 9999),
}
"""Least and greatest value of every number that is not in ``OFFERED``."""

_INFRACTION_RANGE: Final = (-99, 0)

CONTRADICTIONS: Final = (
    Contradiction(
        keys=("seats", "sides"),
        is_broken=lambda r: (r.seats == _TWO_SEATS) != (r.sides is SideScheme.EACH_ALONE),
        why="two seats play each alone, four play in opposite pairs",
    ),
    Contradiction(
        keys=("seats", "stock"),
        is_broken=lambda r: r.seats == _FOUR_SEATS and r.stock > 0,
        why="a stock is for two seats",
    ),
    Contradiction(
        keys=("hand_size", "stock"),
        is_broken=lambda r: r.seats * r.hand_size + r.stock != _DECK,
        why="the hands of all seats and the stock must make 40 cards",
    ),
    Contradiction(
        keys=("hand_size", "deal_packets"),
        is_broken=lambda r: r.deal_packets != () and sum(r.deal_packets) != r.hand_size,
        why="the packets must add up to a hand",
    ),
    Contradiction(
        keys=("stock", "draw_order"),
        is_broken=lambda r: (r.stock > 0) != (r.draw_order is not DrawOrder.NONE),
        why="a stock is drawn from in some order, and only a stock is",
    ),
    Contradiction(
        keys=("stock", "draw_visibility"),
        is_broken=lambda r: (r.stock > 0) != (r.draw_visibility is not DrawVisibility.NONE),
        why="drawn cards are seen by somebody, and only a stock is drawn from",
    ),
    Contradiction(
        keys=("stock", "follow_suit"),
        is_broken=lambda r: r.stock == 0 and r.follow_suit is FollowSuit.WHEN_STOCK_EMPTY,
        why="without a stock suit is always followed",
    ),
    Contradiction(
        keys=("declarations", "decl_window"),
        is_broken=lambda r: r.declarations != (r.decl_window is not DeclarationWindow.NONE),
        why="combinations are declared within a window, and only where declarations are on",
    ),
    Contradiction(
        keys=("declarations", "decl_specify"),
        is_broken=lambda r: r.declarations and r.decl_specify is DeclarationSpecify.NONE,
        why="a claim must say its suit at some time",
    ),
    Contradiction(
        keys=("declarations", "decl_scored"),
        is_broken=lambda r: not r.declarations and r.decl_scored is DeclarationScored.IMMEDIATELY,
        why="nothing is declared that could be scored",
    ),
    Contradiction(
        keys=("signals", "signal_who"),
        is_broken=lambda r: (r.signals != ()) != (r.signal_who is not SignalWho.NOBODY),
        why="words are said by somebody, and somebody only speaks where there are words",
    ),
    Contradiction(
        keys=("signals", "signal_truth"),
        is_broken=lambda r: r.signals == () and r.signal_truth is SignalTruth.CHECKED,
        why="there are no words to check",
    ),
    Contradiction(
        keys=("sides", "signals"),
        is_broken=lambda r: r.signals != () and r.sides is SideScheme.EACH_ALONE,
        why="words are for partners",
    ),
    Contradiction(
        keys=("illegal_play", "revoke_points"),
        is_broken=lambda r: r.revoke_points != 0 and not _can_revoke(r),
        why="nothing ends a deal as a revoke",
    ),
    Contradiction(
        keys=("illegal_play", "revoke_own_points"),
        is_broken=lambda r: r.revoke_own_points != 0 and not _can_revoke(r),
        why="nothing ends a deal as a revoke",
    ),
    Contradiction(
        keys=("illegal_play", "revoke_declarations"),
        is_broken=lambda r: (
            r.revoke_declarations is not RevokeDeclarations.NONE and not _can_revoke(r)
        ),
        why="nothing ends a deal as a revoke",
    ),
    Contradiction(
        keys=("infraction_points", "revoke_points"),
        is_broken=lambda r: r.infraction_points == AS_REVOKE and not _costs(r),
        why="an infraction that counts as a revoke must cost something",
    ),
    Contradiction(
        keys=("illegal_play", "revoke_points"),
        is_broken=lambda r: r.illegal_play is IllegalPlay.REVOKE and not _costs(r),
        why="a revoke must cost something",
    ),
    Contradiction(
        keys=("cappotto_bonus", "cappotto_test"),
        is_broken=lambda r: (
            r.cappotto_bonus == 0 and r.cappotto_test is not CappottoTest.ALL_TRICKS
        ),
        why="without a bonus there is nothing to test for",
    ),
)
"""Every contradictory pair; a pair stands twice where it can go wrong for two reasons."""


def check_consistency(ruleset: "Ruleset") -> None:
    """Refuse a ruleset that cannot be played; see :class:`arena.rules.ruleset.Ruleset`."""
    _check_values(ruleset)
    for pair in CONTRADICTIONS:
        if pair.is_broken(ruleset):
            first, second = (f"{key}={format_option(getattr(ruleset, key))}" for key in pair.keys)
            raise RulesetError(f"{first} contradicts {second}: {pair.why}")


def _check_values(ruleset: "Ruleset") -> None:
    for key, offered in OFFERED.items():
        value = getattr(ruleset, key)
        if value not in offered:
            raise RulesetError(
                f"{key}={format_option(value)} is not offered; offered: "
                + ", ".join(map(format_option, offered))
            )
    for key, (least, greatest) in RANGES.items():
        _check_range(key, getattr(ruleset, key), least, greatest)
    for packet in ruleset.deal_packets:
        _check_range("deal_packets", packet, *RANGES["hand_size"])
    penalty = ruleset.infraction_points
    if isinstance(penalty, int):
        _check_range("infraction_points", penalty, *_INFRACTION_RANGE)
    elif penalty != AS_REVOKE:
        raise RulesetError(
            f"infraction_points={penalty} is not allowed; allowed: a number from "
            f"{_INFRACTION_RANGE[0]} to {_INFRACTION_RANGE[1]}, or {AS_REVOKE}"
        )


def _check_range(key: str, value: int, least: int, greatest: int) -> None:
    if not least <= value <= greatest:
        raise RulesetError(f"{key}={value} is not allowed; allowed: {least} to {greatest}")


def _can_revoke(ruleset: "Ruleset") -> bool:
    return ruleset.illegal_play is IllegalPlay.REVOKE or ruleset.infraction_points == AS_REVOKE


def _costs(ruleset: "Ruleset") -> bool:
    return ruleset.revoke_points > 0 or ruleset.revoke_own_points < 0
