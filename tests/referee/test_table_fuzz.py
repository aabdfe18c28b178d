"""Whatever comes in, in any order: the table survives, stays consistent, and ends."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.clock import MS, Clock
from arena.referee.conduct import Conduct
from arena.referee.events import (
    AnswerTiming,
    DecisionAsked,
    Fault,
    LogEvent,
    MatchEnded,
    TableEvent,
)
from arena.referee.faults import Culprit, FaultKind, Reason, Termination, TerminationKind
from arena.referee.messages import (
    Answered,
    Arrival,
    Ask,
    AskWritten,
    Begin,
    BotGone,
    BotReady,
    CancelTimer,
    Close,
    Input,
    Misfit,
    Output,
    Record,
    Reject,
    SetTimer,
    Stop,
    Tell,
    Timer,
    TimerFired,
    TimerKind,
)
from arena.referee.transitions import Phase
from arena.rules.cards import CARDS, Rank, Suit
from arena.rules.events import CardPlayed, Claim, ClaimKind, GameEvent
from arena.rules.match import Match
from arena.rules.observation import SeatGameEvent, visible_to
from arena.rules.options import Signal
from arena.rules.presets import PRESETS
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.testing.in_memory import of_type, open_table

SEED = "fuzz"
CLOCKS = (
    Clock(limit_ms=5, bank_ms=3, increment_ms=1, margin_ms=1, start_ms=100),
    Clock(limit_ms=20, margin_ms=0, start_ms=50),
)
CONDUCTS = (Conduct(), Conduct(late=900, illegal=900, malformed=900, revoke=900, infraction=900))
GONE = (FaultKind.CRASHED, FaultKind.LEFT, FaultKind.NOT_READING)
CLAIMS = (
    Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.CUPS),
    Claim(kind=ClaimKind.THREE, rank=Rank.TWO, suit=Suit.COINS),
    Claim(kind=ClaimKind.FOUR, rank=Rank.ACE),
    Claim(kind=ClaimKind.FOUR, rank=Rank.KING),
    Claim(kind=ClaimKind.NAPOLETANA),
)


class Fuzzer:
    """Brings random inputs to a table and checks what the table owes its caller."""

    def __init__(self, seed: int, ruleset: Ruleset, boards: int | None) -> None:
        self.chance = random.Random(seed)  # noqa: S311  # to be repeated, not secret
        self.order = self.chance.choice((0.3, 0.7, 0.95))
        self.ruleset = ruleset
        self.boards = boards
        self.conduct = self.chance.choice(CONDUCTS)
        self.table = open_table(
            ruleset=ruleset,
            boards=boards,
            seed_text=SEED,
            clock=self.chance.choice(CLOCKS),
            conduct=self.conduct,
        )
        self.now_ns = 0
        self.timers: dict[Timer, int] = {}
        self.ask: Ask | None = None
        self.is_write_owed = False
        self.outputs: list[Output] = []
        self.gone: int | None = None

    # --- random inputs ---

    def answer(self) -> Answer:
        """Make an answer: mostly legal, sometimes anything."""
        chance = self.chance
        asked = self.ask
        pool = CARDS if asked is None or chance.random() < 0.05 else asked.question.legal
        if asked is not None and chance.random() < 0.05:
            pool = asked.observation.hand
        claims: tuple[Claim, ...] = ()
        if asked is not None and asked.question.declarable:
            claims = asked.question.declarable
        if chance.random() < 0.05:
            claims += (chance.choice(CLAIMS),)
        word = chance.choice(tuple(Signal)) if chance.random() < 0.05 else None
        return Answer(card=chance.choice(pool), signal=word, declarations=claims)

    def random_input(self) -> Input | None:
        """Make an input that may come now; None if the one drawn cannot."""
        self.now_ns += self.chance.choice((0, 1, MS // 2, 2 * MS))
        if self.chance.random() < self.order:
            return self.fitting_input()
        (make,) = self.chance.choices(
            (
                self.answered,
                self.written,
                self.ready,
                self.next_timer,
                self.stray,
                self.misfit,
                self.end,
            ),
            weights=(45, 25, 10, 7, 6, 6, 0.5),
        )
        return make()

    def fitting_input(self) -> Input | None:
        """Make what the table waits for."""
        match self.table.phase:
            case Phase.WAITING_TO_BEGIN:
                return Begin(at_ns=self.now_ns)
            case Phase.GETTING_READY:
                return BotReady(seat=self.seat(), at_ns=self.now_ns)
            case Phase.ASKED:
                return self.written()
            case _:
                return self.answered()

    def seat(self) -> int:
        """Draw a seat."""
        return self.chance.randrange(self.ruleset.seats)

    def answered(self) -> Input:
        """Answer the pending decision, or sometimes another."""
        chance = self.chance
        seat, number = (self.ask.seat, self.ask.number) if self.ask else (0, 1)
        if chance.random() < 0.1 * (1 - self.order):
            seat, number = self.seat(), number + chance.randint(-5, 2)
        lag_ns = chance.choice((0, 0, MS, 15 * MS))
        arrival = Arrival(earliest_ns=max(0, self.now_ns - lag_ns), latest_ns=self.now_ns)
        return Answered(seat=seat, number=number, answer=self.answer(), arrival=arrival)

    def written(self) -> Input | None:
        """Report the write that is owed."""
        if not self.is_write_owed or self.ask is None:
            return None
        return AskWritten(seat=self.ask.seat, number=self.ask.number, at_ns=self.now_ns)

    def ready(self) -> Input:
        """Say Ready, or begin."""
        if self.table.phase is Phase.WAITING_TO_BEGIN and self.chance.random() < 0.3:
            return Begin(at_ns=self.now_ns)
        return BotReady(seat=self.seat(), at_ns=self.now_ns)

    def stray(self) -> Input | None:
        """Bring what crossed on its way: an old write, a timer that does not run."""
        if self.chance.random() < 0.5:
            if self.table.phase in (Phase.WAITING_TO_BEGIN, Phase.GETTING_READY):
                return None
            number = self.chance.randint(10_000, 10_050)
            return AskWritten(seat=self.seat(), number=number, at_ns=self.now_ns)
        if self.table.phase is Phase.WAITING_TO_BEGIN:
            return None
        timer = Timer(kind=self.chance.choice(tuple(TimerKind)), seat=self.seat(), number=9999)
        return TimerFired(timer=timer, at_ns=self.now_ns)

    def misfit(self) -> Input:
        """Send what is no answer."""
        reason = self.chance.choice(tuple(Reason))
        return Misfit(seat=self.seat(), reason=reason, message="no", at_ns=self.now_ns)

    def end(self) -> Input:
        """Lose a bot, or stop."""
        if self.chance.random() < 0.3:
            stop = Termination(kind=TerminationKind.HOST_FAULT, culprit=Culprit.HOST)
            return Stop(termination=stop, at_ns=self.now_ns)
        seat = self.seat()
        if not self.table.is_over:
            self.gone = seat
        kind = self.chance.choice(GONE)
        return BotGone(seat=seat, kind=kind, detail="?", at_ns=self.now_ns)

    def next_timer(self) -> TimerFired | None:
        """Let time pass until the earliest timer comes due."""
        if not self.timers:
            return None
        timer = min(self.timers, key=lambda timer: (self.timers[timer], timer.seat))
        self.now_ns = max(self.now_ns, self.timers[timer])
        return TimerFired(timer=timer, at_ns=self.now_ns)

    # --- what the table owes ---

    def bring(self, event: Input) -> None:
        """Bring one input and check the outputs."""
        was_over = self.table.is_over
        outputs = self.table.apply(event)
        if isinstance(event, TimerFired):
            self.timers.pop(event.timer, None)
        if isinstance(event, AskWritten) and self.ask and event.number == self.ask.number:
            self.is_write_owed = False
        for output in outputs:
            self.note(output)
        self.outputs += outputs
        assert not (was_over and outputs), "nothing is said once the match is over"
        self.check_that_something_will_come()

    def note(self, output: Output) -> None:
        """Keep what a caller keeps: which timers run, what was asked."""
        match output:
            case SetTimer():
                assert output.timer not in self.timers
                assert output.at_ns >= self.now_ns
                self.timers[output.timer] = output.at_ns
            case CancelTimer():
                del self.timers[output.timer]
            case Ask():
                assert output.number == (self.ask.number if self.ask else 0) + 1
                assert output.bank_ns >= 0
                self.ask = output
                self.is_write_owed = True
            case Record() | Tell() | Reject() | Close():
                pass

    def check_that_something_will_come(self) -> None:
        """The table is over, or waits for a timer it has set, or for a write it is owed."""
        match self.table.phase:
            case Phase.GETTING_READY:
                assert {timer.kind for timer in self.timers} == {TimerKind.READY}
            case Phase.ASKED:
                assert self.is_write_owed
                assert not self.timers
            case Phase.THINKING:
                assert self.ask is not None
                timer = Timer(kind=TimerKind.ANSWER, seat=self.ask.seat, number=self.ask.number)
                assert list(self.timers) == [timer]
            case Phase.WAITING_TO_BEGIN | Phase.OVER:
                assert not self.timers

    def finish(self) -> None:
        """Let only time pass: the match must end by itself."""
        if self.table.phase is Phase.WAITING_TO_BEGIN:
            self.bring(Begin(at_ns=self.now_ns))
        for _ in range(100_000):
            if self.table.is_over:
                return
            due = self.next_timer()
            if due is None:
                assert self.ask is not None
                due_write = AskWritten(
                    seat=self.ask.seat, number=self.ask.number, at_ns=self.now_ns
                )
                self.bring(due_write)
            else:
                self.bring(due)
        raise AssertionError("the match does not end")


def check_log(fuzzer: Fuzzer) -> None:
    """Check that the log is whole: asked, answered, judged, ended once."""
    records = of_type(Record, fuzzer.outputs)
    events: list[LogEvent] = [record.event for record in records]
    assert [type(output) for output in fuzzer.outputs].count(Close) == 1
    assert isinstance(fuzzer.outputs[-1], Close)
    assert events[-1] == fuzzer.table.ended
    assert len(of_type(MatchEnded, events)) == 1
    asked = of_type(DecisionAsked, events)
    asks = of_type(Ask, fuzzer.outputs)
    assert [(a.seat, a.legal) for a in asked] == [(a.seat, a.question.legal) for a in asks]
    assert all(event.bank_ms >= 0 for event in asked)
    turns = [event.seat for event in asked]
    carriers = [record for record in records if record.timing is not None]
    answered = [getattr(record.event, "seat", None) for record in carriers]
    assert answered == turns[: len(answered)]
    assert len(turns) - len(answered) in (0, 1)
    for record in carriers:
        assert record.timing is not None
        assert record.timing.think_us >= 0
        assert record.timing.lag_us >= 0


def check_faults(fuzzer: Fuzzer) -> None:
    """Check that a forfeit by faults, and only that, has as many as the limit."""
    ended = fuzzer.table.ended
    assert ended is not None
    events = [record.event for record in of_type(Record, fuzzer.outputs)]
    limit = fuzzer.conduct.limit_of
    reached = set()
    for seat in range(fuzzer.ruleset.seats):
        kinds = [fault.kind for fault in of_type(Fault, events) if fault.seat == seat]
        malformed = kinds.count(FaultKind.MALFORMED) + kinds.count(FaultKind.UNSOLICITED)
        illegal = kinds.count(FaultKind.ILLEGAL) + kinds.count(FaultKind.NOT_HELD)
        counts = {
            FaultKind.LATE: kinds.count(FaultKind.LATE),
            FaultKind.MALFORMED: malformed,
            FaultKind.ILLEGAL: illegal,
            FaultKind.REVOKE: kinds.count(FaultKind.REVOKE),
            FaultKind.INFRACTION: kinds.count(FaultKind.INFRACTION),
        }
        reached |= {seat for kind, n in counts.items() if n >= (limit(kind, fuzzer.boards) or 0)}
    forfeited = ended.termination.kind is TerminationKind.FORFEIT_FAULTS
    assert reached == ({ended.termination.seat} if forfeited else set())


def check_replay(fuzzer: Fuzzer) -> None:
    """Check that the log alone reproduces the game: every answer is in it, whole."""
    records = of_type(Record, fuzzer.outputs)
    logged = [r for r in records if not isinstance(r.event, TableEvent)]
    if not logged:
        return
    fresh = open_table(ruleset=fuzzer.ruleset, boards=fuzzer.boards, seed_text=SEED).match
    game: list[GameEvent] = list(fresh.begin())
    for record in logged:
        if record.timing is not None:
            game += answer_again(fresh, record.event, record.timing)
    assert game == [record.event for record in logged]


def answer_again(match: Match, event: LogEvent, timing: AnswerTiming) -> tuple[GameEvent, ...]:
    if isinstance(event, CardPlayed) and event.autoplayed:
        return match.apply(match.default_answer(), autoplayed=True)
    card = event.card if isinstance(event, CardPlayed) else timing.card
    assert card is not None
    return match.apply(Answer(card=card, signal=timing.signal, declarations=timing.declarations))


def check_news(fuzzer: Fuzzer) -> None:
    """Check that each seat was told all it may see, once, in order, and nothing else."""
    game = [
        record.event
        for record in of_type(Record, fuzzer.outputs)
        if not isinstance(record.event, TableEvent)
    ]
    for seat in range(fuzzer.ruleset.seats):
        told = [
            event
            for output in fuzzer.outputs
            if isinstance(output, Ask | Tell) and output.seat == seat
            for event in output.news
        ]
        seen = [event for event in told if isinstance(event, SeatGameEvent)]
        visible = [visible_to(event, seat, fuzzer.ruleset) for event in game]
        expected = [event for event in visible if event is not None]
        if fuzzer.gone == seat:
            expected = expected[: len(seen)]
        else:
            assert isinstance(told[-1], MatchEnded)
        assert seen == expected


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    name=st.sampled_from(sorted(PRESETS)),
    boards=st.sampled_from([1, 3, None]),
    steps=st.integers(0, 300),
)
def test_any_inputs_in_any_order_are_survived_and_the_match_ends(
    seed: int, name: str, boards: int | None, steps: int
) -> None:
    fuzzer = Fuzzer(seed, PRESETS[name], boards)
    for _ in range(steps):
        event = fuzzer.random_input()
        if event is not None:
            fuzzer.bring(event)
    fuzzer.finish()
    check_log(fuzzer)
    check_faults(fuzzer)
    check_replay(fuzzer)
    check_news(fuzzer)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), name=st.sampled_from(sorted(PRESETS)))
def test_the_same_inputs_give_byte_identical_outputs(seed: int, name: str) -> None:
    def outputs() -> bytes:
        fuzzer = Fuzzer(seed, PRESETS[name], 2)
        for _ in range(150):
            event = fuzzer.random_input()
            if event is not None:
                fuzzer.bring(event)
        fuzzer.finish()
        return repr(fuzzer.outputs).encode()

    assert outputs() == outputs()
