"""The class that a bot author overrides.

Owns what a bot may decide and its defaults. Must not know sessions or connections beyond
starting one.
"""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, TypeVar

from arena.rules.cards import Card
from arena.sdk.launch import launch
from arena.sdk.match import MatchEnd, MatchInfo
from arena.sdk.options import read_option, read_options
from arena.sdk.view import View

if TYPE_CHECKING:
    from arena.rules.events import Claim
    from arena.rules.ruleset import Signal

Value = TypeVar("Value", str, int, float, bool)


class Bot:
    """A bot: override :meth:`play`; everything else has a sensible default.

    Each seat of a table is a process of its own, and so are the two seats of a side. An
    exception ends the process: the referee sees a crash, the traceback stands in stderr.
    """

    name: ClassVar[str] = ""
    """What the bot calls itself; the name of its class where empty."""
    version: ClassVar[str] = ""
    """Its version; ``bot.toml`` has the one that counts."""
    capacity: int = 1
    """How many tables it can play at once; ``bot.toml`` names the same number."""

    def play(self, view: View) -> Card:
        """Return the card to play: one of ``view.legal``."""
        raise NotImplementedError(f"{type(self).__name__}: override play(view) or play_many(views)")

    def play_many(self, views: Sequence[View]) -> Sequence[Card]:
        """Return a card for each view; views come by time left, shortest first.

        All that the referee asked at once, one view a table, is answered at once. Override
        it to evaluate many positions together.
        """
        return [self.play(view) for view in views]

    def declare(self, view: View) -> "Sequence[Claim]":
        """Return the claims to declare with the card: by default all true ones.

        Asked only where ``view.declarable`` has any.
        """
        return view.declarable

    def signal(self, view: View, card: Card) -> "Signal | None":  # noqa: ARG002 - for authors
        """Return a word of ``view.signals_allowed`` to say with the card: by default none.

        Asked only where one is allowed. Every seat hears it. Where ``view.ruleset.signal_truth``
        is checked, one that is not true of the card is an infraction.
        """
        return None

    def match_started(self, match: MatchInfo) -> None:
        """Get ready for a match: the start allowance runs, no clock of a decision of this match.

        With ``capacity`` above 1 the clocks of other matches may run meanwhile.
        """

    def deal_started(self, view: View) -> None:
        """Look at a new deal: called with this seat's first decision of it, just before."""

    def match_ended(self, match: MatchInfo, end: MatchEnd) -> None:
        """Learn how a match ended."""

    @cached_property
    def options(self) -> Mapping[str, str]:
        """The options of ``bot.toml`` with the values in force, as text."""
        return read_options(os.environ)

    def option(self, key: str, default: Value) -> Value:
        """Return an option as a value of the default's type.

        Raises:
            ConfigError: its text is no such value.
        """
        return read_option(self.options, key, default)

    def run(self) -> None:
        """Play until the referee says goodbye; ``print`` goes to stderr meanwhile.

        Raises:
            SystemExit: 1 when the bot or the connection failed, 2 when the arena did not
                start it or an option is wrong; stderr says what happened and what to do.
        """
        launch(self)
