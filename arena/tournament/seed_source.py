"""Seed source: what an event's cards follow from, and what goes with what.

Owns the closed list and the refusals. Must not know seeds. Source: design.md §6 ("The seed").
"""

from collections.abc import Sequence
from enum import StrEnum

from arena.errors import ConfigError


class SeedSource(StrEnum):
    """Where the chance of an event comes from."""

    SYSTEM = "system"
    """The operating system, at the first start."""
    PUBLIC = "public"
    """A secret of the operating system, committed to first, and a text that public chance
    gives later: nobody can choose the cards, nobody can know them."""


def check_seed(
    source: SeedSource, *, seed: str | None, deals: Sequence[str], practice: bool
) -> None:
    """Refuse a text for a seed and chosen cards outside practice, and with public chance.

    Raises:
        ConfigError: The message names the key.
    """
    if seed is not None and not practice:
        raise ConfigError(
            f"seed: {seed!r} is a text that may be guessed from one hand of cards, "
            "so it is allowed only with practice = true; "
            "leave it out to draw the seed from the operating system"
        )
    if deals and not practice:
        raise ConfigError(
            "deals: cards that the organiser chooses are allowed only with practice = true; "
            "leave them out to deal from the seed"
        )
    if source is SeedSource.PUBLIC and (seed is not None or deals):
        key = "deals" if deals else "seed"
        raise ConfigError(
            f'seed_source: "public" and {key} exclude each other: the public text comes with '
            f"arena run --public-text, after the start; leave {key} out"
        )
