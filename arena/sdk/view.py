"""What a seat knows when it is asked for a card.

Owns the facts of one ``Decision``, each worked out when it is first asked for, so that a
bot pays only for what it looks at. Must not know the session or other decisions.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from time import monotonic_ns
from typing import TYPE_CHECKING

from arena.rules.cards import CARDS, FULL_DECK, SUIT_OF, Card, Suit, cards_of
from arena.sdk.match import MatchInfo
from arena.v1 import play_pb2

if TYPE_CHECKING:
    from arena.rules.events import Claim, DeclarationMade, SignalMade
    from arena.rules.ruleset import Ruleset, Signal

_NUMBERED = (CARDS[0], *CARDS)  # by number on the wire; place 0 is never read
_NS_PER_MS = 1_000_000
_NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick:
    """A completed trick."""

    leader: int
    """The seat that led."""
    cards: tuple[Card, ...]
    """The cards in turn order from the leader."""
    winner: int
    """The seat that won."""

    def card_of(self, seat: int) -> Card:
        """Return the card that a seat played."""
        return self.cards[(seat - self.leader) % len(self.cards)]


class View:
    """What this seat knows now. Everything is for reading; nothing changes while you think.

    Cards come as :class:`Card`, lists of them along the number line unless said otherwise.
    ``match`` holds what is the same for the whole match, ``message`` the referee's question
    as it came, with the news since the last one.
    """

    def __init__(self, match: MatchInfo, message: play_pb2.Decision, arrived_ns: int) -> None:
        self.match = match
        self.message = message
        self._observation = message.observation
        self._arrived_ns = arrived_ns

    # The question.

    @cached_property
    def legal(self) -> tuple[Card, ...]:
        """The cards that may be played without breaking a rule; never empty."""
        return _cards(self.message.card.legal)

    @cached_property
    def declarable(self) -> "tuple[Claim, ...]":
        """The true claims that may be declared with this card."""
        from arena.sdk.decoded import read_claim  # noqa: PLC0415 - only where it is wanted

        return tuple(map(read_claim, self.message.card.declarable))

    @cached_property
    def signals_allowed(self) -> "tuple[Signal, ...]":
        """The words that may be said with this card."""
        from arena.sdk.decoded import read_signal  # noqa: PLC0415 - only where it is wanted

        return tuple(map(read_signal, self.message.card.signals_allowed))

    def time_left(self, *, bank: bool = False) -> float:
        """Return the seconds left for this answer, never below 0; with the bank if asked.

        Counted from when the question was read; one that waited while an earlier frame was
        being answered has less.
        """
        due_ns = self.due_ns if bank else self.due_ns - self.message.bank_ms * _NS_PER_MS
        return max(0, due_ns - monotonic_ns()) / _NS_PER_S

    @property
    def due_ns(self) -> int:
        """When limit and bank are over, in nanoseconds of ``time.monotonic_ns()``."""
        message = self.message
        return self._arrived_ns + (message.time_limit_ms + message.bank_ms) * _NS_PER_MS

    @cached_property
    def random(self) -> Random:
        """Chance that is the same whenever this match is played again.

        Seeded by the match's ``bot_seed`` and the place of the decision in the match, never
        by the clock or by what other tables do.
        """
        place = self.deal << 8 | len(self._observation.history) + len(self._observation.trick)
        return Random(self.match.bot_seed << 32 | place)  # noqa: S311 - cards, not secrets

    # Who and where.

    @property
    def seat(self) -> int:
        """This seat; seats count from 0 in turn order."""
        return self.match.seat

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self.match.seats

    @property
    def side(self) -> int:
        """This seat's side."""
        return self.match.side

    @property
    def partner(self) -> int | None:
        """The other seat of this side; None where each seat is alone."""
        return self.match.partner

    @property
    def ruleset(self) -> "Ruleset":
        """The game that is played."""
        return self.match.ruleset

    @property
    def deal(self) -> int:
        """Ordinal of the deal within the match, from 1."""
        return self._observation.deal

    @property
    def totals(self) -> tuple[int, ...]:
        """Whole points of the match, by side, before this deal.

        Where ``ruleset.decl_scored`` is immediately, with what was declared in it so far.
        """
        return tuple(self._observation.totals)

    @property
    def thirds(self) -> tuple[int, ...]:
        """Thirds of a point won so far in this deal, by side."""
        return tuple(self._observation.thirds)

    # The cards.

    @cached_property
    def hand(self) -> tuple[Card, ...]:
        """This seat's cards."""
        return _cards(self._observation.hand)

    @cached_property
    def trick(self) -> tuple[Card, ...]:
        """The cards on the table, in turn order from ``leader``."""
        return _cards(self._observation.trick)

    @property
    def leader(self) -> int:
        """The seat that leads the trick being played."""
        return self._observation.leader

    @property
    def led(self) -> Suit | None:
        """The suit that was led; None when this seat leads."""
        trick = self._observation.trick
        return SUIT_OF[trick[0]] if trick else None

    @cached_property
    def best_card(self) -> Card | None:
        """The card on the table that wins so far; None when this seat leads."""
        led = self.led
        return max((card for card in self.trick if card.suit is led), default=None)

    @property
    def best_seat(self) -> int | None:
        """The seat that wins the trick so far; None when this seat leads."""
        best = self.best_card
        return None if best is None else (self.leader + self.trick.index(best)) % self.seats

    @property
    def is_last_to_play(self) -> bool:
        """Whether this seat's card completes the trick."""
        return len(self._observation.trick) == self.seats - 1

    @property
    def is_last_trick(self) -> bool:
        """Whether this trick is the last of the deal."""
        return len(self._observation.hand) == 1 and not self._observation.stock_size

    @cached_property
    def tricks(self) -> tuple[Trick, ...]:
        """The completed tricks of this deal, in order."""
        leaders = self._observation.trick_leaders
        winners = (*leaders, self._observation.leader)[1:]
        return tuple(
            Trick(leader=leader, winner=winner, cards=self.history[at : at + self.seats])
            for leader, winner, at in zip(
                leaders, winners, range(0, len(leaders) * self.seats, self.seats), strict=True
            )
        )

    @cached_property
    def history(self) -> tuple[Card, ...]:
        """The cards of the completed tricks of this deal, in the order they were played."""
        return _cards(self._observation.history)

    @property
    def played(self) -> tuple[Card, ...]:
        """All cards played in this deal, those on the table too, in order."""
        return self.history + self.trick

    @cached_property
    def unseen(self) -> tuple[Card, ...]:
        """The cards neither played nor in this hand: with others or in the stock."""
        seen = 0
        observation = self._observation
        for cards in (observation.hand, observation.history, observation.trick):
            for card in cards:
                seen |= 1 << card
        return cards_of(FULL_DECK & ~seen)

    @cached_property
    def voids(self) -> tuple[frozenset[Suit], ...]:
        """By seat: suits in which it showed that it holds no card and can get none.

        Only tricks that began with an empty stock tell: before, a seat need not follow or
        draws again.
        """
        shown: list[set[Suit]] = [set() for _ in range(self.seats)]
        stock = self.match.message.ruleset.stock
        told = [(trick.leader, trick.cards) for trick in self.tricks[-(-stock // self.seats) :]]
        if not self._observation.stock_size:
            told.append((self.leader, self.trick))
        for leader, cards in told:
            for place, card in enumerate(cards):
                if card.suit is not cards[0].suit:
                    shown[(leader + place) % self.seats].add(cards[0].suit)
        return tuple(map(frozenset, shown))

    @property
    def stock_size(self) -> int:
        """How many cards are left to draw."""
        return self._observation.stock_size

    @property
    def known_cards(self) -> tuple[tuple[Card, ...], ...]:
        """By seat: cards that the rules made public and that the seat still holds."""
        return tuple(_cards(known.cards) for known in self._observation.known_cards)

    # What was said.

    @cached_property
    def declarations(self) -> "tuple[DeclarationMade, ...]":
        """The claims accepted in this deal, in order."""
        from arena.sdk.decoded import read_declaration  # noqa: PLC0415 - only where wanted

        return tuple(map(read_declaration, self._observation.declarations))

    @cached_property
    def signals(self) -> "tuple[SignalMade, ...]":
        """The words heard in this deal, in order."""
        from arena.sdk.decoded import read_signal_made  # noqa: PLC0415 - only where wanted

        return tuple(map(read_signal_made, self._observation.signals))

    def __str__(self) -> str:
        """Say in one line what is asked; for ``print(view)``."""
        table = _text(self.trick) or "nothing"
        return (
            f"deal {self.deal}, trick {len(self._observation.trick_leaders) + 1}, "
            f"seat {self.seat}: hand {_text(self.hand)}; on the table {table}; "
            f"legal {_text(self.legal)}"
        )


def _cards(numbers: Iterable[int]) -> tuple[Card, ...]:
    return tuple(map(_NUMBERED.__getitem__, numbers))


def _text(cards: Iterable[Card]) -> str:
    return " ".join(card.name for card in cards)
