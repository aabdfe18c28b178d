"""The game as arrays, for programs that learn; needs the extra ``rl``.

:class:`VectorDeals` steps many deals at once; :func:`environment` is one deal as a PettingZoo
environment. What a seat sees is laid out as :mod:`arena.sdk.encode` says, so that a policy
trained here plays as a bot there.

Owns the numbers and nothing of the game: tests hold every step equal to :mod:`arena.rules`.
Must not know the referee, bots or files. Everything is loaded when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from arena.errors import ConfigError

if TYPE_CHECKING:
    from arena.rl.aec import DealEnvironment, environment
    from arena.rl.deals import Step, VectorDeals

__all__ = ["DealEnvironment", "Step", "VectorDeals", "environment"]

_ROOMS: Final = {
    "DealEnvironment": "arena.rl.aec",
    "Step": "arena.rl.deals",
    "VectorDeals": "arena.rl.deals",
    "environment": "arena.rl.aec",
}


def __getattr__(name: str) -> object:
    """Load a name when it is first asked for.

    Raises:
        ConfigError: a library of the extra is not installed.
    """
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        room = import_module(_ROOMS[name])
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"arena.rl needs {error.name}, which is not installed: "
            "pip install 'tressette-arena[rl]'"
        ) from None
    return getattr(room, name)
