"""The turn floor: how fast bare gRPC passes a turn round four bots, without an arena.

Owns the floor that the product's speed is told against, and the same game over the arena's
own links. A play is one 64-byte message to a bot and its 64-byte answer; the turn goes
round the four seats of a table; every seat is a Python process on grpc.aio, every server a
process of its own. Absolute rates move with the machine: only ratios of figures measured in
one run, interleaved, mean anything. Source: performance.md, "Floors".

Run as a program it interleaves both and prints medians and their ratio.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import grpc
import trio
from grpc import aio

from arena.server.arrivals import now_ns
from arena.server.grpc_link import GrpcLink
from arena.server.link import Received
from arena.server.play_server import PLAY_METHOD
from arena.server.runtime import open_grpc_runtime
from arena.server.seat_listener import open_seat_listener, unix_address

SEATS = 4
MESSAGE = bytes(64)
WARM_UP = 0.2
"""The share of the time that is played before it counts."""
START_S = 60.0
"""How long the bots of all tables may take to connect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one measurement came to; times are of one play."""

    plays_per_s: float
    p50_us: float
    p99_us: float
    server_cpu_us: float


def floor(tables: int, seconds: float) -> Figures:
    """Measure bare grpc.aio on asyncio: one server, no arena, no trio."""
    return _measure("floor", tables, seconds)


def links(tables: int, seconds: float) -> Figures:
    """Measure the same game over GrpcLinks: trio, one listener a seat, arrivals taken."""
    return _measure("links", tables, seconds)


def _measure(server: str, tables: int, seconds: float) -> Figures:
    """Run a server process and its bots, and read the figures it prints."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="floor"))
        command = [server, folder, str(tables), str(seconds)]
        process = stack.enter_context(_start(command, stdout=subprocess.PIPE))
        stack.callback(process.kill)
        assert process.stdout is not None
        addresses: list[str] = json.loads(process.stdout.readline())
        for seat, address in enumerate(addresses):
            bot = stack.enter_context(_start(["bot", address, str(seat)]))
            stack.callback(bot.kill)
        figures = Figures(**json.loads(process.stdout.readline()))
        process.wait(timeout=START_S)
    return figures


def _start(arguments: Sequence[str], stdout: int | None = None) -> subprocess.Popen[str]:
    command = [sys.executable, str(Path(__file__).resolve()), *arguments]
    return subprocess.Popen(command, stdout=stdout, text=True)


# --- a bot -----------------------------------------------------------------------------


async def play_bot(address: str, seat: int) -> None:
    """Answer every message at once, until the stream ends."""
    async with aio.insecure_channel(address) as channel:
        call: aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(PLAY_METHOD)()
        try:
            await call.write(seat.to_bytes(64, "big"))
            while isinstance(await call.read(), bytes):
                await call.write(MESSAGE)
        except (aio.AioRpcError, asyncio.InvalidStateError):
            return  # the server has ended: so does the bot


# --- what a server counts -------------------------------------------------------------------


class Meter:
    """Counts plays and their times after the warm-up."""

    def __init__(self, seconds: float) -> None:
        now = now_ns()
        self.counts_from_ns = now + int(seconds * WARM_UP * 1e9)
        self.ends_ns = now + int(seconds * 1e9)
        self._times_ns: list[int] = []
        self._cpu_from_s: float | None = None
        self._cpu_s = 0.0

    def count(self, asked_ns: int, answered_ns: int) -> bool:
        """Count one play; tell whether the time is not over yet."""
        if asked_ns >= self.counts_from_ns:
            if self._cpu_from_s is None:
                self._cpu_from_s = time.process_time()
            self._times_ns.append(answered_ns - asked_ns)
        if answered_ns < self.ends_ns:
            return True
        self._cpu_s = time.process_time() - (self._cpu_from_s or 0.0)
        return False

    def figures(self) -> Figures:
        """Return what was counted."""
        times = statistics.quantiles(self._times_ns, n=100)
        plays = len(self._times_ns)
        return Figures(
            plays_per_s=plays / ((self.ends_ns - self.counts_from_ns) / 1e9),
            p50_us=times[49] / 1e3,
            p99_us=times[98] / 1e3,
            server_cpu_us=self._cpu_s / plays * 1e6,
        )


# --- the floor: grpc.aio alone ----------------------------------------------------------------


async def serve_floor(folder: Path, tables: int, seconds: float) -> None:
    """Serve all seats from one grpc.aio server."""
    address = unix_address(folder / "floor.sock")
    seats: dict[int, aio.ServicerContext[bytes, bytes]] = {}
    all_here, over = asyncio.Event(), asyncio.Event()

    async def play(_: object, context: aio.ServicerContext[bytes, bytes]) -> None:
        seats[int.from_bytes(await context.read(), "big")] = context
        if len(seats) == SEATS * tables:
            all_here.set()
        await over.wait()

    class Methods(grpc.GenericRpcHandler):
        handler: "grpc.RpcMethodHandler[bytes, bytes]" = grpc.stream_stream_rpc_method_handler(play)

        def service(
            self, handler_call_details: grpc.HandlerCallDetails
        ) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
            return self.handler if handler_call_details.method == PLAY_METHOD else None

    async def play_table(table: int, meter: Meter) -> None:
        mine = [seats[table * SEATS + seat] for seat in range(SEATS)]
        while True:
            for context in mine:
                asked_ns = now_ns()
                await context.write(MESSAGE)
                await context.read()
                if not meter.count(asked_ns, now_ns()):
                    return

    server = aio.server(handlers=(Methods(),))
    server.add_insecure_port(address)
    await server.start()
    _say([address] * SEATS * tables)
    async with asyncio.timeout(START_S):
        await all_here.wait()
    meter = Meter(seconds)
    await asyncio.gather(*(play_table(table, meter) for table in range(tables)))
    _say(asdict(meter.figures()))
    over.set()
    await server.stop(None)


# --- the arena's links --------------------------------------------------------------------------


class Turn:
    """The turn at one table: it goes to the next link with each answer, until time is up."""

    def __init__(self, links: Sequence[GrpcLink], meter: Meter) -> None:
        self.links = links
        self.over = trio.Event()
        self._meter = meter
        self._seat = 0
        self._asked_ns = 0

    def ask(self) -> None:
        """Put the question to the seat whose turn it is, if need be behind its last write."""
        link = self.links[self._seat]
        if link.is_busy:
            link.on_idle = self.ask
            return
        link.on_idle = None
        self._asked_ns = now_ns()
        link.send(MESSAGE)

    def receive(self, _: Received) -> None:
        """Take an answer and pass the turn on."""
        if self._meter.count(self._asked_ns, now_ns()):
            self._seat = (self._seat + 1) % SEATS
            self.ask()
        else:
            self.over.set()

    async def play(self) -> None:
        """Play until time is up."""
        async with trio.open_nursery() as nursery:
            for link in self.links:
                nursery.start_soon(link.deliver, self.receive)
            self.ask()
            await self.over.wait()
            nursery.cancel_scope.cancel()


async def serve_links(folder: Path, tables: int, seconds: float) -> None:
    """Serve every seat from a listener of its own."""
    async with open_grpc_runtime() as runtime, AsyncExitStack() as stack:
        listeners = [
            await stack.enter_async_context(
                open_seat_listener(runtime, unix_address(folder / f"{seat}.sock"))
            )
            for seat in range(SEATS * tables)
        ]
        _say([listener.address for listener in listeners])
        links: list[GrpcLink] = []
        with trio.fail_after(START_S):
            for listener in listeners:
                links.append(await listener.accept())
                await links[-1].recv()
        meter = Meter(seconds)
        async with trio.open_nursery() as nursery:
            for first in range(0, len(links), SEATS):
                nursery.start_soon(Turn(links[first : first + SEATS], meter).play)
        _say(asdict(meter.figures()))


def _say(value: object) -> None:
    print(json.dumps(value), flush=True)


# --- the program ----------------------------------------------------------------------------------


def compare(tables: int, seconds: float, rounds: int) -> float:
    """Measure both, interleaved, print each round and return the ratio of the medians."""
    kinds: dict[str, Callable[[int, float], Figures]] = {"floor": floor, "links": links}
    rates: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(rounds):
        for name, measure in kinds.items():
            figures = measure(tables, seconds)
            rates[name].append(figures.plays_per_s)
            print(
                f"{name}  {tables} tables  {figures.plays_per_s:6.0f} plays/s  "
                f"p50 {figures.p50_us:5.0f} us  p99 {figures.p99_us:6.0f} us  "
                f"server CPU {figures.server_cpu_us:4.0f} us a play",
                flush=True,
            )
    return statistics.median(rates["links"]) / statistics.median(rates["floor"])


def main() -> None:
    """Be a bot or a server if told so; else compare."""
    arguments = sys.argv[1:]
    match arguments:
        case ["bot", address, seat]:
            asyncio.run(play_bot(address, int(seat)))
        case ["floor", folder, tables, seconds]:
            asyncio.run(serve_floor(Path(folder), int(tables), float(seconds)))
        case ["links", folder, tables, seconds]:
            trio.run(serve_links, Path(folder), int(tables), float(seconds))
        case _:
            parser = argparse.ArgumentParser(description="Compare the arena's links with bare gRPC")
            parser.add_argument("--tables", type=int, nargs="+", default=[1, 8])
            parser.add_argument("--seconds", type=float, default=3.0)
            parser.add_argument("--rounds", type=int, default=5)
            told = parser.parse_args(arguments)
            for tables in told.tables:
                ratio = compare(tables, told.seconds, told.rounds)
                print(f"{tables} tables: links / floor = {ratio:.2f}")


if __name__ == "__main__":
    main()
