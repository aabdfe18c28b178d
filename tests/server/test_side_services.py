"""Beside Play an address serves health and reflection, so many at once, and nothing else."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc
import pytest
import trio
from grpc import aio
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from arena.server.grpc_link import GrpcLink
from arena.server.public_listener import ListenPlan, open_public_listener
from arena.server.runtime import GrpcRuntime, open_grpc_runtime
from arena.server.seat_listener import open_seat_listener, unix_address
from arena.server.side_services import MAX_SIDE_STREAMS
from tests.server.clients import open_channel, open_client
from tests.server.test_seat_listener import HEALTH, open_listener


async def _call(runtime: GrpcRuntime, channel: aio.Channel, method: str, request: bytes) -> bytes:
    """Make one unary call with raw bytes."""

    async def call() -> bytes:
        ask: aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(method)
        return await ask(request)

    return await runtime.loop.run(call())


async def test_health_says_serving_for_what_is_served(tmp_path: Path) -> None:
    """And NOT_FOUND for what is not."""
    async with (
        open_listener(tmp_path) as (runtime, listener),
        open_channel(runtime, listener.address) as channel,
    ):
        for service in ("", "arena.v1.RefereeService", "grpc.health.v1.Health"):
            request = health_pb2.HealthCheckRequest(service=service).SerializeToString()
            answer = await _call(runtime, channel, "/grpc.health.v1.Health/Check", request)
            assert HEALTH.FromString(answer).status == HEALTH.SERVING
        request = health_pb2.HealthCheckRequest(service="poker").SerializeToString()
        with pytest.raises(aio.AioRpcError) as caught:
            await _call(runtime, channel, "/grpc.health.v1.Health/Check", request)
        assert caught.value.code() is grpc.StatusCode.NOT_FOUND
        assert caught.value.details() == "no service 'poker' here"


async def test_reflection_lists_exactly_what_is_served(tmp_path: Path) -> None:
    """What a generic tool shows is the whole of it."""
    async with (
        open_listener(tmp_path) as (runtime, listener),
        open_channel(runtime, listener.address) as channel,
    ):

        async def list_services() -> set[str]:
            call = channel.stream_stream(
                "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
                response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
            )()
            await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
            answer = await call.read()
            assert isinstance(answer, reflection_pb2.ServerReflectionResponse)
            await call.done_writing()
            return {service.name for service in answer.list_services_response.service}

        assert await runtime.loop.run(list_services()) == {
            "arena.v1.RefereeService",
            "grpc.health.v1.Health",
            "grpc.reflection.v1alpha.ServerReflection",
        }


OTHER_METHODS = (
    "/arena.v1.RefereeService/Cheat",
    "/arena.v1.RefereeService/play",
    "/arena.v1.SpectatorService/WatchMatch",
    "/arena.v1.TournamentService/Stop",
    "/grpc.channelz.v1.Channelz/GetServers",
    "/grpc.health.v1.Health/List",
    "/x",
)


@pytest.mark.parametrize("is_public", [False, True], ids=["seat", "public"])
async def test_every_other_method_is_unimplemented(tmp_path: Path, *, is_public: bool) -> None:
    """An address offers a seat and nothing else: neither an organiser's services nor gRPC's."""
    async with (
        open_either(tmp_path, is_public=is_public) as (runtime, address),
        open_channel(runtime, address) as channel,
    ):
        for method in OTHER_METHODS:
            with pytest.raises(aio.AioRpcError) as caught:
                await _call(runtime, channel, method, b"")
            assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED, method


@asynccontextmanager
async def open_either(folder: Path, *, is_public: bool) -> AsyncIterator[tuple[GrpcRuntime, str]]:
    """Open an address of one kind or the other."""

    def take(_: GrpcLink) -> None:
        """Take nothing."""

    async with open_grpc_runtime() as runtime:
        if is_public:
            async with open_public_listener(runtime, ListenPlan(), take) as address:
                yield runtime, address
        else:
            async with open_seat_listener(runtime, unix_address(folder / "s")) as listener:
                yield runtime, listener.address


async def test_watches_without_end_leave_room_for_play(tmp_path: Path) -> None:
    """Over many connections; those beyond the limit are refused, and Play goes on."""
    async with open_listener(tmp_path) as (runtime, listener), AsyncExitStack() as stack:
        calls = []
        for _ in range(8):
            channel = await stack.enter_async_context(open_channel(runtime, listener.address))
            calls += await runtime.loop.run(watch_often(channel, 8))
        with trio.fail_after(5):
            told = [await runtime.loop.run(first_word(call)) for call in calls]
            assert told.count("SERVING") == MAX_SIDE_STREAMS
            assert told.count("RESOURCE_EXHAUSTED") == len(calls) - MAX_SIDE_STREAMS
            async with open_client(runtime, listener.address) as client:
                link = await listener.accept()
                await client.write(b"here")
                assert (await link.recv()).data == b"here"


async def watch_often(
    channel: aio.Channel, times: int
) -> "list[aio.UnaryStreamCall[bytes, health_pb2.HealthCheckResponse]]":
    """Begin watches over one connection."""
    watch: aio.UnaryStreamMultiCallable[bytes, health_pb2.HealthCheckResponse]
    watch = channel.unary_stream(
        "/grpc.health.v1.Health/Watch", response_deserializer=HEALTH.FromString
    )
    return [watch(b"") for _ in range(times)]


async def first_word(call: "aio.UnaryStreamCall[bytes, health_pb2.HealthCheckResponse]") -> str:
    """Wait for what a watch first says, or how it ends."""
    try:
        answer = await call.read()
    except aio.AioRpcError as error:
        return str(error.code().name)
    assert isinstance(answer, HEALTH)
    return str(HEALTH.ServingStatus.Name(answer.status))
