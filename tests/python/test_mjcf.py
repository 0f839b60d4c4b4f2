"""MJCF models move and weigh as they do in MuJoCo."""

import numpy as np
import pytest

import steiner

mujoco = pytest.importorskip("mujoco")

MODELS = {
    "anchored arm with lumped bodies": """
      <mujoco>
        <compiler angle="degree" eulerseq="zyx"/>
        <option gravity="0.3 -1 -9"><flag contact="disable"/></option>
        <default><geom density="500"/><default class="light"><geom density="200"/></default></default>
        <worldbody>
          <body name="upper" pos="0 0 .2" euler="90 20 10">
            <joint name="shoulder" axis="0 1 0.5" pos="0.01 0.02 0.03" ref="30"/>
            <geom type="capsule" fromto="0 0 0 0.3 0.1 0" size=".04"/>
            <body name="bracket" pos=".1 0 .1" zaxis="1 2 3">
              <geom type="box" size=".02 .03 .04" pos=".1 0 0"/>
              <body pos=".3 .1 0" quat="0.8 0.1 0.5 0.2" childclass="light">
                <joint axis="1 0 1"/>
                <inertial pos=".01 .02 .03" mass="1.5" fullinertia=".01 .02 .025 .001 .002 .003"/>
                <body name="tip" pos="0 0 .1" axisangle="1 1 0 60">
                  <joint name="slide" type="slide" axis="0 1 1" ref=".1"/>
                  <geom type="ellipsoid" size=".02 .03 .04" euler="10 20 30" pos="0 .01 0"/>
                  <geom type="cylinder" size=".02 .05" pos=".01 0 0" xyaxes="1 1 0 0 1 1"/>
                </body>
              </body>
            </body>
          </body>
        </worldbody>
      </mujoco>""",
    "several joints in one body": """
      <mujoco>
        <compiler angle="radian"/>
        <option><flag contact="disable"/></option>
        <worldbody>
          <body name="torso" pos="0 0 1">
            <joint name="x" type="slide" axis="1 0 0"/>
            <joint name="z" type="slide" axis="0 0 1" ref="1.25"/>
            <joint name="pitch" axis="0 1 0" pos="0.1 0 0.2"/>
            <geom type="capsule" size=".05 .2" pos="0 0 .1"/>
            <frame pos="0 .1 0" euler="0 .3 0">
              <body name="leg" pos="0 0 -.3">
                <joint name="hip1" axis="1 0 0" pos="0 0 .1"/>
                <joint name="hip2" axis="0 1 .2" pos="0 .05 .1"/>
                <geom type="cylinder" fromto="0 0 0 .05 0 -.4" size=".04"/>
              </body>
            </frame>
          </body>
        </worldbody>
      </mujoco>""",
}


@pytest.fixture(params=MODELS, ids=lambda name: name.replace(" ", "-"))
def model(request, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MODELS[request.param])
    return steiner.Robot(str(path), snap=0), mujoco.MjModel.from_xml_path(str(path))


def test_the_joints_are_mujocos(model):
    robot, theirs = model
    assert robot.dof == theirs.nv
    assert np.allclose(robot.reference, theirs.qpos0, atol=1e-15)
    moving = [k for k in range(1, theirs.nbody) if theirs.body_dofnum[k] > 0]
    assert robot.bodies == [theirs.body(k).name or f"body_{k}" for k in moving]


def test_inverse_dynamics_is_mujocos(model, rng):
    robot, theirs = model
    data = mujoco.MjData(theirs)
    for _ in range(20):
        q, qd, qdd = rng.uniform(-1, 1, (3, theirs.nv))
        data.qpos[:], data.qvel[:], data.qacc[:] = q, qd, qdd
        mujoco.mj_inverse(theirs, data)
        tau = robot.inverse_dynamics(q, qd, qdd)
        assert np.allclose(tau, data.qfrc_inverse, rtol=1e-10, atol=1e-10)
        assert np.allclose(robot.regressor(q, qd, qdd) @ robot.parameters, tau, rtol=1e-10, atol=1e-10)


def test_a_free_bodys_coordinates_are_its_pose_in_the_world(tmp_path):
    path = tmp_path / "free.xml"
    path.write_text(
        """<mujoco><worldbody><body name="box" pos="1 2 3" quat="0 0 0 1"><freejoint/>
           <geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>"""
    )
    robot = steiner.Robot(str(path))
    assert robot.dof == 6
    assert np.allclose(np.abs(robot.reference), [1, 2, 3, 0, 0, 1, 0], atol=1e-15)


def test_a_constraint_steiner_cannot_express_is_refused_by_name(tmp_path):
    path = tmp_path / "cam.xml"
    path.write_text(
        """<mujoco><worldbody><body><joint name="a"/><geom size=".1"/><body><joint name="b"/><geom size=".1"/></body></body>
           </worldbody><equality><joint joint1="a" joint2="b" polycoef="0 1 1"/></equality></mujoco>"""
    )
    with pytest.raises(ValueError, match="nonlinear polynomial"):
        steiner.Robot(str(path))
