"""Probe: one thing that was tried on this machine, and what came of it.

Owns the words of a finding. Must not know what is tried.
"""

from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    """What came of a probe."""

    HOLDS = "holds"
    NOT = "not"
    FACT = "fact"
    """Neither good nor bad: a number to know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A line of ``arena doctor``; ``cure`` where it does not hold and one is known."""

    what: str
    standing: Standing
    found: str
    cure: str = ""


def fact(what: str, found: str) -> Probe:
    """Make a line that only tells."""
    return Probe(what=what, standing=Standing.FACT, found=found)


def verdict(what: str, found: str, *, holds: bool, cure: str = "") -> Probe:
    """Make a line that holds or not; the cure is told only where it does not."""
    standing = Standing.HOLDS if holds else Standing.NOT
    return Probe(what=what, standing=standing, found=found, cure="" if holds else cure)
