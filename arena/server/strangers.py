"""Strangers: the streams of one address that may be about to say their Join.

Owns how many they may be: the newest takes the place of the oldest, so that whoever stays
silent keeps nobody out, and a bot, which says its Join at once, has said it long before as
many have come after it. Must not know tokens, sockets or sessions.
Source: requirements.md S; protocol.md ("Rules of the wire" 6).
"""

from typing import Final

from arena.server.link import Link, LinkError

CROWDED: Final = LinkError(
    "RESOURCE_EXHAUSTED",
    "CAPACITY",
    "too many streams that have said no Join; a bot says it at once, so try again",
)
"""How the oldest ends when one more comes."""


class Strangers:
    """The streams of one address that are not yet known, the oldest first.

    Args:
        most: How many there may be.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._links: dict[Link, None] = {}

    def add(self, link: Link) -> Link | None:
        """Take one more in; return the one that was ended for it, if any was."""
        oldest = None
        if len(self._links) >= self._most:
            oldest = next(iter(self._links))
            del self._links[oldest]
            oldest.close(CROWDED)
        self._links[link] = None
        return oldest

    def remove(self, link: Link) -> None:
        """Let one go that is known, refused or over; harmless if it has gone before."""
        self._links.pop(link, None)

    def end(self, error: LinkError) -> None:
        """End them all."""
        for link in tuple(self._links):
            link.close(error)
        self._links.clear()
