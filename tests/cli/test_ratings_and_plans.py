"""Ratings, comparisons and plans as a user meets them: what is wrong is said in one line."""

import json
import re
import signal
from pathlib import Path

import pytest

from tests.cli.bots import HIGH, slow_bot, write_bot
from tests.cli.conftest import RunArena, StartArena

EVENT = """
name = "pair"
practice = true
[[entrant]]
bot = "greedy"
[[entrant]]
bot = "random"
[[stage]]
boards = 4
boards_per_match = 4
trust_memory = true
"""


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("compare", "greedy"), "1 bot given; allowed are two, A and B"),
        (("sprt", "greedy", "random", "--elo1", "5"), "--elo1 5.0: goes with --elo only"),
        (
            ("compare", "greedy", "random", "--points1", "-1"),
            "arena: --points0 and --points1: found 0 ",
        ),
        (
            ("compare", "greedy", "random", "--alpha", "0.7"),
            "arena: --alpha: found 0.7; allowed: mor",
        ),
        (
            ("compare", "greedy", "random", "--elo", "--elo1", "900"),
            "--elo0 below --elo1, both from -400 to",
        ),
        (("plan", "nowhere.toml"), "nowhere.toml: no such file or folder"),
        (("ratings", "nowhere.toml"), "nowhere.toml: no such file or folder"),
    ],
)
def test_a_mistake_is_answered_in_one_line(
    arena: RunArena, words: tuple[str, ...], answer: str
) -> None:
    ended = arena(*words)
    assert ended.status == 2
    assert answer in ended.err
    assert ended.err.count("\n") == 1


def test_a_plan_counts_what_the_schedule_holds(arena: RunArena, home: Path) -> None:
    (home / "pair.toml").write_text(EVENT)
    ended = arena("plan", "pair.toml", "--precision", "0.5", "--json")
    assert ended.status == 0
    document = json.loads(ended.out)
    assert (document["schema"], document["kind"]) == (1, "plan")
    (stage,) = document["data"]["stages"]
    assert (stage["matches"], stage["boards"], stage["decisions"]) == (2, 8, 320)
    told = arena("plan", "pair.toml", "--precision", "0.5").out
    assert "expected time (estimate)" in told
    assert "worst time, all at their limits" in told


def test_a_trial_measures_whatever_format_comes_first(arena: RunArena, home: Path) -> None:
    first, second = write_bot(home / "low"), write_bot(home / "high", HIGH)
    third = write_bot(home / "third")
    entrants = "".join(f'[[entrant]]\nbot = "{one}"\n' for one in (first, second, third))
    (home / "cup.toml").write_text(
        f'name = "cup"\npractice = true\n{entrants}'
        '[[stage]]\nformat = "swiss"\nrounds = 2\nadvance = 3\nboards = 2\n'
        "boards_per_match = 2\ntrust_memory = true\n"
        '[[stage]]\nformat = "knockout"\nboards = 2\nboards_per_match = 2\n'
        "trust_memory = true\n"
    )
    ended = arena("plan", "cup.toml", "--trial")
    assert ended.status == 0, ended.err
    assert "a trial of low v high on this machine" in ended.out


def test_an_event_that_was_not_run_has_no_ratings(arena: RunArena, home: Path) -> None:
    (home / "pair").mkdir()
    (home / "pair" / "event.toml").write_text(EVENT)
    ended = arena("ratings", "pair")
    assert ended.status == 2
    assert "no event was run here" in ended.err


def test_a_comparison_ends_with_a_verdict_and_can_be_rated(arena: RunArena, home: Path) -> None:
    low, high = write_bot(home / "low"), write_bot(home / "high", HIGH)
    ended = arena("compare", low, high, "--seed", "x", "--boards", "20", "-o", "found", "--json")
    data = json.loads(ended.out)["data"]
    assert (data["a"], data["b"], data["board_groups"]) == ("low", "high", 20)
    assert ended.status == (0 if data["outcome"] == "accepted" else 1)
    assert sum(data["information_pairs_lost_to_won"]) == 20
    again = arena("compare", low, high, "--seed", "x", "--boards", "20", "-o", "found", "--json")
    assert (again.status, json.loads(again.out)) == (ended.status, json.loads(ended.out))
    rated = json.loads(arena("ratings", "found", "--json").out)["data"]
    lead = {one["name"]: one["estimate"] for one in rated["bots"]}
    assert lead["low"] - lead["high"] == pytest.approx(data["points_per_board"], abs=1e-3)
    anchored = json.loads(arena("ratings", "found", "--anchor", "low=7", "--json").out)["data"]
    errors = {one["name"]: one["standard_error"] for one in anchored["bots"]}
    assert errors["low"] is None  # an anchor has none of its own
    assert errors["high"] > 0
    assert "+7.00         -  " in arena("ratings", "found", "--anchor", "low=7").out
    pairs = arena("standings", "found", "--pairings", "--format", "csv").out.splitlines()
    assert pairs[0].startswith("stage,first,second,points,low,high,won")
    assert len(pairs) == 2
    cross = arena("standings", "found", "--crosstable", "--format", "markdown").out
    assert "| rank | entrant |" in cross


def test_another_comparison_in_the_same_folder_is_refused(arena: RunArena, home: Path) -> None:
    low, high = write_bot(home / "low"), write_bot(home / "high", HIGH)
    first = arena("compare", low, high, "--boards", "20", "--seed", "x", "-o", "found")
    assert first.status in {0, 1}
    ended = arena("compare", low, high, "--boards", "30", "--seed", "x", "-o", "found")
    assert ended.status == 2
    assert "not the file that the event in found began with" in ended.err


def test_a_comparison_that_was_stopped_goes_on_with_the_same_command(
    start_arena: StartArena, arena: RunArena, home: Path
) -> None:
    slow_bot(home / "slow", 0.001)
    write_bot(home / "low")
    words = ("compare", "slow", "low", "--boards", "30", "--seed", "x", "--tables", "1")
    running = start_arena(*words)
    running.see("^10 boards: ")
    running.signal(signal.SIGINT)
    stopped = running.end()
    assert stopped.status == 4
    assert "open after 10 boards" in stopped.out or "open after 20 boards" in stopped.out
    finished = arena(*words, "--json")
    assert "going on with comparisons/slow-v-low" in finished.err
    assert "already counted: " in finished.err
    # Both play the lowest card, so nothing is won and the cap or a rejection ends it.
    assert finished.status == 1
    data = json.loads(finished.out)["data"]
    assert (data["points_per_board"], data["outcome"]) == (0.0, "rejected")


def test_one_bot_under_two_names_is_told_and_anchored_by_either(
    arena: RunArena, home: Path
) -> None:
    low, high = write_bot(home / "low"), write_bot(home / "high", HIGH)
    (home / "cup.toml").write_text(
        'name = "cup"\npractice = true\n'
        f'[[entrant]]\nname = "x"\nbot = "{low}"\n[[entrant]]\nname = "y"\nbot = "{high}"\n'
        f'[[entrant]]\nname = "z"\nbot = "{low}"\n'
        "[[stage]]\nboards = 2\nboards_per_match = 2\ntrust_memory = true\n"
    )
    assert arena("run", "cup.toml").status == 0
    told = arena("ratings", "cup").out
    assert "\n· x is also z: the same content and options, rated as one\n" in told
    by_first = json.loads(arena("ratings", "cup", "--json", "--anchor", "x=7").out)["data"]
    by_other = json.loads(arena("ratings", "cup", "--json", "--anchor", "z=7").out)["data"]
    assert by_first["bots"] == by_other["bots"]
    assert next(bot for bot in by_other["bots"] if bot["name"] == "x")["estimate"] == 7


def test_a_comparison_that_was_decided_early_is_proven_as_it_is(
    arena: RunArena, home: Path
) -> None:
    low, high = write_bot(home / "low"), write_bot(home / "high", HIGH)
    words = ("compare", low, high, "--points0", "-9", "--points1", "-8", "-o", "found", "--json")
    ended = arena(*words)
    data = json.loads(ended.out)["data"]
    assert data["board_groups"] < data["most_boards"]
    over = f"decided: accepted after {data['board_groups']} boards"
    proven = arena("verify", "found")
    assert proven.status == 0, proven.out
    assert f"\ncomparison {over}\n" in proven.out
    told = arena("status", "found").out
    assert f"\ncomparison {over}\n" in told
    assert " of 400; the rest is not needed\n" in told
    shown = arena("standings", "found").out
    assert f"\n· {over}\n" in shown
    assert "; not needed: up to " in shown
    assert "provisional" not in shown + told
    kept = json.loads((home / "found" / "standings.json").read_bytes())["data"]
    assert kept["provisional"] is False
    planned = arena("plan", "found").out
    assert "· [compare]: it ends once it is decided" in planned
    assert f"· begun already: {over}\n" in planned
    counted = (home / "found" / "event.jsonl").read_text()
    assert '"event":"event_closed"' in counted
    # The organiser's word holds for what is tested, too.
    for match in re.findall(r'"match_counted","match":"(s1-r[0-9]+-p1-o0-m1)"', counted):
        void = arena("rule", "found", "void", match, "--reason", "x", "--by", "me")
        assert void.status == 0, void.err
    ruled = arena(*words)
    data = json.loads(ruled.out)["data"]
    assert (ruled.status, data["outcome"], data["board_groups"]) == (1, "open", 0)
    assert "by rulings too few count, and no more cards are dealt" in arena(*words[:-1]).out
    assert arena("verify", "found").status == 0
    assert "· provisional: " in arena("standings", "found").out


def test_a_comparison_that_is_decided_can_be_published_and_lose_no_end(
    arena: RunArena, home: Path
) -> None:
    low, high = write_bot(home / "low"), write_bot(home / "high", HIGH)
    words = ("compare", low, high, "--points0", "-9", "--points1", "-8", "-o", "found")
    assert arena(*words).status == 0
    log = home / "found" / "event.jsonl"
    whole = log.read_bytes()
    lines = whole.splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if b'"match_counted"' in line)
    log.write_bytes(b"".join(lines[: first + 1]))
    cut = arena("verify", "found")
    assert cut.status == 1
    assert "its end is missing" in cut.out
    log.write_bytes(b"".join(lines[:-2]))
    unclosed = arena("verify", "found")
    assert "all is played, but its last lines" in unclosed.out
    by = ("--reason", "x", "--by", "me")
    assert "close it first: arena run found" in arena("rule", "found", "publish", *by).err
    log.write_bytes(whole)
    assert arena("rule", "found", "disqualify", "low", *by).status == 0
    assert "void: by ruling a bot is out" in arena(*words).out
    assert arena("rule", "found", "reinstate", "low", *by).status == 0
    assert arena("rule", "found", "publish", *by).status == 0
    shown = arena("standings", "found").out
    assert "\npublished: final\n" in shown
    assert "cut short" not in shown
    assert arena("verify", "found").status == 0
