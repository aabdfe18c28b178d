"""Status: how a broken stream tells the bot why it ended.

Owns the encoding of a LinkError as ``google.rpc.Status`` with an ErrorInfo. Must not
know links or sessions. Source: protocol.md, "Rules of the wire" 7.
"""

from typing import Protocol

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from arena.server.link import LinkError

ERROR_DOMAIN = "arena.tressette"
"""The ``domain`` of every ErrorInfo."""
STATUS_DETAILS = "grpc-status-details-bin"
"""The trailing metadata under which gRPC libraries look for a ``google.rpc.Status``."""


class Trailers(Protocol):
    """The part of a servicer context that takes the end of a stream."""

    def set_code(self, code: grpc.StatusCode) -> None:
        """Set the status code."""

    def set_details(self, details: str) -> None:
        """Set the status message."""

    def set_trailing_metadata(self, trailing_metadata: tuple[tuple[str, bytes], ...]) -> None:
        """Set the trailing metadata."""


def set_error(trailers: Trailers, error: LinkError) -> None:
    """Make the stream end with ``error`` when its handler returns."""
    code = grpc.StatusCode[error.code]
    detail = AnyMessage()
    detail.Pack(ErrorInfo(domain=ERROR_DOMAIN, reason=error.reason))
    status = Status(code=code.value[0], message=error.message, details=[detail])
    trailers.set_code(code)
    trailers.set_details(error.message)
    trailers.set_trailing_metadata(((STATUS_DETAILS, status.SerializeToString()),))
