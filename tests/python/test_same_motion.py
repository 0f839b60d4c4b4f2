"""One motion, looked at in several ways, has the same parameters."""

import numpy as np
import pytest

import steiner



def signals(robot, seed, duration=40.0, rate=1000.0):
    """A motion with exact rates, and torques with friction and noise that lasts some 20 samples."""
    generator = np.random.default_rng(seed)
    t = np.arange(int(duration * rate)) / rate
    q, qd, qdd = (np.zeros((len(t), robot.dof)) for _ in range(3))
    for k in range(1, 6):
        w = 2 * np.pi * k / 10.0
        a, b = 0.4 * generator.normal(size=(2, robot.dof)) / np.sqrt(k)
        s, c = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
        q, qd, qdd = q + a * s + b * c, qd + w * (a * c - b * s), qdd - w * w * (a * s + b * c)
    tau = robot.inverse_dynamics(q, qd, qdd)
    size = np.sqrt((tau**2).mean(axis=0)) + 0.05
    tau += 0.2 * size * qd + 0.1 * size * np.sign(qd)
    noise = generator.normal(size=tau.shape)
    for k in range(1, len(noise)):
        noise[k] = 0.95 * noise[k - 1] + np.sqrt(1 - 0.95**2) * noise[k]
    step = 2 * np.pi / 2**17
    return t, np.round(q / step) * step, qd + 1e-3 * generator.normal(size=qd.shape), tau + 0.03 * size * noise


def scores(a, b):
    """Differences of the base parameters in units of their common uncertainty."""
    assert a.base_names == b.base_names
    difference = np.array([p["least_squares"] - q["least_squares"] for p, q in zip(*parameters(a, b))])
    sigma = np.array([np.hypot(p["sigma"], q["sigma"]) for p, q in zip(*parameters(a, b))])
    seen = np.isfinite(sigma)
    return difference[seen] / sigma[seen]


def parameters(*found):
    return [r.to_dict()["parameters"] for r in found]


def agree(a, b):
    z = scores(a, b)
    assert np.mean(np.abs(z) <= 2) >= 0.9 and np.abs(z).max() < 4.5, z
    assert np.sqrt(np.mean(z**2)) < 1.4, z


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_halves_rates_and_clocks_agree(name):
    robot = steiner.Robot(name)
    t, q, qd, tau = signals(robot, 4)
    whole = dict(friction="simple", hold_out=0)
    plain = steiner.identify(robot, dict(t=t, q=q, tau=tau), **whole)
    half = len(t) // 2
    halves = [
        steiner.identify(robot, dict(t=t[part], q=q[part], tau=tau[part]), **whole)
        for part in (slice(0, half), slice(half, None))
    ]
    agree(*halves)
    agree(plain, steiner.identify(robot, dict(t=t, q=q, qd=qd, tau=tau), **whole))
    slow = slice(0, None, 8)
    agree(plain, steiner.identify(robot, dict(t=t[slow], q=q[slow], tau=tau[slow]), **whole))


def test_late_forces_are_aligned():
    robot = steiner.Robot("ur5")
    t, q, _, tau = signals(robot, 7)
    late = dict(t=t, q=q, tau=np.roll(tau, 4, axis=0))
    found = steiner.identify(robot, {name: x[10:] for name, x in late.items()}, friction="simple", align=True)
    lags = found.to_dict()["aligned"]
    # Where noise hides a lag, nothing is shifted.
    assert len(lags) >= 2 and all(abs(lag - 0.004) < 2e-3 for lag in lags.values()), lags


def test_instruments_and_least_squares_agree_on_clean_motion():
    robot = steiner.Robot("ur5")
    t, q, _, tau = signals(robot, 8)
    log = dict(t=t, q=q, tau=tau)
    plain, iv = (steiner.identify(robot, log, friction="simple", estimator=name) for name in ("weighted", "iv"))
    assert iv.settings["estimator"]["name"] == "iv"
    agree(plain, iv)
