"""Tables hold every play of a log once, with hands as bits and ids for equal situations."""

from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")

from arena.record import load  # noqa: E402
from arena.record.export.files import FileFormat, export  # noqa: E402
from arena.record.export.tables import TABLES, log_rows  # noqa: E402
from arena.record.read import read_log  # noqa: E402
from arena.rules.cards import CARDS  # noqa: E402
from arena.rules.events import CardPlayed, DealStarted  # noqa: E402
from tests.record.make_golden import GOLDENS  # noqa: E402

LOGS = sorted(GOLDENS.glob("*.jsonl"))
LOG = GOLDENS / "pagat-2.completed.jsonl"
DOCUMENT = Path(__file__).parents[3] / "docs" / "tables.md"


def cards_of(bits: int) -> set[str]:
    return {str(card) for place, card in enumerate(CARDS, start=1) if bits >> place & 1}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_card_was_held_and_legal_and_every_row_fits_its_table(path: Path) -> None:
    for name, row in log_rows(read_log(path)):
        columns = [column.name for column in TABLES[name]]
        assert len(row) == len(columns)
        if name == "decisions":
            values = dict(zip(columns, row, strict=True))
            assert values["card"] in cards_of(values["hand"])  # type: ignore[arg-type]
            assert cards_of(values["legal"]) <= cards_of(values["hand"])  # type: ignore[arg-type]


def test_hands_are_the_cards_dealt() -> None:
    record = read_log(LOG)
    (start, *_) = [line.event for line in record.lines if isinstance(line.event, DealStarted)]
    deals = load(LOG)["deals"].collect()
    assert cards_of(deals["hand_1"][0]) == {str(card) for card in start.hands[1]}
    assert deals["hand_2"][0] is None


@pytest.mark.parametrize("form", FileFormat)
def test_files_hold_the_rows_of_the_logs(form: FileFormat, tmp_path: Path) -> None:
    counts = export(LOGS, tmp_path, form)
    plays = sum(
        isinstance(line.event, CardPlayed) for path in LOGS for line in read_log(path).lines
    )
    assert (counts["plays"], counts["matches"]) == (plays, len(LOGS))
    read = {"parquet": pl.read_parquet, "arrow": pl.read_ipc, "csv": pl.read_csv}[form.value]
    for name, count in counts.items():
        table = read(tmp_path / f"{name}.{form.value}")
        assert (table.height, table.columns) == (count, [c.name for c in TABLES[name]])


def test_exported_parquet_and_the_log_itself_load_alike(tmp_path: Path) -> None:
    export([LOG], tmp_path, FileFormat.PARQUET)
    for name, frame in load(tmp_path).items():
        assert frame.collect().equals(load(LOG)[name].collect())


def test_equal_situations_have_equal_ids(tmp_path: Path) -> None:
    export([LOG, LOG], tmp_path, FileFormat.PARQUET)
    ids = load(tmp_path)["decisions"].collect()["observation_id"]
    assert ids.n_unique() * 2 == len(ids)


def test_the_document_lists_every_column() -> None:
    document = DOCUMENT.read_text("utf-8")
    for name, columns in TABLES.items():
        section = document.partition(f"## {name}\n")[2].partition("\n## ")[0]
        for column in columns:
            assert f"| `{column.name}` | {column.kind.value} | {column.meaning} |" in section
