"""``arena deal``: one board from a seed, for anyone who wants to check a deal by hand.

Source: commands.md (the flat JSON), design.md §6.
"""

from typing import Annotated

import typer

from arena.cli.output import emit, print_json
from arena.referee.fairness import commitment
from arena.rules.dealing import deal_board, leader_of_board, seed_from_text
from arena.rules.notation import format_cards
from arena.rules.presets import parse_ruleset


def command(
    *,
    seed: Annotated[str, typer.Option(help="A text; its SHA-256 is the seed. For practice only.")],
    board: Annotated[int, typer.Option(min=1, help="The board's number, from 1.")] = 1,
    ruleset: Annotated[
        str, typer.Option("--ruleset", "-r", help="NAME[:key=value,…]; see arena rulesets.")
    ] = "italian-tournament",
    json: Annotated[bool, typer.Option("--json", help="One flat JSON object.")] = False,
) -> None:
    """Deal a board from a seed."""
    rules = parse_ruleset(ruleset)
    secret = seed_from_text(seed)
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
    emit(f"board {board} of {rules.name}, seed {secret.hex()} (a text: guessable)")
    emit(f"commitment {commitment(secret).hex()}")
    for seat, hand in enumerate(dealt.hands):
        leads = "  leads" if seat == leader else ""
        emit(f"seat {seat}: {format_cards(sorted(hand, reverse=True))}{leads}")
    if dealt.stock:
        emit(f"stock, top first: {format_cards(dealt.stock)}")
