"""Dealing: from a seed and a board number to hands and stock.

Owns the published derivation, which any language re-makes in ten lines, and who leads a
board. Must not know where seeds come from nor who may see them.
Source: design.md §6 (the derivation), §3 rows 3-4; CZ §3 and IT ¶2 (packets).
"""

import hmac
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import Final

from arena.errors import RulesError
from arena.rules.cards import CARDS, DECK_SIZE, Card
from arena.rules.options import Dealer
from arena.rules.ruleset import Ruleset

SEED_SIZE: Final = 32
"""Bytes of a seed."""

MAX_BOARD: Final = 2**32 - 1

_LABEL: Final = b"tressette deal v1"
_WORDS: Final = struct.Struct(">8I")
# For a draw below n, words from this on are skipped, so that all n outcomes are alike.
_TOO_HIGH: Final = tuple(2**32 // n * n if n else 0 for n in range(DECK_SIZE + 1))


@dataclass(frozen=True, slots=True)
class DealtCards:
    """Cards as dealt: hands by seat in dealing order, and what is left, top first.

    Raises:
        RulesError: when a card is there twice or the hands differ in size.
    """

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        sizes = [*map(len, self.hands)]
        if sizes.count(sizes[0]) != len(sizes):
            raise RulesError(f"hands of {sizes} cards: all hands must be of one size")
        cards = [*chain(*self.hands, self.stock)]
        if len(set(cards)) != len(cards):
            twice = next(card for card in cards if cards.count(card) > 1)
            raise RulesError(f"{twice} is dealt twice: every card is there once")


def seed_from_text(text: str) -> bytes:
    """Return the seed that a practice text stands for: SHA-256 of its UTF-8."""
    return sha256(text.encode()).digest()


def shuffled_deck(seed: bytes, board: int) -> tuple[Card, ...]:
    """Return the whole deck of a board, in the order in which it is dealt.

    Raises:
        RulesError: when the seed is not 32 bytes or the board not from 1 to 2**32 - 1.
    """
    if len(seed) != SEED_SIZE:
        raise RulesError(f"a seed of {len(seed)} bytes: a seed has {SEED_SIZE}")
    if not 1 <= board <= MAX_BOARD:
        raise RulesError(f"board {board}: boards are numbered from 1 to {MAX_BOARD}")
    deck = list(CARDS)
    words = _stream(seed, board)
    for last in range(DECK_SIZE - 1, 0, -1):
        count = last + 1
        too_high = _TOO_HIGH[count]
        word = next(words)
        while word >= too_high:
            word = next(words)
        other = word % count
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def give(deck: Sequence[Card], *, seats: int, packets: Sequence[int], leader: int) -> DealtCards:
    """Give packets from the front of a deck, from the leader on in turn order; keep the rest."""
    hands: list[tuple[Card, ...]] = [()] * seats
    place = 0
    for packet in packets:
        for turn in range(leader, leader + seats):
            hands[turn % seats] += tuple(deck[place : place + packet])
            place += packet
    return DealtCards(tuple(hands), tuple(deck[place:]))


def distribute(ruleset: Ruleset, deck: Sequence[Card], leader: int) -> DealtCards:
    """Deal a shuffled deck by a ruleset's packets to a table where ``leader`` leads."""
    packets = ruleset.deal_packets or (ruleset.hand_size,)
    return give(deck, seats=ruleset.seats, packets=packets, leader=leader)


def leader_of_board(ruleset: Ruleset, board: int) -> int:
    """Return the seat that leads trick 1 of a board; boards count from 1."""
    return (board - 1) % ruleset.seats


def dealer_of(ruleset: Ruleset, leader: int) -> int | None:
    """Return the seat that deals to a leader: the one before it; None = the judge (IT ¶2)."""
    if ruleset.dealer is Dealer.EXTERNAL_JUDGE:
        return None
    return (leader - 1) % ruleset.seats


def deal_board(ruleset: Ruleset, seed: bytes, board: int) -> DealtCards:
    """Deal a board from its seed: shuffle, then distribute to the board's own leader."""
    return distribute(ruleset, shuffled_deck(seed, board), leader_of_board(ruleset, board))


def _stream(seed: bytes, board: int) -> Iterator[int]:
    block = 0
    while True:
        message = _LABEL + struct.pack(">II", board, block)
        yield from _WORDS.unpack(hmac.digest(seed, message, "sha256"))
        block += 1
