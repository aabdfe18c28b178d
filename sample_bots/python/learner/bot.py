"""Learner: plays the card from which a small network expects most; ``train.py`` made it.

The network reads ``encode(view)``, the same numbers that it learnt from. It learnt by playing
itself on arrays (`arena.rl`), which this file does not need.
"""

from pathlib import Path

import numpy as np

from arena.sdk import Bot, Card, View, encode


class Learner(Bot):
    """Plays every seat of every ruleset, best the four-handed game; declares all it can."""

    def __init__(self) -> None:
        # Loaded before the referee is told that this bot is ready: no clock runs yet.
        with np.load(Path(__file__).with_name("weights.npz")) as file:
            self.weights = [file[name].astype(np.float32) for name in file.files]

    def play(self, view: View) -> Card:
        """Return the legal card with the highest guess."""
        first, bias, second, last_bias = self.weights
        inputs = np.frombuffer(encode(view), dtype=np.uint8).astype(np.float32)
        guesses = np.maximum(inputs @ first + bias, 0) @ second + last_bias
        return max(view.legal, key=lambda card: float(guesses[card - 1]))


if __name__ == "__main__":
    Learner().run()
