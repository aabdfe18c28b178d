"""What bots may use, from the event file to the log, as an organiser sees it."""

import json
from pathlib import Path

from arena.bots.cgroups import can_freeze
from tests.cli.bots import write_bot
from tests.cli.conftest import RunArena
from tests.cli.logs import played_in

SHORT = ("--boards", "1", "--ruleset", "gamelake-2")


def records(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "event.jsonl").read_text().splitlines()]
