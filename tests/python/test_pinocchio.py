"""Every robot of example-robot-data against Pinocchio: bodies, order, inertias, regressor, forces, mass matrix."""

import os
import zlib
from pathlib import Path

import cmeel
import numpy as np
import pinocchio as pin
import pytest

import steiner

THOROUGH = bool(os.environ.get("STEINER_THOROUGH"))
ROBOTS = Path(cmeel.__path__[0]).parent / "cmeel.prefix/share/example-robot-data/robots"
ALL = sorted(str(path.relative_to(ROBOTS)) for path in ROBOTS.rglob("*.urdf"))
# Arms, hands, legs, humanoids; continuous joints, mimic, deep trees, links without inertia.
EVERY_DAY = [
    "panda_description/urdf/panda.urdf",
    "ur_description/urdf/ur5_robot.urdf",
    "go2_description/urdf/go2.urdf",
    "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "talos_data/robots/talos_full_v2.urdf",
    "tiago_description/robots/tiago.urdf",
    "kinova_description/robots/kinova.urdf",
    "baxter_description/urdf/baxter.urdf",
    "allegro_hand_description/urdf/allegro_right_hand.urdf",
    "double_pendulum_description/urdf/double_pendulum_continuous.urdf",
]
NOT_ROBOTS = ["ur_description/urdf/ur3.urdf", "falcon_description/urdf/falcon.urdf"]
STATES = 20


def chosen():
    if THOROUGH:
        return ALL
    return EVERY_DAY


def relative(a, b):
    assert a.shape == b.shape
    scale = max(np.abs(b).max(initial=0.0), 1e-9)
    return np.abs(a - b).max(initial=0.0) / scale


def test_the_package_has_the_robots_we_name():
    assert len(ALL) > 50
    assert not [name for name in EVERY_DAY if name not in ALL]


def both(name, floating):
    """A file as Pinocchio's model and as our robot; (None, None) where it holds no robot and both say so."""
    path = str(ROBOTS / name)
    try:
        model = pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if floating else pin.buildModelFromUrdf(path)
    except ValueError:
        # Two files of the package are not robots (an empty one, and one whose joint has no child); both sides say so.
        assert name in NOT_ROBOTS
        with pytest.raises(ValueError):
            steiner.Robot(path, floating=floating, snap=0, mimic=False)
        return None, None
    if model.nv == 0:
        # Nothing moves: Steiner says so instead of returning an empty robot.
        with pytest.raises(ValueError, match="no moving body"):
            steiner.Robot(path, floating=floating, snap=0, mimic=False)
        return None, None
    return model, steiner.Robot(path, floating=floating, snap=0, mimic=False)


@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("name", ALL)
def test_bodies_joint_order_and_inertias_are_pinocchios(name, floating):
    model, robot = both(name, floating)
    if model is None:
        return
    assert robot.joints == list(model.names[1:])
    assert robot.dof == model.nv
    assert len(robot.bodies) == model.njoints - 1
    for index, body in enumerate(robot.bodies):
        carried = {f.name for f in model.frames if f.parentJoint == index + 1 and f.type == pin.FrameType.BODY}
        assert body in carried
    theirs = np.concatenate([model.inertias[i].toDynamicParameters() for i in range(1, model.njoints)])
    assert relative(robot.parameters, theirs) < 1e-12


@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("name", chosen())
def test_regressor_forces_and_mass_matrix_are_pinocchios(name, floating):
    model, robot = both(name, floating)
    if model is None:
        return
    data = model.createData()
    model.armature = np.zeros(model.nv)
    # The same states whichever tests ran before.
    seed = zlib.crc32(f"{name} {floating}".encode())
    pin.seed(seed % 2**31)
    rng = np.random.default_rng(seed)
    bound = model.upperPositionLimit.copy()
    bound[~np.isfinite(bound) | (np.abs(bound) > 3)] = 3.0
    model.lowerPositionLimit, model.upperPositionLimit = -np.abs(bound) - 1.0, np.abs(bound) + 1.0
    for _ in range(STATES):
        q_pin = pin.randomConfiguration(model)
        qd, qdd = rng.uniform(-2, 2, model.nv), rng.uniform(-5, 5, model.nv)
        q = robot.q_from_pinocchio(q_pin)
        assert np.allclose(robot.q_to_pinocchio(q), q_pin, atol=1e-12)
        regressor = pin.computeJointTorqueRegressor(model, data, q_pin, qd, qdd)
        ours = robot.regressor(q, qd, qdd)
        assert relative(ours, regressor) < 1e-9
        tau = pin.rnea(model, data, q_pin, qd, qdd)
        assert relative(robot.inverse_dynamics(q, qd, qdd), tau) < 1e-9
        assert relative(ours @ robot.parameters, tau) < 1e-9
        mass = pin.crba(model, data, q_pin)
        mass = np.triu(mass) + np.triu(mass, 1).T
        assert relative(robot.mass_matrix(q), mass) < 1e-9


def test_mimic_is_a_coupling_whose_map_reduces_pinocchios_regressor(rng):
    path = str(ROBOTS / "panda_description/urdf/panda.urdf")
    model = pin.buildModelFromUrdf(path)
    data = model.createData()
    robot = steiner.Robot(path, snap=0)
    assert robot.dof == model.nv - 1 == robot.tree_dof - 1
    for _ in range(STATES):
        q, qd, qdd = (rng.uniform(-0.02, 0.02, robot.dof) for _ in range(3))
        full = robot.tree_configuration(q)
        g = robot.velocity_map(q)
        regressor = pin.computeJointTorqueRegressor(model, data, robot.q_to_pinocchio(full), g @ qd, g @ qdd)
        assert relative(robot.regressor(q, qd, qdd), g.T @ regressor) < 1e-9
        tau = pin.rnea(model, data, robot.q_to_pinocchio(full), g @ qd, g @ qdd)
        assert relative(robot.inverse_dynamics(q, qd, qdd), g.T @ tau) < 1e-9
