"""Many deals at once, on arrays.

Owns the arrays and the checks of what comes in; the play itself is :mod:`arena.rl.kernel`'s.
Must not know learning.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arena.errors import RulesError, RulesetError
from arena.rl import kernel
from arena.rules.cards import CARDS, DECK_SIZE
from arena.rules.dealing import DealtCards, distribute
from arena.rules.options import CappottoTest, DrawVisibility, FollowSuit
from arena.rules.presets import parse_ruleset
from arena.rules.ruleset import Ruleset
from arena.sdk.encode import SIZE

SIDES: Final = 2


class Step(NamedTuple):
    """What a step gives; every array has a row a deal."""

    observation: NDArray[np.uint8]
    """(n, 427): what the seat to play knows, as :mod:`arena.sdk.encode` lays it out."""
    legal: NDArray[np.bool_]
    """(n, 40): which cards it may play; none where a deal is over."""
    reward: NDArray[np.int16]
    """(n, 2): by side (``seat % 2``), its points minus the other's where this step ended the
    deal, else 0."""
    done: NDArray[np.bool_]
    """(n,): whether the deal is over, or has just been and is dealt anew."""


class VectorDeals:
    """Deals in progress, stepped together.

    A card is its place on the number line from 0 (``D4``) to 39 (``B3``): the card's number on
    the wire minus 1. No word is said and nothing declared. Deals come from a fast generator of
    their own, not from the arena's published derivation; :meth:`place` puts any cards in.

    Every call gives new arrays, which are the caller's to keep.

    Attributes:
        ruleset: the rules in force.
        turn: (n,): the seat to play; once a deal is over, the winner of the last trick.
    """

    def __init__(
        self,
        n: int,
        ruleset: Ruleset | str = "gamelake-4",
        *,
        seed: int = 0,
        redeal: bool = True,
    ) -> None:
        """Deal everywhere; deal i is led by seat i mod seats.

        Args:
            n: how many deals, at least 1.
            ruleset: one without declarations, or its text (``pagat-4:declarations=off``).
            seed: the same seed gives the same deals; from 0 to 2**64 - 1.
            redeal: whether a deal that ends is dealt anew at once, so that the next observation
                is of a new deal, which the next seat leads. Else it stays over, and its cards
                in :meth:`step` are not looked at.

        Raises:
            RulesetError: the ruleset has declarations, or is none.
            ValueError: ``n`` or ``seed`` is out of its range.
        """
        if n < 1:
            raise ValueError(f"n = {n}: at least 1 deal")
        self.ruleset = parse_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
        self._rules = _rules_of(self.ruleset)
        self._redeal = redeal
        self._deals = np.zeros(n, dtype=kernel.DEAL)
        # For random cards: apart from the deals, which must not hang on how they are played.
        self._chance = np.zeros(n, dtype=kernel.DEAL)
        self.reset(seed)

    def __len__(self) -> int:
        """How many deals there are."""
        return len(self._deals)

    def reset(self, seed: int) -> Step:
        """Deal everywhere anew from a seed, as when this was made; nothing is won yet.

        Raises:
            ValueError: the seed is not from 0 to 2**64 - 1.
        """
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"seed = {seed}: a number from 0 to 2**64 - 1")
        words = np.random.SeedSequence(seed).generate_state(2 * len(self), np.uint64)
        self._deals["chance"], self._chance["chance"] = np.split(words, 2)
        kernel.start_all(self._rules, self._deals)
        return self._show(*self._nothing_done())

    def redeal(self) -> Step:
        """Deal everywhere anew, going on from here: the next seat leads; nothing is won yet."""
        kernel.redeal_all(self._rules, self._deals)
        return self._show(*self._nothing_done())

    def place(self, index: int, dealt: DealtCards, leader: int) -> Step:
        """Start one deal anew with given cards; the others stay as they are.

        Raises:
            RulesError: the cards are not a whole deal of the ruleset, or there is no such seat.
        """
        ruleset = self.ruleset
        sizes = [*map(len, dealt.hands), len(dealt.stock)]
        if sizes != [ruleset.hand_size] * ruleset.seats + [ruleset.stock]:
            raise RulesError(
                f"hands and stock of {sizes} cards: {ruleset.name} has {ruleset.seats} hands of "
                f"{ruleset.hand_size} and {ruleset.stock} in the stock"
            )
        self._check_seat(leader)
        # The deck from which the kernel gives these hands.
        places = self._rules.places
        deck = np.zeros(DECK_SIZE, dtype=np.uint8)
        for offset in range(ruleset.seats):
            hand = dealt.hands[(leader + offset) % ruleset.seats]
            deck[places == offset] = [card - 1 for card in hand]
        deck[places < 0] = [card - 1 for card in dealt.stock]
        kernel.start(self._rules, self._deals[index], deck, leader)
        reward, done = self._step.reward.copy(), self._step.done.copy()
        reward[index] = 0
        done[index] = False
        return self._show(reward, done)

    def look(self) -> Step:
        """Return how things stand: what the last step, reset or placing gave."""
        return self._step

    def step(self, cards: ArrayLike) -> Step:
        """Play one card in every deal, each for the seat whose turn it is.

        Args:
            cards: (n,) whole numbers, a card a deal.

        Raises:
            RulesError: a card may not be played, naming the first; nothing changed.
            ValueError: the cards are not n whole numbers.
        """
        given = np.asarray(cards)
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            raise ValueError(
                f"cards of shape {given.shape} and type {given.dtype}: "
                f"({len(self)},) whole numbers were expected"
            )
        played = given.astype(np.int64, copy=False)
        illegal = kernel.first_illegal(self._rules, self._deals, played)
        if illegal >= 0:
            raise self._refusal(illegal, int(played[illegal]))
        reward, done = self._nothing_done()
        kernel.step_all(self._rules, self._deals, played, reward, done, self._redeal)
        return self._show(reward, done)

    def random_cards(self) -> NDArray[np.int64]:
        """Return a legal card for each deal, all alike likely; repeatable by the seed."""
        cards = np.zeros(len(self), dtype=np.int64)
        kernel.choose_all(self._rules, self._deals, self._chance, cards)
        return cards

    def observe(self, index: int, seat: int) -> NDArray[np.uint8]:
        """Return what any seat of one deal knows now, whoever's turn it is: (427,).

        Raises:
            RulesError: there is no such seat.
        """
        self._check_seat(seat)
        places = np.zeros(SIZE, dtype=np.uint8)
        kernel.observe(self._rules, self._deals[index], seat, places)
        return places

    def _nothing_done(self) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
        return np.zeros((len(self), SIDES), dtype=np.int16), np.zeros(len(self), dtype=np.bool_)

    def _show(self, reward: NDArray[np.int16], done: NDArray[np.bool_]) -> Step:
        self.turn = np.empty(len(self), dtype=np.int8)
        self._step = Step(
            observation=np.empty((len(self), SIZE), dtype=np.uint8),
            legal=np.empty((len(self), DECK_SIZE), dtype=np.bool_),
            reward=reward,
            done=done,
        )
        kernel.show_all(
            self._rules, self._deals, self._step.observation, self._step.legal, self.turn
        )
        return self._step

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.ruleset.seats:
            raise RulesError(
                f"seat {seat}: {self.ruleset.name} has seats 0 to {self.ruleset.seats - 1}"
            )

    def _refusal(self, index: int, place: int) -> RulesError:
        name = str(CARDS[place]) if 0 <= place < DECK_SIZE else "no card"
        allowed = ", ".join(
            f"{place} ({CARDS[place]})" for place in np.flatnonzero(self._step.legal[index])
        )
        return RulesError(
            f"deal {index}, seat {self.turn[index]}: {place} ({name}) may not be played; "
            f"allowed: {allowed}"
        )


def _rules_of(ruleset: Ruleset) -> kernel.Rules:
    if ruleset.declarations:
        raise RulesetError(
            f"{ruleset.name}: declarations are not played on arrays; "
            f"write {ruleset.name.partition(':')[0]}:declarations=off"
        )
    dealt = distribute(ruleset, CARDS, 0)
    places = np.full(DECK_SIZE, -1, dtype=np.int8)
    for seat, hand in enumerate(dealt.hands):
        places[[card - 1 for card in hand]] = seat
    return kernel.Rules(
        seats=ruleset.seats,
        always_follow=ruleset.follow_suit is FollowSuit.ALWAYS,
        public_draws=ruleset.draw_visibility is DrawVisibility.PUBLIC,
        last_trick_thirds=ruleset.last_trick_thirds,
        sweep_bonus=ruleset.cappotto_bonus,
        sweep_by_points=ruleset.cappotto_test is CappottoTest.ALL_POINTS,
        places=places,
    )
