"""Scores a motion with NumPy and Pinocchio alone: nothing of Steiner, nothing of the other competitors.

Conditions: torques of all joints are measured with white noise of 1 N·m at SAMPLES moments of the motion. Base
columns: the first independent ones of Pinocchio's regressor, in the order of its parameters.
"""

from dataclasses import dataclass, field

import numpy as np
import pinocchio

SAMPLES = 10_000
# Limits are looked at so often, Hz.
FINE = 20_000
# Rounding of the motion's evaluation: what counts as a violation, relative to the limit.
ROUNDING = 1e-9


class Arm:
    """A robot as Pinocchio reads it."""

    def __init__(self, file):
        self.model = pinocchio.buildModelFromUrdf(str(file))
        self.data = self.model.createData()
        self.count = self.model.nv
        self.lower, self.upper = self.model.lowerPositionLimit, self.model.upperPositionLimit
        self.velocity, self.effort = self.model.velocityLimit, self.model.effortLimit
        self.base = self.base_columns()

    def base_columns(self) -> np.ndarray:
        """Columns that depend on none before them, at random states."""
        random = np.random.default_rng(0)
        states = random.uniform(-1, 1, (3, 60, self.count))
        rows = np.vstack([self.regressor(*state) for state in zip(*states)])
        rows = rows / np.maximum(np.linalg.norm(rows, axis=0), 1e-12)
        kept: list[int] = []
        basis = np.zeros((rows.shape[0], 0))
        for column in range(rows.shape[1]):
            rest = rows[:, column]
            for _ in range(2):
                rest = rest - basis @ (basis.T @ rest)
            if np.linalg.norm(rest) > 1e-8 and np.linalg.norm(rows[:, column]) > 0.5:
                kept.append(column)
                basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
        return np.array(kept)

    def regressor(self, q, v, a) -> np.ndarray:
        return pinocchio.computeJointTorqueRegressor(self.model, self.data, q, v, a)

    def information(self, q, v, a, columns=None) -> np.ndarray:
        """YᵀY / samples of the base columns."""
        columns = self.base if columns is None else columns
        size = len(columns)
        total = np.zeros((size, size))
        block = []
        for state in zip(q, v, a):
            block.append(self.regressor(*state)[:, columns])
            if len(block) == 200:
                stacked = np.vstack(block)
                total += stacked.T @ stacked
                block = []
        if block:
            stacked = np.vstack(block)
            total += stacked.T @ stacked
        return total / len(q)

    def torques(self, q, v, a) -> np.ndarray:
        return np.array([pinocchio.rnea(self.model, self.data, *state) for state in zip(q, v, a)])


@dataclass
class Score:
    log_det: float
    condition: float
    sd: float
    """Geometric mean of the base parameters' standard deviations."""
    deviations: np.ndarray = field(repr=False)


def score(arm: Arm, motion, samples=SAMPLES) -> Score:
    """`motion(t)` gives positions, velocities and accelerations, one row each moment."""
    times = motion.duration * np.arange(samples) / samples
    information = arm.information(*motion(times))
    values, vectors = np.linalg.eigh(information)
    values = np.maximum(values, values[-1] * 1e-18)
    deviations = np.sqrt((vectors**2 / values).sum(axis=1) / SAMPLES)
    return Score(
        log_det=float(np.log(values).sum()),
        condition=float(np.sqrt(values[-1] / values[0])),
        sd=float(np.exp(np.log(deviations).mean())),
        deviations=deviations,
    )


@dataclass
class Violations:
    """The largest excess over each kind of limit, relative to the limit's range; samples with any."""

    samples: int
    position: float
    velocity: float
    torque: float
    start: float
    """Greatest speed at the beginning, rad/s."""

    def __str__(self):
        return "none" if self.samples == 0 else f"{self.samples} (q {self.position:.1e}, v {self.velocity:.1e}, τ {self.torque:.1e})"


def violations(arm: Arm, motion, rate=FINE) -> Violations:
    """Every limit at `rate`, by Pinocchio's rnea."""
    bad = np.zeros(0, dtype=bool)
    worst = np.zeros(3)
    times = np.arange(round(motion.duration * rate) + 1) / rate
    for part in np.array_split(times, max(1, len(times) // 20_000)):
        q, v, a = motion(part)
        tau = arm.torques(q, v, a)
        excess = np.stack(
            [
                (np.maximum(q - arm.upper, arm.lower - q) / (arm.upper - arm.lower)).max(axis=1),
                (np.abs(v) / arm.velocity - 1).max(axis=1),
                (np.abs(tau) / arm.effort - 1).max(axis=1),
            ]
        )
        worst = np.maximum(worst, excess.max(axis=1))
        bad = np.concatenate([bad, (excess > ROUNDING).any(axis=0)])
    start = float(np.abs(motion(np.zeros(1))[1]).max())
    return Violations(int(bad.sum()), *map(float, worst), start)
