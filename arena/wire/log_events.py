"""Events of a match log as flat objects: writing.

Owns the flat form of each kind: "event" with the kind's name, then its fields, then the
answer's times; what is absent is left out, a number never is. The schema is
``proto/arena/v1/log.proto``. Reading is in :mod:`arena.wire.log_reading`. Must not know
files, numbering or seals. Source: record.md ("Match log").
"""

from typing import Any, Final, assert_never

from arena.referee.events import (
    AnswerRejected,
    AnswerTiming,
    DecisionAsked,
    Fault,
    LogEvent,
    MatchEnded,
    MatchStarted,
    SeatJoined,
    SeatLost,
    SeatReady,
    SeatReturned,
)
from arena.rules.cards import CARDS
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    Claim,
    DealScored,
    DealStarted,
    DeclarationMade,
    DeclarationRefused,
    Infraction,
    Revoke,
    TrickWon,
)
from arena.wire.log_reading import UnknownEvent, decode_event

__all__ = ["UnknownEvent", "decode_event", "encode_event"]

# Reading an enum's name or value goes through two calls; these tables do not.
_CARD: Final = ("", *(str(card) for card in CARDS))


def encode_event(event: LogEvent, timing: AnswerTiming | None) -> dict[str, object]:
    """Write an event and the answer behind it as one flat object of JSON types.

    Args:
        event: What happened.
        timing: The answer that caused it, where one did.
    """
    fields = _event_fields(event)
    if timing is not None:
        fields["think_us"] = timing.think_us
        fields["lag_us"] = timing.lag_us
        if timing.cpu_us is not None:
            fields["cpu_us"] = timing.cpu_us
        if timing.value_thirds is not None:
            fields["value_thirds"] = timing.value_thirds
        if timing.note:
            fields["note"] = timing.note
        if timing.declarations:
            fields["declarations"] = [encode_claim(claim) for claim in timing.declarations]
        if timing.signal is not None:
            fields["said"] = timing.signal.value
    return fields


def encode_claim(claim: Claim) -> dict[str, str]:
    """Write a claim as an object of JSON types."""
    fields = {"kind": claim.kind.value}
    if claim.suit is not None:
        fields["suit"] = claim.suit.name.lower()
    if claim.rank is not None:
        fields["rank"] = claim.rank.name.lower()
    return fields


def _event_fields(event: LogEvent) -> dict[str, Any]:  # noqa: C901, PLR0911, PLR0912  # one closed set
    """Write the kind and its own fields; the frequent kinds come first."""
    match event:
        case CardPlayed():
            fields: dict[str, Any] = {
                "event": "card_played",
                "seat": event.seat,
                "card": _CARD[event.card],
            }
            if event.signal is not None:
                fields["signal"] = event.signal.value
            if event.autoplayed:
                fields["autoplayed"] = True
            return fields
        case DecisionAsked():
            return {
                "event": "decision_asked",
                "seat": event.seat,
                "kind": event.kind.value,
                "legal": [_CARD[card] for card in event.legal],
                "limit_ms": event.limit_ms,
                "bank_ms": event.bank_ms,
            }
        case TrickWon():
            return {"event": "trick_won", "seat": event.seat, "thirds": event.thirds}
        case CardDrawn():
            fields = {"event": "card_drawn", "seat": event.seat}
            if event.card is not None:
                fields["card"] = _CARD[event.card]
            return fields
        case AnswerRejected():
            return {
                "event": "answer_rejected",
                "seat": event.seat,
                "reason": event.reason.value,
                "size": event.size,
            }
        case DeclarationMade():
            return {
                "event": "declaration_made",
                "seat": event.seat,
                "claim": encode_claim(event.claim),
                "points": event.points,
                "specified_by": event.specified_by.value,
            }
        case DeclarationRefused():
            return {
                "event": "declaration_refused",
                "seat": event.seat,
                "claim": encode_claim(event.claim),
                "reason": event.reason.value,
            }
        case Revoke():
            return {"event": "revoke", "seat": event.seat}
        case Infraction():
            return {
                "event": "infraction",
                "seat": event.seat,
                "kind": event.kind.value,
                "points": event.points,
            }
        case Fault():
            return _fault(event)
        case DealStarted():
            return _deal_started(event)
        case DealScored():
            return {
                "event": "deal_scored",
                "deal": event.deal,
                "thirds": list(event.thirds),
                "points": list(event.points),
                "declared": list(event.declared),
                "penalties": list(event.penalties),
                "totals": list(event.totals),
            }
        case SeatJoined():
            return {"event": "seat_joined", "seat": event.seat}
        case SeatReady():
            return {"event": "seat_ready", "seat": event.seat}
        case SeatLost():
            return {"event": "seat_lost", "seat": event.seat}
        case SeatReturned():
            return {"event": "seat_returned", "seat": event.seat}
        case MatchStarted():
            return {"event": "match_started"}
        case MatchEnded():
            return _match_ended(event)
        case _:
            assert_never(event)


def _fault(event: Fault) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "event": "fault",
        "culprit": event.culprit.value,
        "kind": event.kind.value,
    }
    if event.seat is not None:
        fields["seat"] = event.seat
    if event.detail:
        fields["detail"] = event.detail
    return fields


def _deal_started(event: DealStarted) -> dict[str, Any]:
    fields: dict[str, Any] = {"event": "deal_started", "deal": event.deal, "board": event.board}
    if event.dealer is not None:
        fields["dealer"] = event.dealer
    fields["leader"] = event.leader
    fields["hands"] = [[_CARD[card] for card in hand] for hand in event.hands]
    if event.stock:
        fields["stock"] = [_CARD[card] for card in event.stock]
    return fields


def _match_ended(event: MatchEnded) -> dict[str, Any]:
    termination = event.termination
    fields: dict[str, Any] = {
        "event": "match_ended",
        "termination": termination.kind.value,
        "culprit": termination.culprit.value,
    }
    if termination.seat is not None:
        fields["seat"] = termination.seat
    if termination.detail:
        fields["detail"] = termination.detail
    fields["totals"] = list(event.totals)
    if event.winner is not None:
        fields["winner"] = event.winner
    fields["loop_stall_max_us"] = event.loop_stall_max_us
    return fields
