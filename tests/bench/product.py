"""The arena itself under the turn floor's clock: rules, clocks and log in every play.

A server process plays one endless match a table with instant bots on the SDK, each in a
process of its own. The time of a play is that of its whole round: from one card in the log
to the next one of the table. Run as a program it is that server.
"""

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import trio

from arena.bots.argument import parse_bot
from arena.bots.build import build_bot
from arena.bots.frozen import freeze
from arena.bots.seating import SeatedBot, SeatingRoom, open_room, seat_bot
from arena.record.header import LogHeader, SeatHeader
from arena.record.match_log import MatchLog
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.referee.messages import Record
from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.events import CardPlayed
from arena.rules.presets import parse_ruleset
from arena.server.arrivals import now_ns
from arena.server.host import HostedMatch, play_match
from tests.bench.turn_floor import SEATS, WARM_UP, Figures

RULES = parse_ruleset("italian-tournament:declarations=off")
HERE = Path(__file__).parent
"""What relative folders of bots start from."""
ENDLESS = 1_000_000
"""Boards of the match; the time ends it."""


class PlayMeter:
    """Counts the plays that go to the log after the warm-up."""

    def __init__(self, seconds: float) -> None:
        now = now_ns()
        self.counts_from_ns = now + int(seconds * WARM_UP * 1e9)
        self.ends_ns = now + int(seconds * 1e9)
        self.times_ns: list[int] = []
        self.cpu_from_s = 0.0
        self._last_ns: dict[int, int] = {}

    def count(self, table: int, record: Record) -> None:
        """Count a record if it is a card, played in the time that counts."""
        if not isinstance(record.event, CardPlayed):
            return
        now = now_ns()
        last, self._last_ns[table] = self._last_ns.get(table, now), now
        if self.counts_from_ns <= last and now < self.ends_ns:
            if not self.times_ns:
                self.cpu_from_s = time.process_time()
            self.times_ns.append(now - last)

    def figures(self) -> Figures:
        """Give what was counted."""
        times = sorted(self.times_ns)
        plays = len(times)
        return Figures(
            plays_per_s=plays / ((self.ends_ns - self.counts_from_ns) / 1e9),
            p50_us=times[plays // 2] / 1e3,
            p99_us=times[plays * 99 // 100] / 1e3,
            server_cpu_us=(time.process_time() - self.cpu_from_s) / plays * 1e6,
        )


async def serve(
    tables: int, seconds: float, *, bot_name: str, shared: bool, built: str = ""
) -> Figures:
    """Play at so many tables for so long.

    Args:
        tables: Matches at once.
        seconds: For how long, the warm-up included.
        bot_name: Who plays, as on a command line.
        shared: Whether four processes play at all the tables, instead of four a table.
        built: A folder that keeps what builds make; "": none is kept.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        store = Path(built or folder)
        bot = await build_bot(freeze(parse_bot(bot_name, HERE), store), store)
        async with open_room(60_000, server_version="bench") as room, trio.open_nursery() as bots:
            seated = []
            for number in range(SEATS if shared else tables * SEATS):
                stderr = Path(folder, f"{number}.txt")
                seated.append(await bots.start(partial(seat_bot, room, bot, stderr)))
            meter = PlayMeter(seconds)
            with trio.move_on_at(trio.current_time() + seconds):
                async with trio.open_nursery() as playing:
                    for table in range(tables):
                        four = seated if shared else seated[table * SEATS : (table + 1) * SEATS]
                        path = Path(folder, f"{table}.jsonl")
                        playing.start_soon(_play, room, table, four, path, meter)
            figures = meter.figures()
            bots.cancel_scope.cancel()
    return figures


async def _play(
    room: SeatingRoom, table: int, bots: Sequence[SeatedBot], path: Path, meter: PlayMeter
) -> None:
    seed = seed_from_text(path.name)
    seat = SeatHeader(entrant="random", bot="random", version="1", content_hash="0" * 64)
    header = LogHeader(
        arena_version="bench",
        match="s1-r1-p1-o0-m1",
        ruleset=RULES,
        first_board=1,
        boards=ENDLESS,
        clock=Clock(),
        conduct=Conduct(),
        commitment="",
        seats=(seat,) * SEATS,
    )
    log = MatchLog(path, header, wall_time=lambda: "")
    match = HostedMatch(
        public_id="bench",
        ruleset=RULES,
        cards=partial(deal_board, RULES, seed),
        first_board=1,
        boards=ENDLESS,
        clock=Clock(),
        conduct=Conduct(),
        commitment=b"",
        bot_seeds=(1, 2, 3, 4),
    )

    def sink(record: Record) -> None:
        log.write(record)
        meter.count(table, record)

    with room.runtime.arrivals.watch_loop() as watch:
        await play_match(match, [bot.session for bot in bots], sink=sink, watch=watch)


if __name__ == "__main__":
    kind, name, tables, seconds, *more = sys.argv[1:]
    play = partial(
        serve,
        int(tables),
        float(seconds),
        bot_name=name,
        shared=kind == "shared",
        built=more[0] if more else "",
    )
    print(json.dumps(asdict(trio.run(play))), flush=True)
