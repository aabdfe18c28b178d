"""The rows that one match log gives.

Owns how a row follows from lines. Must not know file formats, nor what other logs say.
Source: record.md ("arena export").
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import assert_never

from arena.record.export.tables import Row
from arena.record.read import LogLine, MatchRecord
from arena.referee.events import AnswerTiming, DecisionAsked, Fault, MatchEnded
from arena.rules.cards import Card
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    DealScored,
    DealStarted,
    DeclarationMade,
    DeclarationRefused,
    Infraction,
    Revoke,
    TrickWon,
)
from arena.rules.options import DrawVisibility
from arena.rules.ruleset import Ruleset


def mask(cards: Iterable[Card]) -> int:
    """Give cards as bits."""
    return sum(1 << int(card) for card in cards)


def log_rows(record: MatchRecord, *, is_counted: bool | None = None) -> Iterator[tuple[str, Row]]:
    """Give every row of one log, each with its table, in the order of the lines.

    Args:
        record: The log.
        is_counted: Whether its event's log counts it; None where there is none.
    """
    yield from _Rows(record, is_counted=is_counted).all()


class _Rows:
    """Where one walk along a log stands."""

    def __init__(self, record: MatchRecord, *, is_counted: bool | None) -> None:
        self._record = record
        self._is_counted = is_counted
        header = record.header
        self._ruleset: Ruleset = header.ruleset
        self._match = header.match, header.attempt
        self._hands: list[int] = [0] * header.ruleset.seats
        self._start: DealStarted | None = None
        """The deal that is being played."""
        self._ordinal: int | None = None
        """Of the deal begun last."""
        self._trick: list[Card] = []
        self._tricks = 0
        self._asked: tuple[LogLine, DecisionAsked] | None = None
        self._public = blake2b(digest_size=8)
        """What every seat of this deal has learnt, in order, for the observation's id."""
        self._refused: list[tuple[object, ...]] = []
        """Claims of this deal that were refused: known to the seat that made one."""

    @property
    def _deal(self) -> tuple[str, int, int | None]:
        return (*self._match, self._ordinal)

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
                    yield from self._unanswered()
                    self._asked = line, event
                case CardPlayed():
                    yield from self._played(line, event)
                case CardDrawn() | Infraction() | Revoke():
                    self._learn(event)
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
                            *self._deal,
                            line.seq,
                            line.at_us,
                            event.seat,
                            event.culprit.value,
                            event.kind.value,
                            event.detail,
                        ),
                    )
                case DealScored():
                    yield from self._unanswered()
                    yield "deals", self._dealt(event)
                    self._start = None
                case MatchEnded():
                    end = event
                case _:
                    pass
        yield from self._unfinished()
        yield "matches", self._whole(end)

    def _publish(self, *what: object) -> None:
        self._public.update(repr(what).encode())

    def _learn(self, event: CardDrawn | Infraction | Revoke) -> None:
        """Note what becomes known beside cards played and claims."""
        match event:
            case CardDrawn(card=Card() as card):
                self._hands[event.seat] |= 1 << int(card)
                if self._ruleset.draw_visibility is DrawVisibility.PUBLIC:
                    self._publish(event.seat, int(card))
            case CardDrawn():
                pass
            case Infraction():
                self._publish(event.seat, event.kind.value, event.points)
            case Revoke():
                self._publish(event.seat, "revoke")
            case _:
                assert_never(event)

    def _begin(self, event: DealStarted) -> None:
        self._start, self._ordinal = event, event.deal
        self._hands = [mask(hand) for hand in event.hands]
        self._trick, self._tricks = [], 0
        self._public, self._refused = blake2b(digest_size=8), []
        self._publish(self._ruleset.name, event.leader)

    def _unfinished(self) -> Iterator[tuple[str, Row]]:
        yield from self._unanswered()
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
            yield "decisions", self._decision(*asked, card=str(event.card), timing=timing)
        self._asked = None
        self._hands[event.seat] &= ~(1 << int(event.card))
        self._trick.append(event.card)
        self._publish(int(event.card), signal)

    def _unanswered(self) -> Iterator[tuple[str, Row]]:
        """Give the row of a question that no card followed: the deal or the match ended."""
        if self._asked is not None:
            yield "decisions", self._decision(*self._asked, card=None, timing=None)
            self._asked = None

    def _decision(
        self, line: LogLine, asked: DecisionAsked, *, card: str | None, timing: AnswerTiming | None
    ) -> Row:
        times: Row = (None,) * 5
        if timing is not None:
            times = (
                timing.think_us,
                timing.lag_us,
                timing.cpu_us,
                timing.value_thirds,
                timing.note or None,
            )
        hand = self._hands[asked.seat]
        return (
            *self._deal,
            line.seq,
            asked.seat,
            mask(asked.legal),
            hand,
            card,
            asked.limit_ms,
            asked.bank_ms,
            *times,
            self._observation_id(asked.seat, hand),
        )

    def _observation_id(self, seat: int, hand: int) -> int:
        """Hash what the seat knows: ruleset, own hand, and all that it learnt, in order."""
        own = [claim for claim in self._refused if claim[0] == seat]
        known = self._public.copy()
        known.update(repr((seat, hand, own)).encode())
        return int.from_bytes(known.digest(), "big", signed=True)

    def _declared(self, line: LogLine, event: DeclarationMade | DeclarationRefused) -> Row:
        claim = event.claim
        words = (
            claim.kind.value,
            None if claim.suit is None else claim.suit.name.lower(),
            None if claim.rank is None else claim.rank.name.lower(),
        )
        if isinstance(event, DeclarationMade):
            by = event.specified_by.value
            self._publish(event.seat, *words, event.points, by)
        else:
            self._refused.append((event.seat, *words, event.reason.value))
        return (*self._deal, line.seq, event.seat, *words, isinstance(event, DeclarationMade))

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
            "\t".join(seat.entrant for seat in header.seats),
            header.first_board,
            header.boards,
            None if end is None else end.termination.kind.value,
            None if end is None else end.termination.culprit.value,
            None if end is None else end.winner,
            *((None, None) if end is None else end.totals[:2]),
            header.guessable_seed,
            self._is_counted,
        )
