"""Finish by: when a run of an event is to be over, as the event file says.

Owns the two forms, a time of day with its zone and a duration, and what is left of them at a
moment. Must not know rounds, tables or what follows from them
(:mod:`arena.tournament.time_bound`). Source: issue "Tournaments to trust" (Resume and rule).
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from arena.errors import ConfigError

LONGEST: Final = timedelta(days=366)
"""The longest duration of a run."""
_DURATION: Final = re.compile(
    r"(?:(?P<days>\d{1,3})d)? *(?:(?P<hours>\d{1,4})h)? *"
    r"(?:(?P<minutes>\d{1,6})m)? *(?:(?P<seconds>\d{1,8})s)?"
)
ALLOWED: Final = (
    "a time with its zone, for instance 2026-12-01T18:00:00+01:00, or how long a run may take, "
    'for instance "2h 30m"'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishBy:
    """When a run is to be over; exactly one of the two is given."""

    at: datetime | None = None
    """A time of day, with its zone."""
    within: timedelta | None = None
    """So long after each start."""

    def left_at(self, now: datetime) -> timedelta | None:
        """Say how long a run that starts now may take.

        Args:
            now: With its zone.

        Returns:
            None where the time of day has passed: a run after that goes on unbounded.
        """
        if self.at is None:
            return self.within
        return self.at - now if self.at > now else None

    def __str__(self) -> str:
        """The text that the event file holds."""
        if self.at is not None:
            return self.at.isoformat()
        total = 0 if self.within is None else int(self.within.total_seconds())
        hours, rest = divmod(total, 3_600)
        minutes, seconds = divmod(rest, 60)
        parts = ((hours, "h"), (minutes, "m"), (seconds, "s"))
        return " ".join(f"{count}{unit}" for count, unit in parts if count)


def parse_finish_by(text: str) -> FinishBy:
    """Read a time with its zone (ISO 8601), or a duration in days, hours, minutes and seconds.

    Raises:
        ConfigError: It is neither; the message says what is allowed.
    """
    found = _DURATION.fullmatch(text.strip())
    if found is not None and any(found.groupdict().values()):
        within = timedelta(**{unit: int(count or 0) for unit, count in found.groupdict().items()})
        if not timedelta(seconds=1) <= within <= LONGEST:
            raise ConfigError(
                f"finish_by: {text!r} is not allowed; a run may take from 1s to {LONGEST.days}d"
            )
        return FinishBy(within=within)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"finish_by: {text!r} is not allowed; allowed: {ALLOWED}") from None
    if at.tzinfo is None:
        raise ConfigError(f"finish_by: {text!r} lacks its zone; allowed: {ALLOWED}")
    return FinishBy(at=at)
