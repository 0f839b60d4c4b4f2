"""MuJoCo plays designed motions under a stiff controller, within the limits of the robot's file."""

import xml.etree.ElementTree as xml
from pathlib import Path

import cmeel
import numpy as np
import pytest

import steiner

mujoco = pytest.importorskip("mujoco")

ROBOTS = Path(cmeel.__path__[0]).parent / "cmeel.prefix/share/example-robot-data/robots"
# MuJoCo fixes the first link of a URDF to the world: a Go2 on a stand.
FILES = {"panda": "panda_description/urdf/panda.urdf", "go2": "go2_description/urdf/go2.urdf"}
# Kept for the controller: it follows with an error.
SPEED, TORQUE = 0.99, 0.02
STEP = 0.001
# Natural frequency of the controlled joints, rad/s.
STIFF = 100.0


@pytest.fixture(params=FILES)
def file(request, tmp_path):
    """The robot without meshes and with fixed fingers, for both sides."""
    tree = xml.parse(ROBOTS / FILES[request.param])
    root = tree.getroot()
    for link in root.iter("link"):
        for shape in link.findall("visual") + link.findall("collision"):
            link.remove(shape)
    for joint in root.iter("joint"):
        if joint.get("type") == "prismatic":
            joint.set("type", "fixed")
        for dynamics in joint.findall("dynamics"):
            joint.remove(dynamics)
    # Inertias as they are written: none is balanced or dropped.
    xml.SubElement(xml.SubElement(root, "mujoco"), "compiler", fusestatic="true", discardvisual="false")
    path = tmp_path / f"{request.param}.urdf"
    tree.write(path)
    return path


def played(model, motion, order, efforts):
    """Positions, velocities and torques of MuJoCo's joints under feed-forward, PD and the torque limits."""
    state, ahead = mujoco.MjData(model), mujoco.MjData(model)
    q, v, a = (values[:, order] for values in (motion.q, motion.qd, motion.qdd))
    state.qpos[:], state.qvel[:] = q[0], v[0]
    mass = np.zeros((model.nv, model.nv))
    rows = []
    for k in range(len(q) - 1):
        ahead.qpos[:], ahead.qvel[:], ahead.qacc[:] = q[k], v[k], a[k]
        mujoco.mj_inverse(model, ahead)
        mujoco.mj_forward(model, state)
        mujoco.mj_fullM(model, state, mass)
        # What a joint moves while the others are free: diagonal gains of the whole inertia would not be stable.
        stiffness = STIFF**2 / np.diag(np.linalg.inv(mass))
        wanted = ahead.qfrc_inverse + stiffness * (q[k] - state.qpos) + 2 * stiffness / STIFF * (v[k] - state.qvel)
        state.qfrc_applied[:] = np.clip(wanted, -efforts, efforts)
        rows.append((state.qpos.copy(), state.qvel.copy(), wanted))
        mujoco.mj_step(model, state)
    return (np.array(part) for part in zip(*rows))


def test_mujoco_plays_the_motion_within_the_limits(file):
    robot = steiner.load(str(file))
    motion = steiner.excite(robot, speed=SPEED, torque_margin=TORQUE, rate=1 / STEP, drives=False,
                            self_collision=False, starts=2, threads=1)
    assert motion.feasible
    model = mujoco.MjModel.from_xml_path(str(file))
    model.opt.timestep = STEP
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    limits = motion.to_dict()["limits"]
    names = [limit["joint"] for limit in limits]
    order = [names.index(model.joint(k).name) for k in range(model.njnt)]
    lower, upper, velocity, effort = (
        np.array([limits[k][name] for k in order]) for name in ("lower", "upper", "velocity", "effort")
    )
    # What the file allows, without what was kept back.
    velocity, effort = velocity / SPEED, effort / (1 - TORQUE)
    q, v, tau = played(model, motion, order, effort)
    room = (upper - lower).max()
    assert (q > lower - 1e-3 * room).all() and (q < upper + 1e-3 * room).all()
    assert (np.abs(v) < velocity).all()
    assert (np.abs(tau) < effort).all()
    error = np.abs(q - motion.q[:-1][:, order])
    assert error.max() < 2e-3, error.max()
