"""What pyproject.toml cannot say: a built package carries the sample bots and the proto files.

``arena new bot`` copies both, and a bot's build makes its stubs from the latter. A source
checkout, also one that is installed as editable, uses them where they lie.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

MADE = shutil.ignore_patterns("build", "target", "node_modules", "__pycache__", "*.py[co]")


class BuildWithShipped(build_py):
    """Copy what is shipped beside the code into ``arena/shipped``."""

    def run(self) -> None:
        """Build the package, and add the folders unless it is used where it lies."""
        super().run()
        if self.editable_mode:
            return
        for name in ("sample_bots", "proto"):
            target = Path(self.build_lib, "arena", "shipped", name)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(Path(__file__).parent / name, target, ignore=MADE)


setup(cmdclass={"build_py": BuildWithShipped})
