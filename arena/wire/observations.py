"""Observations read from messages.

Owns the correspondence of each field with the one of the same name. They are written in
:mod:`arena.wire.decision_bytes`.
"""

from arena.rules.events import SignalMade
from arena.rules.observation import Observation
from arena.v1 import seat_pb2
from arena.wire.enums import SIGNALS, decode_cards
from arena.wire.seat_events import decode_declaration


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
