"""What a seat is asked, made from a match of the rules.

Owns the messages that the tests of the kit start from. No referee, no sockets.
"""

from collections.abc import Iterator
from functools import partial
from random import Random

from arena.referee.clock import MS, Clock
from arena.referee.messages import Ask
from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.match import Match
from arena.rules.observation import observe
from arena.rules.presets import parse_ruleset
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.sdk import MatchInfo, View
from arena.v1 import play_pb2
from arena.wire import to_bot

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
    chance = Random(board)
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
