"""Views: which files of this machine a bot must see to run at all.

Owns the way from a command's words, a manifest's ``needs`` and the machine's layout to what
is bound, and where. Must not know how it is bound. Source: sandbox.md ("Private folders").

A program outside ``/usr`` brings its *prefix* along, the folder above its ``bin``
(``~/.nvm/versions/node/v20/``, ``/opt/jdk-21/``), at its own path, because such programs look
for their parts beside themselves. A home, or a folder that holds one or the running event,
is never a prefix: then the program's file comes alone. A program of Rust that only stands for
one in a home (``~/.cargo/bin/cargo`` is rustup's) is looked up there: what comes along is the
toolchain, not the home's ``.cargo``, which may hold credentials.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.bots.manifest import Manifest
from arena.errors import ConfigError

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""What every bot sees of the machine's programs."""
_ETC: Final = (
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "perl",
    "maven/m2.conf", "maven/logging",
)  # fmt: skip
_ETC_PATTERNS: Final = ("java*", "mono*", "python3*")
"""Runtimes of Debian keep parts of themselves there; never all of ``/etc``."""
_ASK_S: Final = 10
"""How long rustup may take to say where a program is."""
_ETC_NETWORK: Final = ("resolv.conf", "ssl", "ca-certificates", "nsswitch.conf", "pki", "services")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bind:
    """A file or folder of this machine, and where a bot sees it."""

    source: Path
    place: str
    is_writable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A symbolic link that a bot sees."""

    goal: str
    place: str


def system_view() -> tuple[Bind | Link, ...]:
    """Give the machine's programs: ``/usr`` and the links or folders beside it."""
    found: list[Bind | Link] = []
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            found.append(Link(goal=str(path.readlink()), place=name))
        elif path.is_dir():
            found.append(Bind(source=path, place=name))
    return tuple(found)


def etc_view(*, has_network: bool) -> tuple[Bind, ...]:
    """Give the few parts of ``/etc`` that programs cannot start without."""
    etc = Path("/etc")
    names = [*_ETC, *(_ETC_NETWORK if has_network else ())]
    paths = [etc / name for name in names]
    paths += [path for pattern in _ETC_PATTERNS for path in sorted(etc.glob(pattern))]
    return tuple(Bind(source=path, place=str(path)) for path in paths if path.exists())


def program_view(word: str, folder: Path, hidden: Sequence[Path]) -> Iterator[Bind]:
    """Give what a program outside ``/usr`` needs of itself: its prefix, links resolved.

    Args:
        word: The first word of a command: a name on PATH or a path.
        folder: The bot's folder; what lies in it is seen anyway.
        hidden: Folders that no bot may see into: the event's, the homes.
    """
    if "/" in word and not word.startswith("/"):
        yield from _shebang_view(folder / word, folder, hidden)
        return
    found = shutil.which(word)
    if found is None:
        return
    found = stood_for(found)
    for path in dict.fromkeys((Path(found).absolute(), Path(found).resolve())):
        if not is_system(path):
            prefix = _prefix(path, hidden)
            yield Bind(source=prefix, place=str(prefix))
    yield from _shebang_view(Path(found), folder, hidden)


def needs_view(manifest: Manifest, folder: Path, hidden: Sequence[Path]) -> Iterator[Bind]:
    """Give what a manifest names in ``needs``, at its own paths.

    Raises:
        ConfigError: A path does not exist, or would show a home or the running event.
    """
    for need in manifest.needs:
        path = folder / need
        who = f"bot {manifest.name}: needs {need!r}"
        if not path.exists():
            raise ConfigError(f"{who}, which does not exist")
        for place in dict.fromkeys((Path(os.path.normpath(path.absolute())), path.resolve())):
            if is_private(place, hidden):
                raise ConfigError(
                    f"{who}: {place} holds a home or this event, which no bot may see; "
                    "name what it needs in there"
                )
            if not is_system(place):
                yield Bind(source=place, place=str(place))


def is_system(path: Path) -> bool:
    """Whether every bot sees a path in any case."""
    return any(path.is_relative_to(name) for name in SYSTEM)


def is_private(path: Path, hidden: Sequence[Path]) -> bool:
    """Whether binding a path would show a home or a hidden folder."""
    path = path.absolute()
    secret = (*hidden, Path.home(), Path.home() / ".local", Path("/home"), Path("/root"))
    inside_event = any(path.is_relative_to(folder) for folder in hidden)
    return inside_event or any(folder.is_relative_to(path) for folder in secret)


def search_path(binds: Sequence[Bind], folder: str) -> str:
    """Give PATH: of the arena's own what a bot can see, and the system's."""
    seen = [bind.place for bind in binds if bind.place.startswith("/")]
    own = [
        word
        for word in os.environ.get("PATH", os.defpath).split(":")
        if word.startswith("/")
        and (is_system(Path(word)) or any(Path(word).is_relative_to(place) for place in seen))
    ]
    beside = [f"{place}/bin" for place in seen if Path(place, "bin").is_dir()]
    usual = ["/usr/local/bin", "/usr/bin", "/bin"]
    return ":".join(word for word in dict.fromkeys((*own, *beside, *usual)) if word != folder)


def events_in(folder: Path) -> Iterator[Path]:
    """Find folders of events below a folder, three levels deep, as relative paths."""
    for pattern in ("*", "*/*", "*/*/*"):
        for file in folder.glob(f"{pattern}/event.toml"):
            if (file.parent / "logs").is_dir():
                yield file.parent.relative_to(folder)


def named_files(manifest: Manifest, folder: Path) -> Iterator[Path]:
    """Give the files of a folder that a command names."""
    for word in manifest.run:
        if (folder / word).is_file():
            yield folder / word


def stood_for(program: str) -> str:
    """Give the program of a toolchain that one of rustup's stands for; any other as it is."""
    rustup, name = Path(program).with_name("rustup"), Path(program).name
    if name == "rustup" or not rustup.exists() or not rustup.samefile(program):
        return program
    try:
        asked = subprocess.run(
            [rustup, "which", name], capture_output=True, text=True, timeout=_ASK_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return program  # it will say itself what it lacks
    return asked.stdout.strip() or program


def _prefix(path: Path, hidden: Sequence[Path]) -> Path:
    above = path.parent.parent
    if path.parent.name in ("bin", "sbin") and not is_private(above, hidden):
        return above
    return path


def _shebang_view(file: Path, folder: Path, hidden: Sequence[Path]) -> Iterator[Bind]:
    """Follow the first line of a script to its interpreter."""
    try:
        with file.open("rb") as opened:
            first = opened.readline(256)
    except OSError:
        return
    if first.startswith(b"#!"):
        words = first[2:].decode("utf-8", "replace").split()
        if words and words[0].endswith("/env"):
            words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        if words:
            interpreter = shutil.which(words[0])
            if interpreter is not None and Path(interpreter) != file:
                yield from program_view(words[0], folder, hidden)
