"""How commands enter trio: an interrupt ends them, whatever code it comes in."""

import signal
from collections.abc import Awaitable, Callable

import pytest
import trio

from arena.cli.interrupts import interruptible
from arena.cli.trio_run import run_trio
from arena.errors import HostFault

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
Main = Callable[[], Awaitable[object]]


def interrupted(main: Main) -> None:
    """Run it, and see that it ends by an interrupt."""
    with interruptible(), pytest.raises(KeyboardInterrupt):
        run_trio(main)


@pytest.mark.parametrize("number", SIGNALS)
def test_what_runs_when_a_signal_comes_goes_on_to_where_it_waits(number: signal.Signals) -> None:
    ends: list[str] = []

    async def hit() -> None:
        signal.raise_signal(number)
        ends.append("went on")
        try:
            await trio.sleep_forever()
        finally:
            ends.append("was cancelled")

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hit)

    interrupted(main)
    assert ends == ["went on", "was cancelled"]


def test_a_signal_that_comes_before_trio_runs_ends_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    real = trio.run

    def run(main: Main) -> object:
        signal.raise_signal(signal.SIGTERM)
        return real(main)

    monkeypatch.setattr(trio, "run", run)
    interrupted(trio.sleep_forever)


def test_a_signal_outside_trio_is_a_ctrl_c() -> None:
    with interruptible(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)


def test_sigterm_ends_what_a_shell_started_in_its_background_where_ctrl_c_is_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:

        async def main() -> None:
            signal.raise_signal(signal.SIGINT)
            await trio.lowlevel.checkpoint()
            signal.raise_signal(signal.SIGTERM)
            await trio.sleep_forever()

        interrupted(main)
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_breaks_while_all_is_torn_down_is_an_interrupt_too() -> None:
    async def main() -> None:
        signal.raise_signal(signal.SIGINT)
        try:
            await trio.sleep_forever()
        finally:
            raise HostFault("a bot could not be seated")

    interrupted(main)


def test_what_comes_to_its_end_all_the_same_is_done() -> None:
    async def main() -> str:
        signal.raise_signal(signal.SIGINT)
        return "done"

    with interruptible():
        assert run_trio(main) == "done"


def test_an_error_of_its_own_comes_out_as_it_is() -> None:
    async def main() -> None:
        raise HostFault("no processor")

    with interruptible(), pytest.raises(HostFault, match="no processor"):
        run_trio(main)
