"""Deeds: what a bot, the host or the organiser can do to a table, and how each is brought to it.

Owns a table that is driven by deeds and what has to be remembered for that. Must not know what
a deed costs: that stands in :mod:`tests.referee.deed_rows`. Source: design.md §5.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final, assert_never

from arena.bots.exits import Exit, ExitKind
from arena.referee.clock import MS, Clock
from arena.referee.conduct import Conduct
from arena.referee.faults import Culprit, FaultKind, Termination, TerminationKind
from arena.referee.judging import CROWD
from arena.referee.messages import (
    Answered,
    Arrival,
    Ask,
    AskWritten,
    Begin,
    BotGone,
    BotLost,
    BotReady,
    BotReturned,
    CancelTimer,
    Input,
    Misfit,
    Output,
    Record,
    SetTimer,
    Stop,
    Timer,
    TimerFired,
    TimerKind,
)
from arena.referee.table import Table
from arena.referee.transitions import Phase
from arena.rules.cards import CARDS, Card, Rank, cards_of
from arena.rules.declarations import CLAIM_RANKS, true_claims
from arena.rules.events import CardPlayed, Claim, ClaimKind
from arena.rules.options import Signal
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.server.allowance import Allowance
from arena.server.endings import GIVEN_UP, deaf_text, left_text
from arena.testing.in_memory import open_table
from arena.wire.from_bot import decode_request
from arena.wire.said import Unreadable
from arena.wire.terms import Limits

CLOCK = Clock(limit_ms=100, margin_ms=10, start_ms=500, reconnect_ms=200)
LAG_NS = 30 * MS
NEVER_ASKED = 9_999
"""A number that no decision of these tests has."""


class Moment(Enum):
    """How far a match is, seen from the seat that does something."""

    WAITING = Phase.WAITING_TO_BEGIN, False
    GETTING_READY = Phase.GETTING_READY, False
    ASKED = Phase.ASKED, True
    ASKED_ANOTHER = Phase.ASKED, False
    THINKING = Phase.THINKING, True
    WATCHING = Phase.THINKING, False
    OVER = Phase.OVER, False

    @property
    def phase(self) -> Phase:
        """The table's."""
        return self.value[0]


class Deed(Enum):
    """What can be done to a table."""

    BEGIN = auto()
    READY = auto()
    WRITE = auto()
    """The frame of a question is written."""
    ANSWER = auto()
    LATE_ANSWER = auto()
    SILENCE = auto()
    STALE = auto()
    """An answer to what the referee has played."""
    DUPLICATE = auto()
    CONTRADICTION = auto()
    """Another answer to what was answered."""
    UNSOLICITED = auto()
    MALFORMED = auto()
    ILLEGAL = auto()
    NOT_HELD = auto()
    REVOKE = auto()
    FALSE_CLAIM = auto()
    LATE_CLAIM = auto()
    UNKNOWN_CLAIM = auto()
    FORBIDDEN_WORD = auto()
    UNKNOWN_WORD = auto()
    FLOOD = auto()
    NOT_READING = auto()
    CRASH = auto()
    LEAVE = auto()
    GIVEN_UP = auto()
    """It was lost in a match before, and is not back."""
    LOSS = auto()
    RETURN = auto()
    NO_RETURN = auto()
    NEVER_READY = auto()
    VAGUE_ANSWER = auto()
    """Nobody can say whether it was in time."""
    CROWDED_ANSWER = auto()
    """The same, because the bot said so much."""
    HOST_FAULT = auto()
    REFEREE_FAULT = auto()
    ABORT = auto()
    SUSPENSION = auto()


CRASH: Final = Exit(
    kind=ExitKind.SIGNALLED,
    value=signal.SIGSEGV,
    command="greedy",
    elapsed_ns=210 * MS,
    is_ours=False,
)
FLOOD: Final = Allowance(
    Limits(messages_per_decision=256, messages_per_second=2_000), now_ns=0
).count(257, 0, 0)
(RUBBISH,) = [said for said in decode_request(b"\xff\xff") if isinstance(said, Unreadable)]
GONE: Final = {
    Deed.FLOOD: (FaultKind.FLOOD, FLOOD or ""),
    Deed.NOT_READING: (FaultKind.NOT_READING, deaf_text(111 * MS, 110 * MS)),
    Deed.CRASH: (
        FaultKind.CRASHED,
        f"bot greedy 1.0: {CRASH.text}; its last lines:\n  | cannot read model.bin",
    ),
    Deed.LEAVE: (FaultKind.LEFT, left_text("fed up")),
    Deed.GIVEN_UP: (FaultKind.LOST, GIVEN_UP),
}
STOPS: Mapping[Deed, Callable[[int], Termination]] = {
    Deed.HOST_FAULT: lambda _: Termination(
        kind=TerminationKind.HOST_FAULT, culprit=Culprit.HOST, detail="disk full"
    ),
    Deed.REFEREE_FAULT: lambda _: Termination(
        kind=TerminationKind.REFEREE_FAULT, culprit=Culprit.REFEREE, detail="a bug"
    ),
    Deed.ABORT: lambda _: Termination(kind=TerminationKind.ABORTED),
    Deed.SUSPENSION: lambda seat: Termination(
        kind=TerminationKind.FORFEIT_SUSPENDED, culprit=Culprit.BOT, seat=seat
    ),
}
TIMERS = {
    Deed.SILENCE: TimerKind.ANSWER,
    Deed.NEVER_READY: TimerKind.READY,
    Deed.NO_RETURN: TimerKind.RETURN,
}
PLAIN: Mapping[Deed, Callable[[int, int, int], Input]] = {
    Deed.BEGIN: lambda _seat, _number, at_ns: Begin(at_ns=at_ns),
    Deed.READY: lambda seat, _, at_ns: BotReady(seat=seat, at_ns=at_ns),
    Deed.WRITE: lambda seat, number, at_ns: AskWritten(seat=seat, number=number, at_ns=at_ns),
    Deed.LOSS: lambda seat, _, at_ns: BotLost(seat=seat, at_ns=at_ns),
    Deed.RETURN: lambda seat, _, at_ns: BotReturned(seat=seat, at_ns=at_ns),
    Deed.MALFORMED: lambda seat, _, at_ns: Misfit(
        seat=seat, reason=RUBBISH.reason, message=RUBBISH.message, at_ns=at_ns
    ),
    Deed.UNSOLICITED: lambda seat, _, at_ns: Answered(
        seat=seat,
        number=NEVER_ASKED,
        answer=Answer(card=Card.D4),
        arrival=Arrival(earliest_ns=at_ns, latest_ns=at_ns),
    ),
}
AGAIN = (Deed.STALE, Deed.DUPLICATE, Deed.CONTRADICTION)
TIMED = (Deed.ANSWER, Deed.LATE_ANSWER, Deed.VAGUE_ANSWER, Deed.CROWDED_ANSWER)
CLAIMED_RANKS = {Deed.LATE_CLAIM: Rank.ACE, Deed.UNKNOWN_CLAIM: Rank.KING}


@dataclass(slots=True)
class Course:
    """A table in the middle of a match, and what its driver remembers."""

    table: Table
    now_ns: int = 0
    ask: Ask | None = None
    answers: dict[int, tuple[int, Answer | None]] = field(default_factory=dict)
    """By number, who was asked and what stands; None: the referee has played."""
    timers: dict[Timer, int] = field(default_factory=dict)
    outputs: list[Output] = field(default_factory=list)

    @classmethod
    def fresh(cls, ruleset: Ruleset, *, seed: str, conduct: Conduct, boards: int = 3) -> Course:
        """Open a table."""
        return cls(
            open_table(ruleset=ruleset, seed_text=seed, clock=CLOCK, conduct=conduct, boards=boards)
        )

    def bring(self, event: Input) -> list[Output]:
        """Bring an input, and remember what comes of it."""
        self.now_ns = max(self.now_ns, time_of(event))
        outputs = self.table.apply(event)
        self.outputs += outputs
        if isinstance(event, TimerFired):
            self.timers.pop(event.timer, None)
        for output in outputs:
            match output:
                case SetTimer():
                    self.timers[output.timer] = output.at_ns
                case CancelTimer():
                    del self.timers[output.timer]
                case Record(event=CardPlayed(autoplayed=is_ruled, seat=seat)):
                    answer = event.answer if isinstance(event, Answered) and not is_ruled else None
                    self.answers[self._number()] = (seat, answer)
                case Ask():
                    self.ask = output
                case _:
                    pass
        return outputs

    def go_on(self) -> list[Output]:
        """Do what the table waits for: begin, be ready, write, play the first legal card."""
        self.now_ns += MS
        ask = self.ask
        match self.table.phase:
            case Phase.WAITING_TO_BEGIN:
                return self.bring(Begin(at_ns=self.now_ns))
            case Phase.GETTING_READY:
                waits = [timer.seat for timer in self.timers if timer.kind is TimerKind.READY]
                return self.bring(BotReady(seat=min(waits), at_ns=self.now_ns))
            case Phase.ASKED:
                assert ask is not None
                return self.bring(AskWritten(seat=ask.seat, number=ask.number, at_ns=self.now_ns))
            case Phase.THINKING:
                assert ask is not None
                return self.bring(self._answer(ask.seat, Answer(card=ask.question.legal[0])))
            case Phase.OVER:
                return []
            case _:
                assert_never(self.table.phase)

    def moment(self, seat: int) -> Moment:
        """Say where the match is for a seat."""
        is_asked = self.ask is not None and self.ask.seat == seat
        phase = self.table.phase
        return Moment((phase, is_asked and phase in (Phase.ASKED, Phase.THINKING)))

    def input_of(self, deed: Deed, seat: int) -> Input | None:
        """Make the input of a deed; None where this seat's cards or past do not allow it."""
        now = self.now_ns
        if deed in GONE:
            kind, detail = GONE[deed]
            return BotGone(seat=seat, kind=kind, detail=detail, at_ns=now)
        if deed in STOPS:
            return Stop(termination=STOPS[deed](seat), at_ns=now)
        if deed in TIMERS:
            timer = Timer(kind=TIMERS[deed], seat=seat)
            if timer.kind is TimerKind.ANSWER:
                timer = replace(timer, number=self._number())
            return TimerFired(timer=timer, at_ns=self.timers.get(timer, now))
        if deed in PLAIN:
            return PLAIN[deed](seat, self._number(), now)
        return self._answer_of(deed, seat)

    def runs(self, event: Input) -> bool:
        """Whether the timer of an input runs, if it is one's."""
        return not isinstance(event, TimerFired) or event.timer in self.timers

    def _answer_of(self, deed: Deed, seat: int) -> Input | None:
        """Make the input of a deed that is an answer to a question of now or of the past."""
        if deed in AGAIN:
            return self._answer_again(deed, seat)
        if deed in TIMED:
            return self._timed_answer(deed, seat)
        answer = self._wrong_answer(deed, seat)
        return None if answer is None else self._answer(seat, answer)

    def _timed_answer(self, deed: Deed, seat: int) -> Input:
        """Answer well, in time or not."""
        good = Answer(card=self._legal()[0])
        due_ns = self.due_ns()
        crowd = CROWD + 1 if deed is Deed.CROWDED_ANSWER else 0
        match deed:
            case Deed.LATE_ANSWER:
                late_ns = self.now_ns + (CLOCK.limit_ms + CLOCK.margin_ms + 1) * MS
                return self._answer(seat, good, at_ns=late_ns)
            case Deed.VAGUE_ANSWER | Deed.CROWDED_ANSWER if due_ns is not None:
                at_ns = due_ns + LAG_NS // 2
                return self._answer(seat, good, at_ns=at_ns, lag_ns=LAG_NS, crowd=crowd)
            case _:
                return self._answer(seat, good, crowd=crowd)

    def _answer_again(self, deed: Deed, seat: int) -> Input | None:
        """Answer a decision of the past; before there is one, any."""
        is_ruled = deed is Deed.STALE
        own = [
            (number, answer)
            for number, (who, answer) in self.answers.items()
            if who == seat and (answer is None) is is_ruled
        ]
        if not own:
            return self._answer(seat, Answer(card=Card.D4)) if self.ask is None else None
        number, answer = own[-1]
        answer = answer or Answer(card=Card.D4)
        if deed is Deed.CONTRADICTION:
            answer = Answer(card=next(card for card in CARDS if card is not answer.card))
        return self._answer(seat, answer, number=number)

    def _wrong_answer(self, deed: Deed, seat: int) -> Answer | None:
        """Make an answer that the rules do not let stand; None where the seat cannot.

        A seat that is not asked may say what it likes.
        """
        legal = self._legal()
        deal = self.table.match.deal
        held = cards_of(deal.hands[seat])
        is_asked = self.ask is not None and self.ask.seat == seat
        match deed:
            case Deed.ILLEGAL | Deed.REVOKE:
                cards = [card for card in held if card not in legal] if is_asked else [Card.D4]
            case Deed.NOT_HELD:
                cards = [card for card in CARDS if card not in held]
            case Deed.FALSE_CLAIM if is_asked and deal.trick_leaders:
                cards = []
            case Deed.LATE_CLAIM if is_asked and not deal.trick_leaders:
                cards = []
            case _:
                cards = [legal[0]]
        claims: tuple[Claim, ...] = ()
        if deed in CLAIMED_RANKS:
            claims = (Claim(kind=ClaimKind.FOUR, rank=CLAIMED_RANKS[deed]),)
        elif deed is Deed.FALSE_CLAIM:
            claims = (self._false_claim(seat),)
        word = Signal.STRISCIO if deed in (Deed.FORBIDDEN_WORD, Deed.UNKNOWN_WORD) else None
        return Answer(card=cards[0], declarations=claims, signal=word) if cards else None

    def _false_claim(self, seat: int) -> Claim:
        """Claim four of what the seat was not dealt four of."""
        true = true_claims(self.table.match.deal.hands[seat])
        claims = [Claim(kind=ClaimKind.FOUR, rank=rank) for rank in CLAIM_RANKS]
        return next(claim for claim in claims if claim not in true)

    def _number(self) -> int:
        return 1 if self.ask is None else self.ask.number

    def _legal(self) -> tuple[Card, ...]:
        return (Card.D4,) if self.ask is None else self.ask.question.legal

    def due_ns(self) -> int | None:
        """Say when the question that is being thought about is lost."""
        due = [at_ns for timer, at_ns in self.timers.items() if timer.kind is TimerKind.ANSWER]
        return due[0] if due else None

    def _answer(
        self,
        seat: int,
        answer: Answer,
        *,
        number: int | None = None,
        at_ns: int | None = None,
        lag_ns: int = 0,
        crowd: int = 0,
    ) -> Answered:
        """Answer the pending decision, or another."""
        latest_ns = self.now_ns if at_ns is None else at_ns
        return Answered(
            seat=seat,
            number=self._number() if number is None else number,
            answer=answer,
            arrival=Arrival(earliest_ns=latest_ns - lag_ns, latest_ns=latest_ns),
            crowd=crowd,
            crowd_seat=seat if crowd else None,
        )


def time_of(event: Input) -> int:
    """Say when an input came."""
    return event.arrival.latest_ns if isinstance(event, Answered) else event.at_ns
