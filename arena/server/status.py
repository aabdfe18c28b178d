"""Status: how a broken stream tells the bot why it ended.

Owns the way of a LinkError into the trailers of a gRPC call; what it looks like there is
:mod:`arena.wire.status`'s. Must not know links or sessions.
Source: protocol.md, "Rules of the wire" 7.
"""

from typing import Final, Protocol

import grpc

from arena.server.link import LinkError
from arena.wire.status import SessionError, encode_status

STATUS_DETAILS: Final = "grpc-status-details-bin"
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
    details = encode_status(
        SessionError(code=error.code, reason=error.reason, message=error.message)
    )
    trailers.set_code(grpc.StatusCode[error.code])
    trailers.set_details(error.message)
    trailers.set_trailing_metadata(((STATUS_DETAILS, details),))
