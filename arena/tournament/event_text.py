"""Write an event file: every key with its value and a word on what it does.

Owns the comments. Must not know defaults: they come from the values. What is written
here reads back as the same event. Source: commands.md (Event file, ``arena new event``).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import assert_never

from arena.tournament.event_file import Entrant, EventFile, Stage
from arena.tournament.rating.sequential import EloTest, PointsTest, SequentialTest

Value = str | int | float | bool


def default_event_text(name: str, bots: Sequence[str] = ("greedy", "random")) -> str:
    """Write the file of ``arena new event``: the given bots, everything else at its default."""
    entrants = tuple(Entrant(name=bot, bot=bot) for bot in bots)
    return event_text(EventFile(name=name, entrants=entrants))


def event_text(event: EventFile) -> str:
    """Write an event as a TOML file that a person can go on editing."""
    return "\n".join(_lines(event)) + "\n"


def _lines(event: EventFile) -> Iterator[str]:
    """Give the file line by line: what holds for all stages stands with the first one's values."""
    first = event.stages[0]
    yield "# An event of the Tressette arena. A key left out keeps the value shown by"
    yield "# `arena new event`; a key that does not exist is refused."
    yield ""
    yield f"name = {_value(event.name)}"
    yield "# For trials only: allows a seed that is a text, which a bot could guess."
    yield f"practice = {_value(event.practice)}"
    yield from _seed_lines(event)
    yield from _deal_lines(event)
    yield '# Whether bots are told their opponents\' names: "hidden" or "shown".'
    yield f"names = {_value(event.names.value)}"
    yield "# Tables that play at once; left out: as many as leave every thinking bot its cores"
    yield "# and memory, at least one."
    yield "# tables = 1" if event.tables is None else f"tables = {event.tables}"
    yield from _criteria_lines(event)
    yield "# A command that gets a JSON line on stdin at a pause, suspension, fault or end."
    yield f"notify = [{', '.join(map(_value, event.notify))}]"
    yield "# When a run ends, cut at complete rounds: a time with its zone, or how long each run"
    yield "# may take. Left out: when all is played."
    ends = event.finish_by
    yield '# finish_by = "2h 30m"' if ends is None else f"finish_by = {_value(str(ends))}"
    yield ""
    if event.compare is not None:
        yield from _compare_lines(event.compare)
    else:
        yield from (_commented(line) for line in _compare_lines(PointsTest()))
        yield f'# model = "{EloTest().model.value}"  # with test = "elo", whose bounds are Elo'
    yield ""
    yield from _clock_lines(first, "clock")
    yield ""
    yield from _conduct_lines(first, "conduct")
    yield ""
    yield from _resource_lines(first, "resources")
    yield ""
    yield from _sandbox_lines(event)
    yield ""
    yield "# A ruleset's name and, by key, what is changed of it (`arena rulesets show NAME`)."
    yield "[ruleset]"
    yield f"name = {_value(first.ruleset.name)}"
    yield ""
    yield "# bot: a folder with bot.toml (from this file's folder) or the name of a shipped bot."
    yield "# name: left out: as bot.toml says. Packed bots are entered with `arena entry add`."
    for entrant in event.entrants:
        yield from _entrant_lines(entrant)
        yield ""
    yield "# Each [[stage]] may have [stage.clock], [stage.conduct], [stage.resources] and"
    yield "# [stage.ruleset], which change for it what stands above."
    for stage in event.stages:
        yield from _stage_lines(stage, first)


def _seed_lines(event: EventFile) -> Iterator[str]:
    """Give what the cards follow from."""
    if event.seed is None:
        yield '# seed = "a text"  # left out: 32 bytes from the operating system, kept secret'
    else:
        yield f"seed = {_value(event.seed)}"
    yield '# "system": cards follow from the operating system; "public": from a secret'
    yield "# that is committed to at the first start and a text of public chance given after it."
    yield f"seed_source = {_value(event.seed_source.value)}"


def _deal_lines(event: EventFile) -> Iterator[str]:
    """Give fixed cards."""
    yield "# For trials only: fixed cards of board 1, 2, ... and then from the first again."
    if not event.deals:
        yield "# deals = []  # left out: cards follow from the seed"
    else:
        yield "deals = ["
        yield from (f"  {_value(deal)}," for deal in event.deals)
        yield "]"


def _sandbox_lines(event: EventFile) -> Iterator[str]:
    """Give what surrounds bots."""
    yield '# What surrounds bots: "auto" takes bubblewrap where it holds, else Landlock, and warns,'
    yield '# "required" plays under bubblewrap only, "landlock" under Landlock only, "none" gives'
    yield "# bots your rights."
    yield "[sandbox]"
    yield f"mode = {_value(event.sandbox.value)}"
    yield f"build_network = {_value(event.build_network)}  # registries for builds, not for play"


def _criteria_lines(event: EventFile) -> Iterator[str]:
    """Give what ranks; left out where the unit of a stage decides."""
    yield "# The one official criterion, then what breaks ties, in order: points_per_board,"
    yield "# boards_won, matches_won. Left out: points_per_board; in matches to a target"
    yield "# matches_won, then points."
    ranked = event.rank_by
    yield (
        '# rank_by = "points_per_board"' if ranked is None else f"rank_by = {_value(ranked.value)}"
    )
    if event.tie_breaks is None:
        yield "# tie_breaks = []"
    else:
        yield f"tie_breaks = [{', '.join(_value(one.value) for one in event.tie_breaks)}]"


def _compare_lines(test: SequentialTest) -> Iterator[str]:
    """Give the test that ends a comparison."""
    yield "# Of two entrants and one stage: boards are played until it is decided whether the first"
    yield "# leads the second by at least high (accepted) or at most low (rejected), or until all"
    yield "# are played. Left out: all are played."
    yield "[compare]"
    match test:
        case PointsTest():
            words: dict[str, Value] = {"test": "points", "low": test.points0, "high": test.points1}
        case EloTest():
            words = {"test": "elo", "low": test.elo0, "high": test.elo1}
            words["model"] = test.model.value
        case _:
            assert_never(test)
    words |= {"alpha": test.alpha, "beta": test.beta}
    yield from (f"{key} = {_value(value)}" for key, value in words.items())


def _commented(line: str) -> str:
    """Take a line out of the file, but leave it to be read."""
    return line if line.startswith("#") else f"# {line}"


def _clock_lines(stage: Stage, table: str) -> Iterator[str]:
    """Give a clock; a preset is written out as its numbers."""
    clock = stage.clock
    yield '# Milliseconds. preset = "fast", "normal" or "long" sets them all.'
    yield f"[{table}]"
    yield f"limit_ms = {clock.limit_ms}  # for each decision"
    yield f"bank_ms = {clock.bank_ms}  # a match's reserve for what exceeds the limit"
    yield f"increment_ms = {clock.increment_ms}  # added to the bank after each decision"
    yield f"margin_ms = {clock.margin_ms}  # for the transport; no time to think"
    yield f"start_ms = {clock.start_ms}  # from launch to ready"
    yield f"reconnect_ms = {clock.reconnect_ms}  # for a lost remote bot to come back"


def _conduct_lines(stage: Stage, table: str) -> Iterator[str]:
    """Give the limits of faults by name, then what a forfeit scores."""
    yield "# Faults of a kind in 100 boards that forfeit the match (in shorter ones fewer, at"
    yield "# least 3); illegal_tries: refused cards in one decision before the referee plays."
    yield f"[{table}]"
    for limit in fields(stage.conduct):
        yield f"{limit.name} = {getattr(stage.conduct, limit.name)}"
    yield "# On boards left by a forfeit, which the offender loses, the other side gets its own"
    yield '# average, at least +2 ("field"), or all 11 points ("full").'
    yield f"forfeit_credit = {_value(stage.forfeit_credit.value)}"
    yield "# Forfeits that suspend an entrant once the round is complete (0: never); what it would"
    yield '# have played is a "forfeit", or for nobody ("annul").'
    yield f"suspend_after = {stage.suspend_after}"
    yield f"suspended = {_value(stage.suspended.value)}"


def _conduct_of(stage: Stage) -> tuple[object, ...]:
    """Give all that stands in ``[conduct]``."""
    return stage.conduct, stage.forfeit_credit, stage.suspend_after, stage.suspended


def _resource_lines(stage: Stage, table: str) -> Iterator[str]:
    """Give what a bot may use."""
    resources = stage.resources
    yield "# What all processes of one bot may use together; told to the bot."
    yield f"[{table}]"
    yield f"cores = {resources.cores}"
    yield f"memory = {resources.memory_mib}  # MiB"
    yield f"tasks = {resources.tasks}  # processes and threads"
    yield f"disk = {resources.disk_mib}  # MiB of scratch files"


def _entrant_lines(entrant: Entrant) -> Iterator[str]:
    """Give a bot entered."""
    yield "[[entrant]]"
    yield f"name = {_value(entrant.name)}"
    yield f"bot = {_value(entrant.bot)}"
    yield f"tags = [{', '.join(_value(tag) for tag in entrant.tags)}]"
    options = ", ".join(f"{_value(key)} = {_value(it)}" for key, it in entrant.options.items())
    yield f"options = {{ {options} }}" if options else "options = {}"


def _stage_lines(stage: Stage, first: Stage) -> Iterator[str]:
    """Give a stage, and those of its tables that differ from what stands above."""
    per_match = "target" if stage.boards_per_match is None else stage.boards_per_match
    yield "[[stage]]"
    yield '# "round_robin": everybody meets everybody; "gauntlet": the first entrant all others;'
    yield '# "swiss": who has done alike meets; "knockout": who loses a pairing is out;'
    yield '# "individual": partners rotate, each bot for itself.'
    yield f"format = {_value(stage.format.value)}"
    yield f"cycles = {stage.cycles}  # how often every pair meets"
    yield '# Of "swiss", at most half the entrants; left out: as many as find one unbeaten.'
    yield "# rounds = 3" if stage.rounds is None else f"rounds = {stage.rounds}"
    yield "# So many of the best go on to the next [[stage]], seeded by rank; left out: all."
    yield "# advance = 8" if stage.advance is None else f"advance = {stage.advance}"
    yield '# Boards of each pairing in each orientation; with boards_per_match = "target" matches.'
    yield f"boards = {stage.boards}"
    yield '# Boards of one match, or "target" to play each match to the ruleset\'s target.'
    yield f"boards_per_match = {_value(per_match)}"
    yield '# Which pairings play the same boards: those of a "round", of the "event", or each its'
    yield '# own ("pairing").'
    yield f"boards_shared = {_value(stage.boards_shared.value)}"
    yield '# Fresh bot processes for each orientation of a "pairing", or for each "match"; "never":'
    yield "# one set per bot and orientation for the whole stage, not with boards of the event."
    yield f"restart = {_value(stage.restart.value)}"
    yield "# Matches that one set of processes plays at once, if bot.toml offers as much."
    yield f"capacity = {stage.capacity}"
    yield "# In a sandbox boards come back with seats swapped, so that luck cancels. true: without"
    yield "# one too, trusting bots not to remember; false: then no board is ever played twice."
    yield f"trust_memory = {_value(stage.trust_memory)}"
    yield '# "own_turn": a bot is stopped while others decide, where this machine can do that and'
    yield '# the bot plays at one table; "always": it may think in their time too.'
    yield f"thinking = {_value(stage.thinking.value)}"
    if stage.resources != first.resources:
        yield from _resource_lines(stage, "stage.resources")
    if stage.clock != first.clock:
        yield from _clock_lines(stage, "stage.clock")
    if _conduct_of(stage) != _conduct_of(first):
        yield from _conduct_lines(stage, "stage.conduct")
    if stage.ruleset != first.ruleset:
        yield "[stage.ruleset]"
        yield f"name = {_value(stage.ruleset.name)}"


def _value(value: Value) -> str:
    """Write a TOML value; JSON's texts and booleans are TOML's too, but for DEL."""
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
