"""TLS at the public address: the bot that trusts it gets in, and nothing else does."""

import datetime as dt
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio
import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from arena.errors import ConfigError, HostFault
from arena.server.public_listener import ListenPlan, open_public_listener
from arena.server.remote_call import Ended, Referee, open_call
from arena.server.remote_doors import RemoteDoors
from arena.server.runtime import GrpcRuntime, open_grpc_runtime
from arena.v1 import play_pb2
from arena.wire.codec import ProtoCodec
from tests.server.conversation import Said, frame

TOKEN = "0123456789abcdef0123456789abcdef"  # noqa: S105  # opens nothing
PATIENCE_S = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """One public address that speaks TLS, or does not."""

    runtime: GrpcRuntime
    at: str
    doors: RemoteDoors

    async def join(self, *, authority: trustme.CA | None) -> Ended | None:
        """Try to join; None: welcome, else how the stream ended."""
        referee = Referee(
            address=self.at,
            token=TOKEN,
            capacity=1,
            is_tls=authority is not None,
            authority=None if authority is None else authority.cert_pem.bytes(),
        )
        async with open_call(self.runtime, referee) as call:
            join = play_pb2.Join(protocol_version=1, token=TOKEN)
            await call.write(frame(Said(join=join)))
            data = await call.read()
            if data is None:
                return await call.end()
            (message,) = play_pb2.PlayResponse.FromString(data).messages
            assert message.HasField("welcome")
            return None


@asynccontextmanager
async def open_address(plan: ListenPlan) -> AsyncIterator[Address]:
    """Listen for one remote bot."""
    with trio.fail_after(PATIENCE_S):
        async with open_grpc_runtime() as runtime, trio.open_nursery() as nursery:
            doors = RemoteDoors(nursery, {TOKEN: "far"}, ProtoCodec(), capacity=1, server="test")
            async with open_public_listener(runtime, plan, doors.take) as at:
                yield Address(runtime=runtime, at=at, doors=doors)
            nursery.cancel_scope.cancel()


def plan_with(certificate: trustme.LeafCert, folder: Path) -> ListenPlan:
    """Write a certificate and its key, and plan to listen with them."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    certificate.cert_chain_pems[0].write_to_path(str(cert))
    certificate.private_key_pem.write_to_path(str(key))
    return ListenPlan(certificate=cert, key=key)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """Return an authority that the bot trusts."""
    return trustme.CA()


@pytest.fixture
def plan(authority: trustme.CA, tmp_path: Path) -> ListenPlan:
    """Return a plan with a certificate for this machine."""
    return plan_with(authority.issue_cert("127.0.0.1"), tmp_path)


async def test_a_bot_that_trusts_the_authority_joins_over_tls(
    authority: trustme.CA, plan: ListenPlan
) -> None:
    async with open_address(plan) as address:
        assert await address.join(authority=authority) is None


async def test_a_bot_that_trusts_another_authority_sends_no_token(plan: ListenPlan) -> None:
    """It ends before a stream begins: the arena has never heard of it."""
    async with open_address(plan) as address:
        ended = await address.join(authority=trustme.CA())
        assert ended is not None
        assert ended.code == "UNAVAILABLE"
        assert "CERTIFICATE_VERIFY_FAILED" in ended.words
        assert address.doors.by_name("far")[0].session is None


@pytest.mark.parametrize("days", [(-9, -1), (1, 9)], ids=["expired", "not yet valid"])
async def test_a_certificate_out_of_its_time_is_not_believed(
    authority: trustme.CA, tmp_path: Path, days: tuple[int, int]
) -> None:
    now = dt.datetime.now(dt.UTC)
    begins, ends = (now + dt.timedelta(days=day) for day in days)
    late = authority.issue_cert("127.0.0.1", not_before=begins, not_after=ends)
    async with open_address(plan_with(late, tmp_path)) as address:
        ended = await address.join(authority=authority)
        assert ended is not None
        assert ended.code == "UNAVAILABLE"
        assert "CERTIFICATE_VERIFY_FAILED" in ended.words


async def test_a_certificate_for_another_host_is_not_believed(
    authority: trustme.CA, tmp_path: Path
) -> None:
    other = authority.issue_cert("referee.example")
    async with open_address(plan_with(other, tmp_path)) as address:
        ended = await address.join(authority=authority)
        assert ended is not None
        assert ended.code == "UNAVAILABLE"
        assert address.doors.by_name("far")[0].session is None


async def test_plain_text_gets_nowhere_at_a_tls_address(
    authority: trustme.CA, plan: ListenPlan
) -> None:
    """A bot without TLS, HTTP, and a connection that says nothing; then the bot joins."""
    async with open_address(plan) as address:
        ended = await address.join(authority=None)
        assert ended is not None
        assert ended.code == "UNAVAILABLE"
        assert address.doors.by_name("far")[0].session is None
        host, _, port = address.at.rpartition(":")
        with ExitStack() as strangers:
            for said in (b"", b"GET / HTTP/1.1\r\n\r\n", bytes(range(256))):
                plain = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
                strangers.enter_context(plain).sendall(said)
            assert await address.join(authority=authority) is None


async def test_tls_gets_nowhere_at_a_plain_address(authority: trustme.CA) -> None:
    async with open_address(ListenPlan()) as address:
        ended = await address.join(authority=authority)
        assert ended is not None
        assert ended.code == "UNAVAILABLE"
        assert await address.join(authority=None) is None


async def refused(plan: ListenPlan) -> None:
    """Try to listen by a plan that cannot be carried out."""

    def take(_: object) -> None:
        """Take nothing."""

    async with open_grpc_runtime() as runtime, open_public_listener(runtime, plan, take):
        pass


async def test_a_key_of_another_certificate_is_named(
    authority: trustme.CA, plan: ListenPlan, tmp_path: Path
) -> None:
    other = tmp_path / "other.pem"
    authority.issue_cert("127.0.0.1").private_key_pem.write_to_path(str(other))
    wrong = ListenPlan(certificate=plan.certificate, key=other)
    with pytest.raises(ConfigError, match=r"other\.pem: is not the key of the certificate in"):
        await refused(wrong)


async def test_a_file_that_cannot_be_read_or_is_no_pem_is_named(
    plan: ListenPlan, tmp_path: Path
) -> None:
    missing = ListenPlan(certificate=tmp_path / "none.pem", key=plan.key)
    with pytest.raises(ConfigError, match=r"none\.pem: cannot be read: No such file"):
        await refused(missing)
    rubbish = tmp_path / "rubbish.pem"
    rubbish.write_bytes(b"no certificate")
    with pytest.raises(ConfigError, match=r"rubbish\.pem: holds no certificate in PEM"):
        await refused(ListenPlan(certificate=rubbish, key=plan.key))
    with pytest.raises(ConfigError, match=r"rubbish\.pem: holds no private key in PEM"):
        await refused(ListenPlan(certificate=plan.certificate, key=rubbish))


async def test_a_key_behind_a_passphrase_is_refused_and_nobody_is_asked_for_it(
    plan: ListenPlan, tmp_path: Path
) -> None:
    assert plan.key is not None
    key = load_pem_private_key(plan.key.read_bytes(), None)
    locked = tmp_path / "locked.pem"
    how = (Encoding.PEM, PrivateFormat.TraditionalOpenSSL, BestAvailableEncryption(b"secret"))
    locked.write_bytes(key.private_bytes(*how))
    with pytest.raises(ConfigError, match=r"locked\.pem: is encrypted; give one without"):
        await refused(ListenPlan(certificate=plan.certificate, key=locked))


async def test_a_port_that_is_taken_is_said_in_our_words_alone(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        plan = ListenPlan(address=f"127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(HostFault, match="the system refuses it"):
            await refused(plan)
    assert capfd.readouterr().err == ""
