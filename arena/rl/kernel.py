"""The play of deals on arrays, compiled by numba.

Owns one deal as a record of numbers (``DEAL``), what of a ruleset bears on its play
(``Rules``), and the loops over many. Cards are places from 0 to 39 on the number line, sets of
cards are bits of a signed 64-bit integer, sides are ``seat % 2``. Nothing here checks its
input; :mod:`arena.rl.deals` does. Must not know the classes of :mod:`arena.rules`: tests hold
the two against each other.
Source: rules.md §1, §2b and §5, as in arena/rules/deal.py and scoring.py.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.rules.cards import CARDS, DECK_SIZE, SUIT_SIZE
from arena.sdk.encode import HAND, KNOWN, LEADER, LED, PLAYED, SEATS, STOCK, TABLE, THIRDS, VOIDS

DEAL: Final = np.dtype(
    [
        ("chance", np.uint64),  # the state of this deal's random numbers
        ("hands", np.int64, SEATS),
        ("known", np.int64, SEATS),  # held, and seen by all when it was drawn
        ("played", np.int64, SEATS),
        ("table", np.int64),
        ("stock", np.uint8, DECK_SIZE),  # top first
        ("drawn", np.int16),  # how many of the stock are gone
        ("stock_size", np.int16),  # how many are left
        ("first", np.int16),  # who leads the deal
        ("turn", np.int16),
        ("leader", np.int16),
        ("on_table", np.int16),  # how many cards
        ("best", np.int16),  # the card that wins the trick so far
        ("best_seat", np.int16),
        ("is_over", np.int16),
        ("pile", np.int16),  # thirds on the table
        ("thirds", np.int16, 2),
        ("tricks", np.int16, 2),
        ("voids", np.uint8, SEATS),  # bits by suit
    ],
    align=True,
)
"""One deal in progress."""

_LED_NOTHING: Final = -1
_THIRDS: Final = np.array([card.thirds for card in CARDS], dtype=np.int16)
_SUIT: Final = (1 << SUIT_SIZE) - 1
_EVERY_CARD: Final = (1 << DECK_SIZE) - 1
_THIRDS_PER_POINT: Final = 3
# SplitMix64: a step and two mixers. Source: Steele, Lea, Flood, "Fast Splittable
# Pseudorandom Number Generators" (2014).
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_AGAIN: Final = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = (np.uint64(bits) for bits in (30, 27, 31, 32))


class Rules(NamedTuple):
    """What of a ruleset bears on the play of one deal."""

    seats: int
    always_follow: bool
    public_draws: bool
    last_trick_thirds: int
    sweep_bonus: int
    sweep_by_points: bool
    """Whether a sweep is all points (else all tricks)."""
    places: NDArray[np.int8]
    """By place in the deck: who gets the card, counted from the leader; -1 = the stock."""


Deals = NDArray[np.void]
"""Records of ``DEAL``."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile a function at its first call, and keep what the type checker knows of it."""
    return cast("_Function", njit(function))


@compiled
def _draw_below(deal: Any, count: int) -> np.int64:
    """Return a number from 0 to count - 1; uneven by less than one in 2**26."""
    deal.chance += _STEP
    mixed = deal.chance
    mixed = (mixed ^ (mixed >> _30)) * _MIX
    mixed = (mixed ^ (mixed >> _27)) * _MIX_AGAIN
    mixed ^= mixed >> _31
    return np.int64(((mixed >> _32) * np.uint64(count)) >> _32)


@compiled
def _must_follow(rules: Rules, deal: Any) -> bool:
    return rules.always_follow or bool(deal.stock_size == 0)


@compiled
def _suit_led(deal: Any) -> int:
    # The best card of a trick is always one of the suit led.
    suit: int = deal.best // SUIT_SIZE if deal.on_table else _LED_NOTHING
    return suit


@compiled
def legal_bits(rules: Rules, deal: Any) -> int:
    """Return the cards that may be played now; none once the deal is over."""
    hand: int = deal.hands[deal.turn]
    if deal.on_table and _must_follow(rules, deal):
        following: int = hand & (_SUIT << (SUIT_SIZE * (deal.best // SUIT_SIZE)))
        if following:
            return following
    return hand


@compiled
def start(rules: Rules, deal: Any, deck: NDArray[np.uint8], first: int) -> None:
    """Give a shuffled deck to a deal that ``first`` leads."""
    for seat in range(SEATS):
        deal.hands[seat] = 0
        deal.known[seat] = 0
        deal.played[seat] = 0
        deal.voids[seat] = 0
    deal.table = 0
    deal.stock_size = 0
    deal.drawn = 0
    for place in range(DECK_SIZE):
        offset = rules.places[place]
        if offset < 0:
            deal.stock[deal.stock_size] = deck[place]
            deal.stock_size += 1
        else:
            deal.hands[(first + offset) % rules.seats] |= np.int64(1) << deck[place]
    deal.first = deal.turn = deal.leader = deal.best_seat = first
    deal.on_table = deal.best = deal.pile = deal.is_over = 0
    for side in range(2):
        deal.thirds[side] = 0
        deal.tricks[side] = 0


@compiled
def shuffle_and_start(rules: Rules, deal: Any, first: int) -> None:
    """Deal by chance."""
    deck = np.arange(DECK_SIZE).astype(np.uint8)
    for last in range(DECK_SIZE - 1, 0, -1):
        other = _draw_below(deal, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    start(rules, deal, deck, first)


@compiled
def _play(rules: Rules, deal: Any, card: int) -> None:
    seat = deal.turn
    bit = np.int64(1) << card
    deal.hands[seat] &= ~bit
    deal.known[seat] &= ~bit
    deal.played[seat] |= bit
    deal.table |= bit
    deal.pile += _THIRDS[card]
    suit = _suit_led(deal)
    if suit == _LED_NOTHING or (card // SUIT_SIZE == suit and card > deal.best):
        deal.best = card
        deal.best_seat = seat
    elif card // SUIT_SIZE != suit and deal.stock_size == 0:
        deal.voids[seat] |= np.uint8(1 << suit)
    deal.on_table += 1
    deal.turn = (seat + 1) % rules.seats
    if deal.on_table == rules.seats:
        _end_trick(rules, deal)


@compiled
def _end_trick(rules: Rules, deal: Any) -> None:
    winner = deal.best_seat
    deal.turn = deal.leader = winner
    deal.on_table = deal.table = 0
    deal.tricks[winner % 2] += 1
    if deal.stock_size:
        for turn in range(rules.seats):
            seat = (winner + turn) % rules.seats
            bit = np.int64(1) << deal.stock[deal.drawn]
            deal.hands[seat] |= bit
            if rules.public_draws:
                deal.known[seat] |= bit
            deal.drawn += 1
            deal.stock_size -= 1
    if deal.hands[winner] == 0:
        deal.is_over = 1
        deal.pile += rules.last_trick_thirds
    deal.thirds[winner % 2] += deal.pile
    deal.pile = 0


@compiled
def _points(rules: Rules, deal: Any, side: int) -> int:
    points: int = deal.thirds[side] // _THIRDS_PER_POINT
    if rules.sweep_bonus:
        if rules.sweep_by_points:
            own, other = points, deal.thirds[1 - side] // _THIRDS_PER_POINT
        else:
            own, other = deal.tricks[side], deal.tricks[1 - side]
        if own and not other:
            points += rules.sweep_bonus
    return points


@compiled
def _spread(bits: int, places: NDArray[np.uint8] | NDArray[np.bool_]) -> None:
    for card in range(DECK_SIZE):
        places[card] = (bits >> card) & 1


@compiled
def observe(rules: Rules, deal: Any, me: int, places: NDArray[np.uint8]) -> None:
    """Write what a seat may know, in the layout of :mod:`arena.sdk.encode`."""
    places[:] = 0
    _spread(deal.hands[me], places[HAND : HAND + DECK_SIZE])
    for offset in range(rules.seats):
        seat = (me + offset) % rules.seats
        if rules.public_draws:
            plane = KNOWN + offset * DECK_SIZE
            _spread(deal.known[seat], places[plane : plane + DECK_SIZE])
        plane = PLAYED + offset * DECK_SIZE
        _spread(deal.played[seat], places[plane : plane + DECK_SIZE])
        for suit in range(4):
            places[VOIDS + offset * 4 + suit] = (deal.voids[seat] >> suit) & 1
    _spread(deal.table, places[TABLE : TABLE + DECK_SIZE])
    suit = _suit_led(deal)
    if suit != _LED_NOTHING:
        places[LED + suit] = 1
    places[LEADER + (deal.leader - me) % rules.seats] = 1
    places[THIRDS] = deal.thirds[me % 2]
    places[THIRDS + 1] = deal.thirds[1 - me % 2]
    places[STOCK] = deal.stock_size


@compiled
def show_all(
    rules: Rules,
    deals: Deals,
    observation: NDArray[np.uint8],
    legal: NDArray[np.bool_],
    turn: NDArray[np.int8],
) -> None:
    """Write what the seats to play see, their legal cards and who they are."""
    for index in range(len(deals)):
        deal = deals[index]
        turn[index] = deal.turn
        observe(rules, deal, deal.turn, observation[index])
        _spread(legal_bits(rules, deal), legal[index])


@compiled
def start_all(rules: Rules, deals: Deals) -> None:
    """Deal by chance everywhere; the lead goes round from deal to deal."""
    for index in range(len(deals)):
        shuffle_and_start(rules, deals[index], index % rules.seats)


@compiled
def _redeal(rules: Rules, deal: Any) -> None:
    shuffle_and_start(rules, deal, (deal.first + 1) % rules.seats)


@compiled
def redeal_all(rules: Rules, deals: Deals) -> None:
    """Deal by chance everywhere; the next seat leads."""
    for index in range(len(deals)):
        _redeal(rules, deals[index])


@compiled
def first_illegal(rules: Rules, deals: Deals, cards: NDArray[np.int64]) -> int:
    """Return the place of the first card that may not be played, -1 if there is none."""
    for index in range(len(deals)):
        deal = deals[index]
        if deal.is_over:
            continue
        card = cards[index]
        if not 0 <= card < DECK_SIZE or not (legal_bits(rules, deal) >> card) & 1:
            return index
    return -1


@compiled
def step_all(  # noqa: PLR0917 - compiled code knows no keywords
    rules: Rules,
    deals: Deals,
    cards: NDArray[np.int64],
    reward: NDArray[np.int16],
    done: NDArray[np.bool_],
    redeal: bool,  # noqa: FBT001
) -> None:
    """Play a card in every deal that is not over; score those that end, deal again if asked."""
    for index in range(len(deals)):
        deal = deals[index]
        reward[index, 0] = reward[index, 1] = 0
        if not deal.is_over:
            _play(rules, deal, cards[index])
            if deal.is_over:
                margin = _points(rules, deal, 0) - _points(rules, deal, 1)
                reward[index, 0] = margin
                reward[index, 1] = -margin
        done[index] = deal.is_over
        if deal.is_over and redeal:
            _redeal(rules, deal)


@compiled
def choose_all(rules: Rules, deals: Deals, chance: Deals, cards: NDArray[np.int64]) -> None:
    """Choose a legal card for every deal, each as likely as the others."""
    for index in range(len(deals)):
        bits = legal_bits(rules, deals[index])
        count = 0
        for card in range(DECK_SIZE):
            count += (bits >> card) & 1
        if not count:
            continue
        left = _draw_below(chance[index], count)
        for card in range(DECK_SIZE):
            if (bits >> card) & 1:
                if left == 0:
                    cards[index] = card
                    break
                left -= 1
