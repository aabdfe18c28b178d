"""A replay tells everything, or what one seat saw; foreign text cannot move the cursor."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ConfigError
from arena.record.read import MatchRecord, read_log
from arena.record.text import replay_lines
from arena.record.wording import shown
from arena.referee.events import SeatReturned
from arena.rules.cards import CARDS, Rank, Suit
from arena.rules.events import (
    Claim,
    ClaimKind,
    DealStarted,
    DeclarationMade,
    SpecifiedBy,
    TrickWon,
)
from tests.record.make_golden import GOLDENS, NAMES
from tests.record.samples import make_header, seat_headers


def golden(name: str) -> MatchRecord:
    return read_log(GOLDENS / f"{name}.jsonl")


def told(record: MatchRecord, seat: int | None = None, deal: int | None = None) -> str:
    return "\n".join(replay_lines(record, seat, deal))


@given(st.text(st.characters(exclude_categories=[]), max_size=60))
def test_shown_text_is_printable_and_unambiguous(text: str) -> None:
    assert all(char.isprintable() or char in "\u200c\u200d" for char in shown(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zoë", '"Zoë"'),
        ('say "hi"', '"say \\"hi\\""'),
        ("a\nb\tc\x1b[2J\0", '"a\\nb\\tc\\x1b[2J\\x00"'),
        ("\u202egnp.exe", '"\\u202egnp.exe"'),
        ("back\\slash", '"back\\\\slash"'),
        ("👩\u200d👧", '"👩\u200d👧"'),
        ("\udce9", '"\\udce9"'),
    ],
)
def test_control_characters_are_shown_escaped(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_a_trick_is_one_line_with_the_winning_card_marked() -> None:
    record = golden("gamelake-4.completed")
    lines = [line for line in replay_lines(record) if line.startswith("  trick")]
    won = [line.event for line in record.lines if isinstance(line.event, TrickWon)]
    assert len(lines) == len(won) == 20
    for line, event in zip(lines, won, strict=True):
        plays = re.findall(r"([0-3]):([DCSB][4-7JHKA23])([* ])", line)
        assert len(plays) == 4
        assert [int(seat) for seat, _, mark in plays if mark == "*"] == [event.seat]
        assert f"seat {event.seat} wins {event.thirds} third" in line


def test_a_whole_replay_shows_head_hands_scores_and_the_end() -> None:
    text = told(golden("italian-tournament.completed"))
    assert "Match s1-r1-p1-o0-m1, attempt 1" in text
    assert "Ruleset italian-tournament, boards 1 to 2" in text
    assert shown(NAMES[0]) in text
    assert shown(NAMES[1]) in text
    assert "guessable seed" in text
    assert "Deal 2, board 2: the judge deals, seat 1 leads" in text
    assert "declares three aces without swords: 3 points, specified on request" in text
    assert re.search(r"seat \d says (busso|liscio|piombo|volo) with [DCSB][4-7JHKA23]", text)
    assert re.search(r"seat \d expects [+-]\d+ thirds? for its side", text)
    assert 'notes "piombo? \\"ora\\" \\t→ 🂡"' in text
    assert re.search(r"deal 2: \d+ : \d+ thirds, points \d+ : \d+.*; totals \d+ : \d+", text)
    assert text.endswith("side 0 wins")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gamelake-4.late", r"seat 1: the referee played [DCSB]."),
        ("gamelake-4.late", r'seat 1: fault, late "thought \d+ ms'),
        ("gamelake-4.refused", r"seat 1: refused \(card_not_held\)"),
        ("italian-tournament.revoke", "seat 1 revokes: the deal ends"),
        ("italian-tournament.revoke", "of them penalties"),
        ("italian-tournament.false_claim", "claims four threes: refused, false"),
        ("italian-tournament.false_claim", r"seat 1: infraction \(declaration\), -1 point$"),
        ("italian-tournament.unheard_word", r"seat 1: infraction \(signal\), -1 point$"),
        ("gamelake-4.forfeit_crash", r'ended: forfeit_crash by seat 1, "שלום\\u202e'),
        ("gamelake-4.forfeit_crash", r"└ seat 1 is gone$"),
        ("gamelake-4.forfeit_crash", r"  \| last words: \\x1b\[31mKeyError$"),
        ("gamelake-4.forfeit_crash", "not finished"),
        ("gamelake-4.forfeit_crash", "seat 1 is gone"),
        ("gamelake-4.host_fault", "ended: host_fault by host"),
        ("gamelake-4.host_fault", "no side is ahead"),
        ("gamelake-4.target", "to 11 points, from board 1"),
        ("gamelake-2.completed", "  stock    "),
    ],
)
def test_what_went_wrong_is_told(name: str, says: str) -> None:
    assert re.search(says, told(golden(name)), re.MULTILINE)


def test_a_log_that_was_cut_says_so_after_what_lies_on_the_table() -> None:
    record = golden("gamelake-4.completed")
    lines = list(replay_lines(replace(record, lines=record.lines[:15], complete=False)))
    assert any("not finished" in line for line in lines[-5:])
    assert lines[-1] == "The log ends here, before the end of the match."


@pytest.mark.parametrize(
    "name", ["gamelake-4.completed", "gamelake-2.completed", "pagat-4.completed"]
)
def test_a_seats_replay_names_no_card_before_the_seat_could_know_it(name: str) -> None:
    record = golden(name)
    for seat in range(record.header.ruleset.seats):
        (deal, *_) = (line.event for line in record.lines if isinstance(line.event, DealStarted))
        text = told(record, seat)
        before_first_card = text[: text.index("  trick")]
        named = {card for card in CARDS if re.search(rf"\b{card}\b", before_first_card)}
        assert named == set(deal.hands[seat])


def test_a_seats_replay_hides_the_other_seats_draws_faults_notes_and_names() -> None:
    record = golden("gamelake-2.completed")
    assert "seat 1 draws a hidden card" in told(record, 0)
    assert not re.search(r"seat 1 (expects|notes)", told(record, 0))
    assert "20 cards" in told(record, 0)
    late = golden("gamelake-4.late")
    assert "fault, late" in told(late, 1)
    assert "fault" not in told(late, 0)
    assert "seat 1: the referee played" in told(late, 0)
    refused = golden("gamelake-4.refused")
    assert "refused" in told(refused, 1)
    assert "refused" not in told(refused, 2)
    crash = told(golden("gamelake-4.forfeit_crash"), 0)
    assert "ended: forfeit_crash by seat 1" in crash
    assert "KeyError" not in crash
    assert "guessable" not in crash
    assert shown(NAMES[1]) not in crash


def test_a_refused_claim_is_told_to_its_own_seat_only() -> None:
    record = golden("italian-tournament.false_claim")
    assert "claims four" in told(record, 1)
    assert "claims four" not in told(record, 0)
    assert "infraction (declaration)" in told(record, 0)


def test_a_fault_of_the_host_is_told_in_the_whole_replay_only() -> None:
    record = golden("gamelake-4.host_fault")
    assert 'fault of the host: host "disk full"' in told(record)
    assert "disk full" not in told(record, 0)
    assert "fault of" not in told(record, 0)


def test_bots_without_a_version_and_an_unstamped_seed_are_told_plainly() -> None:
    record = golden("gamelake-4.completed")
    seats = tuple(replace(seat, version="") for seat in seat_headers(record.header.ruleset))
    header = replace(make_header(boards=2), seats=seats, guessable_seed=False)
    text = told(replace(record, header=header))
    assert 'seat 0, side 0: "greedy" ("greedy-bot")' in text
    assert "guessable" not in text


def test_a_seat_that_came_back_is_told_beneath_its_trick() -> None:
    record = golden("gamelake-4.completed")
    at = next(line for line in record.lines if isinstance(line.event, TrickWon))
    back = replace(at, event=SeatReturned(seat=2))
    lines = (*record.lines[: at.seq - 1], back, *record.lines[at.seq - 1 :])
    text = list(replay_lines(replace(record, lines=lines), 0))
    trick = next(place for place, line in enumerate(text) if line.startswith("  trick  1"))
    below = next(line for line in text[trick + 1 :] if line.endswith("└ seat 2 is back"))
    assert below.index("└") == text[trick].index("2:")


def test_a_refusal_stands_below_the_card_that_was_played_after_it() -> None:
    text = list(replay_lines(golden("gamelake-4.refused")))
    place = next(n for n, line in enumerate(text) if "refused (card_not_held)" in line)
    trick = next(line for line in reversed(text[:place]) if line.startswith("  trick"))
    assert text[place].index("└ seat 1") == trick.index("1:")


def test_long_last_words_are_told_once_and_as_they_were_laid_out() -> None:
    text = list(replay_lines(golden("gamelake-4.forfeit_crash")))
    words = [line.strip() for line in text if line.lstrip().startswith("| ")]
    assert words == ["| signal 9", r"| last words: \x1b[31mKeyError"]


def test_one_deal_is_told_alone_with_the_head() -> None:
    record = golden("italian-tournament.completed")
    text = told(record, deal=2)
    assert text.startswith("Match s1-r1-p1-o0-m1")
    assert "Deal 2, board 2" in text
    assert "Deal 1, board 1" not in text
    assert text.splitlines()[-1].startswith("  deal 2: ")
    assert "Deal 2, board 2" in told(record)
    with pytest.raises(ConfigError, match="deal 3: this match has deals 1 to 2"):
        replay_lines(record, deal=3)


def test_a_seats_replay_says_which_match_and_who_sits_where_without_names() -> None:
    head = told(golden("italian-tournament.completed"), 1).splitlines()[:6]
    assert head[0] == "Match s1-r1-p1-o0-m1, attempt 1, as seat 1 saw it"
    assert [line.split(": ")[0] for line in head[2:]] == [
        f"  seat {seat}, side {seat % 2}" for seat in range(4)
    ]
    assert [line.split(": ")[1] for line in (head[2], head[4], head[5])] == [
        "opponent",
        "opponent",
        "partner",
    ]
    assert head[3].endswith("(this seat)")


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        (Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.CUPS), "a napoletana of cups"),
        (Claim(kind=ClaimKind.THREE, suit=Suit.CLUBS, rank=Rank.TWO), "three twos without clubs"),
        (Claim(kind=ClaimKind.FOUR, rank=Rank.ACE), "four aces"),
    ],
)
def test_every_combination_has_its_words(claim: Claim, says: str) -> None:
    record = golden("gamelake-4.completed")
    made = DeclarationMade(seat=1, claim=claim, points=3, specified_by=SpecifiedBy.RULE)
    at = next(line for line in record.lines if isinstance(line.event, TrickWon))
    lines = (*record.lines[: at.seq - 1], replace(at, event=made), *record.lines[at.seq - 1 :])
    text = told(replace(record, lines=lines))
    assert f"seat 1 declares {says}: 3 points, shown or named" in text


def test_a_seat_that_the_match_has_not_is_refused() -> None:
    with pytest.raises(ConfigError, match="seat 4: this match has seats 0 to 3"):
        replay_lines(golden("gamelake-4.completed"), 4)
