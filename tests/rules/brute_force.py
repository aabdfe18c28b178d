"""Tressette a second time, as plainly as can be: strings, tuples and no engine.

Shares nothing with ``arena.rules``, so that a mistake there cannot hide here too. Cards are
strings like ``D3``; points are thirds. Slow on purpose.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

WEAK_TO_STRONG = "4567JHKA23"
THIRDS = {"A": 3, "2": 1, "3": 1, "K": 1, "H": 1, "J": 1, "7": 0, "6": 0, "5": 0, "4": 0}

FREE_WHILE_STOCK_LASTS = {"gamelake-2"}
"""The presets in which suit need not be followed while there is a stock."""


@dataclass(frozen=True)
class Table:
    """A position: hands by seat, the stock (top first), and the trick in progress."""

    preset: str
    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    leader: int
    trick: tuple[str, ...] = ()
    won: tuple[int, int] = (0, 0)
    """Thirds of seats 0, 2, ... and of seats 1, 3, ..."""


def legal(table: Table) -> list[str]:
    """List what the seat to play may play."""
    hand = table.hands[turn(table)]
    is_free = table.preset in FREE_WHILE_STOCK_LASTS and len(table.stock) > 0
    if table.trick and not is_free:
        same_suit = [card for card in hand if card[0] == table.trick[0][0]]
        if same_suit:
            return same_suit
    return list(hand)


def turn(table: Table) -> int:
    """Return the seat to play."""
    return (table.leader + len(table.trick)) % len(table.hands)


def play(table: Table, card: str) -> Table:
    """Return the position after a card."""
    hands = list(table.hands)
    seat = turn(table)
    hands[seat] = tuple(other for other in hands[seat] if other != card)
    table = replace(table, hands=tuple(hands), trick=(*table.trick, card))
    if len(table.trick) < len(hands):
        return table
    best = 0
    for place, other in enumerate(table.trick):
        strength = WEAK_TO_STRONG.index(other[1])
        is_better = strength > WEAK_TO_STRONG.index(table.trick[best][1])
        if other[0] == table.trick[0][0] and is_better:
            best = place
    winner = (table.leader + best) % len(hands)
    gain = sum(THIRDS[other[1]] for other in table.trick)
    stock = list(table.stock)
    if stock:
        for step in range(len(hands)):
            drawer = (winner + step) % len(hands)
            hands[drawer] = (*hands[drawer], stock.pop(0))
    if not any(hands):
        gain += 3
    won = list(table.won)
    won[winner % 2] += gain
    return replace(
        table,
        hands=tuple(hands),
        stock=tuple(stock),
        leader=winner,
        trick=(),
        won=(won[0], won[1]),
    )


def count(table: Table, plays: int) -> int:
    """Count the sequences of so many plays."""
    if plays == 0 or not any(table.hands):
        return 1
    return sum(count(play(table, card), plays - 1) for card in legal(table))


def endings(table: Table) -> Iterator[tuple[int, int]]:
    """Give the thirds of both sides at the end of every way to play on."""
    if not any(table.hands):
        yield table.won
        return
    for card in legal(table):
        yield from endings(play(table, card))
