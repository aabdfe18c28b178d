"""From the environment to an exit status: one run of a bot process.

Owns what stands between ``Bot.run`` and the connection: the address and token, where
``print`` goes, and what is said when something is missing or fails; ``--demo`` is handed to
:mod:`arena.sdk.demo`. Must not know frames.
"""

import contextlib
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.errors import ArenaError, ConfigError
from arena.sdk.demo import DEMO, play_demo
from arena.sdk.local import SCHEME, converse_locally
from arena.sdk.session import Session

if TYPE_CHECKING:
    from arena.sdk.bot import Bot

FAILED: Final = 1
WRONG_START: Final = 2
INTERRUPTED: Final = 130
_KIT: Final = f"{Path(__file__).parent}{os.sep}"
"""How the file names of the kit's own code begin."""


def launch(bot: "Bot") -> None:
    """Play until Goodbye; see :meth:`arena.sdk.Bot.run`."""
    if DEMO in sys.argv[1:] and "ARENA_ADDRESS" not in os.environ:
        try:
            play_demo(sys.argv)
        except ConfigError as error:
            _end(WRONG_START, str(error))
    # Stdout may carry the protocol (bots that speak lines); a bot's prints are its log.
    with contextlib.redirect_stdout(sys.stderr):
        try:
            address, token = _required("ARENA_ADDRESS"), _required("ARENA_TOKEN")
            _converse(address, Session(bot, token), is_busy=bot.capacity > 1)
        except ConfigError as error:
            _end(WRONG_START, str(error))
        except ArenaError as error:
            if error.__cause__ is not None:
                _show(error.__cause__)
            _end(FAILED, str(error))
        except KeyboardInterrupt:
            _end(INTERRUPTED, "interrupted")


def _show(error: BaseException) -> None:
    """Print the traceback from the author's code on; the way to it through the kit is nobody's."""
    step = error.__traceback__
    while step is not None and step.tb_frame.f_code.co_filename.startswith(_KIT):
        step = step.tb_next
    if step is not None:
        traceback.print_exception(error.with_traceback(step))


def _converse(address: str, session: Session, *, is_busy: bool) -> None:
    """Take the way that leads to the referee; gRPC's own is loaded only where it is needed."""
    if address.startswith(SCHEME):
        converse_locally(address, session, is_busy=is_busy)
        return
    import asyncio  # noqa: PLC0415 - with grpc, most of the start of a bot

    from arena.sdk.connection import converse  # noqa: PLC0415

    asyncio.run(converse(address, session, is_busy=is_busy))


def _required(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise ConfigError(
            f"{name} is not set: the arena sets it when it starts a bot, but for one whose "
            'bot.toml has protocol = "lines": this kit speaks gRPC. To play a match: '
            f"arena match {Path(sys.argv[0]).parent}, or python {Path(sys.argv[0]).name} {DEMO}"
        )
    return value


def _end(status: int, text: str) -> None:
    sys.stderr.write(f"arena.sdk: {text}\n")
    sys.exit(status)
