"""The kit understands every golden walk of the protocol, seat by seat."""

import json
from collections import Counter
from pathlib import Path

import pytest

from arena.sdk import Bot, Card, View
from arena.sdk.session import Arrived, Session
from arena.v1 import play_pb2
from arena.wire.json_dialect import line_to_referee_message

FOLDER = Path(__file__).resolve().parents[1] / "data" / "walks"
WALKS = sorted(FOLDER.glob("*.jsonl"))


class LooksAtAll(Bot):
    """Plays the first legal card, after a look at everything that a view offers."""

    def play(self, view: View) -> Card:
        """Look, and play."""
        for name in dir(View):
            if not name.startswith("_"):
                getattr(view, name)
        return view.legal[0]


def told(walk: Path) -> dict[int, list[play_pb2.RefereeMessage]]:
    """Return what the referee says in a walk, by seat."""
    seats: dict[int, list[play_pb2.RefereeMessage]] = {}
    for line in map(json.loads, walk.read_text().splitlines()):
        if line["from"] == "referee" and "message" in line:
            message = line_to_referee_message(json.dumps(line["message"]).encode())
            seats.setdefault(line["seat"], []).append(message)
    return seats


def test_there_are_walks() -> None:
    assert len(WALKS) >= 10


@pytest.mark.parametrize("walk", WALKS, ids=[walk.stem for walk in WALKS])
def test_every_question_of_a_walk_is_answered(walk: Path) -> None:
    for messages in told(walk).values():
        session = Session(LooksAtAll(), "")
        said = Counter(message.WhichOneof("message") for message in messages)
        replies = Counter(
            reply.WhichOneof("message")
            for message in messages
            for frame in session.receive([Arrived(play_pb2.PlayResponse(messages=[message]), 0)])
            for reply in frame.messages
        )
        assert replies["ready"] == said["match_started"]
        assert said["decision"] <= replies["answer"] <= said["decision"] + said["rejected"]
        assert (session.welcome is not None) == bool(said["welcome"])
        assert (session.goodbye is not None) == bool(said["goodbye"])
