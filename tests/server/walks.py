"""The golden walks, played with the server in earnest over whatever carries its sessions.

Owns the driver: it says what the bots say, lets begin and end what begins and ends, and
compares what the seats hear. A way to carry sessions is a :class:`Carrier`; the folder's
README says how a walk is written. Must not know gRPC or pipes.

    for walk in read_walks():
        await replay(walk, carrier)
"""

import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import trio

from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.referee.fairness import bot_seed, commitment
from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.presets import parse_ruleset
from arena.server.arrivals import current_arrivals
from arena.server.host import HostedMatch, play_match
from arena.server.session import Session
from arena.wire.terms import GoodbyeReason

FOLDER: Final = Path(__file__).parents[1] / "data" / "walks"
PATIENCE_S: Final = 20
"""For a whole walk; a walk itself waits a second or so at most."""

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How a stream ended; on pipes only that it did."""

    code: str
    reason: str | None


class BotSide(Protocol):
    """A bot's end of its session."""

    async def say(self, message: Line, times: int) -> None:
        """Send a BotMessage, as lines JSON has it, ``times`` times in one frame."""

    async def say_raw(self, data: bytes) -> None:
        """Send bytes that are a frame, or a line, as they are."""

    async def hear(self) -> Line | None:
        """Wait for the next RefereeMessage, as lines JSON has it; None: the stream is over."""

    async def end(self) -> Status | None:
        """Wait for the end of the stream; None where the carrier cannot say how it ended."""

    async def session(self) -> Session:
        """Wait for the arena's end, once the bot has joined."""


class Carrier(Protocol):
    """A way to carry sessions."""

    joins: bool
    """Whether bots say Join and hear Welcome; else the arena has done it for them."""

    def open(self, token: str, capacity: int) -> AbstractAsyncContextManager[BotSide]:
        """Open the stream of a bot that has this token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """One walk as it was read."""

    name: str
    setup: Line
    lines: tuple[Line, ...]

    @property
    def is_remote(self) -> bool:
        """Whether a bot comes back with a new stream, as only one elsewhere can."""
        return bool(self.setup.get("remote"))

    @property
    def is_joined(self) -> bool:
        """Whether its bots get past their Join."""
        return any("welcome" in line.get("message", {}) for line in self.lines)


def read_walks(*, remote: bool = False) -> list[Walk]:
    """Read all walks of local bots, or of remote ones, in the order of their names."""
    walks = []
    for path in sorted(FOLDER.glob("*.jsonl")):
        setup, *lines = map(json.loads, path.read_bytes().splitlines())
        walks.append(Walk(name=path.stem, setup=setup, lines=tuple(lines)))
    return [walk for walk in walks if walk.is_remote is remote]


async def replay(walk: Walk, carrier: Carrier) -> None:
    """Play a walk from its first line to its last.

    Raises:
        AssertionError: A seat heard something else, or a stream ended otherwise.
    """
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery, AsyncExitStack() as streams:
            await _Replay(walk, carrier, streams, nursery).run()
            nursery.cancel_scope.cancel()


class _Replay:
    """One walk under way."""

    def __init__(
        self, walk: Walk, carrier: Carrier, streams: AsyncExitStack, nursery: trio.Nursery
    ) -> None:
        self._walk = walk
        self._carrier = carrier
        self._joins = carrier.joins
        self._streams = streams
        self._sides: list[BotSide] = []
        self._before: dict[int, BotSide] = {}
        self._nursery = nursery
        self._matches = {match["told_as"]: match for match in walk.setup["matches"]}
        self._playing: list[trio.CancelScope] = []

    async def run(self) -> None:
        for token in self._walk.setup["tokens"]:
            self._sides.append(await self._open(token))
        for number, line in enumerate(self._walk.lines, start=2):
            try:
                await self._step(line)
            except AssertionError as error:
                error.add_note(f"{self._walk.name}.jsonl, line {number}")
                raise

    async def _open(self, token: str) -> BotSide:
        stream = self._carrier.open(token, self._walk.setup["capacity"])
        return await self._streams.enter_async_context(stream)

    async def _step(self, line: Line) -> None:  # noqa: C901  # one closed set
        match line:
            case {"from": "bot", "seat": int(seat), "opens": "a new stream"}:
                self._before[seat] = self._sides[seat]
                self._sides[seat] = await self._open(self._walk.setup["tokens"][seat])
            case {"from": "bot", "message": {"join": _}} if not self._joins:
                pass
            case {"from": "bot", "seat": int(seat), "message": message}:
                await self._sides[seat].say(message, line.get("times", 1))
            case {"from": "bot", "seat": int(seat), "raw": str(text)}:
                await self._sides[seat].say_raw(text.encode())
            case {"from": "referee", "message": {"welcome": _}} if not self._joins:
                pass
            case {"from": "referee", "seat": int(seat), "message": message}:
                await self._bring_about(seat, message)
                await self._expect(seat, message)
            case {"from": "referee", "seat": int(seat), "status": status, "stream": "before"}:
                await self._expect_end(self._before[seat], status)
            case {"from": "referee", "seat": int(seat), "status": status}:
                await self._expect_end(self._sides[seat], status)
            case {"from": "clock"}:
                pass  # the referee's own timers say when; what comes of it is the next line
            case {"from": "operator", "act": "stop"}:
                for scope in self._playing:
                    scope.cancel()
            case _:
                raise AssertionError(f"no walk has such a line: {line}")

    async def _bring_about(self, seat: int, message: Line) -> None:
        """Do what the arena around the server does to make it say something."""
        if (started := message.get("match_started")) is not None:
            match = self._matches.pop(started["match_id"], None)
            if match is not None:
                sessions = [await side.session() for side in self._sides]
                self._nursery.start_soon(self._play, match, sessions)
        elif (goodbye := message.get("goodbye")) is not None:
            session = await self._sides[seat].session()
            session.say_goodbye(GoodbyeReason(goodbye["reason"]), goodbye["grace_ms"])

    async def _play(self, match: Line, sessions: list[Session]) -> None:
        setup = self._walk.setup
        ruleset = parse_ruleset(setup["ruleset"])
        seed = seed_from_text(setup["seed"])
        hosted = HostedMatch(
            public_id=match["told_as"],
            ruleset=ruleset,
            cards=partial(deal_board, ruleset, seed),
            first_board=match["first_board"],
            boards=setup["boards"],
            clock=Clock(**setup["clock"]),
            conduct=Conduct(),
            commitment=commitment(seed),
            bot_seeds=tuple(bot_seed(seed, match["id"], seat) for seat in range(ruleset.seats)),
        )
        with trio.CancelScope() as scope, current_arrivals().watch_loop() as watch:
            self._playing.append(scope)
            await play_match(hosted, sessions, sink=lambda _: None, watch=watch)

    async def _expect(self, seat: int, message: Line) -> None:
        heard = await self._sides[seat].hear()
        assert heard is not None, f"the stream of seat {seat} is over"
        self._check_lateness(heard)
        expected, found = _comparable(message), _comparable(heard)
        if not self._joins:
            expected["sequence"] -= 1  # the Welcome that they were spared
        if self._walk.is_remote and "decision" in expected:
            # What is left of a time that runs on.
            left, told = (one["decision"].pop("time_limit_ms") for one in (found, expected))
            assert 0 < left <= told
        assert found == expected

    def _check_lateness(self, heard: Line) -> None:
        clock = self._walk.setup["clock"]
        for late in _late_news(heard):
            assert late["think_ms"] >= clock["limit_ms"] + clock["margin_ms"]

    async def _expect_end(self, side: BotSide, status: Line) -> None:
        ended = await side.end()
        if ended is not None:
            assert ended == Status(code=status["code"], reason=status["reason"])


def _comparable(message: Line) -> dict[str, Any]:
    """Copy a message without what is for people or depends on the machine."""
    copy: dict[str, Any] = json.loads(json.dumps(message))
    for member, keys in (("rejected", ["message"]), ("welcome", ["server_version", "limits"])):
        for key in keys:
            copy.get(member, {}).pop(key, None)
    for late in _late_news(copy):
        late.pop("think_ms")
    return copy


def _late_news(message: Line) -> list[dict[str, Any]]:
    told = message.get("decision") or message.get("update") or {}
    return [event["late"] for event in told.get("news", []) if "late" in event]
