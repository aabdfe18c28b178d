"""Every value that crosses the wire comes back as it went."""

from typing import get_args

import pytest
from hypothesis import given

from arena.errors import ProtocolViolation
from arena.referee.events import LogEvent, MatchEnded, SeatEvent
from arena.referee.faults import Termination, TerminationKind
from arena.rules.cards import CARDS, Card
from arena.rules.events import CardPlayed, Claim, ClaimKind
from arena.rules.observation import Observation
from arena.rules.presets import PRESETS
from arena.rules.ruleset import Ruleset
from arena.v1 import cards_pb2, ruleset_pb2, seat_pb2
from arena.wire import enums
from arena.wire.claims import NoClaim, decode_claim, fill_claim
from arena.wire.enums import CARD_NUMBERS, WireEnum, decode_card
from arena.wire.observations import decode_observation, fill_observation
from arena.wire.rulesets import decode_ruleset, encode_ruleset
from arena.wire.seat_events import decode_seat_event, encode_seat_event
from tests.wire import strategies as values


def kinds(union: object) -> set[str]:
    return {kind.__name__ for kind in get_args(union)}


@given(values.seat_events)
def test_a_seat_event_comes_back_from_its_bytes(event: SeatEvent) -> None:
    data = encode_seat_event(event).SerializeToString()
    assert decode_seat_event(seat_pb2.SeatEvent.FromString(data)) == event


@given(values.observations)
def test_an_observation_comes_back_from_its_bytes(seen: Observation) -> None:
    wire = seat_pb2.Observation()
    fill_observation(wire, seen)
    assert decode_observation(seat_pb2.Observation.FromString(wire.SerializeToString())) == seen


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
def test_every_preset_comes_back_from_its_bytes(ruleset: Ruleset) -> None:
    data = encode_ruleset(ruleset).SerializeToString()
    assert decode_ruleset(ruleset_pb2.Ruleset.FromString(data)) == ruleset


@given(values.claims)
def test_a_claim_comes_back_from_its_message(claim: Claim) -> None:
    wire = seat_pb2.Claim()
    fill_claim(wire, claim)
    assert decode_claim(wire) == claim


def test_the_wire_numbers_cards_as_the_rules_do() -> None:
    for card in CARDS:
        assert cards_pb2.Card.Name(CARD_NUMBERS[card]) == f"CARD_{card}"
        assert decode_card(int(card)) is card
    assert len(cards_pb2.Card.keys()) == len(CARDS) + 1


def test_suit_and_rank_follow_from_the_number_of_a_card_as_the_proto_says() -> None:
    for card in CARDS:
        assert enums.SUITS.number[card.suit] == (card - 1) // 10 + 1
        assert enums.RANKS.number[card.rank] == (card - 1) % 10 + 1


@pytest.mark.parametrize("number", [0, 41, -1, 2**31 - 1])
def test_a_number_that_is_no_card_is_refused_with_what_is_allowed(number: int) -> None:
    with pytest.raises(ProtocolViolation, match=rf"{number}.*1 \(D4\) to 40 \(B3\)"):
        decode_card(number)


def test_two_sets_that_differ_are_found_when_they_are_paired() -> None:
    with pytest.raises(AssertionError, match="not the same set"):
        WireEnum(ClaimKind, seat_pb2.SpecifiedBy, "SPECIFIED_BY_")


def test_a_number_without_a_value_is_refused_by_the_name_of_its_set() -> None:
    with pytest.raises(ProtocolViolation, match=r"Signal has no value with the number 9"):
        enums.SIGNALS.decode(9)
    assert enums.SIGNALS.optional(0) is None


def test_an_unknown_kind_of_news_is_nothing_and_no_error() -> None:
    of_a_later_version = seat_pb2.SeatEvent.FromString(b"\xfa\x01\x00")  # member 31
    assert decode_seat_event(of_a_later_version) is None


def test_the_wire_has_no_place_for_what_seats_are_not_told_of_a_match_end() -> None:
    whole = MatchEnded(
        termination=Termination(kind=TerminationKind.FORFEIT_CRASH, detail="exit 1: secret"),
        totals=(3, 4),
        winner=1,
        loop_stall_max_us=77,
    )
    told = decode_seat_event(encode_seat_event(whole))
    assert isinstance(told, MatchEnded)
    assert (told.termination.detail, told.loop_stall_max_us) == ("", 0)
    assert b"secret" not in encode_seat_event(whole).SerializeToString()


@pytest.mark.parametrize(
    ("claim", "what"),
    [
        (seat_pb2.Claim(), "needs a kind"),
        (seat_pb2.Claim(kind=seat_pb2.CLAIM_KIND_NAPOLETANA), "needs a suit"),
        (
            seat_pb2.Claim(kind=seat_pb2.CLAIM_KIND_THREE, suit=cards_pb2.SUIT_CUPS),
            "needs a rank",
        ),
        (
            seat_pb2.Claim(
                kind=seat_pb2.CLAIM_KIND_FOUR, suit=cards_pb2.SUIT_CUPS, rank=cards_pb2.RANK_ACE
            ),
            "has no suit, this one has cups",
        ),
        (
            seat_pb2.Claim(kind=seat_pb2.CLAIM_KIND_FOUR, rank=cards_pb2.RANK_KING),
            "cannot be of rank king; allowed are ace, two and three",
        ),
    ],
)
def test_a_claim_that_is_none_says_what_is_wrong(claim: seat_pb2.Claim, what: str) -> None:
    with pytest.raises(NoClaim, match=what):
        decode_claim(claim)


def test_the_strategies_know_every_kind_of_event() -> None:
    """A kind that is added to a union must be added to the round trips."""
    for union, strategy in (
        (SeatEvent, values.seat_events),
        (LogEvent, values.log_events),
    ):
        drawn = repr(strategy)
        missing = {
            kind
            for kind in kinds(union)
            if f"builds({kind}," not in drawn and f"just({kind}()" not in drawn
        }
        assert not missing


def test_an_autoplayed_card_costs_no_more_than_a_flag() -> None:
    plain = CardPlayed(seat=1, card=Card.D3)
    ruled = CardPlayed(seat=1, card=Card.D3, autoplayed=True)
    grown = encode_seat_event(ruled).ByteSize() - encode_seat_event(plain).ByteSize()
    assert grown == 2
