"""A match as plain text, trick by trick.

Owns the layout of the replay. What a seat may see of the game comes from the rules'
``visible_to`` alone; of other seats' faults, notes and names a seat's replay says nothing.
Must not know files or terminals. Source: record.md ("arena replay LOG").
"""

from collections.abc import Iterator
from typing import assert_never

from arena.errors import ConfigError
from arena.record.header import LogHeader
from arena.record.read import LogLine, LogOpened, MatchRecord
from arena.record.seal import DealSealed, LogClosed
from arena.record.wording import card_list, claim_words, counted, per_side, score_line, shown
from arena.referee.events import (
    AnswerRejected,
    AnswerTiming,
    DecisionAsked,
    Fault,
    MatchEnded,
    MatchStarted,
    SeatJoined,
    SeatLost,
    SeatReady,
    SeatReturned,
)
from arena.referee.faults import FaultKind
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    DealScored,
    DealStarted,
    DeclarationMade,
    DeclarationRefused,
    GameEvent,
    Infraction,
    Revoke,
    SpecifiedBy,
    TrickWon,
)
from arena.rules.observation import HandDealt, SeatGameEvent, visible_to
from arena.wire.log_events import UnknownEvent


def replay_lines(record: MatchRecord, seat: int | None = None) -> Iterator[str]:
    """Tell a match line by line; with ``seat``, only what that seat saw.

    Lines hold no newline and no control character, whatever the log holds.

    Raises:
        ConfigError: The match has no such seat.
    """
    seats = len(record.header.seats)
    if seat is not None and not 0 <= seat < seats:
        raise ConfigError(f"seat {seat}: this match has seats 0 to {seats - 1}")
    return _Replay(record, seat).lines()


class _Replay:
    """One telling: what is on the table, and what is to be said beneath the trick."""

    def __init__(self, record: MatchRecord, seat: int | None) -> None:
        self._record = record
        self._seat = seat
        self._plays: list[CardPlayed] = []
        self._notes: list[str] = []
        self._tricks = 0

    def lines(self) -> Iterator[str]:
        """Tell everything."""
        yield from self._head(self._record.header)
        for line in self._record.lines:
            yield from self._line(line)
        if not self._record.complete:
            yield from self._open_trick()
            yield "The log ends here, before the end of the match."

    def _head(self, header: LogHeader) -> Iterator[str]:
        ruleset = header.ruleset
        if header.boards is None:
            length = f"to {ruleset.target} points, from board {header.first_board}"
        else:
            length = f"boards {header.first_board} to {header.first_board + header.boards - 1}"
        if self._seat is not None:
            own = header.seats[self._seat]
            yield f"Ruleset {ruleset.name}, as seat {self._seat} ({shown(own.entrant)}) saw it"
            return
        yield f"Match {shown(header.match)[1:-1]}, attempt {header.attempt}"
        yield f"Ruleset {ruleset.name}, {length}"
        for place, who in enumerate(header.seats):
            version = f" {shown(who.version)[1:-1]}" if who.version else ""
            yield (
                f"  seat {place}, side {ruleset.side_of(place)}: {shown(who.entrant)}"
                f" ({shown(who.bot)}{version})"
            )
        if header.guessable_seed:
            yield "  guessable seed: practice only"

    def _line(self, line: LogLine) -> Iterator[str]:
        event = line.event
        match event:
            case LogOpened() | DealSealed() | LogClosed() | UnknownEvent():
                pass
            case SeatJoined() | SeatReady() | MatchStarted() | DecisionAsked():
                pass
            case AnswerRejected():
                if self._sees(event.seat):
                    self._notes.append(f"seat {event.seat}: refused ({event.reason.value})")
            case Fault():
                self._note_fault(event)
            case SeatLost():
                self._notes.append(f"seat {event.seat} is gone")
            case SeatReturned():
                self._notes.append(f"seat {event.seat} is back")
            case MatchEnded():
                yield from self._open_trick()
                yield from self._ended(event)
            case _:
                seen = self._of_the_game(event)
                if seen is not None:
                    yield from self._game(seen, line.timing)

    def _of_the_game(self, event: GameEvent) -> SeatGameEvent | DealStarted | None:
        if self._seat is None:
            return event
        return visible_to(event, self._seat, self._record.header.ruleset)

    def _game(
        self, event: SeatGameEvent | DealStarted, timing: AnswerTiming | None
    ) -> Iterator[str]:
        notes = self._notes
        match event:
            case DealStarted() | HandDealt():
                yield from self._dealt(event)
            case DeclarationMade():
                by = {
                    SpecifiedBy.REQUEST: ", specified on request",
                    SpecifiedBy.RULE: ", shown or named",
                    SpecifiedBy.NOT: "",
                }[event.specified_by]
                notes.append(
                    f"seat {event.seat} declares {claim_words(event.claim)}: "
                    f"{counted(event.points, 'point')}{by}"
                )
            case DeclarationRefused():
                notes.append(
                    f"seat {event.seat} claims {claim_words(event.claim)}: "
                    f"refused, {event.reason.value}"
                )
            case Infraction():
                notes.append(
                    f"seat {event.seat}: infraction ({event.kind.value}), "
                    f"{counted(event.points, 'point')}"
                )
            case CardPlayed():
                self._played(event, timing)
            case CardDrawn():
                card = "a hidden card" if event.card is None else str(event.card)
                yield f"           seat {event.seat} draws {card}"
            case TrickWon():
                yield from self._won(event)
            case Revoke():
                notes.append(f"seat {event.seat} revokes: the deal ends")
            case DealScored():
                yield from self._open_trick()
                yield score_line(event)
            case _:
                assert_never(event)

    def _dealt(self, event: DealStarted | HandDealt) -> Iterator[str]:
        self._tricks = 0
        dealer = "the judge deals" if event.dealer is None else f"seat {event.dealer} deals"
        yield ""
        match event:
            case DealStarted():
                yield f"Deal {event.deal}, board {event.board}: {dealer}, seat {event.leader} leads"
                for seat, hand in enumerate(event.hands):
                    yield f"  seat {seat}   {card_list(sorted(hand))}"
                if event.stock:
                    yield f"  stock    {card_list(event.stock)}"
            case HandDealt():
                yield f"Deal {event.deal}: {dealer}, seat {event.leader} leads"
                yield f"  hand     {card_list(sorted(event.hand))}"
                if event.stock_size:
                    yield f"  stock    {event.stock_size} cards"
            case _:
                assert_never(event)

    def _played(self, event: CardPlayed, timing: AnswerTiming | None) -> None:
        self._plays.append(event)
        if event.signal is not None:
            self._notes.append(f"seat {event.seat} says {event.signal.value} with {event.card}")
        if event.autoplayed:
            self._notes.append(f"seat {event.seat}: the referee played {event.card}")
        if timing is None or not self._sees(event.seat):
            return
        if timing.value_thirds is not None:
            self._notes.append(
                f"seat {event.seat} expects {timing.value_thirds:+} thirds for its side"
            )
        if timing.note:
            self._notes.append(f"seat {event.seat} notes {shown(timing.note)}")

    def _won(self, event: TrickWon) -> Iterator[str]:
        self._tricks += 1
        yield (
            f"  trick {self._tricks:2}  {self._table(event.seat)}"
            f"   seat {event.seat} wins {counted(event.thirds, 'third')}"
        )
        yield from self._notes_beneath()

    def _open_trick(self) -> Iterator[str]:
        """Tell what lies on the table of a trick that nobody won."""
        if self._plays:
            self._tricks += 1
            yield f"  trick {self._tricks:2}  {self._table(None)}   not finished"
        yield from self._notes_beneath()

    def _table(self, winner: int | None) -> str:
        cards = [
            f"{play.seat}:{play.card}" + ("*" if play.seat == winner else " ")
            for play in self._plays
        ]
        self._plays.clear()
        return "  ".join(cards)

    def _notes_beneath(self) -> Iterator[str]:
        for note in self._notes:
            yield f"           {note}"
        self._notes.clear()

    def _note_fault(self, event: Fault) -> None:
        if event.seat is None:
            if self._seat is None:
                self._notes.append(
                    f"fault of the {event.culprit.value}: {event.kind.value}"
                    + (f" {shown(event.detail)}" if event.detail else "")
                )
        elif self._sees(event.seat):
            says = f" {shown(event.detail)}" if event.detail and self._may_detail(event) else ""
            self._notes.append(f"seat {event.seat}: fault, {event.kind.value}{says}")

    def _may_detail(self, event: Fault) -> bool:
        # What a seat is told of its own lateness; other details can quote the host's paths.
        return self._seat is None or event.kind is FaultKind.LATE

    def _ended(self, event: MatchEnded) -> Iterator[str]:
        termination = event.termination
        header = self._record.header
        by = f" by {termination.culprit.value}" if termination.culprit.value != "nobody" else ""
        if termination.seat is not None:
            by = f" by seat {termination.seat}"
            if self._seat is None:
                by += f", {shown(header.seats[termination.seat].entrant)}"
        yield ""
        yield f"Match ended: {termination.kind.value}{by}"
        if termination.detail and self._seat is None:
            yield f"  {shown(termination.detail)}"
        winner = "no side is ahead" if event.winner is None else f"side {event.winner} wins"
        yield f"  totals {per_side(event.totals)}: {winner}"

    def _sees(self, seat: int) -> bool:
        return self._seat is None or self._seat == seat
