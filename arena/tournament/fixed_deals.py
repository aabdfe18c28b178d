"""Deals that somebody chose: a file of them, and whether a log has them.

Owns the file's form: one deal a line in notation, ``#`` begins a comment, and before the
hands may stand who leads: ``leader 2: D3 C7 … | … | … | …``. Must not know how a match is
set up. Source: rules.md §0 (notation), record.md ("text notation out and back in").
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.errors import ConfigError, NotationError
from arena.record.read import MatchRecord
from arena.record.rerun import Difference
from arena.rules.dealing import DealtCards, leader_of_board
from arena.rules.events import DealStarted
from arena.rules.notation import format_deal, parse_deal
from arena.rules.ruleset import Ruleset
from arena.tournament.event_file import EventFile, Stage

MOST_BYTES: Final = 1 << 20
"""The largest file of deals: about 8000."""
_LEADER: Final = re.compile(r"leader\s+(\d{1,2})\s*:(.*)")


def read_deals(path: Path, ruleset: Ruleset) -> tuple[str, ...]:
    """Read a file of deals as those of board 1, 2, …, each in notation.

    Board b is led by seat (b - 1) mod seats. A deal that names another leader is turned
    around the table, so that the hand of its leader leads: who plays after whom stays.

    Raises:
        ConfigError: The file cannot be read, or a line is no deal of the ruleset.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        text = content.decode()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is no UTF-8 text (byte {error.start})") from None
    if len(content) > MOST_BYTES:
        raise ConfigError(f"{path}: more than {MOST_BYTES} bytes; allowed are as many")
    deals: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        board = len(deals) + 1
        try:
            deals.append(format_deal(_deal(words, ruleset, leader_of_board(ruleset, board))))
        except NotationError as error:
            raise ConfigError(f"{path}, line {number}: {error}") from None
    if not deals:
        raise ConfigError(f"{path}: holds no deal; allowed is one a line: D3 C7 … | … | …")
    return tuple(deals)


def deal_lines(record: MatchRecord, deal: int | None = None) -> Iterator[str]:
    """Write the deals of a log as lines of a file that :func:`read_deals` reads.

    Args:
        record: A log.
        deal: The only one that is wanted, from 1; None = all.

    Raises:
        ConfigError: The match has no such deal.
    """
    yield f"# match {record.header.match}, {record.header.ruleset.name}"
    count = 0
    for line in record.lines:
        event = line.event
        if isinstance(event, DealStarted) and deal in {None, event.deal}:
            count += 1
            cards = format_deal(DealtCards(event.hands, event.stock))
            yield f"leader {event.leader}: {cards}  # deal {event.deal}, board {event.board}"
    if deal is not None and not count:
        raise ConfigError(f"deal {deal}: this match has no such deal")


def check_fixed_deals(event: EventFile, stage: Stage, record: MatchRecord) -> Difference | None:
    """Find the first deal of a log that is not the one its event fixes."""
    for line in record.lines:
        started = line.event
        if isinstance(started, DealStarted):
            cards = event.cards_of(stage, started.board)
            if cards is not None and (cards.hands, cards.stock) != (started.hands, started.stock):
                return Difference(
                    file=str(record.path),
                    seq=line.seq,
                    expected=f"board {started.board} as the event fixes it: {format_deal(cards)}",
                    found=format_deal(DealtCards(started.hands, started.stock)),
                )
    return None


def _deal(words: str, ruleset: Ruleset, leader: int) -> DealtCards:
    """Read a deal and turn it so that the hand of its leader lies at seat ``leader``."""
    found = _LEADER.fullmatch(words)
    dealt = parse_deal(found[2] if found else words, ruleset)
    if found is None:
        return dealt
    named = int(found[1])
    if named >= ruleset.seats:
        raise NotationError(f"leader {named}: allowed are 0 to {ruleset.seats - 1}")
    turn = named - leader
    hands = tuple(dealt.hands[(seat + turn) % ruleset.seats] for seat in range(ruleset.seats))
    return DealtCards(hands, dealt.stock)
