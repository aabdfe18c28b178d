"""``arena deal``: one board from a seed, for anyone who wants to check a deal by hand.

Owns the ways to give a seed, and the layout; cards stand in the order of the number line.

Source: commands.md (the flat JSON), design.md §6.
"""

import re
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.options import ruleset_option
from arena.cli.output import emit, print_json
from arena.errors import ConfigError
from arena.referee.fairness import commitment
from arena.rules.dealing import SEED_SIZE, deal_board, leader_of_board, seed_from_text
from arena.rules.notation import format_cards
from arena.rules.presets import parse_ruleset
from arena.rules.ruleset import Ruleset

DEFAULT_RULESET: Final = "italian-tournament"
_SEED_HEX: Final = re.compile(rf"[0-9a-fA-F]{{{2 * SEED_SIZE}}}")


def command(
    event: Annotated[
        Path | None,
        typer.Argument(metavar="EVENT", help="An event that has revealed its seeds."),
    ] = None,
    *,
    seed: Annotated[
        str | None, typer.Option(help="A text; its SHA-256 is the seed. For practice only.")
    ] = None,
    seed_hex: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The seed itself, as an event reveals it: 64 digits."),
    ] = None,
    board: Annotated[int, typer.Option(min=1, help="The board's number, from 1.")] = 1,
    stage: Annotated[int, typer.Option(min=1, help="Of EVENT, the stage.")] = 1,
    ruleset: Annotated[str | None, ruleset_option("the stage's, or italian-tournament")] = None,
    json: Annotated[bool, typer.Option("--json", help="One flat JSON object.")] = False,
) -> None:
    """Deal a board from a seed, or from that of an event that is over."""
    if event is None:
        rules = parse_ruleset(ruleset or DEFAULT_RULESET)
        secret = _seed(seed, seed_hex)
    else:
        if seed is not None or seed_hex is not None:
            raise ConfigError("EVENT has seeds of its own; leave --seed and --seed-hex out")
        secret, rules = _of_event(event, stage)
        rules = rules if ruleset is None else parse_ruleset(ruleset)
    dealt = deal_board(rules, secret, board)
    leader = leader_of_board(rules, board)
    if json:
        print_json(
            {
                "seed": secret.hex(),
                "commitment": commitment(secret).hex(),
                "board": board,
                "leader": leader,
                "hands": [[str(card) for card in hand] for hand in dealt.hands],
                "stock": [str(card) for card in dealt.stock],
                "monte": [],
            }
        )
        return
    guessable = "" if seed is None else " (a text: guessable)"
    emit(f"board {board} of {rules.name}, seed {secret.hex()}{guessable}")
    emit(f"commitment {commitment(secret).hex()}")
    for seat, hand in enumerate(dealt.hands):
        leads = "  leads" if seat == leader else ""
        emit(f"seat {seat}: {format_cards(sorted(hand))}{leads}")
    if dealt.stock:
        emit(f"stock, top first: {format_cards(dealt.stock)}")


def _of_event(event: Path, stage: int) -> tuple[bytes, Ruleset]:
    """Give the seed and the ruleset of a stage.

    Raises:
        ConfigError: Nothing was played there, or its seeds are not revealed yet.
    """
    from arena.tournament.folder import locate  # noqa: PLC0415  # reading events takes a while
    from arena.tournament.known import read_known  # noqa: PLC0415
    from arena.tournament.verify_event import revealed_seeds  # noqa: PLC0415

    known = read_known(locate(event).folder)
    if known.event.deals:
        raise ConfigError(f"{event}: its cards are fixed in the event file and follow from no seed")
    seeds = revealed_seeds(known.folder)
    if not seeds:
        raise ConfigError(f"{event}: deal not yet provable: the seed is not revealed")
    if stage > len(seeds):
        raise ConfigError(f"{event}: --stage {stage}: allowed are 1 to {len(seeds)}")
    return seeds[stage - 1], known.event.stages[stage - 1].ruleset


def _seed(text: str | None, digits: str | None) -> bytes:
    """Give the seed's bytes.

    Raises:
        ConfigError: None or both were given, or the digits are no seed.
    """
    match text, digits:
        case str(), None:
            return seed_from_text(text)
        case None, str():
            if not _SEED_HEX.fullmatch(digits):
                raise ConfigError(
                    f"--seed-hex {digits!r}: expected exactly {2 * SEED_SIZE} hexadecimal digits, "
                    f"found {len(digits)} characters; for a text use --seed"
                )
            return bytes.fromhex(digits)
        case _:
            raise ConfigError("give EVENT, --seed TEXT or --seed-hex HEX, one of these")
