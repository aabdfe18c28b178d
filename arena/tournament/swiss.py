"""Swiss: each round pairs entrants of like score who have not met.

Owns scores, Buchholz and the draw of a round, as pure functions of the rounds before. Must not
know rows, files or boards. Source: issue "Tournaments to trust" (Formats).

A pairing won is worth two half points, an even one a half each; so is a pairing that was
annulled, but for one whose opponent is out: it has a bye. A bye is worth a win. The draw is the
matching of the whole field that costs least, in this order: nobody meets anybody twice, nobody
has two byes, scores are as near as can be, the bye goes to the lowest score, home seats are
balanced, and in a score group the upper half meets the lower half in seed order.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final

import networkx as nx

from arena.tournament.meeting import Meeting

WIN: Final = 2
"""Half points of a pairing won, and of a bye."""
_BYE: Final = -1
"""Stands for nobody, where the field is odd."""


def half_points(
    field: Sequence[int], past: Sequence[Sequence[Meeting]], out: Collection[int]
) -> tuple[Mapping[int, int], ...]:
    """Give what each round was worth to each entrant, in half points.

    Args:
        field: The entrants' indices, in seed order.
        past: The rounds that are complete, in order.
        out: Who is suspended or disqualified: for them a round without a pairing is no bye.
    """
    return tuple(_round_points(field, meetings, out) for meetings in past)


def _round_points(
    field: Sequence[int], meetings: Sequence[Meeting], out: Collection[int]
) -> Mapping[int, int]:
    points = {entrant: 0 if entrant in out else WIN for entrant in field}
    for meeting in meetings:
        pair = meeting.home, meeting.guest
        for own, other in (pair, pair[::-1]):
            if meeting.lead is None:
                points[own] = WIN if other in out and own not in out else WIN // 2
            elif meeting.winner is None:
                points[own] = WIN // 2
            else:
                points[own] = WIN if meeting.winner == own else 0
    return points


def buchholz(
    field: Sequence[int], past: Sequence[Sequence[Meeting]], out: Collection[int]
) -> Mapping[int, int]:
    """Sum up the half points of everybody that each entrant has met; a bye adds nothing."""
    scores = _scores(field, past, out)
    sums = dict.fromkeys(field, 0)
    for meetings in past:
        for meeting in meetings:
            sums[meeting.home] += scores[meeting.guest]
            sums[meeting.guest] += scores[meeting.home]
    return sums


def swiss_round(
    field: Sequence[int], past: Sequence[Sequence[Meeting]], out: Collection[int]
) -> tuple[tuple[int, int], ...]:
    """Draw the next round.

    Args:
        field: The entrants' indices, in seed order.
        past: The rounds that are complete, in order.
        out: Who is suspended or disqualified: they are not paired any more.

    Returns:
        Pairs of home and guest, the best first; who is in none has a bye.
    """
    scores = _scores(field, past, out)
    order = [entrant for entrant in field if entrant not in out]
    order.sort(key=lambda entrant: -scores[entrant])  # stable: in seed order among equals
    met = Counter(frozenset((one.home, one.guest)) for meetings in past for one in meetings)
    homes = home_balance(past)
    byes = _byes(field, past)
    players = order if len(order) % 2 == 0 else [*order, _BYE]
    place = {entrant: number for number, entrant in enumerate(order)}
    group_size = Counter(scores[entrant] for entrant in order)
    group_start = {score: len(order) for score in group_size}
    for entrant in order:
        group_start[scores[entrant]] = min(group_start[scores[entrant]], place[entrant])

    def cost(one: int, other: int) -> tuple[int, int, int, int]:
        if other == _BYE:
            # As far from the lowest score as it is; in a group the last one has it.
            return byes[one], (scores[one] - min(group_size)) ** 2, 0, len(order) - place[one]
        apart = (scores[one] - scores[other]) ** 2
        alike = homes[one] * homes[other]
        size = group_size[scores[one]]
        ideal = place[one] + size // 2 if scores[one] == scores[other] else place[other]
        return met[frozenset((one, other))], apart, max(0, alike), abs(place[other] - ideal)

    costs = {(one, other): cost(one, other) for one, other in combinations(players, 2)}
    matched = _least_matching(costs)
    ranks = {**place, _BYE: len(order)}
    pairs = sorted(sorted(pair, key=ranks.__getitem__) for pair in matched)
    pairs.sort(key=lambda pair: ranks[pair[0]])
    return tuple(
        _seated(one, other, homes, len(past), number)
        for number, (one, other) in enumerate(pairs)
        if other != _BYE
    )


def home_balance(past: Sequence[Sequence[Meeting]]) -> Counter[int]:
    """Count how much oftener each entrant had the home seat than the guest's."""
    balance: Counter[int] = Counter()
    for meetings in past:
        for meeting in meetings:
            balance[meeting.home] += 1
            balance[meeting.guest] -= 1
    return balance


def _seated(
    upper: int, lower: int, homes: Mapping[int, int], rounds: int, number: int
) -> tuple[int, int]:
    """Give the home seat to who has had it less; among equals it goes to and fro."""
    if homes[upper] != homes[lower]:
        return (upper, lower) if homes[upper] < homes[lower] else (lower, upper)
    return (upper, lower) if (rounds + number) % 2 == 0 else (lower, upper)


def _scores(
    field: Sequence[int], past: Sequence[Sequence[Meeting]], out: Collection[int]
) -> Mapping[int, int]:
    worth = half_points(field, past, out)
    return {entrant: sum(points[entrant] for points in worth) for entrant in field}


def _byes(field: Sequence[int], past: Sequence[Sequence[Meeting]]) -> Counter[int]:
    """Count the rounds in which each entrant was not paired."""
    byes: Counter[int] = Counter()
    for meetings in past:
        paired = {entrant for one in meetings for entrant in (one.home, one.guest)}
        byes.update(entrant for entrant in field if entrant not in paired)
    return byes


def _least_matching(costs: Mapping[tuple[int, int], tuple[int, ...]]) -> set[tuple[int, int]]:
    """Match everybody so that the costs, summed place by place, come to the least.

    The earlier place always outweighs all that later ones can come to.
    """
    whole = dict.fromkeys(costs, 0)
    for place in range(len(next(iter(costs.values()), ()))):
        factor = 1 + sum(cost[place] for cost in costs.values())
        for pair, cost in costs.items():
            whole[pair] = whole[pair] * factor + cost[place]
    graph: nx.Graph[int] = nx.Graph()
    top = 1 + max(whole.values(), default=0)
    graph.add_weighted_edges_from((*pair, top - cost) for pair, cost in whole.items())
    return set(nx.max_weight_matching(graph, maxcardinality=True))
