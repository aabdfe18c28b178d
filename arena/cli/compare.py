"""``arena compare``, also ``arena sprt``: is A better than B? Played until it is decided.

Owns the event that a comparison is, and how its verdict is shown. When it is over is
:mod:`arena.tournament.comparing`'s. Source: commands.md.
"""

from pathlib import Path
from typing import Annotated, Final, assert_never

import typer

from arena.cli.main import BAD, DONE
from arena.cli.match import NAME_SHARE, file_name, two_entrants
from arena.cli.options import (
    RULESET,
    FormatOption,
    JsonOption,
    LinesOption,
    PlayedFolderOption,
    RulesetOption,
    SeedOption,
    TablesOption,
)
from arena.cli.output import Format, chosen, emit, print_envelope, print_rows, say
from arena.counted import counted
from arena.errors import ConfigError
from arena.rules.presets import parse_ruleset
from arena.tournament.begun import read_begun
from arena.tournament.compared import Comparison, Outcome
from arena.tournament.comparing import comparison
from arena.tournament.event_file import EventFile, Stage
from arena.tournament.event_text import event_text
from arena.tournament.folder import EVENT_FILE, EventFolder, EventPlace, first_free
from arena.tournament.known import Known, read_known
from arena.tournament.pairings_data import rounded
from arena.tournament.rating.elo import elo, likelihood_of_superiority, normalised_elo
from arena.tournament.rating.sequential import (
    EloTest,
    PointsTest,
    SequentialTest,
    problem_of_test,
)
from arena.tournament.rating.sprt import EloModel

BLOCK: Final = 10
"""Boards after which the test looks again."""
MOST_BLOCKS: Final = 1_000
BOTS: Final = 2
DIGITS: Final = 4


def command(
    ctx: typer.Context,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT", help="Two bots, A and B: a folder with bot.toml, a shipped bot's name."
        ),
    ] = None,
    *,
    points0: Annotated[
        float, typer.Option(help="Rejected if A leads by no more points per board.")
    ] = 0.0,
    points1: Annotated[
        float, typer.Option(help="Accepted if A leads by so many points per board.")
    ] = 0.5,
    by_elo: Annotated[
        bool, typer.Option("--elo", help="Test wins, draws and losses instead, as in chess.")
    ] = False,
    elo0: Annotated[
        float | None, typer.Option(help="With --elo: the lower bound (default: 0).")
    ] = None,
    elo1: Annotated[
        float | None, typer.Option(help="With --elo: the upper bound (default: 20).")
    ] = None,
    model: Annotated[
        EloModel | None,
        typer.Option(metavar="MODEL", help="With --elo: what Elo means (default: logistic)."),
    ] = None,
    alpha: Annotated[float, typer.Option(help="How often to accept wrongly, at most.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often to reject wrongly, at most.")] = 0.05,
    boards: Annotated[
        int, typer.Option(min=20, max=1_000_000, help="The most boards, each played both ways.")
    ] = 2_000,
    ruleset: RulesetOption = RULESET,
    seed: SeedOption = None,
    tables: TablesOption = None,
    lines: LinesOption = False,
    out: PlayedFolderOption = None,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """Play A against B on turned boards until it is decided whether A is better.

    Exit status 0: accepted, A leads by the upper bound rather than the lower. 1: rejected,
    or not decided in --boards, or a bot does not work. 4: stopped with Ctrl-C; the same
    command goes on.
    """
    # Here, because --help is quicker without.
    from arena.bots.build_store import open_build_store  # noqa: PLC0415
    from arena.cli.playing import play  # noqa: PLC0415

    words = list(bots or [])
    given = len(words) + bool(ctx.obj)
    if given != BOTS:
        raise ConfigError(f"{counted(given, 'bot')} given; allowed are two, A and B")
    entrants = two_entrants(words, ctx.obj or (), lines=lines)
    block = max(BLOCK, -(-boards // MOST_BLOCKS))
    test = _test(
        points0=points0,
        points1=points1,
        by_elo=by_elo,
        elo0=elo0,
        elo1=elo1,
        model=model,
        alpha=alpha,
        beta=beta,
    )
    event = EventFile(
        name=" v ".join(entrant.name[:NAME_SHARE].strip() for entrant in entrants),
        practice=True,
        seed=seed,
        entrants=entrants,
        compare=test,
        stages=(
            Stage(
                cycles=-(-boards // block),
                boards=block,
                boards_per_match=block,
                ruleset=parse_ruleset(ruleset),
                trust_memory=True,
            ),
        ),
    )
    content = event_text(event).encode()
    folder = out or _folder("-v-".join(file_name(e.name) for e in entrants), content)
    place = EventPlace(file=folder / EVENT_FILE, folder=EventFolder(folder), content=content)
    status = play(
        place,
        tables=tables,
        base=Path(),
        fmt=chosen(fmt, json=json),
        show=_show,
        builds=open_build_store(),
    )
    if status == DONE and _found(read_known(place.folder)).outcome is not Outcome.ACCEPTED:
        status = BAD
    raise typer.Exit(status)


def _test(
    *,
    points0: float,
    points1: float,
    by_elo: bool,
    elo0: float | None,
    elo1: float | None,
    model: EloModel | None,
    alpha: float,
    beta: float,
) -> SequentialTest:
    """Take the test from the options.

    Raises:
        ConfigError: It is none, or one of Elo is meant without ``--elo``.
    """
    test: SequentialTest
    if by_elo:
        default = EloTest()
        test = EloTest(
            elo0=default.elo0 if elo0 is None else elo0,
            elo1=default.elo1 if elo1 is None else elo1,
            model=model or default.model,
            alpha=alpha,
            beta=beta,
        )
        low, high = "--elo0", "--elo1"
    else:
        _refuse_elo(elo0, elo1, model)
        test = PointsTest(points0=points0, points1=points1, alpha=alpha, beta=beta)
        low, high = "--points0", "--points1"
    if problem := problem_of_test(test, low=low, high=high, sign="--"):
        raise ConfigError(problem)
    return test


def _refuse_elo(elo0: float | None, elo1: float | None, model: EloModel | None) -> None:
    for option, value in (("--elo0", elo0), ("--elo1", elo1), ("--model", model)):
        if value is not None:
            raise ConfigError(f"{option} {value}: goes with --elo only; add --elo or leave it out")


def _folder(name: str, content: bytes) -> Path:
    """Find the folder of the same comparison that was stopped, or a free one."""
    path, number = Path("comparisons") / name, 1
    free = first_free(path)
    while path != free:
        folder = EventFolder(path)
        begun = read_begun(folder) if folder.event_file.is_file() else None
        if begun is not None and not begun.is_closed and folder.event_file.read_bytes() == content:
            say(f"going on with {path}")
            return path
        number += 1
        path = free.with_name(f"{name}-{number}")
    return free


def _found(known: Known) -> Comparison:
    """Say what a comparison came to, as ruled."""
    found = comparison(known.event, known.rows, known.begun.rulings)
    if found is None:
        raise ConfigError(f"{known.folder.path}: no comparison, its event file has no [compare]")
    return found


def _show(folder: EventFolder, fmt: Format) -> None:
    """Print a comparison's verdict and numbers."""
    known = read_known(folder)
    found = _found(known)
    if fmt is Format.JSON:
        print_envelope("comparison", _data(found))
        return
    rows = [(key.replace("_", " "), _cell(value)) for key, value in _data(found).items()]
    print_rows(("what", "value"), rows, fmt)
    if fmt is Format.TABLE:
        emit(_verdict(found, is_closed=known.begun.is_closed))


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case list():
            return " ".join(str(one) for one in value)
        case _:
            return str(value)


def _data(found: Comparison) -> dict[str, object]:
    """List everything that is known, in one order; Elo, LOS and pairs are for information."""
    standing, span, tally = found.standing, found.interval, found.tally
    rated = elo(tally) if tally.total else None
    normalised = normalised_elo(tally) if tally.total else None
    superior = likelihood_of_superiority(tally) if tally.total else None
    return {
        "a": found.entrants[0],
        "b": found.entrants[1],
        **_hypotheses(found.test),
        "outcome": found.outcome.value,
        "board_groups": standing.groups,
        "most_boards": found.most_boards,
        "expected_left": standing.expected_left,
        "llr": round(standing.llr, DIGITS),
        "llr_lower": round(standing.bounds.lower, DIGITS),
        "llr_upper": round(standing.bounds.upper, DIGITS),
        "points_per_board": rounded(found.points),
        "points_low": None if span is None else round(span.low, DIGITS),
        "points_high": None if span is None else round(span.high, DIGITS),
        "matches_forfeited": list(found.forfeits),
        "information_pairs_lost_to_won": list(tally.counts),
        "information_elo": None if rated is None else round(rated.value, 2),
        "information_elo_error": None if rated is None else _rounded(rated.error),
        "information_normalised_elo": None if normalised is None else round(normalised.value, 2),
        "information_normalised_elo_error": None
        if normalised is None
        else _rounded(normalised.error),
        "information_los": None if superior is None else round(superior, DIGITS),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _hypotheses(test: SequentialTest) -> dict[str, object]:
    match test:
        case PointsTest(points0=low, points1=high):
            words: dict[str, object] = {"test": "points", "low": low, "high": high}
        case EloTest(elo0=low, elo1=high, model=model):
            words = {"test": f"elo {model.value}", "low": low, "high": high}
        case _:
            assert_never(test)
    return {**words, "alpha": test.alpha, "beta": test.beta}


def _verdict(found: Comparison, *, is_closed: bool) -> str:
    """Say in a sentence what a comparison came to."""
    a, b = found.entrants
    match found.test:
        case PointsTest(points0=low, points1=high):
            least, most = f"{high:+g} points/board", f"{low:+g}"
        case EloTest(elo0=low, elo1=high):
            least, most = f"{high:+g} Elo", f"{low:+g}"
        case _:
            assert_never(found.test)
    after = f"after {counted(found.standing.groups, 'board')}"
    match found.outcome:
        case Outcome.ACCEPTED:
            return f"accepted {after}: {a} v {b} is {least} rather than {most}"
        case Outcome.REJECTED:
            return f"rejected {after}: {a} v {b} is {most} rather than {least}"
        case Outcome.UNDECIDED:
            return f"{found.words}; give more with --boards"
        case Outcome.FORFEITED:
            return f"{found.words}; the logs say why"
        case Outcome.DISQUALIFIED:
            return found.words
        case Outcome.OPEN:
            why = ": by rulings too few count, and no more cards are dealt" if is_closed else ""
            return f"{found.words}{why}"
        case _:
            assert_never(found.outcome)
