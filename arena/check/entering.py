"""Entering: from an archive that somebody handed in to an entry of an event, or to a refusal.

Owns the order of the steps and the report folder for the author, which holds the report, the
build's output and what the bot's own processes wrote, and nothing of anybody else. It checks,
so it stands here and not in :mod:`arena.tournament`, which plays what is entered. Source: issue
"Tournaments to trust" 7.
"""

import hashlib
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import trio

from arena.bots.argument import BotChoice, choose
from arena.bots.frozen import freeze
from arena.bots.names import folded, problem_of_name
from arena.bots.unpacking import unpack_bot
from arena.check.checking import Report, check_bot
from arena.check.conditions import Conditions
from arena.check.report_text import report_lines
from arena.errors import ConfigError
from arena.tournament.entries import (
    BOT,
    REPORT,
    Entry,
    Submission,
    draft,
    keep,
    next_order,
    submissions_of,
)
from arena.tournament.folder import EventFolder

_PIECE: Final = 1 << 20

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Where entries are taken in; the caller holds the event's lock."""

    folder: EventFolder
    conditions: Conditions
    taken: Mapping[str, str]
    """Names that are not to be had, and of what they are."""
    say: Say
    may_replace: bool = False
    """Whether the entry of other authors may be replaced."""


async def enter(
    desk: Desk, archive: Path, *, name: str | None = None, tags: tuple[str, ...] = ()
) -> Entry:
    """Unpack, check and keep one archive.

    Args:
        desk: The event's.
        archive: What was handed in.
        name: The entrant's name; None: the bot's own.
        tags: The entrant's; none: those of what was handed in before.

    Returns:
        The entry, which is not entered where the check found it bad: its report says why.

    Raises:
        ConfigError: The archive, the bot in it or the name is refused; nothing is kept.
        HostFault: This machine could not check or keep it.
    """
    with draft(desk.folder) as work:
        root = await trio.to_thread.run_sync(unpack_bot, archive, work / "unpacked")
        choice = choose(root)
        called = choice.manifest.name if name is None else name
        earlier = _refuse_name(desk, called, choice)
        bot = await trio.to_thread.run_sync(freeze, choice, work / "frozen")
        whole = work / "whole"
        whole.mkdir()
        bot.folder.rename(whole / BOT)
        submission = Submission(
            name=called,
            version=bot.version,
            hash=bot.hash,
            authors=choice.manifest.authors,
            tags=tags or (earlier[-1].submission.tags if earlier else ()),
            order=earlier[0].submission.order if earlier else next_order(desk.folder),
            archive=archive.name,
            archive_sha256=await trio.to_thread.run_sync(_digest, archive),
            is_entered=False,
        )
        report = await _check(desk, work, whole, submission)
        submission = msgspec.structs.replace(submission, is_entered=report.is_good)
        if not report.is_good:
            (whole / BOT).rename(work / BOT)
        return keep(desk.folder, whole, submission)


def _refuse_name(desk: Desk, name: str, choice: BotChoice) -> tuple[Entry, ...]:
    """Give what was handed in under a name, or refuse it."""
    if problem := problem_of_name(name):
        raise ConfigError(f"--name: {problem}")
    for other, whose in desk.taken.items():
        if folded(other) == folded(name):
            likeness = "is the name" if other == name else f"looks like {other!r}, the name"
            raise ConfigError(f"{name!r} {likeness} of {whose}; give another with --name NAME")
    earlier = submissions_of(desk.folder, name)
    entered = [entry.submission for entry in earlier if entry.submission.is_entered]
    if entered and entered[-1].authors != choice.manifest.authors and not desk.may_replace:
        theirs, these = (
            ", ".join(authors) or "nobody named"
            for authors in (entered[-1].authors, choice.manifest.authors)
        )
        raise ConfigError(
            f"{name!r} is entered by {theirs}, and this one is by {these}; give it another name "
            "with --name NAME, or --replace"
        )
    return earlier


async def _check(desk: Desk, work: Path, whole: Path, submission: Submission) -> Report:
    """Check the bot and write the report's folder."""
    place = work / "check"
    place.mkdir()
    try:
        report = await check_bot(
            choose(whole / BOT),
            desk.conditions,
            say=lambda line: desk.say(f"{submission.name}: {line}"),
            folder=place,
            hidden=(desk.folder.path,),
        )
    except ConfigError as error:
        raise ConfigError(str(error).replace(str(work), "…")) from None
    await trio.to_thread.run_sync(_write_report, place, whole / REPORT, submission, report)
    return report


def _write_report(place: Path, out: Path, submission: Submission, report: Report) -> None:
    out.mkdir()
    for file in sorted((place / "bots").glob(f"{submission.hash}-build-*.log")):
        shutil.copyfile(file, out / file.name.removeprefix(f"{submission.hash}-"))
    for number, file in enumerate(sorted(place.glob("output-*.txt"), key=_number), start=1):
        if file.stat().st_size:
            shutil.copyfile(file, out / f"stderr-{number}.txt")
    head = [
        f"{submission.archive}: SHA-256 {submission.archive_sha256}",
        f"entrant {submission.name}, content hash {submission.hash}",
        "",
    ]
    text = "\n".join((*head, *report_lines(report)))
    (out / "report.txt").write_text(_without_places(text, place, submission) + "\n", "utf-8")
    data = msgspec.json.encode({"schema": 1, "kind": "check", "data": report.data()}).decode()
    (out / "report.json").write_text(_without_places(data, place, submission) + "\n", "utf-8")


def _without_places(text: str, place: Path, submission: Submission) -> str:
    """Name files of the report as they are called there: the draft's own are gone."""
    return text.replace(f"{place}/bots/{submission.hash}-", "").replace(str(place.parent), "…")


def _digest(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        for piece in iter(partial(opened.read, _PIECE), b""):
            digest.update(piece)
    return digest.hexdigest()


def _number(file: Path) -> int:
    return int(file.stem.rpartition("-")[2])
