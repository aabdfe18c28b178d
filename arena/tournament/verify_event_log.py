"""Whether the lines of an event's own log are those of this event, in an order that can be.

Owns what each kind of line may say and where it may stand; the chain only says that nobody
changed a line since. Must not know what matches and draws come to: that is
:mod:`arena.tournament.verify_event`'s and :mod:`arena.tournament.verify_draws`'s.
Source: record.md ("Event log"), proto/arena/v1/event_log.proto.

A kind that is unknown here, and a field that a line does not have, are no fault: a later arena
wrote the one, an earlier one left out the other. What must be there is asked of logs that carry
their schema only.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from arena.errors import ConfigError
from arena.record.event_log import EventLine
from arena.record.lines import TIME_OF_DAY
from arena.record.paths import parse_match_id
from arena.record.rerun import Difference
from arena.tournament.begun import Begun
from arena.tournament.event_file import EventFile
from arena.tournament.published_file import published_text

_ONCE: Final = frozenset({"event_opened", "seed_revealed", "event_closed"})
_PLAY: Final = frozenset(
    {"round_started", "round_drawn", "stage_seeded", "match_counted", "match_voided"}
)
"""Kinds of an event that is being played: none of them once its cards are known to everybody."""
_AMOUNTS: Final = (
    "start_us", "ready_us", "cpu_us", "peak_memory", "bytes_in", "bytes_out", "answers", "streams",
)  # fmt: skip


def event_log_wrong(
    event: EventFile,
    begun: Begun,
    lines: Sequence[EventLine],
    *,
    text: str,
    seated: Mapping[str, Collection[str]],
    path: Path,
) -> Iterator[Difference]:
    """Give what is wrong with the lines one by one, in their order.

    Args:
        event: The event as its file has it.
        begun: What the log says of its start.
        lines: The log's lines.
        text: The event file.
        seated: By match of the schedule, the entrants that sit in it.
        path: The log, for messages.
    """
    reading = _Reading(event, text, begun, seated)
    for line in lines:
        for expected, found in reading.wrong_with(line):
            yield Difference(file=str(path), seq=line.seq, expected=expected, found=found)
    last = lines[-1].seq
    for name in reading.unfrozen:
        expected = f"entrant_frozen of {name!r} before its first match"
        yield Difference(file=str(path), seq=last, expected=expected, found="none")


class _Reading:
    """What was read of a log up to one of its lines."""

    def __init__(
        self, event: EventFile, text: str, begun: Begun, seated: Mapping[str, Collection[str]]
    ) -> None:
        self._event = event
        self._text = text
        self._begun = begun
        self._seated = seated
        self._rounds = {_place(match) for match in seated}
        self._has_schema = False
        self._seen: set[str] = set()
        self._started: set[tuple[int, int]] = set()
        self._frozen: set[str] = set()

    @property
    def unfrozen(self) -> tuple[str, ...]:
        """Entrants that a log with matches does not say were frozen."""
        if not self._has_schema or not self._seen & _PLAY:
            return ()
        return tuple(name for name in self._begun.freeze.entrants if name not in self._frozen)

    def wrong_with(self, line: EventLine) -> Iterator[tuple[str, str]]:
        """Give what was expected of a line and what it has instead."""
        if not TIME_OF_DAY.fullmatch(line.time):
            yield "a time of day, as 2026-01-01T00:00:00.000Z", repr(line.time)[:100]
        if line.kind in _ONCE & self._seen:
            yield f"{line.kind} once", "another one"
        if line.kind in _PLAY and "seed_revealed" in self._seen:
            yield "nothing to be played once the seeds are revealed", line.kind
        self._seen.add(line.kind)
        match line.kind:
            case "event_opened":
                yield from self._opened(line.fields)
            case "entrant_frozen":
                yield from self._froze(line.fields)
            case "round_started":
                yield from self._began(line.fields)
            case "match_counted" | "match_voided":
                yield from self._noted(line.fields)
            case "session_closed":
                yield from self._session(line.fields)
            case "entrant_suspended":
                yield from self._entrant(line.fields)
            case _:
                pass

    def _opened(self, fields: Mapping[str, object]) -> Iterator[tuple[str, str]]:
        event = self._event
        self._has_schema = "schema" in fields
        for name, due in (
            ("name", event.name),
            ("practice", event.practice),
            ("guessable_seed", event.is_guessable),
        ):
            if name in fields and fields[name] != due:
                yield f"{name} {due!r}, as the event file has it", repr(fields[name])[:100]
        if fields.get("event_file", due := published_text(self._text)) != due:
            yield "the text of the event file", "another"

    def _froze(self, fields: Mapping[str, object]) -> Iterator[tuple[str, str]]:
        yield from self._entrant(fields)
        name = str(fields.get("entrant"))
        due = self._begun.freeze.entrants.get(name)
        if due is not None and fields.get("hash") != due:
            yield f"hash {due}, as event_opened has it", repr(fields.get("hash"))[:100]
        if name in self._frozen:
            yield "an entrant frozen once", f"{name!r} again"
        self._frozen.add(name)

    def _began(self, fields: Mapping[str, object]) -> Iterator[tuple[str, str]]:
        stage, number = fields.get("stage"), fields.get("round")
        if not isinstance(stage, int) or not isinstance(number, int):
            yield "a stage and a round", f"{stage!r} and {number!r}"
            return
        if (stage, number) not in self._rounds:
            yield "a round of the schedule", f"round {number} of stage {stage}"
        self._started.add((stage, number))

    def _noted(self, fields: Mapping[str, object]) -> Iterator[tuple[str, str]]:
        match = str(fields.get("match"))
        if not self._has_schema or match not in self._seated:
            return
        if _place(match) not in self._started:
            stage, number = _place(match)
            yield f"round_started of round {number} of stage {stage} before", f"match {match}"

    def _session(self, fields: Mapping[str, object]) -> Iterator[tuple[str, str]]:
        yield from self._entrant(fields)
        name, matches = fields.get("entrant"), fields.get("matches", [])
        if not isinstance(matches, list):
            yield "a list of matches", repr(matches)[:100]
            return
        for match in matches:
            if name not in self._seated.get(str(match), ()):
                yield f"matches in which {name!r} sits", repr(match)[:100]
        for what in _AMOUNTS:
            amount = fields.get(what, 0)
            if type(amount) is not int or amount < 0:
                yield f"{what} from 0", repr(amount)[:100]

    def _entrant(self, fields: Mapping[str, object]) -> Iterator[tuple[str, str]]:
        name = fields.get("entrant")
        if name not in self._begun.freeze.entrants:
            yield "an entrant of the event", repr(name)[:100]


def _place(match: str) -> tuple[int, int]:
    """Give stage and round of a match; (0, 0) for what is no match id."""
    try:
        found = parse_match_id(match)
    except ConfigError:
        return 0, 0
    return found.stage, found.round
