"""What Greedy plays on whole boards, for its ports in other languages to play the same.

Owns which boards these are and in which order a seat is asked. Must not know how a port is
reached. Source: issue "A kit for bot authors" (1).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from random import Random

from arena.rules.cards import Card
from arena.rules.presets import PRESETS
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.v1 import play_pb2
from tests.sample_bots.bots import load
from tests.sdk.positions import asked, match_of, started, view_of

BOARDS = 20
"""Of each preset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """One seat through one board: what it is told, and its questions with Greedy's cards."""

    where: str
    started: play_pb2.RefereeMessage
    asked: tuple[tuple[play_pb2.RefereeMessage, Card], ...]


def sittings() -> Iterator[Sitting]:
    """Yield every seat of every board of every preset; decisions count through all of them."""
    decision_ids = count(1)
    for ruleset in PRESETS.values():
        for board in range(1, BOARDS + 1):
            played = list(_played(ruleset, board))
            for seat in range(ruleset.seats):
                own = tuple(told for told in played if told[0].decision.observation.seat == seat)
                for (question, _), decision_id in zip(own, decision_ids, strict=False):
                    question.decision.decision_id = decision_id
                yield Sitting(
                    where=f"{ruleset.name}, board {board}, seat {seat}",
                    started=started(ruleset, seat),
                    asked=own,
                )


def _played(ruleset: Ruleset, board: int) -> Iterator[tuple[play_pb2.RefereeMessage, Card]]:
    """Yield each question and Greedy's card; one side plays that card, the other any."""
    greedy = load("greedy").Greedy()
    chance = Random(board)  # noqa: S311 - cards to look at, no secrets
    match = match_of(ruleset, board=board)
    while (question := match.question) is not None:
        card = greedy.play(view_of(match))
        yield asked(match), card
        is_played = ruleset.side_of(question.seat) == board % 2
        match.apply(Answer(card=card if is_played else chance.choice(question.legal)))
