"""The network: what a seat sees, as numbers, in; a value for each of the 40 cards out."""

import torch
from torch import nn

from arena.sdk import View

CARDS = 40
PLANES = 5
"""Own hand, cards on the table, cards played, legal cards, the best card on the table."""
HIDDEN = 64


class Net(nn.Module):
    """Two layers; small enough for a millisecond on one core."""

    def __init__(self) -> None:
        """Make the layers; their weights come from ``weights.pt``."""
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(PLANES * CARDS, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, CARDS)
        )

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Value the cards: (batch, 200) to (batch, 40)."""
        values: torch.Tensor = self.layers(seen)
        return values


def encode(view: View) -> list[float]:
    """Write what a seat sees as ``PLANES`` rows of a number for each card."""
    seen = [0.0] * (PLANES * CARDS)
    best = () if view.best_card is None else (view.best_card,)
    planes = (view.hand, view.trick, view.history, view.legal, best)
    for plane, cards in enumerate(planes):
        for card in cards:
            seen[plane * CARDS + card - 1] = 1.0
    return seen
