"""The secret of an event: a seed a stage, where it is kept, what is published of it.

Owns ``seed.key`` and the draw. Must not put a seed into a message, a log or a
representation of a value. How cards follow from a seed: :mod:`arena.rules.dealing`.
Source: design.md §6 ("The seed"), record.md ("The event folder").
"""

import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.errors import ConfigError, HostFault
from arena.referee.fairness import SEED_SIZE, commitment
from arena.rules.dealing import seed_from_text
from arena.tournament.event_file import EventFile

_OWNER_ONLY: Final = 0o600


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """The 32 bytes that a stage's cards follow from; not shown by ``repr``."""

    key: bytes = field(repr=False)
    is_guessable: bool
    """Whether it was made from a text."""
    secret: bytes | None = field(default=None, repr=False)
    """What it was made of together with a public text (:mod:`arena.tournament.public_seed`)."""

    @property
    def commitment(self) -> str:
        """What is published before the first card, in hexadecimal."""
        return commitment(self.key).hex()


def draw_seeds(
    event: EventFile, random_bytes: Callable[[int], bytes] = os.urandom
) -> tuple[Seed, ...]:
    """Draw a seed for each stage, of its own because board numbers begin anew in each.

    From the operating system; in practice with a text from that: the first stage's seed is
    made from the text itself, that of stage n from the text followed by ``#n``, so that
    ``arena deal --seed 'TEXT#2'`` shows the boards of the second.
    """
    if event.seed is None:
        return tuple(Seed(key=random_bytes(SEED_SIZE), is_guessable=False) for _ in event.stages)
    texts = [
        event.seed if number == 1 else f"{event.seed}#{number}"
        for number in range(1, len(event.stages) + 1)
    ]
    return tuple(Seed(key=seed_from_text(text), is_guessable=True) for text in texts)


def write_seeds(path: Path, seeds: Sequence[Seed]) -> None:
    """Keep the seeds (see :func:`write_keys`)."""
    write_keys(path, [seed.key for seed in seeds])


def write_keys(path: Path, keys: Sequence[bytes]) -> None:
    """Keep what is secret, a line a stage in hexadecimal, readable by the owner alone.

    Raises:
        HostFault: The file exists already (a seed is never replaced) or cannot be written.
    """
    lines = "".join(f"{key.hex()}\n" for key in keys)
    # A run that is killed here must leave a whole file or none: the seed is drawn once.
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())
            # Unlike a renaming, a link never takes the place of a seed that is there.
            os.link(draft, path)
        finally:
            draft.unlink()
    except OSError as error:
        raise HostFault(f"{path}: the seed cannot be kept: {error.strerror}") from error


def read_seeds(path: Path, event: EventFile) -> tuple[Seed, ...]:
    """Read the seeds of an event that has begun (see :func:`read_keys`)."""
    keys = read_keys(path, len(event.stages))
    return tuple(Seed(key=key, is_guessable=event.is_guessable) for key in keys)


def seeds_begun_with(path: Path, event: EventFile, commitments: Sequence[str]) -> tuple[Seed, ...]:
    """Read the seeds of an event that has begun, and hold them against what was published.

    Raises:
        ConfigError: See :func:`read_keys`; or they are others.
    """
    seeds = read_seeds(path, event)
    if tuple(seed.commitment for seed in seeds) != tuple(commitments):
        raise ConfigError(
            f"{path}: not the seeds this event began with: they do not give the "
            "commitments that were published; put the file back as it was to go on"
        )
    return seeds


def read_keys(path: Path, stages: int) -> tuple[bytes, ...]:
    """Read what is secret of an event that has begun, one a stage.

    Raises:
        ConfigError: The file is missing, holds something else, or others may read it.
    """
    try:
        mode = path.stat().st_mode
        lines = path.read_text("ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ConfigError(f"{path}: the seed cannot be read: {reason}") from error
    if stat.S_IMODE(mode) & ~_OWNER_ONLY:
        raise ConfigError(
            f"{path}: mode {stat.S_IMODE(mode):04o} lets others read the seed; "
            "allowed is 0600 (chmod 600)"
        )
    try:
        keys = [bytes.fromhex(line) for line in lines]
    except ValueError:
        keys = []
    if len(keys) != stages or any(len(key) != SEED_SIZE for key in keys):
        # The line itself stays out of the message: it is the secret.
        raise ConfigError(
            f"{path}: expected {stages} lines of {2 * SEED_SIZE} hexadecimal digits, one a stage"
        )
    return tuple(keys)
