"""Which part of a dataset a deal belongs to: a function of its cards alone.

The same cards are in the same part wherever and how often they were played (other pairings,
seats turned, another event), so that no deal is learnt from and tested on. Must not know files.
"""

import hashlib
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from arena.record.export.rows import mask
from arena.rules.cards import Card

_LABEL: Final = b"tressette split v1"
_TRAIN, _VALIDATION, _ALL = 80, 90, 100
"""Of a hundred deals: below the first train, below the second validation, else test."""


class Split(StrEnum):
    """The parts of a dataset."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


def split_of(hands: Iterable[Iterable[Card]]) -> Split:
    """Give the part of a deal.

    It follows from SHA-256("tressette split v1" ‖ each seat's hand as 8 bytes, big-endian),
    the first four bytes as a number, modulo 100.
    """
    digest = hashlib.sha256(_LABEL)
    for hand in hands:
        digest.update(mask(hand).to_bytes(8, "big"))
    place = int.from_bytes(digest.digest()[:4], "big") % _ALL
    if place < _TRAIN:
        return Split.TRAIN
    return Split.VALIDATION if place < _VALIDATION else Split.TEST
