"""Golden logs: with those of the record's own tests, each ruleset ends in every way there is.

Options that the founding documents name have logs too. All of them follow from the rules
again, byte for byte but for the times.
"""

from pathlib import Path
from typing import TypeVar

import pytest

from arena.record.lines import decode_line, encode_line
from arena.record.read import MatchRecord, read_log
from arena.record.rerun import check, expected_lines
from arena.record.text import replay_lines
from arena.referee.events import MatchEnded
from arena.referee.faults import TerminationKind
from arena.rules.events import CardDrawn, DealScored, DeclarationMade, Infraction, InfractionKind
from arena.rules.presets import PRESETS
from arena.testing.in_memory import of_type
from tests.golden.make_golden import FOLDER, Golden, goldens, write
from tests.record import make_golden as of_record

Thing = TypeVar("Thing")

ALL = {golden.name: golden for golden in goldens()}
TIMES = frozenset(
    {"at_us", "think_us", "lag_us", "cpu_us", "loop_stall_max_us", "time", "chain", "detail"}
)
"""What may be other the next time, and the words of a fault."""

each = pytest.mark.parametrize("golden", ALL.values(), ids=ALL)


def without_times(line: bytes) -> bytes:
    fields = decode_line(line)
    return encode_line({key: value for key, value in fields.items() if key not in TIMES})


def scores(name: str) -> list[DealScored]:
    """List the scores of the deals in a log."""
    return of_kind(DealScored, read_log(ALL[name].path))


def of_kind(kind: type[Thing], record: MatchRecord) -> list[Thing]:
    return of_type(kind, (line.event for line in record.lines))


@each
def test_a_golden_log_is_there_and_flawless(golden: Golden) -> None:
    assert golden.path.exists(), "make it: python -m tests.golden.make_golden"
    record = read_log(golden.path)
    assert record.complete
    assert check(record) == ()
    assert any(line.startswith("Match ended:") for line in replay_lines(record, None))


@each
def test_the_rules_reproduce_every_line_byte_for_byte_after_removing_times(golden: Golden) -> None:
    record = read_log(golden.path)
    reproduced = [without_times(line) for line in expected_lines(record)]
    assert reproduced == [without_times(line.raw) for line in record.lines]


@each
def test_the_referee_of_today_makes_the_same_log(golden: Golden, tmp_path: Path) -> None:
    today = read_log(write(golden, tmp_path))
    kept = read_log(golden.path)
    schemas = [b'"schema":%d,' % record.header.schema for record in (today, kept)]
    assert schemas[0] in today.lines[0].raw
    # These logs were written by schema 1, and hold no digests of what was sent.
    assert [without_times(line.raw) for line in today.lines] == [
        without_times(line.raw.replace(schemas[1], schemas[0])) for line in kept.lines
    ]


def test_every_ruleset_ends_in_every_way_there_is_in_some_golden_log() -> None:
    """The matrix is whole: a new ruleset or termination needs its logs."""
    paths = [golden.path for golden in ALL.values()]
    paths += [golden.path for golden in of_record.goldens()]
    seen: set[tuple[str, TerminationKind]] = set()
    for path in paths:
        record = read_log(path)
        name = record.header.ruleset.name.partition(":")[0]
        seen |= {(name, ended.termination.kind) for ended in of_kind(MatchEnded, record)}
    assert seen == {(preset, kind) for preset in PRESETS for kind in TerminationKind}


def test_every_file_in_the_folder_is_a_golden_log_that_is_checked() -> None:
    assert set(FOLDER.iterdir()) == {golden.path for golden in ALL.values()}


# --- what the options are golden for ----------------------------------------------------


def test_equal_totals_at_the_target_play_on() -> None:
    """GL "How to win"."""
    totals = [score.totals for score in scores("gamelake-4.equal_at_target")]
    assert totals[-2:] == [(11, 11), (16, 17)]


def test_both_at_the_target_play_an_extra_deal_and_equal_ones_another() -> None:
    """IT ¶6, "e così via"."""
    totals = [score.totals for score in scores("italian-tournament.extra_deal")]
    assert totals == [(6, 5), (11, 11), (16, 17)]


def test_a_sweep_earns_the_bonus_where_there_is_one() -> None:
    """CZ §7."""
    (swept,) = scores("cardgames-zone-4.sweep")
    (plain,) = scores("cardgames-zone-4.no_sweep")
    assert swept.thirds == plain.thirds == (35, 0)
    assert swept.points[0] - plain.points[0] == 11


@pytest.mark.parametrize("name", ["cardgames-zone-4", "italian-tournament"])
def test_nothing_is_declared_where_combinations_are_off(name: str) -> None:
    """CZ §8."""
    assert not of_kind(DeclarationMade, read_log(ALL[f"{name}.no_combinations"].path))


def test_matches_are_as_long_as_their_targets() -> None:
    """GL "How to win", CZ §8."""
    for name in ("gamelake-4.short", "gamelake-2.short", "cardgames-zone-4.short"):
        assert max(scores(name)[-1].totals) >= 11
        assert all(max(score.totals) < 11 for score in scores(name)[:-1])
    assert max(scores("cardgames-zone-4.long")[-1].totals) >= 31


def test_totals_stay_at_0_where_they_may_not_be_negative() -> None:
    record = read_log(ALL["italian-tournament.not_below_0"].path)
    assert of_kind(Infraction, record)
    assert all(min(score.totals) >= 0 for score in of_kind(DealScored, record))


def test_a_false_word_is_an_infraction_where_truth_is_checked() -> None:
    """Nothing else is broken in this log: the words are those of the ruleset."""
    record = read_log(ALL["italian-tournament.truth"].path)
    assert {broken.kind for broken in of_kind(Infraction, record)} == {InfractionKind.SIGNAL}
    said = {line.timing.signal for line in record.lines if line.timing and line.timing.signal}
    assert said <= set(record.header.ruleset.signals)


def test_the_log_holds_drawn_cards_though_seats_do_not_see_them() -> None:
    record = read_log(ALL["pagat-2.hidden_draws"].path)
    drawn = of_kind(CardDrawn, record)
    assert len(drawn) == 20
    assert all(event.card is not None for event in drawn)
