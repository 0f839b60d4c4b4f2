"""Identification, simulated logs and comparisons from Python; Pinocchio makes the forces where it can."""

import re
import signal
import threading
import time
from pathlib import Path

import cmeel
import numpy as np
import pinocchio as pin
import pytest

import steiner

ROBOTS = Path(cmeel.__path__[0]).parent / "cmeel.prefix/share/example-robot-data/robots"
UR5 = ROBOTS / "ur_description/urdf/ur5_robot.urdf"
GO2 = ROBOTS / "go2_description/urdf/go2.urdf"
NUMBER = r"[-+0-9.eE]+"


def fourier(rng, width, count, duration=10.0, scale=1.0):
    """Smooth random signals with exact derivatives: t, x, xd, xdd."""
    t = np.linspace(0, duration, count, endpoint=False)
    x, xd, xdd = (np.zeros((count, width)) for _ in range(3))
    for k in range(1, 6):
        w = 2 * np.pi * k / duration
        a, b = scale * rng.normal(size=(2, width)) / k
        s, c = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
        x += a * s + b * c
        xd += w * (a * c - b * s)
        xdd -= w * w * (a * s + b * c)
    return t, x, xd, xdd


def misjudged(path, folder, factor=1.4):
    """A copy of a URDF whose bodies all have the wrong mass and inertia."""
    times = lambda match: f'{match[1]}"{float(match[2]) * factor!r}"'
    text = Path(path).read_text()
    text = re.sub(rf'(<mass\s+value=)"({NUMBER})"', times, text)
    text = re.sub(rf'(\bi(?:xx|xy|xz|yy|yz|zz)=)"({NUMBER})"', times, text)
    copy = folder / ("misjudged_" + Path(path).name)
    copy.write_text(text)
    return copy


def relative(a, b):
    assert a.shape == b.shape
    return np.abs(a - b).max() / np.abs(b).max()


def inertias(model):
    return np.concatenate([model.inertias[i].toDynamicParameters() for i in range(1, model.njoints)])


@pytest.fixture(scope="module")
def ur5(tmp_path_factory):
    """Pinocchio's model, a file with wrong inertias, and a log of the true one."""
    rng = np.random.default_rng(5)
    model = pin.buildModelFromUrdf(str(UR5))
    data = model.createData()
    t, q, qd, qdd = fourier(rng, model.nv, 1500)
    tau = np.array([pin.rnea(model, data, *state) for state in zip(q, qd, qdd)])
    file = misjudged(UR5, tmp_path_factory.mktemp("ur5"))
    return model, file, dict(t=t, q=q, qd=qd, qdd=qdd, tau=tau)


@pytest.fixture(scope="module")
def panda():
    robot = steiner.Robot("panda")
    return robot, steiner.simulate(robot, duration=6, rate=200, noise=0.02, seed=3)


def test_forces_of_pinocchio_give_its_inertias_back(ur5, rng):
    model, file, log = ur5
    robot = steiner.Robot(file, snap=0)
    assert relative(robot.parameters, inertias(model)) > 0.3
    r = steiner.identify(robot, log, drives=False, consistent=False)
    assert len(r.base_names) == len(r.parameters) == 36 and r.labels == robot.labels
    truth = inertias(model)
    assert relative(r.parameters, r.base @ truth) < 1e-8
    assert relative(r.parameters, r.base @ r.model) < 1e-12 and relative(r.robot.parameters, r.model) < 1e-12
    data = model.createData()
    q, qd, qdd = rng.uniform(-2, 2, (3, 50, 6))
    tau = np.array([pin.rnea(model, data, *state) for state in zip(q, qd, qdd)])
    assert relative(robot.inverse_dynamics(q, qd, qdd), tau) > 0.1
    assert relative(r.robot.inverse_dynamics(q, qd, qdd), tau) < 1e-8
    assert relative(r.robot.regressor(q, qd, qdd) @ r.robot.parameters, tau) < 1e-8
    assert r.residual["total"] < 1e-8 and r.validation["total"] < 1e-8 and r.residual["prior"]["total"] > 0.3
    assert (r.residual["samples"], r.validation["samples"]) == (1125, 375)


def test_the_consistent_model_predicts_as_well_and_all_its_bodies_can_exist(ur5, rng):
    model, file, log = ur5
    r = steiner.identify(steiner.Robot(file, snap=0), log, drives=False)
    assert all(r.consistent.values()) and set(r.consistent) == set(r.robot.bodies)
    assert r.robot.inconsistencies == {}
    data = model.createData()
    q, qd, qdd = rng.uniform(-2, 2, (3, 50, 6))
    tau = np.array([pin.rnea(model, data, *state) for state in zip(q, qd, qdd)])
    assert relative(r.robot.inverse_dynamics(q, qd, qdd), tau) < 1e-7


def test_bounds_and_known_parameters_are_kept(ur5):
    model, file, log = ur5
    robot = steiner.Robot(file, snap=0)
    masses = {body: model.inertias[i + 1].mass for i, body in enumerate(robot.bodies)}
    last = robot.bodies[-1]
    box = ((-0.01, -0.01, -0.02), (0.01, 0.01, 0.0))
    r = steiner.identify(
        robot, log, drives=False, total_mass=25.0, mass={last: (0.1, 0.15)}, centre={last: box}, pull="quadratic"
    )
    found = dict(zip(r.labels, r.model))
    assert sum(found[f"{body}.m"] for body in robot.bodies) == pytest.approx(25.0, rel=1e-9)
    assert 0.1 - 1e-9 <= found[f"{last}.m"] <= 0.15 + 1e-9
    centre = np.array([found[f"{last}.m{x}"] for x in "xyz"]) / found[f"{last}.m"]
    assert (centre >= np.array(box[0]) - 1e-9).all() and (centre <= np.array(box[1]) + 1e-9).all()
    assert r.settings["consistent"]["total_mass"] == 25.0 and r.settings["consistent"]["pull"]["kind"] == "quadratic"
    # The points of a hull that excludes the truth: the centre ends on its boundary, x + y + z = 0.03.
    points = 0.03 * np.vstack([np.eye(3), np.ones(3)])
    r = steiner.identify(robot, log, drives=False, centre={last: points})
    found = dict(zip(r.labels, r.model))
    assert sum(found[f"{last}.m{x}"] for x in "xyz") / found[f"{last}.m"] >= 0.03 - 1e-9
    assert r.settings["consistent"]["centres"] == {last: {"hull_points": 4}}
    r = steiner.identify(robot, log, drives=False, fix={f"{last}.m": masses[last]})
    assert dict(zip(r.labels, r.model))[f"{last}.m"] == pytest.approx(masses[last], rel=1e-12)
    assert r.settings["known"] == {f"{last}.m": masses[last]}


def test_the_shape_of_a_link_bounds_its_centre_of_mass(tmp_path):
    corners = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (0, 0.2)]
    triangles = [(0, 1, 2), (1, 2, 3), (4, 5, 6), (5, 6, 7), (0, 1, 4), (1, 4, 5), (2, 3, 6), (3, 6, 7)]
    vertices = "".join(f"v {x} {y} {z}\n" for x, y, z in corners)
    faces = "".join("f " + " ".join(str(k + 1) for k in triangle) + "\n" for triangle in triangles)
    (tmp_path / "box.obj").write_text(vertices + faces)
    link = '<inertial><origin xyz="0 0 {z}"/><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
    text = (
        '<robot name="pendulum"><link name="base"/><link name="bob">{link}'
        '<collision><geometry><mesh filename="box.obj"/></geometry></collision></link>'
        '<joint name="pin" type="revolute"><parent link="base"/><child link="bob"/><axis xyz="0 1 0"/>'
        '<limit lower="-3" upper="3" effort="100" velocity="5"/></joint></robot>'
    )
    far, near = tmp_path / "far.urdf", tmp_path / "near.urdf"
    far.write_text(text.format(link=link.format(z=0.5)))
    near.write_text(text.format(link=link.format(z=0.1)))
    log = steiner.simulate(steiner.Robot(far), duration=5, rate=100)
    robot = steiner.Robot(near)
    bounded = steiner.identify(robot, log, drives=False, centre={"bob": "mesh"})
    free = steiner.identify(robot, log, drives=False)
    centre = lambda r: r.robot.parameters[3] / r.robot.parameters[0]
    # The first moment is known, the mass is not: within the box the bob is heavier.
    assert centre(free) > 0.21 > 0.2 + 1e-9 >= centre(bounded)
    assert bounded.robot.parameters[0] > 2 * 0.5 / 0.2 - 1e-6
    with pytest.raises(ValueError, match="has no shape for it"):
        steiner.identify(steiner.Robot("two_link"), log, centre={"link1": "mesh"})


def test_a_payload_is_found_with_everything_else_known(rng):
    robot = steiner.Robot(UR5, snap=0)
    model = pin.buildModelFromUrdf(str(UR5))
    carried = pin.Inertia(2.5, np.array([0.02, -0.01, 0.1]), 0.01 * np.eye(3))
    model.inertias[model.njoints - 1] += carried
    data = model.createData()
    t, q, qd, qdd = fourier(rng, 6, 800)
    tau = np.array([pin.rnea(model, data, *state) for state in zip(q, qd, qdd)])
    last = robot.bodies[-1]
    r = steiner.identify(robot, dict(t=t, q=q, qd=qd, qdd=qdd, tau=tau), payload=last, drives=False)
    assert r.settings["payload"] == last and len(r.base_names) == 10
    assert relative(r.robot.parameters[-10:], model.inertias[6].toDynamicParameters()) < 1e-6
    assert relative(r.robot.parameters[:-10], robot.parameters[:-10]) < 1e-12


def test_a_floating_robot_with_contact_wrenches_from_pinocchio(tmp_path):
    rng = np.random.default_rng(17)
    model = pin.buildModelFromUrdf(str(GO2), pin.JointModelFreeFlyer())
    data = model.createData()
    robot = steiner.Robot(misjudged(GO2, tmp_path, 1.25), floating=True, snap=0)
    assert robot.joints == list(model.names[1:])
    root, foot = robot.bodies[0], "FL_foot"
    frame = model.getFrameId(foot)
    t, x, _, _ = fourier(rng, model.nv, 1500, scale=0.4)
    _, v, vd, _ = fourier(rng, model.nv, 1500)
    _, wrench, _, _ = fourier(rng, 6, 1500, scale=30.0)
    q, tau, carried = [], [], []
    for k in range(len(t)):
        at = pin.integrate(model, pin.neutral(model), x[k])
        force = pin.rnea(model, data, at, v[k], vd[k])
        jacobian = pin.computeFrameJacobian(model, data, at, frame, pin.ReferenceFrame.LOCAL)
        left = force - jacobian.T @ wrench[k]
        q.append(robot.q_from_pinocchio(at))
        carried.append(left[:6])  # whatever holds the trunk, in its own axes
        tau.append(np.concatenate([np.zeros(6), left[6:]]))
    log = {"t": t, "q": q, "qd": v, "qdd": vd, "tau": tau, f"wrench_{foot}": wrench, f"wrench_{root}": carried}
    r = steiner.identify(robot, log, drives=False, consistent=False)
    assert r.settings["measure"] == "all"
    assert relative(r.parameters, r.base @ inertias(model)) < 1e-8
    assert r.validation["total"] < 1e-8 and set(r.validation["joints"]) == set(robot.independent)
    # The torques of the joints unknown: the base wrench alone.
    motion = {name: values for name, values in log.items() if name != "tau"}
    r = steiner.identify(robot, motion, drives=False, consistent=False, measure="base-wrench")
    assert len(r.validation["joints"]) == 6 and r.validation["total"] < 1e-8
    assert relative(r.parameters, r.base @ inertias(model)) < 1e-6


def test_a_simulated_floating_robot_is_carried_by_a_link():
    robot = steiner.Robot("go2", floating=True)
    root = robot.bodies[0]
    log = steiner.simulate(robot, duration=3, rate=200, carried_by=root, contacts={robot.bodies[3]: (20, 2)})
    assert {f"wrench_{root}_fz", f"wrench_{robot.bodies[3]}_tx"} <= set(log)
    # On average the wrench carries the weight.
    weight = 9.81 * robot.parameters[::10].sum()
    assert np.linalg.norm([log[f"wrench_{root}_f{x}"].mean() for x in "xyz"]) == pytest.approx(weight, rel=0.5)
    r = steiner.identify(robot, log, hold_out=0.5)
    assert r.validation["total"] < 1e-6 and r.validation["samples"] == 300


def test_dicts_files_frames_lists_and_odd_arrays_agree(panda, tmp_path):
    pandas = pytest.importorskip("pandas")
    robot, log = panda
    wanted = steiner.identify(robot, log)
    written = steiner.simulate(robot, tmp_path / "log.npz", duration=6, rate=200, noise=0.02, seed=3)
    assert all(np.array_equal(written[name], log[name]) for name in log) and list(written) == list(log)
    np.savez(tmp_path / "stacked.npz", t=log["t"], **stacked(robot, log))
    pandas.DataFrame(log).to_csv(tmp_path / "log.csv", index=False)
    forms = {
        "path": tmp_path / "log.npz",
        "str": str(tmp_path / "log.csv"),
        "list of one": [str(tmp_path / "log.npz")],
        "frame": pandas.DataFrame(log).assign(remark="fine", when=pandas.Timestamp(0)),
        "npz": np.load(tmp_path / "stacked.npz"),
        "stacked": dict(t=log["t"], **stacked(robot, log)),
        "lists": {name: values.tolist() for name, values in log.items()},
        "fortran": dict(t=log["t"], **{k: np.asfortranarray(v) for k, v in stacked(robot, log).items()}),
        "strided": {name: np.repeat(values, 2)[::2] for name, values in log.items()},
        "reversed twice": {name: values[::-1].copy()[::-1] for name, values in log.items()},
    }
    for name, form in forms.items():
        found = steiner.identify(robot, form)
        assert np.array_equal(found.model, wanted.model), name
        assert found.validation == wanted.validation, name
    singles = {name: values.astype(np.float32) for name, values in log.items() if name != "t"}
    single = steiner.identify(robot, dict(singles, t=log["t"]))
    assert np.allclose(single.parameters, wanted.parameters, atol=0.1 * wanted.sigma.max())
    assert not np.array_equal(single.model, wanted.model)
    transposed = {name: values.T for name, values in stacked(robot, log).items()}
    found = steiner.identify(robot, dict(t=log["t"], **transposed))
    assert np.array_equal(found.model, wanted.model)
    assert any("transposed" in note for note in found.notes)


def stacked(robot, log):
    """The columns of a log as arrays with one row per sample."""
    return {
        family: np.column_stack([log[f"{family}_{joint}"] for joint in robot.independent])
        for family in ["q", "qd", "qdd", "tau"]
    }


def test_several_logs_and_logs_that_only_judge(panda, tmp_path):
    robot, log = panda
    other = steiner.simulate(robot, tmp_path / "other.csv", duration=3, rate=200, noise=0.02, seed=9)
    r = steiner.identify(robot, [log, tmp_path / "other.csv"], hold_out=0)
    assert r.validation is None and r.residual["samples"] == 1800
    assert [entry["samples"] for entry in r.settings["signals"]] == [1200, 600]
    r = steiner.identify(robot, log, validate=other)
    assert (r.residual["samples"], r.validation["samples"]) == (1200, 600)
    assert 0.015 < r.validation["total"] < 0.03
    r = steiner.identify(robot, log, validate_from=2.0, validate_to=4.0)
    assert (r.residual["samples"], r.validation["samples"]) == (800, 400)
    r = steiner.identify(robot, log)
    assert (r.residual["samples"], r.validation["samples"]) == (900, 300)
    assert any("the last 25 % of every log" in note for note in r.notes)


def test_the_answer_as_table_document_page_and_words(panda, tmp_path):
    robot, log = panda
    r = steiner.identify(robot, log)
    table = r.table
    assert table["name"] == r.base_names and np.array_equal(table["value"], r.parameters)
    assert np.array_equal(table["sigma"], r.sigma)
    assert np.allclose(np.sqrt(np.diag(r.covariance)), table["white_sigma"])
    assert np.array_equal(r.sigma, np.fmax(table["white_sigma"], table["robust_sigma"]))
    assert r.covariance.shape == r.robust_covariance.shape == (len(r.base_names),) * 2
    name, terms = table["name"][0], dict(table["terms"][0])
    assert terms[name] == 1.0 and r.base[0] @ r.model == pytest.approx(r.parameters[0])
    document = r.to_dict()
    assert document["residual"] == {"train": r.residual, "validation": r.validation}
    assert document["settings"] == r.settings and document["weakly_excited"] == r.weakly_excited
    assert document["condition_number"] == r.condition_number > 1 and document["consistent"] == r.consistent
    assert set(r.residual["joints"]) == set(robot.independent)
    assert repr(r).startswith('<steiner.Identification "panda", measuring all: ') and "held out" in repr(r)
    page = r.to_html()
    assert page.startswith("<!DOCTYPE html>") and "http://" not in page.replace("http://www.w3.org", "")
    assert r.to_html(tmp_path / "page.html") is None and (tmp_path / "page.html").read_text() == page
    assert r._repr_html_().startswith("<iframe")
    pandas = pytest.importorskip("pandas")
    frame = r.to_pandas()
    assert frame.equals(pandas.DataFrame(table)) and frame["value"].dtype == float
    assert list(frame.columns)[:3] == ["name", "value", "sigma"]


def test_predictions_know_the_drives_and_robots_if_asked(panda):
    robot, log = panda
    r = steiner.identify(robot, log, rest=0)
    fresh = steiner.simulate(robot, duration=2, rate=100, seed=8)
    said = r.predict(fresh, rest=0)
    assert said["rows"] == robot.independent and said["predicted"].shape == (200, robot.dof)
    assert np.array_equal(said["measured"], stacked(robot, fresh)["tau"]) and said["counted"].all()
    assert np.array_equal(said["t"], fresh["t"])
    assert relative(said["predicted"], said["measured"]) < 0.02
    motion = [stacked(robot, fresh)[family] for family in ["q", "qd", "qdd"]]
    bodies = r.robot.inverse_dynamics(*motion)
    assert relative(said["predicted"], r.robot.inverse_dynamics(*motion, drives=True)) < 1e-9
    drives = {label: value for label, value in zip(r.labels, r.model) if label not in r.robot.labels}
    for k, joint in enumerate(robot.independent):
        _, qd, qdd = (values[:, k] for values in motion)
        own = [drives.get(f"{joint}.{name}", 0.0) for name in ["Ia", "fv", "fc", "offset"]]
        bodies[:, k] += own[0] * qdd + own[1] * qd + own[2] * np.sign(qd) + own[3]
    assert relative(said["predicted"], bodies) < 1e-9


def test_saved_robots_read_back_as_identified_also_after_a_second_time(ur5, tmp_path):
    model, file, log = ur5
    original = file.read_text()
    robot = steiner.Robot(file, snap=0)
    r = steiner.identify(robot, log, drives=False)
    r.save(tmp_path / "identified.urdf")
    assert file.read_text() == original
    again = steiner.Robot(tmp_path / "identified.urdf", snap=0)
    assert relative(again.parameters, r.robot.parameters) < 1e-10
    # Only the last link is new, and yet the file gets all that came before.
    second = steiner.identify(r.robot, log, drives=False, payload=robot.bodies[-1])
    second.save(tmp_path / "second.urdf", lumped="proportional")
    twice = steiner.Robot(tmp_path / "second.urdf", snap=0)
    assert relative(twice.parameters, second.robot.parameters) < 1e-10
    second.save(tmp_path / "second.toml")
    assert relative(steiner.Robot(tmp_path / "second.toml", snap=0).parameters, second.robot.parameters) < 1e-10
    with pytest.raises(ValueError, match="end it in .urdf or .toml"):
        r.save(tmp_path / "robot.txt")
    with pytest.raises(ValueError, match='lumped is "all"; use moving-link or proportional'):
        r.save(tmp_path / "robot.urdf", lumped="all")
    with pytest.raises(OSError, match="cannot be written"):
        r.save(tmp_path / "nowhere" / "robot.urdf")
    with pytest.raises(OSError, match="cannot be written"):
        r.to_html(tmp_path / "nowhere" / "page.html")


def test_estimators_and_models_are_those_that_were_asked_for(panda):
    robot, log = panda
    joints = robot.independent
    shocked = {name: values.copy() for name, values in log.items()}
    shocked[f"tau_{joints[1]}"][::40] += 300.0
    errors = {}
    truth = steiner.identify(robot, log)
    for estimator in ["ordinary", "weighted", "huber=1.5", "ridge=10"]:
        r = steiner.identify(robot, shocked, estimator=estimator)
        assert r.settings["estimator"]["name"] == estimator.split("=")[0]
        errors[estimator] = np.abs((r.parameters - truth.parameters) / truth.sigma).max()
    assert r.settings["estimator"]["weight"] == 10
    assert errors["huber=1.5"] < 0.5 * errors["weighted"]
    r = steiner.identify(
        robot,
        log,
        tanh=0.01,
        stribeck=0.1,
        coupled_drives={"wrist": {joints[5]: 1, joints[6]: -1}},
        crosswise=["wrist"],
        least_speed={joints[0]: 0.05},
        keep=["link2.Izz"],
        block=50,
        threads=1,
        essential=True,
    )
    settings = r.settings
    assert settings["dry_friction"] == {"shape": "tanh", "speed": 0.01} and settings["stribeck_speed"] == 0.1
    assert settings["coupled_drives"] == [
        {"name": "wrist", "joints": {joints[5]: 1, joints[6]: -1}, "crosswise": True}
    ]
    assert (settings["block"], settings["threads"], settings["least_speed"][joints[0]]) == (50, 1, 0.05)
    assert r.residual["counted"][joints[0]] < r.residual["counted"][joints[1]] and r.to_dict()["essential"]
    r = steiner.identify(robot, log, measure=f"joints:{joints[0]},{joints[1]}", drives=False)
    assert set(r.residual["joints"]) == set(joints[:2]) and not r.settings["drives"]


def test_signals_are_processed_as_asked(panda):
    robot, _ = panda
    log = steiner.simulate(robot, duration=8, rate=500, position_step=1e-6, noise=0.01, rates=False)
    assert not any(name.startswith("qd") for name in log)
    r = steiner.identify(robot, log, cutoff=20, thin=5, trim=0.5)
    (signals,) = r.settings["signals"]
    assert (signals["cutoff"], signals["thinned_by"], signals["trimmed"], signals["rate"]) == (20, 5, 250, 500)
    assert signals["derived_accelerations"] == robot.independent
    assert r.validation["total"] < 0.05
    r = steiner.identify(robot, log, cutoff="off", thin="off", start=1.0, end=5.0)
    assert r.settings["signals"][0]["cutoff"] is None
    assert 1900 < r.residual["samples"] + r.validation["samples"] <= 2001


def test_a_mapping_translates_foreign_columns(panda, tmp_path):
    robot, log = panda
    mapping = tmp_path / "mapping.toml"
    mapping.write_text(
        '[columns]\nt = { from = "time", unit = "ms" }\n"q_*" = { from = "deg *", unit = "deg" }\n'
        '"qd_*" = { from = "qd_*" }\n"qdd_*" = { from = "qdd_*" }\n"tau_*" = { from = "tau_*" }\n'
    )
    foreign = {name: values for name, values in log.items() if not name.startswith("q_")}
    foreign["time"] = 1000 * foreign.pop("t")
    foreign.update({f"deg {name[2:]}": np.degrees(log[name]) for name in log if name.startswith("q_")})
    r = steiner.identify(robot, foreign, mapping=str(mapping))
    assert relative(r.model, steiner.identify(robot, log).model) < 1e-9
    with pytest.raises(ValueError, match="the log has no column `q_"):
        steiner.identify(robot, foreign)


def test_simulated_logs_follow_from_their_seed_and_trajectories_are_followed(panda, tmp_path, rng):
    robot, log = panda
    same = steiner.simulate(robot, duration=6, rate=200, noise=0.02, seed=3)
    assert all(np.array_equal(log[name], same[name]) for name in log)
    assert log["t"].shape == (1200,) and np.allclose(np.diff(log["t"]), 0.005)
    t, q, qd, qdd = fourier(rng, robot.nq, 300, scale=0.2)
    followed = steiner.simulate(robot, trajectory=dict(t=t, q=q, qd=qd, qdd=qdd), drives=False)
    assert np.array_equal(stacked(robot, followed)["q"], q)
    assert relative(stacked(robot, followed)["tau"], robot.inverse_dynamics(q, qd, qdd)) < 1e-12
    still = robot.independent[2]
    log = steiner.simulate(robot, tmp_path / "log.csv", duration=1, rate=50, still=[still], base_wrench=True)
    assert np.ptp(log[f"q_{still}"]) == 0 and np.ptp(log[f"q_{robot.independent[0]}"]) > 0
    assert "wrench_base_fx" in log and (tmp_path / "log.csv").read_text().startswith("t,q_")


def test_comparisons_say_who_is_nearer(ur5, tmp_path):
    model, file, log = ur5
    wrong, right = steiner.Robot(file, snap=0), steiner.Robot(UR5, snap=0)
    c = steiner.compare(wrong, right, log, names=("wrong", "right"))
    assert c.as_written["nearer"] == "right" and c.as_written["total"][1] < 1e-9 < c.as_written["total"][0]
    assert set(c.as_written["joints"]) == set(right.independent)
    assert c.to_dict()["robots"] == ["wrong", "right"] and c.drives_fitted["nearer"] == "right"
    assert c.verdict and "right" in repr(c)
    c.to_html(tmp_path / "comparison.html")
    assert (tmp_path / "comparison.html").read_text() == c.to_html() and c._repr_html_().startswith("<iframe")
    r = steiner.identify(wrong, log, drives=False)
    c = steiner.compare(wrong, r.robot, log, hold_out=0.5)
    assert c.to_dict()["robots"] == [str(file), f"{file}, identified"] and c.to_dict()["samples"] == 750
    assert c.as_written["nearer"] == f"{file}, identified"


def edited(log, **changes):
    out = {**log, **changes}
    return {name: values for name, values in out.items() if values is not None}


def test_wrong_logs_are_refused_with_a_sentence(ur5, tmp_path):
    _, file, log = ur5
    robot = steiner.Robot(file, snap=0)
    identify = lambda log, **settings: steiner.identify(robot, log, **settings)
    hole = log["tau"].copy()
    hole[17, 2] = np.nan
    cases = [
        (edited(log, q=log["q"][:, :5]), r"the log: q has shape \[1500, 5\]; give \(S, 6\), in the order shoulder_pan"),
        (edited(log, q=log["q"][0]), r"q has shape \[6\]; give \(S, 6\)"),
        (edited(log, tau=log["tau"][:, :, None]), r"tau has shape \[1500, 6, 1\]; give \(S, 6\)"),
        (edited(log, tau=log["tau"][:-1]), "`tau` has 1499 samples where t have 1500"),
        (edited(log, t=log["t"][:, None, None]), r"t has shape \[1500, 1, 1\]; give \(S,\)"),
        (edited(log, wrench_tool0=log["tau"][:, :5]), r"wrench_tool0 has shape \[1500, 5\]; give \(S, 6\)"),
        (edited(log, q=None), "the log has no column `q_shoulder_pan_joint`"),
        (edited(log, q="zero"), "`q` is no array of numbers"),
        (edited(log, tau=hole), r"the log, row 18: `NaN` in column `tau\[2\]` is not a finite number"),
        (edited(log, t=log["t"][::-1]), "row 2: time 9.98.* does not follow"),
        (edited(log, tau=None), "the log has no forces: no column tau_JOINT"),
        ({}, "the log is empty"),
        ([], "log is empty; give at least one log"),
    ]
    for case, sentence in cases:
        with pytest.raises(ValueError, match=sentence):
            identify(case)
    assert identify(edited(log, tau=hole), skip_bad_rows=True).residual["total"] < 1e-6
    with pytest.raises(FileNotFoundError, match="none.csv cannot be read"):
        identify(tmp_path / "none.csv")
    with pytest.raises(FileNotFoundError, match="none.toml cannot be read"):
        identify(log, mapping=tmp_path / "none.toml")
    with pytest.raises(OSError, match="cannot be read"):
        identify("/proc/self/mem")
    with pytest.raises(OSError, match="cannot be written"):
        steiner.simulate(robot, tmp_path / "nowhere" / "log.csv", duration=1, rate=10)
    with pytest.raises(ValueError, match="let it end in .csv or .npz"):
        steiner.simulate(robot, tmp_path / "log.txt", duration=1, rate=10)


def test_wrong_settings_are_refused_with_a_sentence(ur5):
    _, file, log = ur5
    robot = steiner.Robot(file, snap=0)
    refused = [
        (ValueError, dict(estimator="best"), "estimator is `best`; use weighted"),
        (ValueError, dict(cutoff=-3), "cutoff: `-3` is none; use auto, off, or a frequency in Hz"),
        (ValueError, dict(cutoff="on"), "use auto, off, or a frequency"),
        (TypeError, dict(cutoff=[1]), r"cutoff is \[1\]; give"),
        (ValueError, dict(thin=0), "use auto, off, a factor"),
        (ValueError, dict(hold_out=1.5), "hold_out is 1.5; give a part from 0 to below 1"),
        (ValueError, dict(hold_out=0.2, validate_from=3), "contradict each other"),
        (ValueError, dict(validate_from=3, validate_to=2), "swap them"),
        (ValueError, dict(measure="everything"), "`everything` is not a measurement"),
        (ValueError, dict(payload="nothing"), "there is no link `nothing`"),
        (ValueError, dict(fix={"link.m": 1.0}), "there is no parameter `link.m`"),
        (ValueError, dict(fix={"wrist_3_link.m": float("nan")}), "is not finite"),
        (TypeError, dict(fix="wrist_3_link.m=1"), "fix is 'wrist_3_link.m=1'; give a dict"),
        (ValueError, dict(tanh=0.0), "tanh is 0; give a speed above 0"),
        (ValueError, dict(consistent=False, total_mass=3.0), "leave consistent=False out"),
        (ValueError, dict(total_mass=20.0, mass={"wrist_3_link": (30, 40)}), "the bounds contradict each other"),
        (ValueError, dict(centre={"wrist_3_link": np.eye(3)}), "3 points lie in a plane and have no inside"),
        (ValueError, dict(centre={"wrist": "mesh"}), "there is no moving body `wrist`"),
        (ValueError, dict(centre={"wrist_3_link": "net"}), "give a dict from links to two corners"),
        (TypeError, dict(centre={"wrist_3_link": ((0, 0), (1, 1))}), r"centre of wrist_3_link is \(\(0, 0\), \(1, 1\)\)"),
        (ValueError, dict(crosswise=["wrist"]), "not among coupled_drives"),
        (ValueError, dict(threads=0), "threads is 0; give at least 1"),
        (ValueError, dict(unknown_gain=robot.joints, drives=False), "gains of all measured forces are unknown"),
        (TypeError, dict(cutof=3), r"identify\(\) got an unexpected keyword argument 'cutof'.*cutoff"),
    ]
    for kind, settings, sentence in refused:
        with pytest.raises(kind, match=sentence):
            steiner.identify(robot, log, **settings)
    with pytest.raises(TypeError, match=r"log is 3; give a path"):
        steiner.identify(robot, 3)
    with pytest.raises(ValueError, match="leave them out"):
        steiner.simulate(robot, trajectory=log, rate=10)
    with pytest.raises(ValueError, match="noise is -1; give 0 or more"):
        steiner.simulate(robot, noise=-1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'samples'"):
        steiner.simulate(robot, samples=10)
    with pytest.raises(ValueError, match="there is no link `base_link2`"):
        steiner.simulate(robot, duration=1, rate=10, contacts=["base_link2"])


def test_ctrl_c_ends_the_work_between_parts_and_other_threads_run_meanwhile(interruptible):
    robot = steiner.Robot("two_link")
    log = steiner.simulate(robot, duration=600, rate=1000, noise=0.01)

    def took():
        started = time.perf_counter()
        steiner.identify(robot, log)
        return time.perf_counter() - started

    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    whole = took()
    done.set()
    thread.join()
    assert len(ticks) > 10
    interrupted = []
    for _ in range(5):  # other programs may keep the machine busy
        timer = threading.Timer(whole / 4, lambda: signal.raise_signal(signal.SIGINT))
        started = time.perf_counter()
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            took()
            timer.join()
        interrupted.append((time.perf_counter() - started) / whole)
        if interrupted[-1] < 0.8:
            break
    assert min(interrupted) < 0.8, interrupted
