"""Whether the cards of a log follow from its seed.

Owns finding the seed that a log's head commits to, and the comparison. Must not know where
seeds are kept. Source: design.md §6 ("Deals", "Commitment").
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from arena.errors import RulesError
from arena.record.read import MatchRecord
from arena.record.rerun import Difference
from arena.record.walk import line_text
from arena.referee.fairness import commitment
from arena.rules.dealing import deal_board
from arena.rules.events import DealStarted


class DealProof(StrEnum):
    """What can be said of where the cards come from."""

    PROVEN = "every deal follows from the seed that was committed to"
    WRONG = "a deal does not follow from the seed"
    NOT_YET = "deal not yet provable: the seed is not revealed"
    NO_SEED = "the log commits to no seed"


def seed_of(record: MatchRecord, seeds: Iterable[bytes]) -> bytes | None:
    """Pick the seed that the log's head commits to; None where it is not there."""
    published = record.header.commitment
    return next((seed for seed in seeds if commitment(seed).hex() == published), None)


def check_deals(record: MatchRecord, seed: bytes) -> Iterator[Difference]:
    """Deal every board of a log anew; the first deal that differs ends it."""
    ruleset = record.header.ruleset
    for line in record.lines:
        event = line.event
        if not isinstance(event, DealStarted):
            continue
        try:
            dealt = deal_board(ruleset, seed, event.board)
        except RulesError as error:
            expected = str(error)
        else:
            if (dealt.hands, dealt.stock) == (event.hands, event.stock):
                continue
            hands = " | ".join(" ".join(map(str, hand)) for hand in dealt.hands)
            expected = f"board {event.board} dealt from the seed: {hands}"
        yield Difference(
            file=str(record.path), seq=line.seq, expected=expected, found=line_text(line.raw)
        )
        return
