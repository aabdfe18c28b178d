"""Learn to play from nothing, within a minute on one core: ``python train.py [SEED ROUNDS]``.

A small network guesses what each card will bring, in points at the end of the deal. All seats
play the card it likes best, now and then any; what the deals brought corrects the guesses.
"""

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena.rl import Step, VectorDeals

DEALS, HIDDEN, RATE = 1024, 64, 0.001
Weights = list[NDArray[np.float32]]


def best(weights: Weights, step: Step) -> NDArray[np.int64]:
    """Return for each deal the legal card with the highest guess."""
    hidden = np.maximum(step.observation.astype(np.float32) @ weights[0] + weights[1], 0)
    guesses = hidden @ weights[2] + weights[3]
    return np.asarray(np.where(step.legal, guesses, -np.inf).argmax(axis=1))


def learn(weights: Weights, seed: int, rounds: int) -> None:
    """Play and correct, round after round (the method of the correction is Adam)."""
    chance, deals, rows = np.random.default_rng(seed), VectorDeals(DEALS), np.arange(DEALS)
    weights[0][:], weights[2][:] = (chance.normal(0, 0.03, w.shape) for w in weights[::2])
    means, squares = ([np.zeros_like(part) for part in weights] for _ in range(2))
    for _ in range(rounds):
        step, seen = deals.reset(int(chance.integers(2**63))), []
        while not step.done[0]:
            cards = np.where(chance.random(DEALS) < 0.1, deals.random_cards(), best(weights, step))
            seen.append((step.observation.astype(np.float32), cards, deals.turn % 2))
            step = deals.step(cards)
        for inputs, cards, side in (seen[turn] for turn in chance.permutation(len(seen))):
            hidden = np.maximum(inputs @ weights[0] + weights[1], 0)
            guesses, error = hidden @ weights[2] + weights[3], np.zeros((DEALS, 40), np.float32)
            error[rows, cards] = (guesses[rows, cards] - step.reward[rows, side]) / DEALS
            back = (error @ weights[2].T) * (hidden > 0)
            for at, slope in enumerate(
                (inputs.T @ back, back.sum(0), hidden.T @ error, error.sum(0))
            ):
                means[at] += 0.1 * (slope - means[at])
                squares[at] += 0.001 * (slope**2 - squares[at])
                weights[at] -= RATE * means[at] / (np.sqrt(squares[at]) + 1e-6)


def margin(weights: Weights, deals: VectorDeals) -> float:
    """Return the points a board over random cards, as side 0."""
    step = deals.look()
    while not step.done[0]:
        step = deals.step(np.where(deals.turn % 2, deals.random_cards(), best(weights, step)))
    return float(step.reward[:, 0].mean())


if __name__ == "__main__":
    learnt = [np.zeros(shape, np.float32) for shape in ((427, HIDDEN), HIDDEN, (HIDDEN, 40), 40)]
    learn(learnt, *map(int, sys.argv[1:] or (1, 100)))
    print(f"{margin(learnt, VectorDeals(8000, seed=2, redeal=False)):+.2f} points a board")
    np.savez(Path(__file__).with_name("weights.npz"), *(w.astype(np.float16) for w in learnt))
