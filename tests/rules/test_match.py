"""What an answer brings about: declarations, words, revokes, infractions, deals, draws."""

from functools import partial

import pytest

from arena.rules.cards import CARDS, Card, Rank, Suit
from arena.rules.dealing import DealtCards, deal_board
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    Claim,
    ClaimKind,
    DealScored,
    DealStarted,
    DeclarationMade,
    DeclarationRefused,
    GameEvent,
    Infraction,
    InfractionKind,
    RefusalReason,
    Revoke,
    SignalMade,
    SpecifiedBy,
    TrickWon,
)
from arena.rules.match import Match
from arena.rules.observation import observe
from arena.rules.options import Signal
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.question import Answer, BadAnswer, BadAnswerKind, Question, QuestionKind
from tests.rules.positions import (
    dealt_with,
    legal_at,
    match_on,
    only,
    pickled,
    play_cards,
    play_deal,
    play_out,
    seeded,
)

IT = PRESETS["italian-tournament"]
CZ = PRESETS["cardgames-zone-4"]
GL = PRESETS["gamelake-4"]
NAPOLETANA = Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.COINS)
IN_CUPS = Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.CUPS)

# Seat 0 holds a napoletana of coins; seat 1 one coin and cards of other suits.
HANDS = {0: "DA D2 D3 D4 S4", 1: "D5 C4 C5 C6 C7", 2: "D6 B4 CA", 3: "D7 B5"}


def on_hands(ruleset_text: str, *, boards: int | None = 1) -> Match:
    ruleset = parse_ruleset(ruleset_text)
    return match_on(ruleset, dealt_with(ruleset, HANDS), boards=boards)


def state(match: Match) -> object:
    """Everything a refusal must not change."""
    return (
        [observe(match, seat) for seat in range(match.ruleset.seats)],
        match.question,
        match.totals,
        match.deals_played,
    )


def kinds(events: tuple[GameEvent, ...] | list[GameEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


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


def test_declarations_come_before_the_card() -> None:
    """Accepted claims are told with their points; their cards are public from then on."""
    match = on_hands("italian-tournament")
    events = match.apply(Answer(card=Card.D4, declarations=(NAPOLETANA,)))
    made = DeclarationMade(seat=0, claim=NAPOLETANA, points=3, specified_by=SpecifiedBy.REQUEST)
    assert events == (made, CardPlayed(seat=0, card=Card.D4))
    assert match.ledger.declarations == (made,)
    assert observe(match, 2).known_cards == ((Card.DA, Card.D2, Card.D3), (), (), ())
    assert match.totals == (0, 0)
    score = play_deal(match)
    assert score.declared == (3, 0)
    assert sum(score.points) == 11 + 3


def test_refused_claims_are_infractions_one_by_one() -> None:
    """False, twice: each costs a point under IT, and the card stands."""
    match = on_hands("italian-tournament")
    claims = (IN_CUPS, NAPOLETANA, NAPOLETANA)
    events = match.apply(Answer(card=Card.D4, declarations=claims))
    breach = Infraction(seat=0, kind=InfractionKind.DECLARATION, points=-1)
    assert events == (
        DeclarationRefused(seat=0, claim=IN_CUPS, reason=RefusalReason.FALSE),
        breach,
        match.ledger.declarations[0],
        DeclarationRefused(seat=0, claim=NAPOLETANA, reason=RefusalReason.TWICE),
        breach,
        CardPlayed(seat=0, card=Card.D4),
    )
    score = play_deal(match)
    assert (score.penalties, score.declared) == ((-2, 0), (3, 0))
    assert sum(score.points) == 11 + 3 - 2


def test_another_seats_claims_are_its_own() -> None:
    """Two seats may hold the same kind of combination."""
    ruleset = IT
    dealt = dealt_with(ruleset, {0: "DA D2 D3 S4", 1: "CA C2 C3 D5 S5"})
    match = match_on(ruleset, dealt)
    match.apply(Answer(card=Card.D3, declarations=(NAPOLETANA,)))
    events = match.apply(Answer(card=Card.D5, declarations=(IN_CUPS,)))
    assert only(DeclarationMade, events).seat == 1


def test_a_claim_in_the_second_trick_is_late() -> None:
    """Under every window."""
    match = on_hands("italian-tournament")
    play_cards(match, "D3 D5 D6 D7")
    events = match.apply(Answer(card=Card.D4, declarations=(NAPOLETANA,)))
    assert kinds(events) == ["DeclarationRefused", "Infraction", "CardPlayed"]
    assert only(DeclarationRefused, events).reason is RefusalReason.LATE


def test_an_infraction_can_end_the_deal_before_the_card() -> None:
    """CZ §7: the offenders lose the deal, 11 to the others; later claims are not looked at."""
    match = on_hands("cardgames-zone-4", boards=2)
    events = match.apply(Answer(card=Card.D4, declarations=(IN_CUPS, NAPOLETANA)))
    assert kinds(events) == ["DeclarationRefused", "Infraction", "DealScored", "DealStarted"]
    assert only(Infraction, events).points == 0
    score = only(DealScored, events)
    assert (score.points, score.penalties, score.thirds) == ((0, 11), (0, 11), (0, 0))
    assert (match.totals, match.deal_number, match.board) == ((0, 11), 2, 2)


def test_a_word_is_heard_with_its_card() -> None:
    """And remembered with the number of the play."""
    match = on_hands("italian-tournament")
    play_cards(match, "D4")
    events = match.apply(Answer(card=Card.D5, signal=Signal.VOLO))
    assert events == (CardPlayed(seat=1, card=Card.D5, signal=Signal.VOLO),)
    assert match.ledger.signals == (SignalMade(play=1, seat=1, word=Signal.VOLO),)


@pytest.mark.parametrize(
    ("ruleset", "cards", "answer"),
    [
        ("italian-tournament", "", Answer(card=Card.D4, signal=Signal.STRISCIO)),
        (
            "cardgames-zone-4:infraction_points=-1",
            "D4",
            Answer(card=Card.D5, signal=Signal.VOLO),
        ),
        (
            "italian-tournament:signal_truth=checked",
            "",
            Answer(card=Card.D4, signal=Signal.VOLO),
        ),
    ],
    ids=["not one of the words", "not the leader", "not true"],
)
def test_a_word_that_is_not_allowed_costs_a_point_and_is_not_heard(
    ruleset: str, cards: str, answer: Answer
) -> None:
    """The card stands: protocol.md, "What happens when" 7."""
    match = on_hands(ruleset)
    play_cards(match, cards)
    seat = match.deal.turn
    events = match.apply(answer)
    assert events == (
        Infraction(seat=seat, kind=InfractionKind.SIGNAL, points=-1),
        CardPlayed(seat=seat, card=answer.card),
    )
    assert match.ledger.signals == ()
    assert play_deal(match).penalties[seat % 2] == -1


def test_a_true_word_is_heard_where_truth_is_checked() -> None:
    """Seat 0 leads a low coin and holds the three; then its partner has none left."""
    match = on_hands("italian-tournament:signal_truth=checked")
    assert match.apply(Answer(card=Card.D4, signal=Signal.BUSSO)) == (
        CardPlayed(seat=0, card=Card.D4, signal=Signal.BUSSO),
    )
    play_cards(match, "D5")
    events = match.apply(Answer(card=Card.D6, signal=Signal.PIOMBO))
    assert only(CardPlayed, events).signal is Signal.PIOMBO


def test_a_wrong_word_can_end_the_deal() -> None:
    """CZ §7: partners pass nothing but the leader's three words; the card is not played."""
    match = on_hands("cardgames-zone-4")
    play_cards(match, "D4")
    events = match.apply(Answer(card=Card.D5, signal=Signal.VOLO))
    assert kinds(events) == ["Infraction", "DealScored"]
    assert only(DealScored, events).points == (11, 0)
    assert match.is_over


def test_a_revoke_ends_the_deal_at_once() -> None:
    """IT ¶5: ten points to the others, whose declarations stay; no trick is won by it."""
    match = on_hands("italian-tournament", boards=2)
    match.apply(Answer(card=Card.D4, declarations=(NAPOLETANA,)))
    events = match.apply(Answer(card=Card.C4))
    assert kinds(events) == ["CardPlayed", "Revoke", "DealScored", "DealStarted"]
    assert only(Revoke, events) == Revoke(seat=1)
    score = only(DealScored, events)
    assert (score.points, score.declared, score.penalties) == ((13, 0), (3, 0), (10, 0))
    assert score.thirds == (0, 0)
    assert only(DealStarted, events).leader == 1


def test_infractions_before_a_revoke_still_count() -> None:
    """A false claim and a revoke in one answer."""
    match = on_hands("italian-tournament")
    play_cards(match, "D4")
    events = match.apply(Answer(card=Card.C4, declarations=(IN_CUPS,)))
    assert kinds(events) == [
        "DeclarationRefused",
        "Infraction",
        "CardPlayed",
        "Revoke",
        "DealScored",
    ]
    assert only(DealScored, events).points == (10, -1)


BAD = [
    ("gamelake-4", Answer(card=Card.C4), BadAnswerKind.ILLEGAL_CARD),
    ("gamelake-4", Answer(card=Card.B4), BadAnswerKind.CARD_NOT_HELD),
    ("italian-tournament", Answer(card=Card.B4), BadAnswerKind.CARD_NOT_HELD),
    ("gamelake-4", Answer(card=Card.D5, signal=Signal.VOLO), BadAnswerKind.BAD_SIGNAL),
    (
        "gamelake-4",
        Answer(card=Card.D5, declarations=(NAPOLETANA,)),
        BadAnswerKind.BAD_DECLARATION,
    ),
    (
        "italian-tournament",
        Answer(
            card=Card.D5,
            declarations=(IN_CUPS, Claim(kind=ClaimKind.FOUR, rank=Rank.KING)),
        ),
        BadAnswerKind.BAD_DECLARATION,
    ),
]


@pytest.mark.parametrize(("ruleset", "answer", "kind"), BAD)
def test_an_answer_that_cannot_stand_changes_nothing(
    ruleset: str, answer: Answer, kind: BadAnswerKind
) -> None:
    """Not even the claims that came before what is wrong with it."""
    match = on_hands(ruleset)
    play_cards(match, "D4")
    before = state(match)
    with pytest.raises(BadAnswer) as error:
        match.apply(answer)
    assert error.value.kind is kind
    assert state(match) == before


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
