"""A bot as a process of its own, for the server's tests; knows only gRPC.

``python bot_process.py MODE THINK_MS ADDRESS…`` says "hello" on a stream to each address, and then

echo    answers every message with itself, after THINK_MS;
twice   answers every message with two messages, after THINK_MS;
deaf    reads nothing.
"""

import asyncio
import sys

from grpc import aio


async def play(mode: str, think_s: float, address: str) -> None:
    """Play one stream to its end."""
    async with aio.insecure_channel(address) as channel:
        play: aio.StreamStreamMultiCallable[bytes, bytes]
        play = channel.stream_stream("/arena.v1.RefereeService/Play")
        call = play()
        try:
            await call.write(b"hello")
            if mode == "deaf":
                await asyncio.Event().wait()
            while isinstance(data := await call.read(), bytes):
                await asyncio.sleep(think_s)
                for _ in range(2 if mode == "twice" else 1):
                    await call.write(data)
        except (aio.AioRpcError, asyncio.InvalidStateError):
            return


async def main(mode: str, think_ms: str, *addresses: str) -> None:
    """Play all streams at once."""
    await asyncio.gather(*(play(mode, int(think_ms) / 1e3, address) for address in addresses))


asyncio.run(main(*sys.argv[1:]))
