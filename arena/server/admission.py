"""Admission: from a fresh link to a joined session.

Owns the first message of a stream: version, token, capacity; and the session of a bot that
need not say it. Must not know processes; the deadline is the caller's (a cancel scope
around :func:`admit`). Source: protocol.md ("Play": Join, Welcome; "Rules of the wire" 10;
"Bots that speak lines").
"""

import secrets
from collections.abc import Callable

from arena.errors import ProtocolViolation
from arena.referee.faults import Reason
from arena.server.arrivals import now_ns
from arena.server.link import Link, LinkClosed, LinkError
from arena.server.session import Session
from arena.wire import to_bot
from arena.wire.codec import Codec
from arena.wire.said import JoinSaid, Unreadable
from arena.wire.status import CODE_OF_REASON
from arena.wire.terms import PROTOCOL_VERSION


async def read_join(link: Link, codec: Codec) -> JoinSaid:
    """Take the Join of a fresh link and see that this arena can talk to its bot.

    Raises:
        ProtocolViolation: The first message is no acceptable Join; the link was closed
            with a status that says so.
    """
    try:
        received = await link.recv()
    except LinkClosed as error:
        raise ProtocolViolation("the stream ended before a Join") from error
    said = codec.decode(received.data)
    first = said[0] if said else None
    if isinstance(first, Unreadable):
        raise refuse(link, CODE_OF_REASON[first.reason], first.reason, first.message)
    if not isinstance(first, JoinSaid) or len(said) > 1:
        message = "the first frame must hold one message, a Join"
        raise refuse(link, "FAILED_PRECONDITION", Reason.NOT_JOINED, message)
    if first.protocol_version != PROTOCOL_VERSION:
        message = (
            f"the bot speaks protocol version {first.protocol_version}, "
            f"this arena speaks {PROTOCOL_VERSION}"
        )
        raise refuse(link, "FAILED_PRECONDITION", Reason.VERSION, message)
    return first


async def admit(link: Link, codec: Codec, *, token: str, capacity: int, server: str) -> Session:
    """Take the Join of a fresh link and answer Welcome.

    Args:
        link: A link nobody has read from.
        codec: How its bytes are messages.
        token: What the bot must present, 32 hex digits.
        capacity: Most tables that the manifest and the event allow.
        server: The arena's version, told in Welcome.

    Raises:
        ProtocolViolation: The first message is no acceptable Join; the link was closed
            with a status that says so.
    """
    first = await read_join(link, codec)
    if not secrets.compare_digest(first.token.encode(), token.encode()):
        message = "the token is not the one in this process's ARENA_TOKEN"
        raise refuse(link, "UNAUTHENTICATED", Reason.BAD_TOKEN, message)
    return open_session(link, codec, joined=first, capacity=capacity, server=server)


def open_session(
    link: Link,
    codec: Codec,
    *,
    joined: JoinSaid,
    capacity: int,
    server: str,
    can_resume: bool = False,
    now: Callable[[], int] = now_ns,
) -> Session:
    """Open the session of a bot whose Join was accepted, and welcome it.

    Args:
        link: Its link.
        codec: How its bytes are messages.
        joined: What it said.
        capacity: Most tables that the manifest and the event allow.
        server: The arena's version, told in Welcome.
        can_resume: Whether it may come back with another link.
        now: The clock (ns) that stamps what the link receives.
    """
    session = Session(
        link,
        codec,
        joined=joined,
        capacity=min(capacity, max(1, joined.capacity)),
        can_resume=can_resume,
        now=now,
    )
    session.queue(
        to_bot.welcome(capacity=session.capacity, server_version=server, limits=session.limits)
    )
    session.flush()
    return session


def join_unasked(
    link: Link,
    codec: Codec,
    *,
    name: str,
    version: str,
    language: str,
    capacity: int,
    implies_ready: bool,
    silence_hint: Callable[[], str],
) -> Session:
    """Open a session for a bot that neither joins nor is welcomed: on pipes of its own.

    Nobody else can be at the other end, so that there is no token. The first message of
    the session is its first MatchStarted.

    Args:
        link: A link nobody has read from.
        codec: How its bytes are messages.
        name: The bot's name, as a Join would say it; so too version and language.
        version: The bot's version.
        language: What it is written in.
        capacity: Tables at once.
        implies_ready: Whether the bot is ready as soon as its MatchStarted is written.
        silence_hint: Says what to suspect where nothing ever comes from it.
    """
    joined = JoinSaid(
        protocol_version=PROTOCOL_VERSION,
        token="",
        name=name,
        version=version,
        language=language,
        capacity=capacity,
        resume_after=None,
    )
    return Session(
        link,
        codec,
        joined=joined,
        capacity=capacity,
        implies_ready=implies_ready,
        silence_hint=silence_hint,
    )


def refuse(link: Link, code: str, reason: Reason, message: str) -> ProtocolViolation:
    """Close a fresh link with a status; return the error to raise."""
    link.close(LinkError(code, reason.name, message))
    return ProtocolViolation(message)
