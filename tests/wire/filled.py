"""Decisions as protobuf fills them, field by field: what hand-written bytes are held against."""

from arena.referee.clock import MS
from arena.referee.messages import Ask
from arena.rules.observation import Observation
from arena.v1 import play_pb2, seat_pb2
from arena.wire.claims import fill_claim
from arena.wire.enums import SIGNALS, encode_cards
from arena.wire.seat_events import fill_declaration, fill_seat_event


def filled_decision(table: int, decision_id: int, ask: Ask) -> play_pb2.RefereeMessage:
    """Fill in a Decision."""
    message = play_pb2.RefereeMessage()
    wire = message.decision
    wire.table = table
    wire.decision_id = decision_id
    card = wire.card
    card.legal.extend(encode_cards(ask.question.legal))
    for claim in ask.question.declarable:
        fill_claim(card.declarable.add(), claim)
    card.signals_allowed.extend([SIGNALS.number[word] for word in ask.question.signals_allowed])
    card.SetInParent()
    wire.time_limit_ms = ask.limit_ns // MS
    wire.bank_ms = ask.bank_ns // MS
    fill_observation(wire.observation, ask.observation)
    for event in ask.news:
        fill_seat_event(wire.news.add(), event)
    return message


def fill_observation(wire: seat_pb2.Observation, seen: Observation) -> None:
    """Write what a seat knows into an empty message."""
    wire.seat = seen.seat
    wire.deal = seen.deal
    if seen.dealer is not None:
        wire.dealer = seen.dealer
    wire.leader = seen.leader
    wire.hand.extend(encode_cards(seen.hand))
    wire.trick.extend(encode_cards(seen.trick))
    wire.history.extend(encode_cards(seen.history))
    wire.trick_leaders.extend(seen.trick_leaders)
    wire.stock_size = seen.stock_size
    for declaration in seen.declarations:
        fill_declaration(wire.declarations.add(), declaration)
    for signal in seen.signals:
        heard = wire.signals.add()
        heard.play = signal.play
        heard.seat = signal.seat
        heard.word = SIGNALS.number[signal.word]
    for cards in seen.known_cards:
        known = wire.known_cards.add()
        if cards:
            known.cards.extend(encode_cards(cards))
    wire.thirds.extend(seen.thirds)
    wire.totals.extend(seen.totals)
