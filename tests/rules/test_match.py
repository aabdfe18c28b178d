"""What an answer brings about: questions, tricks, draws, scores, the next deal."""

from functools import partial

import pytest

from arena.rules.cards import CARDS, Card, Rank
from arena.rules.dealing import DealtCards, deal_board
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    Claim,
    ClaimKind,
    DealScored,
    DealStarted,
    TrickWon,
)
from arena.rules.match import Match
from arena.rules.observation import observe
from arena.rules.options import Signal
from arena.rules.presets import PRESETS
from arena.rules.question import Answer, BadAnswer, Question, QuestionKind
from tests.rules.positions import (
    HANDS,
    IN_CUPS,
    NAPOLETANA,
    dealt_with,
    kinds,
    legal_at,
    match_on,
    on_hands,
    only,
    pickled,
    play_cards,
    play_deal,
    play_out,
    seeded,
)

CZ = PRESETS["cardgames-zone-4"]
GL = PRESETS["gamelake-4"]


def test_a_match_begins_with_its_first_deal() -> None:
    """Board, dealer, leader, hands and stock."""
    ruleset = PRESETS["gamelake-2"]
    match = Match(ruleset, cards=partial(deal_board, ruleset, bytes(32)), first_board=4, boards=2)
    dealt = deal_board(ruleset, bytes(32), 4)
    assert match.begin() == (
        DealStarted(deal=1, board=4, dealer=0, leader=1, hands=dealt.hands, stock=dealt.stock),
    )
    assert (match.board, match.deal_number, match.is_over) == (4, 1, False)


def test_a_question_lists_what_may_be_answered() -> None:
    """Legal cards, true claims in trick 1 only, and the words."""
    match = on_hands("cardgames-zone-4")
    assert match.question == Question(
        seat=0,
        kind=QuestionKind.CARD,
        legal=tuple(sorted(dealt_with(CZ, HANDS).hands[0])),
        declarable=(NAPOLETANA,),
        signals_allowed=(Signal.BUSSO, Signal.STRISCIO, Signal.VOLO),
    )
    assert match.question is match.question
    play_cards(match, "D4")
    question = match.question
    assert question is not None
    assert (question.seat, question.legal, question.signals_allowed) == (1, (Card.D5,), ())
    play_cards(match, "D5 D6 D7")
    question = match.question
    assert question is not None
    assert (question.seat, question.declarable) == (3, ())
    assert question.signals_allowed == (Signal.BUSSO, Signal.STRISCIO, Signal.VOLO)


def test_a_trick_is_told_with_its_thirds() -> None:
    """The last one with the point for the last trick."""
    dealt = dealt_with(GL, {0: "DA C4", 1: "DK C5", 2: "D3 C6", 3: "C7 S4"}, size=2)
    match = match_on(GL, dealt)
    assert only(TrickWon, play_cards(match, "DA DK D3 C7")) == TrickWon(seat=2, thirds=5)
    events = play_cards(match, "C6 S4 C4 C5")
    assert only(TrickWon, events) == TrickWon(seat=2, thirds=3)
    assert only(DealScored, events) == DealScored(
        deal=1,
        thirds=(8, 0),
        points=(2, 0),
        declared=(0, 0),
        penalties=(0, 0),
        totals=(2, 0),
    )


@pytest.mark.parametrize(("preset", "is_public"), [("gamelake-2", False), ("pagat-2", True)])
def test_draws_follow_the_trick_winner_first(preset: str, is_public: bool) -> None:  # noqa: FBT001
    """GL "Playing a trick"; where they are shown, all know the cards until they are played."""
    ruleset = PRESETS[preset]
    dealt = dealt_with(ruleset, {0: "D4 C4", 1: "D5 C5"}, size=2, stock=4)
    match = match_on(ruleset, dealt)
    events = play_cards(match, "D4 D5")
    draws = [event for event in events if isinstance(event, CardDrawn)]
    assert draws == [
        CardDrawn(seat=1, card=dealt.stock[0]),
        CardDrawn(seat=0, card=dealt.stock[1]),
    ]
    assert kinds(events)[2:] == ["TrickWon", "CardDrawn", "CardDrawn"]
    known = ((dealt.stock[1],), (dealt.stock[0],)) if is_public else ((), ())
    assert observe(match, 0).known_cards == observe(match, 1).known_cards == known


def test_declared_points_can_count_at_once() -> None:
    """pagat: the totals grow with the declaration; the match still ends with a deal."""
    match = on_hands("pagat-4:target=3", boards=None)
    match.apply(Answer(card=Card.D4, declarations=(NAPOLETANA,)))
    assert match.totals == observe(match, 1).totals == (3, 0)
    assert not match.is_over
    score = play_deal(match)
    assert score.totals == match.totals
    assert score.totals == (score.points[0], score.points[1])


def test_the_default_card_is_worth_least_then_weakest_then_first_by_suit() -> None:
    """design.md §5: least thirds, then least strength, then suit D C S B."""
    hand = "B4 S4 D5 B7 SJ DK C3 BA DA SA"
    match = match_on(GL, dealt_with(GL, {0: hand}))
    order = []
    left = list(match.deal.legal_cards())
    while left:
        dealt = dealt_with(GL, {0: " ".join(map(str, left))}, size=len(left))
        answer = match_on(GL, dealt).default_answer()
        assert (answer.signal, answer.declarations) == (None, ())
        order.append(str(answer.card))
        left.remove(answer.card)
    assert order == ["S4", "B4", "D5", "B7", "SJ", "DK", "C3", "DA", "SA", "BA"]


def test_cards_played_for_a_seat_are_marked() -> None:
    """A public ruling."""
    match = on_hands("italian-tournament")
    events = match.apply(match.default_answer(), autoplayed=True)
    assert only(CardPlayed, events).autoplayed


@pytest.mark.parametrize("preset", PRESETS)
def test_matches_end_whatever_the_bots_send(preset: str) -> None:
    """Random answers, many of them wrong: each board ends, scores add up."""
    ruleset = PRESETS[preset]
    chance = seeded(preset)
    boards = 60
    match = Match(
        ruleset, cards=partial(deal_board, ruleset, bytes(32)), first_board=1, boards=boards
    )
    claims = (NAPOLETANA, IN_CUPS, Claim(kind=ClaimKind.FOUR, rank=Rank.TWO))
    scores: list[DealScored] = []
    refusals = 0
    while not match.is_over:
        answer = Answer(
            card=chance.choice(legal_at(match) if chance.random() < 0.9 else CARDS),
            signal=chance.choice([None] * 60 + list(Signal)),
            declarations=tuple(chance.choices(claims, k=chance.choice([0] * 30 + [1, 2]))),
        )
        try:
            events = match.apply(answer)
        except BadAnswer:
            refusals += 1
            continue
        scores += [event for event in events if isinstance(event, DealScored)]
    assert refusals > 0
    assert [score.deal for score in scores] == list(range(1, boards + 1))
    totals = [0] * ruleset.side_count
    for score in scores:
        totals = [total + points for total, points in zip(totals, score.points, strict=True)]
        assert tuple(totals) == score.totals
        assert all(isinstance(points, int) for points in score.points)
    assert match.result.totals == tuple(totals)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_can_be_pickled_at_any_time(preset: str) -> None:
    """The copy goes on alike."""
    ruleset = PRESETS[preset]
    match = Match(ruleset, cards=partial(deal_board, ruleset, bytes(32)), first_board=1, boards=1)
    for _ in range(13):
        match.apply(match.default_answer())
    copy = pickled(match)
    assert list(play_out(copy)) == list(play_out(match))


def test_misuse_is_a_bug() -> None:
    """No answer after the end, no result before it."""
    dealt = DealtCards(tuple((card,) for card in CARDS[:4]))
    match = match_on(GL, dealt)
    with pytest.raises(AssertionError, match="the match is not over"):
        _ = match.result
    list(play_out(match))
    assert match.question is None
    with pytest.raises(AssertionError, match="the match is over"):
        match.apply(Answer(card=Card.D4))
