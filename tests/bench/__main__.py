"""``make bench``: measure everything, or the one that is named."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from tests.bench import export, idle, languages, log, rl, rules, turns, verify
from tests.bench.report import Bar

BENCHES: Mapping[str, Callable[[], Sequence[Bar]]] = {
    "rules": rules.bench,
    "log": log.bench,
    "verify": verify.bench,
    "export": export.bench,
    "vector-deals": rl.bench,
    "one-table": partial(turns.bench, 1, "one-table"),
    "eight-tables": partial(turns.bench, 8, "eight-tables"),
    "frames": turns.frames,
    "lines": turns.lines,
    "languages": languages.bench,
    "idle": idle.bench,
}


def main(names: Sequence[str]) -> int:
    """Run benches and end with a line each; 2 if a name is unknown."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"no bench {unknown[0]!r}; there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    bars = [bar for name in names or BENCHES for bar in BENCHES[name]()]
    for bar in bars:
        print(bar)
    return 0


sys.exit(main(sys.argv[1:]))
