"""Events of a match log as flat objects: reading.

Owns the way back from the flat form of :mod:`arena.wire.log_events` to values, kind by
kind. Must not know files, numbering or seals. Source: record.md ("Match log").
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

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
from arena.referee.faults import Culprit, FaultKind, Reason, Termination, TerminationKind
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    DealScored,
    DealStarted,
    DeclarationMade,
    DeclarationRefused,
    Infraction,
    InfractionKind,
    RefusalReason,
    Revoke,
    SpecifiedBy,
    TrickWon,
)
from arena.rules.options import Signal
from arena.rules.question import QuestionKind
from arena.wire import log_fields as take
from arena.wire.log_fields import Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownEvent:
    """A line of a kind that is no LogEvent here: to be kept and skipped."""

    kind: str
    fields: Fields


def decode_event(fields: Fields) -> tuple[LogEvent, AnswerTiming | None] | UnknownEvent:
    """Read a flat object back; fields that its kind does not have are skipped.

    Raises:
        LogCorrupt: It names no kind, or a field does not hold what its kind needs.
    """
    kind = fields.get("event")
    if not isinstance(kind, str):
        take.refuse(fields, "event", "the name of a kind")
    read = _READERS.get(kind)
    if read is None:
        return UnknownEvent(kind=kind, fields=fields)
    return read(fields), _timing(fields) if "think_us" in fields else None


def _timing(fields: Fields) -> AnswerTiming:
    return AnswerTiming(
        think_us=take.integer(fields, "think_us"),
        lag_us=take.integer(fields, "lag_us"),
        cpu_us=take.maybe(take.integer, fields, "cpu_us"),
        value_thirds=take.maybe(take.integer, fields, "value_thirds"),
        note=take.text(fields, "note"),
        declarations=tuple(
            take.claim(fields, "declarations", one) for one in take.items(fields, "declarations")
        ),
        signal=take.maybe_member(Signal, fields, "said"),
    )


def _card_played(fields: Fields) -> CardPlayed:
    return CardPlayed(
        seat=take.integer(fields, "seat"),
        card=take.card(fields, "card"),
        signal=take.maybe_member(Signal, fields, "signal"),
        autoplayed=take.flag(fields, "autoplayed"),
    )


def _decision_asked(fields: Fields) -> DecisionAsked:
    return DecisionAsked(
        seat=take.integer(fields, "seat"),
        kind=take.member(QuestionKind, fields, "kind"),
        legal=take.cards(fields, "legal", take.items(fields, "legal")),
        limit_ms=take.integer(fields, "limit_ms"),
        bank_ms=take.integer(fields, "bank_ms"),
    )


def _trick_won(fields: Fields) -> TrickWon:
    return TrickWon(seat=take.integer(fields, "seat"), thirds=take.integer(fields, "thirds"))


def _card_drawn(fields: Fields) -> CardDrawn:
    return CardDrawn(seat=take.integer(fields, "seat"), card=take.maybe(take.card, fields, "card"))


def _answer_rejected(fields: Fields) -> AnswerRejected:
    return AnswerRejected(
        seat=take.integer(fields, "seat"),
        reason=take.member(Reason, fields, "reason"),
        size=take.integer(fields, "size"),
    )


def _declaration_made(fields: Fields) -> DeclarationMade:
    return DeclarationMade(
        seat=take.integer(fields, "seat"),
        claim=take.claim(fields, "claim", fields.get("claim")),
        points=take.integer(fields, "points"),
        specified_by=take.member(SpecifiedBy, fields, "specified_by"),
    )


def _declaration_refused(fields: Fields) -> DeclarationRefused:
    return DeclarationRefused(
        seat=take.integer(fields, "seat"),
        claim=take.claim(fields, "claim", fields.get("claim")),
        reason=take.member(RefusalReason, fields, "reason"),
    )


def _infraction(fields: Fields) -> Infraction:
    return Infraction(
        seat=take.integer(fields, "seat"),
        kind=take.member(InfractionKind, fields, "kind"),
        points=take.integer(fields, "points"),
    )


def _fault(fields: Fields) -> Fault:
    return Fault(
        culprit=take.member(Culprit, fields, "culprit"),
        kind=take.member(FaultKind, fields, "kind"),
        seat=take.maybe(take.integer, fields, "seat"),
        detail=take.text(fields, "detail"),
    )


def _deal_started(fields: Fields) -> DealStarted:
    return DealStarted(
        deal=take.integer(fields, "deal"),
        board=take.integer(fields, "board"),
        dealer=take.maybe(take.integer, fields, "dealer"),
        leader=take.integer(fields, "leader"),
        hands=tuple(take.cards(fields, "hands", hand) for hand in take.items(fields, "hands")),
        stock=take.cards(fields, "stock", take.items(fields, "stock")),
    )


def _deal_scored(fields: Fields) -> DealScored:
    return DealScored(
        deal=take.integer(fields, "deal"),
        thirds=take.integers(fields, "thirds"),
        points=take.integers(fields, "points"),
        declared=take.integers(fields, "declared"),
        penalties=take.integers(fields, "penalties"),
        totals=take.integers(fields, "totals"),
    )


def _match_ended(fields: Fields) -> MatchEnded:
    return MatchEnded(
        termination=Termination(
            kind=take.member(TerminationKind, fields, "termination"),
            culprit=take.member(Culprit, fields, "culprit"),
            seat=take.maybe(take.integer, fields, "seat"),
            detail=take.text(fields, "detail"),
        ),
        totals=take.integers(fields, "totals"),
        winner=take.maybe(take.integer, fields, "winner"),
        loop_stall_max_us=take.integer(fields, "loop_stall_max_us"),
    )


_READERS: Final[Mapping[str, Callable[[Fields], LogEvent]]] = MappingProxyType(
    {
        "seat_joined": lambda fields: SeatJoined(seat=take.integer(fields, "seat")),
        "seat_ready": lambda fields: SeatReady(seat=take.integer(fields, "seat")),
        "match_started": lambda _fields: MatchStarted(),
        "deal_started": _deal_started,
        "decision_asked": _decision_asked,
        "card_played": _card_played,
        "answer_rejected": _answer_rejected,
        "declaration_made": _declaration_made,
        "declaration_refused": _declaration_refused,
        "card_drawn": _card_drawn,
        "trick_won": _trick_won,
        "revoke": lambda fields: Revoke(seat=take.integer(fields, "seat")),
        "infraction": _infraction,
        "fault": _fault,
        "seat_lost": lambda fields: SeatLost(seat=take.integer(fields, "seat")),
        "seat_returned": lambda fields: SeatReturned(seat=take.integer(fields, "seat")),
        "deal_scored": _deal_scored,
        "match_ended": _match_ended,
    }
)
