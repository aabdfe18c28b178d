"""Perft: how many ways the cards can be played from a position.

Owns the count alone; such counts, held against an independent brute force, find nearly
every mistake in legality, turn order and drawing. Must not know scores.
The idea is that of chess engines.
"""

from arena.rules.deal import Deal


def perft(deal: Deal, plays: int) -> int:
    """Count the legal sequences of so many plays from a position; the deal stays as it is.

    Sequences that end with the deal count once, however many plays were still asked for.
    """
    if plays == 0 or deal.is_over:
        return 1
    if plays == 1:
        return deal.legal_set().bit_count()
    count = 0
    for card in deal.legal_cards():
        ahead = deal.copy()
        ahead.play(card)
        count += perft(ahead, plays - 1)
    return count
