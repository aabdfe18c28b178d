"""What the author of a bot is told about a breach."""

from dataclasses import replace

import pytest

from arena.referee.breaches import breach_text
from arena.rules.cards import Rank, Suit
from arena.rules.events import (
    Claim,
    ClaimKind,
    DeclarationRefused,
    GameEvent,
    Infraction,
    InfractionKind,
    RefusalReason,
)
from arena.rules.options import Signal, SignalTruth, SignalWho
from arena.rules.presets import PRESETS

IT = PRESETS["italian-tournament"]
FOUR_ACES = Claim(kind=ClaimKind.FOUR, rank=Rank.ACE)
NO_CUPS = Claim(kind=ClaimKind.THREE, rank=Rank.TWO, suit=Suit.CUPS)


def refused(claim: Claim, reason: RefusalReason) -> DeclarationRefused:
    return DeclarationRefused(seat=1, claim=claim, reason=reason)


def breach(kind: InfractionKind) -> Infraction:
    return Infraction(seat=1, kind=kind, points=-1)


@pytest.mark.parametrize("reason", RefusalReason)
def test_each_reason_has_its_words(reason: RefusalReason) -> None:
    charge = breach(InfractionKind.DECLARATION)
    texts = {
        breach_text(charge, (refused(NO_CUPS, why), charge), None, IT) for why in RefusalReason
    }
    assert len(texts) == len(RefusalReason)
    assert "three two cups: " in breach_text(charge, (refused(NO_CUPS, reason), charge), None, IT)


def test_of_two_equal_breaches_each_names_its_own_claim() -> None:
    first, second = (breach(InfractionKind.DECLARATION) for _ in range(2))
    events: tuple[GameEvent, ...] = (
        refused(FOUR_ACES, RefusalReason.FALSE),
        first,
        refused(NO_CUPS, RefusalReason.LATE),
        second,
    )
    assert first == second
    assert breach_text(first, events, None, IT) == (
        "a declaration was refused: four ace: its hand did not hold it; "
        "Decision.declarable lists what it holds"
    )
    assert breach_text(second, events, None, IT) == (
        "a declaration was refused: three two cups: the time to declare it was over"
    )


@pytest.mark.parametrize("truth", SignalTruth)
def test_a_word_that_was_not_allowed_is_named(truth: SignalTruth) -> None:
    charge = breach(InfractionKind.SIGNAL)
    text = breach_text(charge, (charge,), Signal.STRISCIO, replace(IT, signal_truth=truth))
    assert "'striscio' is not allowed" in text
    assert "Decision.signals_allowed lists those that are" in text


def test_a_false_word_is_said_to_be_false_and_not_to_be_missing_from_a_list_that_holds_it() -> None:
    charge = breach(InfractionKind.SIGNAL)
    checked = replace(IT, signal_truth=SignalTruth.CHECKED)
    assert breach_text(charge, (charge,), Signal.VOLO, checked) == (
        "a signal was refused: 'volo' is not true with this card, as signal_truth=checked asks: "
        "it says 'this is my last of it' of the card's suit"
    )
    of_leader = replace(checked, signal_who=SignalWho.LEADER)
    text = breach_text(charge, (charge,), Signal.VOLO, of_leader)
    assert "'volo' is for the leader, and must be true" in text
