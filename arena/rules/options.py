"""The closed sets of a ruleset's options, and how one option is written as text.

Owns one enum per parameter that is not a number. A set names what is offered: a value of
``rules.md`` §4 that is not here is refused. Must not know which preset uses what.
Source: rules.md §3-4.
"""

from enum import Enum, StrEnum
from typing import Final


class SideScheme(StrEnum):
    """Which seats score together."""

    OPPOSITE = "opposite"
    EACH_ALONE = "each_alone"


class Direction(StrEnum):
    """How the table is drawn; never enters the engine."""

    UNSTATED = "unstated"
    CLOCKWISE = "cw"
    COUNTER_CLOCKWISE = "ccw"


class Dealer(StrEnum):
    """Who deals: a seat, or a judge who does not play (IT ¶2)."""

    PLAYER = "player"
    EXTERNAL_JUDGE = "external_judge"


class FirstLeader(StrEnum):
    """Who leads the first trick of a deal."""

    NEXT_AFTER_DEALER = "next_after_dealer"


class LeaderRotation(StrEnum):
    """How the leader changes from deal to deal."""

    ADVANCE_ONE = "advance_one"


class FollowSuit(StrEnum):
    """When a seat must follow the suit led."""

    ALWAYS = "always"
    WHEN_STOCK_EMPTY = "when_stock_empty"


class DrawOrder(StrEnum):
    """Who draws first from the stock after a trick."""

    NONE = "none"
    WINNER_FIRST = "winner_first"


class DrawVisibility(StrEnum):
    """Who sees a drawn card."""

    NONE = "none"
    OWNER_ONLY = "owner_only"
    PUBLIC = "public"


class Rounding(StrEnum):
    """How thirds become points."""

    FLOOR_PER_SIDE = "floor_per_side"


class RemainderTo(StrEnum):
    """Who gets the thirds that rounding drops."""

    NOBODY = "nobody"


class Goal(StrEnum):
    """Whether most or fewest points win."""

    MOST = "most"


class MatchEndCheck(StrEnum):
    """When the target is looked at."""

    END_OF_DEAL = "end_of_deal"


class BothReached(StrEnum):
    """What happens when both sides reach the target in one deal."""

    HIGHER_WINS_EQUAL_REDEAL = "higher_wins_equal_redeal"
    EXTRA_DEAL_THEN_HIGHER_TOTAL = "extra_deal_then_higher_total"


class DeclarationWindow(StrEnum):
    """Until when a combination may be declared."""

    NONE = "none"
    BEFORE_OWN_CARD = "before_own_card"
    OWN_FIRST_TURN = "own_first_turn"
    END_OF_FIRST_TRICK = "end_of_first_trick"


class DeclarationBasis(StrEnum):
    """Which cards a combination is looked for in."""

    DEALT_HAND = "dealt_hand"


class DeclarationSpecify(StrEnum):
    """When a claim's suit, or missing suit, becomes known."""

    NONE = "none"
    ON_REQUEST = "on_request"
    ALWAYS = "always"
    CARDS_SHOWN_OR_NAMED = "cards_shown_or_named"


class DeclarationScored(StrEnum):
    """When declared points enter the totals."""

    END_OF_DEAL = "end_of_deal"
    IMMEDIATELY = "immediately"


class Signal(StrEnum):
    """A word between partners. Source: CZ §5, IT ¶4."""

    BUSSO = "busso"
    STRISCIO = "striscio"
    VOLO = "volo"
    LISCIO = "liscio"
    PIOMBO = "piombo"


class SignalWho(StrEnum):
    """Who may signal."""

    NOBODY = "nobody"
    LEADER = "leader"
    ANYONE = "anyone"


class SignalTruth(StrEnum):
    """Whether a word must be true."""

    UNCHECKED = "unchecked"
    CHECKED = "checked"


class IllegalPlay(StrEnum):
    """What a held card of another suit is when the seat could follow."""

    REJECT = "reject"
    REVOKE = "revoke"


class RevokeDeclarations(StrEnum):
    """Whose declared points count in a deal ended by a revoke."""

    NONE = "none"
    INNOCENT_KEEPS = "innocent_keeps"


class CappottoTest(StrEnum):
    """What counts as a sweep."""

    ALL_TRICKS = "all_tricks"
    ALL_POINTS = "all_points"


class AnnulWeakHand(StrEnum):
    """Whether a worthless hand may cancel the deal."""

    OFF = "off"


class Auction(StrEnum):
    """Whether seats bid before the play."""

    NONE = "none"


AS_REVOKE: Final = "as_revoke"
"""The value of ``infraction_points`` by which any breach ends the deal like a revoke (CZ §7)."""


def format_option(value: object) -> str:
    """Write the value of one option as it stands in a ruleset's text form."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return "+".join(map(format_option, value)) or "none"
    return str(value)
