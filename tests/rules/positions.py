"""Positions and matches built for tests."""

import pickle
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from arena.rules.cards import CARDS, Card, Suit
from arena.rules.dealing import DealtCards, distribute
from arena.rules.events import Claim, ClaimKind, DealScored, GameEvent
from arena.rules.match import Match
from arena.rules.notation import parse_cards
from arena.rules.presets import parse_ruleset
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset

Kind = TypeVar("Kind")
Value = TypeVar("Value")

NAPOLETANA = Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.COINS)
IN_CUPS = Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.CUPS)

# Seat 0 holds a napoletana of coins; seat 1 one coin and cards of other suits.
HANDS = {0: "DA D2 D3 D4 S4", 1: "D5 C4 C5 C6 C7", 2: "D6 B4 CA", 3: "D7 B5"}


@dataclass(frozen=True, slots=True)
class Boards:
    """The cards of a match, board after board from 1; the last ones repeat."""

    dealt: tuple[DealtCards, ...]

    def __call__(self, board: int) -> DealtCards:
        """Give the cards of a board."""
        return self.dealt[min(board, len(self.dealt)) - 1]


def match_on(ruleset: Ruleset, *dealt: DealtCards, boards: int | None = 1) -> Match:
    """Start a match on these cards; seat 0 leads board 1, seat 1 board 2, and so on."""
    return Match(ruleset, cards=Boards(dealt), first_board=1, boards=boards)


def dealt_with(
    ruleset: Ruleset, hands: Mapping[int, str], *, size: int = 10, stock: int = 0
) -> DealtCards:
    """Deal the hands written by seat, each filled up to its size, and a stock, with the rest."""
    written = {seat: parse_cards(text) for seat, text in hands.items()}
    named = {card for hand in written.values() for card in hand}
    rest = [card for card in CARDS if card not in named]
    dealt = []
    for seat in range(ruleset.seats):
        hand = written.get(seat, ())
        count = size - len(hand)
        dealt.append((*hand, *rest[:count]))
        rest = rest[count:]
    return DealtCards(tuple(dealt), tuple(rest[:stock]))


def on_hands(ruleset_text: str, *, boards: int | None = 1) -> Match:
    """Start a match of a ruleset on ``HANDS``, filled up."""
    ruleset = parse_ruleset(ruleset_text)
    return match_on(ruleset, dealt_with(ruleset, HANDS), boards=boards)


def random_deal(ruleset: Ruleset, chance: random.Random) -> DealtCards:
    """Deal a whole deck at random."""
    return distribute(ruleset, chance.sample(CARDS, len(CARDS)), chance.randrange(ruleset.seats))


def random_ending(ruleset: Ruleset, chance: random.Random, *, size: int, stock: int) -> DealtCards:
    """Deal small hands at random, and a stock."""
    cards = chance.sample(CARDS, size * ruleset.seats + stock)
    hands = [tuple(cards[size * seat : size * (seat + 1)]) for seat in range(ruleset.seats)]
    return DealtCards(tuple(hands), tuple(cards[size * ruleset.seats :]))


def play_out(match: Match) -> Iterator[GameEvent]:
    """Let every seat play its default card to the end of the match; give the events."""
    yield from match.begin()
    while not match.is_over:
        yield from match.apply(match.default_answer())


def play_cards(match: Match, text: str) -> list[GameEvent]:
    """Let the seats in turn play these cards; return the events."""
    return [event for card in parse_cards(text) for event in match.apply(Answer(card=card))]


def play_deal(match: Match) -> DealScored:
    """Let every seat play its default card to the end of this deal; return its score."""
    while True:
        for event in match.apply(match.default_answer()):
            if isinstance(event, DealScored):
                return event


def only(kind: type[Kind], events: Sequence[GameEvent]) -> Kind:
    """Return the one event of a kind."""
    (event,) = (event for event in events if isinstance(event, kind))
    return event


def kinds(events: Sequence[GameEvent]) -> list[str]:
    """Name the kinds of events, in order."""
    return [type(event).__name__ for event in events]


def legal_at(match: Match) -> tuple[Card, ...]:
    """Return the cards offered to the seat that is asked."""
    question = match.question
    assert question is not None
    return question.legal


def seeded(seed: int | str) -> random.Random:
    """Return repeatable chance."""
    return random.Random(seed)  # noqa: S311 - a game, not a secret


def pickled(value: Value) -> Value:
    """Send a value through pickle and back."""
    copy: Value = pickle.loads(pickle.dumps(value))  # noqa: S301 - just written
    return copy
