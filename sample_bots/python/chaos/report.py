"""What chaos tells whoever judges: on stderr, one line a finding.

`STOLEN what` is proof that a guard did not hold; `TRIED act` says that an act began.
"""

import sys


def stolen(what: str) -> None:
    """Report a success: something that a bot must not be able to do."""
    print(f"STOLEN {what}", file=sys.stderr, flush=True)


def tried(act: str) -> None:
    """Report that an act begins."""
    print(f"TRIED {act}", file=sys.stderr, flush=True)
