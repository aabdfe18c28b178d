"""Golden logs beside those of :mod:`tests.record.make_golden`: which, and how each is made.

Ends that are ruled while a match goes on, for every ruleset, and what options change that
the founding documents name. ``python -m tests.golden.make_golden`` writes those that are
missing; an old log is never rewritten, since it must stay readable (delete it first where a
golden was wrong). Matches are played in memory by scripted bots, so that each run makes the
same lines.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.record.match_log import MatchLog
from arena.referee.clock import MS
from arena.referee.faults import Culprit, Termination, TerminationKind
from arena.referee.messages import Begin, BotReady, Stop
from arena.rules.cards import CARDS, SUIT_SIZE
from arena.rules.dealing import DealtCards, deal_board, seed_from_text
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.ruleset import Ruleset
from arena.testing.in_memory import InMemory, MemoryMatch, open_table
from arena.testing.memory_bots import THINK_NS
from tests.leaks.erratic import CLOCK, LENIENT, Erratic
from tests.record.samples import make_header, ticking

FOLDER: Final = Path(__file__).parent.parent / "data" / "golden"

RULED: Final[Mapping[str, Termination]] = {
    "forfeit_suspended": Termination(
        kind=TerminationKind.FORFEIT_SUSPENDED, culprit=Culprit.BOT, seat=1, detail="3 forfeits"
    ),
    "annulled": Termination(
        kind=TerminationKind.ANNULLED, culprit=Culprit.REFEREE, detail="an entrant was suspended"
    ),
}
"""Ends that come from outside, 40 ms after the beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden:
    """One golden log."""

    name: str
    ruleset: Ruleset
    boards: int | None = 1
    seed: str = "golden"
    ruling: Termination | None = None
    whispers: bool = False
    """Whether bots break rules as well."""
    swept: bool = False
    """Whether one hand takes every trick; else the seed deals."""

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return FOLDER / f"{self.name}.jsonl.gz"

    @property
    def cards(self) -> Callable[[int], DealtCards]:
        """What gives the cards of a board."""
        stage = seed_from_text(self.seed)
        return _a_suit_each if self.swept else lambda board: deal_board(self.ruleset, stage, board)


def goldens() -> Iterator[Golden]:
    """List every golden log that there must be."""
    for preset in PRESETS.values():
        for case, ruling in RULED.items():
            yield Golden(name=f"{preset.name}.{case}", ruleset=preset, ruling=ruling)
    yield from OPTIONS


def play(golden: Golden) -> MemoryMatch:
    """Play the match of a golden log."""
    ruleset = golden.ruleset
    table = open_table(
        ruleset=ruleset, boards=golden.boards, cards=golden.cards, clock=CLOCK, conduct=LENIENT
    )
    bots = [Erratic(seat, is_quiet=not golden.whispers) for seat in range(ruleset.seats)]
    driver = InMemory(table, bots)
    driver.apply(Begin(at_ns=0))
    for seat in range(ruleset.seats):
        driver.schedule(BotReady(seat=seat, at_ns=THINK_NS), THINK_NS)
    if golden.ruling is not None:
        driver.schedule(Stop(termination=golden.ruling, at_ns=40 * MS), 40 * MS)
    return driver.run()


def write(golden: Golden, folder: Path) -> Path:
    """Play a match and write its log, compressed."""
    match = play(golden)
    header = make_header(golden.ruleset, boards=golden.boards, clock=CLOCK)
    header = replace(header, conduct=LENIENT)
    log = MatchLog(folder / f"{golden.name}.jsonl", header, wall_time=ticking())
    for record in match.records:
        log.write(record)
    log.close()
    return log.finish().path


def _a_suit_each(_board: int) -> DealtCards:
    suits = range(0, len(CARDS), SUIT_SIZE)
    return DealtCards(tuple(CARDS[start : start + SUIT_SIZE] for start in suits))


def _option(name: str, ruleset: str, boards: int | None = 1, seed: str = "golden") -> Golden:
    return Golden(name=name, ruleset=parse_ruleset(ruleset), boards=boards, seed=seed)


OPTIONS: Final = (
    _option("gamelake-4.short", "gamelake-4:target=11", None),
    _option("gamelake-4.equal_at_target", "gamelake-4:target=11", None, "golden 3"),
    _option("gamelake-2.short", "gamelake-2:target=11", None),
    _option("gamelake-2.always_follow", "gamelake-2:follow_suit=always"),
    _option("cardgames-zone-4.short", "cardgames-zone-4:target=11", None),
    _option("cardgames-zone-4.long", "cardgames-zone-4:target=31", None),
    _option("cardgames-zone-4.no_combinations", "cardgames-zone-4:declarations=off"),
    replace(_option("cardgames-zone-4.sweep", "cardgames-zone-4:cappotto_bonus=11"), swept=True),
    replace(_option("cardgames-zone-4.no_sweep", "cardgames-zone-4"), swept=True),
    _option("italian-tournament.extra_deal", "italian-tournament:target=5", None, "golden 89"),
    _option("italian-tournament.no_combinations", "italian-tournament:declarations=off"),
    _option("italian-tournament.truth", "italian-tournament:signal_truth=checked"),
    replace(
        _option("italian-tournament.not_below_0", "italian-tournament:negative_totals=off", 2),
        whispers=True,
    ),
    _option("pagat-2.hidden_draws", "pagat-2:draw_visibility=owner_only"),
)
"""Options that the founding documents name, or that change what a seat sees or a deal scores."""


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for missing in goldens():
        if not missing.path.exists():
            write(missing, FOLDER)
