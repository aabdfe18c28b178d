"""A dataset is whole, says what is wrong with it, shares no deal between parts, names nobody."""

import json
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")

from arena.errors import ConfigError  # noqa: E402
from arena.record import load  # noqa: E402
from arena.record.export.anonymous import Pseudonyms  # noqa: E402
from arena.record.export.dataset import Terms, write_dataset  # noqa: E402
from arena.record.export.sources import find_source  # noqa: E402
from arena.record.export.splits import Split, split_of  # noqa: E402
from arena.record.export.tables import OF_DEALS, TABLES  # noqa: E402
from arena.rules.dealing import deal_board  # noqa: E402
from arena.rules.presets import PRESETS  # noqa: E402
from tests.record.make_golden import GOLDENS  # noqa: E402
from tests.tournament.played_event import HASHES, play_event  # noqa: E402

OPEN = Terms(title="trial", licence="CC-BY-4.0")
KEY = b"k" * 32
GOLDEN_NAMES = ("greedy", "random")


def hidden(key: bytes = KEY) -> Terms:
    return Terms(title="Matches", licence="CC0-1.0", pseudonyms=Pseudonyms(key))


def everything(dataset: Path) -> dict[str, list[tuple[object, ...]]]:
    return {name: frame.collect().rows() for name, frame in load(dataset).items()}


def test_a_dataset_holds_the_rows_of_the_logs(tmp_path: Path) -> None:
    event = play_event(tmp_path / "trial")
    write_dataset(find_source(event), tmp_path / "set", OPEN)
    logs = everything(event)
    found = everything(tmp_path / "set")
    for name, rows in logs.items():
        assert sorted(map(repr, found[name])) == sorted(map(repr, rows))
    for part in (*Split, "all"):
        assert list((tmp_path / "set").glob(f"data/*/{part}-00000.parquet"))


def test_no_deal_is_in_two_parts_and_most_are_for_training(tmp_path: Path) -> None:
    write_dataset(find_source(GOLDENS), tmp_path / "set", OPEN)
    parts = defaultdict(set)
    for path in (tmp_path / "set" / "data" / "deals").glob("*.parquet"):
        for hands in pl.read_parquet(path).select(pl.col("^hand_.$")).rows():
            parts[hands].add(path.name)
    assert len(parts) > 3
    assert {len(names) for names in parts.values()} == {1}
    rules = PRESETS["pagat-4"]
    drawn = [split_of(deal_board(rules, bytes(32), board).hands) for board in range(1, 1001)]
    assert [round(drawn.count(part) / 100) for part in Split] == [8, 1, 1]


def test_the_rows_of_a_deal_are_all_in_its_part(tmp_path: Path) -> None:
    write_dataset(find_source(GOLDENS), tmp_path / "set", OPEN)
    keys: dict[Split, set[tuple[object, ...]]] = {}
    for part in Split:
        for table in OF_DEALS:
            frame = pl.read_parquet(tmp_path / "set" / "data" / table / f"{part}-00000.parquet")
            own = set(frame.select("match", "attempt", "deal").rows())
            keys.setdefault(part, set(own) if table == "deals" else set())
            assert own <= keys[part], table


def test_a_full_shard_is_followed_by_another(tmp_path: Path) -> None:
    source = find_source(GOLDENS / "pagat-4.completed.jsonl")
    write_dataset(source, tmp_path / "set", OPEN, shard_rows=16)
    shards = sorted((tmp_path / "set" / "data" / "plays").glob("*.parquet"))
    heights = [pl.read_parquet(path).height for path in shards]
    assert max(heights) == 16
    assert sum(heights) == len(everything(GOLDENS / "pagat-4.completed.jsonl")["plays"])


def test_sha256sum_checks_every_file_and_finds_a_changed_one(tmp_path: Path) -> None:
    tool = shutil.which("sha256sum")
    if tool is None:
        pytest.skip("no sha256sum here")
    dataset = tmp_path / "set"
    write_dataset(find_source(play_event(tmp_path / "trial")), dataset, OPEN)
    words = [tool, "--quiet", "-c", "SHA256SUMS"]
    assert subprocess.run(words, cwd=dataset, check=False).returncode == 0
    listed = {line.split("  ")[1] for line in (dataset / "SHA256SUMS").read_text().splitlines()}
    there = {str(path.relative_to(dataset)) for path in dataset.rglob("*") if path.is_file()}
    assert listed == there - {"SHA256SUMS"}
    (dataset / "README.md").write_text("changed")
    done = subprocess.run(words, cwd=dataset, check=False, capture_output=True)
    assert (done.returncode, b"README.md: FAILED" in done.stdout) == (1, True)


def test_the_card_says_licence_counts_columns_and_defects(tmp_path: Path) -> None:
    write_dataset(find_source(play_event(tmp_path / "trial")), tmp_path / "set", OPEN)
    card = (tmp_path / "set" / "README.md").read_text("utf-8")
    assert card.startswith('---\nlicense: "CC-BY-4.0"\npretty_name: "trial"\n')
    assert "do not count (void, ruled out or broken off; `is_counted`): 1; not known of: " in card
    assert "why matches ended: completed 2, host_fault 1" in card
    assert "a guessable seed, so that bots might know the cards: 3" in card
    assert "`greedy`, `random`" in card
    rows = everything(tmp_path / "set")
    for table, columns in TABLES.items():
        assert f"### {table}" in card
        assert f"| {len(rows[table])} |\n" in card.partition(f"| {table} |")[2].partition("\n#")[0]
        assert all(f"| `{column.name}` |" in card for column in columns)


def test_cards_that_the_referee_played_and_faults_are_counted(tmp_path: Path) -> None:
    write_dataset(find_source(GOLDENS), tmp_path / "set", OPEN)
    card = (tmp_path / "set" / "README.md").read_text("utf-8")
    rows = load(tmp_path / "set")
    autoplayed = rows["plays"].filter("is_autoplayed").collect().height
    unanswered = rows["decisions"].filter(pl.col("card").is_null()).collect().height
    late = rows["faults"].filter(pl.col("kind") == "late").collect().height
    assert min(autoplayed, unanswered, late) > 0
    assert f"- cards that the referee played, not a bot (`is_autoplayed`): {autoplayed}" in card
    assert f"- questions that no card followed (`card` is empty): {unanswered}" in card
    assert f"late {late}" in card


def told(dataset: Path) -> bytes:
    """Give all that a dataset says: its bytes, and what its compressed columns hold."""
    raw = b"".join(path.read_bytes() for path in sorted(dataset.rglob("*")) if path.is_file())
    return raw + json.dumps(everything(dataset)).encode()


def test_an_anonymous_dataset_names_nobody(tmp_path: Path) -> None:
    event = play_event(tmp_path / "trial")
    for path in GOLDENS.glob("*.jsonl"):
        (event / "logs" / path.name).write_bytes(path.read_bytes())
    write_dataset(find_source(event), tmp_path / "open", OPEN)
    write_dataset(find_source(event), tmp_path / "set", hidden())
    names = {*GOLDEN_NAMES, "s1-r1-p1", "crashed with", "stderr:", str(tmp_path)}
    names |= {digest[:12] for digest in HASHES.values()}
    details = {row[-1] for row in everything(event)["faults"] if row[-1]}
    notes = load(event)["decisions"].collect()["note"].drop_nulls().to_list()
    assert details
    public, found = told(tmp_path / "open"), told(tmp_path / "set")
    leaked = {word for word in (*names, *details, *notes) if str(word).encode() in found}
    assert leaked == set()
    assert {name for name in GOLDEN_NAMES if name.encode() in public} == set(GOLDEN_NAMES)


def test_pseudonyms_join_as_names_do_and_hang_on_the_key_alone(tmp_path: Path) -> None:
    event = play_event(tmp_path / "trial")
    source = find_source(event)
    for name, key in (("one", KEY), ("two", KEY), ("three", b"o" * 32)):
        write_dataset(source, tmp_path / name, hidden(key))
    one, two, three = (everything(tmp_path / name) for name in ("one", "two", "three"))
    assert one == two
    assert one["matches"] != three["matches"]
    frames = load(tmp_path / "one")
    joined = frames["plays"].join(frames["matches"], on=["match", "attempt"]).collect()
    assert joined.height == len(everything(event)["plays"])
    entrants = set(frames["sessions"].collect()["entrant"])
    assert entrants == set(frames["matches"].collect()["entrants"][0].split("\t"))
    boards = frames["deals"].collect().group_by("hand_0", "hand_1").agg(pl.col("board").n_unique())
    assert set(boards["board"]) == {1}
    sat = {match for row in one["sessions"] for match in str(row[2]).split("\t")}
    assert sat == set(frames["matches"].collect()["match"])


def test_a_dataset_replaces_nothing_but_a_dataset(tmp_path: Path) -> None:
    source = find_source(GOLDENS / "pagat-2.completed.jsonl")
    write_dataset(source, tmp_path / "set", OPEN)
    with pytest.raises(ConfigError, match="--force"):
        write_dataset(source, tmp_path / "set", OPEN)
    write_dataset(source, tmp_path / "set", hidden(), force=True)
    assert "greedy" not in (tmp_path / "set" / "README.md").read_text("utf-8")
    (tmp_path / "set" / "data" / "mine.txt").touch()
    with pytest.raises(ConfigError, match=r"mine\.txt"):
        write_dataset(source, tmp_path / "set", OPEN, force=True)
