"""``python -m arena.cli``: the same as ``arena``, where only the interpreter is known."""

from arena.cli.main import run

run()
