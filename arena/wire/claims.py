"""Claims as messages, both ways.

Owns the shape of a claim: which of suit and rank each kind carries. Whether a claim is
true, in time or worth anything is for the rules. Source: rules.md §2 (c, d), §3 row 8.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from arena.errors import ProtocolViolation
from arena.rules.cards import Rank
from arena.rules.events import Claim, ClaimKind
from arena.v1 import seat_pb2
from arena.wire.enums import CLAIM_KINDS, RANKS, SUITS

CLAIMS: Final = 19
"""Different claims: 4 napoletane, 12 threes (by rank and missing suit) and 3 fours."""
CLAIM_RANKS: Final = (Rank.ACE, Rank.TWO, Rank.THREE)
"""The ranks of which three or four can be declared."""

_SHAPES: Final[Mapping[ClaimKind, tuple[bool, bool]]] = MappingProxyType(
    {
        ClaimKind.NAPOLETANA: (True, False),
        ClaimKind.THREE: (True, True),
        ClaimKind.FOUR: (False, True),
    }
)
"""Whether a kind of claim has a suit and a rank."""


class NoClaim(ProtocolViolation):  # says what the message is not
    """A message of well-formed fields that together are no claim."""


def fill_claim(wire: seat_pb2.Claim, claim: Claim) -> None:
    """Write a claim into an empty message."""
    wire.kind = CLAIM_KINDS.number[claim.kind]
    if claim.suit is not None:
        wire.suit = SUITS.number[claim.suit]
    if claim.rank is not None:
        wire.rank = RANKS.number[claim.rank]


def decode_claim(wire: seat_pb2.Claim) -> Claim:
    """Read a claim.

    Raises:
        NoClaim: It is no combination that exists.
        ProtocolViolation: A number of a closed set has no value.
    """
    if not wire.kind:
        raise NoClaim("a claim needs a kind: napoletana, three or four")
    kind = CLAIM_KINDS.decode(wire.kind)
    claim = Claim(kind=kind, suit=SUITS.optional(wire.suit), rank=RANKS.optional(wire.rank))
    check_claim(claim)
    return claim


def decode_claims(wires: Sequence[seat_pb2.Claim]) -> tuple[Claim, ...]:
    """Read claims in their order.

    Raises:
        NoClaim: One is no combination that exists, or they are more than exist.
        ProtocolViolation: A number of a closed set has no value.
    """
    if len(wires) > CLAIMS:
        raise NoClaim(f"{len(wires)} claims; there are only {CLAIMS} different ones")
    return tuple(map(decode_claim, wires))


def check_claim(claim: Claim) -> None:
    """See that a claim has exactly the suit and rank that its kind needs.

    Raises:
        NoClaim: It has not.
    """
    has_suit, has_rank = _SHAPES[claim.kind]
    for name, value, is_needed in (
        ("suit", claim.suit, has_suit),
        ("rank", claim.rank, has_rank),
    ):
        if is_needed and value is None:
            raise NoClaim(f"a claim of {claim.kind} needs a {name}")
        if not is_needed and value is not None:
            raise NoClaim(
                f"a claim of {claim.kind} has no {name}, this one has {value.name.lower()}"
            )
    if claim.rank is not None and claim.rank not in CLAIM_RANKS:
        raise NoClaim(
            f"a claim of {claim.kind} cannot be of rank {claim.rank.name.lower()}; "
            "allowed are ace, two and three"
        )
