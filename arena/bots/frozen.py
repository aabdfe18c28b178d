r"""Frozen copies: exactly what was entered, under the hash of its content.

Owns the content hash and the read-only copy in a store. Must not build or start anything.
Call its functions from a worker thread while matches play: they read whole folders.

**Content hash**: SHA-256 over ``b"tressette bot v1\\0"`` and then, for each file in the
order of its relative path (POSIX form, as bytes): the path in UTF-8, a zero byte, ``x`` or
``-`` (executable by its owner or not), the length as eight bytes big-endian, the content.
Empty folders, owners and times do not enter. Left out, because they are made again or are
nobody's source: names in :data:`LEFT_OUT`, files that end in ``.pyc`` or ``.pyo``, and
folders of events (with ``event.toml`` and ``logs/``).
"""

import contextlib
import hashlib
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.bots.argument import BotChoice
from arena.bots.manifest import Manifest
from arena.bots.options import OptionValue
from arena.errors import ConfigError, HostFault

LEFT_OUT = frozenset(
    {
        "__pycache__", ".git", ".hg", ".svn", ".DS_Store", ".venv", "venv", "node_modules",
        "target", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".idea", ".vscode",
    }
)  # fmt: skip
"""Files and folders of these names are neither hashed nor copied, at any depth."""

MOST_FILES = 20_000
"""Files and folders of a bot at most; links can make a small folder endless."""
MOST_BYTES = 1 << 30
"""Of all its files together."""
MOST_DEPTH = 64
"""Folders in one another: a path that is longer fits into no store."""

_HASH_PREFIX = b"tressette bot v1\0"
_CHUNK_BYTES = 1 << 20
_SLIM = "; a bot may have no more; large data may lie elsewhere, named in `needs`"

Check = Callable[[], object]
"""Called between small pieces of the work; what it raises gives the work up."""


def _go_on() -> None:
    """Never give up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenBot:
    """A bot as it will run: a copy nobody edits, its hash, its options."""

    manifest: Manifest
    hash: str
    """Content hash, 64 hex digits: with the name, the bot's identity."""
    folder: Path
    """Where it runs: the frozen or the built copy (the caller's folder for a command)."""
    options: Mapping[str, OptionValue]
    is_command: bool = False
    is_remote: bool = False
    """Whether it runs elsewhere, and nothing of it is here."""
    is_built_before: bool = False
    """Whether what runs was taken from the store of builds, so that no build was tried."""

    @property
    def name(self) -> str:
        """The name in its manifest."""
        return self.manifest.name

    @property
    def version(self) -> str:
        """The version in its manifest."""
        return self.manifest.version

    @property
    def run(self) -> tuple[str, ...]:
        """The command as its manifest has it (see ``process.command_of`` for what runs)."""
        return self.manifest.run


def content_hash(folder: Path, check: Check = _go_on) -> str:
    """Return the content hash of a folder (64 hex digits; the module says of what).

    Raises:
        ConfigError: A link leaves the folder or runs in a circle, something in it is
            neither file nor folder, it is larger than is allowed (:data:`MOST_FILES`,
            :data:`MOST_BYTES`, :data:`MOST_DEPTH`), or it changes meanwhile.
        HostFault: Something in it cannot be read.
    """
    digest = hashlib.sha256(_HASH_PREFIX)
    try:
        for name, file in _files(folder, check):
            mark = b"x" if _is_executable(file) else b"-"
            _take_file(digest, os.fsencode(name) + b"\0" + mark, file, check)
    except OSError as error:
        where = error.filename or folder
        raise HostFault(f"{where}: cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def freeze(choice: BotChoice, store: Path, check: Check = _go_on) -> FrozenBot:
    """Copy a chosen bot to ``store/<hash>/``, read-only; a copy that exists is used again.

    A bot given as a command has no folder of its own: its hash covers the words of the
    command and those files among them that exist, and nothing is copied.

    Raises:
        ConfigError: See :func:`content_hash`; or the folder changed while it was read; or
            it holds what only a build may make.
        HostFault: The store cannot be written, or something cannot be read.
    """
    if choice.is_command:
        return FrozenBot(
            manifest=choice.manifest,
            hash=_command_hash(choice.manifest.run, choice.folder, check),
            folder=choice.folder,
            options=choice.options,
            is_command=True,
        )
    _refuse_unbuilt(choice)
    digest = content_hash(choice.folder, check)
    target = store / digest
    if not target.is_dir():
        _copy(choice.folder, target, digest, check)
    return FrozenBot(manifest=choice.manifest, hash=digest, folder=target, options=choice.options)


def make_read_only(folder: Path) -> None:
    """Take the right to write from every file; folders keep it, so that they can be deleted.

    Anybody may read them, whatever the umask was: in a sandbox a bot may be another user.
    """
    for parent, _, names in os.walk(folder):
        Path(parent).chmod(0o755)
        for name in names:
            file = Path(parent, name)
            if not file.is_symlink():
                file.chmod(0o555 if _is_executable(file) else 0o444)


def _copy(source: Path, target: Path, digest: str, check: Check) -> None:
    draft = target.with_name(f".{secrets.token_hex(8)}")
    try:
        draft.mkdir(parents=True)
        for name, file in _files(source, check):
            check()
            copy = draft / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
            copy.chmod(0o555 if _is_executable(file) else 0o444)
        make_read_only(draft)
        if content_hash(draft, check) != digest:
            raise ConfigError(f"{source}: changed while it was being copied; try again")
        try:
            draft.rename(target)
        except OSError:
            if not target.is_dir():  # else another arena has just made the same copy
                raise
    except OSError as error:
        where = error.filename or target
        raise HostFault(f"{where}: {error.strerror}, while freezing {source}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _take_file(digest: "hashlib._Hash", head: bytes, file: Path, check: Check) -> None:
    """Add a file to a hash, piece by piece: head, length, content."""
    with file.open("rb") as opened:
        size = left = os.fstat(opened.fileno()).st_size
        digest.update(head + size.to_bytes(8, "big"))
        while piece := opened.read(_CHUNK_BYTES):
            check()
            digest.update(piece)
            left -= len(piece)
            if left < 0:
                break
    if left:
        raise ConfigError(f"{file}: changed while it was being read; try again")


def _files(folder: Path, check: Check) -> Iterator[tuple[str, Path]]:
    """Yield (relative POSIX path, file to read) in the order in which they are hashed."""
    root = folder.resolve()
    found: dict[str, Path] = {}
    total = 0
    for count, (name, path, size) in enumerate(_walk(root, "", root, ()), start=1):
        check()
        if count > MOST_FILES:
            raise ConfigError(f"{folder}: more than {MOST_FILES} files and folders{_SLIM}")
        if size is None:
            continue
        found[name] = path
        total += size
        if total > MOST_BYTES:
            raise ConfigError(f"{folder}: more than {MOST_BYTES} bytes in its files{_SLIM}")
    yield from sorted(found.items(), key=lambda item: os.fsencode(item[0]))


def _walk(
    root: Path, prefix: str, folder: Path, above: tuple[Path, ...]
) -> Iterator[tuple[str, Path, int | None]]:
    """Yield relative path, place and size of every file; a folder has no size."""
    if len(above) > MOST_DEPTH:
        raise ConfigError(f"{folder}: more than {MOST_DEPTH} folders in one another")
    with os.scandir(folder) as scan:
        entries = list(scan)
    for entry in entries:
        if entry.name in LEFT_OUT or entry.name.endswith((".pyc", ".pyo")):
            continue
        if Path(entry, "event.toml").is_file() and Path(entry, "logs").is_dir():
            continue  # what was played from inside the bot's folder
        name = prefix + entry.name
        path = Path(entry.path)
        if entry.is_symlink():
            path = _resolve_link(root, path, (*above, folder))
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            yield name, path, None
            yield from _walk(root, f"{name}/", path, (*above, folder))
        elif stat.S_ISREG(status.st_mode):
            yield name, path, status.st_size
        else:
            raise ConfigError(f"{entry.path}: is neither a file nor a folder; take it out")


def _resolve_link(root: Path, link: Path, above: tuple[Path, ...]) -> Path:
    try:
        goal = link.resolve(strict=True)
    except (OSError, RuntimeError):
        raise ConfigError(f"{link}: a link to {link.readlink()}, which does not exist") from None
    if not goal.is_relative_to(root):
        raise ConfigError(
            f"{link}: a link to {goal}, which is outside the bot's folder; "
            f"put a copy in its place, or name the path in `needs`"
        )
    if goal in above:
        raise ConfigError(f"{link}: a link to a folder that it lies in")
    return goal


def _refuse_unbuilt(choice: BotChoice) -> None:
    made = [name for name in ("node_modules", "target") if (choice.folder / name).is_dir()]
    if made and not choice.manifest.build:
        raise ConfigError(
            f"{choice.folder}: {made[0]} is not copied, because a build makes it, but bot.toml "
            f'has no `build`; name the command, for instance build = ["npm", "ci"]'
        )


def _command_hash(argv: tuple[str, ...], folder: Path, check: Check) -> str:
    digest = hashlib.sha256(_HASH_PREFIX)
    for word in argv:
        head = os.fsencode(word) + b"\0"
        file = folder / word
        if _is_readable_file(file):
            _take_file(digest, head, file, check)
        else:
            digest.update(head + bytes(8))
    return digest.hexdigest()


def _is_readable_file(file: Path) -> bool:
    """Whether a word of a command names a file; a pipe or /dev/zero has no content to hash."""
    with contextlib.suppress(OSError):  # for instance too long for a name
        return file.is_file() and os.access(file, os.R_OK)
    return False


def _is_executable(file: Path) -> bool:
    return bool(file.stat().st_mode & stat.S_IXUSR)
