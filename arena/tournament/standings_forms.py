"""Earlier forms of ``standings.json``: what each schema held, so that old files stay readable.

Owns turning the standings that results come to into the form of a file that is there. Must not
read files nor judge. Source: record.md ("Standings").

======  ====================================================================================
schema  what it holds
======  ====================================================================================
1       As first written. Keys were added while it kept this number, so a file may lack any of
        those below; before the lists of ruled matches came, ``provisional`` said whether
        matches were left. A spread of nothing was an interval without width, or an Elo
        error of 0, and pairings counted annulled matches.
2       Every key that :mod:`arena.tournament.standings_data` writes; null where nothing is
        known of chance; pairings count what the standings count.
======  ====================================================================================
"""

from collections.abc import Mapping
from typing import Any, Final

from arena.tournament.standings_data import SCHEMA, written

_CAME_LATER: Final = frozenset(
    {
        "published",
        "forfeit_cost",
        "forfeit_credit",
        "rounds_complete",
        "rounds_planned",
        "rank_by",
        "tie_breaks",
        "for_information",
        "voided",
        "replayed",
        "adjusted",
        "awarded",
        "pairings",
        "criteria",
        "first_probability",
        "separated",
        "suspended",
        "disqualified",
        "repeats",
    }
)
"""Keys that a file of schema 1 may lack."""
_FIRST: Final = 1

Document = Mapping[str, Any]
"""A JSON object."""


def in_form_of(found: Document, expected: Document) -> bytes | None:
    """Write standings as the arena wrote them that made a file.

    Args:
        found: What the file holds.
        expected: What :func:`arena.tournament.standings_data.standings_json` writes today.

    Returns:
        None where the file is of no known schema.
    """
    schema = found.get("schema")
    if type(schema) is not int or not _FIRST <= schema <= SCHEMA:
        return None
    if schema == SCHEMA:
        return written(expected)
    document = {**expected, "schema": schema}
    stages = document["data"]["stages"]
    is_early = "voided" not in _first_of(found)
    if is_early:
        left = [stage["matches_counted"] < stage["matches_planned"] for stage in stages]
        stages = [
            {**stage, "provisional": is_left} for stage, is_left in zip(stages, left, strict=True)
        ]
        document["data"] = {**document["data"], "provisional": any(left)}
    document["data"] = {**document["data"], "stages": stages}
    return written(_like(document, found))


def charges_otherwise(found: Document, expected: Document) -> bool:
    """Whether forfeits had another price when a file was written, and there are some.

    Such standings cannot be worked out any more.
    """
    stages = expected["data"]["stages"]
    has_forfeits = any(line["forfeits"] for stage in stages for line in stage["entrants"])
    return has_forfeits and "forfeit_cost" not in _first_of(found)


def _first_of(found: Document) -> Document:
    """Give the first stage of a file, which may hold anything."""
    match found.get("data"):
        case {"stages": [dict(stage), *_]}:
            return stage
        case _:
            return {}


def _like(expected: Any, found: Any, key: str = "") -> Any:
    """Leave out what a file lacks because it came later."""
    match expected, found:
        case dict(), dict():
            if {"first", "second", "matches"} <= expected.keys() & found.keys():
                expected = {**expected, "matches": found["matches"]}
            return {
                name: _like(value, found.get(name), name)
                for name, value in expected.items()
                if name in found or name not in _CAME_LATER
            }
        case list(), list():
            if key == "pairings":
                expected = _with_annulled(expected, found)
            if len(expected) != len(found):
                return expected
            return [_like(one, other) for one, other in zip(expected, found, strict=True)]
        case None, {"standard_error": 0.0, "mean": mean, "low": low, "high": high}:
            return found if mean == low == high else None
        case None, 0.0 if key == "elo_error":
            return found
        case _:
            return expected


def _with_annulled(expected: list[Any], found: list[Any]) -> list[Any]:
    """Add the pairs of a file that have no board which counts, as pairs of annulled matches."""
    known = {(one["first"], one["second"]): one for one in expected}
    pairs = [
        (str(one.get("first")), str(one.get("second"))) for one in found if isinstance(one, dict)
    ]
    if len(pairs) != len(found) or not known.keys() <= set(pairs):
        return expected
    return [
        known.get(pair, one if one.get("points") is None else None)
        for pair, one in zip(pairs, found, strict=True)
    ]
