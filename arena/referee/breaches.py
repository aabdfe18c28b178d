"""Breaches: what the author of a bot is told about a breach of the game's rules or the clock.

Owns the words. Must not judge (:mod:`arena.rules` does), nor reach anybody but the log: other
seats learn the kind of an infraction, never its content. Source: design.md §5 ("false
declaration, forbidden signal").
"""

from collections.abc import Sequence
from typing import Final, assert_never

from arena.referee.clock import SeatClock
from arena.rules import signals
from arena.rules.events import (
    CardPlayed,
    Claim,
    DeclarationRefused,
    GameEvent,
    Infraction,
    InfractionKind,
    RefusalReason,
)
from arena.rules.options import Signal, SignalWho
from arena.rules.ruleset import Ruleset

_WHY: Final = {
    RefusalReason.FALSE: "its hand did not hold it; Decision.declarable lists what it holds",
    RefusalReason.LATE: "the time to declare it was over",
    RefusalReason.TWICE: "it was declared before",
    RefusalReason.OVERLAP: "its cards are in another claim",
}


def breach_text(
    breach: Infraction, events: Sequence[GameEvent], word: Signal | None, ruleset: Ruleset
) -> str:
    """Say what a seat did that its rules do not allow, and why not.

    Args:
        breach: The infraction, one of ``events``.
        events: What the answer brought about, in order: the refused claim stands before.
        word: What the answer said with its card.
        ruleset: The rules in force.
    """
    match breach.kind:
        case InfractionKind.DECLARATION:
            # By identity: two claims of one answer can make two equal breaches.
            at = next(index for index, event in enumerate(events) if event is breach)
            refused = [event for event in events[:at] if isinstance(event, DeclarationRefused)][-1]
            claim = _claim_text(refused.claim)
            return f"a declaration was refused: {claim}: {_WHY[refused.reason]}"
        case InfractionKind.SIGNAL:
            return f"a signal was refused:{_why_unheard(word, ruleset)}"
        case _:
            assert_never(breach.kind)


def _why_unheard(word: Signal | None, ruleset: Ruleset) -> str:
    if word is None or word not in ruleset.signals or not signals.must_be_true(ruleset):
        said = "" if word is None else f" {word.value!r}"
        return (
            f"{said} is not allowed to this seat with this card; "
            "Decision.signals_allowed lists those that are"
        )
    meaning = f"as signal_truth=checked asks: it says {signals.meaning(word)!r} of the card's suit"
    if ruleset.signal_who is SignalWho.LEADER:
        return f" {word.value!r} is for the leader, and must be true, {meaning}"
    return f" {word.value!r} is not true with this card, {meaning}"


def revoke_text(events: Sequence[GameEvent]) -> str:
    """Say which card broke suit, and where a bot finds those that do not.

    Args:
        events: What the answer brought about: its card is the one that was played last.
    """
    card = [event.card for event in events if isinstance(event, CardPlayed)][-1]
    return (
        f"could follow suit and played {card}, of another; the cards that follow, and only "
        "they, are the question's legal ones"
    )


def late_text(clock: SeatClock, think_ns: int) -> str:
    """Say to a bot why its answer comes too late, and what comes of that."""
    return f"too late: {clock.describe_late(think_ns)}; the referee plays for this seat"


def crowd_text(messages: int) -> str:
    """Say what kept the referee from seeing an answer in time."""
    return (
        f"{messages} messages of this bot kept the referee from seeing an answer in time; "
        "one answer for each Decision is enough"
    )


def _claim_text(claim: Claim) -> str:
    """Name a claim as the wire does: "four ace"."""
    parts = [claim.kind.value]
    if claim.rank is not None:
        parts.append(claim.rank.name.lower())
    if claim.suit is not None:
        parts.append(claim.suit.name.lower())
    return " ".join(parts)
