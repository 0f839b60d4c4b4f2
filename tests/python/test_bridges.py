"""Live models of Pinocchio and MuJoCo as robots, and identified numbers back in them."""

import sys
import types
from pathlib import Path

import cmeel
import mujoco
import numpy as np
import pinocchio as pin
import pytest

import steiner

ROBOTS = Path(cmeel.__path__[0]).parent / "cmeel.prefix/share/example-robot-data/robots"
UR5 = ROBOTS / "ur_description/urdf/ur5_robot.urdf"
GO2 = ROBOTS / "go2_description/urdf/go2.urdf"
KINOVA = ROBOTS / "kinova_description/robots/kinova.urdf"


def states(model, rng, count=5):
    q = np.array([pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq)) for _ in range(count)])
    return q, *rng.normal(size=(2, count, model.nv))


@pytest.mark.parametrize("path, root", [(UR5, None), (GO2, "floating"), (KINOVA, None)])
def test_a_model_of_pinocchio_has_the_dynamics_of_pinocchio(path, root, rng):
    base = [pin.JointModelFreeFlyer()] if root else []
    model = pin.buildModelFromUrdf(str(path), *base)
    model.armature[:] = 0
    robot = steiner.Robot.from_pinocchio(model, snap=0)
    data = model.createData()
    assert robot.joints == list(model.names)[1:]
    q, v, a = states(model, rng)
    own = robot.q_from_pinocchio(q)
    assert own.shape == (5, robot.nq)
    np.testing.assert_allclose(robot.q_to_pinocchio(own), q, atol=1e-12)
    theirs = np.array([pin.rnea(model, data, *state) for state in zip(q, v, a)])
    np.testing.assert_allclose(robot.inverse_dynamics(own, v, a), theirs, rtol=0, atol=1e-12 * np.abs(theirs).max())
    regressors = np.array([pin.computeJointTorqueRegressor(model, data, *state).copy() for state in zip(q, v, a)])
    np.testing.assert_allclose(robot.regressor(own, v, a), regressors, atol=1e-12 * np.abs(regressors).max())


def test_identified_inertias_go_back_into_the_model_of_pinocchio(rng):
    model = pin.buildModelFromUrdf(str(UR5))
    truth = steiner.Robot.from_pinocchio(model)
    log = steiner.simulate(truth, duration=10, rate=100)
    for k in range(1, model.njoints):
        model.inertias[k] = pin.Inertia(1.3 * model.inertias[k].mass, model.inertias[k].lever, model.inertias[k].inertia)
    r = steiner.identify(steiner.Robot.from_pinocchio(model), log, drives=False, cutoff="off")
    r.robot.update_pinocchio(model)
    model.armature[:] = 0
    data = model.createData()
    q, v, a = states(model, rng)
    theirs = np.array([pin.rnea(model, data, *state) for state in zip(q, v, a)])
    np.testing.assert_allclose(theirs, truth.inverse_dynamics(q, v, a), atol=1e-4 * np.abs(theirs).max())
    np.testing.assert_allclose(theirs, r.robot.inverse_dynamics(q, v, a), atol=1e-12 * np.abs(theirs).max())


ARM = """
<mujoco model="arm">
  <compiler angle="degree"/>
  <option gravity="0 0.3 -9.7"/>
  <default><joint armature="0.02" damping="0.3" frictionloss="0.1"/></default>
  <worldbody>
    <body name="upper" pos="0 0 0.4" euler="10 20 30">
      <inertial pos="0.01 0.02 0.1" mass="2.1" fullinertia="0.03 0.025 0.02 0.001 0.002 0.003"/>
      <joint name="shoulder" axis="0 1 0" pos="0 0 0.05" range="-120 120"/>
      <body name="lower" pos="0.1 0 0.3">
        <inertial pos="0 0.01 0.15" mass="1.2" diaginertia="0.01 0.011 0.004"/>
        <joint name="elbow" axis="1 1 0" range="-100 100"/>
        <body name="hand" pos="0 0 0.3"><inertial pos="0 0 0.02" mass="0.4" diaginertia="0.001 0.001 0.0005"/>
          <body name="tool" pos="0.05 0 0"><inertial pos="0 0 0" mass="0.1" diaginertia="1e-4 1e-4 1e-4"/></body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator>
</mujoco>
"""

FOUR_BAR = """
<mujoco model="four_bar">
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="crank"><inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
      <joint name="motor" axis="0 1 0"/>
      <body name="coupler" pos="0.2 0 0"><inertial pos="0.2 0 0" mass="1" diaginertia="0.01 0.02 0.02"/>
        <joint name="pin1" axis="0 1 0"/>
      </body>
    </body>
    <body name="rocker" pos="0.6 0 -0.3"><inertial pos="0 0 0.1" mass="1" diaginertia="0.01 0.01 0.01"/>
      <joint name="pin2" axis="0 1 0"/>
    </body>
  </worldbody>
  <equality><connect body1="coupler" body2="rocker" anchor="0.4 0 0"/></equality>
  <actuator><motor joint="motor"/></actuator>
</mujoco>
"""


def test_a_model_of_mujoco_has_the_dynamics_of_mujoco(rng):
    model = mujoco.MjModel.from_xml_string(ARM)
    robot = steiner.Robot.from_mujoco(model, snap=0)
    assert (robot.name, robot.bodies, robot.joints) == ("arm", ["upper", "lower"], ["shoulder", "elbow"])
    data = mujoco.MjData(model)
    for _ in range(5):
        data.qpos[:], data.qvel[:], data.qacc[:] = rng.normal(size=(3, 2))
        q, v, a = data.qpos.copy(), data.qvel.copy(), data.qacc.copy()
        mujoco.mj_inverse(model, data)
        # mj_inverse has no dry friction of its own; rotors and damping it has.
        own = robot.inverse_dynamics(q, v, a) + 0.02 * a
        passive = data.qfrc_passive + data.qfrc_constraint
        np.testing.assert_allclose(own, data.qfrc_inverse + passive, atol=1e-10)


def test_constraints_of_mujoco_close_loops():
    robot = steiner.Robot.from_mujoco(mujoco.MjModel.from_xml_string(FOUR_BAR))
    assert (robot.loops, robot.mobility, robot.independent) == (1, 1, ["motor"])


def test_identified_inertias_go_back_into_the_model_of_mujoco(rng):
    model = mujoco.MjModel.from_xml_string(ARM)
    truth = steiner.Robot.from_mujoco(model)
    log = steiner.simulate(truth, duration=10, rate=100)
    model.body_mass[1:3] *= 1.4
    r = steiner.identify(steiner.Robot.from_mujoco(model), log, cutoff="off")
    r.robot.update_mujoco(model)
    back = steiner.Robot.from_mujoco(model)
    q, v, a = rng.normal(size=(3, 7, 2))
    np.testing.assert_allclose(
        back.inverse_dynamics(q, v, a, drives=True), truth.inverse_dynamics(q, v, a, drives=True), rtol=1e-6, atol=1e-6
    )
    np.testing.assert_allclose(back.parameters, r.robot.parameters, atol=1e-12)


def test_what_does_not_fit_is_refused_with_a_sentence():
    ur5, go2 = pin.buildModelFromUrdf(str(UR5)), pin.buildModelFromUrdf(str(GO2))
    with pytest.raises(ValueError, match="the model of the same robot"):
        steiner.Robot.from_pinocchio(ur5).update_pinocchio(go2)
    arm = mujoco.MjModel.from_xml_string(ARM)
    with pytest.raises(ValueError, match="has no body `crank`"):
        steiner.Robot.from_mujoco(mujoco.MjModel.from_xml_string(FOUR_BAR)).update_mujoco(arm)


def test_robot_descriptions_are_found_by_name(monkeypatch):
    package, module = types.ModuleType("robot_descriptions"), types.ModuleType("robot_descriptions.ur5_description")
    package.__path__ = []
    module.URDF_PATH = str(UR5)
    monkeypatch.setitem(sys.modules, "robot_descriptions", package)
    monkeypatch.setitem(sys.modules, "robot_descriptions.ur5_description", module)
    assert steiner.Robot.from_description("ur5_description", floating=True).dof == 12
    with pytest.raises(ValueError, match="no robot `ur7_description`"):
        steiner.Robot.from_description("ur7_description")
