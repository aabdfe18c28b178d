"""How a broken session ends: errors to ``google.rpc.Status`` and back.

Owns the details that ride on a gRPC status (ErrorInfo with this domain) and which code
belongs to which reason. Must not know gRPC itself. Source: protocol.md ("Rules of the
wire" 7).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from arena.referee.faults import Reason

ERROR_DOMAIN: Final = "tressette.arena"
"""The ``domain`` of every ErrorInfo."""

CODE_OF_REASON: Final[Mapping[Reason, str]] = MappingProxyType(
    {
        Reason.MALFORMED: "INVALID_ARGUMENT",
        Reason.UNKNOWN_MESSAGE: "INVALID_ARGUMENT",
        Reason.NOT_JOINED: "FAILED_PRECONDITION",
        Reason.STALE: "FAILED_PRECONDITION",
        Reason.ALREADY_ANSWERED: "FAILED_PRECONDITION",
        Reason.UNKNOWN_DECISION: "INVALID_ARGUMENT",
        Reason.WRONG_KIND: "INVALID_ARGUMENT",
        Reason.CARD_NOT_HELD: "INVALID_ARGUMENT",
        Reason.ILLEGAL_CARD: "INVALID_ARGUMENT",
        Reason.BAD_DECLARATION: "INVALID_ARGUMENT",
        Reason.BAD_SIGNAL: "INVALID_ARGUMENT",
        Reason.TOO_MANY_MESSAGES: "RESOURCE_EXHAUSTED",
        Reason.TOO_LARGE: "RESOURCE_EXHAUSTED",
        Reason.BAD_TOKEN: "UNAUTHENTICATED",
        Reason.REPLACED: "ABORTED",
        Reason.VERSION: "FAILED_PRECONDITION",
        Reason.CAPACITY: "RESOURCE_EXHAUSTED",
    }
)
"""The name of the gRPC status code with which a session ends for a reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionError:
    """Why a session ended: the name of a gRPC code, the name of a Reason, and words."""

    code: str
    reason: str
    message: str


def encode_status(error: SessionError) -> bytes:
    """Write the bytes of ``grpc-status-details-bin``.

    Raises:
        ValueError: ``code`` is no name of a gRPC status code.
    """
    detail = AnyMessage()
    detail.Pack(ErrorInfo(domain=ERROR_DOMAIN, reason=error.reason))
    status = Status(code=Code.Value(error.code), message=error.message, details=[detail])
    return bytes(status.SerializeToString())


def decode_status(data: bytes) -> SessionError | None:
    """Read the bytes of ``grpc-status-details-bin``; None where an arena did not write them."""
    try:
        status = Status.FromString(data)
        for detail in status.details:
            info = ErrorInfo()
            if detail.Unpack(info) and info.domain == ERROR_DOMAIN:
                return SessionError(
                    code=Code.Name(status.code), reason=info.reason, message=status.message
                )
    except (DecodeError, ValueError):
        return None
    return None
