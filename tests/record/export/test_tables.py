"""Tables hold every play of a log once, with hands as bits and ids for equal situations."""

import gzip
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")

from arena.errors import ConfigError  # noqa: E402
from arena.record import load  # noqa: E402
from arena.record.export.files import FileFormat, Table, export, schema_of  # noqa: E402
from arena.record.export.rows import log_rows  # noqa: E402
from arena.record.export.sources import Source, find_source  # noqa: E402
from arena.record.export.tables import OF_DEALS, TABLES  # noqa: E402
from arena.record.read import read_log  # noqa: E402
from arena.rules.cards import CARDS  # noqa: E402
from arena.rules.events import CardPlayed, DealStarted  # noqa: E402
from arena.rules.question import Answer  # noqa: E402
from arena.testing.in_memory import play_in_memory  # noqa: E402
from tests.record.make_golden import GOLDENS  # noqa: E402
from tests.record.samples import GAMELAKE, make_header, write_log  # noqa: E402
from tests.tournament.played_event import play_event  # noqa: E402

LOGS = sorted(GOLDENS.glob("*.jsonl"))
LOG = GOLDENS / "pagat-2.completed.jsonl"


def cards_of(bits: int) -> set[str]:
    return {str(card) for place, card in enumerate(CARDS, start=1) if bits >> place & 1}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_card_was_held_and_legal_and_every_row_fits_its_table(path: Path) -> None:
    for name, row in log_rows(read_log(path)):
        columns = [column.name for column in TABLES[name]]
        assert len(row) == len(columns)
        values = dict(zip(columns, row, strict=True))
        if name == "decisions":
            if values["card"] is not None:
                assert values["card"] in cards_of(values["hand"])  # type: ignore[arg-type]
            assert cards_of(values["legal"]) <= cards_of(values["hand"])  # type: ignore[arg-type]
        if name in OF_DEALS:
            assert isinstance(values["deal"], int)


def test_hands_are_the_cards_dealt() -> None:
    record = read_log(LOG)
    (start, *_) = [line.event for line in record.lines if isinstance(line.event, DealStarted)]
    deals = load(LOG)["deals"].collect()
    assert cards_of(deals["hand_1"][0]) == {str(card) for card in start.hands[1]}
    assert deals["hand_2"][0] is None


@pytest.mark.parametrize("form", FileFormat)
def test_files_hold_the_rows_of_the_logs(form: FileFormat, tmp_path: Path) -> None:
    counts = export(Source(logs=tuple(LOGS)), tmp_path / "out", form)
    plays = sum(
        isinstance(line.event, CardPlayed) for path in LOGS for line in read_log(path).lines
    )
    assert (counts["plays"], counts["matches"]) == (plays, len(LOGS))
    read = {"parquet": pl.read_parquet, "arrow": pl.read_ipc, "csv": pl.read_csv}[form.value]
    for name, count in counts.items():
        table = read(tmp_path / "out" / f"{name}.{form.value}")
        assert (table.height, table.columns) == (count, [c.name for c in TABLES[name]])


def test_the_meaning_of_a_column_goes_along_in_the_file() -> None:
    assert schema_of("plays").field("card").metadata == {b"meaning": b"in notation, as D3"}


@pytest.mark.parametrize("form", FileFormat)
def test_what_was_exported_and_the_logs_themselves_load_alike(
    form: FileFormat, tmp_path: Path
) -> None:
    event = play_event(tmp_path / "trial")
    export(find_source(event), tmp_path / "out", form)
    from_logs = load(event)
    assert from_logs.keys() == TABLES.keys()
    for name, frame in load(tmp_path / "out").items():
        assert frame.collect().equals(from_logs[name].collect()), name


@pytest.mark.parametrize("form", FileFormat)
def test_texts_of_strangers_are_no_formulas_and_load_as_they_were(
    form: FileFormat, tmp_path: Path
) -> None:
    texts = [
        "=1+1",
        "+a",
        "-a",
        "@a",
        "\ta",
        "\ra",
        "\uff1da",
        "'=a",
        "''a",
        "-1.5",
        "",
        "a=b",
        None,
    ]
    for name in TABLES:
        table = Table(name, tmp_path / f"{name}.{form.value}", form)
        if name == "faults":
            for number, text in enumerate(texts):
                table.add(("m", 1, None, number, 0, -1, "bot", "late", text))
        table.close()
    faults = load(tmp_path)["faults"].collect()
    assert faults["detail"].to_list() == texts
    assert faults["seat"].to_list() == [-1] * len(texts), "numbers stay numbers"
    if form is FileFormat.CSV:
        kept = pl.read_csv(tmp_path / "faults.csv")["detail"].to_list()
        assert kept[:9] == ["'=1+1", "'+a", "'-a", "'@a", "'\ta", "'\ra", "'\uff1da", "''=a", "''a"]
        assert kept[9:] == ["-1.5", "", "a=b", None]


def test_a_frame_of_logs_reads_no_more_of_them_than_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_bytes(LOG.read_bytes())
    (tmp_path / "2.jsonl").write_bytes(b"no log\n")
    plays = load(tmp_path)["plays"]
    few = plays.select("card", "seat").head(3).collect()
    assert (few.columns, few.height) == (["card", "seat"], 3)
    whole = load(LOG)["plays"].collect()
    first = load(LOG)["plays"].filter(pl.col("place") == 0).select("card").collect()
    assert first["card"].to_list() == whole.filter(pl.col("place") == 0)["card"].to_list()


def test_attempts_that_count_are_told_from_those_that_do_not(tmp_path: Path) -> None:
    event = play_event(tmp_path / "trial")
    matches = load(event)["matches"].select("match", "attempt", "is_counted").collect()
    assert matches.rows() == [
        ("s1-r1-p1-o0-m1", 1, False),
        ("s1-r1-p1-o0-m1", 2, True),
        ("s1-r1-p1-o1-m1", 1, True),
    ]
    assert load(LOG)["matches"].collect()["is_counted"].to_list() == [None]


def test_sessions_come_from_the_events_log(tmp_path: Path) -> None:
    event = play_event(tmp_path / "trial")
    sessions = load(event)["sessions"].collect()
    assert sessions.select("entrant", "matches", "ready_us", "exit").rows() == [
        ("greedy", "s1-r1-p1-o0-m1", 90_000, 0),
        ("random", "s1-r1-p1-o0-m1\ts1-r1-p1-o1-m1", None, -9),
    ]
    log = next((event / "logs").glob("s1-r1-p1-o1*"))
    assert load(log)["sessions"].collect()["entrant"].to_list() == ["random"]
    assert load(LOG)["sessions"].collect().is_empty()


def test_equal_situations_of_two_matches_have_equal_ids(tmp_path: Path) -> None:
    """Two matches on one deal are the same up to the first card that differs."""
    seen = []
    for number, choice in enumerate((0, -1), start=1):

        def play(ask, choice=choice):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            is_late = len(ask.observation.trick_leaders) >= 3
            return Answer(card=ask.question.legal[choice if is_late else 0])

        match = play_in_memory([play] * 4, ruleset=GAMELAKE, boards=1)
        write_log(tmp_path, make_header(match=f"s1-r1-p1-o0-m{number}"), match)
        log = tmp_path / f"s1-r1-p1-o0-m{number}.a1.jsonl"
        seen.append(load(log)["decisions"].collect())
    one, other = (frame["observation_id"].to_list() for frame in seen)
    assert one[:13] == other[:13]
    assert set(one[13:]).isdisjoint(other[13:])
    joined = seen[0].join(seen[1], on="observation_id")
    assert joined.height == 13
    assert (joined["hand"] == joined["hand_right"]).all()
    assert len(set(one)) == 40


def test_a_log_that_a_kill_left_in_both_forms_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_bytes(LOG.read_bytes())
    (tmp_path / "1.jsonl.gz").write_bytes(gzip.compress(LOG.read_bytes()))
    assert load(tmp_path)["matches"].collect().height == 1


@pytest.mark.parametrize("name", ["event.jsonl", "nowhere", "empty"])
def test_what_holds_no_match_log_is_told(name: str, tmp_path: Path) -> None:
    (tmp_path / "event.jsonl").touch()
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match=name):
        load(tmp_path / name)
