"""How a broken session ends is told in a form that every gRPC library reads."""

import pytest
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.faults import Reason
from arena.wire.status import (
    CODE_OF_REASON,
    ERROR_DOMAIN,
    SessionError,
    decode_status,
    encode_status,
)


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_code_and_comes_back(reason: Reason) -> None:
    error = SessionError(code=CODE_OF_REASON[reason], reason=reason.name, message="3 ≠ 1")
    assert decode_status(encode_status(error)) == error


def test_the_details_are_a_status_with_one_error_info() -> None:
    data = encode_status(SessionError(code="ABORTED", reason="REPLACED", message="again"))
    status = Status.FromString(data)
    info = ErrorInfo()
    assert status.details[0].Unpack(info)
    assert (status.code, status.message) == (Code.ABORTED, "again")
    assert (info.domain, info.reason) == (ERROR_DOMAIN, "REPLACED")
    assert ERROR_DOMAIN == "tressette.arena"


def test_a_status_of_somebody_else_is_none() -> None:
    assert decode_status(Status(code=5, message="no such page").SerializeToString()) is None
    other = Status(code=5)
    other.details.add().Pack(ErrorInfo(domain="example.org", reason="X"))
    assert decode_status(other.SerializeToString()) is None


def test_a_code_that_grpc_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="TIRED"):
        encode_status(SessionError(code="TIRED", reason="X", message=""))


@given(st.binary(max_size=80))
def test_any_bytes_are_a_status_or_none(data: bytes) -> None:
    decoded = decode_status(data)
    assert decoded is None or isinstance(decoded, SessionError)
