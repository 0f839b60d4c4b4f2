"""MuJoCo's system identification toolbox: simulated motion is fitted to recorded motion, window by window."""

import contextlib
import sys
import time

import mujoco
import numpy as np
from mujoco import sysid

WINDOW = 0.2
# Simulated steps, s.
STEP = 0.002
LEAST_MASS, LEAST_INERTIA = 0.1, 1e-3


def identified(recording, iterations):
    """The held-out residual of the torques of the model it finds, and CPU seconds; infinite where it finds none."""
    begun = time.process_time()
    try:
        # Its progress is not part of the table.
        with contextlib.redirect_stdout(sys.stderr):
            model = fitted(recording, iterations)
        value = residual(recording, model)
    except (ValueError, RuntimeError, np.linalg.LinAlgError, mujoco.FatalError) as error:
        print(f"MuJoCo sysid: {error}", file=sys.stderr)
        return float("inf"), time.process_time() - begun
    return value, time.process_time() - begun


def fitted(recording, iterations) -> mujoco.MjModel:
    spec = mujoco.MjSpec.from_file(str(recording.urdf))
    # A file may have kinematics alone: then this is where the search begins.
    spec.compiler.boundmass, spec.compiler.boundinertia = LEAST_MASS, LEAST_INERTIA
    text = spec.copy()
    text.compile()
    spec = mujoco.MjSpec.from_string(text.to_xml())
    spec.option.timestep = STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    for joint in recording.joints:
        motor = spec.add_actuator(name=joint, target=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_FALSE
        motor.forcelimited = mujoco.mjtLimited.mjLIMITED_FALSE
    for kind, sensor in [("q", mujoco.mjtSensor.mjSENS_JOINTPOS), ("v", mujoco.mjtSensor.mjSENS_JOINTVEL)]:
        for joint in recording.joints:
            spec.add_sensor(name=f"{kind}_{joint}", type=sensor, objtype=mujoco.mjtObj.mjOBJ_JOINT, objname=joint)
    model = spec.compile()
    parameters = sysid.ParameterDict()
    for joint in recording.joints:
        body = model.body(model.jnt_bodyid[model.joint(joint).id]).name
        parameters.add(sysid.body_inertia_param(spec, model, body, sysid.InertiaType.Pseudo, modifier=of_body(body)))
        for name, most in [("armature", 0.1), ("damping", 1.0), ("frictionloss", 1.0)]:
            parameters.add(of_joint(joint, name, most, recording))
    sequences = windows(recording, spec, model)
    residual_fn = sysid.build_residual_fn(models_sequences=[sequences], n_threads=1)
    found, _ = sysid.optimize(parameters, residual_fn, optimizer="mujoco", verbose=False, max_iters=iterations)
    return sysid.apply_param_modifiers(found, spec.copy())


def of_body(body):
    """Writes a pseudo-inertia of the toolbox as principal moments: its own way does not compile bodies without geoms."""

    def write(spec, parameter):
        pi = sysid.model_modifier.pi_from_theta(parameter.value)
        mass, centre, about_origin = pi[0], pi[1:4] / pi[0], pi[4:].reshape(3, 3)
        across = np.cross(np.eye(3), centre)
        moments, axes = np.linalg.eigh(about_origin + mass * across @ across)
        axes[:, 2] *= np.linalg.det(axes)
        turn = np.zeros(4)
        mujoco.mju_mat2Quat(turn, axes.ravel())
        place = spec.body(body)
        place.explicitinertial = True
        place.mass, place.ipos, place.iquat, place.inertia = mass, centre, turn, np.maximum(moments, 1e-9)
        place.fullinertia = np.full((6, 1), np.nan)

    return write


def of_joint(joint, name, most, recording):
    """A number of a joint, from nothing to what its torque makes likely (in units of its root mean square)."""
    most *= max(float(np.sqrt((recording.tau[:, recording.joints.index(joint)] ** 2).mean())), 1e-3)

    def write(spec, parameter):
        value = float(parameter.value[0])
        place = spec.joint(joint)
        # Damping is a polynomial in newer versions.
        if name == "damping" and np.ndim(place.damping):
            place.damping[0] = value
        else:
            setattr(place, name, value)

    return sysid.Parameter(f"{joint}_{name}", 0.1 * most, 0.0, most, modifier=write)


def windows(recording, spec, model):
    step = np.median(np.diff(recording.t))
    length = max(4, round(WINDOW / step))
    names, states, controls, sensors = [], [], [], []
    # One window of three: rollouts are what takes time.
    for first in range(0, recording.train - length, 3 * length):
        part = slice(first, first + length)
        t = recording.t[part] - recording.t[first]
        names.append(f"w{first}")
        states.append(sysid.create_initial_state(model, recording.q[first], recording.qd[first]))
        controls.append(sysid.TimeSeries(t, recording.tau[part], sysid.TimeSeries.compute_all_control_mapping(model)))
        motion = np.hstack([recording.q[part], recording.qd[part]])
        sensors.append(sysid.TimeSeries(t, motion, sysid.TimeSeries.compute_all_sensor_mapping(model)))
    return sysid.ModelSequences("robot", spec, names, states, controls, sensors)


def residual(recording, model) -> float:
    """By inverse dynamics, dry friction by the sign of the velocity."""
    from recordings import relative

    friction = model.dof_frictionloss.copy()
    model.dof_frictionloss[:] = 0
    data = mujoco.MjData(model)
    predicted = np.zeros_like(recording.tau)
    for k in range(len(recording.t)):
        data.qpos[:], data.qvel[:], data.qacc[:] = recording.q[k], recording.qd[k], recording.qdd[k]
        mujoco.mj_inverse(model, data)
        predicted[k] = data.qfrc_inverse
    return relative(recording, predicted + friction * np.sign(recording.qd))
