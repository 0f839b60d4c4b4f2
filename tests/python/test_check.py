"""`steiner.check` against ranks of Pinocchio's regressor, which know nothing of its reasons."""

import pickle
from pathlib import Path

import cmeel
import numpy as np
import pinocchio
import pytest
import steiner

ROBOTS = Path(cmeel.__path__[0]).parent / "cmeel.prefix/share/example-robot-data/robots"
# Arms whose printed angles leave no axis askew by so little (5e-12 rad for a Kinova) that doubles cannot decide.
ARMS = ["ur_description/urdf/ur5_robot.urdf", "z1_description/urdf/z1.urdf", "panda_description/urdf/panda.urdf"]
STATES = 120


def stacked(model, rows=slice(None), moving=slice(None)):
    """Regressors at random states; the base of a free flyer rests."""
    random = np.random.default_rng(3)
    data, neutral = model.createData(), pinocchio.neutral(model)
    out = []
    for _ in range(STATES):
        dq, v, a = (np.zeros(model.nv) for _ in range(3))
        for vector in (dq, v, a):
            vector[moving] = random.uniform(-2, 2, model.nv)[moving]
        q = pinocchio.integrate(model, neutral, dq)
        out.append(pinocchio.computeJointTorqueRegressor(model, data, q, v, a)[rows])
    return np.vstack(out)


def alone_and_seen(stack):
    """Which columns no null vector changes, and which are not zero, by singular values."""
    lengths = np.linalg.norm(stack, axis=0)
    seen = lengths > 1e-9 * lengths.max()
    scaled = stack / np.where(seen, lengths, 1)
    scaled[:, ~seen] = 0
    _, values, vectors = np.linalg.svd(scaled, full_matrices=True)
    rank = int((values > 1e-8 * values[0]).sum())
    null = vectors[rank:]
    return np.linalg.norm(null, axis=0) < 1e-6, seen


@pytest.mark.parametrize("file", ARMS)
def test_verdicts_are_those_of_numeric_null_vectors(file):
    robot = steiner.Robot(str(ROBOTS / file), mimic=False, snap=0)
    model = pinocchio.buildModelFromUrdf(str(ROBOTS / file))
    alone, seen = alone_and_seen(stacked(model))
    check = steiner.check(robot, want="*", drives=False)
    # Patterns do not mean a root link, which only a force plate weighs.
    expected = np.where(alone, "found", np.where(seen, "combined", "no-effect"))
    got = [answer["verdict"] for answer in check.wanted]
    assert [answer["parameter"] for answer in check.wanted] == list(robot.labels)
    assert got == list(expected)
    assert check.ok == all(alone)


@pytest.mark.parametrize("file", ARMS[:2])
def test_a_force_plate_is_advised_where_its_rows_help(file):
    robot = steiner.Robot(str(ROBOTS / file), mimic=False, snap=0)
    model = pinocchio.buildModelFromUrdf(str(ROBOTS / file), pinocchio.JointModelFreeFlyer())
    # The rows of the base are the wrench from the ground, those behind it the torques.
    stack = stacked(model, moving=slice(6, None))
    weighed = len(steiner.analyze(robot, "all+base-wrench").labels) > len(robot.labels)
    alone, _ = alone_and_seen(stack if weighed else stack[:, 10:])
    alone = alone[-len(robot.labels) :]
    check = steiner.check(robot, want="*", drives=False)
    hidden = [k for k, answer in enumerate(check.wanted) if not answer["ok"]]
    advised = [{"measure": "base-wrench"} in check.wanted[k]["actions"] for k in hidden]
    assert advised == [bool(alone[k]) for k in hidden]
    assert any(advised) and not all(advised)


def test_a_log_in_memory_and_what_a_check_is():
    robot = steiner.Robot("two_link")
    t = np.arange(0, 8, 0.01)
    moving = np.column_stack([np.sin(2.0 * t) + 0.3 * np.cos(5.1 * t), np.cos(3.1 * t)])
    still = np.column_stack([moving[:, 0], np.full_like(t, 0.4)])
    want = ["link2.friction", "link1.fv"]
    assert steiner.check(robot, {"t": t, "q": moving}, want=want, noise=0.1).ok
    check = steiner.check(robot, {"t": t, "q": still}, want=want, noise=0.1)
    assert not check.ok and check.to_dict()["log"]["still"] == ["link2"]
    verdicts = {answer["parameter"]: answer["verdict"] for answer in check.wanted}
    assert verdicts["link1.fv"] == "found" and verdicts["link2.fv"] == "not-excited"
    again = pickle.loads(pickle.dumps(check))
    assert again.to_dict() == check.to_dict() and str(again) == str(check)
    assert "<pre>" in check._repr_html_() and "cannot all be found" in repr(check)


def test_a_log_with_a_flipped_sign_answers_nothing():
    robot = steiner.Robot("ur5")
    log = dict(steiner.simulate(robot, duration=20, rate=200, noise="2%"))
    want = "link6.fv,link3.fc"
    clean = steiner.check(robot, log, want=want)
    assert clean.ok and clean.alarms == []
    log["tau_link6"] = -log["tau_link6"]
    check = steiner.check(robot, log, want=want)
    assert not check.ok and [alarm["kind"] for alarm in check.alarms] == ["scale"]
    assert check.alarms == steiner.identify(robot, log).to_dict()["alarms"]
    assert {answer["verdict"] for answer in check.wanted} == {"log-in-doubt"}
    assert steiner.check(robot, want=want).alarms == []


def test_advice_names_keywords_and_calls_of_python():
    robot = steiner.Robot("puma560")
    check = steiner.check(robot, want="link6.Iyy,link5.Ia")
    assert 'fix={"link6.Ixx": …}' in " ".join(str(check).split())
    assert any('fix={"' in remedy for answer in check.wanted for remedy in answer["remedies"])
    arm = steiner.Robot("two_link")
    t = np.arange(0, 8, 0.01)
    resting = {"t": t, "q": np.zeros((len(t), 2))}
    pages = [str(steiner.check(robot)), str(steiner.check(arm, resting, want="*")), str(steiner.check(arm, resting))]
    assert "`steiner.analyze` has the details" in pages[0]
    assert all("`steiner.excite`" in page and "`noise` sets it" in page for page in pages[1:])
    assert not any("--" in page or "`steiner " in page for page in [str(check), *pages])


def test_bad_questions_are_refused():
    robot = steiner.Robot("puma560")
    with pytest.raises(ValueError, match=r"nothing called `lnk1.m` \(did you mean `link1.m`\?\)"):
        steiner.check(robot, want="lnk1.m")
    with pytest.raises(ValueError, match="drives are left out"):
        steiner.check(robot, want="link1.fv", drives=False)
    with pytest.raises(TypeError, match="unexpected keyword argument 'wants'"):
        steiner.check(robot, wants="link1.m")
    with pytest.raises(ValueError, match="noise is 0"):
        steiner.check(robot, noise=0.0)
