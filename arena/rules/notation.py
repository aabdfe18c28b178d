"""Cards, hands and deals as text, both ways.

Owns the one canonical notation. Must not know rulesets' text form (presets) or the wire.

A card is a suit letter (D coins, C cups, S swords, B clubs) and a rank letter
(A 2 3 4 5 6 7 J H K), for instance ``D3``. On input only, and only as the rank, ``F`` and
``8`` also stand for J, ``9`` for H, ``R`` and ``10`` for K, ``1`` for A.

A list of cards is cards between blanks: ``D3 C7 BA``.

A deal is the hands of seats 0, 1, ... between bars and, where there is a stock, a slash
and the stock, top first: ``D3 C7 | S4 BA | ...`` or ``D3 C7 | S4 BA / B2 D5``. Blanks and
line ends are alike. Hands are kept in the order written.
Source: rules.md §0.
"""

from collections.abc import Iterable
from typing import Final

from arena.counted import counted
from arena.errors import NotationError
from arena.rules.cards import CARDS, RANK_LETTERS, SUIT_LETTERS, Card
from arena.rules.dealing import DealtCards
from arena.rules.ruleset import Ruleset

_BY_NAME: Final = {card.name: card for card in CARDS}
_RANK_ALIASES: Final = {"F": "J", "8": "J", "9": "H", "R": "K", "10": "K", "1": "A"}
_INPUT: Final = _BY_NAME | {
    suit + alias: _BY_NAME[suit + rank]
    for suit in SUIT_LETTERS
    for alias, rank in _RANK_ALIASES.items()
}


def parse_card(text: str) -> Card:
    """Read one card.

    Raises:
        NotationError: when the text is not a card.
    """
    try:
        return _INPUT[text]
    except KeyError:
        raise NotationError(
            f"{text!r} is not a card: write a suit ({' '.join(SUIT_LETTERS)}) and a rank "
            f"({' '.join(RANK_LETTERS)}), for instance D3"
        ) from None


def format_card(card: Card) -> str:
    """Write one card, for instance ``D3``."""
    return card.name


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards between blanks, in the order written.

    Raises:
        NotationError: when a word is not a card, naming its place.
    """
    cards = []
    for place, word in enumerate(text.split(), start=1):
        try:
            cards.append(parse_card(word))
        except NotationError as error:
            raise NotationError(f"card {place}: {error}") from None
    return tuple(cards)


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards between single blanks, in the order given."""
    return " ".join(card.name for card in cards)


def parse_deal(text: str, ruleset: Ruleset) -> DealtCards:
    """Read a whole deal of a ruleset.

    Raises:
        NotationError: when a hand or the stock is missing, of the wrong size, or not cards,
            or when a card is there twice; it names the seat.
    """
    table, _, rest = text.partition("/")
    parts = table.split("|")
    if len(parts) != ruleset.seats:
        raise NotationError(
            f"{len(parts)} hands: a deal of {ruleset.name} has {ruleset.seats}, separated by |"
        )
    hands = tuple(
        _parse_part(part, f"seat {seat}", ruleset.hand_size) for seat, part in enumerate(parts)
    )
    stock = _parse_part(rest, "stock", ruleset.stock)
    owner: dict[Card, str] = {}
    named = [(f"seat {seat}", hand) for seat, hand in enumerate(hands)]
    for place, cards in (*named, ("stock", stock)):
        for card in cards:
            if card in owner:
                raise NotationError(
                    f"{place}: {card} is already with {owner[card]}; every card is there once"
                )
            owner[card] = place
    return DealtCards(hands, stock)


def format_deal(dealt: DealtCards) -> str:
    """Write a whole deal on one line; :func:`parse_deal` reads it back."""
    table = " | ".join(map(format_cards, dealt.hands))
    return f"{table} / {format_cards(dealt.stock)}" if dealt.stock else table


def _parse_part(text: str, place: str, size: int) -> tuple[Card, ...]:
    try:
        cards = parse_cards(text)
    except NotationError as error:
        raise NotationError(f"{place}, {error}") from None
    if len(cards) != size:
        raise NotationError(f"{place}: {counted(len(cards), 'card')}; it has {size}")
    return cards
