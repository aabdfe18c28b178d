"""One check: from a bot's folder to a report.

Owns the order of the trials, the time they may take, and what a report is bound to. Must not
print. Source: issue "A kit for bot authors" 4.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import trio

from arena.bots.argument import BotChoice, parse_bot
from arena.bots.build import build_bot, check_runnable
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.sandbox.launch import Sandbox
from arena.bots.sandbox.opening import open_sandbox
from arena.bots.seating import explain_ms_for, open_room
from arena.bots.work_folder import open_work_folder
from arena.check.conditions import Conditions
from arena.check.evidence import Evidence, Twist
from arena.check.judging import judge
from arena.check.ring import Ring, Trial
from arena.check.rule import CURES, Rule, Standing, Verdict
from arena.errors import BotFailure, ConfigError, HostFault
from arena.referee.clock import Clock
from arena.referee.conduct import ANY_NUMBER
from arena.tournament.run_state import ARENA_VERSION
from arena.wire.terms import PROTOCOL_VERSION

OPPONENT: Final = "python/greedy"
QUICK_S: Final = 90.0
"""After so long no trial begins any more: with the one that runs it is over in two minutes."""
FULL_BOARDS: Final = 500
BOARDS_PER_MATCH: Final = 10
MOST_TABLES: Final = 4
"""How many tables at once are tried at most."""
TIGHT: Final = Clock(limit_ms=20, margin_ms=0)
"""A clock that no bot keeps that is stopped for moments, for the rule of late answers."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of a check. It speaks of this content under these conditions alone."""

    name: str
    version: str
    bot_hash: str
    """The content hash; empty where the bot could not be frozen."""
    conditions: Conditions
    is_full: bool
    boards: int
    verdicts: tuple[Verdict, ...]

    @property
    def is_good(self) -> bool:
        """Whether no rule was broken."""
        return all(verdict.standing is not Standing.BAD for verdict in self.verdicts)

    @property
    def binding(self) -> str:
        """SHA-256 of content hash, protocol version and conditions' digest, by lines."""
        words = (self.bot_hash, str(PROTOCOL_VERSION), self.conditions.digest)
        return hashlib.sha256("\n".join(words).encode()).hexdigest()

    def data(self) -> dict[str, object]:
        """Give it as plain values."""
        return {
            "bot": {"name": self.name, "version": self.version, "hash": self.bot_hash},
            "arena": ARENA_VERSION,
            "protocol_version": PROTOCOL_VERSION,
            "conditions": {**self.conditions.data(), "digest": self.conditions.digest},
            "binding": self.binding,
            "mode": "full" if self.is_full else "quick",
            "boards": self.boards,
            "verdicts": [
                {
                    "rule": verdict.rule.value,
                    "standing": verdict.standing.value,
                    "found": verdict.found,
                    "cure": verdict.cure,
                }
                for verdict in self.verdicts
            ],
            "good": self.is_good,
        }


async def check_bot(
    choice: BotChoice,
    conditions: Conditions,
    *,
    is_full: bool = False,
    say: Say,
    folder: Path | None = None,
    hidden: tuple[Path, ...] = (),
) -> Report:
    """Try everything, and report.

    Args:
        choice: The bot.
        conditions: What it meets.
        is_full: Play on to 500 boards, unless a rule is broken before.
        say: Takes a line for whoever waits.
        folder: Where it works, and leaves builds and their logs in ``bots/`` and what the bot's
            processes wrote in ``output-*.txt``; None: a folder that it removes.
        hidden: Folders that the bot may not see into.

    Raises:
        ConfigError: The sandbox is required and does not hold.
        HostFault: This machine could not play.
    """
    manifest = choice.manifest
    report = Report(
        name=manifest.name,
        version=manifest.version,
        bot_hash="",
        conditions=conditions,
        is_full=is_full,
        boards=0,
        verdicts=(),
    )
    refusals = [refusal for r in conditions.rulesets if (refusal := manifest.refusal(r))]
    if refusals:
        return replace(report, verdicts=(_bad(Rule.MANIFEST, refusals[0]),))
    names = ", ".join(ruleset.name for ruleset in conditions.rulesets)
    good = [Verdict(rule=Rule.MANIFEST, standing=Standing.GOOD, found=f"plays {names}")]
    is_lasting = folder is not None
    async with AsyncExitStack() as stack:
        folder = folder or stack.enter_context(open_work_folder())
        sandbox = await stack.enter_async_context(
            open_sandbox(conditions.sandbox, hidden=hidden, say=say)
        )
        try:
            bot = await _make(choice, folder, sandbox, conditions, say, is_lasting=is_lasting)
        except (ConfigError, BotFailure) as error:
            return replace(report, verdicts=(*good, _bad(Rule.BUILD, str(error))))
        steps = len(manifest.build_steps)
        built = f"{steps} step{'s' * (steps > 1)}" if steps else "nothing to build"
        good.append(Verdict(rule=Rule.BUILD, standing=Standing.GOOD, found=built))
        evidence = await _play(bot, conditions, folder, sandbox, is_full=is_full, say=say)
    verdicts = (*good, *judge(evidence, conditions))
    return replace(report, bot_hash=bot.hash, boards=evidence.boards, verdicts=verdicts)


async def _make(
    choice: BotChoice,
    folder: Path,
    sandbox: Sandbox,
    conditions: Conditions,
    say: Say,
    *,
    is_lasting: bool,
) -> FrozenBot:
    store = folder / "bots"
    bot = await trio.to_thread.run_sync(freeze, choice, store)
    bot = await build_bot(
        bot,
        store,
        sandbox=sandbox,
        has_network=conditions.build_network,
        is_lasting=is_lasting,
        say=say,
    )
    check_runnable(bot)
    sandbox.check(bot)
    return bot


async def _play(
    bot: FrozenBot,
    conditions: Conditions,
    folder: Path,
    sandbox: Sandbox,
    *,
    is_full: bool,
    say: Say,
) -> Evidence:
    opponent = await trio.to_thread.run_sync(freeze, parse_bot(OPPONENT, Path()), folder / "bots")
    async with open_room(
        conditions.clock.start_ms, server_version=ARENA_VERSION, sandbox=sandbox
    ) as room:
        ring = Ring(
            room=replace(
                room,
                resources=conditions.resources,
                explain_ms=explain_ms_for(conditions.clock.limit_ms),
            ),
            bot=bot,
            opponent=opponent,
            resources=conditions.resources,
            folder=folder,
        )
        evidence = ring.evidence
        evidence.guards = tuple(sandbox.guards)
        evidence.capacity = bot.manifest.capacity
        began = trio.current_time()
        for trial in _quick(bot, conditions):
            if _is_over(ring, conditions):
                break
            if trio.current_time() - began > QUICK_S:
                evidence.untried.append(trial.ruleset.name)
                continue
            say(f"{trial.ruleset.name}: {_words(trial)}")
            await ring.try_bot(trial)
        if is_full and not _is_over(ring, conditions):
            await _play_full(ring, bot, conditions, say)
    for match in evidence.played:
        end = match.termination
        is_lost = end.kind.is_forfeit and end.seat not in match.own
        if (end.kind.is_void or is_lost) and match.twist is not Twist.LATE:
            whose = f"; the opponent, {OPPONENT}, failed" if is_lost else ""
            raise HostFault(
                f"this machine could not play: {end.kind.value} {end.detail}{whose}; "
                "give the command again when it is less busy"
            )
    return evidence


def _quick(bot: FrozenBot, conditions: Conditions) -> Iterator[Trial]:
    """Give the trials of every check: each ruleset, tables, late answers, repeated questions."""
    first, *rest = conditions.rulesets
    fair = Trial(ruleset=first, clock=conditions.clock, conduct=conditions.conduct)
    yield replace(fair, matches=2)
    for ruleset in rest:
        yield replace(fair, ruleset=ruleset, first_board=2)
    tables = min(bot.manifest.capacity, MOST_TABLES)
    if tables > 1:
        yield replace(fair, tables=tables)
    tight = replace(TIGHT, start_ms=conditions.clock.start_ms)
    lenient = replace(conditions.conduct, late=ANY_NUMBER)
    # Two matches: the second has no twist, so a bot has read all before it is let go.
    yield replace(fair, clock=tight, conduct=lenient, boards=3, matches=2, twist=Twist.LATE)
    yield replace(fair, first_board=2, matches=2, twist=Twist.REPEATED)


async def _play_full(ring: Ring, bot: FrozenBot, conditions: Conditions, say: Say) -> None:
    """Play on until there are 500 boards or something is wrong.

    How long that takes is said first, from the matches played by then, and again with each
    fifth of the boards.
    """
    tables = min(bot.manifest.capacity, MOST_TABLES)
    number = 0
    began, before = trio.current_time(), ring.evidence.boards
    _say_left(say, before, ring.evidence.board_s / tables)
    told = before
    while ring.evidence.boards < FULL_BOARDS and not _is_over(ring, conditions):
        ruleset = conditions.rulesets[number % len(conditions.rulesets)]
        left = FULL_BOARDS - ring.evidence.boards
        await ring.try_bot(
            Trial(
                ruleset=ruleset,
                clock=conditions.clock,
                conduct=conditions.conduct,
                boards=min(BOARDS_PER_MATCH, -(-left // tables)),
                tables=tables,
                first_board=3 + number * BOARDS_PER_MATCH,
            )
        )
        number += 1
        boards = ring.evidence.boards
        if boards - told >= FULL_BOARDS // 5 or number == 1:
            _say_left(say, boards, (trio.current_time() - began) / max(1, boards - before))
            told = boards


def _say_left(say: Say, boards: int, board_s: float) -> None:
    minutes, seconds = divmod(round(board_s * max(0, FULL_BOARDS - boards)), 60)
    say(f"{boards} of {FULL_BOARDS} boards; about {minutes} min {seconds} s to go")


def _is_over(ring: Ring, conditions: Conditions) -> bool:
    """Whether a rule is broken already: what follows would say no more."""
    if ring.evidence.absent:
        return True
    return any(verdict.standing is Standing.BAD for verdict in judge(ring.evidence, conditions))


def _words(trial: Trial) -> str:
    if trial.twist is not Twist.NONE:
        return trial.twist.value
    if trial.tables > 1:
        return f"{trial.tables} tables at once"
    return f"{trial.matches} matches" if trial.matches > 1 else "1 match"


def _bad(rule: Rule, found: str) -> Verdict:
    return Verdict(rule=rule, standing=Standing.BAD, found=found, cure=CURES[rule])
