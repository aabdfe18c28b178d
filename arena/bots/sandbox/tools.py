"""Tools of a build that may use the network: variables and files that name registries.

Owns what of the organiser's settings reaches a build, and that no credentials do. Must not
know how it is bound. Source: sandbox.md ("Builds").
"""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from arena.bots.sandbox.views import Bind, is_system

_NAMES: Final = re.compile(
    r"(?i:(https?|all|no|ftp)_proxy)|(?i:npm_config_)\w+|PIP_\w+|UV_\w+|CARGO_\w+|RUSTUP_\w+"
    r"|GO(PROXY|SUMDB|NOSUMDB|NOSUMCHECK|PRIVATE|FLAGS|INSECURE)|MAVEN_\w+"
    r"|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|GIT_SSL_CAINFO"
)
_FILES: Final = (
    ".npmrc", ".cargo/config.toml", ".config/pip/pip.conf", ".pip/pip.conf", ".config/go/env",
    ".m2/settings.xml",
)  # fmt: skip
_SECRET: Final = re.compile(r"(?i)passw|token|_auth|secret|credential|://[^/\s]*@")
"""What a setting with a credential in it looks like: it stays outside."""


def registry_variables() -> Mapping[str, str]:
    """Give the variables by which tools find proxies, registries and certificates."""
    return {
        name: value
        for name, value in os.environ.items()
        if _NAMES.fullmatch(name) and not _SECRET.search(f"{name}={value}")
    }


def registry_files(folder: Path, home: str) -> Iterator[Bind]:
    """Copy the settings of tools into a folder of the arena's; give them at their places.

    Args:
        folder: Where the copies go: a build may be another user, who cannot read a home.
        home: What is ``HOME`` inside.
    """
    for name in _FILES:
        source, copy = Path.home() / name, folder / name
        if not source.is_file() or _SECRET.search(source.read_text("utf-8", "replace")):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
        copy.chmod(0o644)
        yield Bind(source=copy, place=f"{home}/{name}")
    etc = Path("/etc/pip.conf")
    if etc.is_file():
        yield Bind(source=etc, place=str(etc))
    for value in registry_variables().values():
        path = Path(value)
        if path.is_absolute() and path.exists() and not is_system(path):
            yield Bind(source=path, place=value)
