"""The manifest: what ``bot.toml`` says of a bot.

Owns the keys of the file, their types and their defaults; the JSON Schema of the file is
derived from them (:func:`manifest_schema`). Must not start, build or copy anything.
Source: issue "The arena plays" 6; protocol.md ("Bots that speak lines", "Options").
"""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from arena.bots.names import problem_of_name
from arena.bots.options import Option
from arena.bots.strict_toml import nearest, quote, read_toml
from arena.errors import ConfigError
from arena.rules.presets import PRESETS
from arena.rules.ruleset import Ruleset

MANIFEST_NAME = "bot.toml"
PYTHONS = ("python", "python3")
"""Commands that stand for the arena's own interpreter in bots in Python."""


class Talk(StrEnum):
    """What a bot speaks."""

    GRPC = "grpc"
    LINES = "lines"


class ReadyStyle(StrEnum):
    """Whether a bot says Ready, or its first answer stands for it."""

    EXPLICIT = "explicit"
    IMPLIED = "implied"


class Transport(StrEnum):
    """How a gRPC bot reaches the referee: a Unix socket, or TCP on loopback."""

    UNIX = "unix"
    TCP = "tcp"


MOST_BYTES = 32 * 1024
"""Of a ``bot.toml``: strangers write it, and parsing has no deadline."""
MOST_OPTIONS = 64
"""Each is a variable of the process, and the system bounds those of all together."""

Word = Annotated[str, Meta(min_length=1, max_length=4096, pattern=r"^[^\x00]*$")]
Argv = tuple[Word, ...]
_COMMANDS = 'a command as ["make", "bot"], or a list of such commands'
Label = Annotated[str, Meta(min_length=1, max_length=64)]


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bot's manifest: the keys of ``bot.toml``."""

    name: Label
    """How it is called in standings and logs, unless the organiser names it otherwise."""
    version: Label
    """Its author's version, as text: ``"1.0"``."""
    run: Annotated[Argv, Meta(min_length=1)]
    """The command that runs it, in its folder: ``["python", "bot.py"]``. No shell."""
    authors: tuple[Label, ...] = ()
    """Who wrote it."""
    language: Annotated[str, Meta(max_length=32)] = ""
    """The language it is written in, in lower case: ``"python"``, ``"go"``."""
    build: Annotated[tuple[Word | Argv, ...], Meta(description=_COMMANDS)] = ()
    """The command that builds it, or a list of such commands; run once, in a copy."""
    needs: tuple[Word, ...] = ()
    """Paths outside its folder without which it cannot run."""
    protocol: Talk = Talk.GRPC
    """What it speaks: ``"grpc"``, or ``"lines"`` on stdin and stdout."""
    ready: ReadyStyle | UnsetType = UNSET
    """``"explicit"``: it says Ready itself, the only way over gRPC. ``"implied"``: it is ready
    as soon as a match is announced, the default of bots that speak lines."""
    transport: Transport = Transport.UNIX
    """``"tcp"`` for gRPC libraries without Unix sockets."""
    capacity: Annotated[int, Meta(ge=1, le=1024)] = 1
    """How many tables one process can play at once."""
    rulesets: tuple[Label, ...] = ()
    """Names of the rulesets it plays; none named: all."""
    seats: tuple[Annotated[int, Meta(ge=2, le=4)], ...] = ()
    """Numbers of seats it plays; none named: all."""
    options: dict[str, Option] = {}
    """What a user can set; passed as ``ARENA_OPTION_<KEY>``."""

    def __post_init__(self) -> None:
        """Refuse what types alone cannot."""
        for key, text in (("name", self.name), ("version", self.version)):
            if problem := problem_of_name(text):
                raise ValueError(f"{key}: {problem}")
        if len({isinstance(step, str) for step in self.build}) > 1:
            raise ValueError("build is one command or a list of commands, not both")
        if any(step == () for step in self.build):
            raise ValueError("build has an empty command")
        if len(self.options) > MOST_OPTIONS:
            raise ValueError(f"{len(self.options)} options; allowed are {MOST_OPTIONS}")
        for key in self.options:
            if not re.fullmatch(r"[a-z][a-z0-9_]{0,31}", key):
                raise ValueError(
                    f"option {key!r}: a name has 1 to 32 of a-z 0-9 _, and starts with a letter"
                )
        self._refuse_unplayable()
        if self.protocol is Talk.GRPC and self.ready is ReadyStyle.IMPLIED:
            raise ValueError('ready = "implied" is for protocol = "lines"')

    def _refuse_unplayable(self) -> None:
        """Refuse what names no ruleset of the arena's, or leaves none to play."""
        for name in self.rulesets:
            if name not in PRESETS:
                raise ValueError(
                    f"rulesets: {quote(name)} is none of {', '.join(PRESETS)}"
                    f"{nearest(name, PRESETS)}"
                )
        sizes = sorted({PRESETS[name].seats for name in self.rulesets or PRESETS})
        if self.seats and set(sizes).isdisjoint(self.seats):
            of_which = f" of {', '.join(self.rulesets)}" if self.rulesets else ""
            raise ValueError(
                f"seats: {quote(list(self.seats))} leaves nothing to play; the rulesets{of_which} "
                f"have {' or '.join(map(str, sizes))}"
            )

    @property
    def build_steps(self) -> tuple[Argv, ...]:
        """The commands of the build in order; empty if there is none."""
        words = tuple(step for step in self.build if isinstance(step, str))
        if words:
            return (words,)
        return tuple(step for step in self.build if not isinstance(step, str))

    @property
    def implies_ready(self) -> bool:
        """Whether it need not say Ready."""
        if self.ready is UNSET:
            return self.protocol is Talk.LINES
        return self.ready is ReadyStyle.IMPLIED

    @property
    def is_python(self) -> bool:
        """Whether ``python`` in its commands is the arena's own interpreter.

        So it is where no other language is named: Debian has no ``python`` at all.
        """
        return self.language.lower() == "python" or (not self.language and self.run[0] in PYTHONS)

    def refusal(self, ruleset: Ruleset) -> str | None:
        """Say why this bot does not play a ruleset, or None if it does."""
        base = ruleset.name.partition(":")[0]
        if self.rulesets and base not in self.rulesets:
            return f"bot {self.name} plays {', '.join(self.rulesets)}, not {base}"
        if self.seats and ruleset.seats not in self.seats:
            return f"bot {self.name} plays at {list(self.seats)} seats, not at {ruleset.seats}"
        return None


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a bot's folder.

    Raises:
        ConfigError: There is none, or something in it is wrong.
    """
    file = folder / MANIFEST_NAME
    if not file.is_file():
        raise ConfigError(
            f"{folder}: no {MANIFEST_NAME} in this folder; it needs "
            'name, version and run, for instance run = ["python", "bot.py"]'
        )
    return read_toml(file, Manifest, most_bytes=MOST_BYTES)


def manifest_schema() -> dict[str, Any]:
    """Return the JSON Schema of ``bot.toml``."""
    return msgspec.json.schema(Manifest)
