"""Sample bots in a copy that was built by their own build steps."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from arena.bots.manifest import read_manifest
from arena.bots.sandbox.launch import resolve_python
from tests.sample_bots.bots import PROTO, SAMPLE_BOTS

BUILD_S = 300


def built_copy(bot: str, target: Path) -> Path:
    """Copy a bot's sources, and build them as the arena does: with ARENA_PROTO set."""
    left_out = shutil.ignore_patterns("build", "target", "node_modules", "__pycache__")
    folder = target / "a bot's fòlder"  # no build may trip over blanks, quotes or accents
    shutil.copytree(SAMPLE_BOTS / bot, folder, ignore=left_out)
    manifest = read_manifest(folder)
    for step in manifest.build_steps:
        subprocess.run(
            resolve_python(manifest, step),
            cwd=folder,
            env={**os.environ, "ARENA_PROTO": str(PROTO)},
            check=True,
            timeout=BUILD_S,
            capture_output=True,
        )
    return folder


def site_without_arena(target: Path) -> Path:
    """Make a folder with the installed packages that a gRPC bot needs, and nothing else."""
    site = target / "site"
    site.mkdir()
    for package in ("grpc", "google", "typing_extensions"):
        for folder in (Path(entry) for entry in sys.path if entry.endswith("-packages")):
            found = [folder / package, (folder / package).with_suffix(".py")]
            for source in filter(Path.exists, found):
                (site / source.name).symlink_to(source)
    return site
