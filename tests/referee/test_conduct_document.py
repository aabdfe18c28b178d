"""The document says of every deed what the tested rows say."""

from typing import Final

import pytest

from arena.referee.faults import FaultKind, TerminationKind
from tests.referee.deeds import Deed
from tests.referee.make_conduct_document import DOCUMENT, NAMES, NO_MISTAKE, written_anew

TEXT: Final = DOCUMENT.read_text()


def test_the_table_is_that_of_the_code() -> None:
    """Else: ``make docs``."""
    assert written_anew(TEXT) == TEXT


def test_every_deed_that_is_a_mistake_has_its_line() -> None:
    assert set(NAMES) == set(Deed) - NO_MISTAKE


@pytest.mark.parametrize("kind", FaultKind)
def test_every_kind_of_fault_stands_in_the_table(kind: FaultKind) -> None:
    assert f"`fault {kind.value}`" in TEXT


@pytest.mark.parametrize("kind", TerminationKind)
def test_every_termination_stands_in_the_document(kind: TerminationKind) -> None:
    assert kind.value in TEXT
