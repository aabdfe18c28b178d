"""An event file as everybody may read it: its text without the seed.

Owns what is cut out. Source: record.md ("Event log": every secret replaced).
"""

import re
from typing import Final

from arena.bots.strict_toml import parse_toml
from arena.errors import ConfigError

_SECRET: Final = "(secret)"  # noqa: S105  # no secret: it stands for one
"""What stands for a seed where an event file is published."""
_SEED_LINE: Final = re.compile(r"""^(\s*(?:seed|"seed"|'seed')\s*=).*$""", re.MULTILINE)
_TABLE: Final = re.compile(r"^\s*\[", re.MULTILINE)


def published_text(text: str) -> str:
    """Give an event file without its seed; nothing of it where the seed cannot be cut out."""
    tables = _TABLE.search(text)
    top = len(text) if tables is None else tables.start()
    cut = _SEED_LINE.sub(rf'\1 "{_SECRET}"', text[:top]) + text[top:]
    try:
        is_safe = parse_toml(cut.encode(), "event.toml").get("seed", _SECRET) == _SECRET
    except ConfigError:
        is_safe = False  # for instance a seed of several lines
    return cut if is_safe else _SECRET
