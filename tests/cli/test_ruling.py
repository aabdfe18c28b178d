"""``arena rule`` and ``arena status``: as an organiser uses them."""

import json
import shutil
from pathlib import Path

from arena.record.event_log import EventLog, read_event_log
from arena.record.export.sources import find_source
from arena.tournament.folder import EventFolder
from arena.tournament.rulings import Act, Ruling
from arena.tournament.run_state import wall_time
from tests.cli.conftest import RunArena

EVENT = """
name = "cup"
[[entrant]]
bot = "python/random"
tags = ["student"]
[[entrant]]
name = "other"
bot = "python/random"
[[stage]]
boards = 2
boards_per_match = 1
"""


def test_an_organiser_rules_on_a_finished_event_and_everybody_sees_it(
    home: Path, arena: RunArena
) -> None:
    (home / "cup.toml").write_text(EVENT, encoding="utf-8")
    assert arena("status", "cup.toml").status == 2
    assert arena("run", "cup.toml").status == 0
    over = arena("status", "cup.toml")
    assert "cup: over\nmatches settled: 4 of 4\n" in over.out
    assert "not published yet: provisional" in arena("standings", "cup").out
    early = json.loads((home / "cup" / "standings.json").read_bytes())["data"]
    assert (early["provisional"], early["published"]) == (True, False)
    void = arena("rule", "cup", "void", "s1-r1-p1-o0-m1", "--reason", "no", "--by", "me")
    assert (void.status, void.out) == (0, "ruled: void s1-r1-p1-o0-m1, by me: no\n")
    assert arena("rule", "cup", "publish", "--reason", "good", "--by", "me").status == 0
    verified = arena("verify", "cup")
    assert (verified.status, "cup: good: 4 logs" in verified.out) == (0, True)
    assert "\nruling: publish by me: good\n" in arena("status", "cup").out
    data = json.loads(arena("status", "cup", "--json").out)["data"]
    assert data["state"] == "published"
    assert [ruling["act"] for ruling in data["rulings"]] == ["void", "publish"]
    told = json.loads(arena("standings", "cup", "--json", "--tag", "student").out)["data"]
    assert (told["published"], told["provisional"]) == (True, False)
    assert told["stages"][0]["voided"] == ["s1-r1-p1-o0-m1"]
    listed = arena("standings", "cup", "--matches", "--format", "csv").out.splitlines()
    assert len(listed) == 1 + 4
    assert "voided by ruling: s1-r1-p1-o0-m1" in arena("standings", "cup").out
    assert [line["name"] for line in told["stages"][0]["entrants"]] == ["random"]
    assert told["stages"][0]["entrants"][0]["matches"] == 3
    kept = json.loads((home / "cup" / "standings.json").read_bytes())["data"]
    assert kept["published"] is True
    late = arena("rule", "cup", "void", "s1-r1-p1-o1-m1", "--reason", "an appeal", "--by", "me")
    assert late.out.splitlines()[1:] == [
        "the standings had been published: they are provisional again, until the next publish"
    ]
    assert arena("rule", "cup", "publish", "--reason", "good", "--by", "me").status == 0
    for words, message in (
        (("void", "s1-r9-p1-o0-m1"), "match 's1-r9-p1-o0-m1' does not count in this event"),
        (("replay", "s1-r1-p1-o0-m1"), "replay: the event is over and its seeds are public"),
        (("disqualify", "othr"), "no entrant 'othr' in this event; did you mean 'other'?"),
        (("publish", "other"), "publish is about the whole event, not about 'other'"),
        (("void", "s1-r1-p1-o0-m1"), "void: match s1-r1-p1-o0-m1 counts for nobody already: "),
        (("publish",), "publish: the event is published already: ruling of me at "),
        (("adjust", "s1-r1-p1-o0-m2"), "adjust: --points: give 2 whole numbers"),
        (
            ("adjust", "s1-r1-p1-o0-m2", "--board", "2", "--points", "12/0"),
            "12/0 is beyond what board 2 of match s1-r1-p1-o0-m2 can bring under ",
        ),
    ):
        refused = arena("rule", "cup", *words, "--reason", "x")
        assert refused.status == 2
        assert message in refused.err
    assert arena("rule", "cup", "publish", "--reason", " ").status == 2
    assert "(tags of this event: student)" in arena("standings", "cup", "--tag", "pro").err
    assert arena("rule", "cup", "disqualify", "other", "--reason", "x").status == 0
    out = arena("verify", "cup")
    assert (out.status, "; 0 matches count" in out.out) == (0, True)
    pairings = json.loads(arena("standings", "cup", "--pairings", "--json").out)["data"]
    assert pairings == [{"stage": 1, "pairings": []}]
    matches = json.loads(arena("standings", "cup", "--matches", "--json").out)["data"]
    assert [(line["ruling"], line["counts"]) for line in matches] == [
        ("void", False),
        ("disqualify", False),
    ] * 2
    assert all(line["points"] != [0, 0] for line in matches)
    assert [flag for _, flag in find_source(home / "cup").records()] == [False] * 4


def suspending_event(home: Path) -> None:
    folder = home / "gone"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "gone"\nversion = "1"\nprotocol = "lines"\n'
        'run = ["sh", "-c", "read started; read asked; exit 3"]\n',
        encoding="utf-8",
    )
    entrants = "".join(f'[[entrant]]\nname = "{name}"\nbot = "low"\n' for name in "abc")
    (home / "cup.toml").write_text(
        'name = "cup"\n' + entrants + '[[entrant]]\nbot = "./gone"\n'
        "[[stage]]\nboards = 2\nboards_per_match = 1\n",
        encoding="utf-8",
    )


def test_an_event_that_suspended_a_bot_verifies_all_the_same(home: Path, arena: RunArena) -> None:
    suspending_event(home)
    assert arena("run", "cup.toml").status == 0
    data = json.loads(arena("status", "cup", "--json").out)["data"]
    assert data["suspended"] == ["gone"]
    faults = json.loads(arena("standings", "cup", "--faults", "--json").out)["data"]
    (gone,) = [line for line in faults[0]["entrants"] if line["name"] == "gone"]
    assert (gone["forfeits"], gone["suspended"]) == (data["forfeits"], True)
    assert gone["faults"] == {"crashed": 4}
    verified = arena("verify", "cup")
    assert (verified.status, "cup: good" in verified.out) == (0, True), verified.out


def test_no_card_is_dealt_after_the_seeds_are_revealed_whatever_is_ruled(
    home: Path, arena: RunArena
) -> None:
    """A kill came before the log was closed; then a suspension's forfeits are voided."""
    suspending_event(home)
    assert arena("run", "cup.toml").status == 0
    folder = EventFolder(home / "cup")
    lines = folder.event_log.read_bytes().splitlines(keepends=True)
    forfeits = [
        line.fields["match"]
        for line in read_event_log(folder.event_log)
        if line.fields.get("termination") == "forfeit_crash"
    ]
    folder.event_log.write_bytes(b"".join(lines[:-1]))
    whole = shutil.copytree(folder.path, home / "ruled")
    with EventLog(whole / "event.jsonl", wall_time=wall_time) as log:  # as an arena before did
        for match in forfeits:
            fields = Ruling(act=Act.VOID, on=str(match), by="me", reason="x", attempt=1).to_fields()
            log.append("ruling", durable=True, **fields)
    ended = arena("run", "ruled")
    assert ended.status == 0, ended.err
    after = [line.kind for line in read_event_log(whole / "event.jsonl")][len(lines) - 1 :]
    assert after == ["ruling"] * len(forfeits) + ["event_resumed", "event_closed"]
    assert arena("verify", "ruled").status == 0
    # Today's arena closes the event before it takes a ruling.
    by = ("--reason", "x", "--by", "me")
    for match in forfeits:
        assert arena("rule", "cup", "void", str(match), *by).status == 0
    kinds = [line.kind for line in read_event_log(folder.event_log)][-len(forfeits) - 1 :]
    assert kinds == ["event_closed"] + ["ruling"] * len(forfeits)
    assert arena("verify", "cup").status == 0
