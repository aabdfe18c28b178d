"""What may be a name, and which two names look the same."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bots.names import LONGEST_NAME, folded, problem_of_name

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@pytest.mark.parametrize(
    "name",
    [
        "fox",
        "a/b \"c\" 'd'",
        "Perché no",
        "שלום",
        "👩‍🚀 and 👨‍👩‍👧",
        "❤️ 1️⃣",
        "नमस्ते",
        "می‌خواهم",
        "สวัสดี",
        "x" * LONGEST_NAME,
    ],
)
def test_visible_names_of_any_script_are_welcome(name: str) -> None:
    assert problem_of_name(name) is None


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "empty"),
        (" fox", "blanks around"),
        ("x" * (LONGEST_NAME + 1), "65 characters; allowed are 1 to 64"),
        ("a\x1b[2J", "U+001B"),
        ("a\u202eb", "U+202E"),
        ("a\u200eb", "U+200E"),
        ("a\u061cb", "U+061C"),
        ("a\u200bb", "U+200B"),
        ("a\u2060b", "U+2060"),
        ("\ufeffa", "U+FEFF"),
        ("a\xadb", "U+00AD"),
        ("a\u00a0b", "U+00A0"),
        ("a\u3000b", "U+3000"),
        ("a\u3164", "U+3164"),
        ("a\u2800b", "U+2800"),
        ("a\ue000", "U+E000"),
        ("a\ud800", "U+D800"),
        ("fo\u200dx", "U+200D"),
        ("😀\u200d", "U+200D"),
        ("😀\u200d\u200d😀", "U+200D"),
        ("a\ufe0f", "U+FE0F"),
        ("\u0301a", "marks on no letter"),
        ("z\u0334\u0335\u0336\u0337", "more than 3 on one"),
        ("=1+1", "begins with '=', which a spreadsheet takes for a formula"),
        ("+fox", "begins with '+'"),
        ("-fox", "begins with '-'"),
        ("@fox", "begins with '@'"),
        ("\uff1dfox", "which a spreadsheet takes for a formula"),
        ("e\u0301", "composed form (Unicode NFC); write it 'é'"),
    ],
)
def test_what_nobody_sees_or_what_spoils_the_text_around_is_refused(name: str, says: str) -> None:
    problem = problem_of_name(name)
    assert problem is not None
    assert says in problem
    assert problem.isprintable()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Fox", "fOX"),
        ("Café", "cafe"),
        ("straße", "STRASSE"),
        ("ﬁsh", "fish"),
        ("\uff26\uff4f\uff58", "fox"),
        ("fox", "f\u043e\u0445"),  # the last two are Cyrillic
        ("pan", "\u03c1\u03b1n"),  # the first two are Greek
        ("a  b", "a b"),
        ("❤️", "❤"),
        ("👩‍👧", "👩👧"),
    ],
)
def test_names_that_look_the_same_fold_to_the_same(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("one", "other"), [("fox", "fax"), ("bot 1", "bot l"), ("कु", "कि"), ("a b", "ab"), ("a", "á b")]
)
def test_names_that_differ_to_the_eye_stay_different(one: str, other: str) -> None:
    assert folded(one) != folded(other)


@given(TEXTS)
def test_folding_is_blind_to_form_case_and_a_second_folding(name: str) -> None:
    once = folded(name)
    assert folded(once) == once
    for form in ("NFC", "NFD"):
        assert folded(unicodedata.normalize(form, name)) == once


@given(TEXTS)
def test_a_name_is_in_composed_form_and_folds_to_something(name: str) -> None:
    if problem_of_name(name) is None:
        assert unicodedata.is_normalized("NFC", name)
        assert folded(name)
