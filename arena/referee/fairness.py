"""Commitments: what proves afterwards that nobody chose the cards.

Owns the hashes published before the first card and the seeds derived from a secret; must
not know where a secret is kept. How cards follow from a seed: arena.rules.dealing.
Source: design.md §6, protocol.md (MatchStarted.bot_seed).
"""

import hashlib
import hmac
from typing import Final

SEED_SIZE: Final = 32
"""Bytes of a seed and of a secret."""

_COMMIT: Final = b"tressette commit v1"
_SECRET: Final = b"tressette secret v1"
_SEED: Final = b"tressette seed v1"
_BOT: Final = b"tressette bot v1"


def commitment(seed: bytes) -> bytes:
    """Commit to a seed: SHA-256("tressette commit v1" ‖ seed), 32 bytes.

    Published before the first card; whoever later gets the seed can check it.
    """
    return hashlib.sha256(_COMMIT + _of_seed_size("seed", seed)).digest()


def secret_commitment(secret: bytes) -> bytes:
    """Commit to a secret: SHA-256("tressette secret v1" ‖ secret), 32 bytes.

    Published before the public text is drawn that makes the secret a seed.
    """
    return hashlib.sha256(_SECRET + _of_seed_size("secret", secret)).digest()


def seed_from_public_text(secret: bytes, text: str) -> bytes:
    """Make the seed of an event: SHA-256("tressette seed v1" ‖ secret ‖ text), 32 bytes.

    The organiser knows the secret and cannot choose the text; the public knows the text
    and not the secret: nobody can choose, nobody can know.

    Args:
        secret: 32 bytes that were committed to before.
        text: Drawn by public chance after the freeze; taken as UTF-8.
    """
    return hashlib.sha256(_SEED + _of_seed_size("secret", secret) + text.encode()).digest()


def bot_seed(seed: bytes, match_id: str, seat: int) -> int:
    """Give a bot the seed of its own chance, the same in every attempt of a match.

    Args:
        seed: The 32 bytes of the stage.
        match_id: The match's id in the log, taken as UTF-8.
        seat: From 0.

    Returns:
        The first word, big-endian, of HMAC-SHA-256(seed, "tressette bot v1" ‖ match id ‖
        seat as one byte): from 0 to 2³² - 1.
    """
    message = _BOT + match_id.encode() + bytes((seat,))
    digest = hmac.digest(_of_seed_size("seed", seed), message, "sha256")
    return int.from_bytes(digest[:4], "big")


def _of_seed_size(what: str, value: bytes) -> bytes:
    """Refuse anything but 32 bytes: a shorter one is a bug that would weaken a proof."""
    if len(value) != SEED_SIZE:
        raise AssertionError(f"a {what} holds {SEED_SIZE} bytes, not {len(value)}")
    return value
