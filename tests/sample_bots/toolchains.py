"""What each language's sample bot needs of a machine, and what of it is missing here."""

import importlib.util
import os
import shutil
import subprocess
from typing import Final

from arena.bots.templates import Language

TOOLS: Final = {
    "go": ("go",),
    "rust": ("cargo",),
    "java": ("mvn", "javac"),
    "cpp": ("make", "g++", "pkg-config", "protoc", "grpc_cpp_plugin"),
    "typescript": ("node", "npm"),
    "lines": ("perl",),
    "perl": ("perl",),
    "c": ("cc",),
    "bash": ("bash",),
}
OLDEST_GO: Final = (1, 22)
COMPILED: Final = ("go", "rust", "java", "cpp")
"""Languages whose bots take minutes to build."""


def why_not_now(language: str = "go") -> str:
    """Say why minutes of building are not spent here, or nothing: CI spends them."""
    spends = language not in COMPILED or os.environ.get("CI") == "true"
    return "" if spends else "minutes of building: CI=true does it"


def why_not(language: str) -> str:
    """Say what is missing to build and run bots in a language here, or nothing."""
    if language == Language.PYTHON_TORCH:
        return "" if importlib.util.find_spec("torch") else "no torch in this Python"
    if missing := [tool for tool in TOOLS.get(language, ()) if shutil.which(tool) is None]:
        return f"no {', '.join(missing)} here"
    if language == "go" and (found := go_version()) < OLDEST_GO:
        return f"Go {found} is older than {OLDEST_GO}"
    return ""


def go_version() -> tuple[int, ...]:
    """Return the Go that is here: (1, 26)."""
    told = subprocess.run(["go", "env", "GOVERSION"], capture_output=True, text=True, check=True)  # noqa: S607
    return tuple(int(part) for part in told.stdout.strip().removeprefix("go").split(".")[:2])
