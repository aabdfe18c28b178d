"""Rows without names: pseudonyms that only the holder of a key could undo.

Owns what is replaced and what is dropped, column by column. Must not know files. A pseudonym
is an HMAC-SHA-256 of the name: the same key gives the same ones in every dataset, without it
they cannot be guessed from a list of names. Entrants and ids of matches are replaced (an id
tells the place in a public schedule), numbers of boards too; the words of bots and the details
of faults, which quote stderr and paths, are dropped. Source: record.md ("arena export").
"""

import hmac
from collections.abc import Iterable
from typing import Final

from arena.record.export.tables import TABLES, Row

KEY_BYTES: Final = 32
_DIGITS: Final = 12
"""Hexadecimal digits of a pseudonym."""
_DROPPED: Final = {"note", "detail", "first_board"}


class Pseudonyms:
    """Turns rows into rows that name nobody, under one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def entrant(self, name: str) -> str:
        """Give the pseudonym of an entrant."""
        return f"entrant-{self._digest('entrant', name)}"

    def match(self, match: str) -> str:
        """Give the pseudonym of a match id."""
        return f"match-{self._digest('match', match)}"

    def board(self, match: str, board: int) -> int:
        """Give the number that stands for a board: one for each board of a stage."""
        stage = match.partition("-")[0]
        return int(self._digest("board", f"{stage} {board}"), 16)

    def row(self, table: str, row: Row) -> Row:
        """Give a row without names."""
        match = str(row[0])
        return tuple(
            self._value(column.name, value, match)
            for column, value in zip(TABLES[table], row, strict=True)
        )

    def sessions(self, rows: Iterable[Row]) -> list[Row]:
        """Give sessions in an order and with numbers that say nothing of when they were."""
        anonymous = [self.row("sessions", row) for row in rows]
        anonymous.sort(key=lambda row: self._digest("session", repr(row)))
        return [(number, *row[1:]) for number, row in enumerate(anonymous, start=1)]

    def _value(self, column: str, value: object, match: str) -> object:
        match column, value:
            case "match", str():
                return self.match(value)
            case "matches", str():
                return "\t".join(map(self.match, value.split("\t"))) if value else value
            case "entrant", str():
                return self.entrant(value)
            case "entrants" | "seats", str():
                return "\t".join(map(self.entrant, value.split("\t")))
            case "board", int():
                return self.board(match, value)
            case _:
                return None if column in _DROPPED else value

    def _digest(self, kind: str, text: str) -> str:
        return hmac.new(self._key, f"{kind} {text}".encode(), "sha256").hexdigest()[:_DIGITS]
