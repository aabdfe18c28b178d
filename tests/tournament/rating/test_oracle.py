"""Elo, LOS, pentanomial and SPRT agree with independent values (``stats_oracle.json``)."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.tournament.rating.elo import (
    Estimate,
    Tally,
    elo,
    likelihood_of_superiority,
    normalised_elo,
    pentanomial,
)
from arena.tournament.rating.sprt import EloModel, Verdict, log_likelihood_ratio, wald_bounds

ORACLE = json.loads((Path(__file__).parents[2] / "data" / "stats_oracle.json").read_text("utf-8"))
RUNS: list[dict[str, Any]] = ORACLE["fastchess_runs"]
SETS: list[dict[str, Any]] = [
    *(run["formulas_on_same_counts"] for run in RUNS if "formulas_on_same_counts" in run),
    *ORACLE["formula_sets"],
]
MODELS = {"logistic": EloModel.LOGISTIC, "normalized": EloModel.NORMALISED}
"""The oracle has a Bayesian model too, which the arena does not offer."""
VERDICTS = {"H1": Verdict.ACCEPTED, "H0": Verdict.REJECTED, "continue": Verdict.OPEN}


def tally_of(case: dict[str, Any], form: str) -> Tally:
    if form == "trinomial":
        return Tally(counts=tuple(case["wdl"][key] for key in ("losses", "draws", "wins")))
    pairs = case["penta"]
    even = pairs["WL"] + pairs["DD"]
    return Tally(counts=(pairs["LL"], pairs["LD"], even, pairs["WD"], pairs["WW"]))


def given(estimate: Estimate | None) -> tuple[float, float]:
    assert estimate is not None
    assert estimate.error is not None
    return estimate.value, estimate.error


@pytest.mark.parametrize("form", ["trinomial", "pentanomial"])
@pytest.mark.parametrize("case", SETS, ids=[case["id"] for case in SETS])
def test_score_elo_and_los_are_the_oracles(case: dict[str, Any], form: str) -> None:
    tally, expected = tally_of(case, form), case[form]
    assert tally.score == pytest.approx(expected["score"], abs=1e-12)
    assert tally.variance == pytest.approx(expected["variance"], abs=1e-12)
    assert given(elo(tally)) == pytest.approx((expected["elo"], expected["elo_error"]), rel=1e-9)
    assert given(normalised_elo(tally)) == pytest.approx(
        (expected["nelo"], expected["nelo_error"]), rel=1e-9
    )
    assert likelihood_of_superiority(tally) == pytest.approx(expected["los_exact"], abs=1e-9)
    for found, word in ((elo(tally), "elo_str"), (normalised_elo(tally), "nelo_str")):
        value, error = given(found)
        assert f"{value:.2f} +/- {error:.2f}" == expected[word]
    assert f"{100 * likelihood_of_superiority(tally):.2f} %" == expected["los_str"]


@pytest.mark.parametrize(("form", "key"), [("trinomial", "wdl"), ("pentanomial", "penta")])
@pytest.mark.parametrize("case", SETS, ids=[case["id"] for case in SETS])
def test_log_likelihood_ratios_are_the_oracles(case: dict[str, Any], form: str, key: str) -> None:
    compared = 0
    for test in case["sprt"]:
        if test["model"] not in MODELS or f"llr_{key}_exact" not in test:
            continue
        llr = log_likelihood_ratio(
            tally_of(case, form), test["elo0"], test["elo1"], MODELS[test["model"]]
        )
        assert llr == pytest.approx(test[f"llr_{key}_exact"], abs=1e-6)
        bounds = wald_bounds(test["alpha"], test["beta"])
        assert (bounds.lower, bounds.upper) == pytest.approx((test["lower"], test["upper"]))
        assert bounds.verdict(llr) is VERDICTS[test[f"result_{key}"]]
        compared += 1
    assert compared >= 2


@pytest.mark.parametrize("run", RUNS, ids=[run["id"] for run in RUNS])
def test_real_matches_print_the_same_digits(run: dict[str, Any]) -> None:
    counts = run.get("ptnml") or [run["wdl"][key] for key in ("losses", "draws", "wins")]
    tally = Tally(counts=tuple(counts))
    wdl = run["wdl"]
    points = wdl["wins"] + wdl["draws"] / 2
    assert tally.score == pytest.approx(points / (wdl["wins"] + wdl["draws"] + wdl["losses"]))
    value, error = given(elo(tally))
    assert (f"{value:.2f}", f"{error:.2f}") == (run["elo"], run["elo_error"])
    value, error = given(normalised_elo(tally))
    assert (f"{value:.2f}", f"{error:.2f}") == (run["nelo"], run["nelo_error"])
    if "llr" in run:
        test, word = run["llr"], run["sprt_verdict_line"]
        model = MODELS[run["id"].split("_")[2]]
        llr = log_likelihood_ratio(tally, test["elo0"], test["elo1"], model)
        assert f"{llr:.2f}" == f"{test['llr']:.2f}"
        lower, upper = test["lower"], test["upper"]
        share = llr / (upper if llr > 0 else -lower)
        assert share == pytest.approx(test["percent_of_bound"] / 100, abs=0.005)
        assert not lower < llr < upper
        assert word.endswith(f"{'H1' if llr > 0 else 'H0'} was accepted")
    assert f"{100 * likelihood_of_superiority(tally):.2f}" == run["los"]


def test_pairs_are_counted_by_the_signs_of_both_games() -> None:
    pairs = [(-1, -9), (-1, 0), (0, -3), (5, -5), (0, 0), (-11, 1), (0, 2), (3, 1)]
    assert pentanomial(pairs).counts == (1, 2, 3, 1, 1)


def test_where_all_was_won_there_is_no_elo_but_certainty() -> None:
    tally = Tally(counts=(0, 0, 7))
    assert elo(tally) is None
    assert normalised_elo(tally) is None
    assert likelihood_of_superiority(tally) == 1.0


def test_where_the_interval_reaches_every_score_the_error_is_unbounded() -> None:
    found = elo(Tally(counts=(1, 0, 2)))
    assert found is not None
    assert found.error is None


@pytest.mark.parametrize("counts", [(), (1, 2), (1, -1, 0), (1, 1, 1, 1)])
def test_other_counts_are_no_tally(counts: tuple[int, ...]) -> None:
    with pytest.raises(AssertionError):
        Tally(counts=counts)
