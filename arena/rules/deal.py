"""The state of one deal: whose turn, what is legal, who wins tricks and draws.

Owns the play of the cards and nothing around it: no declarations, words, penalties or
totals (:mod:`arena.rules.match`). This is the fast core: hands are bit sets, the legal set
is worked out once a play, and the trick is resolved as it grows. Must not know matches.
Source: rules.md §1 and §2b; GL, CZ §5, IT ¶2.
"""

from typing import Final

from arena.rules.cards import (
    CARDS,
    DECK_SIZE,
    FULL_DECK,
    SUIT_CARDS,
    THIRDS,
    Card,
    CardSet,
    cards_of,
    set_of,
)
from arena.rules.dealing import DealtCards
from arena.rules.question import BadAnswer, BadAnswerKind
from arena.rules.ruleset import Ruleset
from arena.rules.trick import must_follow

# By card number; place 0 is never read.
_BIT: Final = (0, *(1 << card for card in CARDS))
_SUIT_OF_CARD: Final = (0, *(SUIT_CARDS[card.suit] for card in CARDS))
_NO_SUIT: Final = (0,) * (DECK_SIZE + 1)
# The cards that beat a card: those of its suit that are higher.
_BEATING: Final = (
    0,
    *(
        set_of(other for other in CARDS if other > card and other.suit is card.suit)
        for card in CARDS
    ),
)


class Deal:
    """One deal in progress.

    The public attributes are for reading; only :meth:`play` changes them.

    Attributes:
        ruleset: the rules in force.
        hands: the cards that each seat holds, by seat.
        turn: the seat to play; once the deal is over, the winner of the last trick.
        is_over: whether every card has been played.
        leader: the leader of the trick in progress; its cards follow in turn order.
        thirds: what each side has won so far, in thirds; the last trick's point is added
            with the last trick.
        history: every card played, in order.
        trick_leaders: the leader of each completed trick. The winner of a trick is the
            leader of the next; that of the latest is ``leader``.
        stock: the cards not yet drawn, top first.
        draws: every card drawn, in order: after a trick one a seat, the winner first.
    """

    __slots__ = (
        "_beating",
        "_following",
        "_last_seat",
        "_led",
        "_legal",
        "_pile",
        "_sides",
        "_suit_to_follow",
        "_winner",
        "draws",
        "hands",
        "history",
        "is_over",
        "leader",
        "ruleset",
        "stock",
        "thirds",
        "trick_leaders",
        "turn",
    )

    def __init__(self, ruleset: Ruleset, dealt: DealtCards, leader: int) -> None:
        """Start a deal; ``dealt`` may hold fewer cards than a whole deal (an ending)."""
        self.ruleset = ruleset
        self.hands = [set_of(hand) for hand in dealt.hands]
        self.turn = self.leader = leader
        self._sides = ruleset.side_count
        self.thirds = [0] * self._sides
        self.history: list[Card] = []
        self.trick_leaders: list[int] = []
        self.stock = dealt.stock
        self.draws: list[Card] = []
        self._last_seat = ruleset.seats - 1
        self._following = self._last_seat
        self._suit_to_follow = _SUIT_OF_CARD if must_follow(ruleset, len(self.stock)) else _NO_SUIT
        self._pile = 0
        # The cards that would be the best of the trick now, the seat of the best so far, and
        # the cards of the suit to follow (none in free play).
        self._beating = FULL_DECK
        self._winner = leader
        self._led: CardSet = 0
        self._legal = self.hands[leader]
        self.is_over = not self._legal

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards on the table, in turn order from ``leader``."""
        done = len(self.trick_leaders) * self.ruleset.seats
        return tuple(self.history[done:])

    def legal_set(self) -> CardSet:
        """Return the cards that the seat to play may play; empty once the deal is over."""
        return self._legal

    def legal_cards(self) -> tuple[Card, ...]:
        """List the cards that the seat to play may play, along the number line."""
        return cards_of(self._legal)

    def play(self, card: Card) -> None:
        """Play a card for the seat to play; after the last of a trick, draw where there is stock.

        Raises:
            BadAnswer: CARD_NOT_HELD or ILLEGAL_CARD; nothing changed.
        """
        bit = _BIT[card]
        if not self._legal & bit:
            raise self._refusal(card)
        seat = self.turn
        hands = self.hands
        hands[seat] ^= bit
        self.history.append(card)
        self._pile += THIRDS[card]
        if self._beating & bit:
            # The card led, or a better one of its suit: the suit to follow stays the same.
            self._winner = seat
            self._beating = _BEATING[card]
            self._led = self._suit_to_follow[card]
        if self._following:
            self._following -= 1
            self.turn = seat = seat + 1 if seat < self._last_seat else 0
            hand = hands[seat]
            self._legal = hand & self._led or hand
        else:
            self._end_trick()

    def refusal_of(self, card: Card) -> BadAnswer | None:
        """Return why the seat to play may not play a card, None when it may."""
        return None if self._legal & _BIT[card] else self._refusal(card)

    def tricks_won(self) -> tuple[int, ...]:
        """Count the tricks that each side has won."""
        tricks = [0] * len(self.thirds)
        for winner in [*self.trick_leaders, self.leader][1:]:
            tricks[winner % self._sides] += 1
        return tuple(tricks)

    def copy(self) -> "Deal":
        """Return an independent copy, to look ahead from here."""
        twin = Deal.__new__(Deal)
        for name in Deal.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands = self.hands[:]
        twin.thirds = self.thirds[:]
        twin.history = self.history[:]
        twin.trick_leaders = self.trick_leaders[:]
        twin.draws = self.draws[:]
        return twin

    def _end_trick(self) -> None:
        winner = self._winner
        self.trick_leaders.append(self.leader)
        self.turn = self.leader = winner
        if self.stock:
            self._draw()
        self._legal = self.hands[winner]
        if not self._legal:
            self.is_over = True
            self._pile += self.ruleset.last_trick_thirds
        self.thirds[winner % self._sides] += self._pile
        self._pile = 0
        self._beating = FULL_DECK
        self._following = self._last_seat

    def _draw(self) -> None:
        """Let each seat draw one card, the winner of the trick first."""
        seat = self.leader
        for card in self.stock[: len(self.hands)]:
            self.hands[seat] |= _BIT[card]
            self.draws.append(card)
            seat = self.ruleset.next_seat(seat)
        self.stock = self.stock[len(self.hands) :]
        if must_follow(self.ruleset, len(self.stock)):
            self._suit_to_follow = _SUIT_OF_CARD

    def _refusal(self, card: Card) -> BadAnswer:
        seat = self.turn
        legal = self.legal_cards()
        allowed = f"allowed: {' '.join(map(str, legal)) or 'none, the deal is over'}"
        if self.hands[seat] & _BIT[card]:
            kind = BadAnswerKind.ILLEGAL_CARD
            message = f"seat {seat} can follow suit, so it may not play {card}; {allowed}"
        else:
            kind = BadAnswerKind.CARD_NOT_HELD
            message = f"seat {seat} does not hold {card}; {allowed}"
        return BadAnswer(kind, message, allowed=legal)
