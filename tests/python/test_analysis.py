"""What can be identified, against the singular values of Pinocchio's own stacked regressor."""

import os
from pathlib import Path

import cmeel
import numpy as np
import pinocchio as pin
import pytest

import steiner

THOROUGH = bool(os.environ.get("STEINER_THOROUGH"))
ROBOTS = Path(cmeel.__path__[0]).parent / "cmeel.prefix/share/example-robot-data/robots"
ALL = sorted(str(path.relative_to(ROBOTS)) for path in ROBOTS.rglob("*.urdf"))
EVERY_DAY = [name for name in ALL if Path(name).name in ("panda.urdf", "ur5_robot.urdf", "go2.urdf", "z1.urdf", "solo12.urdf")]


def build(path, floating):
    try:
        return pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if floating else pin.buildModelFromUrdf(path)
    except ValueError:
        return None


@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("name", ALL if THOROUGH else EVERY_DAY)
def test_the_rank_is_where_the_singular_values_break(name, floating):
    path = str(ROBOTS / name)
    model = build(path, floating)
    if model is None or model.nv == 0 or model.njoints > 45:
        # Beyond, printed digits leave axes askew by so little that doubles have no clear gap (tiago_dual, 102 joints).
        pytest.skip("not a robot, nothing moves, or too many joints for a clear gap in doubles")
    data = model.createData()
    robot = steiner.Robot(path, floating=floating, snap=0, mimic=False)
    analysis = steiner.analyze(robot)
    assert analysis.certificate["complete"]
    columns = len(analysis.labels)
    rng = np.random.default_rng(len(name))
    pin.seed(len(name))
    model.lowerPositionLimit, model.upperPositionLimit = -3 * np.ones(model.nq), 3 * np.ones(model.nq)
    rows = [
        pin.computeJointTorqueRegressor(
            model, data, pin.randomConfiguration(model), rng.normal(size=model.nv), rng.normal(size=model.nv)
        ).copy()
        for _ in range(max(60, 3 * columns // model.nv))
    ]
    stacked = np.vstack(rows)
    # Columns that are zero but for rounding stay zero.
    stacked /= np.maximum(np.linalg.norm(stacked, axis=0), 1e-6)
    values = np.append(np.linalg.svd(stacked, compute_uv=False), 0.0)
    rank = analysis.identifiable
    assert values[rank - 1] > 1e4 * values[rank]


@pytest.mark.parametrize("name", ["puma560", "go2", "delta", "palletizer"])
def test_base_parameters_and_nullspace_are_complementary(name, rng):
    robot = steiner.Robot(name)
    analysis = steiner.analyze(robot)
    null, base = analysis.nullspace, analysis.base
    assert base.shape[0] + null.shape[1] == len(analysis.labels)
    assert np.abs(base @ null).max() < 1e-9
    assert len(analysis.base_names) == base.shape[0] == analysis.identifiable
    assert {"principle", "joint", "bodies", "text", "place", "entries"} == set(analysis.vectors[0])


def test_what_is_measured_decides():
    pendulum = steiner.Robot("double_pendulum")
    assert steiner.analyze(pendulum).identifiable == 6
    assert steiner.analyze(pendulum, measure="base-wrench").identifiable == 13
    with pytest.raises(ValueError, match="not a measurement"):
        steiner.analyze(pendulum, measure="mood")


def test_the_page_is_complete_and_stays_inside_its_frame():
    analysis = steiner.analyze(steiner.Robot("four_bar"))
    page = analysis.to_html()
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert "four_bar" in page and page.count("<svg") == page.count("</svg>") == 6
    assert not any(word in page for word in ("<script", "http:", "https:"))
    frame = analysis._repr_html_()
    assert frame.startswith("<iframe sandbox") and frame.count('"') == 6


def test_drives_known_parameters_and_methods():
    robot = steiner.Robot("puma560")
    drives = steiner.analyze(robot, drives=True)
    assert len(drives.labels) == 84 and drives.identifiable == 58
    assert drives.labels[60:64] == ["link1.Ia", "link1.fv", "link1.fc", "link1.offset"]
    known = steiner.analyze(robot, fix={"link4.m": 0.82}, keep=["link3.m"])
    assert known.nullspace.shape == (60, 23) and "link3.m" in known.base_names
    assert not known.nullspace[known.labels.index("link4.m")].any()
    for method in ("drng", "rpna", "numeric"):
        other = steiner.analyze(robot, method=method)
        assert other.certificate["complete"] and other.nullspace.shape == (60, 24)
        both = np.hstack([other.nullspace, steiner.analyze(robot).nullspace])
        assert np.linalg.matrix_rank(both, tol=1e-9) == 24
    assert steiner.analyze(robot, certify=False).certificate is None
    with pytest.raises(ValueError, match="there is no parameter `link4.mass`"):
        steiner.analyze(robot, fix={"link4.mass": 1.0})
    with pytest.raises(ValueError, match="use auto, drng, rpna or numeric"):
        steiner.analyze(robot, method="magic")


def test_formulas_are_functions_texts_and_latex():
    robot = steiner.Robot("puma560")
    found = steiner.formulas(robot)
    np.testing.assert_allclose(found(), steiner.analyze(robot).base, atol=1e-12)
    name, value = next(iter(found.variables.items()))
    other = found(**{name: 2 * value})
    assert other.shape == found().shape and not np.array_equal(other, found())
    assert set(found.terms) == set(steiner.analyze(robot).base_names)
    assert found._repr_latex_().startswith("$$") and "documentclass" in found.latex and "def weights" in found.code()
    with pytest.raises(TypeError, match="there is no length or angle `nowhere`"):
        found(nowhere=1.0)
