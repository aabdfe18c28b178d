"""The cells of docs/questions.ipynb, run in order as a kernel would, without one.

``python -m tests.record.export.notebook EVENT`` runs it on an event and writes the outputs
anew. Only what a plain cell does is run: statements, and a last expression that is shown.
"""

import ast
import json
import os
import sys
from pathlib import Path
from typing import Any, Final

DOCS: Final = Path(__file__).parents[3] / "docs"
NOTEBOOK: Final = DOCS / "questions.ipynb"


def read_notebook() -> dict[str, Any]:
    """Read the notebook as it is stored."""
    stored: dict[str, Any] = json.loads(NOTEBOOK.read_text("utf-8"))
    return stored


def run_notebook(notebook: dict[str, Any], event: Path) -> dict[str, Any]:
    """Run every code cell on an event, put its output into it, and give all names at the end."""
    os.environ["EVENT"] = str(event)
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, start=1):
        shown = _run("".join(cell["source"]), f"cell {number}", names)
        data = {"text/plain": [] if shown is None else repr(shown).splitlines(keepends=True)}
        cell["execution_count"] = number
        cell["outputs"] = [
            {
                "output_type": "execute_result",
                "execution_count": number,
                "metadata": {},
                "data": data,
            }
        ]
    return names


def _run(source: str, name: str, names: dict[str, Any]) -> object:
    """Run one cell; give its last expression."""
    tree = ast.parse(source, name)
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        tree.body.pop()
    exec(compile(tree, name, "exec"), names)  # noqa: S102  # what a notebook is for
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), name, "eval"), names)  # noqa: S307


if __name__ == "__main__":
    written = read_notebook()
    run_notebook(written, Path(sys.argv[1]))
    NOTEBOOK.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", "utf-8")
