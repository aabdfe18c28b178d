"""``arena doctor`` and ``arena qualify``, as an organiser runs them."""

import errno
import json
from pathlib import Path

import pytest

from arena.bots.sandbox import opening
from tests.cli.conftest import RunArena


def test_doctor_prints_a_line_for_each_probe(arena: RunArena) -> None:
    ended = arena("doctor")
    assert ended.status == 0, ended.err
    head, *lines = ended.out.splitlines()
    assert head.split() == ["what", "holds", "found", "cure"]
    assert any(line.startswith("sandbox of a run") for line in lines)
    assert any(line.startswith("clock source") for line in lines)


def test_doctor_gives_its_probes_in_the_envelope(arena: RunArena) -> None:
    ended = arena("doctor", "--json", "--sandbox", "none")
    envelope = json.loads(ended.out)
    assert (envelope["schema"], envelope["kind"]) == (1, "doctor")
    probes = {probe["what"]: probe for probe in envelope["data"]["probes"]}
    assert probes["cores"]["standing"] == "fact"
    assert probes["sandbox of a run"]["standing"] == "not"
    assert "sandbox of a run" in envelope["data"]["not_held"]


@pytest.mark.parametrize("mode", ["required", "landlock"])
def test_doctor_is_bad_where_the_sandbox_asked_for_does_not_hold(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """So that a script may ask before a contest."""
    monkeypatch.setattr(opening, "find_bubblewrap", lambda: None)
    monkeypatch.setattr(opening, "landlock_abi", lambda: 0)
    ended = arena("doctor", "--sandbox", mode)
    assert ended.status == 1
    (row,) = [line for line in ended.out.splitlines() if line.startswith("sandbox of a run")]
    assert "NOT" in row
    assert f"sandbox: {mode}, but" in row
    assert arena("doctor").status == 0, "nothing was asked for"


def test_doctor_goes_on_where_the_disk_is_full(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(opening, "make_kit", refuse)
    monkeypatch.setattr(opening, "find_bubblewrap", lambda: ("/usr/bin/bwrap", frozenset()))
    ended = arena("doctor")
    (row,) = [line for line in ended.out.splitlines() if line.startswith("sandbox of a run")]
    assert "what bots see cannot be written there: No space left on device; make room" in row
    assert any(line.startswith("cores") for line in ended.out.splitlines())


@pytest.mark.parametrize("words", [("doctor", "--attack"), ("qualify",)])
def test_an_attack_whose_required_guards_hold_is_good(
    arena: RunArena, words: tuple[str, ...]
) -> None:
    ended = arena(*words, "--sandbox", "none", "--only", "fair play (lines)", "--json")
    assert ended.status == 0, ended.err
    (line,) = ended.out.splitlines()
    envelope = json.loads(line)
    assert (envelope["schema"], envelope["kind"]) == (1, "attack")
    data = envelope["data"]
    assert set(data) == {"guards", "held", "not_held", "skipped"}
    assert (data["held"], data["not_held"]) == (["fair play (lines)"], [])
    assert "network" in data["skipped"]


def test_an_attack_that_succeeds_is_bad_and_says_what_was_got(arena: RunArena) -> None:
    ended = arena("qualify", "--sandbox", "none", "--only", "network (lines)")
    assert ended.status == 1
    (row,) = [line for line in ended.out.splitlines() if line.startswith("network (lines)")]
    assert "NOT HELD" in row
    assert "STOLEN network: TCP to 127.0.0.1" in row
    assert "0 held, 1 not held" in ended.out


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("doctor", "--only", "network"), "--only goes with --attack only"),
        (
            ("doctor", "--attack", "--only", "x"),
            "no guard 'x'; there are: fair play; fair play (lines); join",
        ),
        (("qualify", "--event", "none.toml"), "none.toml: cannot be read"),
    ],
)
def test_wrong_words_are_one_line(arena: RunArena, words: tuple[str, ...], error: str) -> None:
    ended = arena(*words)
    assert ended.status == 2
    assert error in ended.err
    assert len(ended.err.splitlines()) == 1


def test_an_event_gives_its_resources_and_the_hogs_go_beyond_them(
    arena: RunArena, home: Path
) -> None:
    (home / "cup.toml").write_text(
        'name = "cup"\n[clock]\nlimit_ms = 300\nstart_ms = 5000\n[sandbox]\nmode = "none"\n'
        "[resources]\nmemory = 96\ntasks = 2000\n"
        '[[entrant]]\nbot = "greedy"\n[[entrant]]\nname = "b"\nbot = "greedy"\n'
    )
    words = ("--only", "memory (lines)", "--only", "processes (lines)")
    ended = arena("qualify", "--event", "cup.toml", *words, "--json")
    assert ended.status == 1, "a guard that was asked for was not tried"
    data = json.loads(ended.out)["data"]
    assert (data["held"], data["not_held"]) == (["memory (lines)"], [])
    assert "processes (lines)" in data["skipped"]


def test_an_event_gives_its_clock_and_sandbox(arena: RunArena, home: object) -> None:
    (home / "cup.toml").write_text(  # type: ignore[operator]
        'name = "cup"\n[clock]\nlimit_ms = 300\nstart_ms = 5000\n[sandbox]\nmode = "none"\n'
        '[[entrant]]\nbot = "greedy"\n[[entrant]]\nname = "b"\nbot = "greedy"\n'
    )
    ended = arena(
        "qualify", "--event", "cup.toml", "--only", "time limit, silence (lines)", "--json"
    )
    assert ended.status == 0, ended.err
    assert "sandbox: none" in ended.err
    (guard,) = [g for g in json.loads(ended.out)["data"]["guards"] if g["held"]]
    assert 900 <= guard["elapsed_ms"] < 3000
