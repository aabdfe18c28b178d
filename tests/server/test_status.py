"""How a stream ended is told as a google.rpc.Status that every gRPC library can read."""

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from arena.referee.faults import Reason
from arena.server.link import LinkError
from arena.server.status import STATUS_DETAILS, set_error
from arena.wire.status import CODE_OF_REASON, ERROR_DOMAIN, SessionError, decode_status


class Trailers:
    """Keeps what a stream would end with."""

    def __init__(self) -> None:
        self.code: grpc.StatusCode | None = None
        self.details = ""
        self.metadata: tuple[tuple[str, bytes], ...] = ()

    def set_code(self, code: grpc.StatusCode) -> None:
        """Keep the code."""
        self.code = code

    def set_details(self, details: str) -> None:
        """Keep the message."""
        self.details = details

    def set_trailing_metadata(self, trailing_metadata: tuple[tuple[str, bytes], ...]) -> None:
        """Keep the trailers."""
        self.metadata = trailing_metadata


@pytest.mark.parametrize("reason", Reason)
def test_code_message_and_reason_are_told_and_can_be_read_back(reason: Reason) -> None:
    trailers = Trailers()
    code = CODE_OF_REASON[reason]
    set_error(trailers, LinkError(code, reason.name, "words"))
    assert trailers.code is grpc.StatusCode[code]
    assert trailers.details == "words"
    ((key, value),) = trailers.metadata
    assert key == STATUS_DETAILS
    assert decode_status(value) == SessionError(code=code, reason=reason.name, message="words")


def test_the_domain_is_the_one_that_the_protocol_names() -> None:
    trailers = Trailers()
    set_error(trailers, LinkError("ABORTED", "REPLACED", ""))
    (detail,) = Status.FromString(trailers.metadata[0][1]).details
    info = ErrorInfo()
    assert detail.Unpack(info)
    assert (info.domain, info.reason) == ("tressette.arena", "REPLACED")
    assert info.domain == ERROR_DOMAIN
