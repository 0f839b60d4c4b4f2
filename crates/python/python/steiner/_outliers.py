"""Which robots of a fleet are not like the others, with a known chance of a false alarm.

Values differ by the noise of their estimates, which is known up to what "white" leaves out, and because no two robots
are alike, by how much nobody knows. So the scatter among the robots is the measure, and it is itself an estimate from
few robots: with the limits of a normal distribution, a fleet of ten raises many times as many false alarms as it says.
As in Rosner's test for several outliers [rosner1983], the robot farthest off is compared with all others, with the
limit of Student's distribution, then left out, and so on: one that is far off does not hide another.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log
from typing import Any, Tuple

import numpy as np

# A fleet of which a larger part has changed has no "usual" any more.
_MOST_CHANGED = 0.2
# Nearer than so many standard deviations nothing is an outlier; of few robots they are too rough to say so.
_SURELY_USUAL, _FEW = 2.5, 20


def unusual(values: Any, sigma: Any, chance: float) -> Tuple[np.ndarray, np.ndarray]:
    """For values (units, parameters) with standard deviations: which are not like the others (bool), and how many
    standard deviations they are from them. With a chance of at most `chance` for any, if all robots are alike."""
    values, sigma = np.asarray(values, dtype=float), np.asarray(sigma, dtype=float)
    changed, z = np.zeros(values.shape, dtype=bool), np.zeros(values.shape)
    for n in range(values.shape[1]):
        seen = np.isfinite(sigma[:, n]) & np.isfinite(values[:, n])
        if np.count_nonzero(seen) < 3:
            continue
        found, own = _of_one(values[seen, n], sigma[seen, n], chance / values.shape[1])
        changed[seen, n], z[seen, n] = found, own
    return changed, z


def _of_one(values: np.ndarray, sigma: np.ndarray, chance: float) -> Tuple[np.ndarray, np.ndarray]:
    distance = np.abs(values - np.median(values))
    rough = np.sqrt(sigma**2 + max(float((1.4826 * np.median(distance)) ** 2 - np.median(sigma) ** 2), 0.0))
    size = distance / np.where(rough > 0, rough, np.finfo(float).tiny)
    farthest = np.argsort(-size)
    count, outliers = len(values), 0
    for i in range(1, max(1, int(_MOST_CHANGED * count)) + 1):
        others = farthest[i:]
        if len(others) < 2 or (count > _FEW and size[farthest[i - 1]] < _SURELY_USUAL):
            break
        t = _distances(values, sigma, others)[farthest[i - 1]]
        # The others' mean is known, their scatter takes a degree of freedom.
        if abs(t) > _limit(chance / (2 * (len(others) + 1)), len(others) - 1):
            outliers = i
    named = np.isin(np.arange(count), farthest[:outliers])
    return named, _distances(values, sigma, farthest[outliers:])


def _distances(values: np.ndarray, sigma: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How far values are from the mean of others, in standard deviations of what one more of them would be."""
    x, own = values[others], sigma[others] ** 2

    def scatter(between: float) -> Tuple[float, float, float]:
        weights = 1 / np.maximum(own + between, np.finfo(float).tiny)
        centre = float(np.sum(weights * x) / np.sum(weights))
        return centre, float(np.sum(weights * (x - centre) ** 2)) / (len(x) - 1), float(1 / np.sum(weights))

    # The variance among the robots that explains the scatter of their values [paule1982]; none is needed where
    # the estimates explain it.
    low, high = 0.0, float(np.var(x)) * len(x)
    if scatter(0.0)[1] > 1.0:
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if scatter(middle)[1] > 1.0 else (low, middle)
    centre, _, unsure = scatter(low)
    variance = sigma**2 + low + unsure
    return np.asarray((values - centre) / np.sqrt(np.maximum(variance, np.finfo(float).tiny)))


@lru_cache(maxsize=4096)
def _limit(tail: float, degrees: int) -> float:
    return student_limit(tail, degrees)


def student_limit(tail: float, degrees: float) -> float:
    """t with a probability `tail` beyond it, of Student's distribution."""
    low, high = 0.0, 1.0
    while _student_tail(high, degrees) > tail:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if _student_tail(middle, degrees) > tail else (low, middle)
    return (low + high) / 2


def _student_tail(t: float, degrees: float) -> float:
    return 0.5 * _incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction."""
    if x <= 0.0 or x >= 1.0:
        return float(x >= 1.0)
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _incomplete_beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 / (1.0 + term * d)
            c = 1.0 + term / c
            result *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * result
