"""A table in this process: sample bots play whole boards without a referee or a wire.

Owns the points of duplicated boards and their interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.sdk import Bot, MatchInfo, View
from tests.sdk.positions import asked, match_of, started


def play_board(ruleset: Ruleset, board: int, bots: Sequence[Bot]) -> tuple[int, ...]:
    """Play one board, a bot for each side, and return the points by side."""
    match = match_of(ruleset, board=board)
    infos = [
        MatchInfo(started(ruleset, seat, bot_seed=board * 8 + seat).match_started)
        for seat in range(ruleset.seats)
    ]
    while (question := match.question) is not None:
        bot = bots[ruleset.side_of(question.seat)]
        view = View(infos[question.seat], asked(match).decision, 0)
        match.apply(Answer(card=bot.play(view), declarations=tuple(bot.declare(view))))
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


def margin(ruleset: Ruleset, boards: int, one: Bot, other: Bot) -> Margin:
    """Play each board in both orientations: the luck of the deal cancels."""
    groups = []
    for board in range(1, boards + 1):
        home = play_board(ruleset, board, (one, other))
        away = play_board(ruleset, board, (other, one))
        groups.append((home[0] - home[1] + away[1] - away[0]) / 2)
    mean = sum(groups) / boards
    variance = sum((group - mean) ** 2 for group in groups) / (boards - 1)
    return Margin(mean=mean, half_width=1.96 * (variance / boards) ** 0.5)
