"""``arena ask`` without a decision: how often a bot plays as an entrant did.

Owns the table, and which logs are walked. Source: issue "The record" (arena ask over an event).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.bots.argument import BotChoice
from arena.bots.build_store import open_build_store
from arena.bots.sandbox.mode import SandboxMode
from arena.bots.sandbox.opening import open_sandbox
from arena.bots.work_folder import open_work_folder
from arena.cli.match_logs import named_log
from arena.cli.output import emit, print_envelope, say
from arena.cli.tables import aligned
from arena.cli.trio_run import first_fault, run_trio
from arena.counted import counted
from arena.errors import ConfigError, LogCorrupt
from arena.record.export.sources import Source, find_source
from arena.record.read import MatchRecord
from arena.record.rerun import check
from arena.tournament.agreement import Agreement, Agreements, Phase
from arena.tournament.asking import Asked, Line, ask, bot_seeds, lines_of
from arena.tournament.folder import EVENT_LOG, EventFolder, locate
from arena.tournament.revealing import refuse_hidden_cards
from arena.tournament.statistics import Interval
from arena.tournament.verify_event import revealed_seeds

_MOST_OTHERS = 8
"""Pairs of cards that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Whose decisions are asked again, of how many matches, how often, and how."""

    entrant: str | None
    matches: int | None
    repeat: int
    patience_s: float
    sandbox: SandboxMode
    """What surrounds the bot meanwhile."""


def ask_along(
    where: Path,
    match: str | None,
    choice: BotChoice,
    wanted: Wanted,
    *,
    is_json: bool,
    is_organiser: bool,
) -> None:
    """Lead a bot along every match of an entrant and print how often it plays the same.

    Raises:
        ConfigError: There is no such entrant or log, or the cards are not public.
        LogCorrupt: A log is not what the arena wrote.
        BotFailure: The bot fails.
    """
    if match is not None:
        where = named_log(where, match)
    elif where.is_file() and where.suffix == ".toml":
        where = locate(where).folder.path
    source = find_source(where)
    refuse_hidden_cards(*{log.parent for log in source.logs}, is_organiser=is_organiser)
    records = _records(source)
    first = next(records, None)
    if first is None:
        raise ConfigError(f"{where}: holds no whole match that counts")
    entrant, records = _entrant(wanted.entrant, choice, first, records, where)
    counted = Agreements()
    walk = _Walk(entrant=entrant, wanted=wanted, seeds=seeds_beside(first.path))
    start_ms = first.header.clock.start_ms
    run_asking(
        walk.askings(records),
        choice,
        wanted,
        start_ms=start_ms,
        take=counted.take,
    )
    if walk.matches == 0:
        raise ConfigError(f"{where}: {entrant!r} was asked nothing in a match that counts")
    name = choice.manifest.name
    if is_json:
        print_envelope("agreement", _data(name, walk, counted))
    else:
        _print(name, walk, counted)


def run_asking(
    askings: Iterable[tuple[Line, Sequence[int]]],
    choice: BotChoice,
    wanted: Wanted,
    *,
    start_ms: int,
    take: Callable[[Line, Asked], None],
) -> None:
    """Ask in a folder that is gone afterwards; a fault comes out alone, not in a group."""

    async def asking() -> None:
        async with open_sandbox(wanted.sandbox, hidden=(), say=say) as sandbox:
            await ask(
                askings,
                choice,
                store=store,
                start_ms=start_ms,
                patience_s=wanted.patience_s,
                take=take,
                sandbox=sandbox,
                builds=open_build_store(),
                say=say,
            )

    with open_work_folder() as store:
        try:
            run_trio(asking)
        except ExceptionGroup as group:
            first = first_fault(group)
            if first is None:
                raise
            raise first from None


def seeds_beside(log: Path) -> tuple[bytes, ...]:
    """Read the seeds that a log's event has revealed; none where it lies in no event."""
    beside = log.resolve().parent.parent
    return revealed_seeds(EventFolder(beside)) if (beside / EVENT_LOG).is_file() else ()


def _records(source: Source) -> Iterator[MatchRecord]:
    """Read the logs that are whole and not known to be void."""
    for record, is_counted in source.records():
        if record.complete and is_counted is not False:
            yield record


def _entrant(
    given: str | None,
    choice: BotChoice,
    first: MatchRecord,
    rest: Iterator[MatchRecord],
    where: Path,
) -> tuple[str, Iterator[MatchRecord]]:
    """Find whose decisions are meant; the logs read for that are given back."""
    name = choice.manifest.name if given is None else given
    read = [first]
    seen = {seat.entrant for seat in first.header.seats}
    for record in rest if name not in seen else ():
        read.append(record)
        seen |= {seat.entrant for seat in record.header.seats}
        if name in seen:
            break
    if name not in seen:
        raise ConfigError(
            f"{where}: no entrant {name!r} played; give one with --entrant: "
            f"{', '.join(map(repr, sorted(seen)))}"
        )
    return name, _chained(read, rest)


def _chained(read: list[MatchRecord], rest: Iterator[MatchRecord]) -> Iterator[MatchRecord]:
    yield from read
    yield from rest


class _Walk:
    """Goes from match to match of an entrant, and says on stderr where it is."""

    def __init__(self, *, entrant: str, wanted: Wanted, seeds: tuple[bytes, ...]) -> None:
        self.entrant = entrant
        self.matches = 0
        self._wanted = wanted
        self._seeds = seeds

    def askings(self, records: Iterator[MatchRecord]) -> Iterator[tuple[Line, Sequence[int]]]:
        """Give every line of the entrant with the seeds of its askings."""
        for record in records:
            lines = lines_of(record, self.entrant)
            if not lines:
                continue
            if self.matches == self._wanted.matches:
                return
            wrong = check(record)
            if wrong:
                raise LogCorrupt(f"this log is not what the arena wrote: {wrong[0]}")
            self.matches += 1
            say(f"{self.matches}: {record.header.match}")
            for line in lines:
                yield line, bot_seeds(record, line.seat, self._wanted.repeat, self._seeds)


def _print(name: str, walk: _Walk, found: Agreements) -> None:
    matches, askings = counted(walk.matches, "match"), counted(found.askings, "asking")
    emit(f"{name} where {walk.entrant} was asked: {matches}, {askings}")
    rows = [(phase.value, found.of(phase)) for phase in Phase]
    header = ("phase", "decisions", "same card", "95 %", "same value", "95 %")
    cells = [_row(title, one) for title, one in (*rows, ("all", found.of()))]
    emit(aligned(header, cells), newline=False)
    emit(
        f"left out: {found.forced} with one legal card, {found.unanswered} that no bot "
        f"answered in the log; refused here: {found.refused}"
    )
    for (logged, said), often in found.others.most_common(_MOST_OTHERS):
        emit(f"  logged {logged}, {name} plays {said}: {often}")


def _row(title: str, one: Agreement) -> tuple[str, ...]:
    return (
        title,
        str(one.decisions),
        _share(one.same_card, one.decisions),
        _range(one.interval),
        _share(one.same_value, one.decisions),
        _range(one.value_interval),
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _range(found: Interval | None) -> str:
    if found is None:
        return "-"
    low, high = max(0.0, found.low), min(1.0, found.high)
    return f"{100 * low:.1f} … {100 * high:.1f}"


def _data(name: str, walk: _Walk, counted: Agreements) -> dict[str, object]:
    phases = [(phase.value, counted.of(phase)) for phase in Phase]
    return {
        "bot": name,
        "entrant": walk.entrant,
        "matches": walk.matches,
        "askings": counted.askings,
        "forced": counted.forced,
        "unanswered": counted.unanswered,
        "refused": counted.refused,
        "phases": [
            {
                "phase": title,
                "decisions": one.decisions,
                "same_card": one.same_card,
                "same_value": one.same_value,
                "interval": _bounds(one.interval),
                "value_interval": _bounds(one.value_interval),
            }
            for title, one in (*phases, ("all", counted.of()))
        ],
        "others": [
            {"logged": str(logged), "said": str(said), "count": often}
            for (logged, said), often in counted.others.most_common()
        ],
    }


def _bounds(found: Interval | None) -> list[float] | None:
    return None if found is None else [round(found.low, 4), round(found.high, 4)]
