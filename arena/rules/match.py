"""A whole match: deal after deal, totals, and when it ends.

Owns the order in which the rules bring things about: an answer goes in, events come out.
The play of the cards is :mod:`arena.rules.deal`'s, what is said and charged beside them
:mod:`arena.rules.ledger`'s. Must not know clocks, faults, or what a seat may see.
Source: protocol.md ("What happens when" 3-8), design.md §5, rules.md §2-3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.rules import scoring
from arena.rules.cards import CARDS, Card
from arena.rules.deal import Deal
from arena.rules.dealing import DealtCards, dealer_of, leader_of_board
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    DealScored,
    DealStarted,
    GameEvent,
    Revoke,
    TrickWon,
)
from arena.rules.ledger import Ledger
from arena.rules.options import DeclarationScored, DrawVisibility, IllegalPlay
from arena.rules.question import Answer, BadAnswerKind, Question, QuestionKind
from arena.rules.ruleset import Ruleset

# Which card is played for a seat that gives none, by card number: least thirds, then least
# strength, then suit D C S B.
_RELUCTANCE: Final = (0, *(100 * card.thirds + 10 * card.rank + card.suit for card in CARDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchScore:
    """How a match ended; ``winner`` is a side, None when nobody won."""

    totals: tuple[int, ...]
    winner: int | None
    drawn_at_limit: bool
    """Whether ``max_deals`` ended the match before it was decided."""


class Match:
    """A match in progress; its first board is dealt when it is made.

    The public attributes are for reading; only :meth:`apply` changes them.

    Attributes:
        ruleset: the rules in force.
        first_board: the number of the first board.
        board: the number of the board in progress, or of the last one.
        deal: the deal in progress, or the last one.
        ledger: what was said and charged in it.
        dealer: the seat that dealt it; None = the judge.
        totals: match points by side, up to now.
        deals_played: how many deals have been scored.
    """

    __slots__ = (
        "_boards",
        "_cards",
        "_dealt",
        "_phase",
        "_question",
        "_result",
        "_totals_before",
        "board",
        "deal",
        "dealer",
        "deals_played",
        "first_board",
        "ledger",
        "ruleset",
        "totals",
    )

    def __init__(
        self,
        ruleset: Ruleset,
        *,
        cards: Callable[[int], DealtCards],
        first_board: int,
        boards: int | None,
    ) -> None:
        """Prepare a match.

        Args:
            ruleset: the rules in force.
            cards: gives the dealt cards of a board by its number.
            first_board: the number of the first board.
            boards: how many boards are played; None = to the ruleset's target.
        """
        self.ruleset = ruleset
        self.first_board = first_board
        self.deals_played = 0
        self.totals: tuple[int, ...] = (0,) * ruleset.side_count
        self._boards = boards
        self._cards = cards
        self._phase = scoring.Phase.NORMAL
        self._result: MatchScore | None = None
        self._question: Question | None = None
        self._deal_board(first_board)

    def begin(self) -> tuple[GameEvent, ...]:
        """Return what happened before the first answer: the first deal."""
        return (self._deal_started(),)

    @property
    def deal_number(self) -> int:
        """The ordinal of the deal in progress, or of the last one, from 1."""
        return self.board - self.first_board + 1

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self._result is not None

    @property
    def result(self) -> MatchScore:
        """How the match ended; to be asked only once it is over."""
        if self._result is None:
            raise AssertionError("the match is not over")
        return self._result

    @property
    def question(self) -> Question | None:
        """What is asked of whom now; None once the match is over."""
        if self._question is None and self._result is None:
            self._question = Question(
                seat=self.deal.turn,
                kind=QuestionKind.CARD,
                legal=self.deal.legal_cards(),
                declarable=self.ledger.declarable(),
                signals_allowed=self.ledger.words_allowed(),
            )
        return self._question

    def has_played_all(self, seat: int) -> bool:
        """Tell whether nothing will be asked of a seat any more in this match.

        In a match to a target nobody knows that before its end.
        """
        is_last_deal = self._boards is not None and self.deal_number == self._boards
        return self.is_over or (is_last_deal and not self.deal.hands[seat])

    def default_answer(self) -> Answer:
        """Return the answer given for a seat that gives none in time.

        Least thirds, then least strength, then suit D C S B; no word, no declaration.
        Source: design.md §5.
        """
        return Answer(card=min(self.deal.legal_cards(), key=_RELUCTANCE.__getitem__))

    def apply(self, answer: Answer, *, autoplayed: bool = False) -> tuple[GameEvent, ...]:
        """Judge the answer of the seat that is asked; return all that comes of it.

        Claims are judged first, in their order, then the word, then the card; the end of
        the trick, its draws, the end of the deal and the next deal follow.

        Raises:
            BadAnswer: the answer cannot stand at all; nothing changed.
        """
        if self._result is not None:
            raise AssertionError("the match is over")
        is_revoke = self._check(answer)
        self._question = None
        seat = self.deal.turn
        events: list[GameEvent] = []
        if not self._judge_said(answer, events):
            self._end_by_breach(seat, events)
            return tuple(events)
        heard = answer.signal and self.ledger.word_with(len(self.deal.history))
        events.append(CardPlayed(seat=seat, card=answer.card, signal=heard, autoplayed=autoplayed))
        if is_revoke:
            events.append(Revoke(seat=seat))
            self._end_by_breach(seat, events)
        else:
            self._play(answer.card, events)
        return tuple(events)

    def _check(self, answer: Answer) -> bool:
        """Refuse what cannot stand; tell whether the card is a revoke."""
        refusal = self.deal.refusal_of(answer.card)
        is_revoke = (
            refusal is not None
            and refusal.kind is BadAnswerKind.ILLEGAL_CARD
            and self.ruleset.illegal_play is IllegalPlay.REVOKE
        )
        if refusal is not None and not is_revoke:
            raise refusal
        if answer.declarations or answer.signal is not None:
            self.ledger.check(answer.declarations, answer.signal)
        return is_revoke

    def _judge_said(self, answer: Answer, events: list[GameEvent]) -> bool:
        """Judge the claims, then the word; tell whether the deal goes on to the card."""
        if answer.declarations:
            goes_on = self.ledger.judge_claims(answer.declarations, events)
            if self.ruleset.decl_scored is DeclarationScored.IMMEDIATELY:
                self.totals = scoring.add_to_totals(
                    self.ruleset, self._totals_before, self.ledger.declared
                )
            if not goes_on:
                return False
        return answer.signal is None or self.ledger.judge_word(answer.signal, answer.card, events)

    def _play(self, card: Card, events: list[GameEvent]) -> None:
        deal = self.deal
        won_before = sum(deal.thirds)
        drawn_before = len(deal.draws)
        tricks_before = len(deal.trick_leaders)
        deal.play(card)
        if len(deal.trick_leaders) == tricks_before:
            return
        events.append(TrickWon(seat=deal.leader, thirds=sum(deal.thirds) - won_before))
        seat = deal.leader
        for drawn in deal.draws[drawn_before:]:
            events.append(CardDrawn(seat=seat, card=drawn))
            if self.ruleset.draw_visibility is DrawVisibility.PUBLIC:
                self.ledger.show(seat, drawn)
            seat = self.ruleset.next_seat(seat)
        if deal.is_over:
            score = scoring.score_deal(
                self.ruleset,
                thirds=deal.thirds,
                tricks=deal.tricks_won(),
                declared=self.ledger.declared,
                penalties=self.ledger.penalties,
            )
            self._end_deal(score, events)

    def _end_by_breach(self, seat: int, events: list[GameEvent]) -> None:
        score = scoring.score_revoke(
            self.ruleset,
            offender=self.ruleset.side_of(seat),
            declared=self.ledger.declared,
            penalties=self.ledger.penalties,
        )
        self._end_deal(score, events)

    def _end_deal(self, score: scoring.DealScore, events: list[GameEvent]) -> None:
        self.deals_played += 1
        self.totals = scoring.add_to_totals(self.ruleset, self._totals_before, score.points)
        events.append(
            DealScored(
                deal=self.deal_number,
                thirds=tuple(self.deal.thirds),
                points=score.points,
                declared=score.declared,
                penalties=score.penalties,
                totals=self.totals,
            )
        )
        self._result = self._judge_end()
        if self._result is None:
            self._deal_board(self.board + 1)
            events.append(self._deal_started())

    def _judge_end(self) -> MatchScore | None:
        """Return how the match ended, None while it goes on."""
        if self._boards is not None:
            if self.deals_played < self._boards:
                return None
            return MatchScore(
                totals=self.totals, winner=scoring.side_ahead(self.totals), drawn_at_limit=False
            )
        verdict = scoring.judge_match(self.ruleset, self.totals, self._phase)
        self._phase = verdict.phase
        at_limit = not verdict.over and self.deals_played == self.ruleset.max_deals
        if not verdict.over and not at_limit:
            return None
        return MatchScore(totals=self.totals, winner=verdict.winner, drawn_at_limit=at_limit)

    def _deal_board(self, board: int) -> None:
        ruleset = self.ruleset
        leader = leader_of_board(ruleset, board)
        self.board = board
        self.dealer = dealer_of(ruleset, leader)
        self._dealt = self._cards(board)
        self.deal = Deal(ruleset, self._dealt, leader)
        self.ledger = Ledger(ruleset, self._dealt, self.deal)
        self._totals_before = self.totals
        self._question = None

    def _deal_started(self) -> DealStarted:
        return DealStarted(
            deal=self.deal_number,
            board=self.board,
            dealer=self.dealer,
            leader=leader_of_board(self.ruleset, self.board),
            hands=self._dealt.hands,
            stock=self._dealt.stock,
        )
