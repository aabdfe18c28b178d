"""``arena plan``: how much an event is, before it is played. Source: commands.md.

Owns the constants that were measured, the trial that replaces them, and the printing.
"""

import resource
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from time import monotonic_ns
from typing import Annotated, Final

import typer

from arena.bots.work_folder import open_work_folder
from arena.cli.finishing import finish_data, finish_words
from arena.cli.main import DONE
from arena.cli.options import EventArgument, FormatOption, JsonOption, TablesOption
from arena.cli.output import Format, chosen, emit, print_envelope, print_rows, say
from arena.errors import ConfigError, HostFault
from arena.tournament.begun import read_begun
from arena.tournament.comparing import comparison
from arena.tournament.entered import bots_base, read_event
from arena.tournament.estimate import SPREAD_POINTS, Measures, StageEstimate, estimate
from arena.tournament.event_file import BoardsShared, EventFile, Restart, Stage
from arena.tournament.event_file import Format as StageFormat
from arena.tournament.event_text import event_text
from arena.tournament.folder import EVENT_FILE, EventFolder, EventPlace, locate
from arena.tournament.known import read_known
from arena.tournament.opening import tables_here

MEASURED: Final = Measures(
    decision_us=650,
    start_ms=1_400,
    log_bytes_per_decision=40,
    bot_memory_mib=85,
    arena_memory_mib=100,
    source="constants, measured with shipped Python bots on two busy cores",
)
TRIAL_BOARDS: Final = 10
"""Boards of a trial, each played both ways: a few seconds with quick bots."""


def command(
    event: EventArgument,
    *,
    precision: Annotated[
        float | None,
        typer.Option(
            metavar="POINTS",
            min=0.001,
            max=11,
            help="Wanted ± points per board of an entrant (95 %).",
        ),
    ] = None,
    spread: Annotated[
        float,
        typer.Option(
            metavar="POINTS", min=0.01, max=11, help="Standard deviation of a board's value."
        ),
    ] = SPREAD_POINTS,
    trial: Annotated[
        bool, typer.Option("--trial", help="Measure here: the first two entrants play a match.")
    ] = False,
    tables: TablesOption = None,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """Say what an event will take: matches, time, memory, disk, and how precise it will be."""
    place = locate(event)
    begun = read_begun(place.folder)
    read = read_event(place, begun)
    compared = None
    if begun is not None and read.compare is not None:
        known = read_known(place.folder)
        compared = comparison(known.event, known.rows, known.begun.rulings)
    measures = _trial(read, bots_base(place)) if trial else MEASURED
    at_once = tables or read.tables or tables_here(read)
    found = estimate(read, tables=at_once, measures=measures, spread=spread, precision=precision)
    fmt = chosen(fmt, json=json)
    _print(read, found, measures, spread=spread, precision=precision, fmt=fmt)
    if compared is not None and fmt in (Format.TABLE, Format.MARKDOWN):
        emit(f"· begun already: {compared.words}")


def _trial(event: EventFile, base: Path) -> Measures:
    """Let the first two entrants play a short match here, and measure.

    Raises:
        ConfigError: The two have no table of their own.
        KeyboardInterrupt: They were stopped before the end.
    """
    from arena.cli.playing import play  # noqa: PLC0415  # only a trial needs it
    from arena.record.results import Results  # noqa: PLC0415

    first = event.stages[0]
    if first.ruleset.side_count != 2:  # noqa: PLR2004  # two entrants are tried
        raise ConfigError("--trial: plays two entrants, and this ruleset seats more at a table")
    stage: Stage = replace(
        first,
        format=StageFormat.ROUND_ROBIN,
        cycles=1,
        rounds=None,
        advance=None,
        boards=TRIAL_BOARDS,
        boards_per_match=TRIAL_BOARDS,
        boards_shared=BoardsShared.ROUND,
        restart=Restart.PAIRING,
        trust_memory=True,
        capacity=1,
    )
    tried = EventFile(
        name="trial", entrants=event.entrants[:2], stages=(stage,), practice=True, tables=1
    )
    with open_work_folder() as scratch:
        folder = EventFolder(scratch / "trial")
        place = EventPlace(
            file=folder.path / EVENT_FILE, folder=folder, content=event_text(tried).encode()
        )
        say("a trial: the first two entrants play")
        began = monotonic_ns()
        status = play(place, base=base, show=lambda _folder, _fmt: None, is_kept=False)
        wall_us = (monotonic_ns() - began) // 1_000
        if status != DONE:
            say("--trial: stopped before its end; nothing was measured")
            raise KeyboardInterrupt
        results = Results.open(folder.results, must_exist=True)
        try:
            rows = [row for row in results.rows() if row.counted]
        finally:
            results.close()
        size = sum(path.stat().st_size for path in folder.logs.iterdir())
    decisions = sum(len(row.boards) for row in rows) * stage.ruleset.tricks * stage.ruleset.seats
    if not decisions:
        raise HostFault("--trial: no board was finished; arena match says why")
    played_us = sum(row.duration_us for row in rows)
    own, bots = (
        resource.getrusage(who).ru_maxrss // 1024 + 1
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return Measures(
        decision_us=-(-played_us // decisions),
        start_ms=max(1, (wall_us - played_us) // 1_000 // max(1, len(rows))),
        log_bytes_per_decision=-(-size // decisions),
        bot_memory_mib=bots,
        arena_memory_mib=own,
        source=f"a trial of {' v '.join(e.name for e in tried.entrants)} on this machine",
    )


def _print(
    event: EventFile,
    found: tuple[StageEstimate, ...],
    measures: Measures,
    *,
    spread: float,
    precision: float | None,
    fmt: Format,
) -> None:
    lines = [{key: getattr(one, key) for key in StageEstimate.__slots__} for one in found]
    if fmt is Format.JSON:
        used = {key: getattr(measures, key) for key in Measures.__slots__}
        data = {"measures": used, "spread_points": spread, "precision": precision, "stages": lines}
        data["until_decided"] = event.compare is not None
        print_envelope("plan", data | finish_data(event, found))
        return
    if fmt is Format.CSV:
        cells = [["" if v is None else str(v) for v in line.values()] for line in lines]
        print_rows(list(lines[0]), cells, fmt)
        return
    for one in found:
        if len(found) > 1:
            emit(f"Stage {one.stage}")
        print_rows(("what", "how much"), _rows(one, spread, precision), fmt)
    if event.compare is not None:
        emit("· [compare]: it ends once it is decided; these numbers are the most it can take")
    if event.finish_by is not None:
        emit(f"· {finish_words(event.finish_by, found)}")
    emit(f"· estimates from {measures.source}")
    if "constants" in measures.source:
        emit("· bots that think longer take longer; --trial measures yours on this machine")


def _rows(one: StageEstimate, spread: float, precision: float | None) -> list[tuple[str, str]]:
    """Word a stage's numbers; what is estimated says so."""
    most = "at most " if one.is_bound else ""
    rows = [
        ("rounds", str(one.rounds)),
        ("pairings", str(one.pairings)),
        ("matches", str(one.matches)),
        ("boards", f"{most}{one.boards}"),
        ("decisions", f"{most}{one.decisions}"),
        ("starts of bots", str(one.starts)),
        ("tables at once", str(one.tables)),
        ("expected time (estimate)", f"{most}about {timedelta(seconds=one.expected_s_estimate)}"),
        ("worst time, all at their limits", str(timedelta(seconds=one.worst_s))),
        ("memory (estimate)", f"about {one.memory_mib_estimate} MiB"),
        ("disk for logs (estimate)", f"{most}about {one.disk_mib_estimate} MiB"),
    ]
    if one.precision_estimate is not None:
        rows.append(
            (
                "an entrant's 95 % interval (estimate)",
                f"about ±{one.precision_estimate:.2f} points/board, if a board spreads {spread:g}",
            )
        )
    if one.boards_for_precision is not None and precision is not None:
        rows.append((f"boards a pairing for ±{precision:g}", f"about {one.boards_for_precision}"))
    return rows
