"""What the tables hold: the name, type and meaning of every column.

Owns the columns; docs/tables.md is held against them. Must not know logs
(:mod:`arena.record.export.rows`) nor file formats. A hand is an int64 with bit ``card`` set
for each card, in the order of :data:`arena.rules.cards.CARDS` (suits D C S B, in each
4 5 6 7 J H K A 2 3, from bit 1). Source: record.md ("arena export").
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Kind(StrEnum):
    """The type of a column; any may be empty where its meaning says so."""

    INT = "int64"
    TEXT = "string"
    FLAG = "bool"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    kind: Kind
    meaning: str


Row = tuple[object, ...]

_MATCH: Final = (
    Column("match", Kind.TEXT, "the match id"),
    Column("attempt", Kind.INT, "from 1"),
)
_DEAL: Final = (*_MATCH, Column("deal", Kind.INT, "ordinal within the match, from 1"))
_SEQ: Final = Column("seq", Kind.INT, "the line of the log")
_SEAT: Final = Column("seat", Kind.INT, "from 0 in turn order")
_AT: Final = Column("at_us", Kind.INT, "since the match started, in microseconds")

TABLES: Final[Mapping[str, tuple[Column, ...]]] = MappingProxyType(
    {
        "matches": (
            *_MATCH,
            Column("ruleset", Kind.TEXT, "its name, with what was overridden"),
            Column("entrants", Kind.TEXT, "by side, tab-separated"),
            Column("seats", Kind.TEXT, "the entrant at each seat, tab-separated"),
            Column("first_board", Kind.INT, "number of its first board"),
            Column("boards", Kind.INT, "how many were to be played; empty = to a target"),
            Column("termination", Kind.TEXT, "why it ended; empty = the log was cut"),
            Column("culprit", Kind.TEXT, "whose doing the end was"),
            Column("winner", Kind.INT, "side; empty = none"),
            Column("total_0", Kind.INT, "points of side 0"),
            Column("total_1", Kind.INT, "points of side 1"),
            Column("is_guessable", Kind.FLAG, "whether the seed was a text"),
            Column(
                "is_counted", Kind.FLAG, "whether it counts, as ruled; empty = no event's log says"
            ),
        ),
        "deals": (
            *_DEAL,
            Column("board", Kind.INT, "its number in the stage"),
            Column("leader", Kind.INT, "seat that led trick 1"),
            *(Column(f"hand_{seat}", Kind.INT, f"cards dealt to seat {seat}") for seat in range(4)),
            Column("stock", Kind.INT, "undealt cards"),
            Column("points_0", Kind.INT, "of side 0; empty = not finished"),
            Column("points_1", Kind.INT, "of side 1"),
            Column("thirds_0", Kind.INT, "card thirds that side 0 won"),
            Column("thirds_1", Kind.INT, "card thirds that side 1 won"),
        ),
        "tricks": (
            *_DEAL,
            Column("trick", Kind.INT, "from 1"),
            Column("seat", Kind.INT, "who won it"),
            Column("thirds", Kind.INT, "what it was worth"),
            Column("cards", Kind.INT, "its cards"),
        ),
        "plays": (
            *_DEAL,
            _SEQ,
            _AT,
            Column("trick", Kind.INT, "from 1"),
            Column("place", Kind.INT, "within the trick, from 0"),
            _SEAT,
            Column("card", Kind.TEXT, "in notation, as D3"),
            Column("signal", Kind.TEXT, "the word that was heard; empty = none"),
            Column("is_autoplayed", Kind.FLAG, "whether the referee played for the seat"),
            Column("decision", Kind.INT, "seq of its decision"),
        ),
        "decisions": (
            *_DEAL,
            _SEQ,
            _SEAT,
            Column("legal", Kind.INT, "cards that could be played"),
            Column("hand", Kind.INT, "cards held"),
            Column("card", Kind.TEXT, "what was played; empty = nothing"),
            Column("limit_ms", Kind.INT, "as told"),
            Column("bank_ms", Kind.INT, "as told"),
            Column("think_us", Kind.INT, "from the question to the answer"),
            Column("lag_us", Kind.INT, "width of the answer's arrival interval"),
            Column("cpu_us", Kind.INT, "processor time; empty = not measured"),
            Column("value_thirds", Kind.INT, "the bot's own estimate"),
            Column("note", Kind.TEXT, "the bot's own words"),
            Column("observation_id", Kind.INT, "equal for seats that know equal things"),
        ),
        "declarations": (
            *_DEAL,
            _SEQ,
            _SEAT,
            Column("claim", Kind.TEXT, "napoletana, three or four"),
            Column("suit", Kind.TEXT, "of a napoletana, or lacking"),
            Column("rank", Kind.TEXT, "of a three or four"),
            Column("is_made", Kind.FLAG, "whether it stood"),
        ),
        "faults": (
            *_MATCH,
            Column("deal", Kind.INT, "ordinal within the match; empty = before the first"),
            _SEQ,
            _AT,
            Column("seat", Kind.INT, "empty = not a bot's"),
            Column("culprit", Kind.TEXT, "bot, referee or host"),
            Column("kind", Kind.TEXT, "as in docs/clocks-and-faults.md"),
            Column("detail", Kind.TEXT, "what to fix"),
        ),
        "sessions": (
            Column("session", Kind.INT, "the line of the event's log"),
            Column("entrant", Kind.TEXT, "whose process it was"),
            Column("matches", Kind.TEXT, "ids of the matches it sat in, tab-separated"),
            Column("start_us", Kind.INT, "from its launch to Join, in microseconds"),
            Column("ready_us", Kind.INT, "from its launch to the first Ready; empty = never"),
            Column("cpu_us", Kind.INT, "processor time; empty = not measured"),
            Column("peak_memory", Kind.INT, "most memory at once, in bytes; empty = not measured"),
            Column("bytes_in", Kind.INT, "received from it"),
            Column("bytes_out", Kind.INT, "sent to it"),
            Column("exit", Kind.INT, "status, or minus the signal's number; empty = none"),
        ),
    }
)
"""Every table by name. Sessions stand in an event's log: match logs alone give none."""

OF_DEALS: Final = ("deals", "tricks", "plays", "decisions", "declarations")
"""The tables whose every row is of one deal; their first columns are ``match attempt deal``."""
