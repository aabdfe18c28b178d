"""What a seat is asked, made from a match of the rules.

Owns the messages that the tests of the kit start from. No referee, no sockets.
"""

from collections.abc import Iterator
from functools import partial
from random import Random

from arena.referee.clock import MS, Clock
from arena.referee.messages import Ask
from arena.rules.cards import FULL_DECK, Card, cards_of
from arena.rules.deal import Deal
from arena.rules.dealing import DealtCards, deal_board, seed_from_text
from arena.rules.match import Match
from arena.rules.notation import parse_cards
from arena.rules.observation import observe
from arena.rules.presets import parse_ruleset
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.sdk import MatchInfo, View
from arena.v1 import play_pb2, seat_pb2
from arena.wire import to_bot
from arena.wire.enums import encode_cards

SEED = seed_from_text("positions")
RULESET = parse_ruleset("gamelake-4")


def match_of(ruleset: Ruleset = RULESET, *, board: int = 1, boards: int = 1) -> Match:
    """Return a match at its first card."""
    cards = partial(deal_board, ruleset, SEED)
    return Match(ruleset, cards=cards, first_board=board, boards=boards)


def started(
    ruleset: Ruleset = RULESET, seat: int = 0, *, table: int = 1, bot_seed: int = 7
) -> play_pb2.RefereeMessage:
    """Return the message that starts a match over one board."""
    return to_bot.match_started(
        table=table,
        match_id="brave-otter",
        ruleset=ruleset,
        seat=seat,
        clock=Clock(),
        boards=1,
        commitment=bytes(32),
        bot_seed=bot_seed,
    )


def asked(
    match: Match, *, table: int = 1, decision_id: int = 1, limit_ms: int = 1_000, bank_ms: int = 0
) -> play_pb2.RefereeMessage:
    """Return the message that asks the seat to play."""
    question = match.question
    assert question is not None
    ask = Ask(
        seat=question.seat,
        number=1,
        question=question,
        observation=observe(match, question.seat),
        news=(),
        limit_ns=limit_ms * MS,
        bank_ns=bank_ms * MS,
    )
    return to_bot.decision(table, decision_id, ask)


def view_of(match: Match, *, arrived_ns: int = 0, bot_seed: int = 7) -> View:
    """Return the view of the seat to play."""
    message = asked(match).decision
    info = started(match.ruleset, message.observation.seat, bot_seed=bot_seed)
    return View(MatchInfo(info.match_started), message, arrived_ns)


def played_at_random(ruleset: Ruleset, *, board: int = 1) -> Iterator[Match]:
    """Play a board with chance's cards; stop before each."""
    chance = Random(board)  # noqa: S311 - cards to look at, no secrets
    match = match_of(ruleset, board=board)
    while (question := match.question) is not None:
        yield match
        word = chance.choice((None, *question.signals_allowed))
        claims = question.declarable
        match.apply(Answer(card=chance.choice(question.legal), signal=word, declarations=claims))


def before_the_last_card(ruleset: Ruleset, *, board: int = 1) -> Match:
    """Return a board played by chance up to its last card."""
    for match in played_at_random(ruleset, board=board):
        if not match.deal.stock and sum(hand.bit_count() for hand in match.deal.hands) == 1:
            return match
    raise AssertionError("the board ended early")


def ending(hands: str, played: str = "", *, decision_id: int = 1) -> play_pb2.RefereeMessage:
    """Return what the seat to play is asked after some cards of an ending of four hands.

    Seat 0 leads. Cards in no hand were played before. The table has the seat's number, from 1.
    """
    dealt = DealtCards(tuple(map(parse_cards, hands.split("|"))))
    deal = Deal(RULESET, dealt, 0)
    gone = cards_of(FULL_DECK & ~sum(deal.hands))
    for card in parse_cards(played):
        deal.play(card)
    decision = play_pb2.Decision(
        table=deal.turn + 1,
        decision_id=decision_id,
        card=play_pb2.CardQuestion(legal=encode_cards(deal.legal_cards())),
        time_limit_ms=1_000,
        observation=seat_pb2.Observation(
            seat=deal.turn,
            deal=1,
            leader=deal.leader,
            hand=encode_cards(cards_of(deal.hands[deal.turn])),
            trick=encode_cards(deal.trick),
            history=encode_cards(gone),
            trick_leaders=[0] * (len(gone) // 4),
        ),
    )
    return play_pb2.RefereeMessage(decision=decision)


def card_of(answer: play_pb2.Answer) -> Card:
    """Return the card of an answer."""
    return Card(answer.card)
