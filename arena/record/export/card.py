"""The data card of a dataset: what it is, how it was made, and what is wrong with it.

Owns its words. Must not count (:mod:`arena.record.export.tally`) nor write files.
Source: record.md ("arena export").
"""

from collections.abc import Iterable, Iterator, Mapping

from arena.record.export.splits import Split
from arena.record.export.tables import OF_DEALS, TABLES
from arena.record.export.tally import Tally

_ANONYMOUS = """\
## Who played

Entrants, ids of matches and numbers of boards are pseudonyms: the same one means the same. Words
of bots (`note`), details of faults (they quote stderr and paths) and `first_board` are left out.
Who holds the published logs or the revealed seed of the event can still find a match again by its
cards: anonymous is this dataset alone, not beside them. Think times can tell one bot from another.
"""
_SPLITS = """\
## Parts

The tables of deals are split by the cards, about 80 of 100 deals in `train`, 10 in `validation`, 10
in `test`, by SHA-256 of the hands, so that the same cards, however often and by whomever they were
played, are in one part. Tables of matches, faults and sessions are not split (`all`): a match has
deals of several parts, and its totals tell something of each.
"""


def data_card(title: str, licence: str, tally: Tally, *, is_anonymous: bool) -> str:
    """Write the card, in Markdown with the head that hubs of datasets read."""
    parts = (
        _head(title, licence),
        f"# {title}",
        "Matches of Tressette between programs, played and recorded by the Tressette arena: every "
        "question, every card, every time. Licence: " + licence + ".",
        _made(tally),
        _counts(tally),
        _defects(tally),
        _SPLITS,
        _ANONYMOUS if is_anonymous else _named(tally),
        "## Whole?\n\n`sha256sum -c SHA256SUMS` in this folder checks every file.\n",
        _columns(),
    )
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _head(title: str, licence: str) -> str:
    lines = ["---", f"license: {_yaml(licence)}", f"pretty_name: {_yaml(title)}", "configs:"]
    for table in TABLES:
        lines += [f"- config_name: {table}", "  data_files:"]
        for part in Split if table in OF_DEALS else ("all",):
            lines += [f"  - split: {part}", f"    path: data/{table}/{part}-*.parquet"]
    return "\n".join([*lines, "---"])


def _yaml(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _made(tally: Tally) -> str:
    return (
        "## How it was made\n\n"
        f"- arena {_listed(tally.versions)}; rulesets: {_listed(tally.rulesets)}\n"
        f"- attempts at matches: {tally.rows['matches', 'all']}; entrants: {len(tally.entrants)}\n"
        "- `arena export --dataset` read the arena's logs; rows are as recorded, none left out\n"
        "- read it with `arena.record.load(FOLDER)`, or any reader of Parquet; a set of cards is\n"
        "  an int64 with bit k set for the k-th card of suits D C S B, in each 4 5 6 7 J H K A 2 3"
    )


def _counts(tally: Tally) -> str:
    lines = ["## Rows", "", "| table | train | validation | test | all |", "| --- " * 5 + "|"]
    for table in TABLES:
        rows = [tally.rows[table, part] for part in (*Split, "all")]
        lines.append(f"| {table} | " + " | ".join(map(str, (*rows[:3], sum(rows)))) + " |")
    return "\n".join(lines)


def _defects(tally: Tally) -> str:
    return (
        "## Known defects\n\n"
        f"- attempts that do not count (void, ruled out or broken off; `is_counted`): "
        f"{tally.uncounted}; not known of: {tally.unknown}\n"
        f"- why matches ended: {_counted(tally.terminations)}\n"
        f"- cards that the referee played, not a bot (`is_autoplayed`): {tally.autoplayed}\n"
        f"- questions that no card followed (`card` is empty): {tally.unanswered}\n"
        f"- faults: {_counted(tally.faults)}\n"
        f"- matches on a guessable seed, so that bots might know the cards: {tally.guessable}\n"
        "- times are of one machine and hold its load; `lag_us` says how sure each one is"
    )


def _named(tally: Tally) -> str:
    return f"## Who played\n\n{_listed(tally.entrants)}"


def _columns() -> str:
    lines = ["## Columns"]
    for table, columns in TABLES.items():
        lines += ["", f"### {table}", "", "| column | type | meaning |", "| --- | --- | --- |"]
        lines += [f"| `{one.name}` | {one.kind.value} | {one.meaning} |" for one in columns]
    return "\n".join(lines)


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(_quoted(sorted(texts))) or "none"


def _quoted(texts: Iterable[str]) -> Iterator[str]:
    """Put each text between as many backticks as it needs, on one line."""
    for text in texts:
        line = " ".join(text.split())
        ticks = "`" * (1 + max((len(run) for run in _runs(line)), default=0))
        pad = " " if line.startswith("`") or line.endswith("`") else ""
        yield f"{ticks}{pad}{line}{pad}{ticks}"


def _runs(line: str) -> list[str]:
    return [run for run in "".join(c if c == "`" else " " for c in line).split(" ") if run]


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {counts[name]}" for name in sorted(counts)) or "none"
