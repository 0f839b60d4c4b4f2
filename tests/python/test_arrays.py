"""Shapes, buffers and errors of the Python interface."""

import numpy as np
import pytest

import steiner


@pytest.fixture
def arm():
    return steiner.Robot("puma560")


def states(robot, rng, count):
    return rng.uniform(-1, 1, (count, robot.nq)), rng.normal(size=(count, robot.dof)), rng.normal(size=(count, robot.dof))


def test_the_zoo_is_listed_and_every_robot_of_it_loads():
    assert len(steiner.zoo()) >= 17
    for name, about in steiner.zoo():
        robot = steiner.Robot(name)
        assert robot.dof >= 1 and about
        assert len(robot.labels) == 10 * len(robot.bodies) == len(robot.parameters)


def test_a_batch_equals_its_samples(arm, rng):
    q, qd, qdd = states(arm, rng, 13)
    batch = arm.regressor(q, qd, qdd)
    assert batch.shape == (13, 6, 60)
    for k in range(13):
        single = arm.regressor(q[k], qd[k], qdd[k])
        assert single.shape == (6, 60)
        assert np.allclose(single, batch[k], rtol=0, atol=1e-12)
    tau = arm.inverse_dynamics(q, qd, qdd)
    assert np.allclose(batch @ arm.parameters, tau, atol=1e-10)


def test_out_reuses_a_buffer_whatever_was_in_it(arm, rng):
    q, qd, qdd = states(arm, rng, 50)
    out = np.full((50, 6, 60), np.nan)
    returned = arm.regressor(q, qd, qdd, out=out)
    assert returned is out
    assert np.array_equal(out, arm.regressor(q, qd, qdd, threads=1))


def test_loops_take_independent_coordinates():
    robot = steiner.Robot("delta")
    assert (robot.dof, robot.tree_dof, robot.loops) == (3, 18, 5)
    q = robot.reference
    assert robot.tree_configuration(q).shape[0] > robot.dof
    y = robot.regressor(q, np.ones(3), np.zeros(3))
    assert np.allclose(y @ robot.parameters, robot.inverse_dynamics(q, np.ones(3), np.zeros(3)))


def test_a_floating_base_adds_six_rows():
    robot = steiner.Robot("go2")
    assert (robot.dof, robot.nq) == (18, 19)


def test_a_missing_file_is_what_python_calls_it():
    with pytest.raises(FileNotFoundError, match="no such file"):
        steiner.Robot("nowhere.urdf")


def test_lists_and_integers_are_arrays_too(arm):
    expected = arm.regressor(np.zeros(6), np.ones(6), np.zeros(6))
    assert np.array_equal(arm.regressor([0] * 6, np.ones(6, dtype=int), [0.0] * 6), expected)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda r: r.regressor(np.zeros(5), np.zeros(6), np.zeros(6)), r"q has shape \[5\]; give \(6,\) or \(S, 6\)"),
        (lambda r: r.regressor(np.zeros((2, 6)), np.zeros((3, 6)), np.zeros((2, 6))), "2, 3 and 2 samples"),
        (lambda r: r.regressor(np.full(6, np.nan), np.zeros(6), np.zeros(6)), "finite"),
        (lambda r: r.regressor(np.zeros(6), np.zeros(6), np.zeros(6), out=np.zeros((6, 59))), "out has shape"),
        (lambda r: r.regressor(np.zeros(6), np.zeros(6), np.zeros(6), out=np.zeros((6, 60), "f4")), "not an array of float64"),
        (lambda r: r.regressor(np.zeros(6), np.zeros(6), np.zeros(6), out=np.zeros((60, 6)).T), "not C-contiguous"),
        (lambda r: r.regressor(np.zeros(6), np.zeros((1, 6)), np.zeros(6)), "mix one sample with batches"),
        (lambda r: r.inverse_dynamics(np.zeros(6), np.zeros(6), np.zeros(6), threads=0), "at least 1"),
        (lambda r: r.inverse_dynamics(np.zeros(6), np.zeros(6), np.zeros(6), threads=-1), "at least 1"),
        (lambda r: steiner.Robot("puma56"), "did you mean `puma560`"),
        (lambda r: steiner.Robot("puma560", snap=7), "snap is 7"),
        (lambda r: steiner.Robot("puma560", gravity=(0, 0, np.inf)), "gravity"),
    ],
)
def test_wrong_arrays_and_names_get_one_clear_sentence(arm, call, message):
    with pytest.raises(ValueError, match=message):
        call(arm)
