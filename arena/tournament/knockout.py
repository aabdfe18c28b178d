"""Knockout: who loses a pairing is out; the last one left has won.

Owns the bracket, byes and further boards, as pure functions of the rounds before. Must not know
rows, files or boards. Source: issue "Tournaments to trust" (Formats).

The field is filled up with byes to a power of two, and seeded so that the first two can meet in
the final only, the first four not before the semi-finals, and so on; byes go to the best seeds.
A level of the bracket is one round. Where pairings of it end even, those alone meet again on
further boards, the home seats swapped, in up to ``MOST_FURTHER`` more rounds; a pairing still
even then goes to the better seed. Who is suspended or disqualified loses, to whomever it meets.

A draw stands: who was drawn for a later level has gone on to it, whatever was ruled since on how
it came there. Where no further round can be drawn, a pairing that a ruling made even goes to the
better seed at once.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from arena.tournament.meeting import Meeting
from arena.tournament.round_counts import MOST_FURTHER, bracket_levels


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """Where a knockout stands; ``levels`` = how many levels each entrant has got over."""

    next_round: tuple[tuple[int, int], ...]
    """Pairs of home and guest; empty: it is over."""
    levels: dict[int, int]


def seed_order(size: int) -> list[int]:
    """Give the places of a bracket from top to bottom, as seeds from 0; size a power of two."""
    order = [0]
    while len(order) < size:
        width = 2 * len(order)
        order = [seed for upper in order for seed in (upper, width - 1 - upper)]
    return order


def bracket(
    field: Sequence[int],
    past: Sequence[Sequence[Meeting]],
    out: Collection[int],
    *,
    ahead: Sequence[Sequence[Sequence[int]]] = (),
    is_drawn_out: bool = False,
) -> Bracket:
    """Work out the bracket.

    Args:
        field: The entrants' indices, in seed order.
        past: The rounds that are complete, in order.
        out: Who is suspended or disqualified.
        ahead: The pairs of the rounds that are drawn after those.
        is_drawn_out: Whether no further round can be drawn: what was played and is even goes
            to the better seed at once.
    """
    seed = {entrant: place for place, entrant in enumerate(field)}
    levels = dict.fromkeys(field, 0)
    drawn = [{frozenset((one.home, one.guest)) for one in meetings} for meetings in past]
    drawn += [{frozenset(pair) for pair in pairs} for pairs in ahead]
    begun = 0  # rounds of the levels up to here
    alive: list[int | None] = [
        field[place] if place < len(field) else None
        for place in seed_order(1 << bracket_levels(len(field)))
    ]
    while len(alive) > 1:
        pairs = list(zip(alive[::2], alive[1::2], strict=True))
        level = _Level(pairs, past, out, seed)
        end = begun + sum(1 for _ in takewhile(level.holds, drawn[begun:]))
        complete = past[begun:end]
        for meetings in complete:
            level.take(meetings)
        begun = end
        level.let_go_on({entrant for pairs in drawn[begun:] for pair in pairs for entrant in pair})
        is_whole = begun < len(drawn) or is_drawn_out or len(complete) > MOST_FURTHER
        if level.open_pairs and not is_whole:
            following = tuple(_seated(pair, seed, len(complete)) for pair in level.open_pairs)
            return Bracket(next_round=following, levels=levels)
        if level.open_pairs and begun == len(drawn) and not level.has_met(past):
            return Bracket(next_round=(), levels=levels)  # the end came before it could be drawn
        alive = level.winners()
        for entrant in alive:
            if entrant is not None:
                levels[entrant] += 1
    return Bracket(next_round=(), levels=levels)


def least_to_play(size: int, rounds: Sequence[Sequence[Sequence[int]]]) -> tuple[int, int]:
    """Count the rounds and pairings that a knockout comes to if no further pairing ends even.

    Args:
        size: How many entrants begin it.
        rounds: The pairs of the rounds drawn so far.

    Returns:
        Rounds and pairings, those drawn included.
    """
    drawn = sum(map(len, rounds))
    if not rounds:
        return bracket_levels(size), size - 1
    met: set[frozenset[int]] = set()
    levels = 0
    for pairs in rounds:
        found = {frozenset(pair) for pair in pairs}
        levels += not found <= met  # else all meet again on further boards of their level
        met |= found
    left = bracket_levels(size) - levels
    return len(rounds) + left, drawn + (1 << left) - 1


class _Level:
    """One level of the bracket: its pairings, and those without a winner yet."""

    def __init__(
        self,
        pairs: Sequence[tuple[int | None, int | None]],
        past: Sequence[Sequence[Meeting]],
        out: Collection[int],
        seed: Mapping[int, int],
    ) -> None:
        """Let whoever has no opponent, or one who is out, walk over."""
        self._pairs = pairs
        self._out = out
        self._seed = seed
        self._winners: dict[tuple[int | None, int | None], int | None] = {}
        self.open_pairs: list[tuple[int, int]] = []
        for one, other in pairs:
            if one is None or other is None:
                self._winners[one, other] = one if other is None else other
            elif (one in out or other in out) and not _is_played(one, other, past):
                left = [entrant for entrant in (one, other) if entrant not in out]
                self._winners[one, other] = self._better(*(left or (one, other)))
            else:
                self.open_pairs.append((one, other))

    def take(self, meetings: Sequence[Meeting]) -> None:
        """Learn what a round came to; pairings that ended even stay open."""
        for one, other in tuple(self.open_pairs):
            winner = _winner(one, other, meetings, self._out)
            if winner is not None:
                self._winners[one, other] = winner
                self.open_pairs.remove((one, other))

    def has_met(self, past: Sequence[Sequence[Meeting]]) -> bool:
        """Whether all its pairings without a winner have been played."""
        return all(_is_played(one, other, past) for one, other in self.open_pairs)

    def holds(self, pairs: Collection[frozenset[int]]) -> bool:
        """Whether a round that was drawn is one of this level."""
        own = {frozenset(pair) for pair in self._pairs}
        return all(pair in own for pair in pairs)

    def let_go_on(self, later: Collection[int]) -> None:
        """Let those go on that a later level was drawn with, whatever was ruled since."""
        for one, other in self._pairs:
            if (one in later) != (other in later):
                self._winners[one, other] = one if one in later else other
                self.open_pairs = [pair for pair in self.open_pairs if pair != (one, other)]

    def winners(self) -> list[int | None]:
        """Give who goes on, from top to bottom; of a pairing still even, the better seed."""
        for one, other in self.open_pairs:
            left = [entrant for entrant in (one, other) if entrant not in self._out]
            self._winners[one, other] = self._better(*(left or (one, other)))
        return [self._winners[pair] for pair in self._pairs]

    def _better(self, *entrants: int) -> int:
        return min(entrants, key=self._seed.__getitem__)


def _seated(pair: tuple[int, int], seed: Mapping[int, int], attempt: int) -> tuple[int, int]:
    """Give the home seat to the better seed, and to the other one on further boards."""
    upper, lower = sorted(pair, key=seed.__getitem__)
    return (upper, lower) if attempt % 2 == 0 else (lower, upper)


def _is_played(one: int, other: int, past: Sequence[Sequence[Meeting]]) -> bool:
    """Whether two have met: they can only at one level."""
    return any({meeting.home, meeting.guest} == {one, other} for r in past for meeting in r)


def _winner(one: int, other: int, meetings: Sequence[Meeting], out: Collection[int]) -> int | None:
    """Say who won a pairing; who is out has lost it where nothing of it counts."""
    for meeting in meetings:
        if {meeting.home, meeting.guest} == {one, other}:
            if meeting.winner is None and (one in out) != (other in out):
                return other if one in out else one
            return meeting.winner
    return None
