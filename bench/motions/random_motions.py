"""Random feasible Fourier motions: what a search without gradients finds.

    python random_motions.py ROBOT.urdf DURATION SEED OUT.npz [--stretched]

Coefficients are normal (speeds of all harmonics alike), centres uniform in the joint ranges. Each joint moves as far
as position and speed allow about its centre, at 50 samples a second; where a torque is too large the motion is drawn
again. `--stretched` is kinder: amplitudes first, as large as range and speed allow, and the centre is drawn within
what is left. Kept are the motions with the median and the largest log det.
"""

import sys

import numpy as np

from motion import Fourier
from scoring import Arm, score

COUNT = 1000
HARMONICS = 5
RATE = 50


def coefficients(count, random):
    k = np.arange(1, HARMONICS + 1)
    sine, cosine = (random.standard_normal((count, HARMONICS)) / k for _ in range(2))
    # The first harmonic brings velocity and acceleration at the beginning to zero.
    sine[:, 0] = -(sine[:, 1:] * k[1:]).sum(axis=1)
    cosine[:, 0] = -(cosine[:, 1:] * k[1:] ** 2).sum(axis=1)
    return sine, cosine


def holds(arm, motion, times):
    return (np.abs(arm.torques(*motion(times))) <= arm.effort).all()


def stretched(arm, duration, random):
    """Each joint as large as it may be; drawn again where torques are too large."""
    times = duration * np.arange(round(RATE * duration)) / round(RATE * duration)
    while True:
        sine, cosine = coefficients(arm.count, random)
        q, v, _ = Fourier(duration, np.zeros(arm.count), sine, cosine)(times)
        scale = np.minimum(arm.velocity / np.abs(v).max(axis=0), (arm.upper - arm.lower) / np.ptp(q, axis=0))
        low, high = q.min(axis=0) * scale, q.max(axis=0) * scale
        centre = random.uniform(arm.lower - low, np.maximum(arm.upper - high, arm.lower - low))
        motion = Fourier(duration, centre, sine * scale[:, None], cosine * scale[:, None])
        if holds(arm, motion, times):
            return motion


def centred(arm, duration, random):
    """Each joint as large as it may be about its centre; drawn again where torques are too large."""
    times = duration * np.arange(round(RATE * duration)) / round(RATE * duration)
    while True:
        sine, cosine = coefficients(arm.count, random)
        centre = random.uniform(arm.lower, arm.upper)
        q, v, _ = Fourier(duration, np.zeros(arm.count), sine, cosine)(times)
        room = np.minimum((arm.upper - centre) / q.max(axis=0), (arm.lower - centre) / q.min(axis=0))
        scale = np.minimum(arm.velocity / np.abs(v).max(axis=0), room)
        motion = Fourier(duration, centre, sine * scale[:, None], cosine * scale[:, None])
        if holds(arm, motion, times):
            return motion


def main():
    file, duration, seed, out, *kind = sys.argv[1:]
    draw = stretched if kind else centred
    arm, random = Arm(file), np.random.default_rng(int(seed))
    motions = [draw(arm, float(duration), random) for _ in range(COUNT)]
    values = np.array([score(arm, motion, samples=100).log_det for motion in motions])
    order = np.argsort(values)
    chosen = {"median": motions[order[len(order) // 2]], "best": motions[order[-1]]}
    names = ("centre", "sine", "cosine")
    np.savez(out, **{f"{which}_{name}": getattr(chosen[which], name) for which in chosen for name in names})


if __name__ == "__main__":
    main()
