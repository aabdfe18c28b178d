"""Every value of ``stats_oracle.json`` is compared with by a test, or left out for a reason."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.tournament.rating import test_methods, test_oracle

NOT_COMPARED = {
    "about": "words",
    "versions": "words",
    "conventions": "words",
    "what": "words",
    "printed": "its digits stand beside it, by name",
    "names": "of the rows and columns of wins",
    "elo_scale": "words",
    "speed": "of other programs",
    "max_llr_difference_fastchess_vs_exact": "of another program's approximation",
    "llr_penta": "another program's approximation: the exact one is compared",
    "llr_wdl": "another program's approximation: the exact one is compared",
    "games": "the sum of wins, draws and losses",
    "draw_ratio": "not offered",
    "draw_ratio_penta": "not offered",
    "pairs_ratio": "not offered",
    "wl_dd_ratio": "not offered",
    "ptnml_middle_split": "not offered: the middle is one count",
    "choix_ilsr_elo_centred": "a less exact estimate of scipy_mle_elo_centred",
    "trueskill_0.4.5": "not offered",
}
"""Keys that no test reads, and why."""

Path = tuple[str | int, ...]


class Watched(dict[str, Any]):
    """An object of the oracle that notes which of its leaves are read."""

    def __init__(self, value: dict[str, Any], path: Path, read: set[Path]) -> None:
        super().__init__({key: watched(inner, (*path, key), read) for key, inner in value.items()})
        self._path, self._read = path, read

    def __getitem__(self, key: str) -> Any:
        """Read a key; a list is read as a whole."""
        value = super().__getitem__(key)
        if not isinstance(value, dict):
            self._read.update(leaves(value, (*self._path, key)))
        return value

    def get(self, key: str, default: Any = None) -> Any:
        """Read a key that may be missing."""
        if key not in self:
            return default
        return self[key]


def watched(value: Any, path: Path, read: set[Path]) -> Any:
    """Watch every object within a value of the oracle."""
    match value:
        case dict():
            return Watched(value, path, read)
        case list():
            return [watched(inner, (*path, place), read) for place, inner in enumerate(value)]
        case _:
            return value


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """List the paths of all numbers and texts; those in objects of a list are its objects' own."""
    match value:
        case dict():
            for key, inner in value.items():
                yield from leaves(inner, (*path, key))
        case list() if any(isinstance(inner, dict) for inner in value):
            for place, inner in enumerate(value):
                yield from leaves(inner, (*path, place))
        case _:
            yield path


def is_left_out(path: Path, oracle: dict[str, Any]) -> bool:
    """Whether a leaf lies under a key that is not compared, or in a model that is not offered."""
    value: Any = oracle
    for step in path:
        value = value[step]
        if isinstance(value, dict) and dict.get(value, "model") == "bayesian":
            return True
    return any(step in NOT_COMPARED for step in path)


def test_every_value_of_the_oracle_is_compared_with_or_left_out_for_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = test_oracle.ORACLE
    read: set[Path] = set()
    oracle = watched(plain, (), read)
    runs = oracle["fastchess_runs"]
    cases = [
        *(run["formulas_on_same_counts"] for run in runs if "formulas_on_same_counts" in run),
        *oracle["formula_sets"],
    ]
    read.clear()  # what was read so far was not compared with anything
    for case in cases:
        for form, key in (("trinomial", "wdl"), ("pentanomial", "penta")):
            test_oracle.test_score_elo_and_los_are_the_oracles(case, form)
            test_oracle.test_log_likelihood_ratios_are_the_oracles(case, form, key)
    for run in runs:
        test_oracle.test_real_matches_print_the_same_digits(run)
    monkeypatch.setattr(test_methods, "RATINGS", oracle["ratings"])
    test_methods.test_bradley_terry_is_the_oracles()
    for name in plain["ratings"]["openskill_6.2.0"]:
        test_methods.test_the_openskill_that_is_installed_computes_what_the_oracles_did(name)
    missed = {path for path in leaves(plain) if path not in read and not is_left_out(path, plain)}
    assert {path for path in missed if path[-1] != "id"} == set()
    unknown = set(NOT_COMPARED) - {step for path in leaves(plain) for step in path}
    assert unknown == set(), "these keys are not in the oracle any more"
