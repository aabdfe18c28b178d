"""Values to send: hypothesis strategies for everything that crosses the wire.

Numbers stay within what the wire's types hold; claims have the suit and rank of their kind.
"""

from hypothesis import strategies as st

from arena.referee.events import (
    AnswerRejected,
    AnswerTiming,
    DecisionAsked,
    Fault,
    Late,
    LogEvent,
    MatchEnded,
    MatchStarted,
    SeatEvent,
    SeatJoined,
    SeatLost,
    SeatReady,
    SeatReturned,
)
from arena.referee.faults import Culprit, FaultKind, Reason, Termination, TerminationKind
from arena.referee.messages import Ask, Close, Reject
from arena.rules.cards import Card, Suit
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
    SignalMade,
    SpecifiedBy,
    TrickWon,
)
from arena.rules.observation import HandDealt, Observation
from arena.rules.options import Signal
from arena.rules.presets import PRESETS
from arena.rules.question import Answer, Question, QuestionKind
from arena.wire.claims import CLAIM_RANKS

seats = st.integers(0, 3)
counts = st.integers(0, 2**32 - 1)
points = st.integers(-(2**31), 2**31 - 1)
times = st.integers(0, 2**64 - 1)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
cards = st.sampled_from(Card)
card_lists = st.lists(cards, max_size=12).map(tuple)
by_side_counts = st.lists(counts, min_size=2, max_size=4).map(tuple)
by_side_points = st.lists(points, min_size=2, max_size=4).map(tuple)
words = st.sampled_from(Signal)
rulesets = st.sampled_from(list(PRESETS.values()))

claims = st.one_of(
    st.builds(Claim, kind=st.just(ClaimKind.NAPOLETANA), suit=st.sampled_from(Suit)),
    st.builds(
        Claim,
        kind=st.just(ClaimKind.THREE),
        suit=st.sampled_from(Suit),
        rank=st.sampled_from(CLAIM_RANKS),
    ),
    st.builds(Claim, kind=st.just(ClaimKind.FOUR), rank=st.sampled_from(CLAIM_RANKS)),
)
answers = st.builds(
    Answer,
    card=cards,
    signal=st.none() | words,
    declarations=st.lists(claims, max_size=4).map(tuple),
)

declarations_made = st.builds(
    DeclarationMade,
    seat=seats,
    claim=claims,
    points=counts,
    specified_by=st.sampled_from(SpecifiedBy),
)
terminations_as_told = st.builds(
    Termination,
    kind=st.sampled_from(TerminationKind),
    culprit=st.sampled_from(Culprit),
    seat=st.none() | seats,
)
terminations = st.builds(
    Termination,
    kind=st.sampled_from(TerminationKind),
    culprit=st.sampled_from(Culprit),
    seat=st.none() | seats,
    detail=texts,
)
cards_played = st.builds(
    CardPlayed, seat=seats, card=cards, signal=st.none() | words, autoplayed=st.booleans()
)
deals_scored = st.builds(
    DealScored,
    deal=counts,
    thirds=by_side_counts,
    points=by_side_points,
    declared=by_side_points,
    penalties=by_side_points,
    totals=by_side_points,
)
_of_both = (
    declarations_made,
    st.builds(DeclarationRefused, seat=seats, claim=claims, reason=st.sampled_from(RefusalReason)),
    cards_played,
    st.builds(TrickWon, seat=seats, thirds=counts),
    st.builds(Revoke, seat=seats),
    st.builds(Infraction, seat=seats, kind=st.sampled_from(InfractionKind), points=points),
    deals_scored,
    st.builds(SeatLost, seat=seats),
    st.builds(SeatReturned, seat=seats),
    st.builds(CardDrawn, seat=seats, card=st.none() | cards),
)
seat_events: st.SearchStrategy[SeatEvent] = st.one_of(
    *_of_both,
    st.builds(
        HandDealt,
        deal=counts,
        dealer=st.none() | seats,
        leader=seats,
        hand=card_lists,
        stock_size=counts,
    ),
    st.builds(Late, limit_ms=counts, think_ms=counts),
    st.builds(
        MatchEnded,
        termination=terminations_as_told,
        totals=by_side_points,
        winner=st.none() | seats,
    ),
)
log_events: st.SearchStrategy[LogEvent] = st.one_of(
    *_of_both,
    st.builds(
        DealStarted,
        deal=counts,
        board=counts,
        dealer=st.none() | seats,
        leader=seats,
        hands=st.lists(card_lists, min_size=2, max_size=4).map(tuple),
        stock=card_lists,
    ),
    st.builds(SeatJoined, seat=seats),
    st.builds(SeatReady, seat=seats),
    st.just(MatchStarted()),
    st.builds(
        DecisionAsked,
        seat=seats,
        kind=st.sampled_from(QuestionKind),
        legal=card_lists,
        limit_ms=counts,
        bank_ms=counts,
    ),
    st.builds(AnswerRejected, seat=seats, reason=st.sampled_from(Reason), size=counts),
    st.builds(
        Fault,
        culprit=st.sampled_from(Culprit),
        kind=st.sampled_from(FaultKind),
        seat=st.none() | seats,
        detail=texts,
    ),
    st.builds(
        MatchEnded,
        termination=terminations,
        totals=by_side_points,
        winner=st.none() | seats,
        loop_stall_max_us=times,
    ),
)
timings = st.builds(
    AnswerTiming,
    think_us=times,
    lag_us=times,
    cpu_us=st.none() | times,
    value_thirds=st.none() | points,
    note=texts,
    declarations=st.lists(claims, max_size=3).map(tuple),
    signal=st.none() | words,
)
observations = st.builds(
    Observation,
    seat=seats,
    deal=counts,
    dealer=st.none() | seats,
    leader=seats,
    hand=card_lists,
    trick=card_lists,
    history=card_lists,
    trick_leaders=st.lists(seats, max_size=10).map(tuple),
    stock_size=counts,
    declarations=st.lists(declarations_made, max_size=3).map(tuple),
    signals=st.lists(st.builds(SignalMade, play=counts, seat=seats, word=words), max_size=3).map(
        tuple
    ),
    known_cards=st.lists(card_lists, min_size=2, max_size=4).map(tuple),
    thirds=by_side_counts,
    totals=by_side_points,
)
questions = st.builds(
    Question,
    seat=seats,
    kind=st.sampled_from(QuestionKind),
    legal=card_lists,
    declarable=st.lists(claims, max_size=3).map(tuple),
    signals_allowed=st.lists(words, max_size=3).map(tuple),
)
asks = st.builds(
    Ask,
    seat=seats,
    number=counts,
    question=questions,
    observation=observations,
    news=st.lists(seat_events, max_size=5).map(tuple),
    limit_ns=st.integers(0, 10**13),
    bank_ns=st.integers(0, 10**13),
)
rejects = st.builds(
    Reject,
    seat=seats,
    number=st.none() | counts,
    reason=st.sampled_from(Reason),
    message=texts,
    allowed=card_lists,
)
closes = st.builds(
    Close, termination=terminations_as_told, totals=by_side_points, winner=st.none() | seats
)
