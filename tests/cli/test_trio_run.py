"""How commands enter trio: a Ctrl-C ends them, whatever code it comes in."""

import signal

import pytest
import trio

from arena.cli.trio_run import run_trio


def test_a_ctrl_c_is_raised_where_the_commands_own_task_waits_and_nowhere_else() -> None:
    ends: list[str] = []

    async def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)
        ends.append("went on")
        with pytest.raises(trio.Cancelled):
            await trio.sleep_forever()
        ends.append("was cancelled")
        raise AssertionError("what a task raises besides is not lost")

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(interrupted)

    with pytest.raises(BaseExceptionGroup) as raised:
        run_trio(main)
    kinds = {type(error) for error in raised.value.exceptions}
    assert kinds == {KeyboardInterrupt, AssertionError}
    assert ends == ["went on", "was cancelled"]
