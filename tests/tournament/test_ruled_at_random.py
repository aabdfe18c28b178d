"""However an event is ruled on, it comes to an end, and later rulings leave that end whole."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from arena.record.match_row import MatchRow
from arena.tournament.drawn import Drawn
from arena.tournament.event_file import EventFile, Format, SuspendedMatches
from arena.tournament.rulings import Act, Ruling, Rulings, fold
from arena.tournament.schedule import MatchPlan
from arena.tournament.standings import standings
from arena.tournament.suspension import Suspensions
from tests.tournament.results import chance, event_of, forfeited, row_of

NAMES = "abcdefg"
MOST_STEPS = 3_000


def some_event(luck: random.Random) -> EventFile:
    """Make an event of one or two stages of any format."""
    size = luck.randint(4, 7)
    event = event_of(
        *NAMES[:size],
        boards=2,
        suspend_after=luck.choice([0, 1, 2, 3]),
        suspended=luck.choice(list(SuspendedMatches)),
    )
    formats = [luck.choice(list(Format)) for _ in range(luck.randint(1, 2))]
    stages = [replace(event.stages[0], format=one) for one in formats]
    stages[:-1] = [replace(one, advance=luck.choice([None, 4])) for one in stages[:-1]]
    return replace(event, stages=tuple(stages))


@dataclass
class Played:
    """An event as its folder holds it: attempts, rulings, draws."""

    event: EventFile
    luck: random.Random
    rows: list[MatchRow] = field(default_factory=list)
    said: list[Ruling] = field(default_factory=list)
    drawn: Drawn = field(default_factory=Drawn)

    @property
    def rulings(self) -> Rulings:
        """What all that was said comes to."""
        return replace(fold(self.said), drawn=self.drawn)

    def left(self) -> list[MatchPlan]:
        """Say what is to be played, and keep the draws that this takes."""
        scored = self.rulings.applied(self.rows)
        known = Suspensions(self.event, self.rulings)
        for row in scored:
            known.add(row)
        known.settle()
        for place, pairs in self.drawn.rounds.items():
            assert known.drawn.rounds[place] == pairs
        self.drawn = known.drawn
        counted = {row.match_id for row in scored if row.counted}
        return [
            match
            for stage in range(1, len(self.event.stages) + 1)
            for sitting in known.sittings_known(stage) or ()
            if not known.bars(sitting.pairing)
            for match in sitting.matches
            if match.id not in counted
        ]

    def play(self, matches: Sequence[MatchPlan], forfeits: float) -> None:
        """Play matches; ``forfeits`` is how probably each ends as one."""
        attempts = Counter(row.match_id for row in self.rows)
        for match in matches:
            row = row_of(self.event, match, chance(self.luck.randint(0, 3)), attempts[match.id] + 1)
            if self.luck.random() < forfeits:
                seat = self.luck.randrange(len(row.seats))
                row = forfeited(row, seat, self.luck.randrange(len(row.boards)))
            self.rows.append(row)

    def rule(self, act: Act) -> None:
        """Rule on any match that counts, or any entrant."""
        counted = [row for row in self.rulings.set_aside_in(self.rows) if row.counted]
        name = self.luck.choice(self.event.entrants).name
        if act in (Act.DISQUALIFY, Act.REINSTATE):
            forgiven = tuple(
                row.match_id
                for row in counted
                if row.culprit_seat is not None and row.seats[row.culprit_seat] == name
            )
            is_back = act is Act.REINSTATE
            self.say(act, name, forgiven=forgiven if is_back else ())
        elif counted:
            row = self.luck.choice(counted)
            points = self.luck.randint(0, 11)
            more = {"board": row.first_board, "points": (points, 11 - points)}
            is_adjusted = act is Act.ADJUST
            self.say(act, row.match_id, attempt=row.attempt, **(more if is_adjusted else {}))

    def say(self, act: Act, on: str, **more: object) -> None:
        """Take a ruling down."""
        ruling = Ruling(act=act, on=on, by="me", reason="x", **more)  # type: ignore[arg-type]
        self.said.append(ruling)

    def assert_whole(self, rulings: Rulings) -> None:
        """Nothing is left to play in any stage."""
        rows = rulings.set_aside_in(self.rows)
        for stage in standings(self.event, rows, rulings).stages:
            assert not stage.is_unfinished, self.said
            assert stage.rounds_complete == stage.rounds_planned


@pytest.mark.parametrize("seed", range(40))
def test_an_event_ruled_on_at_any_moment_ends_and_stays_ended(seed: int) -> None:
    luck = random.Random(seed)  # noqa: S311  # no secret
    played = Played(some_event(luck), luck)
    forfeits = luck.uniform(0, 0.3)
    for _ in range(MOST_STEPS):
        if not (left := played.left()):
            break
        played.play(left[: luck.randint(1, 4)], forfeits)
        if luck.random() < 0.2:
            played.rule(luck.choice([one for one in Act if one is not Act.PUBLISH]))
    assert not played.left()
    at_end = played.rulings
    played.assert_whole(at_end)
    over = replace(played.drawn, is_over=True)
    for _ in range(4):
        played.rule(luck.choice([Act.VOID, Act.ADJUST, Act.DISQUALIFY]))
        played.assert_whole(replace(fold(played.said), drawn=over, at_end=at_end))


def test_a_forfeit_that_is_void_after_the_end_gives_nobody_matches_to_play() -> None:
    event = event_of(*NAMES[:5], boards=2, format=Format.GAUNTLET, suspend_after=1)
    played = Played(event, random.Random(1))  # noqa: S311  # no secret
    first = played.left()[0]
    played.play([first], forfeits=1)
    offender = played.rows[0].seats[played.rows[0].culprit_seat or 0]
    while left := played.left():
        played.play(left[:1], forfeits=0)
    at_end = played.rulings
    played.say(Act.VOID, first.id, attempt=1)
    over = replace(played.rulings, drawn=replace(played.drawn, is_over=True), at_end=at_end)
    played.assert_whole(over)
    suspended = {
        line.name
        for line in standings(event, played.rows, over).stages[0].entrants
        if line.is_suspended
    }
    assert suspended == {offender}
    lifted = fold([*played.said, Ruling(
        act=Act.REINSTATE, on=offender, by="me", reason="x", forgiven=(first.id,)
    )])  # fmt: skip
    back = replace(lifted, drawn=over.drawn, at_end=at_end)
    assert not any(
        line.is_suspended for line in standings(event, played.rows, back).stages[0].entrants
    )
