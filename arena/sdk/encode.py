"""What a seat knows as one flat array of bytes, for programs that learn.

Owns the layout, which :mod:`arena.rl` fills by other means: a policy trained there reads the
same numbers here. No numpy: ``numpy.frombuffer(encode(view), dtype=numpy.uint8)`` makes the
array. Must not know how it is used.

Every place is one byte. Planes have a place a card, along the number line (``D4`` = 0, ...,
``B3`` = 39), and hold 0 or 1. Seats are told from the one that looks: 0 = itself, 1 = the next
in turn order, and so on; at a table of two, seats 2 and 3 stay 0.

================  ======  ======================================================
from              places  what
================  ======  ======================================================
``HAND``          40      the seat's own cards
``KNOWN``         4 x 40  by seat: cards that the rules made public and it still holds
``PLAYED``        4 x 40  by seat: cards that it has played in this deal
``TABLE``         40      the cards of the trick in progress
``LED``           4       1 at the suit led; all 0 when this seat leads
``LEADER``        4       1 at the seat that leads the trick in progress
``VOIDS``         4 x 4   by seat and suit: 1 where it showed that it holds none
``THIRDS``        2       thirds won so far in this deal: own side, other side
``STOCK``         1       cards left in the stock
================  ======  ======================================================

Not in it: the totals of the match, words, and which declaration made a card known.
"""

from typing import TYPE_CHECKING, Final

from arena.rules.cards import DECK_SIZE, Suit

if TYPE_CHECKING:
    from arena.sdk.view import View

SEATS: Final = 4
"""Seats that the layout has room for."""

HAND: Final = 0
KNOWN: Final = HAND + DECK_SIZE
PLAYED: Final = KNOWN + SEATS * DECK_SIZE
TABLE: Final = PLAYED + SEATS * DECK_SIZE
LED: Final = TABLE + DECK_SIZE
LEADER: Final = LED + len(Suit)
VOIDS: Final = LEADER + SEATS
THIRDS: Final = VOIDS + SEATS * len(Suit)
STOCK: Final = THIRDS + 2
SIZE: Final = STOCK + 1
"""Bytes of an encoded view."""


def encode(view: "View") -> bytes:
    """Return what a view shows as ``SIZE`` bytes in the layout of this module."""
    places = bytearray(SIZE)
    seats, me = view.seats, view.seat
    for card in view.hand:
        places[HAND + card - 1] = 1
    for seat, cards in enumerate(view.known_cards):
        plane = KNOWN + (seat - me) % seats * DECK_SIZE - 1
        for card in cards:
            places[plane + card] = 1
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    for leader, cards in (*tricks, (view.leader, view.trick)):
        for place, card in enumerate(cards):
            seat = (leader + place - me) % seats
            places[PLAYED + seat * DECK_SIZE + card - 1] = 1
    for card in view.trick:
        places[TABLE + card - 1] = 1
    if view.led is not None:
        places[LED + view.led] = 1
    places[LEADER + (view.leader - me) % seats] = 1
    for seat, suits in enumerate(view.voids):
        for suit in suits:
            places[VOIDS + (seat - me) % seats * len(Suit) + suit] = 1
    places[THIRDS : THIRDS + 2] = view.thirds[view.side], view.thirds[1 - view.side]
    places[STOCK] = view.stock_size
    return bytes(places)
