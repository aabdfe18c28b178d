"""``arena deal``: one board from a seed, for anyone who wants to check a deal by hand.

Owns the two ways to give a seed, and the layout; cards stand in the order of the number line.

Source: commands.md (the flat JSON), design.md §6.
"""

import re
from typing import Annotated, Final

import typer

from arena.cli.output import emit, print_json
from arena.errors import ConfigError
from arena.referee.fairness import commitment
from arena.rules.dealing import SEED_SIZE, deal_board, leader_of_board, seed_from_text
from arena.rules.notation import format_cards
from arena.rules.presets import parse_ruleset

_SEED_HEX: Final = re.compile(rf"[0-9a-fA-F]{{{2 * SEED_SIZE}}}")


def command(
    *,
    seed: Annotated[
        str | None, typer.Option(help="A text; its SHA-256 is the seed. For practice only.")
    ] = None,
    seed_hex: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The seed itself, as an event reveals it: 64 digits."),
    ] = None,
    board: Annotated[int, typer.Option(min=1, help="The board's number, from 1.")] = 1,
    ruleset: Annotated[
        str, typer.Option("--ruleset", "-r", help="NAME[:key=value,…]; see arena rulesets.")
    ] = "italian-tournament",
    json: Annotated[bool, typer.Option("--json", help="One flat JSON object.")] = False,
) -> None:
    """Deal a board from a seed."""
    rules = parse_ruleset(ruleset)
    secret = _seed(seed, seed_hex)
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
            raise ConfigError("give one of --seed TEXT and --seed-hex HEX")
