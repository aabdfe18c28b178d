"""Pages of CSV: no cell is a formula, numbers stay numbers, and every text can be had back."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.record.csv_page import FORMULA_SIGNS, GUARDED, csv_page

SIGNS = st.sampled_from([*FORMULA_SIGNS, "'", "1", "a", ".", ","])


def cells(*values: object) -> list[str]:
    page = csv_page(["a"] * len(values), [values])
    return list(csv.reader(io.StringIO(page, newline="")))[1]


@pytest.mark.parametrize("sign", FORMULA_SIGNS)
def test_a_text_that_begins_as_a_formula_gets_an_apostrophe(sign: str) -> None:
    assert cells(f"{sign}HYPERLINK(1)", f"'{sign}a", f"a{sign}") == [
        f"'{sign}HYPERLINK(1)",
        f"''{sign}a",
        f"a{sign}",
    ]


def test_numbers_stay_numbers_whether_they_come_as_texts_or_not() -> None:
    assert cells(-1.5, "-1.5", "+4", "-2e-07", 3, None) == ["-1.5", "-1.5", "+4", "-2e-07", "3", ""]
    assert cells("-1.5.", "+4 boards", "--") == ["'-1.5.", "'+4 boards", "'--"]
    assert cells("-") == ["-"], "stands for nothing"


@given(st.text(SIGNS, max_size=6))
def test_taking_the_apostrophe_away_gives_the_text_back(text: str) -> None:
    cell = cells(text, "")[0]
    is_guarded = re.match(f"'{GUARDED.removeprefix('^')}", cell)
    assert (cell[1:] if is_guarded else cell) == text
