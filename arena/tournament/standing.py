"""The values that standings are made of.

Owns the closed sets and lines that :func:`arena.tournament.standings.standings` fills and
:mod:`arena.tournament.standings_text` prints. Must not know how either is done.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from arena.referee.faults import FaultKind
from arena.tournament.compared import Comparison
from arena.tournament.criteria import RankBy
from arena.tournament.cross_table import PairingStanding
from arena.tournament.event_file import ForfeitCredit
from arena.tournament.forfeit_cost import ForfeitCost
from arena.tournament.statistics import Interval


class Unit(StrEnum):
    """What points are counted per, and what an entrant is ranked by.

    Boards: points per board. Matches to a target: matches won, a drawn one as half, then
    points per match.
    """

    BOARD = "board"
    MATCH = "match"


class Note(StrEnum):
    """What must be said beside every standing of a stage."""

    GUESSABLE_SEED = "guessable seed"
    TRUST_MEMORY = "trust_memory = true"
    LUCK_NOT_CANCELLED = "luck not cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultTotal:
    """How many faults of a kind an entrant committed in matches that count."""

    kind: FaultKind
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantStanding:
    """One entrant's line.

    ``points`` is the mean over complete board groups, boards left by forfeits included
    (with their credit); ``interval`` and the groups won, drawn and lost are of the groups
    played to their end alone. ``rank`` and ``points`` are None before there is anything to
    go by. Boards count once per orientation.
    """

    rank: int | None
    name: str
    points: Fraction | None
    interval: Interval | None
    groups_won: int
    groups_drawn: int
    groups_lost: int
    boards_played: int
    boards_forfeited: int
    """Boards left by its own forfeits."""
    boards_credited: int
    """Boards left to it by others' forfeits."""
    matches: int
    matches_won: int
    matches_drawn: int
    matches_lost: int
    forfeits: int
    voids: int
    """Attempts that host or referee spoiled; they were played again."""
    repeats: int
    """Matches that only repeated earlier ones, card by card; they are in no other number."""
    first_probability: float | None
    """How probably it comes first on other boards of the kind (bootstrap over boards)."""
    separated: bool | None
    """Whether its lead over the next line is more than chance; None: not to be said."""
    faults: tuple[FaultTotal, ...]
    criteria: tuple[Fraction, ...] = ()
    """What ranks it, in the order of the stage's criteria; empty where it has no rank."""
    is_suspended: bool = False
    """Whether it plays no more, for its forfeits."""
    is_disqualified: bool = False
    """Whether the organiser took it out of the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledMatches:
    """The matches, by id in the order of play, whose results are not simply what was played."""

    voided: tuple[str, ...] = ()
    """By ruling they count for nobody."""
    replayed: tuple[str, ...] = ()
    """By ruling a result was set aside and the match is, or was, played again."""
    adjusted: tuple[str, ...] = ()
    """By ruling they have other points."""
    awarded: tuple[str, ...] = ()
    """Nobody played them: they are forfeits of who was suspended by then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStandings:
    """The standings of one stage, best first; equals share a rank, in the order of entry."""

    stage: int
    ruleset: str
    unit: Unit
    forfeit_cost: ForfeitCost
    forfeit_credit: ForfeitCredit
    matches_counted: int
    matches_planned: int
    rounds_complete: int
    rounds_planned: int
    """As far as known; of a knockout at least its levels."""
    criteria: tuple[RankBy, ...]
    """What ranks: the official criterion, then what breaks ties."""
    notes: tuple[Note, ...]
    ruled: RuledMatches
    entrants: tuple[EntrantStanding, ...]
    pairings: tuple[PairingStanding, ...]
    compared: Comparison | None = None
    """What a comparison came to; None where the event is none."""

    @property
    def is_decided(self) -> bool:
        """Whether it is a comparison that needs no more matches, however many were planned."""
        return self.compared is not None and self.compared.is_decided

    @property
    def is_unfinished(self) -> bool:
        """Whether matches are still to be played."""
        return self.matches_counted < self.matches_planned and not self.is_decided


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The standings of an event, stage by stage."""

    event: str
    practice: bool
    is_published: bool
    """Whether the organiser has said that they are final."""
    was_published: bool
    """Whether the organiser has ever said so: nothing more is played, whatever is lacking."""
    stages: tuple[StageStandings, ...]

    @property
    def is_unfinished(self) -> bool:
        """Whether matches are still to be played in some stage."""
        return any(stage.is_unfinished for stage in self.stages)

    @property
    def is_provisional(self) -> bool:
        """Whether the standings may change yet: until the organiser publishes them.

        Those of a practice event need no publishing: they are provisional until all is played.
        """
        return not self.is_published and (self.is_unfinished or not self.practice)
