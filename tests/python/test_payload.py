"""What an arm carries, with Pinocchio as the physics."""

import numpy as np
import pinocchio as pin
import pytest

import steiner
from test_identification import UR5, fourier


@pytest.fixture
def loaded():
    """Samples of a UR5 whose wrist carries 2.5 kg."""
    model = pin.buildModelFromUrdf(str(UR5))
    model.inertias[model.njoints - 1] += pin.Inertia(2.5, np.array([0.02, -0.01, 0.1]), 0.01 * np.eye(3))
    data = model.createData()
    rng = np.random.default_rng(5)
    _, q, qd, qdd = fourier(rng, 6, 800)
    tau = np.array([pin.rnea(model, data, *state) for state in zip(q, qd, qdd)])
    return q, qd, qdd, tau + rng.normal(0, 0.05, tau.shape)


def test_a_payload_is_found_sample_by_sample(loaded):
    robot = steiner.Robot(UR5, snap=0)
    one, many = (steiner.PayloadEstimator(robot, robot.bodies[-1], drives=False) for _ in range(2))
    assert "nothing can be said after 0 samples" in str(one.estimate())
    for sample in zip(*loaded):
        one.update(*sample)
    many.update(*loaded)
    found = one.estimate()
    assert one.samples == many.samples == found.samples == 800
    np.testing.assert_array_equal(found.parameters, many.estimate().parameters)
    assert abs(found.mass - 2.5) < 4 * found.mass_sigma < 0.1
    assert np.all(np.abs(found.com - [0.02, -0.01, 0.1]) < 4 * found.com_sigma)
    assert np.all(np.abs(found.inertia - 0.01 * np.eye(3)) < 4 * found.inertia_sigma)
    assert found.covariance.shape == (10, 10) and not found.counts_arm
    assert str(found).startswith(f"payload on {robot.bodies[-1]}: 2.") and "perfectly known" in found.remarks[-1]
    one.reset()
    assert one.samples == 0


def test_errors_of_an_identified_arm_count(loaded):
    robot = steiner.Robot(UR5, snap=0)
    log = steiner.simulate(robot, duration=10, rate=100, force_noise=0.5, drives=False)
    identified = steiner.identify(robot, log, drives=False)
    link, noise = robot.bodies[-1], np.full(6, 0.05)
    counted = steiner.PayloadEstimator(identified, link, noise=noise)
    ignored = steiner.PayloadEstimator(identified.robot, link, noise=noise, drives=False)
    for estimator in counted, ignored:
        estimator.update(*loaded)
    counted, ignored = counted.estimate(), ignored.estimate()
    assert counted.counts_arm and not any("perfectly" in remark for remark in counted.remarks)
    assert abs(counted.mass - 2.5) < 4 * counted.mass_sigma
    assert counted.mass_sigma > ignored.mass_sigma


def test_bad_questions_are_refused(loaded):
    robot = steiner.Robot(UR5, snap=0)
    link = robot.bodies[-1]
    for error, arguments, message in [
        (ValueError, dict(link="nothing"), "there is no link `nothing`"),
        (ValueError, dict(forgetting=2), "the forgetting is 2"),
        (ValueError, dict(noise=[1, 2]), "for each of 6 joints"),
        (ValueError, dict(mass=(2, 1)), "at least 2 kg"),
        (ValueError, dict(tanh=-1), "tanh is -1"),
        (TypeError, dict(robot=5), "give a Robot"),
    ]:
        with pytest.raises(error, match=message):
            steiner.PayloadEstimator(**{"robot": robot, "link": link, **arguments})
    estimator = steiner.PayloadEstimator(robot, link)
    q, qd, qdd, tau = loaded
    with pytest.raises(ValueError, match="tau has shape"):
        estimator.update(q, qd, qdd, tau[:, :5])
    with pytest.raises(ValueError, match="not finite"):
        estimator.update(q[0], qd[0], qdd[0], np.full(6, np.nan))
    assert estimator.samples == 0


def test_logs_with_a_known_load_tell_gains():
    robot = steiner.Robot(UR5, snap=0)
    gains, com = np.array([2.0, 1.5, 1.0, 0.5, 0.4, 0.3]), np.array([0.02, -0.01, 0.1])
    rng = np.random.default_rng(8)
    logs = []
    for mass in 0.0, 3.0:
        model = pin.buildModelFromUrdf(str(UR5))
        if mass:
            model.inertias[model.njoints - 1] += pin.Inertia(mass, com, np.zeros((3, 3)))
        data = model.createData()
        t, q, qd, qdd = fourier(rng, 6, 1000)
        tau = np.array([pin.rnea(model, data, *state) for state in zip(q, qd, qdd)])
        logs.append(dict(t=t, q=q, qd=qd, qdd=qdd, tau=tau / gains + rng.normal(0, 1e-3, tau.shape)))
    settings = dict(drives=False, unknown_gain=robot.independent)
    with pytest.raises(ValueError, match="fix a mass or a gain"):
        steiner.identify(robot, logs, **settings)
    r = steiner.identify(robot, logs, payload_of={1: (3.0, *com)}, **settings)
    found = dict(zip(r.labels, r.model))
    for joint, gain in zip(robot.independent, gains):
        assert abs(found[f"{joint}.gain"] - gain) < 0.03 * gain, joint
    assert any("known load of 3 kg" in note for note in r.notes)
    unknown = steiner.identify(robot, logs, payload_of={1: None}, drives=False, unknown_gain=[])
    assert list(unknown.payloads) == ["log 2"] and unknown.payloads["log 2"].counts_arm
    for error, load, message in [
        (ValueError, {"other.csv": 1}, "name one of the logs"),
        (ValueError, {2: 1}, "of log 3"),
        (TypeError, {1: "heavy"}, "payload_of: give a dict"),
        (TypeError, 5, "payload_of: give a dict"),
    ]:
        with pytest.raises(error, match=message):
            steiner.identify(robot, logs, payload_of=load, **settings)
