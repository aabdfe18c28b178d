"""An event: entrants, stages and their conditions as values.

Owns the defaults of an event and what must hold between its values. Must not know TOML
(:mod:`arena.tournament.event_reading`) nor the order of play
(:mod:`arena.tournament.schedule`). Source: design.md §2, §5-6.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from arena.bots.names import folded, problem_of_name
from arena.bots.resources import resources_for
from arena.bots.sandbox.mode import SandboxMode, forgets
from arena.counted import counted
from arena.errors import ConfigError, NotationError
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.rules.dealing import DealtCards
from arena.rules.notation import parse_deal
from arena.rules.presets import parse_ruleset
from arena.rules.ruleset import Ruleset
from arena.tournament.criteria import RankBy, check_criteria
from arena.tournament.finish_by import FinishBy
from arena.tournament.rating.sequential import SequentialTest, problem_of_test
from arena.tournament.round_counts import most_rounds
from arena.tournament.seed_source import SeedSource, check_seed
from arena.wire.terms import Resources

DEFAULT_RULESET: Final = "italian-tournament:declarations=off"
"""Declared points are luck, a fifth on top of the points played for (rules.md §5.5)."""


class Format(StrEnum):
    """Who meets whom in a stage."""

    ROUND_ROBIN = "round_robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    INDIVIDUAL = "individual"

    @property
    def is_drawn(self) -> bool:
        """Whether each round is drawn from the results of those before it."""
        return self in (Format.SWISS, Format.KNOCKOUT)


class Names(StrEnum):
    """Whether bots are told who sits at their table."""

    HIDDEN = "hidden"
    SHOWN = "shown"


class BoardsShared(StrEnum):
    """Which pairings play the same boards."""

    ROUND = "round"
    EVENT = "event"
    PAIRING = "pairing"


class Restart(StrEnum):
    """How long one set of processes lives: a pairing's orientation, one match, or the stage.

    ``NEVER`` keeps one set per entrant and orientation for the whole stage.
    """

    PAIRING = "pairing"
    MATCH = "match"
    NEVER = "never"


class Thinking(StrEnum):
    """When a bot's processes run: in its own turn alone, or always.

    ``OWN_TURN`` holds where this machine can stop processes, for bots at one table.
    """

    OWN_TURN = "own_turn"
    ALWAYS = "always"


class ForfeitCredit(StrEnum):
    """What the innocent side gets on each board left: its own average, or all 11 points."""

    FIELD = "field"
    FULL = "full"


class SuspendedMatches(StrEnum):
    """What becomes of the matches that a suspended entrant does not play any more."""

    FORFEIT = "forfeit"
    ANNUL = "annul"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A bot entered: ``bot`` in the grammar of commands.md, ``options`` by key."""

    name: str
    bot: str
    tags: tuple[str, ...] = ()
    options: Mapping[str, str | int | float | bool] = field(default_factory=dict)


def _default_ruleset() -> Ruleset:
    return parse_ruleset(DEFAULT_RULESET)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One competition of all entrants, and the conditions of its matches.

    ``boards`` is played by each pairing in each orientation, in matches of
    ``boards_per_match`` (the last may be shorter). Where ``boards_per_match`` is None,
    ``boards`` is instead the number of matches, each to the ruleset's target. ``capacity``
    matches of a pairing in an orientation are played at once by one set of processes, if
    its bots offer as much.
    """

    format: Format = Format.ROUND_ROBIN
    cycles: int = 1
    rounds: int | None = None
    """Of a Swiss stage; None: as many as find one entrant that may have won all."""
    advance: int | None = None
    """How many of the best go on to the next stage, seeded by rank; None: all."""
    boards: int = 100
    boards_per_match: int | None = 10
    boards_shared: BoardsShared = BoardsShared.ROUND
    restart: Restart = Restart.PAIRING
    capacity: int = 1
    trust_memory: bool = False
    thinking: Thinking = Thinking.OWN_TURN
    resources: Resources = field(default_factory=resources_for)
    clock: Clock = field(default_factory=Clock)
    conduct: Conduct = field(default_factory=Conduct)
    forfeit_credit: ForfeitCredit = ForfeitCredit.FIELD
    suspend_after: int = 3
    """Forfeits in the event, as each round of this stage ends, that suspend; 0: never."""
    suspended: SuspendedMatches = SuspendedMatches.FORFEIT
    ruleset: Ruleset = field(default_factory=_default_ruleset)
    forgets: bool = False
    """Whether a sandbox, proven at the event's first start, lets nothing that a bot knows
    outlive its process. No key of the file: see :meth:`EventFile.under`."""

    @property
    def per_table(self) -> int:
        """Entrants at a table: one a side, or where partners rotate one a seat."""
        is_individual = self.format is Format.INDIVIDUAL
        return self.ruleset.seats if is_individual else self.ruleset.side_count

    @property
    def is_turned(self) -> bool:
        """Whether the orientations of a pairing play the same boards, so that luck cancels.

        Each orientation has processes of its own. Boards come back only where a sandbox keeps
        a process from telling the next one, or the organiser trusts bots (design.md §6).
        """
        return self.trust_memory or self.forgets


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFile:
    """Everything an organiser says about an event; ``tables`` None = as the cores allow.

    Raises:
        ConfigError: The values contradict each other; the message names the key.
    """

    name: str
    entrants: tuple[Entrant, ...]
    stages: tuple[Stage, ...] = field(default_factory=lambda: (Stage(),))
    practice: bool = False
    seed: str | None = None
    seed_source: SeedSource = SeedSource.SYSTEM
    deals: tuple[str, ...] = ()
    """Fixed cards of boards 1, 2, … in notation, over and over; empty: cards of the seed."""
    names: Names = Names.HIDDEN
    tables: int | None = None
    rank_by: RankBy | None = None
    """None: points per board; in matches to a target, matches won."""
    tie_breaks: tuple[RankBy, ...] | None = None
    """In order, after ``rank_by``; None: none; in matches to a target, points."""
    compare: SequentialTest | None = None
    """Play until this test of the first entrant against the second is decided."""
    notify: tuple[str, ...] = ()
    """A command and its words that gets a JSON line when the event needs a person."""
    finish_by: FinishBy | None = None
    """When a run is to be over, cut at complete rounds; None: when all is played."""
    sandbox: SandboxMode = SandboxMode.AUTO
    build_network: bool = True
    """Whether builds may reach registries; a bot that plays never has a network."""

    def __post_init__(self) -> None:
        if problem := problem_of_name(self.name):
            raise ConfigError(f"name: {problem}")
        check_seed(self.seed_source, seed=self.seed, deals=self.deals, practice=self.practice)
        if not self.stages:
            raise ConfigError("stage: an event has at least one")
        self._check_deals()
        self._check_entrants()
        self._check_formats()
        self._check_advance()
        self._check_memory()
        self._check_criteria()
        self._check_compare()

    def _check_deals(self) -> None:
        """Refuse what is no deal of a stage's ruleset."""
        for stage in self.stages:
            for number, text in enumerate(self.deals, start=1):
                try:
                    parse_deal(text, stage.ruleset)
                except NotationError as error:
                    raise ConfigError(f"deals: deal {number}: {error}") from None

    def cards_of(self, stage: Stage, board: int) -> DealtCards | None:
        """Give the fixed cards of a board; None where cards follow from the seed."""
        if not self.deals:
            return None
        return parse_deal(self.deals[(board - 1) % len(self.deals)], stage.ruleset)

    def _check_entrants(self) -> None:
        seen: dict[str, int] = {}
        for number, entrant in enumerate(self.entrants, start=1):
            if problem := problem_of_name(entrant.name):
                raise ConfigError(f"[[entrant]] {number}: name: {problem}")
            if (first := seen.setdefault(folded(entrant.name), number)) != number:
                other = self.entrants[first - 1].name
                likeness = "is" if other == entrant.name else f"looks like {other!r},"
                raise ConfigError(
                    f"[[entrant]] {number}: name: {entrant.name!r} {likeness} the name of "
                    f"[[entrant]] {first} too; every entrant needs a name of its own: "
                    "give this one another `name`"
                )
        for number, stage in enumerate(self.stages, start=1):
            needed = stage.per_table
            if len(self.entrants) < needed:
                raise ConfigError(
                    f"[[entrant]]: {len(self.entrants)} entered, but [[stage]] {number} "
                    f"({stage.ruleset.name}) seats {needed} at a table; enter at least {needed}, "
                    "here or as archives with arena entry add"
                )

    def field_size(self, number: int) -> int:
        """Say how many entrants a stage, counted from 1, has at most."""
        sizes = [stage.advance for stage in self.stages[: number - 1] if stage.advance is not None]
        return min([len(self.entrants), *sizes])

    def is_seeded(self, number: int) -> bool:
        """Whether a stage, counted from 1, takes its entrants by rank from the one before."""
        if number == 1:
            return False
        return self.stages[number - 2].advance is not None or (
            self.stages[number - 1].format.is_drawn
        )

    def _check_formats(self) -> None:
        """Refuse tables that a format cannot seat, and rounds that could not be drawn."""
        for number, stage in enumerate(self.stages, start=1):
            place = f"[[stage]] {number}"
            pairs_two = stage.format.is_drawn or stage.format is Format.GAUNTLET
            if pairs_two and stage.ruleset.side_count != 2:  # noqa: PLR2004
                raise ConfigError(
                    f"{place}: format: {stage.format.value!r} pairs two entrants, and "
                    f"{stage.ruleset.name} has {stage.ruleset.side_count} sides"
                )
            sizes = (stage.ruleset.seats, stage.ruleset.side_count)
            if stage.format is Format.INDIVIDUAL and sizes != (4, 2):
                raise ConfigError(
                    f'{place}: format: "individual" needs a ruleset of four seats and two sides; '
                    f"{stage.ruleset.name} has {sizes[0]} and {sizes[1]}"
                )
            if stage.format.is_drawn and stage.cycles != 1:
                raise ConfigError(
                    f"{place}: cycles: {stage.cycles} is not allowed with format = "
                    f'"{stage.format.value}"; allowed is 1'
                )
            if stage.rounds is None:
                continue
            if stage.format is not Format.SWISS:
                raise ConfigError(
                    f'{place}: rounds: goes with format = "swiss" only; the rounds of a '
                    f"{stage.format.value} follow from its entrants"
                )
            size = self.field_size(number)
            if not 1 <= stage.rounds <= most_rounds(size):
                raise ConfigError(
                    f"{place}: rounds: {stage.rounds} is not allowed; allowed are 1 to "
                    f"{most_rounds(size)}, half of the entrants: with more a round without a "
                    "repeated pairing may not exist"
                )

    def _check_advance(self) -> None:
        """Refuse fields that a next stage could not take."""
        for number, stage in enumerate(self.stages, start=1):
            place, size = f"[[stage]] {number}", self.field_size(number)
            if stage.advance is not None:
                if number == len(self.stages):
                    raise ConfigError(
                        f"{place}: advance: {stage.advance}, but no stage follows; leave it out "
                        "or add another [[stage]]"
                    )
                if not self.stages[number].per_table <= stage.advance <= size:
                    raise ConfigError(
                        f"{place}: advance: {stage.advance} is not allowed; allowed are "
                        f"{self.stages[number].per_table} to {size}, the entrants of "
                        "this stage"
                    )

    def _check_memory(self) -> None:
        """Refuse what would bring a board back to processes that have met it (design.md §6)."""
        for number, stage in enumerate(self.stages, start=1):
            if stage.restart is Restart.NEVER and stage.boards_shared is BoardsShared.EVENT:
                raise ConfigError(
                    f'[[stage]] {number}: restart = "never" and boards_shared = "event" exclude '
                    "each other: the same processes would meet the same boards in every round; "
                    'allowed are boards_shared = "round" or "pairing", or restart = "pairing" '
                    'or "match"'
                )

    def _check_criteria(self) -> None:
        """Refuse a criterion that ranks nothing: drawn stages have criteria of their own."""
        check_criteria(
            self.rank_by,
            self.tie_breaks,
            are_to_target=[
                stage.boards_per_match is None for stage in self.stages if not stage.format.is_drawn
            ],
        )

    def _check_compare(self) -> None:
        """Refuse a comparison that the test cannot decide."""
        if self.compare is None:
            return
        if problem := problem_of_test(self.compare, low="low", high="high"):
            raise ConfigError(f"[compare] {problem}")
        if len(self.entrants) != 2 or len(self.stages) != 1:  # noqa: PLR2004  # A and B
            raise ConfigError(
                f"[compare]: {counted(len(self.entrants), 'entrant')} and "
                f"{counted(len(self.stages), 'stage')}; "
                "allowed are two entrants and one stage"
            )
        stage = self.stages[0]
        if stage.ruleset.side_count != 2 or stage.boards_per_match is None or not stage.is_turned:  # noqa: PLR2004
            raise ConfigError(
                "[compare]: needs turned boards of two sides; allowed are a ruleset of two "
                "sides, boards_per_match = a number and trust_memory = true"
            )

    def only(self, names: Collection[str]) -> "EventFile":
        """Give the same event with these entrants alone, in the order of entry."""
        left = tuple(entrant for entrant in self.entrants if entrant.name in names)
        return replace(self, entrants=left)

    def under(self, guards: Collection[str]) -> "EventFile":
        """Give the same event as it is played under the guards of its first start."""
        stages = tuple(replace(stage, forgets=forgets(guards)) for stage in self.stages)
        return replace(self, stages=stages)

    @property
    def is_guessable(self) -> bool:
        """Whether the seed is a text: log and standings are stamped ``guessable seed``."""
        return self.seed is not None
