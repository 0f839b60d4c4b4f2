"""Motions as functions of time, each from the numbers its maker gives."""

import numpy as np


class Fourier:
    """q = centre + Σ sine_k sin(kωt) + cosine_k cos(kωt), ω = 2π periods / duration."""

    def __init__(self, duration, centre, sine, cosine, periods=1):
        self.duration = duration
        self.centre, self.sine, self.cosine = map(np.asarray, (centre, sine, cosine))
        self.omega = 2 * np.pi * periods / duration * np.arange(1, self.sine.shape[1] + 1)

    def __call__(self, t):
        angle = np.outer(t, self.omega)
        s, c, w = np.sin(angle), np.cos(angle), self.omega
        q = self.centre + s @ self.sine.T + c @ self.cosine.T
        v = (c * w) @ self.sine.T - (s * w) @ self.cosine.T
        a = -(s * w**2) @ self.sine.T - (c * w**2) @ self.cosine.T
        return q, v, a


class Sampled:
    """Samples at an even rate, taken as they are: for makers that give no formula."""

    def __init__(self, duration, q, v, a):
        self.duration = duration
        self.samples = q, v, a

    def __call__(self, t):
        count = len(self.samples[0]) - 1
        at = np.clip(np.rint(np.asarray(t) / self.duration * count).astype(int), 0, count)
        return tuple(values[at] for values in self.samples)


def rest_basis(harmonics: int) -> np.ndarray:
    """Columns: sine and cosine coefficients (2·harmonics) of motions whose velocity and acceleration vanish at 0."""
    k = np.arange(1, harmonics + 1)
    conditions = np.zeros((2, 2 * harmonics))
    conditions[0, :harmonics] = k
    conditions[1, harmonics:] = k**2
    _, _, vectors = np.linalg.svd(conditions)
    return vectors[2:].T
