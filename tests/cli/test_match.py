"""``arena match``: an author's bots, with any names, and what is left to look at."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.bots import HIGH, KIT, bad_bot, write_bot, write_event
from tests.cli.conftest import RunArena
from tests.cli.logs import played_in, standings_of

SHORT = ("--boards", "1", "--ruleset", "gamelake-2")


def test_one_bot_plays_greedy(arena: RunArena, home: Path) -> None:
    write_bot(home / "mine")
    ended = arena("match", "mine", *SHORT)
    assert ended.status == 0
    assert ended.out.startswith("mine v greedy\n")
    folder = home / "matches" / "mine-v-greedy"
    assert set(standings_of(folder)) == {"mine", "greedy"}
    # Its folder is an event's: all that shows an event shows it, and it is over.
    assert arena("standings", folder).out == ended.out
    assert arena("run", folder).out == ended.out
    # Another match is another folder.
    assert arena("match", "mine", *SHORT).status == 0
    assert (home / "matches" / "mine-v-greedy-2" / "standings.json").is_file()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('Così è "bello" 🂡', "שחקן 日本"),
        ("x" * 64, "y" * 64),
        ("été/..", "été/.."),
    ],
)
def test_bots_may_have_any_names(arena: RunArena, home: Path, first: str, second: str) -> None:
    for folder, name in (("one", first), ("two", second)):
        write_bot(home / folder, name=name.replace('"', '\\"'))
    ended = arena("match", "one", "two", *SHORT, "--json")
    assert ended.status == 0, ended.err
    names = {entrant["name"] for entrant in json.loads(ended.out)["data"]["stages"][0]["entrants"]}
    assert names == ({first, second} if first != second else {first, f"{first} 2"})
    (made,) = (home / "matches").iterdir()
    for match in played_in(made):
        assert {seat.entrant for seat in match.record.header.seats} == names


def test_a_bot_may_be_a_command(arena: RunArena, home: Path) -> None:
    (home / "my bot.py").write_text(KIT, "utf-8")
    ended = arena("match", *SHORT, "-o", "here", "--", sys.executable, "my bot.py")
    assert ended.status == 0, ended.err
    assert (home / "here" / "logs").is_dir()
    name = Path(sys.executable).name
    assert set(standings_of(home / "here")) == {name, "greedy"}


def test_a_command_may_speak_lines_if_that_is_said(arena: RunArena, home: Path) -> None:
    """Else it is told how to say it."""
    (home / "mine.py").write_text(HIGH, "utf-8")
    command = ("--", sys.executable, "mine.py")
    ended = arena("match", *SHORT, "--lines", "-o", "here", *command)
    assert ended.status == 0, ended.err
    assert len(standings_of(home / "here")) == 2
    assert arena("verify", "here").status == 0
    again = arena("compare", "greedy", "--lines", "--boards", "20", "-o", "there", *command)
    assert again.status in (0, 1), again.err
    assert len(standings_of(home / "there")) == 2
    forgotten = arena("match", *SHORT, *command)
    assert (forgotten.status, "or as a command --lines before the --" in forgotten.err) == (2, True)


def test_options_reach_the_bot(arena: RunArena, home: Path) -> None:
    option = '[options.depth]\ntype = "int"\ndefault = 1\nmax = 9\n'
    bad_bot(home / "mine", "print('depth', os.environ['ARENA_OPTION_DEPTH'], file=sys.stderr)")
    manifest = home / "mine" / "bot.toml"
    manifest.write_text(f"{manifest.read_text('utf-8')}\n{option}", "utf-8")
    assert arena("match", "./mine:depth=3", "./mine", *SHORT, "-o", "here").status == 0
    said = {
        file.name.partition(".seat")[2]: file.read_text("utf-8").split("\n")[0]
        for file in (home / "here" / "stderr").glob("s1-r1-p1-o0*")
    }
    assert said == {"0.txt": "depth 3", "1.txt": "depth 1"}
    refused = arena("match", "./mine:depth=30", *SHORT)
    assert refused.status == 2
    assert "option depth: 30 is not within" in refused.err


def test_one_bot_with_two_settings_is_told_apart_by_what_differs(
    arena: RunArena, home: Path
) -> None:
    manifest = write_bot(home / "fox") / "bot.toml"
    options = "".join(
        f'[options.{key}]\ntype = "{kind}"\ndefault = {default}\n'
        for key, kind, default in (("depth", "int", "1"), ("safe", "bool", "true"))
    )
    text = '[options.word]\ntype = "text"\ndefault = "a"\n'
    manifest.write_text(f"{manifest.read_text('utf-8')}\n{options}{text}", "utf-8")
    names = []
    for number, (one, other) in enumerate(
        (
            ("./fox:depth=3,safe=off", "./fox:safe=off"),
            ("./fox", "./fox:depth=2,safe=no"),
            ("./fox:depth=1", "./fox"),
            ("./fox", f"./fox:word={'x' * 64}"),
        )
    ):
        ended = arena("match", one, other, *SHORT, "-o", f"m{number}")
        assert ended.status == 0, ended.err
        names.append(set(standings_of(home / f"m{number}")))
    assert names == [
        {"fox:depth=3", "fox:depth=1"},
        {"fox:depth=1,safe=true", "fox:depth=2,safe=false"},
        {"fox", "fox 2"},
        {"fox", "fox 2"},  # too long for a name
    ]
    assert arena("compare", "./fox", "./fox:depth=2", "--boards", "20").status in {0, 1}
    assert (home / "comparisons" / "fox-depth-1-v-fox-depth-2").is_dir()


def test_a_match_with_the_same_seed_has_the_same_cards(arena: RunArena, home: Path) -> None:
    write_bot(home / "mine")
    deals = []
    for folder in ("one", "two"):
        words = ["match", "./mine", "./mine", *SHORT, "--seed", "a text", "-o", folder]
        assert arena(*words).status == 0
        deals.append([match.ended.totals for match in played_in(home / folder)])
    assert deals[0] == deals[1]
    kept = json.loads((home / "one" / "standings.json").read_bytes())["data"]
    assert "guessable seed" in kept["stages"][0]["notes"]
    shown = json.loads(arena("deal", "--seed", "a text", "--json").out)
    assert kept["commitments"] == [shown["commitment"]]


def test_a_bot_that_fails_is_named_with_its_last_words(arena: RunArena, home: Path) -> None:
    """Status 1: done and bad. The author sees why without opening a log."""
    bad_bot(home / "mine", "raise RuntimeError('out of ideas')")
    ended = arena("match", "mine", *SHORT)
    assert ended.status == 1
    assert "forfeit_crash by" in ended.err
    assert "out of ideas" in ended.err


def test_matches_played_inside_a_bots_folder_do_not_change_the_bot(
    arena: RunArena, home: Path
) -> None:
    write_bot(home / "mine")
    hashes = []
    for folder in ("matches/one", "matches/two"):
        assert arena("match", "mine", *SHORT, "-o", f"mine/{folder}").status == 0
        lines = (home / "mine" / folder / "event.jsonl").read_text().splitlines()
        hashes.append([line["hash"] for line in map(json.loads, lines) if "hash" in line])
    assert hashes[0] == hashes[1]


def test_a_seed_that_the_arena_draws_is_not_called_guessable(arena: RunArena, home: Path) -> None:
    write_bot(home / "mine")
    assert "guessable" not in arena("match", "mine", *SHORT[:2]).out
    assert "guessable" in arena("match", "mine", *SHORT[:2], "--seed", "a text").out


def test_a_folder_that_holds_a_match_is_not_taken_for_another(arena: RunArena, home: Path) -> None:
    write_bot(home / "mine")
    assert arena("match", "mine", *SHORT, "-o", "here").status == 0
    again = arena("match", "mine", *SHORT, "-o", "here")
    assert again.status == 2
    assert "here: holds a match already; give another folder" in again.err


def test_a_folder_named_as_a_shipped_bot_is_the_bot_and_that_is_said(
    arena: RunArena, home: Path
) -> None:
    write_bot(home / "greedy", name="my greedy")
    ended = arena("match", "greedy", "python/greedy", *SHORT, "-o", "here")
    assert ended.status == 0, ended.err
    assert "greedy: the folder greedy; the shipped bot is python/greedy" in ended.err
    assert set(standings_of(home / "here")) == {"my greedy", "greedy"}


def test_an_event_with_forfeits_is_done_and_says_how_many(arena: RunArena, home: Path) -> None:
    bad_bot(home / "bad", "raise RuntimeError('out of ideas')")
    write_bot(home / "good")
    write_event(home / "cup.toml", "bad", "good")
    ended = arena("run", "cup.toml")
    assert ended.status == 0
    assert "matches forfeited: 2; bad: 2; the first: arena replay cup s1-r1-p1-o0-m1" in ended.err
