"""The published derivation of deals from seeds, and who leads and deals."""

import hmac
import json
from pathlib import Path
from struct import pack, unpack
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import RulesError
from arena.rules.cards import CARDS, Card
from arena.rules.dealing import (
    MAX_BOARD,
    DealtCards,
    deal_board,
    dealer_of,
    distribute,
    give,
    leader_of_board,
    seed_from_text,
    shuffled_deck,
)
from arena.rules.notation import parse_card
from arena.rules.presets import PRESETS, parse_ruleset
from tests.rules.positions import pickled

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "data" / "deal_vectors.json").read_text()
)["vectors"]

FORMS = {
    "four_seats_5_5": parse_ruleset("gamelake-4:deal_packets=5+5"),
    "two_seats_5_5": parse_ruleset("gamelake-2:deal_packets=5+5"),
    "four_seats_one_packet": PRESETS["gamelake-4"],
}


def named(vector: dict[str, Any]) -> str:
    return f"{vector['text']}-{vector['board']}"


def hands_of(form: dict[str, Any]) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(map(parse_card, form["hands"][seat])) for seat in sorted(form["hands"]))


@pytest.mark.parametrize("vector", VECTORS, ids=named)
def test_decks_are_those_of_the_vectors(vector: dict[str, Any]) -> None:
    """Seed and shuffled deck."""
    seed = seed_from_text(vector["text"])
    assert seed.hex() == vector["seed"]
    assert list(map(str, shuffled_deck(seed, vector["board"]))) == vector["deck"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("vector", VECTORS, ids=named)
def test_hands_are_those_of_the_vectors(vector: dict[str, Any], form: str) -> None:
    """For every form with a ruleset that is offered."""
    ruleset, expected = FORMS[form], vector[form]
    assert leader_of_board(ruleset, vector["board"]) == expected["leader"]
    dealt = deal_board(ruleset, seed_from_text(vector["text"]), vector["board"])
    assert dealt.hands == hands_of(expected)
    assert list(map(str, dealt.stock)) == expected.get("stock_top_first", [])


@pytest.mark.parametrize("vector", VECTORS, ids=named)
def test_three_hands_and_a_monte_are_given_as_in_the_vectors(vector: dict[str, Any]) -> None:
    """Three seats are not offered as a ruleset; giving cards knows them already."""
    expected = vector["three_seats_4_4_4"]
    deck = shuffled_deck(seed_from_text(vector["text"]), vector["board"])
    leader = (vector["board"] - 1) % 3
    dealt = give(deck, seats=3, packets=(4, 4, 4), leader=leader)
    assert leader == expected["leader"]
    assert dealt.hands == hands_of(expected)
    assert list(map(str, dealt.stock)) == expected["monte"]


def test_every_form_of_the_vectors_is_tried() -> None:
    """So that a new one is not passed over."""
    known = {"text", "seed", "commitment", "board", "deck", "three_seats_4_4_4", *FORMS}
    assert {key for vector in VECTORS for key in vector} == known


@settings(deadline=None)
@given(st.binary(min_size=32, max_size=32), st.integers(1, MAX_BOARD), st.sampled_from([*PRESETS]))
def test_every_card_is_dealt_once(seed: bytes, board: int, preset: str) -> None:
    """Whatever the seed, board and ruleset."""
    ruleset = PRESETS[preset]
    dealt = deal_board(ruleset, seed, board)
    assert [len(hand) for hand in dealt.hands] == [ruleset.hand_size] * ruleset.seats
    assert len(dealt.stock) == ruleset.stock
    assert sorted(card for cards in (*dealt.hands, dealt.stock) for card in cards) == list(CARDS)


def test_packets_go_round_from_the_leader() -> None:
    """Five at a time from the front of the deck: CZ §3, IT ¶2."""
    dealt = distribute(PRESETS["italian-tournament"], CARDS, leader=1)
    assert dealt.hands[1] == CARDS[:5] + CARDS[20:25]
    assert dealt.hands[0] == CARDS[15:20] + CARDS[35:]


def plain_deck(seed: bytes, board: int) -> tuple[list[str], int]:
    """Shuffle as design.md §6 says, in the ten lines it promises; count the skipped words."""
    deck = [suit + rank for suit in "DCSB" for rank in "4567JHKA23"]
    blocks = [
        hmac.new(seed, b"tressette deal v1" + pack(">II", board, block), "sha256").digest()
        for block in range(9)
    ]
    words = list(unpack(">72I", b"".join(blocks)))
    skipped = 0
    for i in range(39, 0, -1):
        while words[0] >= 2**32 // (i + 1) * (i + 1):
            words.pop(0)
            skipped += 1
        j = words.pop(0) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck, skipped


SKIPS_A_WORD = 606429
"""The first board of the seed "tressette" at which a word of the stream is too high."""


@pytest.mark.parametrize("board", [1, 2, 2**32 - 1, SKIPS_A_WORD])
def test_ten_plain_lines_shuffle_alike(board: int) -> None:
    """Words that would favour some cards are skipped, as one in ten million deals needs."""
    seed = seed_from_text("tressette")
    deck, skipped = plain_deck(seed, board)
    assert list(map(str, shuffled_deck(seed, board))) == deck
    assert skipped == (1 if board == SKIPS_A_WORD else 0)


@pytest.mark.parametrize("board", [0, -1, MAX_BOARD + 1])
def test_board_numbers_start_at_1_and_fit_32_bits(board: int) -> None:
    """Others are refused with the range."""
    with pytest.raises(RulesError, match=f"board {board}: boards are numbered from 1 to 429"):
        shuffled_deck(bytes(32), board)


def test_a_seed_has_32_bytes() -> None:
    """A text has to go through SHA-256 first."""
    with pytest.raises(RulesError, match="a seed of 9 bytes: a seed has 32"):
        shuffled_deck(b"tressette", 1)


def test_dealt_cards_are_all_different_and_hands_alike() -> None:
    """Anything else is refused."""
    with pytest.raises(RulesError, match="D3 is dealt twice"):
        DealtCards(((Card.D3,), (Card.D4,)), (Card.D3,))
    with pytest.raises(RulesError, match=r"hands of \[1, 2\] cards"):
        DealtCards(((Card.D3,), (Card.D4, Card.D5)))


def test_the_lead_moves_on_by_one_and_the_seat_before_the_leader_deals() -> None:
    """CZ §3 (dealer's right leads, play goes counter-clockwise); the judge of IT ¶2 has no seat."""
    ruleset = PRESETS["cardgames-zone-4"]
    leaders = [leader_of_board(ruleset, board) for board in range(1, 7)]
    assert leaders == [0, 1, 2, 3, 0, 1]
    assert [dealer_of(ruleset, leader) for leader in leaders] == [3, 0, 1, 2, 3, 0]
    assert dealer_of(PRESETS["italian-tournament"], 2) is None
    assert [leader_of_board(PRESETS["gamelake-2"], board) for board in (1, 2, 3)] == [0, 1, 0]


def test_dealt_cards_can_be_pickled() -> None:
    """To cross processes."""
    dealt = deal_board(PRESETS["gamelake-2"], bytes(32), 7)
    assert pickled(dealt) == dealt
