"""What is said and charged in one deal, beside the cards.

Owns the claims and words of a deal, the cards they made public, and the points they
brought or cost. How a claim or word is judged is :mod:`arena.rules.declarations` and
:mod:`arena.rules.signals`. Must not know totals or other deals.
Source: protocol.md ("What happens when" 5-7 and the paragraph after 10), design.md §5.
"""

from arena.rules import declarations, scoring, signals
from arena.rules.cards import FULL_DECK, Card, CardSet, set_of
from arena.rules.deal import Deal
from arena.rules.dealing import DealtCards
from arena.rules.events import (
    Claim,
    DeclarationMade,
    DeclarationRefused,
    GameEvent,
    Infraction,
    InfractionKind,
    SignalMade,
)
from arena.rules.options import Signal
from arena.rules.question import BadAnswer, BadAnswerKind
from arena.rules.ruleset import Ruleset


class Ledger:
    """The claims, words and penalties of one deal.

    The public attributes are for reading.

    Attributes:
        declarations: the claims accepted, in order.
        signals: the words heard, in order.
        made_public: by seat, the cards that the rules have shown to all.
        declared: points of accepted claims, by side.
        penalties: points of infractions, by side, 0 or less.
    """

    __slots__ = (
        "_deal",
        "_dealt",
        "_ruleset",
        "declarations",
        "declared",
        "made_public",
        "penalties",
        "signals",
    )

    def __init__(self, ruleset: Ruleset, dealt: DealtCards, deal: Deal) -> None:
        """Open the ledger of a deal that starts from these cards."""
        self._ruleset = ruleset
        self._deal = deal
        self._dealt = tuple(map(set_of, dealt.hands))
        self.declarations: tuple[DeclarationMade, ...] = ()
        self.signals: tuple[SignalMade, ...] = ()
        self.made_public: list[CardSet] = [0] * ruleset.seats
        self.declared = [0] * ruleset.side_count
        self.penalties = [0] * ruleset.side_count

    def declarable(self) -> tuple[Claim, ...]:
        """List the true claims that the seat to play may make together with its card."""
        if not self._ruleset.declarations or self._deal.trick_leaders:
            return ()
        return declarations.declarable(self._ruleset, self._dealt[self._deal.turn])

    def words_allowed(self) -> tuple[Signal, ...]:
        """List the words that the seat to play may say with its card."""
        is_leader = self._deal.turn == self._deal.leader
        return signals.allowed_words(self._ruleset, is_leader=is_leader)

    def check(self, claims: tuple[Claim, ...], word: Signal | None) -> None:
        """Refuse what the ruleset does not know at all.

        Raises:
            BadAnswer: BAD_SIGNAL or BAD_DECLARATION; nothing changed.
        """
        if word is not None and not self._ruleset.signals:
            raise BadAnswer(
                BadAnswerKind.BAD_SIGNAL, f"{word.value}: this ruleset has no words; say none"
            )
        declarations.check_count(claims)
        for claim in claims:
            declarations.check_form(self._ruleset, claim)

    def judge_claims(self, claims: tuple[Claim, ...], events: list[GameEvent]) -> bool:
        """Judge the claims of the seat to play, in order; tell whether the deal goes on."""
        seat = self._deal.turn
        # At the arena's tables a seat declares with its card, so before it.
        moment = declarations.Moment(
            trick=len(self._deal.trick_leaders) + 1, own_card_played=False, later_seats_played=0
        )
        for claim in claims:
            reason = declarations.refusal_of(
                self._ruleset,
                claim,
                dealt=self._dealt[seat],
                moment=moment,
                accepted=[made.claim for made in self.declarations if made.seat == seat],
            )
            if reason is None:
                events.append(self._accept(seat, claim))
                continue
            events.append(DeclarationRefused(seat=seat, claim=claim, reason=reason))
            if not self._charge(seat, InfractionKind.DECLARATION, events):
                return False
        return True

    def judge_word(self, word: Signal, card: Card, events: list[GameEvent]) -> bool:
        """Judge a word that the seat to play says with a card; tell whether the deal goes on.

        A word that is allowed is kept in ``signals``; any other is not heard.
        """
        seat = self._deal.turn
        if not self._may_say(word, card):
            return self._charge(seat, InfractionKind.SIGNAL, events)
        self.signals += (SignalMade(play=len(self._deal.history), seat=seat, word=word),)
        return True

    def word_with(self, play: int) -> Signal | None:
        """Return the word heard with a play of the deal (from 0), None when none was."""
        last = self.signals[-1] if self.signals else None
        return last.word if last is not None and last.play == play else None

    def show(self, seat: int, card: Card) -> None:
        """Note that all have seen a card that a seat holds."""
        self.made_public[seat] |= 1 << card

    def _accept(self, seat: int, claim: Claim) -> DeclarationMade:
        made = DeclarationMade(
            seat=seat,
            claim=claim,
            points=declarations.claim_points(self._ruleset, claim),
            specified_by=declarations.specified_by(self._ruleset, claim),
        )
        self.declarations += (made,)
        self.made_public[seat] |= declarations.claimed_cards(claim)
        self.declared[self._ruleset.side_of(seat)] += made.points
        return made

    def _may_say(self, word: Signal, card: Card) -> bool:
        if word not in self.words_allowed():
            return False
        if not signals.must_be_true(self._ruleset):
            return True
        hand = self._deal.hands[self._deal.turn]
        return signals.is_true(
            word,
            card,
            hand_after=hand & ~(1 << card),
            outstanding=FULL_DECK & ~hand & ~set_of(self._deal.history),
        )

    def _charge(self, seat: int, kind: InfractionKind, events: list[GameEvent]) -> bool:
        """Charge an infraction; tell whether the deal goes on."""
        points = scoring.infraction_cost(self._ruleset)
        self.penalties[self._ruleset.side_of(seat)] += points
        events.append(Infraction(seat=seat, kind=kind, points=points))
        return not scoring.infraction_ends_deal(self._ruleset)
