"""Recorded robots: who predicts held-out torques better, from the same samples behind the same filter?"""

import csv
import gzip
import json
import os
import re
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pinocchio
from figaroh.tools.qrdecomposition import get_baseParams
from figaroh.tools.regressor import build_regressor_basic, build_regressor_reduced, get_index_eliminate
from scipy.signal import butter, filtfilt

import rollouts
from running import run

ITERATIONS = 40
# Cut-offs in Hz: TX40 as published for its torques after decimation; the pendulum's motion is below 5 Hz.
PENDULUM_CUTOFF, TX40_CUTOFF = 15.0, 10.0
HELD_OUT = 0.25
TX40_GEARS = np.diag([32.0, 32, 45, -48, 45, 32])
TX40_GEARS[5, 4] = 32
# Slower joints are at rest: their dry friction is unknown.
TX40_SPEEDS = np.array([0.05009, 0.05009, 0.07505, 0.07156, 0.05585, 0.12217])


def rows(folder):
    data = Path(os.environ["STEINER_DATA"])
    for title, place, load in [("TX40 (6 axes, currents)", "tx40", tx40), ("double pendulum, run {}", "double_pendulum", pendulum)]:
        if not (data / place).exists():
            yield [title.format("0–5"), "held-out residual", f"skipped: {data / place} is not there", "", "", ""]
            continue
        for run_number, recording in enumerate(load(data / place, folder)):
            yield from compared(title.format(run_number), recording, folder)


def compared(title, recording, folder):
    chosen, seconds = steiner(recording, folder)
    simple, _ = steiner(recording, folder, "--friction", "simple")
    plain, plain_seconds = least_squares(recording)
    theirs, figaroh_seconds = figaroh(recording)
    simulated, mujoco_seconds = rollouts.identified(recording, ITERATIONS)
    values = [chosen, plain, theirs, simulated]
    texts = [f"{100 * value:.2f} %" if np.isfinite(value) else "no result" for value in values]
    texts = [f"**{text}**" if value == min(values) else text for text, value in zip(texts, values)]
    texts[0] += f" (simple friction {100 * simple:.2f} %)"
    yield [title, "held-out residual", *texts]
    times = [seconds, plain_seconds, figaroh_seconds, mujoco_seconds]
    yield [title, "CPU s", *[f"**{t:.2g}**" if t == min(times) else f"{t:.2g}" for t in times]]


class Recording(SimpleNamespace):
    """t (S,); q, qd, qdd, tau (S, n); urdf; joints; counted (S, n): rows that count; train: samples to learn from."""


def recording(urdf, joints, t, q, tau, cutoff, keep_every, speeds, coupled=False) -> Recording:
    """Filters positions and torques alike, differentiates, thins out, and divides at the end."""
    rate = 1 / np.median(np.diff(t))
    b, a = butter(4, cutoff / (rate / 2))
    q, tau = (filtfilt(b, a, x, axis=0) for x in (q, tau))
    qd = np.gradient(q, 1 / rate, axis=0)
    qdd = np.gradient(qd, 1 / rate, axis=0)
    margin = round(rate / cutoff)
    t, q, qd, qdd, tau = (x[margin:-margin:keep_every] for x in (t, q, qd, qdd, tau))
    counted = np.abs(qd) >= speeds
    train = len(t) - round(HELD_OUT * len(t))
    return Recording(urdf=urdf, joints=joints, t=t, q=q, qd=qd, qdd=qdd, tau=tau, counted=counted, train=train,
                     speeds=speeds, coupled=coupled)


def tx40(place, folder):
    def table(name):
        with open(place / name) as file:
            return np.array([[float(x) for x in row] for row in list(csv.reader(file))[1:]])[:, -6:]

    q = table("motor_positions.csv") @ np.linalg.inv(TX40_GEARS).T
    tau = table("motor_torques.csv") @ TX40_GEARS
    q += np.array([0, -np.pi / 2, np.pi / 2, 0, 0, 0])
    t = np.arange(len(q)) / 5000
    urdf = without_meshes(place / "tx40.urdf", folder)
    yield recording(urdf, [f"joint_{k}" for k in range(1, 7)], t, q, tau, TX40_CUTOFF, 25, TX40_SPEEDS, coupled=True)


def pendulum(place, folder):
    urdf = without_meshes(place / "double_pendulum.urdf", folder)
    for file in sorted(place.glob("trajectory_*.csv.gz")):
        with gzip.open(file, "rt") as text:
            table = list(csv.DictReader(text))
        column = lambda name: np.array([float(row[name]) for row in table])
        t = column("time")
        even = np.linspace(t[0], t[-1], len(t))
        pair = lambda name: np.column_stack([np.interp(even, t, column(f"{name}{k}")) for k in (1, 2)])
        yield recording(urdf, ["Joint1", "Joint2"], even, pair("pos_meas"), pair("tau_meas"), PENDULUM_CUTOFF, 5,
                        np.array([0.05, 0.05]))


def without_meshes(path, folder) -> Path:
    """The robot's file without pictures, which are not here."""
    text = re.sub(r"<(visual|collision)\b.*?</\1>", "", path.read_text(), flags=re.DOTALL)
    out = folder / path.name
    out.write_text(text)
    return out


def relative(recording, predicted) -> float:
    held = slice(recording.train, None)
    left = (recording.tau - predicted)[held][recording.counted[held]]
    return float(np.sqrt((left**2).sum() / (recording.tau[held][recording.counted[held]] ** 2).sum()))


def steiner(recording, folder, *options):
    """`steiner identify` on the samples as they are."""
    log = folder / "samples.csv"
    names = [f"{what}_{joint}" for what in ("q", "qd", "qdd", "tau") for joint in recording.joints]
    table = np.column_stack([recording.t, recording.q, recording.qd, recording.qdd, recording.tau])
    np.savetxt(log, table, delimiter=",", header=",".join(["t", *names]), comments="", fmt="%.12g")
    speeds = ",".join(f"{joint}={speed}" for joint, speed in zip(recording.joints, recording.speeds))
    coupled = ["--drive", "crosswise:wrist=joint_5:1,joint_6:1"] if recording.coupled else []
    done = run([os.environ["STEINER"], "identify", recording.urdf, log, "--json", "--cutoff", "off", "--trim", "0", "--thin", "off",
                "--hold-out", str(1 - recording.train / len(recording.t)), "--least-speed", speeds, *coupled, *options])
    if done.code:
        raise SystemExit(done.err)
    return json.loads(done.out)["residual"]["validation"]["total"], done.cpu


def columns(recording):
    """Pinocchio's regressor with drives, (S, n, columns)."""
    model = pinocchio.buildModelFromUrdf(str(recording.urdf))
    assert list(model.names)[1:] == recording.joints
    data = model.createData()
    bodies = np.array([pinocchio.computeJointTorqueRegressor(model, data, *s)
                       for s in zip(recording.q, recording.qd, recording.qdd)])
    n = model.nv
    drives = np.zeros((len(recording.t), n, 4 * n))
    for j in range(n):
        signals = [recording.qdd[:, j], recording.qd[:, j], np.sign(recording.qd[:, j]), np.ones(len(recording.t))]
        drives[:, j, 4 * j : 4 * j + 4] = np.column_stack(signals)
    return np.concatenate([bodies, drives, wrist(recording)], axis=2)


def wrist(recording):
    """What joints 5 and 6 of a TX40 feel of each other through motor 6, as in FIGAROH's example, (S, n, 3 or 0)."""
    count, n = recording.q.shape
    out = np.zeros((count, n, 3 if recording.coupled else 0))
    for own, other in [(4, 5), (5, 4)] if recording.coupled else []:
        out[:, own, 0], out[:, own, 1] = recording.qdd[:, other], recording.qd[:, other]
        out[:, own, 2] = np.sign(recording.qd[:, 4] + recording.qd[:, 5])
    return out


def least_squares(recording):
    """Weighted least squares, each joint by its noise; unidentifiable directions by the pseudo-inverse."""
    begun = time.process_time()
    y = columns(recording)
    train = slice(0, recording.train)
    counted = recording.counted[train]
    weights = np.ones(y.shape[1])
    for _ in range(2):
        rows = (y[train] * weights[None, :, None])[counted]
        values = np.linalg.lstsq(rows, (recording.tau[train] * weights)[counted], rcond=1e-9)[0]
        left = np.where(counted, recording.tau[train] - y[train] @ values, 0)
        weights = 1 / np.sqrt((left**2).sum(axis=0) / counted.sum(axis=0))
    return relative(recording, y @ values), time.process_time() - begun


def figaroh(recording):
    """FIGAROH: its regressor with friction, rotor inertia and offset, its base parameters, least squares on them."""
    begun = time.process_time()
    model = pinocchio.buildModelFromUrdf(str(recording.urdf))
    robot = SimpleNamespace(model=model, data=model.createData())
    config = {"is_joint_torques": True, "has_friction": True, "has_actuator_inertia": True, "has_joint_offset": True,
              "act_idxv": list(range(model.nv))}
    w = build_regressor_basic(robot, recording.q, recording.qd, recording.qdd, config)
    # Its rows are ordered by joint; columns of a coupled wrist are added by hand in its own example, too.
    w = np.hstack([w, wrist(recording).transpose(1, 0, 2).reshape(len(w), -1)])
    shape = (model.nv, len(recording.t))
    learning = np.zeros(shape, bool)
    learning[:, : recording.train] = recording.counted[: recording.train].T
    learning = learning.ravel()
    names = {f"p{k}": 1.0 for k in range(w.shape[1])}
    eliminated, kept = get_index_eliminate(w[learning], names)
    reduced = build_regressor_reduced(w, eliminated)
    _, _, base = get_baseParams(reduced[learning], kept, names)
    chosen = reduced[:, list(base)]
    values = np.linalg.lstsq(chosen[learning], recording.tau.T.ravel()[learning], rcond=None)[0]
    return relative(recording, (chosen @ values).reshape(shape).T), time.process_time() - begun
