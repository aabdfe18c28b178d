"""``arena ask`` leads a real bot along a logged match and shows its answer beside the logged."""

import json
import sys
from pathlib import Path

import pytest

from arena.record.read import read_log
from arena.record.retelling import Put, retold
from tests.cli.bots import HIGH, KIT, LINES, LOW, write_bot
from tests.cli.conftest import RunArena
from tests.tournament.played_event import play_event

MATCH = "s1-r1-p1-o0-m1"
HEARS = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    print(line.strip(), file=open("HEARD", "a"))
    decision = message.get("decision")
    if decision:
        answer = {"decision_id": decision["decision_id"], "card": decision["card"]["legal"][-1]}
        print(json.dumps({"answer": answer}), flush=True)
"""
"""Plays as HIGH, and notes everything that it is sent."""


@pytest.fixture
def event(home: Path) -> Path:
    """Play an event in which seats 0 and 2 always play their first legal card."""
    return play_event(home / "trial")


def puts(event: Path, seat: int) -> list[Put]:
    log = next((event / "logs").glob(f"{MATCH}.a2.*"))
    told = [one for one in retold(read_log(log)) if isinstance(one, Put)]
    return [put for put in told if put.ask.seat == seat]


def test_the_bot_that_played_gives_the_logged_answer_again(
    arena: RunArena, home: Path, event: Path
) -> None:
    bot = write_bot(home / "low", LOW)
    put = puts(event, 0)[12]
    ended = arena("ask", event, MATCH, "--decision", str(put.line.seq), "--", bot)
    assert ended.status == 0, ended
    assert put.given is not None
    assert put.given.answer is not None
    card = put.given.answer.card
    assert f"logged {card}, by greedy" in ended.out
    assert f"low answers {card} after" in ended.out
    assert "off the logged line" not in ended.out


def test_another_bot_is_led_on_along_the_logged_line_and_told_where_it_was_off_it(
    arena: RunArena, home: Path, event: Path
) -> None:
    heard = home / "heard"
    bot = write_bot(home / "hears", HEARS.replace("HEARD", str(heard)))
    *before, last = puts(event, 0)[:12]
    astray = [put for put in before if len(put.ask.question.legal) > 1]
    words = ("--decision", str(last.line.seq), "--sandbox", "none")  # it writes down what it hears
    ended = arena("ask", event, MATCH, *words, "--", bot)
    assert ended.status == 0, ended
    for put in astray:
        first, *_, other = put.ask.question.legal
        assert f"off the logged line at seq {put.line.seq}: {other}, logged {first}" in ended.out
    assert ended.out.count("off the logged line") == len(astray) > 0
    messages = [json.loads(line) for line in heard.read_text().splitlines()]
    asked = [message["decision"] for message in messages if "decision" in message]
    hands = [[str(card) for card in put.ask.observation.hand] for put in (*before, last)]
    assert [decision["observation"]["hand"] for decision in asked] == hands
    told = [message["rejected"]["message"] for message in messages if "rejected" in message]
    assert len(told) == len(astray)
    assert all("off the logged line" in text for text in told)


def test_repeated_askings_give_frequencies(arena: RunArena, home: Path, event: Path) -> None:
    bot = write_bot(home / "high", HIGH)
    put = next(put for put in puts(event, 0) if len(put.ask.question.legal) > 1)
    words = ("ask", event, MATCH, "--decision", str(put.line.seq), "--repeat", "3")
    ended = arena(*words, "--", bot)
    assert f"high answers {put.ask.question.legal[-1]}: 3 of 3" in ended.out
    assert "as logged: 0 of 3" in ended.out
    told = json.loads(arena(*words, "--json", "--", bot).out)
    assert (told["kind"], told["data"]["seat"]) == ("ask", 0)
    assert [one["as_logged"] for one in told["data"]["answers"]] == [False] * 3


def test_a_bot_that_does_not_answer_has_failed(arena: RunArena, home: Path, event: Path) -> None:
    sleeper = LINES.replace("ACT", "time.sleep(60)").replace("CHOICE", "0")
    bot = write_bot(home / "sleeper", sleeper)
    seq = str(puts(event, 1)[0].line.seq)
    ended = arena("ask", event, MATCH, "--decision", seq, "--patience", "0.2", "--", bot)
    assert (ended.status, f"no answer at seq {seq} within 0.2 s" in ended.err) == (1, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--decision", "2", "--", "greedy"), "no decision_asked there; the nearest are"),
        (("--decision", "2"), "name a bot after --"),
        (("--decision", "2", "--entrant", "greedy", "--", "greedy"), "go without --decision"),
        (("--entrant", "nobody", "--", "greedy"), "no entrant 'nobody' played"),
        (("--decision", "0", "--", "greedy"), "--decision"),
    ],
)
def test_wrong_words_are_told(
    arena: RunArena, event: Path, words: tuple[str, ...], says: str
) -> None:
    ended = arena("ask", event, MATCH, *words)
    assert (ended.status, says in ended.err, ended.err.count("\n")) == (2, True, 1), ended


def test_a_program_named_by_its_path_alone_is_a_command(
    arena: RunArena, home: Path, event: Path
) -> None:
    seq = str(puts(event, 0)[1].line.seq)
    program = home / "mine"
    program.write_text(f"#!{sys.executable}\n{KIT}")
    program.chmod(0o755)
    # Its interpreter is the arena's by a path of its own, which no sandbox shows.
    ended = arena("ask", event, MATCH, "--decision", seq, "--sandbox", "none", "--", "./mine")
    assert (ended.status, "mine answers " in ended.out) == (0, True), ended


def test_a_command_may_speak_lines_if_that_is_said(
    arena: RunArena, home: Path, event: Path
) -> None:
    seq = str(puts(event, 0)[1].line.seq)
    (home / "mine.py").write_text(HIGH)
    command = ("--lines", "--", sys.executable, "mine.py")
    ended = arena("ask", event, MATCH, "--decision", seq, *command)
    assert (ended.status, " answers " in ended.out) == (0, True), ended


def test_a_new_version_is_held_against_all_matches_of_the_old_one(
    arena: RunArena, home: Path, event: Path
) -> None:
    """The entrant greedy plays its first legal card at each of its seats in both orientations."""
    low, high = write_bot(home / "low", LOW), write_bot(home / "high", HIGH)
    ended = arena("ask", event, "--entrant", "greedy", "--json", "--", low)
    data = json.loads(ended.out)["data"]
    assert (ended.status, data["matches"], data["askings"]) == (0, 2, 4), ended
    *phases, total = data["phases"]
    assert [phase["phase"] for phase in phases] == ["opening", "middle", "end"]
    assert total["decisions"] == total["same_card"] == total["same_value"] > 40
    assert total["decisions"] == sum(phase["decisions"] for phase in phases)
    assert total["decisions"] + data["forced"] == 4 * 2 * 10
    assert total["interval"] == [0.0122, 1]  # of two boards nobody can say more
    assert data["others"] == []
    ended = arena("ask", event, "--entrant", "greedy", "--", high)
    assert ended.status == 0, ended
    assert ended.out.startswith("high where greedy was asked: 2 matches, 4 askings\n")
    (row,) = [line.split() for line in ended.out.splitlines() if line.startswith("all ")]
    assert row[1:4] == [str(total["decisions"]), "0.0", "%"]
    assert "high plays" in ended.out


def test_one_match_is_asked_as_often_as_wanted_with_the_seeds_of_the_bot(
    arena: RunArena, home: Path, event: Path
) -> None:
    bot = write_bot(home / "low", LOW)
    words = ("--entrant", "greedy", "--repeat", "2", "--json", "--", bot)
    told = json.loads(arena("ask", event, MATCH, *words).out)["data"]
    assert (told["matches"], told["askings"]) == (1, 4)
    first = json.loads(arena("ask", event, "--matches", "1", *words).out)["data"]
    assert first == told
    assert told["phases"][-1]["decisions"] == told["phases"][-1]["same_card"]


def test_a_bot_that_fails_on_the_way_is_told_with_its_match(
    arena: RunArena, home: Path, event: Path
) -> None:
    sleeper = LINES.replace("ACT", "time.sleep(60)").replace("CHOICE", "0")
    bot = write_bot(home / "sleeper", sleeper)
    ended = arena("ask", event, "--entrant", "random", "--patience", "0.2", "--", bot)
    says = f"match {MATCH}, seat 1: no answer at seq"
    assert (ended.status, says in ended.err) == (1, True), ended


def test_cards_that_are_not_public_are_the_organisers(arena: RunArena, home: Path) -> None:
    event = play_event(home / "cup", is_practice=False)
    lines = (event / "event.jsonl").read_bytes().splitlines(keepends=True)
    (event / "event.jsonl").write_bytes(b"".join(lines[:-2]))
    for words in ((MATCH, "--decision", "20"), ()):
        ended = arena("ask", event, *words, "--", "greedy")
        assert (ended.status, "not public" in ended.err) == (2, True), ended
