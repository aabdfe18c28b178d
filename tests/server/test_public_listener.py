"""The public address over real gRPC: strangers, the bot, and the bot again."""

from pathlib import Path

import pytest
import trio

from arena.errors import ConfigError, HostFault
from arena.server.public_listener import ListenPlan, open_public_listener
from arena.server.remote_doors import RemoteDoors
from arena.server.runtime import open_grpc_runtime
from arena.v1 import play_pb2
from arena.wire.codec import ProtoCodec
from tests.server.clients import Client, open_client
from tests.server.conversation import Said, frame

TOKEN = "0123456789abcdef0123456789abcdef"  # noqa: S105  # opens nothing


async def join(client: Client, token: str, resume_after: int | None = None) -> play_pb2.Welcome:
    """Join, and give the Welcome."""
    said = Said(join=play_pb2.Join(protocol_version=1, token=token, resume_after=resume_after))
    await client.write(frame(said))
    data = await client.read()
    assert data is not None
    (message,) = play_pb2.PlayResponse.FromString(data).messages
    return message.welcome


async def test_a_bot_comes_back_over_grpc_and_a_stranger_does_not_get_in() -> None:
    """The stream before ends ABORTED REPLACED; a wrong token UNAUTHENTICATED."""
    async with open_grpc_runtime() as runtime, trio.open_nursery() as nursery:
        doors = RemoteDoors(nursery, {TOKEN: "far"}, ProtoCodec(), capacity=1, server="test")
        async with (
            open_public_listener(runtime, ListenPlan(), doors.take) as address,
            open_client(runtime, address) as stranger,
            open_client(runtime, address) as first,
        ):
            said = Said(join=play_pb2.Join(protocol_version=1, token="f" * 32))
            await stranger.write(frame(said))
            assert (await stranger.end())[0] == "UNAUTHENTICATED"
            welcome = await join(first, TOKEN)
            assert welcome.resumed == play_pb2.RESUMED_NEW
            assert welcome.limits.messages_per_decision == 256
            async with open_client(runtime, address) as second:
                again = await join(second, TOKEN, resume_after=1)
                assert again.resumed == play_pb2.RESUMED_CONTINUED
                assert await first.read() is None
                code, _, reason = await first.end()
                assert (code, reason) == ("ABORTED", "REPLACED")
        nursery.cancel_scope.cancel()


async def test_a_port_that_is_taken_is_named() -> None:
    """No second server listens there without a word."""

    def take(_: object) -> None:
        """Take nothing."""

    async with (
        open_grpc_runtime() as runtime,
        open_public_listener(runtime, ListenPlan(), take) as address,
    ):
        with pytest.raises(HostFault, match=f"cannot listen at {address}"):
            async with open_public_listener(runtime, ListenPlan(address=address), take):
                pass


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"address": "0.0.0.0:0"}, "without TLS only 127.0.0.1"),  # refused
        ({"address": "here"}, "allowed is HOST:PORT"),
        ({"address": "127.0.0.1:65536"}, "allowed is HOST:PORT"),
        ({"key": Path("k.pem")}, "both a certificate and a key"),
    ],
)
def test_an_address_that_would_bare_tokens_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        ListenPlan(**given)  # type: ignore[arg-type]


def test_a_protected_network_may_be_listened_on_by_an_explicit_word() -> None:
    assert ListenPlan(address="0.0.0.0:0", allows_insecure=True).allows_insecure
