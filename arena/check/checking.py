"""One check: from a bot's folder to a report.

Owns the order of the trials, the time they may take, and what a report is bound to. Must not
print. Source: issue "A kit for bot authors" 4.
"""

import hashlib
import math
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import trio

from arena.bots.argument import BotChoice, parse_bot
from arena.bots.build import build_bot, check_runnable
from arena.bots.build_store import BuildStore
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.sandbox.launch import Sandbox
from arena.bots.sandbox.opening import open_sandbox
from arena.bots.seating import open_room
from arena.bots.work_folder import open_work_folder
from arena.check.conditions import Conditions
from arena.check.evidence import Evidence
from arena.check.judging import judge
from arena.check.ring import Ring, Trial
from arena.check.rule import CURES, Rule, Standing, Verdict
from arena.check.trials import plain_trials, quick_trials, tables_for, words_of
from arena.counted import counted
from arena.errors import BotFailure, ConfigError, HostFault
from arena.tournament.run_state import ARENA_VERSION
from arena.wire.terms import PROTOCOL_VERSION

OPPONENT: Final = "python/greedy"
QUICK_S: Final = 90.0
"""After so long no trial begins any more, and no further match of the one that runs."""
QUICK_END_S: Final = 120.0
"""After so long a trial is cut off, but for the first: one match is finished at any rate."""
FULL_BOARDS: Final = 500
MOST_VOID: Final = 2
"""So many matches may fail by this machine or the opponent; they are played again."""
MATCHES_A_VOID: Final = 20
"""And one more for so many that were played."""
BOARDS_PER_MATCH: Final = 10
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
    builds: BuildStore | None = None,
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
        builds: Where its build is taken from, if it is kept there; None: it is built.

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
            bot = await _make(
                choice, folder, sandbox, conditions, say, is_lasting=is_lasting, builds=builds
            )
        except (ConfigError, BotFailure) as error:
            return replace(report, verdicts=(*good, _bad(Rule.BUILD, str(error))))
        good.append(Verdict(rule=Rule.BUILD, standing=Standing.GOOD, found=_built_words(bot)))
        evidence = await _play(bot, conditions, folder, sandbox, is_full=is_full, say=say)
    verdicts = (*good, *judge(evidence, conditions))
    return replace(report, bot_hash=bot.hash, boards=evidence.boards, verdicts=verdicts)


def _built_words(bot: FrozenBot) -> str:
    steps = len(bot.manifest.build_steps)
    if bot.is_built_before:
        return "built before; taken from the store of builds (--full builds it again)"
    return counted(steps, "step") if steps else "nothing to build"


async def _make(
    choice: BotChoice,
    folder: Path,
    sandbox: Sandbox,
    conditions: Conditions,
    say: Say,
    *,
    is_lasting: bool,
    builds: BuildStore | None,
) -> FrozenBot:
    store = folder / "bots"
    bot = await trio.to_thread.run_sync(freeze, choice, store)
    bot = await build_bot(
        bot,
        store,
        sandbox=sandbox,
        has_network=conditions.build_network,
        is_lasting=is_lasting,
        builds=builds,
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
    start_ms = conditions.stages[0].clock.start_ms
    async with open_room(start_ms, server_version=ARENA_VERSION, sandbox=sandbox) as room:
        ring = Ring(room=room, bot=bot, opponent=opponent, folder=folder)
        ring.evidence.guards = tuple(sandbox.guards)
        ring.evidence.capacity = bot.manifest.capacity
        await _play_quick(ring, conditions, say, is_full=is_full)
        if is_full and not _is_over(ring, conditions):
            await _play_full(ring, conditions, say)
    return ring.evidence


async def _play_quick(ring: Ring, conditions: Conditions, say: Say, *, is_full: bool) -> None:
    """Make the trials that every check has; only a full one takes as long as they do."""
    evidence = ring.evidence
    began = trio.current_time()
    cut_at = math.inf
    if not is_full:
        ring.ends_at = began + QUICK_S
    for number, trial in enumerate(quick_trials(ring, conditions)):
        if _is_over(ring, conditions):
            return
        words = f"{trial.ruleset.name}: {words_of(trial, conditions)}"
        if number and trio.current_time() > ring.ends_at:
            evidence.untried.append(words)
            continue
        say(words)
        with trio.CancelScope(deadline=cut_at) as allowance:
            await try_fairly(ring, trial)
        if allowance.cancelled_caught:
            evidence.untried.append(words)
        if not is_full:
            cut_at = began + QUICK_END_S
        elif not number:
            _say_left(say, evidence.boards, evidence.board_s)


async def try_fairly(ring: Ring, trial: Trial) -> None:
    """Make a trial, again where this machine or the opponent failed in it.

    Raises:
        HostFault: They fail too often.
    """
    evidence = ring.evidence
    while True:
        before = len(evidence.void)
        await ring.try_bot(trial)
        if len(evidence.void) == before:
            return
        if len(evidence.void) > MOST_VOID + len(evidence.played) // MATCHES_A_VOID:
            end = evidence.void[-1].termination
            whose = f"; the opponent, {OPPONENT}, failed" if end.kind.is_forfeit else ""
            raise HostFault(
                f"this machine could not play: {end.kind.value} {end.detail}{whose}; "
                "give the command again when it is less busy"
            )


async def _play_full(ring: Ring, conditions: Conditions, say: Say) -> None:
    """Play on until there are 500 boards or something is wrong.

    How long that takes is said first, from the matches played by then, and again with each
    fifth of the boards.
    """
    tables = tables_for(ring)
    plain = plain_trials(conditions)
    number = 0
    began, before = trio.current_time(), ring.evidence.boards
    _say_left(say, before, ring.evidence.board_s / tables)
    told = before
    while ring.evidence.boards < FULL_BOARDS and not _is_over(ring, conditions):
        left = FULL_BOARDS - ring.evidence.boards
        await try_fairly(
            ring,
            replace(
                plain[number % len(plain)],
                boards=min(BOARDS_PER_MATCH, -(-left // tables)),
                tables=tables,
                first_board=3 + number * BOARDS_PER_MATCH,
            ),
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


def _bad(rule: Rule, found: str) -> Verdict:
    return Verdict(rule=rule, standing=Standing.BAD, found=found, cure=CURES[rule])
