"""What the arena ships beside its code: the sample bots and the wire's proto files.

Owns where they lie: in a source checkout beside the package, in an installed one (whose build
copies them, see ``setup.py``) in ``arena/shipped``. Must not read them.
"""

from pathlib import Path
from typing import Final

import arena

SAMPLE_BOTS: Final = "sample_bots"
PROTO: Final = "proto"


def shipped_folder(name: str) -> Path:
    """Give the folder of that name that is shipped; it need not exist."""
    package = Path(arena.__file__).resolve().parent
    installed = package / "shipped" / name
    return installed if installed.is_dir() else package.parent / name
