"""steiner.excite: a motion as arrays, its files, and what it promises."""

import json

import numpy as np
import pytest

import steiner


@pytest.fixture(scope="module")
def motion():
    robot = steiner.Robot("two_link")
    return steiner.excite(robot, duration=5, rate=100, noise=0.05, starts=1)


def test_a_motion_has_arrays_that_are_each_others_derivatives(motion):
    assert motion.t.shape == (501,) and motion.q.shape == motion.qd.shape == motion.qdd.shape == (501, 2)
    assert motion.t[0] == 0 and motion.t[-1] == pytest.approx(5)
    np.testing.assert_allclose(motion.qd[[0, -1]], 0, atol=1e-9)
    np.testing.assert_allclose(np.gradient(motion.q, motion.t, axis=0)[1:-1], motion.qd[1:-1], atol=5e-3)
    np.testing.assert_allclose(np.gradient(motion.qd, motion.t, axis=0)[1:-1], motion.qdd[1:-1], atol=5e-2)
    q, qd, qdd = motion.at([0.5, 1.0])
    np.testing.assert_allclose(q, motion.q[[50, 100]], atol=1e-12)


def test_log_det_and_deviations_are_those_of_the_regressor(motion):
    robot = motion.robot
    a = steiner.analyze(robot, drives=True)
    names = motion.base_names
    assert names == a.base_names
    # A period, so that its last sample is the first again.
    q, qd, qdd = (x[:-1] for x in (motion.q, motion.qd, motion.qdd))
    rigid = robot.regressor(q, qd, qdd)
    rows = np.zeros((len(q), robot.dof, len(a.labels)))
    rows[:, :, : rigid.shape[2]] = rigid
    # Dry friction is smooth below a fiftieth of the greatest speeds, 3 and 4 rad/s.
    slow = [3 / 50, 4 / 50]
    for k in range(robot.dof):
        first = rigid.shape[2] + 4 * k
        rows[:, k, first : first + 4] = np.stack(
            [qdd[:, k], qd[:, k], np.tanh(qd[:, k] / slow[k]), np.ones(len(q))], axis=1
        )
    base = rows[:, :, [list(a.labels).index(name) for name in names]].reshape(-1, len(names))
    m = base.T @ base / 0.05**2 / len(q)
    assert np.linalg.slogdet(m)[1] == pytest.approx(motion.log_det, abs=0.1)
    sd = np.sqrt(np.diag(np.linalg.inv(m)) / 500)
    np.testing.assert_allclose([motion.sd[name] for name in names], sd, rtol=0.05)


def test_limits_are_kept_and_said(motion):
    assert motion.feasible
    assert {m["bound"] for m in motion.margins} <= {"proven", "sampled"}
    assert any("Feasible: all" in sentence for sentence in motion.summary)
    document = motion.to_dict()
    assert document["criterion"] == "d" and document["log_det"] == pytest.approx(motion.log_det)


def test_files_and_pages_are_written(motion, tmp_path):
    motion.save(tmp_path / "motion.csv")
    log = steiner.simulate(motion.robot, trajectory=tmp_path / "motion.csv", force_noise=0.05)
    found = steiner.identify(motion.robot, log)
    assert found.validation["total"] < 0.1
    motion.save(tmp_path / "motion.json")
    message = json.loads((tmp_path / "motion.json").read_text())
    assert message["joint_names"] == ["link1", "link2"] and len(message["points"]) == 501
    assert "<canvas" in motion.to_html()
    motion.to_html(tmp_path / "page.html")
    with pytest.raises(ValueError, match=".bag"):
        motion.save(tmp_path / "motion.bag")
    with pytest.raises(OSError):
        motion.save(tmp_path / "nowhere" / "motion.yaml")


def test_after_a_log_deviations_are_smaller():
    robot = steiner.Robot("two_link")
    log = steiner.simulate(robot, still=["link2"], duration=5, rate=100, force_noise=0.05)
    motion = steiner.excite(robot, after=log, duration=5, rate=100, starts=1)
    for parameter in motion.to_dict()["base_parameters"]:
        assert parameter["sd_before"] is None or parameter["sd"] < parameter["sd_before"]


def test_wrong_wishes_are_refused_in_words():
    robot = steiner.Robot("two_link")
    for wish, words in [
        (dict(limits={"elbow": (-1, 1)}), "elbow"),
        (dict(limits={"link1": (1, 1)}), "larger than zero"),
        (dict(limits={"link1": "fast"}), "fast"),
        (dict(obstacles=["ball:1"]), "ball"),
        (dict(shape="square"), "square"),
        (dict(criterion="best"), "best"),
        (dict(floor=0.0), "no shapes"),
        (dict(seconds=-1), "positive"),
    ]:
        with pytest.raises(ValueError, match=words):
            steiner.excite(robot, **wish)
    with pytest.raises(TypeError, match="durations.*duration"):
        steiner.excite(robot, durations=3)


def test_a_second_motion_for_validation_is_another_one():
    import pickle

    robot = steiner.Robot("two_link")
    motion = steiner.excite(robot, duration=4, rate=50, noise=0.1, starts=2, validate=True)
    second = motion.validation
    assert second is not None and second.feasible and second.validation is None
    assert np.abs(second.q - motion.q).max() > 0.1
    same = pickle.loads(pickle.dumps(motion))
    np.testing.assert_array_equal(same.validation.q, second.q)
    assert steiner.excite(robot, duration=4, rate=50, noise=0.1, starts=1).validation is None


def test_a_dog_moves_its_trunk_on_four_feet_that_stay_where_they_are():
    import pickle

    dog = steiner.Robot("go2")
    feet = ["FL_foot", "FR_foot", "RL_foot", "RR_foot"]
    motion = steiner.excite(
        dog, feet=feet, ground_friction=0.5, duration=4, rate=20, harmonics=2, starts=1, self_collision=False
    )
    assert motion.feasible
    # All coordinates of the dog: its trunk moves, and feet neither slip nor lift.
    assert motion.q.shape == (81, 19) and motion.qd.shape == (81, 18)
    assert np.ptp(motion.q[:, :3], axis=0).max() > 0.01
    quantities = {margin["quantity"] for margin in motion.margins}
    assert {"normal force", "part of the friction cone"} <= quantities
    same = pickle.loads(pickle.dumps(motion))
    np.testing.assert_allclose(same.q, motion.q, atol=1e-9)
    with pytest.raises(ValueError, match="FL_fot.*FL_foot"):
        steiner.excite(dog, feet=["FL_fot", "FR_foot", "RL_foot"])
    with pytest.raises(ValueError, match="friction"):
        steiner.excite(dog, feet=feet, ground_friction=0)
