"""What the tables hold: their columns, and the rows that one log gives.

Owns names, types and meanings of columns, and how a row follows from lines. Must not know
file formats. A hand is an int64 with bit ``card`` set for each card, in the order of
:data:`arena.rules.cards.CARDS` (suits D C S B, in each 4 5 6 7 J H K A 2 3, from bit 1).
Source: record.md ("arena export").
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from types import MappingProxyType
from typing import Final

from arena.record.read import LogLine, MatchRecord
from arena.referee.events import DecisionAsked, Fault, MatchEnded
from arena.rules.cards import Card
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    DealScored,
    DealStarted,
    DeclarationMade,
    DeclarationRefused,
    TrickWon,
)
from arena.rules.options import DrawVisibility
from arena.rules.ruleset import Ruleset


class Kind(StrEnum):
    """The type of a column; every one may be empty but for those of ``KEYS``."""

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
            Column("first_board", Kind.INT, "number of its first board"),
            Column("boards", Kind.INT, "how many were to be played; empty = to a target"),
            Column("termination", Kind.TEXT, "why it ended; empty = the log was cut"),
            Column("culprit", Kind.TEXT, "whose doing the end was"),
            Column("winner", Kind.INT, "side; empty = none"),
            Column("total_0", Kind.INT, "points of side 0"),
            Column("total_1", Kind.INT, "points of side 1"),
            Column("is_guessable", Kind.FLAG, "whether the seed was a text"),
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
            _SEQ,
            _AT,
            Column("seat", Kind.INT, "empty = not a bot's"),
            Column("culprit", Kind.TEXT, "bot, referee or host"),
            Column("kind", Kind.TEXT, "as in docs/clocks-and-faults.md"),
            Column("detail", Kind.TEXT, "what to fix"),
        ),
    }
)
"""Every table by name. Sessions stand in the event's log once it notes them."""


def mask(cards: Iterable[Card]) -> int:
    """Give cards as bits."""
    return sum(1 << int(card) for card in cards)


def log_rows(record: MatchRecord) -> Iterator[tuple[str, Row]]:
    """Give every row of one log, each with its table, in the order of the lines."""
    yield from _Rows(record).all()


class _Rows:
    """Where one walk along a log stands."""

    def __init__(self, record: MatchRecord) -> None:
        self._record = record
        header = record.header
        self._ruleset: Ruleset = header.ruleset
        self._match = header.match, header.attempt
        self._hands: list[int] = [0] * header.ruleset.seats
        self._start: DealStarted | None = None
        self._trick: list[Card] = []
        self._tricks = 0
        self._asked: tuple[LogLine, DecisionAsked] | None = None
        self._public: list[object] = []
        """What every seat of this deal has learnt, for the observation's id."""

    @property
    def _deal(self) -> tuple[str, int, int]:
        return (*self._match, 0 if self._start is None else self._start.deal)

    def all(self) -> Iterator[tuple[str, Row]]:  # noqa: C901  # one closed set
        """Give the rows."""
        end: MatchEnded | None = None
        for line in self._record.lines:
            event = line.event
            match event:
                case DealStarted():
                    yield from self._unfinished()
                    self._begin(event)
                case DecisionAsked():
                    self._asked = line, event
                case CardPlayed():
                    yield from self._played(line, event)
                case CardDrawn(card=Card() as card):
                    self._hands[event.seat] |= 1 << int(card)
                    if self._ruleset.draw_visibility is DrawVisibility.PUBLIC:
                        self._public.append((event.seat, int(card)))
                case TrickWon():
                    self._tricks += 1
                    yield (
                        "tricks",
                        (*self._deal, self._tricks, event.seat, event.thirds, mask(self._trick)),
                    )
                    self._trick = []
                case DeclarationMade() | DeclarationRefused():
                    yield "declarations", self._declared(line, event)
                case Fault():
                    yield (
                        "faults",
                        (
                            *self._match,
                            line.seq,
                            line.at_us,
                            event.seat,
                            event.culprit.value,
                            event.kind.value,
                            event.detail,
                        ),
                    )
                case DealScored():
                    yield "deals", self._dealt(event)
                    self._start = None
                case MatchEnded():
                    end = event
                case _:
                    pass
        yield from self._unfinished()
        yield "matches", self._whole(end)

    def _begin(self, event: DealStarted) -> None:
        self._start = event
        self._hands = [mask(hand) for hand in event.hands]
        self._trick, self._tricks, self._public = [], 0, [event.leader]

    def _unfinished(self) -> Iterator[tuple[str, Row]]:
        if self._start is not None:
            yield "deals", self._dealt(None)
            self._start = None

    def _played(self, line: LogLine, event: CardPlayed) -> Iterator[tuple[str, Row]]:
        asked, timing = self._asked, line.timing
        signal = None if event.signal is None else event.signal.value
        yield (
            "plays",
            (
                *self._deal,
                line.seq,
                line.at_us,
                self._tricks + 1,
                len(self._trick),
                event.seat,
                str(event.card),
                signal,
                event.autoplayed,
                None if asked is None else asked[0].seq,
            ),
        )
        if asked is not None:
            times: Row = (None,) * 5
            if timing is not None:
                times = (
                    timing.think_us,
                    timing.lag_us,
                    timing.cpu_us,
                    timing.value_thirds,
                    timing.note or None,
                )
            hand = self._hands[event.seat]
            yield (
                "decisions",
                (
                    *self._deal,
                    asked[0].seq,
                    event.seat,
                    mask(asked[1].legal),
                    hand,
                    str(event.card),
                    asked[1].limit_ms,
                    asked[1].bank_ms,
                    *times,
                    self._observation_id(event.seat, hand),
                ),
            )
        self._asked = None
        self._hands[event.seat] &= ~(1 << int(event.card))
        self._trick.append(event.card)
        self._public.append((int(event.card), signal))

    def _observation_id(self, seat: int, hand: int) -> int:
        """Hash what the seat knows: ruleset, own hand, and all that was public, in order."""
        known = repr((self._ruleset.name, seat, hand, self._public)).encode()
        return int.from_bytes(blake2b(known, digest_size=8).digest(), "big", signed=True)

    def _declared(self, line: LogLine, event: DeclarationMade | DeclarationRefused) -> Row:
        claim = event.claim
        is_made = isinstance(event, DeclarationMade)
        if is_made:
            self._public.append(repr(event))
        return (
            *self._deal,
            line.seq,
            event.seat,
            claim.kind.value,
            None if claim.suit is None else claim.suit.name.lower(),
            None if claim.rank is None else claim.rank.name.lower(),
            is_made,
        )

    def _dealt(self, scored: DealScored | None) -> Row:
        start = self._start
        if start is None:
            raise AssertionError("a deal is scored once it was dealt")
        hands: list[int | None] = [mask(hand) for hand in start.hands]
        hands += [None] * (4 - len(hands))
        score: Row = (None,) * 4
        if scored is not None:
            score = (*scored.points[:2], *scored.thirds[:2])
        return (*self._deal, start.board, start.leader, *hands, mask(start.stock), *score)

    def _whole(self, end: MatchEnded | None) -> Row:
        header = self._record.header
        return (
            *self._match,
            header.ruleset.name,
            "\t".join(header.entrants),
            header.first_board,
            header.boards,
            None if end is None else end.termination.kind.value,
            None if end is None else end.termination.culprit.value,
            None if end is None else end.winner,
            *((None, None) if end is None else end.totals[:2]),
            header.guessable_seed,
        )
