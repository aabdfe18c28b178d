"""Public randomness: a secret that is committed to first, a text that public chance gives later.

Owns the secrets, what is published of them, the line ``public_text`` of the event's log and
the step from both to the seeds of the stages. The organiser knows the secrets and cannot choose
the text, the public learns the text and does not know the secrets: nobody can choose the cards
and nobody can know them. Must not put a secret into a message or a log before the event is over.
Source: design.md §6 ("The seed").

With one secret a stage, the seed of stage i is SHA-256("tressette seed v1" ‖ secret i ‖ text).
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from arena.errors import ConfigError
from arena.record.event_log import EventLog
from arena.referee.fairness import SEED_SIZE, secret_commitment, seed_from_public_text
from arena.tournament.begun import Begun
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder
from arena.tournament.seed_source import SeedSource
from arena.tournament.seeding import Seed, read_keys, write_keys

AWAITS_TEXT: Final = "no cards before its public text is given: arena run --public-text TEXT"
LONGEST_TEXT: Final = 1000
"""Characters of a public text."""


def draw_secrets(
    path: Path, event: EventFile, random_bytes: Callable[[int], bytes] = os.urandom
) -> tuple[str, ...]:
    """Draw a secret a stage, keep them in ``seed.key``; give what is published of them.

    Raises:
        HostFault: The file exists already or cannot be written.
    """
    secrets = [random_bytes(SEED_SIZE) for _ in event.stages]
    write_keys(path, secrets)
    return _published(secrets)


def check_text(event: EventFile, begun: Begun | None, text: str | None, place: Path) -> None:
    """Refuse a public text where none belongs, or another one than was given before.

    Args:
        event: The event.
        begun: What its log says, if it has begun.
        text: What ``--public-text`` gives; None: nothing.
        place: What the message names.

    Raises:
        ConfigError: The message says what to do.
    """
    if text is None:
        return
    if event.seed_source is not SeedSource.PUBLIC:
        raise ConfigError(
            f'{place}: --public-text goes with seed_source = "public"; this event\'s seed is '
            "drawn without it"
        )
    if begun is None:
        raise ConfigError(
            f"{place}: --public-text: nothing is committed to yet, and whoever knows the text "
            "could choose the secret; start the event without it, publish what that prints, let "
            "public chance draw the text, and give it then"
        )
    if begun.public_text is not None and begun.public_text != text:
        raise ConfigError(
            f"{place}: --public-text {text!r}: the text {begun.public_text!r} was given before, "
            "and it stands; leave --public-text out to go on"
        )
    if text != text.strip() or not text or len(text) > LONGEST_TEXT or not text.isprintable():
        raise ConfigError(
            f"--public-text {text!r:.100}: allowed are 1 to {LONGEST_TEXT} visible characters "
            "without blanks around them, so that anybody can type it again"
        )


def seeds_of_event(
    folder: EventFolder, event: EventFile, begun: Begun, text: str
) -> tuple[Seed, ...]:
    """Give the seeds of the stages, from the secrets and a text.

    Raises:
        ConfigError: ``seed.key`` cannot be read, or does not hold the secrets that were
            committed to, or does not give the seeds that were.
    """
    secrets = read_keys(folder.seed_key, len(event.stages))
    if _published(secrets) != begun.secret_commitments:
        raise ConfigError(
            f"{folder.seed_key}: not the secrets this event began with: they do not give what was "
            "published; put the file back as it was to go on"
        )
    seeds = tuple(
        Seed(key=seed_from_public_text(secret, text), is_guessable=False, secret=secret)
        for secret in secrets
    )
    if begun.public_text is not None and begun.commitments != _commitments(seeds):
        raise ConfigError(f"{folder.event_log}: public_text: commitments to other seeds")
    return seeds


def note_text(log: EventLog, text: str, seeds: Sequence[Seed]) -> None:
    """Publish the text and the commitments to the seeds: before any card."""
    log.append("public_text", durable=True, text=text, commitments=list(_commitments(seeds)))


def _commitments(seeds: Sequence[Seed]) -> tuple[str, ...]:
    return tuple(seed.commitment for seed in seeds)


def _published(secrets: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(secret_commitment(secret).hex() for secret in secrets)
