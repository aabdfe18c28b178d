"""The store of builds: what this user's bots were built to, for the next command that plays them.

Owns a folder of whole built trees, each under its key (:mod:`arena.bots.build_key`), and its
bounds. Must not know bots, how anything is built, nor what a key says. Call it from a worker
thread.

A store is a convenience: what cannot be taken is built, what cannot be kept is not, and neither
is anybody's fault. So nothing here waits for another arena and nothing but ``check`` raises:

- an entry is made beside the others under a name with a dot and renamed when it is whole;
- whoever copies one out, makes one or removes one holds the lock of its file ``lock``; who does
  not get it at once goes without;
- what is taken is a copy, and its digest is compared with that of what was built;
- beyond the bounds the entry goes that was used longest ago.

Copies and no hard links: a link is the same file, and who plays changes its owner and its rights,
so a bot, or whoever tidies a folder of matches, would write into the store.
"""

import contextlib
import errno
import fcntl
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from arena.bots.built_tree import tree_digest
from arena.bots.cache_folder import NoCache, open_cache
from arena.bots.frozen import make_read_only

FOLDER: Final = "builds"
"""Its name in the cache folder."""
MOST_BYTES: Final = 4 << 30
MOST_ENTRIES: Final = 32
_TREE: Final = "tree"
_RECORD: Final = "build.json"
_LOCK: Final = "lock"
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)
Check = Callable[[], object]
"""Called between files; what it raises gives the work up."""


class _Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of an entry; the time of its file is that of its last use."""

    name: str
    """The bot's, for whoever looks."""
    digest: str
    """Of the tree as it was built."""
    size: int
    """Bytes of its files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """How much is kept."""

    entries: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildStore:
    """A store in a folder that exists and is this user's alone."""

    folder: Path
    most_bytes: int = MOST_BYTES
    most_entries: int = MOST_ENTRIES

    def take(self, key: str, target: Path, check: Check) -> str | None:
        """Copy a build to ``target``, whatever lay there; give its tree digest, or None.

        An entry that is not what was built is removed.
        """
        entry = self.folder / key
        with _held(entry, fcntl.LOCK_SH) as is_held:
            if not is_held:
                return None
            try:
                record = _read(entry)
                shutil.rmtree(target, ignore_errors=True)
                _copy(entry / _TREE, target, check)
                make_read_only(target)
                if tree_digest(target) == record.digest:
                    os.utime(entry / _RECORD)
                    return record.digest
            except OSError as error:
                if error.errno in _FULL:
                    return None
            except msgspec.MsgspecError:
                pass  # no record that can be read: as good as none
        self._remove(entry)
        return None

    def keep(self, key: str, tree: Path, *, name: str, digest: str, check: Check) -> None:
        """Keep a copy of what was built to ``tree``, if there is room."""
        with contextlib.suppress(OSError):
            self._tidy()
            size = _size(tree)
            if size > self.most_bytes:
                return
            draft = self._aside()
            draft.mkdir(mode=0o700)
            try:
                with _held(draft, fcntl.LOCK_EX) as is_held:
                    if is_held:
                        _copy(tree, draft / _TREE, check)
                        record = _Record(name=name, digest=digest, size=size)
                        (draft / _RECORD).write_bytes(msgspec.json.encode(record))
                        draft.rename(self.folder / key)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
            self._bound()

    def holdings(self) -> Holdings:
        """Say how much is kept."""
        sizes = [size for _, size, _ in self._entries()]
        return Holdings(entries=len(sizes), size=sum(sizes))

    def _entries(self) -> Iterator[tuple[int, int, Path]]:
        """Yield last use, size and place of each."""
        for entry in self.folder.glob("[!.]*"):
            try:
                yield (entry / _RECORD).stat().st_mtime_ns, _read(entry).size, entry
            except (OSError, msgspec.MsgspecError):
                yield 0, 0, entry  # the first to go

    def _bound(self) -> None:
        """Remove what was used longest ago, as long as there is too much; none that is in use."""
        entries = sorted(self._entries())
        count, size = len(entries), sum(size for _, size, _ in entries)
        for _, own, entry in entries:
            if count <= self.most_entries and size <= self.most_bytes:
                return
            if self._remove(entry):
                count, size = count - 1, size - own

    def _remove(self, entry: Path) -> bool:
        """Remove an entry unless somebody holds it."""
        with _held(entry, fcntl.LOCK_EX) as is_held:
            if is_held:
                with contextlib.suppress(OSError):
                    gone = entry.rename(self._aside())
                    shutil.rmtree(gone, ignore_errors=True)
                    return True
        return False

    def _tidy(self) -> None:
        """Remove the drafts and the rest of removals of arenas that were killed."""
        for draft in self.folder.glob(".*"):
            with _held(draft, fcntl.LOCK_EX) as is_held:
                if is_held:
                    shutil.rmtree(draft, ignore_errors=True)

    def _aside(self) -> Path:
        return self.folder / f".{secrets.token_hex(8)}"


def open_build_store() -> BuildStore | None:
    """Open this user's store, made if need be; None where there is none."""
    try:
        return BuildStore(folder=open_cache(FOLDER))
    except NoCache:
        return None


@contextmanager
def _held(folder: Path, how: int) -> Iterator[bool]:
    """Hold the lock of an entry or a draft; whether it was to be had at once."""
    with contextlib.ExitStack() as stack:
        is_held = False
        with contextlib.suppress(OSError):
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            lock = os.open(folder / _LOCK, flags, 0o600)
            stack.callback(os.close, lock)
            fcntl.flock(lock, how | fcntl.LOCK_NB)
            is_held = True
        yield is_held


def _read(entry: Path) -> _Record:
    return msgspec.json.decode((entry / _RECORD).read_bytes(), type=_Record)


def _copy(source: Path, target: Path, check: Check) -> None:
    """Copy a tree with its rights and times; links stay links. ``target`` must not exist."""
    target.mkdir()
    for parent, folders, names in os.walk(source, onerror=_give_up):
        here = target / Path(parent).relative_to(source)
        links = [name for name in folders if Path(parent, name).is_symlink()]
        for name in set(folders).difference(links):
            (here / name).mkdir()
        for name in (*names, *links):
            check()
            shutil.copy2(Path(parent, name), here / name, follow_symlinks=False)


def _give_up(error: OSError) -> None:
    raise error


def _size(tree: Path) -> int:
    """Add up the lengths of a tree's files, holes too: a copy has none."""
    return sum(
        Path(parent, name).lstat().st_size for parent, _, names in os.walk(tree) for name in names
    )
