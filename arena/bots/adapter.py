"""The adapter: a bot that speaks lines, at a referee elsewhere.

Owns the way between the pipes of a local command and a Play stream: lines to frames and
back, Join and Ready said for the bot, a stream that breaks and the next one. Must not know
how a command line names all this. Source: protocol.md ("Bots that speak lines", walk 9).
"""

import contextlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import trio

from arena.bots.author_words import AuthorWords
from arena.bots.frozen import FrozenBot
from arena.bots.line_link import LineLink
from arena.bots.process import start_bot
from arena.bots.skipped_keys import SkippedKeys
from arena.bots.work_folder import open_work_folder
from arena.errors import BotFailure, HostFault, ProtocolViolation
from arena.referee.clock import MS
from arena.server.link import LinkClosed
from arena.server.remote_call import Ended, Referee, RemoteCall, open_call
from arena.server.runtime import GrpcRuntime, open_grpc_runtime
from arena.v1 import match_pb2, play_pb2
from arena.wire.json_dialect import message_to_line
from arena.wire.terms import PROTOCOL_VERSION

RETRY_S: Final = 0.5
"""How long after a stream broke the next is tried."""
PATIENCE_S: Final = 10.0
"""For how long: as long as the default reconnect allowance."""
GRACE_NS: Final = 1_000 * MS
"""How long the command may take to exit once its stdin has ended."""
_LAST_WORD_S: Final = 2
_UNBELIEVED: Final = "CERTIFICATE_VERIFY_FAILED"
"""What gRPC says of a certificate that trying again makes no better."""


async def adapt(
    bot: FrozenBot, referee: Referee, stderr_path: Path, tell: Callable[[str], None]
) -> None:
    """Play with a command until the referee says goodbye.

    Args:
        bot: The command.
        referee: Where it plays.
        stderr_path: Where its stderr is kept.
        tell: Takes what its author must know meanwhile, a line at a time.

    Raises:
        BotFailure: The command ended before that; it says how.
        HostFault: The referee is not to be reached, refuses the bot, or broke off.
    """
    with open_work_folder() as work:
        home = work / "home"
        home.mkdir()
        async with open_grpc_runtime() as runtime, trio.open_nursery() as nursery:
            process = start_bot(
                nursery, bot, address="", token="", scratch=home, stderr_path=stderr_path
            )
            with closing(LineLink(nursery, process.take_pipes())) as link:
                words = AuthorWords(bot.manifest, tell, lambda: link.unfinished)
                adapter = _Adapter(runtime, referee, bot, link, words)
                failure = await adapter.play()
            await process.end(GRACE_NS)
            if adapter.bot_ended:
                failure = BotFailure(process.explain("before the referee said goodbye"))
            nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure


class _Adapter:
    """One session, over one stream after another.

    Attributes:
        bot_ended: Whether the command closed its pipes first.
    """

    def __init__(
        self,
        runtime: GrpcRuntime,
        referee: Referee,
        bot: FrozenBot,
        link: LineLink,
        words: AuthorWords,
    ) -> None:
        self.bot_ended = False
        self._runtime = runtime
        self._referee = referee
        self._bot = bot
        self._link = link
        self._words = words
        self._skipped = SkippedKeys()
        self._heard: int | None = None
        self._idle = trio.Event()
        link.on_idle = self._on_idle

    async def play(self) -> BotFailure | HostFault | None:
        """Play until goodbye or the end of the command; give what the referee refused."""
        patient_until = trio.current_time() + PATIENCE_S
        while True:
            ended = await self._play_stream()
            if ended is None or ended.code == "OK":
                return None
            if ended.code != "UNAVAILABLE":
                return HostFault(f"{self._referee.address}: {ended.code}: {ended.words}")
            if _UNBELIEVED in ended.words:
                reason = ended.words.rpartition(_UNBELIEVED)[2].strip(": ")
                return HostFault(
                    f"{self._referee.address}: its certificate is not believed ({reason}); give "
                    "--tls-ca the PEM file of who vouches for it, and the host's name as it says"
                )
            if self._came_far:
                patient_until = trio.current_time() + PATIENCE_S
            if trio.current_time() > patient_until:
                return HostFault(f"{self._referee.address}: not to be reached: {ended.words}")
            await trio.sleep(RETRY_S)

    async def _play_stream(self) -> Ended | None:
        """Play over one stream to its end; None where the command ended first."""
        self._came_far = False
        ended: Ended | None = None
        async with open_call(self._runtime, self._referee) as call, trio.open_nursery() as both:
            await self._say(call, self._join())

            async def carry_up() -> None:
                with contextlib.suppress(LinkClosed):
                    while True:
                        await self._carry_up(call, (await self._link.recv()).data)
                self.bot_ended = True
                with trio.move_on_after(_LAST_WORD_S):
                    leave = play_pb2.Leave(reason="the command has ended")
                    await self._say(call, play_pb2.BotMessage(leave=leave))
                    await call.end()
                both.cancel_scope.cancel()

            both.start_soon(carry_up)
            while (data := await call.read()) is not None:
                await self._carry_down(call, data)
            if not self.bot_ended:
                ended = await call.end()
                both.cancel_scope.cancel()
        return ended

    def _join(self) -> play_pb2.BotMessage:
        manifest = self._bot.manifest
        return play_pb2.BotMessage(
            join=play_pb2.Join(
                protocol_version=PROTOCOL_VERSION,
                token=self._referee.token,
                name=manifest.name,
                version=manifest.version,
                language=manifest.language,
                capacity=self._referee.capacity,
                resume_after=self._heard,
            )
        )

    async def _carry_up(self, call: RemoteCall, data: bytes) -> None:
        """Send what the command wrote; a line that is no message is refused here."""
        self._words.note_spoken()
        messages = []
        for line in filter(bytes.strip, data.split(b"\n")):
            try:
                messages.append(self._skipped.read(line))
            except ProtocolViolation as error:
                self._words.refused(str(error))
                refused = play_pb2.Rejected(
                    reason=match_pb2.ERROR_REASON_MALFORMED, message=str(error)
                )
                await self._tell(play_pb2.RefereeMessage(rejected=refused))
        if messages:
            await self._say(call, *messages)

    async def _carry_down(self, call: RemoteCall, data: bytes) -> None:
        """Tell the command what the referee said; Welcome is not for it, nor Ready from it."""
        self._came_far = True
        for message in play_pb2.PlayResponse.FromString(data).messages:
            self._heard = message.sequence
            if message.HasField("rejected"):
                self._skipped.complete(message.rejected)
            self._words.heard(message)
            match message.WhichOneof("message"):
                case "welcome":
                    continue
                case "match_started" if self._bot.manifest.implies_ready:
                    await self._tell(message)
                    ready = play_pb2.Ready(table=message.match_started.table)
                    await self._say(call, play_pb2.BotMessage(ready=ready))
                case _:
                    await self._tell(message)

    async def _tell(self, message: play_pb2.RefereeMessage) -> None:
        while self._link.is_busy:
            self._idle = trio.Event()
            await self._idle.wait()
        with contextlib.suppress(LinkClosed):
            self._link.send(message_to_line(message))

    def _on_idle(self) -> None:
        self._idle.set()

    async def _say(self, call: RemoteCall, *messages: play_pb2.BotMessage) -> None:
        data = play_pb2.PlayRequest(messages=messages).SerializeToString()
        await call.write(data)
