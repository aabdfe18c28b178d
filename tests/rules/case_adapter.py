"""The cases of ``tests/data/rule_cases.json``, answered by the engine.

``evaluate(case, rulesets)`` returns the engine's answer with the keys of the case's
``expect`` (all it has where there is none). It knows kinds of cases, never a case: each kind
is put to the engine with whatever values and parameters it is given.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from arena.errors import RulesError
from arena.rules import declarations, scoring, signals
from arena.rules.cards import CARDS, SUIT_CARDS, Card, Suit, cards_of, set_of
from arena.rules.dealing import DealtCards, deal_board, leader_of_board, seed_from_text
from arena.rules.events import (
    CardDrawn,
    Claim,
    ClaimKind,
    DealScored,
    Revoke,
    SpecifiedBy,
    TrickWon,
)
from arena.rules.match import Match
from arena.rules.notation import parse_card
from arena.rules.observation import observe, visible_to
from arena.rules.options import Signal
from arena.rules.question import Answer, BadAnswer, BadAnswerKind
from arena.rules.ruleset import Ruleset
from arena.rules.ruleset_text import GROUPS, parse_option
from arena.rules.trick import must_follow, trick_thirds, winning_play

Given = Mapping[str, Any]
Answers = dict[str, Any]

_OWN_NAMES: Final = {"players": "seats"}
_OWN_VALUES: Final[Mapping[str, Mapping[str, object]]] = {
    "deal_packets": {"None": ()},
    "direction": {"None": "unstated"},
    "match_end_check": {"claim_any_time": "end_of_deal"},
    "revoke_points": {"None": 0, "n/a": 0},
    "revoke_own_points": {"None": 0, "n/a": 0},
    "revoke_declarations": {"None": "none", "n/a": "none"},
    "auction": {"None": "none"},
}
_SUITS: Final = {suit.letter: suit for suit in Suit}
_RANKS: Final = {card.rank.letter: card.rank for card in CARDS}


def evaluate(case: dict[str, Any], rulesets: dict[str, Any]) -> dict[str, Any]:
    """Answer a case from the engine.

    Raises:
        RulesetError: when its ruleset asks for what the engine does not offer.
        LookupError: when no such kind of case is known.
    """
    ruleset = to_ruleset(case["ruleset"], rulesets[case["ruleset"]])
    answers = _KINDS[case["kind"]](ruleset, case["given"])
    wanted = case.get("expect", answers)
    return {key: value for key, value in answers.items() if key in wanted}


def to_ruleset(name: str, parameters: Mapping[str, Any]) -> Ruleset:
    """Turn one parameter object of the cases' file into a Ruleset."""
    texts: dict[str, Any] = {}
    for key, value in parameters.items():
        if key == "decl_values":
            texts |= {f"decl_{claim}": points for claim, points in value.items()}
            continue
        own = _OWN_VALUES.get(key, {})
        texts[_OWN_NAMES.get(key, key)] = own.get(str(value), value)
    values: dict[str, Any] = {key: parse_option(key, value) for key, value in texts.items()}
    for group in GROUPS:
        if group.is_off(values):
            values |= group.off_values
    return Ruleset(name=name, **values)


def _order(_ruleset: Ruleset, given: Given) -> Answers:
    return {"strong_to_weak": _names(reversed(cards_of(SUIT_CARDS[_SUITS[given["suit"]]])))}


def _thirds(_ruleset: Ruleset, given: Given) -> Answers:
    return {"thirds": [card.thirds for card in _cards(given["cards"])]}


def _deck_total(ruleset: Ruleset, _given: Given) -> Answers:
    cards = trick_thirds(CARDS)
    return {"card_thirds": cards, "with_last_trick": cards + ruleset.last_trick_thirds}


def _trick(_ruleset: Ruleset, given: Given) -> Answers:
    seats = [seat for seat, _ in given["plays"]]
    cards = _cards(card for _, card in given["plays"])
    winner = seats[winning_play(cards)]
    return {"winner": winner, "leader": winner, "thirds": trick_thirds(cards)}


def _legal(ruleset: Ruleset, given: Given) -> Answers:
    question = _position(ruleset, given).question
    assert question is not None
    return {"legal": sorted(_names(question.legal))}


def _revoke(ruleset: Ruleset, given: Given) -> Answers:
    refusal = _position(ruleset, given).deal.refusal_of(parse_card(given["played"]))
    return {"revoke": refusal is not None and refusal.kind is BadAnswerKind.ILLEGAL_CARD}


def _illegal_play(ruleset: Ruleset, given: Given) -> Answers:
    match = _position(ruleset, given)
    before = _state(match)
    try:
        events = match.apply(Answer(card=parse_card(given["played"])))
    except BadAnswer:
        is_same = _state(match) == before
        return {"result": f"rejected_state_{'unchanged' if is_same else 'changed'}"}
    return {"result": "revoke" if any(isinstance(e, Revoke) for e in events) else "accepted"}


def _state(match: Match) -> list[object]:
    return [match.question, *(observe(match, seat) for seat in range(match.ruleset.seats))]


def _position(ruleset: Ruleset, given: Given) -> Match:
    """Start a match in which the seat to play holds ``hand`` and the suit ``led`` was led."""
    hand = _cards(given["hand"])
    led = _SUITS.get(given["led"])
    lead = [card for card in CARDS if card.suit is led and card not in hand][:1]
    hands = {0: lead, 1: hand} if lead else {0: hand}
    dealt = _dealt(ruleset, hands, size=len(hand), stock=given.get("stock", 0))
    match = _board(ruleset, dealt)
    for card in lead:
        match.apply(Answer(card=card))
    return match


def _dealt(
    ruleset: Ruleset, hands: Mapping[int, Sequence[Card]], *, size: int, stock: int = 0
) -> DealtCards:
    """Deal these hands by seat, filled up to their size with cards that nobody names."""
    named = {card for hand in hands.values() for card in hand}
    rest = [card for card in CARDS if card not in named]
    dealt = []
    for seat in range(ruleset.seats):
        hand = hands.get(seat, ())
        count = size - len(hand)
        dealt.append((*hand, *rest[:count]))
        rest = rest[count:]
    return DealtCards(tuple(dealt), tuple(rest[:stock]))


def _board(ruleset: Ruleset, dealt: DealtCards, *, leader: int = 0) -> Match:
    """Start a match of one board on these cards; seat n leads board n + 1."""
    return Match(ruleset, cards=lambda _board: dealt, first_board=leader + 1, boards=1)


def _draw(ruleset: Ruleset, given: Given) -> Answers:
    winner = given["trick_winner"]
    stock = _cards(given["stock_top_first"])
    free = min(Suit, key=lambda suit: sum(card.suit is suit for card in stock))
    suit = [card for card in CARDS if card.suit is free and card not in stock]
    others = suit[: ruleset.seats - 1]
    hands = tuple(
        (suit[-1],) if seat == winner else (others.pop(),) for seat in range(ruleset.seats)
    )
    match = _board(ruleset, DealtCards(hands, stock), leader=winner)
    events = [event for _ in hands for event in match.apply(match.default_answer())]
    draws = [event for event in events if isinstance(event, CardDrawn)]
    return {
        "draws": [[draw.seat, str(draw.card)] for draw in draws],
        "stock_left": len(match.deal.stock),
        "opponent_sees": all(
            visible_to(draw, ruleset.next_seat(draw.seat), ruleset) == draw for draw in draws
        ),
    }


def _draw_count(ruleset: Ruleset, _given: Given) -> Answers:
    match = _board(ruleset, deal_board(ruleset, seed_from_text("draw count"), 1))
    tricks: list[bool] = []
    follows: list[bool] = []
    while not match.is_over:
        if not match.deal.trick:
            follows.append(must_follow(ruleset, len(match.deal.stock)))
        events = match.apply(match.default_answer())
        if any(isinstance(event, TrickWon) for event in events):
            tricks.append(any(isinstance(event, CardDrawn) for event in events))
    return {
        "tricks": len(tricks),
        "tricks_with_draw": tricks.count(True),
        "free_tricks": follows.count(False),
        "follow_tricks": follows.count(True),
    }


def _score(ruleset: Ruleset, given: Given) -> Answers:
    nothing = [0] * ruleset.side_count
    if "seat_thirds" in given:
        thirds = nothing[:]
        for seat, won in enumerate(given["seat_thirds"]):
            thirds[ruleset.side_of(seat)] += won
    elif "card_thirds" in given:
        thirds = list(given["card_thirds"])
        thirds[given["last_trick"]] += ruleset.last_trick_thirds
    else:
        thirds = list(given["thirds"])
    score = scoring.score_deal(
        ruleset,
        thirds=thirds,
        tricks=given.get("tricks", nothing),
        declared=given.get("declared", nothing),
        penalties=nothing,
    )
    return {"points": list(score.points)}


def _score_run(ruleset: Ruleset, given: Given) -> Answers:
    deals = [_score(ruleset, {"thirds": thirds})["points"] for thirds in given["deals_thirds"]]
    return {"totals": [sum(points) for points in zip(*deals, strict=True)]}


def _score_sum(ruleset: Ruleset, _given: Given) -> Answers:
    whole = trick_thirds(CARDS) + ruleset.last_trick_thirds
    sums = {sum(scoring.card_points((won, whole - won))) for won in range(whole + 1)}
    return {"sum_always": sums.pop() if len(sums) == 1 else None}


def _declare(ruleset: Ruleset, given: Given) -> Answers:
    dealt = set_of(_cards(given["dealt"]))
    moment = declarations.Moment(**given["when"])
    accepted: list[Claim] = []
    verdicts: list[bool] = []
    for claim in map(_claim, given["claims"]):
        try:
            declarations.check_form(ruleset, claim)
            reason: object = declarations.refusal_of(
                ruleset, claim, dealt=dealt, moment=moment, accepted=accepted
            )
        except BadAnswer as refusal:
            reason = refusal
        verdicts.append(reason is None)
        if reason is None:
            accepted.append(claim)
    points = sum(declarations.claim_points(ruleset, claim) for claim in accepted)
    return {"accepted": verdicts, "points": points}


def _specify(ruleset: Ruleset, given: Given) -> Answers:
    phrases: list[str | None] = []
    for claim in map(_claim, given["claims"]):
        if declarations.specified_by(ruleset, claim) is SpecifiedBy.NOT or claim.suit is None:
            phrases.append(None)
        elif claim.kind is ClaimKind.NAPOLETANA:
            phrases.append(f"suit {claim.suit.letter}")
        else:
            phrases.append(f"missing suit {claim.suit.letter}")
    return {"must_answer": phrases}


def _claim(claim: Given) -> Claim:
    suit = claim.get("suit", claim.get("missing"))
    rank = claim.get("rank")
    return Claim(
        kind=ClaimKind(claim["type"]),
        suit=None if suit is None else _SUITS[suit],
        rank=None if rank is None else _RANKS[rank],
    )


def _revoke_score(ruleset: Ruleset, given: Given) -> Answers:
    points = _revoked(ruleset, ruleset.side_of(given["offender"]), given["declared"])
    judged = _judged(ruleset, given, points)
    return {"deal": points, "deal_interrupted": _is_interrupted(ruleset), **judged}


def _revoked(ruleset: Ruleset, offender: int, declared: Sequence[int] = (0, 0)) -> list[int]:
    score = scoring.score_revoke(
        ruleset, offender=offender, declared=declared, penalties=[0] * ruleset.side_count
    )
    return list(score.points)


def _is_interrupted(ruleset: Ruleset) -> bool:
    """Try it: does a card of another suit end the deal although the seat holds more cards?"""
    match = _position(ruleset, {"hand": ["D4", "C4", "C5"], "led": "D"})
    with suppress(BadAnswer):
        return any(isinstance(e, DealScored) for e in match.apply(Answer(card=Card.C4)))
    return False


def _infraction_score(ruleset: Ruleset, given: Given) -> Answers:
    counts = given["infractions"]
    points = list(given["deal"])
    if scoring.infraction_ends_deal(ruleset) and any(counts):
        points = _revoked(ruleset, next(side for side, count in enumerate(counts) if count))
    else:
        cost = scoring.infraction_cost(ruleset)
        points = [won + cost * count for won, count in zip(points, counts, strict=True)]
    return _judged(ruleset, given, points)


def _incentive(ruleset: Ruleset, given: Given) -> Answers:
    own = ruleset.side_of(given["revoker"])
    other = 1 - own
    revoked = _revoked(ruleset, own)
    played = given["deal_if_played_out"]
    return {
        "opponent_gain_if_revoke": revoked[other],
        "cheaper_to_revoke": revoked[other] - revoked[own] < played[other] - played[own],
    }


def _judged(ruleset: Ruleset, given: Given, points: Any) -> Answers:
    totals = scoring.add_to_totals(ruleset, given["before"], points)
    phase = scoring.Phase(given.get("phase", "normal"))
    verdict = scoring.judge_match(ruleset, totals, phase)
    return {
        "totals": list(totals),
        "over": verdict.over,
        "winner": verdict.winner,
        "phase": verdict.phase.value,
    }


def _leader(ruleset: Ruleset, given: Given) -> Answers:
    dealer = given["dealer"]
    by_board = leader_of_board(ruleset, given["deal_no"] + 1)
    leader = by_board if dealer == "judge" else ruleset.next_seat(dealer)
    order = [leader]
    while len(order) < ruleset.seats:
        order.append(ruleset.next_seat(order[-1]))
    sides = [list(ruleset.seats_of(side)) for side in range(ruleset.side_count)]
    return {"leader": leader, "order": order, "sides": sides}


def _signal(ruleset: Ruleset, given: Given) -> Answers:
    word = given["word"]
    words = signals.allowed_words(ruleset, is_leader=given["is_leader"])
    if word is None or word in words:
        return {"allowed": True, "points": 0}
    return {"allowed": False, "points": ruleset.infraction_points}


def _signal_truth(_ruleset: Ruleset, given: Given) -> Answers:
    hand, others = (set_of(_cards(given[key])) for key in ("hand_after", "outstanding_higher"))
    card = parse_card(given["card_led"])
    word = Signal(given["word"])
    return {"true": signals.is_true(word, card, hand_after=hand, outstanding=others)}


def _inconsistent(ruleset: Ruleset, given: Given) -> Answers:
    hands = {int(seat): list(_cards(cards)) for seat, cards in given["dealt"].items()}
    for seat, name in given["plays"]:
        hand = hands.setdefault(seat, [])
        card = parse_card(name)
        if card not in hand:
            hand.append(card)
    try:
        _dealt(ruleset, hands, size=ruleset.hand_size)
    except RulesError:
        return {"possible": False}
    return {"possible": True}


def _cards(names: Any) -> tuple[Card, ...]:
    return tuple(map(parse_card, names))


def _names(cards: Any) -> list[str]:
    return list(map(str, cards))


_KINDS: Final[Mapping[str, Callable[[Ruleset, Given], Answers]]] = {
    "order": _order,
    "thirds": _thirds,
    "deck_total": _deck_total,
    "trick": _trick,
    "next_leader": _trick,
    "legal": _legal,
    "draw": _draw,
    "draw_count": _draw_count,
    "score": _score,
    "score_run": _score_run,
    "score_sum": _score_sum,
    "declare": _declare,
    "specify": _specify,
    "revoke": _revoke,
    "revoke_score": _revoke_score,
    "illegal_play": _illegal_play,
    "infraction_score": _infraction_score,
    "incentive": _incentive,
    "match": lambda ruleset, given: _judged(ruleset, given, given["deal"]),
    "leader": _leader,
    "signal": _signal,
    "signal_truth": _signal_truth,
    "inconsistent": _inconsistent,
}
