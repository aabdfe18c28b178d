"""Templates: a new bot's folder, made from a sample bot.

Owns which sample bot stands for which language, and what changes when it becomes somebody's
own: its name, where its proto files lie, its README, its ``.gitignore``. There is no second
copy of a bot to keep up to date. Must not build or start anything. Source: commands.md (``new``).
"""

import json
import re
import shutil
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Final

from arena.bots.manifest import MANIFEST_NAME, read_manifest
from arena.bots.names import problem_of_name
from arena.bots.shipped import PROTO, SAMPLE_BOTS, shipped_folder
from arena.errors import ConfigError, HostFault


class Language(StrEnum):
    """What a new bot may be written in; ``lines`` is a script on stdin and stdout."""

    PYTHON = "python"
    PYTHON_TORCH = "python-torch"
    RUST = "rust"
    GO = "go"
    JAVA = "java"
    CPP = "cpp"
    TYPESCRIPT = "typescript"
    LINES = "lines"


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A sample bot as a template.

    ``made`` are the patterns of what its build makes; ``source`` is the file to change;
    ``has_stubs`` says that its build needs the proto files.
    """

    sample: str
    source: str
    made: tuple[str, ...] = ()
    has_stubs: bool = True


TEMPLATES: Final = MappingProxyType(
    {
        Language.PYTHON: Template(
            sample="python/greedy", source="bot.py", made=("__pycache__/",), has_stubs=False
        ),
        Language.PYTHON_TORCH: Template(
            sample="python/needs_torch/net",
            source="net.py",
            made=("__pycache__/",),
            has_stubs=False,
        ),
        Language.RUST: Template(
            sample="rust/greedy-rust", source="src/main.rs", made=("/target/",)
        ),
        Language.GO: Template(sample="go/greedy-go", source="bot.go", made=("/build/",)),
        Language.JAVA: Template(
            sample="java/greedy-java", source="src/main/java/Bot.java", made=("/target/",)
        ),
        Language.CPP: Template(sample="cpp/greedy-cpp", source="bot.cc", made=("/build/",)),
        Language.TYPESCRIPT: Template(
            sample="typescript/greedy-ts", source="bot.ts", made=("/build/", "/node_modules/")
        ),
        Language.LINES: Template(sample="perl/greedy-perl", source="bot.pl", has_stubs=False),
    }
)

_LEFT_OUT: Final = shutil.ignore_patterns(
    "build", "target", "node_modules", "__pycache__", "*.py[co]", "README.md", ".gitignore"
)
_FAR_PROTO: Final = "../../../proto"
"""Where sample bots look for the proto files when the arena does not build them."""
_PLAYED: Final = "/matches/"
_KEPT: Final = frozenset({".git"})
"""What a folder may hold and still be as good as empty: many begin with ``git init``."""


def write_bot(language: Language, folder: Path) -> Template:
    """Write a whole bot into a folder that does not exist yet, or holds at most ``.git``.

    Its name is the folder's. Where anything fails, the folder is as it was before.

    Raises:
        ConfigError: The folder has something in it, or its name is no name of a bot; or the
            sample bots are not shipped here.
        HostFault: The disk does not take it.
    """
    template = TEMPLATES[language]
    name = folder.absolute().name
    if problem := problem_of_name(name):
        raise ConfigError(
            f"the folder's name becomes the bot's: {problem}; give the folder another, "
            "and the bot what it likes later, in bot.toml"
        )
    sample = shipped_folder(SAMPLE_BOTS) / template.sample
    if not (sample / MANIFEST_NAME).is_file():
        raise ConfigError(f"{sample}: the sample bot that the template is made from is not there")
    try:
        was_there = folder.exists()
        if was_there and (not folder.is_dir() or {path.name for path in folder.iterdir()} - _KEPT):
            raise ConfigError(f"{folder}: exists; name a folder that does not, or an empty one")
        try:
            shutil.copytree(sample, folder, ignore=_LEFT_OUT, dirs_exist_ok=True)
            _rename(folder, read_manifest(sample).name, name)
            if template.has_stubs:
                proto = shipped_folder(PROTO)
                shutil.copytree(proto, folder / PROTO, ignore=_only_messages_of_play)
            (folder / ".gitignore").write_text("\n".join([*template.made, _PLAYED, ""]), "utf-8")
            readme = _readme(name, template, (sample / "README.md").read_text("utf-8"))
            (folder / "README.md").write_text(readme, "utf-8")
            read_manifest(folder)
        except BaseException:
            _take_back(folder, was_there=was_there)
            raise
    except OSError as error:
        raise HostFault(f"{error.filename or folder}: {error.strerror or error}") from error
    return template


def _take_back(folder: Path, *, was_there: bool) -> None:
    """Remove what was written so far."""
    if not was_there:
        shutil.rmtree(folder, ignore_errors=True)
        return
    for path in folder.iterdir():
        if path.name in _KEPT:
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


def _only_messages_of_play(_folder: str, names: list[str]) -> list[str]:
    """Leave out what bots never see: the files of logs."""
    return [name for name in names if name.endswith("log.proto")]


def _rename(folder: Path, old: str, new: str) -> None:
    """Give a copy its own name and the way to its own proto files, wherever they are quoted."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        text = file.read_text("utf-8")
        own = text.replace(_FAR_PROTO, PROTO)
        if file.name == MANIFEST_NAME:
            own = re.sub(
                r"^name = .*$",
                lambda _: f"name = {_quoted(new)}",
                own,
                count=1,
                flags=re.MULTILINE,
            )
            own = re.sub(r"^authors = .*\n", "", own, flags=re.MULTILINE)
            own = re.sub(r"^version = .*$", 'version = "0.1"', own, count=1, flags=re.MULTILINE)
        elif file.name not in ("package.json", "package-lock.json"):  # npm's names are narrower
            own = own.replace(f'"{old}"', _quoted(new))
        if own != text:
            file.write_text(own, "utf-8")


def _quoted(name: str) -> str:
    """Quote a name as TOML and all languages of the templates do: as it is, in UTF-8.

    Quotes and backslashes are all that a name needs escaped; a number for any other character
    would be written otherwise in each language.
    """
    return json.dumps(name, ensure_ascii=False)


def _readme(name: str, template: Template, sample: str) -> str:
    """Keep what the sample's README says of tools and building; the first paragraph is its own."""
    _title, _, body = sample.partition("\n")
    body = re.sub(
        r"^ *arena match (?!-- ).*\n", "", body.replace(_FAR_PROTO, PROTO), flags=re.MULTILINE
    )
    return (
        f"# {name}\n\n"
        f"Change `{template.source}`; then:\n\n"
        "    arena match .       # play greedy\n"
        "    arena check .       # what an organiser's arena would say of it\n\n"
        f"It began as the sample bot `{template.sample}`, of which its README says:\n"
        f"{body.rstrip()}\n"
    )
