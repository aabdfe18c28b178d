"""News of a seat as messages, both ways.

Owns the correspondence of every SeatEvent with its member of the oneof. Must not decide
what a seat may know: what it is given, it writes.
"""

from typing import assert_never

from arena.referee.events import Late, MatchEnded, SeatEvent, SeatLost, SeatReturned
from arena.referee.faults import Termination
from arena.referee.messages import Close
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    DealScored,
    DeclarationMade,
    DeclarationRefused,
    Infraction,
    Revoke,
    TrickWon,
)
from arena.rules.observation import HandDealt
from arena.v1 import match_pb2, seat_pb2
from arena.wire.claims import decode_claim, fill_claim
from arena.wire.enums import (
    CARD_NUMBERS,
    CULPRITS,
    INFRACTION_KINDS,
    REFUSAL_REASONS,
    SIGNALS,
    SPECIFIED_BY,
    TERMINATIONS,
    decode_card,
    decode_cards,
    encode_cards,
)


def encode_seat_event(event: SeatEvent) -> seat_pb2.SeatEvent:
    """Write one piece of news into a message of its own."""
    wire = seat_pb2.SeatEvent()
    fill_seat_event(wire, event)
    return wire


def fill_seat_event(  # noqa: C901, PLR0912, PLR0915  # one closed set
    wire: seat_pb2.SeatEvent, event: SeatEvent
) -> None:
    """Write one piece of news into an empty message; the frequent kinds come first.

    Of MatchEnded goes what seats are told: not the termination's detail and not how long
    the referee's loop stood still, for which the wire has no fields.
    """
    match event:
        case CardPlayed():
            played = wire.card_played
            played.seat = event.seat
            played.card = CARD_NUMBERS[event.card]
            if event.signal is not None:
                played.signal = SIGNALS.number[event.signal]
            if event.autoplayed:
                played.autoplayed = True
        case TrickWon():
            won = wire.trick_won
            won.seat = event.seat
            won.thirds = event.thirds
        case CardDrawn():
            drawn = wire.card_drawn
            drawn.seat = event.seat
            if event.card is not None:
                drawn.card = CARD_NUMBERS[event.card]
        case HandDealt():
            dealt = wire.deal_started
            dealt.deal = event.deal
            if event.dealer is not None:
                dealt.dealer = event.dealer
            dealt.leader = event.leader
            dealt.hand.extend(encode_cards(event.hand))
            dealt.stock_size = event.stock_size
        case DealScored():
            scored = wire.deal_scored
            scored.deal = event.deal
            scored.thirds.extend(event.thirds)
            scored.points.extend(event.points)
            scored.declared.extend(event.declared)
            scored.penalties.extend(event.penalties)
            scored.totals.extend(event.totals)
        case DeclarationMade():
            fill_declaration(wire.declaration_made, event)
        case DeclarationRefused():
            refused = wire.declaration_refused
            refused.seat = event.seat
            fill_claim(refused.claim, event.claim)
            refused.reason = REFUSAL_REASONS.number[event.reason]
        case Infraction():
            infraction = wire.infraction
            infraction.seat = event.seat
            infraction.kind = INFRACTION_KINDS.number[event.kind]
            infraction.points = event.points
        case Revoke():
            wire.revoke.seat = event.seat
        case Late():
            late = wire.late
            late.limit_ms = event.limit_ms
            late.think_ms = event.think_ms
        case SeatLost():
            wire.seat_lost.seat = event.seat
        case SeatReturned():
            wire.seat_returned.seat = event.seat
        case MatchEnded():
            fill_result(wire.match_ended, event)
        case _:
            assert_never(event)


def fill_declaration(wire: seat_pb2.DeclarationMade, event: DeclarationMade) -> None:
    """Write an accepted claim into an empty message."""
    wire.seat = event.seat
    fill_claim(wire.claim, event.claim)
    wire.points = event.points
    wire.specified_by = SPECIFIED_BY.number[event.specified_by]


def fill_result(wire: match_pb2.MatchResult, end: MatchEnded | Close) -> None:
    """Write how a match ended into an empty message; the detail is not for seats."""
    termination = wire.termination
    termination.kind = TERMINATIONS.number[end.termination.kind]
    termination.culprit = CULPRITS.number[end.termination.culprit]
    if end.termination.seat is not None:
        termination.seat = end.termination.seat
    wire.totals.extend(end.totals)
    if end.winner is not None:
        wire.winner = end.winner


def decode_seat_event(wire: seat_pb2.SeatEvent) -> SeatEvent | None:  # noqa: C901, PLR0911, PLR0912  # one closed set
    """Read one piece of news; None for a kind that this version does not know.

    Raises:
        ProtocolViolation: A field does not hold what the kind needs.
    """
    match wire.WhichOneof("event"):
        case "card_played":
            played = wire.card_played
            return CardPlayed(
                seat=played.seat,
                card=decode_card(played.card),
                signal=SIGNALS.optional(played.signal),
                autoplayed=played.autoplayed,
            )
        case "trick_won":
            return TrickWon(seat=wire.trick_won.seat, thirds=wire.trick_won.thirds)
        case "card_drawn":
            drawn = wire.card_drawn
            return CardDrawn(seat=drawn.seat, card=decode_card(drawn.card) if drawn.card else None)
        case "deal_started":
            dealt = wire.deal_started
            return HandDealt(
                deal=dealt.deal,
                dealer=dealt.dealer if dealt.HasField("dealer") else None,
                leader=dealt.leader,
                hand=decode_cards(dealt.hand),
                stock_size=dealt.stock_size,
            )
        case "deal_scored":
            scored = wire.deal_scored
            return DealScored(
                deal=scored.deal,
                thirds=tuple(scored.thirds),
                points=tuple(scored.points),
                declared=tuple(scored.declared),
                penalties=tuple(scored.penalties),
                totals=tuple(scored.totals),
            )
        case "declaration_made":
            return decode_declaration(wire.declaration_made)
        case "declaration_refused":
            refused = wire.declaration_refused
            return DeclarationRefused(
                seat=refused.seat,
                claim=decode_claim(refused.claim),
                reason=REFUSAL_REASONS.decode(refused.reason),
            )
        case "infraction":
            infraction = wire.infraction
            return Infraction(
                seat=infraction.seat,
                kind=INFRACTION_KINDS.decode(infraction.kind),
                points=infraction.points,
            )
        case "revoke":
            return Revoke(seat=wire.revoke.seat)
        case "late":
            return Late(limit_ms=wire.late.limit_ms, think_ms=wire.late.think_ms)
        case "seat_lost":
            return SeatLost(seat=wire.seat_lost.seat)
        case "seat_returned":
            return SeatReturned(seat=wire.seat_returned.seat)
        case "match_ended":
            return decode_result(wire.match_ended)
        case None:
            return None
        case other:
            raise AssertionError(f"the member {other} of SeatEvent has no reader")


def decode_declaration(wire: seat_pb2.DeclarationMade) -> DeclarationMade:
    """Read an accepted claim.

    Raises:
        ProtocolViolation: A field does not hold what it must.
    """
    return DeclarationMade(
        seat=wire.seat,
        claim=decode_claim(wire.claim),
        points=wire.points,
        specified_by=SPECIFIED_BY.decode(wire.specified_by),
    )


def decode_result(wire: match_pb2.MatchResult) -> MatchEnded:
    """Read how a match ended.

    Raises:
        ProtocolViolation: A field does not hold what it must.
    """
    termination = wire.termination
    return MatchEnded(
        termination=Termination(
            kind=TERMINATIONS.decode(termination.kind),
            culprit=CULPRITS.decode(termination.culprit),
            seat=termination.seat if termination.HasField("seat") else None,
        ),
        totals=tuple(wire.totals),
        winner=wire.winner if wire.HasField("winner") else None,
    )
