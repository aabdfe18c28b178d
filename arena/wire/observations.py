"""Observations as messages, both ways.

Owns the correspondence of each field with the one of the same name. Must not decide what
a seat may know: what it is given, it writes.
"""

from arena.rules.events import SignalMade
from arena.rules.observation import Observation
from arena.v1 import seat_pb2
from arena.wire.enums import SIGNALS, decode_cards, encode_cards
from arena.wire.seat_events import decode_declaration, fill_declaration


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


def decode_observation(wire: seat_pb2.Observation) -> Observation:
    """Read what a seat knows.

    Raises:
        ProtocolViolation: A number of a card, word or claim has no value.
    """
    return Observation(
        seat=wire.seat,
        deal=wire.deal,
        dealer=wire.dealer if wire.HasField("dealer") else None,
        leader=wire.leader,
        hand=decode_cards(wire.hand),
        trick=decode_cards(wire.trick),
        history=decode_cards(wire.history),
        trick_leaders=tuple(wire.trick_leaders),
        stock_size=wire.stock_size,
        declarations=tuple(map(decode_declaration, wire.declarations)),
        signals=tuple(
            SignalMade(play=heard.play, seat=heard.seat, word=SIGNALS.decode(heard.word))
            for heard in wire.signals
        ),
        known_cards=tuple(decode_cards(known.cards) for known in wire.known_cards),
        thirds=tuple(wire.thirds),
        totals=tuple(wire.totals),
    )
