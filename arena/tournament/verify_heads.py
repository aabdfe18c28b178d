"""Whether the head of a match log says what the event makes of that match.

Owns the comparison of ``log_opened`` with event file, freeze and schedule. Must not know what
happened in the match. Source: record.md ("Match log": log_opened), design.md §6 ("Frozen").
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from arena.record.event_log import EventLine
from arena.record.header import LogHeader, SeatHeader
from arena.tournament.begun import Begun
from arena.tournament.event_file import EventFile, Stage
from arena.tournament.schedule import MatchPlan, StagePlan, for_attempt


class Heads:
    """What heads of an event's logs must say; a bot's must say the same in all of them."""

    def __init__(
        self,
        event: EventFile,
        begun: Begun,
        lines: Sequence[EventLine],
        schedule: Mapping[str, tuple[StagePlan, MatchPlan]],
    ) -> None:
        self._event = event
        self._begun = begun
        self._schedule = schedule
        self._frozen = {
            line.fields.get("entrant"): line.fields
            for line in lines
            if line.kind == "entrant_frozen"
        }
        self._met: dict[str, SeatHeader] = {}

    def wrong_with(self, header: LogHeader) -> tuple[str, str, str] | None:
        """Give the first thing that is not as it should be: its name, expected and found."""
        plan, scheduled = self._schedule[header.match]
        match = for_attempt(plan, scheduled, header.attempt)
        stage = self._event.stages[match.stage - 1]
        for what, expected, found in (
            *self._of_the_match(header, match, stage),
            *self._of_the_terms(header, stage),
            *self._of_the_bots(header),
        ):
            if expected != found:
                return what, str(expected), str(found)
        return None

    def _of_the_match(
        self, header: LogHeader, match: MatchPlan, stage: Stage
    ) -> Iterator[tuple[str, object, object]]:
        event, begun = self._event, self._begun
        names = [event.entrants[index].name for index in match.seats]
        hashes = begun.freeze.entrants
        commitment = "" if event.deals else begun.commitments[match.stage - 1]
        yield "entrants", names, [seat.entrant for seat in header.seats]
        found = [seat.content_hash for seat in header.seats]
        yield "bots", [hashes[name] for name in names], found
        yield "first_board", match.first_board, header.first_board
        yield "boards", match.boards, header.boards
        yield "ruleset", stage.ruleset, header.ruleset
        yield "clock", stage.clock, header.clock
        yield "conduct", stage.conduct, header.conduct
        yield "seed_commitment", commitment, header.commitment

    def _of_the_terms(
        self, header: LogHeader, stage: Stage
    ) -> Iterator[tuple[str, object, object]]:
        """Give what the event file sets beside the match, of what an earlier arena wrote too."""
        begun = self._begun
        yield "arena_version", begun.freeze.arena_version, header.arena_version
        yield "guessable_seed", self._event.is_guessable, header.guessable_seed
        # An event goes on with no fewer guards than it began with.
        missing = [guard for guard in begun.guards if guard not in header.guards]
        yield "guards", [], missing and [f"{', '.join(missing)} missing"]
        terms = {
            "restart": stage.restart.value,
            "capacity": stage.capacity,
            "trust_memory": stage.trust_memory,
            "turned": stage.is_turned,
        }
        for told, due in ((header.conditions, terms), (header.resources, asdict(stage.resources))):
            for name, value in due.items():
                if name in told:
                    yield name, value, told[name]

    def _of_the_bots(self, header: LogHeader) -> Iterator[tuple[str, object, object]]:
        for seat in header.seats:
            frozen = self._frozen.get(seat.entrant, {})
            for what, found in (("bot", seat.bot), ("version", seat.version)):
                if what in frozen:
                    yield f"{what} of {seat.entrant!r}", frozen[what], found
            first = self._met.setdefault(seat.entrant, seat)
            yield f"options of {seat.entrant!r}", dict(first.options), dict(seat.options)
            yield f"language of {seat.entrant!r}", first.language, seat.language
