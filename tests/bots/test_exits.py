"""How a process ended is told in words its author can use."""

import signal

import pytest

from arena.bots.exits import Exit, ExitKind, parse_report


def read(report: bytes, *, is_ours: bool = False) -> Exit:
    return parse_report(report, command="./bot", elapsed_ns=1_234_000_000, is_ours=is_ours)


@pytest.mark.parametrize(
    ("report", "text"),
    [
        (b"exited 0 5 6\n", "exited with status 0 after 1.23 s"),
        (b"exited 3 5 6\n", "exited with status 3 after 1.23 s"),
        (b"exited 127 5 6\n", "exited with status 127 after 1.23 s (a shell did not find the"),
        (b"signalled 11 5 6\n", "was ended by SIGSEGV after 1.23 s (it touched memory"),
        (b"signalled 9 5 6\n", "was ended by SIGKILL after 1.23 s (somebody killed it"),
        (b"signalled 15 5 6\n", "was ended by SIGTERM after 1.23 s"),
        (b"signalled 99 5 6\n", "was ended by signal 99 after 1.23 s"),
        (
            b"refused 2\nexited 127 1 1\n",
            "could not be started: './bot': No such file or directory",
        ),
        (b"", "was lost after 1.23 s"),
        (b"lost\n", "was lost after 1.23 s"),
        (b"nonsense x\n", "was lost after 1.23 s"),
        (b"exited x\n", "was lost after 1.23 s"),
    ],
)
def test_each_end_has_its_words(report: bytes, text: str) -> None:
    assert read(report).text.startswith(text)


def test_an_end_by_the_arena_is_not_blamed_on_the_system() -> None:
    assert read(b"signalled 9 5 6\n", is_ours=True).text == "was ended by the arena after 1.23 s"
    assert "SIGSEGV" in read(b"signalled 11 5 6\n", is_ours=True).text


def test_a_report_tells_what_was_used() -> None:
    ended = read(b"signalled 9 1500 2048\n")
    assert (ended.kind, ended.value) == (ExitKind.SIGNALLED, signal.SIGKILL)
    assert (ended.cpu_us, ended.peak_kib) == (1500, 2048)


def test_only_status_0_is_success() -> None:
    assert read(b"exited 0 1 1\n").is_success
    for report in (b"exited 1 1 1\n", b"signalled 0 1 1\n", b"refused 0\n", b""):
        assert not read(report).is_success
