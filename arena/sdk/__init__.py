"""The kit of a bot author who writes Python.

Override :meth:`Bot.play` and call :meth:`Bot.run`; ``arena match FOLDER`` does the rest::

    from arena.sdk import Bot, Card, View

    class MyBot(Bot):
        def play(self, view: View) -> Card:
            return view.legal[0]

    if __name__ == "__main__":
        MyBot().run()

Owns the bots' side of the conversation and a view of what a seat knows. Imports only the
stubs, the game and gRPC; must not know the referee, so that a bot needs nothing else. The
names that few bots need are loaded when they are first asked for: a bot starts faster.
"""

from typing import TYPE_CHECKING

from arena.rules.cards import CARDS, Card, Rank, Suit
from arena.sdk.bot import Bot
from arena.sdk.encode import encode
from arena.sdk.match import MatchEnd, MatchInfo
from arena.sdk.view import Trick, View

if TYPE_CHECKING:
    from arena.rules.events import Claim, ClaimKind, DeclarationMade, SignalMade
    from arena.rules.ruleset import Ruleset, Signal

__all__ = [
    "CARDS",
    "Bot",
    "Card",
    "Claim",
    "ClaimKind",
    "DeclarationMade",
    "MatchEnd",
    "MatchInfo",
    "Rank",
    "Ruleset",
    "Signal",
    "SignalMade",
    "Suit",
    "Trick",
    "View",
    "encode",
]


def __getattr__(name: str) -> object:
    """Load a value type of the rules when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from arena.sdk import decoded  # noqa: PLC0415 - costs 10 ms that most bots never need

    return getattr(decoded, name)
