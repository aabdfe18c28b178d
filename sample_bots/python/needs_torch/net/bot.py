"""A bot with a neural network in PyTorch: weights beside it, a warm-up, batches."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from net import CARDS, PLANES, Net, encode

from arena.sdk import Bot, Card, MatchInfo, View


class NetBot(Bot):
    """Plays the legal card that the network values most."""

    capacity = 8  # as in bot.toml: so many tables are asked and answered at once

    def __init__(self) -> None:
        """Load the weights; the start allowance runs, no decision's clock does."""
        torch.set_num_threads(1)  # a bot has one core
        self.net = Net().eval()
        file = Path(__file__).with_name("weights.pt")
        self.net.load_state_dict(torch.load(file, weights_only=True))
        self.is_warm = False

    def match_started(self, match: MatchInfo) -> None:  # noqa: ARG002 - all matches are alike
        """Warm up before Ready: the first call of a network takes far longer than the rest."""
        if not self.is_warm:
            self.value(torch.zeros(self.capacity, PLANES * CARDS))
            self.is_warm = True

    def play_many(self, views: Sequence[View]) -> Sequence[Card]:
        """Answer all tables that wait with one pass of the network."""
        values = self.value(torch.tensor([encode(view) for view in views])).tolist()
        return [
            max(view.legal, key=lambda card, row=row: row[card - 1])
            for view, row in zip(views, values, strict=True)
        ]

    @torch.inference_mode()
    def value(self, seen: torch.Tensor) -> torch.Tensor:
        """Value the cards of a batch."""
        return self.net(seen)


if __name__ == "__main__":
    NetBot().run()
    # PyTorch takes longer to tidy itself away than a bot has after Goodbye: end at once.
    sys.stderr.flush()
    os._exit(0)
