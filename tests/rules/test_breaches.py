"""What a seat says and breaks: declarations, words, revokes, and answers that cannot stand."""

import pytest

from arena.rules.cards import Card, Rank
from arena.rules.events import (
    CardPlayed,
    Claim,
    ClaimKind,
    DealScored,
    DealStarted,
    DeclarationMade,
    DeclarationRefused,
    Infraction,
    InfractionKind,
    RefusalReason,
    Revoke,
    SignalMade,
    SpecifiedBy,
)
from arena.rules.match import Match
from arena.rules.observation import observe
from arena.rules.options import Signal
from arena.rules.presets import PRESETS
from arena.rules.question import Answer, BadAnswer, BadAnswerKind
from tests.rules.positions import (
    IN_CUPS,
    NAPOLETANA,
    dealt_with,
    kinds,
    match_on,
    on_hands,
    only,
    play_cards,
    play_deal,
)

IT = PRESETS["italian-tournament"]


def state(match: Match) -> object:
    """Everything a refusal must not change."""
    return (
        [observe(match, seat) for seat in range(match.ruleset.seats)],
        match.question,
        match.totals,
        match.deals_played,
    )


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


@pytest.mark.parametrize(
    ("offender", "keeps", "points"),
    [
        (1, "innocent_keeps", (13, 0)),
        (1, "none", (10, 0)),
        (2, "innocent_keeps", (0, 10)),
        (2, "none", (0, 10)),
    ],
)
def test_a_revoke_takes_back_what_was_in_the_totals_since_its_declaration(
    offender: int, keeps: str, points: tuple[int, int]
) -> None:
    """rules.md §2f: of the offenders always, of the innocent where they do not keep theirs."""
    revokes = f"illegal_play=revoke,revoke_points=10,revoke_declarations={keeps}"
    match = on_hands(f"pagat-4:{revokes}", boards=2)
    match.apply(Answer(card=Card.D4, declarations=(NAPOLETANA,)))
    assert match.totals == (3, 0)
    events = play_cards(match, "C4" if offender == 1 else "D5 B4")
    assert only(Revoke, events) == Revoke(seat=offender)
    score = only(DealScored, events)
    assert score.points == score.totals == match.totals == points


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
