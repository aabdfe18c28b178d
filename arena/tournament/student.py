"""The two-sided quantile of Student's t distribution, without a library.

Owns this one number. Must not know what it is used for.
"""

import math
from statistics import NormalDist
from typing import Final

_SERIES_UP_TO: Final = 200
"""Degrees of freedom up to which the exact finite series is inverted."""
_HALVINGS: Final = 60
"""Bisection steps: the bracket shrinks below the spacing of floats."""


def student_quantile(confidence: float, freedom: int) -> float:
    """Give t such that a t-distributed value lies within ±t with the given probability.

    Up to 200 degrees of freedom the exact distribution (a finite trigonometric series) is
    inverted by bisection. Above, Fisher's expansion around the normal quantile with four
    terms is used; its error there is below 1e-9.

    Args:
        confidence: Between 0 and 1, both excluded; 0.95 for a 95 % interval.
        freedom: Degrees of freedom, at least 1.

    Raises:
        AssertionError: An argument is out of range.
    """
    if not 0 < confidence < 1 or freedom < 1:
        raise AssertionError(f"no t quantile for {confidence}, {freedom} degrees of freedom")
    if freedom > _SERIES_UP_TO:
        return _expansion(NormalDist().inv_cdf((1 + confidence) / 2), freedom)
    # In terms of the angle atan(t / √freedom) the bracket is finite.
    low, high = 0.0, math.pi / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _central_probability(middle, freedom) < confidence:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(freedom)


def _central_probability(angle: float, freedom: int) -> float:
    """Give P(|T| < tan(angle)·√freedom): Abramowitz and Stegun 26.7.3 and 26.7.4."""
    sine, cosine = math.sin(angle), math.cos(angle)
    first = 1 if freedom % 2 == 0 else 2
    term = 1.0 if freedom % 2 == 0 else cosine
    total = term if freedom > 1 else 0.0
    for k in range(first, freedom - 2, 2):
        term *= cosine * cosine * k / (k + 1)
        total += term
    if freedom % 2 == 0:
        return sine * total
    return (angle + sine * total) * 2 / math.pi


def _expansion(z: float, freedom: int) -> float:
    """Expand the t quantile in powers of 1/freedom: Abramowitz and Stegun 26.7.5."""
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1))
