"""Shapes, buffers and errors of the Python interface."""

import signal
import threading
import time

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


EVERYWHERE = ["mass_matrix", "gravity_force", "tree_configuration", "velocity_map", "q_to_pinocchio"]


@pytest.mark.parametrize("name", EVERYWHERE)
@pytest.mark.parametrize("source", ["panda", "delta"])
def test_configurations_come_one_by_one_or_in_batches(source, name, rng):
    robot = steiner.Robot(source)
    start = robot.tree_configuration(robot.reference) if name == "q_to_pinocchio" else robot.reference
    q = start + 0.05 * rng.normal(size=(6, len(start)))
    function = getattr(robot, name)
    batch = function(q)
    for k in range(6):
        np.testing.assert_allclose(batch[k], function(q[k]), rtol=1e-9, atol=1e-9)
    out = np.full(batch.shape, np.nan)
    assert function(q, out=out) is out
    np.testing.assert_array_equal(out, batch)
    assert function(q[:0]).shape == (0, *batch.shape[1:])
    with pytest.raises(ValueError, match="give"):
        function(q[:, :-1])


@pytest.mark.parametrize("source", ["panda", "five_bar", "go2"])
def test_forward_dynamics_undoes_inverse_dynamics(source, rng):
    robot = steiner.Robot(source, floating=True) if source == "go2" else steiner.Robot(source)
    q = robot.reference + (0.1 * rng.normal(size=(5, robot.nq)) if source != "go2" else 0 * rng.normal(size=(5, robot.nq)))
    v, a = rng.normal(size=(2, 5, robot.dof))
    for drives in (False, True):
        tau = robot.inverse_dynamics(q, v, a, drives=drives)
        np.testing.assert_allclose(robot.forward_dynamics(q, v, tau, drives=drives), a, atol=1e-8)


def test_every_kind_of_real_numbers_is_taken_and_no_other(rng):
    robot = steiner.Robot("ur5")
    q, v, a = rng.normal(size=(3, 4, 6))
    wanted = robot.inverse_dynamics(q, v, a)
    wide = np.zeros((4, 12))
    wide[:, ::2] = q
    for other in (np.asfortranarray(q), wide[:, ::2], q.tolist(), q[::-1][::-1], q.astype(object)):
        np.testing.assert_array_equal(robot.inverse_dynamics(other, v, a), wanted)
    for kind in (np.float32, np.float16, np.longdouble):
        rough = q.astype(kind)
        np.testing.assert_array_equal(
            robot.inverse_dynamics(rough, v, a), robot.inverse_dynamics(rough.astype(float), v, a)
        )
    assert robot.gravity_force(np.zeros(6, dtype=np.int8)).shape == (6,)
    for strange in (q.astype(complex), q.astype(str), q.astype("datetime64[s]")):
        with pytest.raises(TypeError, match="numbers of type .*; give real numbers"):
            robot.inverse_dynamics(strange, v, a)


def test_the_parameters_of_a_robot_cannot_be_written_by_mistake():
    with pytest.raises(ValueError, match="read-only"):
        steiner.Robot("panda").parameters[0] = 5


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_a_long_batch_within_a_second(rng):
    robot = steiner.Robot("delta")
    q = robot.reference + 0.05 * rng.normal(size=(1_000_000, robot.nq))
    threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
    started = time.process_time()  # other programs may keep the machine busy
    with pytest.raises(KeyboardInterrupt):
        robot.mass_matrix(q, threads=1)
        time.sleep(5)
    assert time.process_time() - started < 1.3
