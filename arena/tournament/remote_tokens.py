"""The tokens of remote bots: who may join as which entrant.

Owns the file ``remote.tokens`` of an event's folder: readable by its owner only, written
whole or not at all. A side of several seats is several processes, so an entrant has a token
for each seat that its side has at one table. Never log a token.
Source: protocol.md ("Rules of the wire" 10).
"""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from arena.bots.argument import REMOTE
from arena.errors import ConfigError, HostFault
from arena.tournament.event_file import EventFile

FILE_NAME: Final = "remote.tokens"

Tokens = Mapping[str, tuple[str, ...]]
"""By entrant: its tokens, each 32 hexadecimal digits."""


def remote_entrants(event: EventFile) -> tuple[str, ...]:
    """Name the entrants whose bots run elsewhere, in the order of entry."""
    return tuple(entrant.name for entrant in event.entrants if entrant.bot == REMOTE)


def read_tokens(folder: Path) -> Tokens:
    """Read the tokens of an event's folder; empty if none were made.

    Raises:
        ConfigError: The file is not as this module writes it.
        HostFault: It cannot be read.
    """
    file = folder / FILE_NAME
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise HostFault(f"{file}: cannot be read: {error.strerror}") from error
    try:
        return msgspec.json.decode(data, type=dict[str, tuple[str, ...]])
    except msgspec.DecodeError as error:
        raise ConfigError(f"{file}: no tokens file: {error}; remove it to have new ones") from None


def make_tokens(event: EventFile, folder: Path, *, anew: str | None = None) -> Tokens:
    """Give every remote entrant the tokens it lacks, and keep them.

    Args:
        event: Who plays what.
        folder: The event's.
        anew: An entrant whose tokens are replaced; the old ones open nothing more.

    Raises:
        HostFault: The file cannot be read or written.
    """
    count = max(stage.ruleset.seats // stage.ruleset.side_count for stage in event.stages)
    before = read_tokens(folder)
    tokens: dict[str, tuple[str, ...]] = {}
    for name in remote_entrants(event):
        kept = () if name == anew else before.get(name, ())[:count]
        tokens[name] = (*kept, *(secrets.token_hex(16) for _ in range(count - len(kept))))
    if tokens != before:
        _write(folder / FILE_NAME, msgspec.json.encode(tokens))
    return tokens


def _write(file: Path, data: bytes) -> None:
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(data)
        draft.rename(file)
    except OSError as error:
        raise HostFault(f"{file}: cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
