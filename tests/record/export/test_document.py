"""docs/tables.md lists every column, and its one-liners decode hands."""

import ast
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")

from arena.record import load  # noqa: E402
from arena.record.export.files import FileFormat, export  # noqa: E402
from arena.record.export.sources import Source  # noqa: E402
from arena.record.export.tables import TABLES  # noqa: E402
from arena.rules.cards import CARDS, Card  # noqa: E402
from tests.record.make_golden import GOLDENS  # noqa: E402

LOG = GOLDENS / "pagat-4.completed.jsonl"
DOCUMENT = (Path(__file__).parents[3] / "docs" / "tables.md").read_text("utf-8")
THREE_OF_COINS = Card.D3
RSCRIPT = shutil.which("Rscript") or ""
needs_r = pytest.mark.skipif(not RSCRIPT, reason="R is not installed")


@pytest.fixture
def hands() -> list[int]:
    return load(LOG)["decisions"].collect()["hand"].to_list()


def expected(hands: list[int]) -> list[tuple[int, bool, str]]:
    """Work out what the one-liners are to give: size, whether D3 is held, all cards."""
    return [
        (
            hand.bit_count(),
            bool(hand >> THREE_OF_COINS & 1),
            " ".join(str(card) for card in CARDS if hand >> card & 1),
        )
        for hand in hands
    ]


def shown(language: str) -> str:
    """Give what the document shows in a language: for size, one card, all cards."""
    block = re.search(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)
    assert block is not None
    return block[1]


def test_the_document_lists_every_column_of_every_table_and_no_other() -> None:
    titles = re.findall(r"^## (\w+)$", DOCUMENT, re.MULTILINE)
    assert [title for title in titles if title in TABLES] == list(TABLES)
    for name, columns in TABLES.items():
        section = DOCUMENT.partition(f"## {name}\n")[2].partition("\n## ")[0]
        rows = [line for line in section.splitlines() if line.startswith("| `")]
        assert rows == [
            f"| `{column.name}` | {column.kind.value} | {column.meaning} |" for column in columns
        ]


def test_the_one_liners_for_polars_decode_hands(hands: list[int]) -> None:
    frame = load(LOG)["decisions"].collect()
    lines = [ast.unparse(statement) for statement in ast.parse(shown("python")).body]
    columns = [frame.select(eval(line)).to_series() for line in lines]  # noqa: S307
    assert list(zip(*columns, strict=True)) == expected(hands)


def test_the_one_liners_for_duckdb_decode_hands(hands: list[int], tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    export(Source(logs=(LOG,)), tmp_path / "tables", FileFormat.PARQUET)
    run: Callable[[str], object] = duckdb.connect().sql
    columns = []
    for line in filter(str.strip, shown("sql").split(";")):
        query = line.replace("tables/", f"{tmp_path}/tables/")
        columns.append([row[0] for row in run(query).fetchall()])  # type: ignore[attr-defined]
    assert list(zip(*columns, strict=True)) == expected(hands)


@needs_r
def test_the_one_liners_for_r_decode_hands(hands: list[int], tmp_path: Path) -> None:
    """A CSV file gives R doubles, which hold 40 bits whole."""
    export(Source(logs=(LOG,)), tmp_path / "tables", FileFormat.CSV)
    lines = shown("r").splitlines()
    script = [
        'hand <- read.csv("tables/decisions.csv")$hand',
        *(f"column{number} <- {line}" for number, line in enumerate(lines)),
        "for (row in seq_along(hand)) {",
        '  cat(column0[row], column1[row], column2[row], sep = "\\t")',
        '  cat("\\n")',
        "}",
    ]
    done = subprocess.run(
        [RSCRIPT, "--vanilla", "-"],
        input="\n".join(script),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = [line.split("\t") for line in done.stdout.splitlines()]
    assert [(int(size), held == "TRUE", cards) for size, held, cards in found] == expected(hands)
