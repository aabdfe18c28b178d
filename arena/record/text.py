"""A match as plain text, trick by trick.

Owns the order of the telling. What a seat may see of the game comes from the rules'
``visible_to`` alone; of other seats' faults, notes and names a seat's replay says nothing.
Must not know files or terminals. Source: record.md ("arena replay LOG").
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import assert_never

from arena.counted import counted
from arena.errors import ConfigError
from arena.record.header import LogHeader
from arena.record.read import LogLine, LogOpened, MatchRecord
from arena.record.seal import DealSealed, LogClosed
from arena.record.trick_text import TrickText
from arena.record.wording import (
    card_list,
    claim_words,
    per_side,
    score_line,
    shown,
    shown_lines,
)
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


def replay_lines(
    record: MatchRecord, seat: int | None = None, deal: int | None = None
) -> Iterator[str]:
    """Tell a match line by line; with ``seat`` only what that seat saw, with ``deal`` only one.

    Lines hold no newline and no control character, whatever the log holds.

    Raises:
        ConfigError: The match has no such seat or deal.
    """
    seats = len(record.header.seats)
    if seat is not None and not 0 <= seat < seats:
        raise ConfigError(f"seat {seat}: this match has seats 0 to {seats - 1}")
    lines = record.lines if deal is None else _lines_of(record, deal)
    told = told_lines(record.header, lines, seat)
    if record.complete or lines[-1:] != record.lines[-1:]:
        return told
    return chain(told, ("The log ends here, before the end of the match.",))


def told_lines(
    header: LogHeader, lines: Iterable[LogLine], seat: int | None = None
) -> Iterator[str]:
    """Tell lines of a log as they come: a trick is told once it is won."""
    return _Replay(header, seat).lines(lines)


def _lines_of(record: MatchRecord, deal: int) -> tuple[LogLine, ...]:
    """Pick the lines of one deal: from its cards up to the next one's, or the match's end."""
    starts = {
        line.event.deal: place
        for place, line in enumerate(record.lines)
        if isinstance(line.event, DealStarted)
    }
    if deal not in starts:
        played = f"has deals 1 to {max(starts)}" if starts else "has no deal"
        raise ConfigError(f"deal {deal}: this match {played}")
    rest = record.lines[starts[deal] :]
    end = next(
        (
            place
            for place, line in enumerate(rest)
            if place and isinstance(line.event, DealStarted | MatchEnded)
        ),
        len(rest),
    )
    return rest[:end]


class _Replay:
    """One telling: what is on the table, and what is to be said beneath the trick."""

    def __init__(self, header: LogHeader, seat: int | None) -> None:
        self._header = header
        self._seat = seat
        self._trick = TrickText()
        self._tricks = 0
        self._told: set[str] = set()
        """Details of faults: the end of the match does not repeat them."""

    def lines(self, lines: Iterable[LogLine]) -> Iterator[str]:
        """Tell these lines of the log."""
        yield from self._head(self._header)
        for line in lines:
            yield from self._line(line)
        yield from self._open_trick()

    def _head(self, header: LogHeader) -> Iterator[str]:
        ruleset = header.ruleset
        if header.boards is None:
            length = f"to {ruleset.target} points, from board {header.first_board}"
        else:
            length = f"boards {header.first_board} to {header.first_board + header.boards - 1}"
        match = f"Match {shown(header.match)[1:-1]}, attempt {header.attempt}"
        if self._seat is not None:
            yield f"{match}, as seat {self._seat} saw it"
            yield f"Ruleset {ruleset.name}"
            yield from self._seats_seen(header, self._seat)
            return
        yield match
        yield f"Ruleset {ruleset.name}, {length}"
        for place, who in enumerate(header.seats):
            version = f" {shown(who.version)[1:-1]}" if who.version else ""
            yield (
                f"  seat {place}, side {ruleset.side_of(place)}: {shown(who.entrant)}"
                f" ({shown(who.bot)}{version})"
            )
        if header.guessable_seed:
            yield "  guessable seed: practice only"

    def _seats_seen(self, header: LogHeader, own: int) -> Iterator[str]:
        # Only an event that shows names tells them to bots, and the log does not say whether.
        for place in range(len(header.seats)):
            side = header.ruleset.side_of(place)
            if place == own:
                who = f"{shown(header.seats[own].entrant)} (this seat)"
            else:
                who = "partner" if side == header.ruleset.side_of(own) else "opponent"
            yield f"  seat {place}, side {side}: {who}"

    def _line(self, line: LogLine) -> Iterator[str]:
        event = line.event
        match event:
            case LogOpened() | DealSealed() | LogClosed() | UnknownEvent():
                pass
            case SeatJoined() | SeatReady() | MatchStarted() | DecisionAsked():
                pass
            case AnswerRejected():
                if self._sees(event.seat):
                    self._say(event.seat, f": refused ({event.reason.value})")
            case Fault():
                self._note_fault(event)
            case SeatLost():
                self._say(event.seat, " is gone")
            case SeatReturned():
                self._say(event.seat, " is back")
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
        return visible_to(event, self._seat, self._header.ruleset)

    def _game(
        self, event: SeatGameEvent | DealStarted, timing: AnswerTiming | None
    ) -> Iterator[str]:
        match event:
            case DealStarted() | HandDealt():
                yield from self._dealt(event)
            case DeclarationMade():
                by = {
                    SpecifiedBy.REQUEST: ", specified on request",
                    SpecifiedBy.RULE: ", shown or named",
                    SpecifiedBy.NOT: "",
                }[event.specified_by]
                self._say(
                    event.seat,
                    f" declares {claim_words(event.claim)}: {counted(event.points, 'point')}{by}",
                )
            case DeclarationRefused():
                self._say(
                    event.seat,
                    f" claims {claim_words(event.claim)}: refused, {event.reason.value}",
                )
            case Infraction():
                self._say(
                    event.seat,
                    f": infraction ({event.kind.value}), {counted(event.points, 'point')}",
                )
            case CardPlayed():
                self._played(event, timing)
            case CardDrawn():
                card = "a hidden card" if event.card is None else str(event.card)
                yield f"           seat {event.seat} draws {card}"
            case TrickWon():
                yield from self._won(event)
            case Revoke():
                self._say(event.seat, " revokes: the deal ends")
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
        self._trick.play(event)
        if event.signal is not None:
            self._say(event.seat, f" says {event.signal.value} with {event.card}")
        if event.autoplayed:
            self._say(event.seat, f": the referee played {event.card}")
        if timing is None or not self._sees(event.seat):
            return
        if timing.value_thirds is not None:
            self._say(event.seat, f" expects {timing.value_thirds:+} thirds for its side")
        if timing.note:
            self._say(event.seat, f" notes {shown(timing.note)}")

    def _won(self, event: TrickWon) -> Iterator[str]:
        self._tricks += 1
        ending = f"seat {event.seat} wins {counted(event.thirds, 'third')}"
        yield from self._trick.lines(self._tricks, event.seat, ending)

    def _open_trick(self) -> Iterator[str]:
        """Tell what lies on the table of a trick that nobody won."""
        if self._trick.is_begun:
            self._tricks += 1
        yield from self._trick.lines(self._tricks, None, "not finished")

    def _say(self, seat: int, text: str, more: tuple[str, ...] = ()) -> None:
        self._trick.remark(seat, f"seat {seat}{text}", more)

    def _note_fault(self, event: Fault) -> None:
        if event.seat is None:
            if self._seat is None:
                says, more = self._detail(event.detail)
                who = f"fault of the {event.culprit.value}: {event.kind.value}"
                self._trick.remark(None, f"{who}{says}", more)
        elif self._sees(event.seat):
            says, more = self._detail(event.detail if self._may_detail(event) else "")
            self._say(event.seat, f": fault, {event.kind.value}{says}", more)

    def _detail(self, detail: str) -> tuple[str, tuple[str, ...]]:
        """Put a detail on the line if it is one line, else beneath it, as it was laid out."""
        self._told.add(detail)
        if not detail:
            return "", ()
        if "\n" in detail.rstrip("\n"):
            return ":", shown_lines(detail)
        return f" {shown(detail)}", ()

    def _may_detail(self, event: Fault) -> bool:
        # What a seat is told of its own lateness; other details can quote the host's paths.
        return self._seat is None or event.kind is FaultKind.LATE

    def _ended(self, event: MatchEnded) -> Iterator[str]:
        termination = event.termination
        header = self._header
        by = f" by {termination.culprit.value}" if termination.culprit.value != "nobody" else ""
        if termination.seat is not None:
            by = f" by seat {termination.seat}"
            if self._seat is None:
                by += f", {shown(header.seats[termination.seat].entrant)}"
        yield ""
        yield f"Match ended: {termination.kind.value}{by}"
        if termination.detail not in {"", *self._told} and self._seat is None:
            yield from (f"  | {line}" for line in shown_lines(termination.detail))
        winner = "no side is ahead" if event.winner is None else f"side {event.winner} wins"
        yield f"  totals {per_side(event.totals)}: {winner}"

    def _sees(self, seat: int) -> bool:
        return self._seat is None or self._seat == seat
