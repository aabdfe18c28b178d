"""Every line of a log is what the proto files say, so that the schema stays true."""

from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message

from arena.record.event_log import EventLog
from arena.record.lines import decode_line
from arena.tournament.begun import entrant_fields
from arena.tournament.event_file import Entrant
from arena.tournament.rulings import Act, Ruling
from arena.tournament.time_bound import Cut
from arena.v1 import event_log_pb2, log_pb2
from arena.wire.json_dialect import from_object
from tests.record.make_golden import Golden, goldens
from tests.record.samples import ticking

ALL = tuple(goldens())


def skipped_of(message: Message, line: bytes) -> list[str]:
    """Read a flat line into the message that documents it; the keys that it does not know."""
    fields = decode_line(line)
    members = {field.name for field in message.DESCRIPTOR.fields if field.containing_oneof is None}
    members |= {field.name for field in message.DESCRIPTOR.fields if field.has_presence} - {
        field.name for field in message.DESCRIPTOR.oneofs_by_name["event"].fields
    }
    kind = str(fields.pop("event"))
    ruleset = fields.get("ruleset")
    if isinstance(ruleset, dict) and ruleset["infraction_points"] == "as_revoke":
        # The one place where a line says in one field what the message has two for.
        ruleset |= {"infraction_points": 0, "infraction_as_revoke": True}
    whole = {key: value for key, value in fields.items() if key in members}
    own = {key: value for key, value in fields.items() if key not in members}
    skipped: list[str] = []
    from_object(message, whole | {kind: own}, skipped)
    return skipped


@pytest.mark.parametrize("golden", ALL, ids=lambda golden: golden.name)
def test_the_schema_knows_every_field_of_every_line(golden: Golden) -> None:
    for line in golden.path.read_bytes().splitlines():
        assert skipped_of(log_pb2.Event(), line) == []


def test_the_schema_of_the_events_log_knows_what_is_appended(tmp_path: Path) -> None:
    path = tmp_path / "event.jsonl"
    with EventLog(path, wall_time=ticking()) as log:
        log.append(
            "event_opened",
            schema=1,
            arena_version="0.1.0",
            commitments=["c0" * 32],
            secret_commitments=["d0" * 32],
            entrants=entrant_fields(
                [Entrant(name="f", bot="x:y=1", tags=("a",), options={"z": 2})]
            ),
        )
        log.append("public_text", text="4 8 15", commitments=["c0" * 32])
        log.append("event_resumed", tables=2, guards=["files"])
        counted: dict[str, Any] = {
            "digest": "d" * 64,
            "termination": "completed",
            "totals": [3, -1],
        }
        log.append("match_counted", match="s1-r1-p1-o0-m1", attempt=1, **counted)
        log.append("match_voided", match="s1-r1-p1-o1-m1", attempt=1, **counted)
        log.append("entrant_suspended", entrant="fox", stage=1, round=2, reason="3 forfeits")
        log.append("notify_failed", occasion="pause", why="exited with status 1")
        log.append("stage_seeded", stage=2, entrants=["fox", "owl"])
        log.append("round_drawn", stage=2, round=1, pairings=[{"entrants": ["fox", "owl"]}])
        for ruling in (
            Ruling(act=Act.ADJUST, on="m", by="me", reason="x", attempt=1, board=3, points=(5, 6)),
            Ruling(act=Act.REINSTATE, on="fox", by="me", reason="x", forgiven=("m",)),
        ):
            log.append("ruling", durable=True, **ruling.to_fields())
        cut = Cut(by="2h", rounds_complete=3, rounds_planned=9, matches_beyond=1, matches_left=12)
        log.append("event_paused", durable=True, why=str(cut), **cut.to_fields())
        log.append("seed_revealed", seeds=["ab" * 32], secrets=["cd" * 32])
        log.append("event_closed")
    for line in path.read_bytes().splitlines():
        assert skipped_of(event_log_pb2.EventLogEntry(), line) == []
