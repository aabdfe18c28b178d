"""What is suspected where a bot on pipes answers and nothing arrives."""

import pytest

from arena.bots.manifest import Manifest, ReadyStyle, Talk
from arena.bots.silence import silence_hint


def speaker(language: str = "", ready: ReadyStyle = ReadyStyle.IMPLIED) -> Manifest:
    return Manifest(
        name="x", version="1", run=("x",), language=language, protocol=Talk.LINES, ready=ready
    )


@pytest.mark.parametrize(
    ("language", "cure"),
    [
        ("awk", "fflush()"),
        ("c", "setvbuf(stdout, NULL, _IOLBF, 0)"),
        ("c++", "std::endl"),
        ("cpp", "std::endl"),
        ("C++", "std::endl"),
        ("lua", 'setvbuf("line")'),
        ("python", "flush=True"),
        ("perl", "$| = 1"),
        ("ruby", "$stdout.sync = true"),
        ("bash", "jq --unbuffered"),
        ("jq", "jq --unbuffered"),
        ("java", "flush after each line"),
        ("", "flush after each line"),
    ],
)
def test_every_language_has_its_cure(language: str, cure: str) -> None:
    assert cure in silence_hint(speaker(language), b"")


def test_the_program_that_is_run_stands_for_a_language_that_is_not_named() -> None:
    manifest = Manifest(name="x", version="1", run=("/usr/bin/perl", "x"), protocol=Talk.LINES)
    assert "$| = 1" in silence_hint(manifest, b"")


def test_a_line_that_was_begun_is_shown_and_no_flush_is_blamed() -> None:
    hint = silence_hint(speaker("perl"), b'{"answer":\xff' + b"x" * 100)
    assert hint.startswith('its stdout holds a line that has no end, \'{"answer":\\ufffdxxx')
    assert "newline" in hint
    assert "$| = 1" not in hint
    assert len(hint) < 200


@pytest.mark.parametrize("unfinished", [b"", b"ready"])
def test_a_ready_that_is_owed_is_named_first(unfinished: bytes) -> None:
    owed = 'its bot.toml has ready = "explicit"'
    assert owed in silence_hint(speaker(ready=ReadyStyle.EXPLICIT), unfinished)
    assert owed not in silence_hint(speaker(), unfinished)
