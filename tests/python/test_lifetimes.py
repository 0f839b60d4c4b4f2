"""Many robots at once: objects wherever the allocator puts them, used in any order and dropped in between."""

import gc

import numpy as np

import steiner

# Sizes that move where the next object lands, multiples of sixteen and not.
SIZES = [1, 24, 40, 56, 72, 104, 136, 264, 520, 1032, 4104]


def check(robot, rng):
    q = np.asarray(robot.reference, dtype=float)
    qd, qdd = rng.normal(size=(2, robot.dof))
    tau = robot.inverse_dynamics(q, qd, qdd)
    scale = max(np.abs(tau).max(), 1.0)
    assert tau.shape == (robot.dof,) and np.isfinite(tau).all()
    assert np.allclose(robot.regressor(q, qd, qdd) @ robot.parameters, tau, rtol=0, atol=1e-9 * scale)
    # A batch long enough for lanes, which want their memory aligned.
    many = [np.tile(x, (17, 1)) for x in (q, qd, qdd)]
    batch = robot.regressor(*many)
    assert np.allclose(batch @ robot.parameters, tau, rtol=0, atol=1e-9 * scale)
    assert np.allclose(robot.inverse_dynamics(*many), tau, rtol=0, atol=1e-9 * scale)


def test_a_hundred_robots_alive_at_mixed_addresses_all_answer(rng):
    names = [name for name, _ in steiner.zoo()]
    robots, ballast = [], []
    for index in range(100):
        ballast.append(bytearray(SIZES[index % len(SIZES)]))
        ballast.append([object() for _ in range(index % 7)])
        robots.append(steiner.Robot(names[index % len(names)]))
    for robot in robots:
        check(robot, rng)
    # Holes of all sizes, then robots that fill them.
    del ballast[::2], robots[::3]
    gc.collect()
    robots += [steiner.Robot(names[-1 - index % len(names)]) for index in range(30)]
    for index in rng.permutation(len(robots)):
        check(robots[index], rng)


def test_a_robot_dropped_at_once_leaves_its_results_intact(rng):
    expected = None
    for size in SIZES * 3:
        ballast = bytearray(size)
        y = steiner.Robot("puma560").regressor(np.full(6, 0.3), np.ones(6), np.ones(6))
        gc.collect()
        expected = y if expected is None else expected
        assert np.array_equal(y, expected) and len(ballast) == size
