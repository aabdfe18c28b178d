"""A scripted referee: a gRPC server that plays one script with one bot process.

Owns the server, the script's hearing and saying, and the run of a bot against it. Every
wait has a deadline; what a script asserts fails the test.
"""

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent import futures
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue

import grpc

from arena.v1 import play_pb2

PATIENCE_S = 20
TOKEN = "0123456789abcdef0123456789abcdef"  # noqa: S105 - opens nothing

Say = play_pb2.RefereeMessage
Script = Callable[["Talk"], None]


class Talk:
    """One stream as a script sees it: :meth:`say` frames, :meth:`hear` messages."""

    def __init__(self, requests: Iterator[play_pb2.PlayRequest], outbox: "Queue[object]") -> None:
        self._requests = requests
        self._outbox = outbox
        self.sequence = 0
        self.frames: list[play_pb2.PlayRequest] = []
        """Every frame that was heard."""

    def say(self, *messages: Say) -> None:
        """Send messages in one frame."""
        frame = play_pb2.PlayResponse()
        for message in messages:
            self.sequence += 1
            frame.messages.add().CopyFrom(message)
            frame.messages[-1].sequence = self.sequence
        self._outbox.put(frame)

    def hear(self) -> list[play_pb2.BotMessage]:
        """Wait for the bot's next frame."""
        frame = next(self._requests)
        self.frames.append(frame)
        return list(frame.messages)

    def hear_answers(self) -> list[play_pb2.Answer]:
        """Wait for the bot's next frame, which holds answers only."""
        messages = self.hear()
        assert {message.WhichOneof("message") for message in messages} == {"answer"}
        return [message.answer for message in messages]

    def open(self) -> play_pb2.Join:
        """Hear the Join and welcome the bot."""
        (message,) = self.hear()
        assert message.WhichOneof("message") == "join"
        self.say(Say(welcome=play_pb2.Welcome(protocol_version=1, capacity=1)))
        return message.join

    def start(self, *matches: Say) -> None:
        """Start matches and hear that the bot is ready for each."""
        for match in matches:
            self.say(match)
            (message,) = self.hear()
            assert message.ready.table == match.match_started.table

    def hear_the_end(self) -> None:
        """Wait until the bot's side of the stream is over, in order or not."""
        with suppress(grpc.RpcError):
            for frame in self._requests:
                raise AssertionError(f"nothing more was expected: {frame}")

    def close(self) -> None:
        """Say goodbye and hear the bot half-close."""
        self.say(Say(goodbye=play_pb2.Goodbye(reason=play_pb2.GOODBYE_REASON_FINISHED)))
        assert list(self._requests) == []


@dataclass(slots=True)
class Refusal:
    """How a script ends the stream with a status."""

    code: grpc.StatusCode
    details: str


class StreamEnded(Exception):
    """Raised by a script to end the stream with a status."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__(details)
        self.refusal = Refusal(code, details)


@dataclass(slots=True)
class Referee:
    """A running scripted referee."""

    address: str
    failures: list[BaseException] = field(default_factory=list)


@contextmanager
def scripted_referee(folder: Path, script: Script, *, over_tcp: bool = False) -> Iterator[Referee]:
    """Serve a script on a Unix socket in a folder or on loopback; raise what it raised."""
    referee = Referee(address=f"unix:{folder}/referee.sock")

    def play(
        requests: Iterator[play_pb2.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[play_pb2.PlayResponse]:
        outbox: Queue[object] = Queue()
        with futures.ThreadPoolExecutor(1) as scripts:
            running = scripts.submit(script, Talk(requests, outbox))
            running.add_done_callback(outbox.put)
            while isinstance(frame := outbox.get(timeout=PATIENCE_S), play_pb2.PlayResponse):
                yield frame
        failure = running.exception()
        if isinstance(failure, StreamEnded):
            context.abort(failure.refusal.code, failure.refusal.details)
        elif failure is not None:
            referee.failures.append(failure)

    handler = grpc.stream_stream_rpc_method_handler(
        play,
        request_deserializer=play_pb2.PlayRequest.FromString,
        response_serializer=play_pb2.PlayResponse.SerializeToString,
    )
    server = grpc.server(futures.ThreadPoolExecutor(2), options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler("arena.v1.RefereeService", {"Play": handler})]
    )
    if over_tcp:
        referee.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    else:
        server.add_insecure_port(referee.address)
    server.start()
    try:
        yield referee
    finally:
        server.stop(grace=None).wait(PATIENCE_S)
    for failure in referee.failures:
        raise failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a bot's process ended."""

    status: int
    stdout: str
    stderr: str


def run_bot(
    command: Sequence[str],
    script: Script,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    *,
    over_tcp: bool = False,
) -> Outcome:
    """Run a bot against a script until it exits."""
    with scripted_referee(folder, script, over_tcp=over_tcp) as referee:
        ended = subprocess.run(
            command,
            env={
                "PATH": os.environ["PATH"],
                "ARENA_ADDRESS": referee.address,
                "ARENA_TOKEN": TOKEN,
                **(environment or {}),
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    return Outcome(status=ended.returncode, stdout=ended.stdout, stderr=ended.stderr)
