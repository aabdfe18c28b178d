"""What ratings are made of: the boards of one or more events, bot by bot.

Owns joining events: a bot is its content hash and the options it was given, whatever it was
called, and the names it had. Content that nobody here has seen is no bot's mark: a remote bot
is its name.
Must not know how ratings are computed. Boards left by a forfeit, and matches that only
repeat others, are in no rating (design.md §5). Source: design.md §6 ("Identity").
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.bots.argument import REMOTE, settings_of
from arena.errors import ConfigError
from arena.record.match_row import MatchRow
from arena.tournament.event_file import Entrant, EventFile
from arena.tournament.groups import board_groups, offender_of
from arena.tournament.plan import stage_plan
from arena.tournament.repeats import repeats
from arena.tournament.schedule import orientations

PAIR: Final = 2
"""Bots at a table whose boards can be rated."""
Identity = tuple[str, str, str]
"""Content hash, options as given, and of a remote bot its name: what makes a bot one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventInput:
    """An event to take evidence from; ``hashes`` by entrant.

    ``digest`` is of all its results as they score (:func:`results_digest`).
    """

    source: str
    event: EventFile
    rows: tuple[MatchRow, ...]
    hashes: Mapping[str, str]
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedBot:
    """A bot: its content hash and the first name it had that no other bot bears."""

    name: str
    content_hash: str
    names: tuple[str, ...]
    options: str
    """What it was given, ``depth=3,safe=on``; "" = its own defaults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """One board group of two bots, by index: the first one's margin in each orientation."""

    first: int
    second: int
    cluster: tuple[int, int, int]
    """Event, stage and board: what shares its luck."""
    margins: tuple[float, ...]

    @property
    def value(self) -> float:
        """The first one's points per board."""
        return sum(self.margins) / len(self.margins)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Meetings in the order of the schedule, event after event as they were given."""

    bots: tuple[RatedBot, ...]
    meetings: tuple[Meeting, ...]
    left_out: int
    """Matches that were forfeited or only repeat others."""
    unrated: tuple[str, ...] = ()
    """Stages that seat more than two bots at a table, of which there are no meetings."""
    unmet: tuple[RatedBot, ...] = ()
    """Bots without a meeting, of which nothing can be said: disqualified ones, say."""


def results_digest(fingerprint: str, rows: Iterable[MatchRow]) -> str:
    """Give the SHA-256 of an event's results as they score, in hexadecimal.

    A ruling that changes how a match scores changes it; the order in which matches came to
    count does not.

    Args:
        fingerprint: What was frozen, as published.
        rows: The results with rulings and suspensions applied.
    """
    digest = hashlib.sha256(fingerprint.encode())
    for row in sorted(rows, key=lambda row: (row.match_id, row.attempt)):
        boards = [(board.board, board.points) for board in row.boards]
        scored = (row.counted, row.termination.value, row.culprit_seat, row.totals, boards)
        digest.update(f"\n{row.match_id} {row.attempt} {row.digest} {scored}".encode())
    return digest.hexdigest()


def gather(events: Sequence[EventInput]) -> Evidence:
    """Take the evidence of events.

    Raises:
        ConfigError: An event is given twice, or nothing was played out at tables of two.
    """
    seen: dict[str, str] = {}
    for event in events:
        if event.digest in seen:
            raise ConfigError(
                f"{event.source}: the same results as {seen[event.digest]}; give each event once"
            )
        seen[event.digest] = event.source
    names: dict[Identity, list[str]] = {}
    for event in events:
        for entrant in event.event.entrants:
            known = names.setdefault(_identity(entrant, event.hashes), [])
            if entrant.name not in known:
                known.append(entrant.name)
    index = {identity: place for place, identity in enumerate(names)}
    meetings: list[Meeting] = []
    left_out = 0
    for number, event in enumerate(events):
        found, without = _meetings(number, event, index)
        meetings += found
        left_out += without
    unrated = [stage for event in events for stage in _unrated(event)]
    if not meetings:
        why = f"; ratings are of two against each other: {', '.join(unrated)}" if unrated else ""
        raise ConfigError(
            f"nothing to rate: no board was played to its end in every orientation{why}"
        )
    bots = _bots(names)
    met = sorted({bot for meeting in meetings for bot in (meeting.first, meeting.second)})
    again = {bot: place for place, bot in enumerate(met)}
    return Evidence(
        bots=tuple(bots[bot] for bot in met),
        meetings=tuple(
            replace(meeting, first=again[meeting.first], second=again[meeting.second])
            for meeting in meetings
        ),
        left_out=left_out,
        unrated=tuple(unrated),
        unmet=tuple(bot for place, bot in enumerate(bots) if place not in again),
    )


def _identity(entrant: Entrant, hashes: Mapping[str, str]) -> Identity:
    is_remote = entrant.bot == REMOTE
    given = {**settings_of(entrant.bot), **entrant.options}
    options = ",".join(f"{key}={_text(value)}" for key, value in sorted(given.items()))
    return hashes[entrant.name], options, entrant.name if is_remote else ""


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _bots(names: Mapping[Identity, Sequence[str]]) -> tuple[RatedBot, ...]:
    """Name bots apart: another version under the same name gets the start of its hash."""
    taken: set[str] = set()
    bots = []
    for (digest, options, _), own in names.items():
        other = f"{own[0]}@{digest[:12]}"
        free = (one for one in (*own, other, f"{other}:{options}") if one not in taken)
        name = next(free)  # no two have hash, options and first name alike
        taken.add(name)
        bots.append(RatedBot(name=name, content_hash=digest, names=tuple(own), options=options))
    return tuple(bots)


def _unrated(given: EventInput) -> Iterator[str]:
    """Name the stages of an event that are not of two against each other."""
    for number, stage in enumerate(given.event.stages, start=1):
        if stage.per_table != PAIR:
            yield f"stage {number} of {given.source} seats {stage.per_table} bots at a table"


def _meetings(
    number: int, given: EventInput, index: Mapping[Identity, int]
) -> tuple[list[Meeting], int]:
    """Give an event's board groups between different bots, in the order of the schedule."""
    paired = {n for n, stage in enumerate(given.event.stages, 1) if stage.per_table == PAIR}
    counted = [row for row in given.rows if row.counted and row.stage in paired]
    again = repeats(counted)
    kept = [row for row in counted if row.match_id not in again]
    left_out = len(counted) - len(kept) + sum(offender_of(row) is not None for row in kept)
    place = {entrant.name: order for order, entrant in enumerate(given.event.entrants)}
    bots = {one.name: index[_identity(one, given.hashes)] for one in given.event.entrants}
    meetings = []
    for stage_number, stage in enumerate(given.event.stages, start=1):
        plan = stage_plan(given.event, stage_number)
        if plan.per_table != PAIR:
            continue
        groups = board_groups(
            [row for row in kept if row.stage == stage_number],
            ways=len(orientations(plan.seats, plan.per_table)) if plan.turned else 1,
            ruleset=stage.ruleset,
        )
        for group in groups:
            one, other = sorted(group.entrants, key=place.__getitem__)
            first, second = bots[one], bots[other]
            if group.is_played and first != second:
                meetings.append(
                    Meeting(
                        first=first,
                        second=second,
                        cluster=(number, stage_number, group.board),
                        margins=tuple(float((part.margins or {})[one]) for part in group.parts),
                    )
                )
    return meetings, left_out
