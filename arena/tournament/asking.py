"""Asking: a bot is led along a logged match up to one decision, and answers it.

Owns the way of one asking: a real process, the seat's messages as the log retells them,
and what the bot says on the way. No clock of the match runs; each answer is waited for
``patience_s``. Must not know how answers are printed, nor judge the log.
Source: record.md ("arena ask"); design.md §2 (Replay, Divergence).
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from arena.bots.argument import BotChoice
from arena.bots.build import build_bot, check_runnable
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.seating import SeatedBot, SeatingRoom, open_room, seat_bot
from arena.errors import BotFailure, ConfigError
from arena.record.read import MatchRecord
from arena.record.retelling import Put, retold
from arena.referee.faults import Culprit, FaultKind, Reason, Termination, TerminationKind
from arena.referee.messages import Arrival, Close, Reject, Tell
from arena.server.places import Place
from arena.server.session import Session
from arena.tournament.run_state import ARENA_VERSION
from arena.v1 import play_pb2
from arena.wire import to_bot
from arena.wire.said import AnswerSaid


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
    """One asking: what was said to the decision, and where the bot was off the logged line."""

    said: Said
    astray: tuple[Said, ...]


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


async def ask(
    line: Line,
    choice: BotChoice,
    seeds: Sequence[int],
    *,
    store: Path,
    patience_s: float,
) -> list[Asked]:
    """Ask a bot once for each seed, each time as a process of its own.

    Args:
        line: What it is told.
        choice: The bot.
        seeds: ``bot_seed`` of each asking.
        store: A private folder for the bot's copy and what it writes.
        patience_s: Seconds that each answer is waited for.

    Raises:
        ConfigError: The bot is wrong, or does not play this ruleset.
        BotFailure: It does not start, get ready or answer, or it goes.
    """
    ruleset = line.record.header.ruleset
    if refusal := choice.manifest.refusal(ruleset):
        raise ConfigError(f"bot {choice.manifest.name}: {refusal}")
    bot = await trio.to_thread.run_sync(freeze, choice, store)
    bot = await build_bot(bot, store, is_lasting=False)
    check_runnable(bot)
    start_ms = line.record.header.clock.start_ms
    async with open_room(start_ms, server_version=ARENA_VERSION) as room:
        return [
            await _ask_once(room, bot, line, seed, store / f"stderr.{number}.txt", patience_s)
            for number, seed in enumerate(seeds, start=1)
        ]


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
            astray: list[Said] = []
            for one in self._line.told:
                if isinstance(one, Tell):
                    self._send(to_bot.update(self._place.table, one.news))
                    continue
                said = await self._answer_to(one)
                if one is self._line.decision:
                    return Asked(said=said, astray=tuple(astray))
                if not said.is_as_logged:
                    astray.append(said)
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
