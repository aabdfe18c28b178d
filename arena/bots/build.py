"""Build: from a frozen copy to what runs, once per content hash.

Owns the check of tools before anything starts, the run of a manifest's build in a copy,
its time limit, and the kept output. Must not know matches.

The build runs in ``store/<hash>-built/``, the place from which the bot will run, because
many tools write absolute paths into what they make; ``store/<hash>-built.done`` says that
it is complete, and what it then held: what was changed since is built again. What an earlier
command built of the same is taken from the store of builds (:mod:`arena.bots.build_store`) instead.
Output of step k: ``store/<hash>-build-<k>.log`` (first and last 4 MiB).
A build has the arena's own environment: tools find their proxies, registries and caches
there. A bot in Python gets its ``.pyc`` files: without them it starts 3.7 times slower.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import trio

from arena.bots.build_key import build_key
from arena.bots.build_store import BuildStore
from arena.bots.built_tree import tree_digest
from arena.bots.exits import Exit
from arena.bots.frozen import FrozenBot, content_hash, make_read_only
from arena.bots.kept import KeptProcess, start_kept
from arena.bots.manifest import Argv, Manifest
from arena.bots.sandbox.launch import NO_SANDBOX, Launch, Sandbox, resolve_python
from arena.bots.shipped import PROTO, shipped_folder
from arena.errors import BotFailure, BotTimedOut, ConfigError, HostFault

BUILD_LIMIT_NS = 600 * 1_000_000_000
"""Ten minutes for all steps together."""
BUILD_BYTES = 4 << 30
"""Of all files of a bot, once built."""
_WEIGH_S = 2.0
"""Between two looks at what a build has made: no file system here counts for us."""
_TMP_BYTES = 1 << 30
"""Of a build's ``/tmp`` inside a sandbox."""
_KEEP_BYTES = 4 << 20
_TELL_S = 10.0
"""Between two lines that tell that a build still runs."""
Say = Callable[[str], None]


def unheard(_line: str) -> None:
    """Take a line that nobody waits for."""


_COMPILE = ("python", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", ".")


def missing_tools(manifest: Manifest) -> tuple[str, ...]:
    """Name the executables that the build and the bot need and this machine does not have.

    Only bare names and absolute paths are looked up: a relative path is the bot's own file.
    """
    words = [resolve_python(manifest, argv)[0] for argv in (*manifest.build_steps, manifest.run)]
    outside = [word for word in words if "/" not in word or word.startswith("/")]
    return tuple(dict.fromkeys(word for word in outside if shutil.which(word) is None))


def skip_reason(manifest: Manifest) -> str | None:
    """Say which tools a bot lacks on this machine, or None if it can be built and run."""
    missing = missing_tools(manifest)
    if not missing:
        return None
    whose = f"bots in {manifest.language}" if manifest.language else "such bots"
    tools = ", ".join(repr(word) for word in missing)
    return f"bot {manifest.name} needs {tools}, not found on this machine: {whose} are skipped"


def check_runnable(bot: FrozenBot) -> None:
    """Find before the first match what would keep a built bot from starting.

    Raises:
        ConfigError: An executable, its interpreter, or a path in ``needs`` is missing; the
            message names it.
    """
    who = f"bot {bot.name} ({bot.folder})"
    for need in bot.manifest.needs:
        if not (bot.folder / need).exists():
            raise ConfigError(f"{who}: needs {need!r}, which does not exist")
    word = resolve_python(bot.manifest, bot.run)[0]
    if "/" not in word:
        if shutil.which(word) is None:
            own = bot.folder / word
            hint = f"; the file in its folder is run as './{word}'" if own.is_file() else ""
            raise ConfigError(f"{who}: run = {word!r}: not found on PATH{hint}")
        return
    file = bot.folder / word
    after = " after the build" if bot.manifest.build else ""
    if not file.is_file():
        raise ConfigError(f"{who}: run = {word!r}: no such file{after}")
    if not os.access(file, os.X_OK):
        raise ConfigError(f"{who}: run = {word!r}: is not executable (chmod +x)")
    with file.open("rb") as opened:
        first = opened.readline(256)
    if first.startswith(b"#!"):
        _check_interpreter(f"{who}: run = {word!r}", first[2:].decode("utf-8", "replace").split())


async def build_bot(
    bot: FrozenBot,
    store: Path,
    limit_ns: int = BUILD_LIMIT_NS,
    *,
    sandbox: Sandbox = NO_SANDBOX,
    has_network: bool = True,
    is_lasting: bool = True,
    builds: BuildStore | None = None,
    say: Say = unheard,
) -> FrozenBot:
    """Build a frozen bot unless that was done before; return it with the folder it runs from.

    The steps run inside ``sandbox``; without one, what they may do is not bounded. ``say`` is
    told that a build begins, now and then how long it runs, and when it is done. Where the
    store goes with the command (``is_lasting`` false), the log of a step that failed is copied
    to the folder for temporary files. What ``builds`` keeps of the same build is taken from there,
    and what was built is kept there.

    Raises:
        ConfigError: A tool is missing.
        BotFailure: A step failed; the message ends with its last lines and the log's path.
        BotTimedOut: The steps took longer than ``limit_ns``.
        HostFault: The store cannot be written.
    """
    if bot.folder != store / bot.hash:
        return bot  # a command, or already built
    await trio.to_thread.run_sync(_check_frozen, bot)
    if not (bot.manifest.build_steps or bot.manifest.is_python):
        return bot
    reason = skip_reason(bot.manifest)
    if reason is not None:
        raise ConfigError(reason)
    mark = sandbox.build_mark
    target = store / f"{bot.hash}-{mark}"
    done = store / f"{bot.hash}-{mark}.done"
    built = replace(bot, folder=target)
    workshop = _Workshop(
        built=built,
        store=store,
        sandbox=sandbox,
        has_network=has_network,
        is_lasting=is_lasting,
        say=say,
    )
    try:
        async with _locked(store / f"{bot.hash}-{mark}.lock"):
            if not await trio.to_thread.run_sync(_is_as_built, target, done, say):
                done.unlink(missing_ok=True)
                shelf = await _find_shelf(builds, bot, sandbox, has_network=has_network)
                digest = None if shelf is None else await shelf.take(target)
                if digest is not None:
                    say(f"{bot.name}: built before; taken from the store of builds")
                    built = replace(built, is_built_before=True)
                else:
                    await trio.to_thread.run_sync(_copy_writable, bot.folder, target)
                    await _run_steps(workshop, limit_ns)
                    await trio.to_thread.run_sync(_take_back, target)
                    digest = await trio.to_thread.run_sync(tree_digest, target)
                    if shelf is not None:
                        await shelf.keep(target, digest)
                done.write_text(digest, "ascii")
    except shutil.Error as error:  # what copytree makes of the errors it met
        where, _, why = error.args[0][0]
        raise HostFault(f"{where}: {why}, while building {bot.name}") from error
    except OSError as error:
        where = error.filename or target
        raise HostFault(f"{where}: {error.strerror}, while building {bot.name}") from error
    return built


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shelf:
    """The place of one build in the store of builds."""

    builds: BuildStore
    key: str
    name: str

    async def take(self, target: Path) -> str | None:
        """Take the build from there; give its digest, or None."""
        check = trio.from_thread.check_cancelled
        return await trio.to_thread.run_sync(self.builds.take, self.key, target, check)

    async def keep(self, tree: Path, digest: str) -> None:
        """Keep what was built."""
        check = trio.from_thread.check_cancelled
        await trio.to_thread.run_sync(
            partial(self.builds.keep, self.key, tree, name=self.name, digest=digest, check=check)
        )


async def _find_shelf(
    builds: BuildStore | None, bot: FrozenBot, sandbox: Sandbox, *, has_network: bool
) -> _Shelf | None:
    """Give a build's place in the store; None where it is not to be kept."""
    if builds is None:
        return None
    key = await trio.to_thread.run_sync(partial(build_key, bot, sandbox, has_network=has_network))
    return None if key is None else _Shelf(builds=builds, key=key, name=bot.name)


def _check_frozen(bot: FrozenBot) -> None:
    """See that a frozen copy is still what its name says."""
    if content_hash(bot.folder) != bot.hash:
        raise ConfigError(
            f"{bot.folder}: is no longer the frozen copy of {bot.name} that its name says: files "
            "were changed, added or taken away; put them back, or play a new event"
        )


def _is_as_built(target: Path, done: Path, say: Say) -> bool:
    """Whether a folder is complete and nothing in it was changed since."""
    if not done.is_file():
        return False
    if target.is_dir() and tree_digest(target) == done.read_text("ascii", "replace"):
        return True
    say(f"{target}: was changed after it was built; it is built again from the frozen copy")
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Workshop:
    """Where a bot is built, and what its steps may do."""

    built: FrozenBot
    store: Path
    sandbox: Sandbox
    has_network: bool
    is_lasting: bool
    say: Say


async def _run_steps(workshop: _Workshop, limit_ns: int) -> None:
    built, store = workshop.built, workshop.store
    steps = built.manifest.build_steps
    began = trio.current_time()
    deadline = began + limit_ns / 1e9
    if steps:
        workshop.say(f"building {built.name} (the first time only; may take minutes) …")
    for number, argv in enumerate(steps, start=1):
        log = store / f"{built.hash}-build-{number}.log"
        words = f"{built.name}: step {number} of {len(steps)} ({' '.join(argv)})"
        tell = _teller(workshop.say, words, began)
        process, ended, why = await _run_step(workshop, argv, log, deadline, tell)
        if not ended.is_success:
            kind = BotTimedOut if ended.is_ours and not why else BotFailure
            late = f"took longer than {limit_ns / 1e9:g} s" if ended.is_ours else ended.text
            tail = "".join(f"\n  | {line}" for line in process.output_tail().splitlines())
            place = log if workshop.is_lasting else _copy_of(log)
            raise kind(
                f"bot {built.name}: build step {number} of {len(steps)} ({' '.join(argv)}) "
                f"{why or late}; whole output: {place}; its last lines:{tail or ' none'}"
            )
    if steps:
        workshop.say(f"built {built.name} in {trio.current_time() - began:.0f} s")
    if built.manifest.is_python:
        # What does not compile is no reason to refuse: it may never be imported.
        await _run_step(workshop, _COMPILE, store / f"{built.hash}-build-pyc.log", deadline)


def _copy_of(log: Path) -> Path:
    handle, place = tempfile.mkstemp(prefix="arena-build-", suffix=".log")
    with os.fdopen(handle, "wb") as copy:
        copy.write(log.read_bytes())
    return Path(place)


def _teller(say: Say, words: str, began: float) -> Callable[[], None]:
    """Give what tells from time to time, when called often, that a build still runs."""
    told = began

    def tell() -> None:
        nonlocal told
        now = trio.current_time()
        if now - told >= _TELL_S:
            told = now
            say(f"building {words}, {now - began:.0f} s so far")

    return tell


async def _run_step(
    workshop: _Workshop,
    argv: Argv,
    log: Path,
    deadline: float,
    tell: Callable[[], None] | None = None,
) -> tuple[KeptProcess, Exit, str]:
    """Run a step; give its process, its end, and why it was ended if not for its time.

    ``tell`` is called every few seconds meanwhile.
    """
    built = workshop.built
    launch = Launch(
        manifest=built.manifest,
        argv=argv,
        folder=built.folder,
        env=_proto_folder(),
        scratch=built.folder,
        output=log,
        keep_bytes=_KEEP_BYTES,
        disk_bytes=_TMP_BYTES,
        is_build=True,
        has_network=workshop.has_network,
    )
    fault: HostFault | None = None
    too_large = ""
    async with trio.open_nursery() as nursery:
        try:
            process = start_kept(nursery, workshop.sandbox.command(launch))
        except HostFault as error:  # raised outside: a nursery would wrap it in a group
            fault = error
        else:
            with trio.move_on_at(deadline):
                while process.exit is None:
                    with trio.move_on_after(_WEIGH_S):
                        await process.wait()
                    if tell is not None:
                        tell()
                    if await trio.to_thread.run_sync(_size, built.folder) > BUILD_BYTES:
                        too_large = f"has made more than {BUILD_BYTES >> 20} MiB of files"
                        break
            process.kill()
            ended = await process.wait()
    if fault is not None:
        raise fault
    return process, ended, too_large


def _size(folder: Path) -> int:
    """Add up the bytes of a folder's files, as far as they stay while it looks."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(parent, name).lstat().st_blocks * 512
    return total


def _proto_folder() -> dict[str, str]:
    """Tell a build where the wire's .proto files lie, so that it can make its own stubs."""
    source = shipped_folder(PROTO)
    return {"ARENA_PROTO": str(source)} if source.is_dir() else {}


@asynccontextmanager
async def _locked(file: Path) -> AsyncIterator[None]:
    """Hold a lock against another build of the same content, in this process or another."""
    with file.open("w") as lock:
        take = partial(fcntl.flock, lock, fcntl.LOCK_EX)
        await trio.to_thread.run_sync(take, abandon_on_cancel=True)
        yield


def _copy_writable(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    for parent, _, names in os.walk(target):
        for name in names:
            file = Path(parent, name)
            file.chmod(file.stat().st_mode | 0o200)


def _take_back(target: Path) -> None:
    """Make what was built the arena's own again, and read-only: a build may be another user's."""
    if os.getuid() == 0:
        for parent, folders, names in os.walk(target):
            for name in (*folders, *names):
                os.chown(Path(parent, name), 0, 0, follow_symlinks=False)
        os.chown(target, 0, 0)
    make_read_only(target)


def _check_interpreter(who: str, words: list[str]) -> None:
    is_env = len(words) > 1 and words[0].endswith("/env")
    names = [word for word in words[1:] if not word.startswith("-")] if is_env else words
    if names and shutil.which(names[0]) is None:
        raise ConfigError(f"{who}: its first line names {names[0]!r}, not found on this machine")
