"""Cards, suits, ranks, and sets of cards as bit masks.

Owns the one number line of the project: a card is a number from 1 (``D4``) to 40
(``B3``), ordered by suit (D C S B) and within a suit by strength (4 5 6 7 J H K A 2 3),
so that of two cards of one suit the greater number wins the trick. The wire uses the
same numbers, so no card is ever 0 or false. Must not know rulesets or deals.
Source: rules.md §0-1; GL "The deck and the card order", CZ §2, IT ¶1.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

DECK_SIZE: Final = 40
SUIT_SIZE: Final = 10


class Suit(IntEnum):
    """A suit of the Italian deck, in the order of the number line."""

    COINS = 0
    CUPS = 1
    SWORDS = 2
    CLUBS = 3

    @property
    def letter(self) -> str:
        """The suit's letter in notation: D, C, S or B."""
        return SUIT_LETTERS[self]


class Rank(IntEnum):
    """A rank; its value is its strength within a suit, from FOUR to THREE."""

    FOUR = 0
    FIVE = 1
    SIX = 2
    SEVEN = 3
    JACK = 4
    HORSE = 5
    KING = 6
    ACE = 7
    TWO = 8
    THREE = 9

    @property
    def letter(self) -> str:
        """The rank's letter in notation: 4 5 6 7 J H K A 2 or 3."""
        return RANK_LETTERS[self]


SUIT_LETTERS: Final = "DCSB"
RANK_LETTERS: Final = "4567JHKA23"


class Card(IntEnum):
    """One card; its value is its place on the number line (and on the wire)."""

    D4 = 1
    D5 = 2
    D6 = 3
    D7 = 4
    DJ = 5
    DH = 6
    DK = 7
    DA = 8
    D2 = 9
    D3 = 10
    C4 = 11
    C5 = 12
    C6 = 13
    C7 = 14
    CJ = 15
    CH = 16
    CK = 17
    CA = 18
    C2 = 19
    C3 = 20
    S4 = 21
    S5 = 22
    S6 = 23
    S7 = 24
    SJ = 25
    SH = 26
    SK = 27
    SA = 28
    S2 = 29
    S3 = 30
    B4 = 31
    B5 = 32
    B6 = 33
    B7 = 34
    BJ = 35
    BH = 36
    BK = 37
    BA = 38
    B2 = 39
    B3 = 40

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return SUIT_OF[self]

    @property
    def rank(self) -> Rank:
        """The card's rank."""
        return RANK_OF[self]

    @property
    def thirds(self) -> int:
        """What the card is worth, in thirds of a point: ace 3; 2, 3 and faces 1; else 0."""
        return THIRDS[self]

    def __str__(self) -> str:
        """The card in notation, for instance ``D3``."""
        return self.name

    __repr__ = __str__


CARDS: Final[tuple[Card, ...]] = tuple(Card)
"""The forty cards along the number line; also the deck's order before shuffling."""

# Tables indexed by card number; place 0 is never read.
SUIT_OF: Final[tuple[Suit, ...]] = (
    Suit.COINS,
    *(Suit((card - 1) // SUIT_SIZE) for card in CARDS),
)
RANK_OF: Final[tuple[Rank, ...]] = (
    Rank.FOUR,
    *(Rank((card - 1) % SUIT_SIZE) for card in CARDS),
)
THIRDS: Final[tuple[int, ...]] = (0, *((0, 0, 0, 0, 1, 1, 1, 3, 1, 1) * len(Suit)))

CardSet = int
"""A set of cards as an integer: bit *n* is set when card number *n* is in the set."""

FULL_DECK: Final[CardSet] = sum(1 << card for card in CARDS)
SUIT_CARDS: Final[tuple[CardSet, ...]] = tuple(
    ((1 << SUIT_SIZE) - 1) << (1 + SUIT_SIZE * suit) for suit in Suit
)
"""All cards of a suit, by suit."""

# For each suit and each of its 1,024 subsets (bit 0 = the four), the cards in it.
_COINS, _CUPS, _SWORDS, _CLUBS = (
    tuple(
        tuple(CARDS[SUIT_SIZE * suit + i] for i in range(SUIT_SIZE) if bits >> i & 1)
        for bits in range(1 << SUIT_SIZE)
    )
    for suit in Suit
)


def cards_of(cards: CardSet) -> tuple[Card, ...]:
    """List the cards of a set in the order of the number line."""
    return (
        _COINS[cards >> 1 & 1023]
        + _CUPS[cards >> 11 & 1023]
        + _SWORDS[cards >> 21 & 1023]
        + _CLUBS[cards >> 31]
    )


def set_of(cards: Iterable[Card]) -> CardSet:
    """Put cards into a set; a card named twice is in it once."""
    result = 0
    for card in cards:
        result |= 1 << card
    return result
