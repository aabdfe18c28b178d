"""What a bot is told of a whole match."""

from arena.referee.clock import Clock
from arena.rules.presets import parse_ruleset
from arena.sdk import MatchInfo
from arena.wire import to_bot


def info(ruleset: str, seat: int, *, boards: int | None, names: tuple[str, ...] = ()) -> MatchInfo:
    """Return what a seat is told."""
    message = to_bot.match_started(
        table=4,
        match_id="brave-otter",
        ruleset=parse_ruleset(ruleset),
        seat=seat,
        clock=Clock(limit_ms=250, bank_ms=9_000),
        boards=boards,
        commitment=bytes(32),
        bot_seed=2**32 - 1,
        seat_names=names,
    )
    return MatchInfo(message.match_started)


def test_a_match_over_boards_has_no_target() -> None:
    match = info("gamelake-4", 1, boards=12)
    assert (match.boards, match.target) == (12, None)


def test_a_match_to_a_target_has_no_number_of_boards() -> None:
    match = info("gamelake-4:target=11", 1, boards=None)
    assert (match.boards, match.target) == (None, 11)


def test_seats_sides_and_partners_are_those_of_the_table() -> None:
    four = [info("gamelake-4", seat, boards=1) for seat in range(4)]
    assert [match.partner for match in four] == [2, 3, 0, 1]
    assert [match.side for match in four] == [0, 1, 0, 1]
    two = info("gamelake-2", 1, boards=1)
    assert (two.seats, two.sides, two.side, two.partner) == (2, (0, 1), 1, None)


def test_the_rest_is_as_the_referee_said_it() -> None:
    match = info("gamelake-2", 0, boards=1, names=("fox", "Füchsin"))
    assert (match.table, match.match_id) == (4, "brave-otter")
    assert match.seat_names == ("fox", "Füchsin")
    assert (match.clock.limit_ms, match.clock.bank_ms) == (250, 9_000)
    assert match.bot_seed == 2**32 - 1
    assert match.ruleset == parse_ruleset("gamelake-2")
    assert match.ruleset is match.ruleset
