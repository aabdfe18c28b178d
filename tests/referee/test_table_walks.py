"""The walks of protocol.md ("What happens when"), at the level of the table."""

from collections.abc import Sequence

import pytest

from arena.referee.clock import MS
from arena.referee.events import (
    DecisionAsked,
    LogEvent,
    MatchEnded,
    MatchStarted,
    SeatJoined,
    SeatReady,
)
from arena.referee.faults import FaultKind, Reason, TerminationKind
from arena.referee.messages import Ask, Tell
from arena.rules.cards import Card, Rank, Suit
from arena.rules.events import (
    CardDrawn,
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
    SpecifiedBy,
    TrickWon,
)
from arena.rules.observation import HandDealt
from arena.rules.options import Signal
from arena.rules.presets import PRESETS
from arena.rules.question import Answer
from arena.testing.in_memory import of_type, play_in_memory
from arena.testing.memory_bots import (
    Act,
    Reply,
    at_its,
    breaks_suit,
    plays_at_random,
    plays_first,
    when_bound,
)

FOUR = PRESETS["gamelake-4"]
ITALIAN = PRESETS["italian-tournament"]
FALSE_CLAIM = Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.COINS)


# --- 1. normal ------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_normal_match_is_asked_answered_and_ended_in_order(name: str) -> None:
    ruleset = PRESETS[name]
    match = play_in_memory(
        [plays_at_random(seat) for seat in range(ruleset.seats)], ruleset=ruleset, boards=3
    )
    events = match.events
    seats = list(range(ruleset.seats))
    start: list[LogEvent] = [SeatJoined(seat=seat) for seat in seats]
    start += [SeatReady(seat=seat) for seat in seats]
    assert events[: len(start)] == start
    assert events[len(start)] == MatchStarted()
    assert [deal.board for deal in of_type(DealStarted, events)] == [1, 2, 3]
    assert (
        len(of_type(DecisionAsked, events))
        == len(of_type(CardPlayed, events))
        == 3 * (ruleset.seats * ruleset.tricks)
    )
    assert match.faults == []
    assert match.ended == events[-1]
    assert match.ended.termination.kind is TerminationKind.COMPLETED
    assert match.ended.totals == of_type(DealScored, events)[-1].totals
    assert match.closed.winner == match.ended.winner


def test_every_card_carries_the_times_and_words_of_its_answer() -> None:
    def talks(ask: Ask) -> Act:
        card = ask.question.legal[0]
        return Reply(
            answer=Answer(card=card),
            think_ns=3 * MS,
            lag_ns=40_000,
            value_thirds=-4,
            note="così",
        )

    match = play_in_memory([talks, *[plays_first] * 3], ruleset=FOUR)
    for record in match.records:
        if not isinstance(record.event, CardPlayed):
            assert record.timing is None
            continue
        assert record.timing is not None
        assert record.timing.cpu_us is None
        if record.event.seat == 0:
            assert (record.timing.think_us, record.timing.lag_us) == (3_000, 40)
            assert (record.timing.value_thirds, record.timing.note) == (-4, "così")
        else:
            assert (record.timing.think_us, record.timing.lag_us) == (1_000, 0)


def test_a_bot_can_follow_the_match_by_its_news_alone() -> None:
    """Between them the news of a seat hold every public event once, in order."""
    match = play_in_memory([plays_at_random(seat) for seat in range(4)], ruleset=FOUR, boards=2)
    for seat in range(4):
        public = CardPlayed | TrickWon | DealScored
        expected = [event for event in match.events if isinstance(event, public)]
        assert [event for event in match.news(seat) if isinstance(event, public)] == expected


def test_a_seat_is_sent_nothing_while_others_play() -> None:
    match = play_in_memory([plays_first] * 4, ruleset=FOUR, boards=2)
    for seat in range(4):
        sent = match.sent(seat)
        tells = of_type(Tell, sent)
        assert len(of_type(Ask, sent)) == 20
        assert len(tells) == 2, "one at the end of each deal"
        assert all(of_type(DealScored, tell.news) for tell in tells)
        assert sent[-1] is tells[-1]
        assert of_type(MatchEnded, tells[-1].news) == [match.ended]
        assert tells[-1].news[-1] == match.ended


def test_the_next_deal_is_told_with_the_next_decision() -> None:
    match = play_in_memory([plays_first] * 4, ruleset=FOUR, boards=2)
    for seat in range(4):
        asks = match.asks(seat)
        first_of_deal = [ask for ask in asks if len(ask.observation.hand) == 10]
        assert [ask.observation.deal for ask in first_of_deal] == [1, 2]
        assert all(isinstance(ask.news[0], HandDealt) for ask in first_of_deal)


def test_decisions_are_numbered_and_logged_as_asked() -> None:
    match = play_in_memory([plays_first] * 4, ruleset=FOUR)
    asks = of_type(Ask, match.outputs)
    assert [ask.number for ask in asks] == list(range(1, 41))
    for ask, asked in zip(asks, of_type(DecisionAsked, match.events), strict=True):
        assert (asked.seat, asked.legal) == (ask.seat, ask.question.legal)
        assert (asked.limit_ms, asked.bank_ms) == (1_000, 0)
        assert (ask.limit_ns, ask.bank_ns) == (1_000 * MS, 0)
        assert ask.observation.seat == ask.seat == ask.question.seat


# --- 4. revoke ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["italian-tournament", "cardgames-zone-4"])
def test_a_revoke_ends_the_deal_and_is_told_to_all_at_once(name: str) -> None:
    bad = when_bound(breaks_suit)
    match = play_in_memory(
        [plays_first, bad, plays_first, plays_first], ruleset=PRESETS[name], boards=2
    )
    (revoke,) = of_type(Revoke, match.events)
    assert revoke.seat == 1
    assert match.faults == [(FaultKind.REVOKE, 1)]
    scored = of_type(DealScored, match.events)[0]
    for seat in range(4):
        (tell,) = [tell for tell in match.tells(seat) if revoke in tell.news]
        at = tell.news.index(revoke)
        before = tell.news[at - 1]
        assert isinstance(before, CardPlayed)
        assert before.seat == 1
        assert tell.news[at + 1 :] == (scored,), "no unplayed card, and not the next deal"
    # The deal ended there; the next began.
    assert [deal.board for deal in of_type(DealStarted, match.events)] == [1, 2]
    assert match.ended.termination.kind is TerminationKind.COMPLETED


# --- 5, 6. declarations ---------------------------------------------------------------


def declares_all(ask: Ask) -> Act:
    return Answer(card=ask.question.legal[0], declarations=ask.question.declarable)


def seed_with_claims() -> str:
    """Find a practice seed whose first board lets some seat declare."""
    for number in range(20):
        match = play_in_memory([declares_all] * 4, ruleset=ITALIAN, seed_text=f"seed {number}")
        if of_type(DeclarationMade, match.events):
            return f"seed {number}"
    raise AssertionError("more than half of all deals have a declaration")


def test_a_claim_is_made_with_the_card_and_all_see_it_specified() -> None:
    match = play_in_memory([declares_all] * 4, ruleset=ITALIAN, seed_text=seed_with_claims())
    made = of_type(DeclarationMade, match.events)
    for seat in range(4):
        assert of_type(DeclarationMade, match.news(seat)) == made
    for declared in made:
        assert declared.specified_by is SpecifiedBy.REQUEST
        at = match.events.index(declared)
        after = next(e for e in match.events[at:] if not isinstance(e, DeclarationMade))
        assert isinstance(after, CardPlayed)
        assert after.seat == declared.seat
        (record,) = [record for record in match.records if record.event is after]
        assert record.timing is not None
        assert declared.claim in record.timing.declarations
    assert match.faults == []


def test_a_false_claim_is_refused_and_others_learn_of_an_infraction_only() -> None:
    def lies(ask: Ask) -> Act:
        return Answer(card=ask.question.legal[0], declarations=(FALSE_CLAIM,))

    holds_all = {Card.DA, Card.D2, Card.D3}
    match = play_in_memory(
        [plays_first, at_its(1, lies), plays_first, plays_first], ruleset=ITALIAN
    )
    assert not holds_all <= set(of_type(DealStarted, match.events)[0].hands[1])
    refusal = DeclarationRefused(seat=1, claim=FALSE_CLAIM, reason=RefusalReason.FALSE)
    breach = Infraction(seat=1, kind=InfractionKind.DECLARATION, points=-1)
    at = match.events.index(refusal)
    assert match.events[at + 1] == breach
    assert match.faults == [(FaultKind.INFRACTION, 1)]
    for seat in range(4):
        assert of_type(Infraction, match.news(seat)) == [breach]
        assert of_type(DeclarationRefused, match.news(seat)) == ([refusal] if seat == 1 else [])
    assert match.rejects(1) == []


def test_a_breach_that_ends_the_deal_keeps_the_whole_answer_in_the_log() -> None:
    """Where the card is not played any more, the first event carries it and its times."""

    def lies(ask: Ask) -> Act:
        return Reply(
            answer=Answer(card=ask.question.legal[0], declarations=(FALSE_CLAIM,)),
            note="worth a try",
        )

    match = play_in_memory(
        [at_its(1, lies), *[plays_first] * 3], ruleset=PRESETS["cardgames-zone-4"]
    )
    assert of_type(CardPlayed, match.events) == []
    (record,) = [r for r in match.records if isinstance(r.event, DeclarationRefused)]
    assert record.timing is not None
    assert record.timing.card == match.asks(0)[0].question.legal[0]
    assert record.timing.declarations == (FALSE_CLAIM,)
    assert record.timing.note == "worth a try"
    assert [kind for kind, _ in match.faults] == [FaultKind.INFRACTION]
    assert match.ended.totals == (0, 11)


def test_a_claim_or_word_the_ruleset_does_not_know_is_malformed() -> None:
    def claims(ask: Ask) -> Sequence[Act]:
        card = ask.question.legal[0]
        three = Claim(kind=ClaimKind.THREE, rank=Rank.ACE, suit=Suit.CUPS)
        return (
            Answer(card=card, declarations=(three,)),
            Reply(answer=Answer(card=card, signal=Signal.BUSSO), think_ns=2 * MS),
            Reply(answer=Answer(card=card), think_ns=3 * MS),
        )

    match = play_in_memory([at_its(1, claims), *[plays_first] * 3], ruleset=FOUR)
    reasons = [Reason.BAD_DECLARATION, Reason.BAD_SIGNAL]
    assert [reject.reason for reject in match.rejects(0)] == reasons
    assert match.faults == [(FaultKind.MALFORMED, 0)] * 2
    assert not of_type(Infraction, match.events)


# --- 7. signals -----------------------------------------------------------------------


def test_a_word_is_heard_by_all() -> None:
    def says(ask: Ask) -> Act:
        assert Signal.BUSSO in ask.question.signals_allowed
        return Answer(card=ask.question.legal[0], signal=Signal.BUSSO)

    match = play_in_memory([at_its(1, says), *[plays_first] * 3], ruleset=ITALIAN)
    played = of_type(CardPlayed, match.events)[0]
    assert played.signal is Signal.BUSSO
    assert all(played in match.news(seat) for seat in range(4))
    assert match.faults == []


def test_a_word_not_allowed_is_an_infraction_and_unheard_but_the_card_stands() -> None:
    def says(ask: Ask) -> Act:
        return Answer(card=ask.question.legal[0], signal=Signal.STRISCIO)

    match = play_in_memory([at_its(1, says), *[plays_first] * 3], ruleset=ITALIAN)
    breach = Infraction(seat=0, kind=InfractionKind.SIGNAL, points=-1)
    played = of_type(CardPlayed, match.events)[0]
    assert played.signal is None
    assert match.faults == [(FaultKind.INFRACTION, 0)]
    for seat in range(4):
        news = match.news(seat)
        assert news.index(breach) == news.index(played) - 1
        assert Signal.STRISCIO.value not in repr(news)
    (record,) = [record for record in match.records if record.event is played]
    assert record.timing is not None
    assert record.timing.signal is Signal.STRISCIO, "a replay needs it"


# --- 8. two seats with stock ----------------------------------------------------------


@pytest.mark.parametrize(("name", "is_shown"), [("gamelake-2", False), ("pagat-2", True)])
def test_draws_are_told_in_order_and_hidden_where_the_rules_hide_them(
    name: str, *, is_shown: bool
) -> None:
    match = play_in_memory([plays_at_random(1), plays_at_random(2)], ruleset=PRESETS[name])
    draws = of_type(CardDrawn, match.events)
    assert len(draws) == 20
    for seat in (0, 1):
        told = of_type(CardDrawn, match.news(seat))
        assert [draw.seat for draw in told] == [draw.seat for draw in draws]
        for draw, seen in zip(draws, told, strict=True):
            hidden = draw.seat != seat and not is_shown
            assert seen.card == (None if hidden else draw.card)
    winners = of_type(TrickWon, match.events)
    assert [draw.seat for draw in draws[::2]] == [won.seat for won in winners[:10]]
