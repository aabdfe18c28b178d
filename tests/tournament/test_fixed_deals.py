"""Deals go out of a log as text and come back as fixed deals."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.record.read import read_log
from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.events import DealStarted
from arena.rules.notation import format_deal
from arena.rules.presets import PRESETS
from arena.tournament.event_file import EventFile, Stage
from arena.tournament.event_reading import parse_event
from arena.tournament.event_text import event_text
from arena.tournament.fixed_deals import check_fixed_deals, deal_lines, read_deals
from tests.record.make_golden import GOLDENS
from tests.tournament.played_event import EVENT

SEED = seed_from_text("fixed")


def board(number: int, ruleset: str = "gamelake-4") -> str:
    return format_deal(deal_board(PRESETS[ruleset], SEED, number))


@pytest.mark.parametrize("ruleset", sorted(PRESETS))
def test_the_deals_of_a_log_come_back_as_they_were(ruleset: str, tmp_path: Path) -> None:
    record = read_log(GOLDENS / f"{ruleset}.completed.jsonl")
    file = tmp_path / "deals"
    file.write_text("\n".join(deal_lines(record)))
    deals = [line.event for line in record.lines if isinstance(line.event, DealStarted)]
    assert len(deals) == 2
    event = EventFile(
        name="again",
        practice=True,
        entrants=EVENT.entrants,
        deals=read_deals(file, record.header.ruleset),
        stages=(Stage(ruleset=record.header.ruleset),),
    )
    for number, dealt in enumerate(deals, start=1):
        cards = event.cards_of(event.stages[0], number)
        assert cards is not None
        assert (cards.hands, cards.stock) == (dealt.hands, dealt.stock)
    assert event.cards_of(event.stages[0], 3) == event.cards_of(event.stages[0], 1)
    assert check_fixed_deals(event, event.stages[0], record) is None


def test_a_deal_with_another_leader_is_turned_so_that_its_leader_leads(tmp_path: Path) -> None:
    file = tmp_path / "deals"
    text = board(7)
    file.write_text(f"# a comment\n\nleader 2: {text}  # and another\n")
    (turned,) = read_deals(file, PRESETS["gamelake-4"])
    hands = text.split(" | ")
    assert turned.split(" | ") == [*hands[2:], *hands[:2]]


def test_a_log_with_another_deal_than_the_fixed_one_is_found_out(tmp_path: Path) -> None:
    record = read_log(GOLDENS / "gamelake-4.completed.jsonl")
    stage = Stage(ruleset=record.header.ruleset)
    event = replace(EVENT, stages=(stage,), deals=(board(1),))
    first = check_fixed_deals(event, stage, record)
    assert first is not None
    assert isinstance(record.lines[first.seq - 1].event, DealStarted)
    assert board(1) in first.expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no deal"),
        ("D3 C7", "line 1: 1 hands"),
        (f"\nleader 4: {board(1)}", "line 2: leader 4: allowed are 0 to 3"),
        (board(1).replace("D4", "X9"), "'X9' is not a card"),
        (board(1).replace("D4", "D5"), "every card is there once"),
    ],
)
def test_what_is_no_deal_is_refused_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "deals"
    file.write_text(text)
    with pytest.raises(ConfigError, match="deals") as refused:
        read_deals(file, PRESETS["gamelake-4"])
    assert says in str(refused.value)


def test_a_file_that_is_no_text_or_too_long_or_missing_is_refused(tmp_path: Path) -> None:
    ruleset = PRESETS["gamelake-4"]
    file = tmp_path / "deals"
    with pytest.raises(ConfigError, match="No such file"):
        read_deals(file, ruleset)
    file.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="no UTF-8"):
        read_deals(file, ruleset)
    file.write_bytes(b"#" * ((1 << 20) + 1))
    with pytest.raises(ConfigError, match="more than"):
        read_deals(file, ruleset)


def test_fixed_deals_are_for_practice_only_and_must_fit_the_ruleset() -> None:
    stages = (Stage(ruleset=PRESETS["gamelake-4"]),)
    with pytest.raises(ConfigError, match="practice = true"):
        replace(EVENT, practice=False, seed=None, stages=stages, deals=(board(1),))
    with pytest.raises(ConfigError, match="deal 2: 2 hands"):
        replace(EVENT, stages=stages, deals=(board(1), board(1, "gamelake-2")))


def test_an_event_file_keeps_its_fixed_deals() -> None:
    stages = (Stage(ruleset=PRESETS["gamelake-4"]),)
    event = replace(EVENT, stages=stages, deals=(board(1), board(2)))
    assert parse_event(event_text(event).encode(), source="x").deals == event.deals
