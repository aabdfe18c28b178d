"""Asking: a bot is led along a logged match up to one decision, and answers it.

Owns the way of one asking: a real process, the seat's messages as the log retells them,
and what the bot says on the way. No clock of the match runs; each answer is waited for
``patience_s``. Must not know how answers are printed, nor judge the log.
Source: record.md ("arena ask"); design.md §2 (Replay, Divergence).
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import trio

from arena.bots.argument import BotChoice
from arena.bots.build import Say, build_bot, check_runnable, unheard
from arena.bots.build_store import BuildStore
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.sandbox.launch import NO_SANDBOX, Sandbox
from arena.bots.seating import SeatedBot, SeatingRoom, open_room, seat_bot
from arena.errors import BotFailure, ConfigError
from arena.record.read import MatchRecord
from arena.record.retelling import Put, retold
from arena.record.verify.deals import seed_of
from arena.referee.fairness import bot_seed
from arena.referee.faults import Culprit, FaultKind, Reason, Termination, TerminationKind
from arena.referee.messages import Arrival, Close, Reject, Tell
from arena.server.places import Place
from arena.server.session import Session
from arena.tournament.run_state import ARENA_VERSION
from arena.v1 import play_pb2
from arena.wire import to_bot
from arena.wire.said import AnswerSaid

_SEED: Final = b"tressette ask v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What a seat was told up to one decision: the last of ``told`` is its question."""

    record: MatchRecord
    told: tuple[Put | Tell, ...]
    decision: Put

    @property
    def seat(self) -> int:
        """Whose messages these are."""
        return self.decision.ask.seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a bot said to a question: an answer, or why its message was refused."""

    put: Put
    answer: AnswerSaid | None
    refusal: str
    think_us: int

    @property
    def is_as_logged(self) -> bool:
        """Whether it is the logged answer: card, word and claims."""
        given = self.put.given
        return given is not None and self.answer is not None and self.answer.answer == given.answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One asking: what was said to every decision of the line; the last is the one it is about."""

    answers: tuple[Said, ...]

    @property
    def said(self) -> Said:
        """What was said to the decision."""
        return self.answers[-1]

    @property
    def astray(self) -> tuple[Said, ...]:
        """Where the bot was off the logged line before."""
        return tuple(said for said in self.answers[:-1] if not said.is_as_logged)


def _seat_of(one: Put | Tell) -> int:
    return one.seat if isinstance(one, Tell) else one.ask.seat


def line_to(record: MatchRecord, seq: int) -> Line:
    """Gather what a seat was told up to a decision.

    Args:
        record: A log that the rules can play again.
        seq: Of a ``decision_asked``.

    Raises:
        ConfigError: There is no decision at ``seq``; the nearest ones are named.
    """
    told: list[Put | Tell] = []
    seqs: list[int] = []
    for one in retold(record):
        told.append(one)
        if isinstance(one, Put):
            seqs.append(one.line.seq)
            if one.line.seq == seq:
                own = tuple(item for item in told if _seat_of(item) == one.ask.seat)
                return Line(record=record, told=own, decision=one)
    near = ", ".join(map(str, sorted(sorted(seqs, key=lambda at: abs(at - seq))[:3])))
    raise ConfigError(
        f"--decision {seq}: {record.path} has no decision_asked there; "
        + (f"the nearest are {near}" if near else "it has none")
    )


def lines_of(record: MatchRecord, entrant: str) -> list[Line]:
    """Gather what each seat of an entrant was told up to its last decision.

    Raises:
        LogCorrupt: The log's answers cannot be given in its deals.
    """
    told: dict[int, list[Put | Tell]] = {
        seat: [] for seat, who in enumerate(record.header.seats) if who.entrant == entrant
    }
    for one in retold(record):
        if (seat := _seat_of(one)) in told:
            told[seat].append(one)
    lines = []
    for own in told.values():
        while own and isinstance(own[-1], Tell):
            own.pop()
        if own and isinstance(own[-1], Put):
            lines.append(Line(record=record, told=tuple(own), decision=own[-1]))
    return lines


def bot_seeds(record: MatchRecord, seat: int, count: int, known: tuple[bytes, ...]) -> list[int]:
    """Give the bot's seed of the match, if its event's seed is among the known ones, then others.

    The others follow from the match and their number, so that a second call gives the same.
    """
    match = record.header.match
    seed = seed_of(record, known)
    seeds = [] if seed is None else [bot_seed(seed, match, seat)]
    for number in range(count):
        other = hashlib.sha256(_SEED + number.to_bytes(4, "big")).digest()
        seeds.append(bot_seed(other, match, seat))
    return seeds[:count]


async def ask(
    askings: Iterable[tuple[Line, Sequence[int]]],
    choice: BotChoice,
    *,
    store: Path,
    start_ms: int,
    patience_s: float,
    take: Callable[[Line, Asked], None],
    sandbox: Sandbox = NO_SANDBOX,
    builds: BuildStore | None = None,
    say: Say = unheard,
) -> None:
    """Lead a bot along each line once for each seed, each time as a process of its own.

    Args:
        askings: What it is told, and ``bot_seed`` of each asking.
        choice: The bot.
        store: A private folder for the bot's copy and what it writes.
        start_ms: What a process may take to join.
        patience_s: Seconds that each answer is waited for.
        take: Called with what came of each asking, in order.
        sandbox: What surrounds the bot.
        builds: Where its build is taken from, and kept; None: it is built.
        say: Takes a line of its build.

    Raises:
        ConfigError: The bot is wrong, or does not play this ruleset.
        BotFailure: It does not start, get ready or answer, or it goes.
    """
    bot = await trio.to_thread.run_sync(freeze, choice, store)
    bot = await build_bot(bot, store, sandbox=sandbox, is_lasting=False, builds=builds, say=say)
    check_runnable(bot)
    sandbox.check(bot)
    stderr = store / "stderr.txt"
    async with open_room(start_ms, server_version=ARENA_VERSION, sandbox=sandbox) as room:
        for line, seeds in askings:
            header = line.record.header
            if refusal := choice.manifest.refusal(header.ruleset):
                raise ConfigError(f"bot {choice.manifest.name}: {refusal}")
            for seed in seeds:
                try:
                    asked = await _ask_once(room, bot, line, seed, stderr, patience_s)
                except* BotFailure as failures:
                    where = f"match {header.match}, seat {line.seat}"
                    raise BotFailure(f"{where}: {_leaf(failures)}") from None
                finally:
                    stderr.unlink(missing_ok=True)
                take(line, asked)


def _leaf(error: BaseException) -> BaseException:
    """Give the first error of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _ask_once(  # noqa: PLR0917  # one asking
    room: SeatingRoom, bot: FrozenBot, line: Line, seed: int, stderr: Path, patience_s: float
) -> Asked:
    async with trio.open_nursery() as nursery:
        seated: SeatedBot = await nursery.start(partial(seat_bot, room, bot, stderr))
        try:
            if seated.session.is_gone:
                raise BotFailure(seated.session.gone_detail)
            guide = _Guide(line, seated.session, patience_s)
            return await guide.lead(seed)
        finally:
            seated.release()
    raise AssertionError("a nursery swallows nothing")


class _Guide:
    """Leads one session along the line; the session's port of its only table."""

    def __init__(self, line: Line, session: Session, patience_s: float) -> None:
        self._line = line
        self._session = session
        self._patience_s = patience_s
        self._place: Place = session.places.take(self)
        self._is_ready = session.implies_ready
        self._gone = ""
        self._pending = 0
        self._said: tuple[AnswerSaid | None, str, int] | None = None
        self._heard = trio.Event()

    async def lead(self, seed: int) -> Asked:
        """Tell the bot everything up to the decision, and take its answers."""
        try:
            await self._begin(seed)
            answers: list[Said] = []
            for one in self._line.told:
                if isinstance(one, Tell):
                    self._send(to_bot.update(self._place.table, one.news))
                    continue
                said = await self._answer_to(one)
                answers.append(said)
                if one is self._line.decision:
                    return Asked(answers=tuple(answers))
                if not said.is_as_logged:
                    self._tell_astray(said)
            raise AssertionError("a line ends with its decision")
        finally:
            self._leave()

    # --- what the session calls: a SeatPort -------------------------------------------

    def on_ready(self, at_ns: int) -> None:  # noqa: ARG002  # the port's
        """Note that the bot is ready."""
        self._is_ready = True
        self._heard.set()

    def on_answer(
        self,
        number: int,
        said: AnswerSaid,
        arrival: Arrival,
        crowd: int,  # noqa: ARG002  # the port's
    ) -> None:
        """Take the first answer to the pending decision; others mean nothing."""
        if number == self._pending and self._said is None:
            self._said = said, "", arrival.earliest_ns
            self._heard.set()

    def on_misfit(
        self,
        reason: Reason,
        message: str,
        *,
        number: int | None,  # noqa: ARG002  # the port's
        size: int,  # noqa: ARG002
        at_ns: int,
    ) -> None:
        """Take what is no answer as what was said to the pending decision."""
        if self._said is None:
            self._said = None, f"{reason.value}: {message}", at_ns
            self._heard.set()

    def on_frame_end(self) -> None:
        """Nothing is to be sent at once."""

    def on_lost(self, at_ns: int) -> None:
        """Not for a bot whose process is here: its stream's end is its own."""

    def on_snapshot(self) -> None:
        """Not for a bot whose process is here."""

    def on_returned(self, at_ns: int) -> None:
        """Not for a bot whose process is here."""

    def on_gone(self, kind: FaultKind, detail: str, at_ns: int) -> None:  # noqa: ARG002
        """Note that nothing more comes from the bot."""
        self._gone = f"{kind.value}: {detail}"
        self._heard.set()

    # --- one step ---------------------------------------------------------------------

    async def _begin(self, seed: int) -> None:
        header = self._line.record.header
        self._send(
            to_bot.match_started(
                table=self._place.table,
                match_id=secrets.token_hex(8),
                ruleset=header.ruleset,
                seat=self._line.seat,
                clock=header.clock,
                boards=header.boards,
                commitment=bytes.fromhex(header.commitment),
                bot_seed=seed,
            )
        )
        start_s = header.clock.start_ms / 1000
        await self._until(lambda: self._is_ready, start_s, "no Ready")

    async def _answer_to(self, put: Put) -> Said:
        ask = put.ask
        self._expect(ask.number)
        decision_id = self._session.places.ask(self._place, ask.number)
        asked_ns = self._session.now()
        self._send(to_bot.decision(self._place.table, decision_id, ask))
        where = f"no answer at seq {put.line.seq}"
        await self._until(lambda: self._said is not None, self._patience_s, where)
        if self._said is None:
            raise AssertionError("it was waited for")
        answer, refusal, at_ns = self._said
        think_us = max(0, at_ns - asked_ns) // 1_000
        return Said(put=put, answer=answer, refusal=refusal, think_us=think_us)

    def _expect(self, number: int) -> None:
        self._pending, self._said = number, None

    def _tell_astray(self, said: Said) -> None:
        given = said.put.given
        was = "nothing" if given is None or given.answer is None else str(given.answer.card)
        reject = Reject(
            seat=self._line.seat,
            number=said.put.ask.number,
            reason=Reason.STALE,
            message=f"off the logged line: here the answer was {was}, and the match goes on so",
        )
        decision_id = self._place.decision_id(said.put.ask.number)
        self._session.queue(to_bot.rejected(self._place.table, decision_id, reject))

    async def _until(self, is_so: Callable[[], bool], seconds: float, otherwise: str) -> None:
        """Wait for something that the bot says; one that goes or is silent has failed."""
        with trio.move_on_after(seconds):
            while not is_so() and not self._gone:
                self._heard = trio.Event()
                await self._heard.wait()
        if is_so():
            return
        if self._gone:
            raise BotFailure(f"the bot went ({self._gone}), with {otherwise}")
        raise BotFailure(f"{otherwise} within {seconds:g} s")

    def _send(self, message: play_pb2.RefereeMessage) -> None:
        self._session.queue(message)
        self._session.flush()

    def _leave(self) -> None:
        ruleset = self._line.record.header.ruleset
        close = Close(
            termination=Termination(kind=TerminationKind.ABORTED, culprit=Culprit.HOST),
            totals=(0,) * ruleset.side_count,
            winner=None,
        )
        self._send(to_bot.match_ended(self._place.table, close))
        self._session.places.leave(self._place)
