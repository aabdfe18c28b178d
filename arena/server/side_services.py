"""Side services: health and reflection, which stand beside Play on every local server.

Owns what a generic gRPC tool asks first: are you serving, and what. Must not know Play's
messages: reflection finds them in protobuf's pool of loaded descriptors.
Source: protocol.md, "Services".
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import grpc
from grpc import aio
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection, reflection_pb2

from arena.server.trio_loop import TrioLoop

PLAY_SERVICE = "arena.v1.RefereeService"
"""The service that bots play through."""
HEALTH_SERVICE = "grpc.health.v1.Health"
"""The standard health service."""

MAX_SIDE_STREAMS: Final = 16
"""Watches and reflections of one bot at once; one more is refused: they leave room for Play."""

_KNOWN = ("", PLAY_SERVICE, HEALTH_SERVICE)


class SideServices:
    """Health and reflection of one server.

    Args:
        loop: Where they are served.
        most: How many watches and reflections may be open at once.

    Attributes:
        handlers: The methods by their full names.
    """

    def __init__(self, loop: TrioLoop, *, most: int = MAX_SIDE_STREAMS) -> None:
        self._closing = loop.create_future()
        self._most = most
        self._open = 0
        names = (PLAY_SERVICE, HEALTH_SERVICE, reflection.SERVICE_NAME)
        self._reflection = reflection.aio.ReflectionServicer(names)
        self.handlers = {
            f"/{HEALTH_SERVICE}/Check": grpc.unary_unary_rpc_method_handler(
                self._check,
                request_deserializer=health_pb2.HealthCheckRequest.FromString,
                response_serializer=health_pb2.HealthCheckResponse.SerializeToString,
            ),
            f"/{HEALTH_SERVICE}/Watch": grpc.unary_stream_rpc_method_handler(
                self._watch,
                request_deserializer=health_pb2.HealthCheckRequest.FromString,
                response_serializer=health_pb2.HealthCheckResponse.SerializeToString,
            ),
            f"/{reflection.SERVICE_NAME}/ServerReflectionInfo": (
                grpc.stream_stream_rpc_method_handler(
                    self._reflect,
                    request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
                    response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
                )
            ),
        }

    def close(self) -> None:
        """Tell the watchers that serving is over, and end their streams."""
        if not self._closing.done():
            self._closing.set_result(None)

    async def _check(
        self,
        request: health_pb2.HealthCheckRequest,
        context: aio.ServicerContext[health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse],
    ) -> health_pb2.HealthCheckResponse:
        if request.service not in _KNOWN:
            await context.abort(grpc.StatusCode.NOT_FOUND, f"no service {request.service!r} here")
        return health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVING)

    async def _watch(
        self,
        request: health_pb2.HealthCheckRequest,
        context: aio.ServicerContext[health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse],
    ) -> None:
        is_known = request.service in _KNOWN
        async with self._room_for(context):
            await context.write(
                health_pb2.HealthCheckResponse(
                    status=health_pb2.HealthCheckResponse.SERVING
                    if is_known
                    else health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
                )
            )
            await asyncio.shield(self._closing)
            await context.write(
                health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.NOT_SERVING)
            )

    async def _reflect(
        self,
        requests: AsyncIterator[reflection_pb2.ServerReflectionRequest],
        context: aio.ServicerContext[Any, Any],
    ) -> AsyncIterator[reflection_pb2.ServerReflectionResponse]:
        async with self._room_for(context):
            async for answer in self._reflection.ServerReflectionInfo(requests, context):
                yield answer

    @asynccontextmanager
    async def _room_for(self, context: aio.ServicerContext[Any, Any]) -> AsyncIterator[None]:
        """Keep room for one stream; refuse it where there is none."""
        if self._open >= self._most:
            await context.abort(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                f"{self._most} watches and reflections are open here; one more is not served",
            )
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
