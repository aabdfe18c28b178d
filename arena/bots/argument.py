"""BOT: how a command line or an event file names a bot.

Owns the grammar of commands.md: a folder with ``bot.toml``, the name of a shipped bot,
``remote``, or a command after ``--``, which speaks gRPC, or lines if that is said with
``--lines``; ``BOT:key=value,…`` sets options. A folder with
``bot.toml`` goes before a shipped bot of the same plain name. Must not copy, build or start
anything.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from errno import EACCES, ENAMETOOLONG
from pathlib import Path
from types import MappingProxyType

from arena.bots.manifest import MANIFEST_NAME, PYTHONS, Manifest, Talk, read_manifest
from arena.bots.names import LONGEST_NAME, problem_of_name
from arena.bots.options import OptionValue
from arena.bots.sandbox.views import is_system
from arena.bots.shipped import SAMPLE_BOTS, shipped_folder
from arena.bots.strict_toml import nearest
from arena.errors import ConfigError

LONGEST_PATH = 4095
"""Bytes of a path that the system looks up."""
REMOTE = "remote"
"""The bot that runs elsewhere; a folder of this name is ./remote."""
_PREFIXES: Mapping[str, Talk] = MappingProxyType({"-- ": Talk.GRPC, "--lines ": Talk.LINES})
"""What a command begins with where a BOT is one text, and what it speaks."""

_SETTINGS = re.compile(r":([a-z][a-z0-9_]*=.*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class BotChoice:
    """A bot somebody named, with every option decided; nothing is copied yet."""

    manifest: Manifest
    folder: Path
    """The bot's folder; for a command, the folder it was given in or that of its script."""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """A value for each option of the manifest."""
    is_command: bool = False
    is_remote: bool = False
    """Whether it runs elsewhere and joins by itself."""
    hides: str = ""
    """The full name of the shipped bot whose plain name this folder takes: ``perl/low``."""

    @property
    def warning(self) -> str:
        """Say so to who may have meant the other; empty where it hides none."""
        hidden = f"the shipped bot is {self.hides}"
        return f"{self.folder.name}: the folder {self.folder}; {hidden}" if self.hides else ""


def parse_bot(text: str, base: Path, shipped: Mapping[str, Path] | None = None) -> BotChoice:
    """Read a BOT argument.

    Args:
        text: ``greedy``, ``./mybot``, ``./mybot:depth=3,safe=on``, ``-- python mybot.py``,
            ``--lines ./mybot``.
        base: What relative folders start from.
        shipped: Bots known by name; :func:`shipped_bots` if None.

    Raises:
        ConfigError: There is no such bot, its manifest is wrong, or an option is.
    """
    for prefix, talk in _PREFIXES.items():
        if text.startswith(prefix):
            return command_bot(_words(text.removeprefix(prefix)), base, talk)
    if text == REMOTE:
        return _remote_bot(base)
    known = shipped_bots() if shipped is None else shipped
    for name, settings in _splits(text):
        folder = _find(name, base, known)
        if folder is not None:
            choice = replace(choose(folder), hides=_hidden(name, folder, known))
            return set_options(choice, _settings(text, settings))
    raise ConfigError(_not_found(text.partition(":")[0], base, known))


def settings_of(text: str) -> Mapping[str, str]:
    """Read the settings of a BOT by its form alone, whether or not there is such a bot.

    They follow the first colon that ``key=`` follows; a command and ``remote`` have none.
    """
    found = None if is_command(text) else _SETTINGS.search(text)
    parts = found[1].split(",") if found else []
    return {key: value for key, _, value in (part.partition("=") for part in parts)}


def is_command(text: str) -> bool:
    """Whether the text of a BOT is a command, which has no folder of its own."""
    return text.startswith(tuple(_PREFIXES))


def command_text(argv: tuple[str, ...], talk: Talk) -> str:
    """Write a command as the text of a BOT that :func:`parse_bot` reads."""
    prefix = next(prefix for prefix, spoken in _PREFIXES.items() if spoken is talk)
    return f"{prefix}{shlex.join(argv)}"


def _words(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise ConfigError(f"the command {text!r} cannot be split into words: {error}") from None


def choose(folder: Path) -> BotChoice:
    """Choose the bot in a folder, with its default options.

    Raises:
        ConfigError: No manifest, or a wrong one.
    """
    manifest = read_manifest(folder)
    options = {key: option.check(option.default) for key, option in manifest.options.items()}
    return BotChoice(manifest=manifest, folder=folder, options=options)


def command_bot(argv: tuple[str, ...], base: Path, talk: Talk = Talk.GRPC) -> BotChoice:
    """Choose a command (what stands after ``--``) to be run in ``base``.

    A file elsewhere that it names, a script for instance, is run in its own folder: a bot in a
    sandbox sees one folder, and a script looks for its parts beside itself.

    Raises:
        ConfigError: The command is empty.
    """
    if not argv or not all(argv):
        raise ConfigError(
            "after -- comes the command that runs the bot, for instance -- python mybot.py"
        )
    folder, argv = _where_it_is(argv, base)
    is_python = argv[0] in PYTHONS
    manifest = Manifest(
        name=_command_name(argv),
        version="0",
        run=argv,
        protocol=talk,
        language="python" if is_python else "",
    )
    return BotChoice(manifest=manifest, folder=folder, is_command=True)


def _command_name(argv: tuple[str, ...]) -> str:
    """Name a command by its program; of Python by the script or module that it runs."""
    script = ""
    if argv[0] in PYTHONS and "-c" not in argv:
        script = next((word for word in argv[1:] if not word.startswith("-")), "")
    name = Path(script or argv[0]).name[:LONGEST_NAME].strip()
    return "command" if problem_of_name(name) else name


def _where_it_is(argv: tuple[str, ...], base: Path) -> tuple[Path, tuple[str, ...]]:
    """Give the folder in which a command runs, and its words from there."""
    files = {at: base / word for at, word in enumerate(argv) if _is_own_file(at, word, base)}
    whole = base.resolve()
    inside = [file.parent.resolve().is_relative_to(whole) for file in files.values()]
    if not files or (any(inside) and not all(inside)):
        return base, argv  # of two folders only one can be seen
    folder = base if all(inside) else next(iter(files.values())).parent
    words = list(argv)
    for at, file in files.items():
        there = file.parent.resolve()
        if not there.is_relative_to(folder.resolve()):
            return base, argv
        path = there.relative_to(folder.resolve()) / file.name
        words[at] = str(path) if at else f"./{path}"
    return folder, tuple(words)


def _is_own_file(at: int, word: str, base: Path) -> bool:
    """Whether a word names a file that is the author's own, and no program of the machine."""
    is_program = at == 0 and ("/" not in word or word.startswith("/"))
    return not is_program and not is_system(base / word) and _stands(base / word, Path.is_file)


def _remote_bot(base: Path) -> BotChoice:
    manifest = Manifest(name=REMOTE, version="0", run=(REMOTE,))
    return BotChoice(manifest=manifest, folder=base, is_remote=True)


def set_options(choice: BotChoice, settings: Mapping[str, object]) -> BotChoice:
    """Set options: text as on a command line, or typed values as in an event file.

    Raises:
        ConfigError: An option is unknown, or a value does not fit.
    """
    declared = choice.manifest.options
    options = dict(choice.options)
    for key, value in settings.items():
        if key not in declared:
            there = f"it has {', '.join(declared)}" if declared else "it has none"
            raise ConfigError(
                f"bot {choice.manifest.name}: no option {key!r}{nearest(key, declared)} ({there})"
            )
        option = declared[key]
        try:
            options[key] = option.parse(value) if isinstance(value, str) else option.check(value)
        except ConfigError as error:
            raise ConfigError(f"bot {choice.manifest.name}: option {key}: {error}") from None
    return replace(choice, options=options)


def shipped_bots() -> Mapping[str, Path]:
    """Return the sample bots by name.

    A name is that of the folder, ``greedy``; two languages with the same name are
    ``python/greedy`` and ``node/greedy``, and the plain name is left out.
    """
    source = shipped_folder(SAMPLE_BOTS)
    folders = sorted(file.parent for file in source.glob(f"*/*/{MANIFEST_NAME}"))
    names = [folder.name for folder in folders]
    found = {f"{folder.parent.name}/{folder.name}": folder for folder in folders}
    found |= {folder.name: folder for folder in folders if names.count(folder.name) == 1}
    return MappingProxyType(found)


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield each way to read ``text`` as a bot and its settings: a path may hold colons."""
    yield text, ""
    for at, char in enumerate(text):
        if char == ":":
            yield text[:at], text[at + 1 :]


def _find(name: str, base: Path, known: Mapping[str, Path]) -> Path | None:
    if name == REMOTE:
        raise ConfigError("a remote bot has its options where it runs: write just remote")
    if len(name.encode("utf-8", "surrogateescape")) > LONGEST_PATH:
        return None  # the system would not even look for it
    folder = base / name
    # One's own bot before a shipped one, which still goes by its full name.
    if name in known and ("/" in name or not _stands(folder / MANIFEST_NAME, Path.is_file)):
        return known[name]
    return folder if name and _stands(folder, Path.is_dir) else None


def _stands(path: Path, kind: Callable[[Path], bool]) -> bool:
    """Whether a file or folder is there; what the system refuses to look for is not."""
    try:
        return kind(path)
    except OSError as error:
        if error.errno in (ENAMETOOLONG, EACCES):
            return False
        raise


def _hidden(name: str, folder: Path, known: Mapping[str, Path]) -> str:
    shipped = known.get(name, folder)
    if shipped.resolve() == folder.resolve():
        return ""
    return next(word for word in sorted(known, key=len, reverse=True) if known[word] == shipped)


def _settings(text: str, settings: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for part in settings.split(",") if settings else ():
        key, equals, value = part.partition("=")
        if not equals:
            raise ConfigError(f"{text!r}: options are key=value, separated by commas; not {part!r}")
        if key in found:
            raise ConfigError(f"{text!r}: option {key!r} is given twice")
        found[key] = value
    return found


def _not_found(name: str, base: Path, known: Mapping[str, Path]) -> str:
    size = len(name.encode("utf-8", "surrogateescape"))
    if size > LONGEST_PATH:
        return f"no bot {name[:40]!r}…: {size} bytes are too many for a path"
    if _stands(base / name, Path.is_file):
        return f"{name!r} is a file; a bot is a folder with {MANIFEST_NAME}, or a command after --"
    plain = [word for word in known if "/" not in word] or list(known)
    there = f"shipped bots: {', '.join(sorted(plain))}" if plain else "no bots are shipped here"
    hint = nearest(name, known)
    return f"no bot {name!r}: neither a folder in {base} nor a shipped bot{hint} ({there})"
