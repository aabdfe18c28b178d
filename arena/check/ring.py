"""The ring: the bot's processes against the shipped ``greedy``, under an organiser's conditions.

Owns seating and matches of a check, through the same seating, referee and sandbox that an
event has. Must not judge. Every wait ends: each is one of seating's or of the referee's.
"""

import math
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

import trio

from arena.bots.frozen import FrozenBot
from arena.bots.seating import SeatedBot, SeatingRoom, explain_ms_for, seat_bot
from arena.check.evidence import Evidence, Played, Twist
from arena.check.processes import processes_of, stop_by_moments
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.referee.messages import Record
from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.events import CardPlayed
from arena.rules.ruleset import Ruleset
from arena.server.arrivals import current_arrivals, now_ns
from arena.server.host import HostedMatch, play_match
from arena.wire.terms import Resources

SEED: Final = seed_from_text("arena check")
END_S: Final = 10.0
"""How long the end of a process may be waited for: grace, kill and removal of its files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Matches that one set of processes plays, ``tables`` at once, ``matches`` in a row."""

    ruleset: Ruleset
    clock: Clock
    conduct: Conduct
    resources: Resources
    boards: int = 1
    matches: int = 1
    tables: int = 1
    first_board: int = 1
    twist: Twist = Twist.NONE
    """Of the first match; the others have none."""
    recovery: Clock | None = None
    """The clock of all matches but the first; None: the same."""

    def clock_of(self, number: int) -> Clock:
        """Give the clock of a match; the first is 0."""
        return self.clock if self.recovery is None or not number else self.recovery


@dataclass(slots=True, kw_only=True)
class Ring:
    """Where trials take place; ``evidence`` grows with each."""

    room: SeatingRoom
    bot: FrozenBot
    opponent: FrozenBot
    folder: Path
    ends_at: float = math.inf
    """By trio's clock: after this no further match of a trial begins."""
    evidence: Evidence = field(default_factory=Evidence)
    _outputs: int = 0

    async def try_bot(self, trial: Trial) -> None:
        """Seat the bot and its opponents, play, let all go, and keep what was seen."""
        rules = trial.ruleset
        own = [seat for seat in range(rules.seats) if rules.side_of(seat) == 0]
        others = [seat for seat in range(rules.seats) if seat not in own]
        room = replace(
            self.room,
            resources=trial.resources,
            start_ms=trial.clock.start_ms,
            explain_ms=explain_ms_for(trial.clock.limit_ms),
        )
        async with trio.open_nursery() as bots:
            mine = await self._seat_all(bots, room, self.bot, len(own))
            theirs = await self._seat_all(bots, room, self.opponent, len(others) * trial.tables)
            self._note_starts(mine)
            self.evidence.joined_capacity = min(bot.session.capacity for bot in mine)
            tables = min(trial.tables, self.evidence.joined_capacity)
            roots = [bot.process.kept.pid for bot in mine]
            for number in range(trial.matches):
                if number and trio.current_time() > self.ends_at:
                    break
                for bot in mine:
                    bot.session.repeats_decisions = trial.twist is Twist.REPEATED and not number
                async with trio.open_nursery() as hindrance:
                    if trial.twist is Twist.LATE and not number:
                        hindrance.start_soon(stop_by_moments, list(processes_of(roots)))
                    async with trio.open_nursery() as matches:
                        for table in range(tables):
                            at = table * len(others)
                            seated = dict(zip(own, mine, strict=True))
                            seated |= dict(zip(others, theirs[at : at + len(others)], strict=True))
                            bots_here = [seated[seat] for seat in range(rules.seats)]
                            matches.start_soon(
                                partial(
                                    self._play,
                                    trial,
                                    trial.clock_of(number),
                                    own=frozenset(own),
                                    table=bots_here,
                                    tables=tables,
                                )
                            )
                    hindrance.cancel_scope.cancel()
                if any(bot.session.is_gone for bot in mine):
                    break
            self._note_memory(roots, trial.resources)
            stayed = [bot for bot in mine if not bot.session.is_gone]
            for bot in (*mine, *theirs):
                bot.release()
            with trio.move_on_after(END_S):
                for bot in (*mine, *theirs):
                    await bot.ended()
            self._note_ends(mine, stayed)
            bots.cancel_scope.cancel()

    async def _seat_all(
        self, bots: trio.Nursery, room: SeatingRoom, bot: FrozenBot, count: int
    ) -> list[SeatedBot]:
        seated: dict[int, SeatedBot] = {}

        async def seat(number: int, file: Path) -> None:
            seated[number] = await bots.start(partial(seat_bot, room, bot, file))

        async with trio.open_nursery() as starts:
            for number in range(count):
                self._outputs += 1
                whose = "output" if bot is self.bot else "opponent"
                starts.start_soon(seat, number, self.folder / f"{whose}-{self._outputs}.txt")
        return [seated[number] for number in range(count)]

    async def _play(
        self,
        trial: Trial,
        clock: Clock,
        *,
        own: frozenset[int],
        table: Sequence[SeatedBot],
        tables: int,
    ) -> None:
        now = now_ns()
        match = HostedMatch(
            public_id=secrets.token_hex(8),
            ruleset=trial.ruleset,
            cards=partial(deal_board, trial.ruleset, SEED),
            first_board=trial.first_board,
            boards=trial.boards,
            clock=clock,
            conduct=trial.conduct,
            commitment=b"",
            bot_seeds=(1,) * trial.ruleset.seats,
            launched_ns=tuple(now if bot.matches else now - bot.joining_ns for bot in table),
            resources=trial.resources,
        )
        records: list[Record] = []
        began = trio.current_time()
        with current_arrivals().watch_loop() as watch:
            await play_match(
                match, [bot.session for bot in table], sink=records.append, watch=watch
            )
        for bot in table:
            bot.matches.append(match.public_id)
        played = Played(
            ruleset=trial.ruleset,
            limit_ms=clock.limit_ms,
            own=own,
            events=tuple(record.event for record in records),
            timings=tuple(
                (record.event.seat, record.timing)
                for record in records
                if record.timing is not None and isinstance(record.event, CardPlayed)
            ),
            twist=trial.twist,
            tables=tables,
            seconds=trio.current_time() - began,
        )
        (self.evidence.void if played.is_void else self.evidence.played).append(played)

    def _note_starts(self, mine: Sequence[SeatedBot]) -> None:
        for bot in mine:
            if bot.session.is_gone:
                self.evidence.absent.append(bot.session.gone_detail)
            else:
                self.evidence.joining_ns.append(bot.joining_ns)

    def _note_memory(self, roots: Sequence[int], resources: Resources) -> None:
        """Add up the peaks of one bot's processes, before they end."""
        for root in roots:
            peak = sum(processes_of([root]).values())
            self.evidence.peaks.append((peak // 1024, resources.memory_mib))

    def _note_ends(self, mine: Sequence[SeatedBot], stayed: Sequence[SeatedBot]) -> None:
        for bot in mine:
            ended = bot.process.exit
            if ended is not None:
                self.evidence.exits.append(ended)
        for bot in stayed:
            ended = bot.process.exit
            if ended is not None:
                self.evidence.goodbyes.append(ended)
                if not ended.is_success:
                    self.evidence.last_words = bot.process.explain("after Goodbye")
        for file in self.folder.glob("output-*.txt"):
            size = file.stat().st_size
            self.evidence.output_bytes = max(self.evidence.output_bytes, size)
