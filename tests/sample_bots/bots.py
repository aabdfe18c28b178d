"""The sample bots as the tests start them: their folders, and Python ones by their class."""

import importlib.util
from pathlib import Path
from types import ModuleType

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE_BOTS = REPOSITORY / "sample_bots"
PROTO = REPOSITORY / "proto"
CHAOS = SAMPLE_BOTS / "python" / "chaos"
"""No bot to learn from or to beat: ``arena qualify`` plays with it."""
FOLDERS = tuple(
    sorted(file.parent for file in SAMPLE_BOTS.glob("*/*/bot.toml") if file.parent != CHAOS)
)


def load(name: str) -> ModuleType:
    """Import ``bot.py`` of a Python sample bot, whose folder is no package."""
    file = SAMPLE_BOTS / "python" / name / "bot.py"
    spec = importlib.util.spec_from_file_location(f"sample_bot_{name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
