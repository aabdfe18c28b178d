"""A table in this process: sample bots play whole boards without a referee or a wire.

Owns the seats' views of a match of :mod:`arena.rules` and the points of duplicated boards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from arena.referee.clock import MS, Clock
from arena.referee.messages import Ask
from arena.rules.dealing import deal_board
from arena.rules.match import Match
from arena.rules.observation import observe
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.sdk import Bot, MatchInfo, View
from arena.wire import to_bot


def started(ruleset: Ruleset, seat: int, *, bot_seed: int = 7, table: int = 1) -> MatchInfo:
    """Return what a seat is told of a match over one board."""
    message = to_bot.match_started(
        table=table,
        match_id="a-match",
        ruleset=ruleset,
        seat=seat,
        clock=Clock(),
        boards=1,
        commitment=bytes(32),
        bot_seed=bot_seed,
    )
    return MatchInfo(message.match_started)


def view_of(match: Match, info: MatchInfo, *, arrived_ns: int = 0) -> View:
    """Return the view of the seat that is asked."""
    question = match.question
    assert question is not None
    ask = Ask(
        seat=question.seat,
        number=1,
        question=question,
        observation=observe(match, question.seat),
        news=(),
        limit_ns=1_000 * MS,
        bank_ns=0,
    )
    return View(info, to_bot.decision(info.table, 1, ask).decision, arrived_ns)


def play_board(ruleset: Ruleset, seed: bytes, board: int, bots: Sequence[Bot]) -> tuple[int, ...]:
    """Play one board, a bot for each side, and return the points by side."""
    cards = partial(deal_board, ruleset, seed)
    match = Match(ruleset, cards=cards, first_board=board, boards=1)
    infos = [started(ruleset, seat, bot_seed=board * 8 + seat) for seat in range(ruleset.seats)]
    while (question := match.question) is not None:
        bot = bots[ruleset.side_of(question.seat)]
        view = view_of(match, infos[question.seat])
        card = bot.play(view)
        match.apply(Answer(card=card, declarations=tuple(bot.declare(view))))
    return match.totals


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """Points per board of one bot over another, with a 95 % interval from board groups."""

    mean: float
    half_width: float

    @property
    def lower(self) -> float:
        """The interval's lower end."""
        return self.mean - self.half_width


def margin(ruleset: Ruleset, seed: bytes, boards: int, one: Bot, other: Bot) -> Margin:
    """Play each board in both orientations: the luck of the deal cancels."""
    groups = []
    for board in range(1, boards + 1):
        home = play_board(ruleset, seed, board, (one, other))
        away = play_board(ruleset, seed, board, (other, one))
        groups.append((home[0] - home[1] + away[1] - away[0]) / 2)
    mean = sum(groups) / boards
    variance = sum((group - mean) ** 2 for group in groups) / (boards - 1)
    return Margin(mean=mean, half_width=1.96 * (variance / boards) ** 0.5)
