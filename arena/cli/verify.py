"""``arena verify``: whether a log, a folder, a zip or an event is what happened.

Owns finding what was named, and the words of the verdict. Source: record.md ("arena verify").
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.main import BAD, DONE
from arena.cli.options import JsonAlone
from arena.cli.output import emit, print_envelope, say
from arena.cli.unpacking import unpacked
from arena.counted import counted
from arena.errors import ConfigError, LogCorrupt
from arena.record.event_log import event_log_head
from arena.record.read import read_log
from arena.record.rerun import Difference
from arena.record.verify.deals import DealProof
from arena.record.verify.log import LogVerdict, verify_log
from arena.record.verify.sent import audit_sent
from arena.record.verify.views import audit_views
from arena.record.vouching import Notes, event_log_beside
from arena.rules.dealing import SEED_SIZE, seed_from_text
from arena.tournament.evidence import MANIFEST, check_evidence
from arena.tournament.folder import EVENT_FILE, EVENT_LOG, EventFolder, locate, locked
from arena.tournament.verify_event import rebuild_results, revealed_seeds, verify_event
from arena.tournament.verify_logs import BROKEN_OFF
from arena.tournament.verify_opened import Finding

_LOG_NAMES = ("*.jsonl", "*.jsonl.gz")
_NOT_ITS_SEED = "--seed is not the seed that this log commits to"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What is to be printed, whatever was verified."""

    wrong: tuple[Finding, ...]
    logs: int
    plays: int
    deals: DealProof
    rubbish: int = 0
    """How many of the logs are no logs at all."""
    said: tuple[str, ...] = ()


def command(
    what: Annotated[
        Path, typer.Argument(metavar="LOG", help="A match log, a folder, a zip, or an EVENT.")
    ],
    *,
    seed: Annotated[
        str | None,
        typer.Option(help="The seed of a log outside its event: 64 hex digits, or a text."),
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make the results of an EVENT anew from its logs.")
    ] = False,
    views: Annotated[
        bool,
        typer.Option(
            "--audit-views",
            help="Prove that seats were sent what they may see, and no more.",
        ),
    ] = False,
    json: JsonAlone = False,
) -> None:
    """Prove a record: deals, legality, tricks, scores, clocks, faults, seals, results."""
    if not what.exists():
        raise ConfigError(f"{what}: no such file or folder")
    started, worked = time.monotonic_ns(), time.process_time_ns()
    with unpacked(what) as place:
        if rebuild and place != what:
            raise ConfigError(f"{what}: --rebuild goes with an event's folder, not an archive")
        if rebuild:
            _rebuild(place)
        outcome = _verified(place, () if seed is None else (_seed(seed),), is_json=json)
        if views and outcome.wrong:
            unaudited = "views not audited: what is wrong would be wrong of them too"
            outcome = replace(outcome, said=(*outcome.said, unaudited))
        elif views:
            outcome = _audited(place, outcome)
        outcome = _as_named(outcome, place, what)
    seconds = (time.process_time_ns() - worked) / 1e9
    rate = round(outcome.plays / seconds) if seconds else 0
    if json:
        _print_json(what, outcome, rate, (time.monotonic_ns() - started) // 1_000_000)
    else:
        _print(what, outcome, rate)
    raise typer.Exit(BAD if outcome.wrong else DONE)


def _verified(place: Path, seeds: tuple[bytes, ...], *, is_json: bool) -> _Outcome:
    """Verify whatever lies at a path; a reader of JSON gets it of what cannot be read, too."""
    try:
        return _verdict(place, seeds)
    except LogCorrupt as corrupt:
        if not is_json or isinstance(corrupt, ConfigError):
            raise
        return _Outcome(wrong=(corrupt,), logs=0, plays=0, deals=DealProof.NOT_YET)


def _verdict(place: Path, seeds: tuple[bytes, ...]) -> _Outcome:
    is_event_file = place.is_file() and place.suffix == ".toml"
    if is_event_file or (place.is_dir() and (place / EVENT_FILE).is_file()):
        if seeds:
            raise ConfigError("--seed goes with logs outside their event; an event reveals its own")
        return _event(locate(place).folder)
    if (place / MANIFEST).is_file():
        return _evidence(place, seeds)
    outcome = _logs(_log_files(place), seeds)
    if outcome.rubbish == outcome.logs:
        raise ConfigError(_no_record(outcome))
    return outcome


def _no_record(outcome: _Outcome) -> str:
    """Say of files that are no logs what they are; there is nothing to verify."""
    files = [found for found in outcome.wrong if isinstance(found, Difference)]
    others = f" (and {counted(len(files) - 1, 'more file')} like it)" if len(files) > 1 else ""
    return f"{files[0].file}: {files[0].found}{others}"


def _evidence(place: Path, seeds: tuple[bytes, ...]) -> _Outcome:
    """Verify an unpacked archive: its list of files, then its logs against its event's log."""
    wrong = tuple(check_evidence(place))
    outcome = _logs(_log_files(place / "logs"), seeds)
    if wrong:
        return replace(outcome, wrong=(*wrong, *outcome.wrong))
    head = event_log_head(place / EVENT_LOG)
    said = f"evidence; log chain {head} (compare it with the published one)"
    return replace(outcome, said=(said, *outcome.said))


def _log_files(place: Path) -> list[Path]:
    """List the match logs of a folder that is no event's, or the one log."""
    if place.is_dir():
        if (place / EVENT_LOG).is_file():
            raise LogCorrupt(f"{place}: expected {EVENT_FILE} beside {EVENT_LOG}, found none")
        paths = sorted(path for name in _LOG_NAMES for path in place.rglob(name))
        paths = [path for path in paths if path.name != EVENT_LOG and path.is_file()]
        if not paths:
            raise ConfigError(f"{place}: holds no match log (*.jsonl, *.jsonl.gz) and no event")
        return paths
    if not place.is_file():
        raise ConfigError(f"{place}: neither a file nor a folder")
    if place.name == EVENT_LOG:
        raise ConfigError(f"{place}: is an event's own log; give the event's folder")
    return [place]


def _audited(place: Path, outcome: _Outcome) -> _Outcome:
    """Audit the views of every log that verified well."""
    is_file = place.is_file() and place.suffix == ".toml"
    folder = locate(place).folder.logs if is_file else place / "logs"
    if (place / MANIFEST).is_file():
        folder = place = place / "logs"
    paths = _log_files(folder if is_file or (place / EVENT_FILE).is_file() else place)
    sent = views = worlds = 0
    said: list[str] = []
    wrong: list[Finding] = []
    for path in paths:
        record = read_log(path)
        seen = audit_sent(record)
        audit = audit_views(record)
        sent, views, worlds = sent + seen.messages, views + audit.views, worlds + audit.worlds
        first = seen.first or audit.first
        if first is None and seen.is_bare and event_log_beside(path) is not None:
            expected = "views in its seals, as every arena writes them that plays an event"
            last = len(record.lines)
            first = Difference(file=str(path), seq=last, expected=expected, found="none")
        if first is not None:
            wrong.append(first)
        elif seen.missing:
            said.append(f"{path}: {seen.missing}")
    if wrong:
        return replace(outcome, wrong=tuple(wrong))
    said += (
        f"sent: {counted(sent, 'message')} made anew, as the seats' digests have them",
        f"views: {views} compared in {worlds} pairs of worlds, none hangs on a hidden card",
    )
    return replace(outcome, said=(*outcome.said, *said))


def _event(folder: EventFolder) -> _Outcome:
    verdict = verify_event(folder)
    return _Outcome(
        wrong=verdict.wrong,
        logs=verdict.logs,
        plays=verdict.plays,
        deals=verdict.deals,
        said=(
            f"event {verdict.end.value}; {counted(verdict.matches, 'match')} counted",
            f"log chain {verdict.head} (compare it with the published one)",
            *verdict.notes,
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beside:
    """What an event's log says of the match logs that lie beside it."""

    seeds: tuple[bytes, ...] = ()
    notes: Notes | None = None
    wrong: tuple[LogCorrupt, ...] = ()


def _read_beside(event_log: Path) -> _Beside:
    try:
        seeds = revealed_seeds(EventFolder(event_log.parent))
        return _Beside(seeds=seeds, notes=Notes(event_log))
    except LogCorrupt as corrupt:
        return _Beside(wrong=(corrupt,))


def _logs(paths: Sequence[Path], given: tuple[bytes, ...]) -> _Outcome:
    wrong: list[Finding] = []
    said: list[str] = []
    proofs: set[DealProof] = set()
    plays = rubbish = 0
    events: dict[Path | None, _Beside] = {None: _Beside()}
    for path in paths:
        event_log = event_log_beside(path)
        if event_log is not None and event_log not in events:
            events[event_log] = _read_beside(event_log)
            wrong += events[event_log].wrong
        beside = events[event_log]
        verdict = verify_log(path, given or beside.seeds)
        plays += verdict.plays
        rubbish += not verdict.is_log
        proofs.add(verdict.deals)
        if _is_broken_off(verdict, beside.notes):
            said.append(f"{path}: {BROKEN_OFF}")
        elif verdict.first is not None:
            wrong.append(verdict.first)
        elif verdict.record is not None and beside.notes is not None:
            wrong += beside.notes.differences(verdict.record)
        if verdict.kept:
            said.append(f"{path}: {verdict.kept}")
        if given and verdict.deals is DealProof.NOT_YET:
            said.append(f"{path}: {_NOT_ITS_SEED}")
    if given and proofs == {DealProof.NOT_YET} and not wrong:
        others = f" (nor that of {len(paths) - 1} more)" if len(paths) > 1 else ""
        raise ConfigError(f"{paths[0]}: {_NOT_ITS_SEED}{others}")
    order = (DealProof.WRONG, DealProof.NOT_YET, DealProof.NO_SEED, DealProof.PROVEN)
    return _Outcome(
        wrong=tuple(wrong),
        logs=len(paths),
        plays=plays,
        deals=next(proof for proof in order if proof in proofs),
        rubbish=rubbish,
        said=tuple(said),
    )


def _is_broken_off(verdict: LogVerdict, notes: Notes | None) -> bool:
    """Whether only the end of a log is missing, of an attempt that its event does not note."""
    record, first = verdict.record, verdict.first
    if record is None or first is None or notes is None or notes.of(record) is not None:
        return False
    return first.seq > len(record.lines) and not any(notes.differences(record))


def _as_named(outcome: _Outcome, place: Path, what: Path) -> _Outcome:
    """Speak of files of an archive by its own name, not by where it was unpacked."""
    if place == what:
        return outcome

    def named(text: str) -> str:
        return text.replace(str(place), str(what))

    wrong = (
        replace(found, file=named(found.file))
        if isinstance(found, Difference)
        else LogCorrupt(named(str(found)))
        for found in outcome.wrong
    )
    return replace(outcome, wrong=tuple(wrong), said=tuple(map(named, outcome.said)))


def _rebuild(place: Path) -> None:
    folder = locate(place).folder
    with locked(folder):
        count = rebuild_results(folder)
    say(f"{folder.results}: made anew from {counted(count, 'log')}")


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    return seed if len(seed) == SEED_SIZE else seed_from_text(text)


def _print(what: Path, outcome: _Outcome, rate: int) -> None:
    for finding in outcome.wrong:
        emit(f"WRONG: {finding}")
    for line in outcome.said:
        emit(line)
    emit(f"{outcome.deals.value}")
    good = "NOT as it was played" if outcome.wrong else "good"
    logs, plays = counted(outcome.logs, "log"), counted(outcome.plays, "play")
    emit(f"{what}: {good}: {logs}, {plays}, {rate} plays/s")


def _print_json(what: Path, outcome: _Outcome, rate: int, elapsed_ms: int) -> None:
    print_envelope(
        "verify",
        {
            "what": str(what),
            "good": not outcome.wrong,
            "wrong": [_finding(finding) for finding in outcome.wrong],
            "logs": outcome.logs,
            "plays": outcome.plays,
            "deals": outcome.deals.name.lower(),
            "said": outcome.said,
            "plays_per_second": rate,
            "elapsed_ms": elapsed_ms,
        },
    )


def _finding(finding: Finding) -> dict[str, object]:
    if isinstance(finding, Difference):
        return {
            "file": finding.file,
            "seq": finding.seq,
            "expected": finding.expected,
            "found": finding.found,
        }
    return {"text": str(finding)}
