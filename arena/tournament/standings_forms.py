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
2       Every key of 3 but ``comparison``; null where nothing is known of chance; pairings count
        what the standings count. Intervals went beyond what a board can bring, and a comparison
        decided before its last board was provisional until published.
3       Every key that :mod:`arena.tournament.standings_data` writes.
======  ====================================================================================
"""

from collections.abc import Mapping
from typing import Any, Final

from arena.tournament.pairings_data import DIGITS
from arena.tournament.standings_data import SCHEMA, written
from arena.tournament.statistics import CONFIDENCE, FEWEST_CLUSTERS
from arena.tournament.student import student_quantile

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
_WITHOUT_COMPARISON: Final = 2
"""The last schema that does not say what a comparison came to."""

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
    document = _without_comparison({**expected, "schema": schema})
    if schema == _WITHOUT_COMPARISON:
        return written(_unbounded(document, found))
    stages = document["data"]["stages"]
    is_early = "voided" not in _first_of(found)
    if is_early:
        left = [stage["matches_counted"] < stage["matches_planned"] for stage in stages]
        stages = [
            {**stage, "provisional": is_left} for stage, is_left in zip(stages, left, strict=True)
        ]
        document["data"] = {**document["data"], "provisional": any(left)}
    document["data"] = {**document["data"], "stages": stages}
    return written(_unbounded(_like(document, found), found))


def _without_comparison(document: Document) -> dict[str, Any]:
    """Leave out what comparisons came to: to be provisional, matches had but to be left."""
    data = document["data"]
    cut_short = any(
        stage["comparison"] is not None and stage["matches_counted"] < stage["matches_planned"]
        for stage in data["stages"]
    )
    provisional = data["provisional"] or (cut_short and not data["published"])
    stages = [
        {
            **{key: value for key, value in stage.items() if key != "comparison"},
            "provisional": provisional,
        }
        for stage in data["stages"]
    ]
    return {**document, "data": {**data, "provisional": provisional, "stages": stages}}


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


def _unbounded(expected: Any, found: Any) -> Any:
    """Take over the ends of a file's intervals that were not cut off at what a board can bring."""
    match expected, found:
        case dict(), dict() if _is_wider(expected, found):
            return {**expected, "low": found["low"], "high": found["high"]}
        case dict(), dict():
            return {key: _unbounded(value, found.get(key)) for key, value in expected.items()}
        case list(), list() if len(expected) == len(found):
            return [_unbounded(one, other) for one, other in zip(expected, found, strict=True)]
        case _:
            return expected


def _is_wider(expected: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Whether a file's interval is the one that was cut off since."""
    match expected, found:
        case (
            {"mean": float(mean), "standard_error": float(error), "different_boards": int(boards)},
            {"low": float(low), "high": float(high)},
        ) if boards >= FEWEST_CLUSTERS:
            reach = student_quantile(CONFIDENCE, boards - 1)
            slack = (1 + reach) * 10**-DIGITS  # mean and error are rounded
            ends = (
                (expected["low"], low, mean - reach * error),
                (expected["high"], high, mean + reach * error),
            )
            return all(
                then == now or (abs(then - whole) <= slack < abs(now - whole))
                for now, then, whole in ends
            )
        case _:
            return False


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
