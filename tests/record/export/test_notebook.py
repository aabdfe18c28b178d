"""docs/questions.ipynb answers its five questions on an event of real bots."""

import json
import os
import subprocess
from typing import Any

import pytest

pl = pytest.importorskip("polars")
pytest.importorskip("pyarrow")

from tests.cli.processes import COMMAND  # noqa: E402
from tests.record.export.notebook import read_notebook, run_notebook  # noqa: E402

EVENT = """
name = "asked"
practice = true
[[entrant]]
bot = "greedy"
[[entrant]]
name = "again"
bot = "greedy"
[[entrant]]
bot = "random"
[[stage]]
boards = 4
boards_per_match = 4
trust_memory = true
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Play an event of three bots and run the notebook on it; give its names at the end."""
    home = tmp_path_factory.mktemp("asked")
    (home / "cup.toml").write_text(EVENT)
    done = subprocess.run(
        [*COMMAND, "run", str(home / "cup.toml")], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    before = os.environ.copy()
    try:
        with pl.Config():
            names = run_notebook(read_notebook(), home / "cup")
    finally:
        os.environ.clear()
        os.environ.update(before)
    standings = json.loads((home / "cup" / "standings.json").read_bytes())
    return {**names, "standings": standings["data"]["stages"][0]["entrants"]}


def test_the_best_bot_is_the_one_of_the_standings(answers: dict[str, Any]) -> None:
    found = {row[0]: row[1] for row in answers["ranking"].rows()}
    assert found == {
        line["name"]: pytest.approx(line["points"], abs=0.006) for line in answers["standings"]
    }


def test_every_question_is_answered_for_every_bot(answers: dict[str, Any]) -> None:
    bots = {"again", "greedy", "random"}
    assert answers["lead"]["deals"].to_list() == [24]
    shares = answers["leads"].drop("entrant").sum_horizontal().to_list()
    assert shares == pytest.approx([1, 1, 1], abs=0.06)
    for name in ("leads", "thinking"):
        assert set(answers[name]["entrant"]) == bots
    assert answers["thinking"]["cpu_s"].null_count() == 0


def test_a_bot_agrees_with_itself_in_every_situation(answers: dict[str, Any]) -> None:
    found = {row[:2]: row[2] for row in answers["agreement"].rows()}
    assert found["again", "greedy"] == 1
    assert found["greedy", "random"] < 1


def test_the_notebook_is_stored_with_answers_and_no_path() -> None:
    stored = read_notebook()
    assert (stored["nbformat"], stored["metadata"]["kernelspec"]["name"]) == (4, "python3")
    code = [cell for cell in stored["cells"] if cell["cell_type"] == "code"]
    assert len(code) == 6
    assert all(cell["outputs"][0]["data"]["text/plain"] for cell in code)
    assert "/tmp" not in json.dumps(stored)  # noqa: S108  # what must not be there
