"""Silence: what to suspect where a bot on pipes answers and nothing arrives.

Owns the likely causes in words, with the cure in the bot's own language. Must not know
sessions, clocks or what a silence costs. Source: design.md §5, issue "The whole wire" 3
(bots that never flush are told so).
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from arena.bots.manifest import Manifest

FLUSH_CURES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "awk": "fflush() after each print; mawk reads with -W interactive",
        "bash": "a pipeline's last program must flush, as with jq --unbuffered",
        "c": "setvbuf(stdout, NULL, _IOLBF, 0) before the first output",
        "c++": "std::endl, or std::cout << std::flush",
        "cpp": "std::endl, or std::cout << std::flush",
        "jq": "jq --unbuffered",
        "lua": 'io.stdout:setvbuf("line")',
        "perl": "$| = 1",
        "python": "print(..., flush=True)",
        "ruby": "$stdout.sync = true",
    }
)
"""How output reaches the arena line by line, by the language of a manifest or, where it names
none, the program that is run."""

_SHOWN: Final = 60
"""Bytes of a line without an end that are repeated."""


def silence_hint(manifest: Manifest, unfinished: bytes) -> str:
    """Say why nothing that a bot wrote has been a message yet.

    Args:
        manifest: The bot's.
        unfinished: What has come from its stdout since the last end of a line.
    """
    owed = (
        ""
        if manifest.implies_ready
        else 'its bot.toml has ready = "explicit", so it must say {"ready":{"table":N}} once '
        "match_started came; "
    )
    if unfinished:
        begun = unfinished[:_SHOWN].decode(errors="replace")
        return (
            f"{owed}its stdout holds a line that has no end, {begun!a}: end each line with a "
            "newline, and flush it"
        )
    language = manifest.language.lower() or Path(manifest.run[0]).name
    cure = FLUSH_CURES.get(language, "flush after each line")
    return (
        f"nothing has ever come from its stdout: {owed}if it did answer, it does not flush its "
        f"output; the cure: {cure}"
    )
