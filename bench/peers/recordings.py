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

# Of MuJoCo's toolbox: an iteration takes CPU seconds for two joints, minutes for six.
ITERATIONS, MOST_JOINTS = 40, 3
# Cut-offs in Hz where all get the same samples: motions are below.
PENDULUM_CUTOFF, TX40_CUTOFF = 5.0, 10.0
PENDULUM_RUNS = [0, 2, 4]
HELD_OUT = 0.25
TX40_GEARS = np.diag([32.0, 32, 45, -48, 45, 32])
TX40_GEARS[5, 4] = 32
# Slower joints are at rest: their dry friction is unknown.
TX40_SPEEDS = np.array([0.05009, 0.05009, 0.07505, 0.07156, 0.05585, 0.12217])


def rows(folder):
    data = Path(os.environ["STEINER_DATA"])
    places = [("TX40 (6 axes, currents)", "tx40", tx40), ("double pendulum, run {}", "double_pendulum", pendulum)]
    for title, place, load in places:
        if not (data / place).exists():
            yield [title.format("0–5"), "held-out residual", f"skipped: {data / place} is not there", "", "", ""]
            continue
        for number, raw in load(data / place, folder):
            yield from compared(title.format(number), raw, folder)


def compared(title, raw, folder):
    """The same samples for all; then Steiner from the raw log, the others behind a filter at the cut-off it chose."""
    recording = raw.filtered(raw.cutoff)
    chosen, seconds = steiner(recording, folder)
    simple, _ = steiner(recording, folder, "--friction", "simple")
    values, times = peers(recording, recording.q.shape[1] <= MOST_JOINTS)
    what = f"held-out residual, same samples below {raw.cutoff:.0f} Hz"
    yield [title, f"{what}, same friction model", *shown([simple, *values])]
    yield [title, f"{what}, default friction", *shown([chosen, *values])]
    times = [seconds, *times]
    yield [title, "CPU s", *[f"**{t:.2g}**" if t == min(times) else f"{t:.2g}" if t < np.inf else "not run" for t in times]]
    own, cutoff, _ = from_raw(raw, folder)
    values, _ = peers(raw.filtered(cutoff), False)
    yield [title, f"held-out residual, raw log, below {cutoff:.3g} Hz (Steiner's choice)", *shown([own, *values])]


def peers(recording, simulate):
    plain, plain_seconds = least_squares(recording)
    theirs, figaroh_seconds = figaroh(recording)
    simulated, mujoco_seconds = rollouts.identified(recording, ITERATIONS) if simulate else (np.nan, np.inf)
    return [plain, theirs, simulated], [plain_seconds, figaroh_seconds, mujoco_seconds]


def shown(values):
    """Shares in per cent, the least bold; what is no number was not run, what is infinite had no result."""
    word = lambda x: "not run" if np.isnan(x) else f"{100 * x:.2f} %" if np.isfinite(x) else "no result"
    return [f"**{word(x)}**" if x == np.nanmin(values) else word(x) for x in values]


class Recording(SimpleNamespace):
    """t (S,); q, qd, qdd, tau (S, n); urdf; joints; counted (S, n): rows that count; train: samples to learn from."""


class Raw(SimpleNamespace):
    """t, q, tau as recorded, at even times; urdf, joints, speeds, coupled; cutoff, Hz."""

    def filtered(self, cutoff) -> Recording:
        """Filters positions and torques alike, differentiates, thins out, and divides at the end."""
        rate = 1 / np.median(np.diff(self.t))
        b, a = butter(4, cutoff / (rate / 2))
        q, tau = (filtfilt(b, a, x, axis=0) for x in (self.q, self.tau))
        qd = np.gradient(q, 1 / rate, axis=0)
        qdd = np.gradient(qd, 1 / rate, axis=0)
        margin, every = round(rate / cutoff), max(1, round(rate / (20 * cutoff)))
        t, q, qd, qdd, tau = (x[margin:-margin:every] for x in (self.t, q, qd, qdd, tau))
        train = len(t) - round(HELD_OUT * len(t))
        return Recording(urdf=self.urdf, joints=self.joints, t=t, q=q, qd=qd, qdd=qdd, tau=tau, train=train,
                         counted=np.abs(qd) >= self.speeds, speeds=self.speeds, coupled=self.coupled)


def tx40(place, folder):
    def table(name):
        with open(place / name) as file:
            return np.array([[float(x) for x in row] for row in list(csv.reader(file))[1:]])[:, -6:]

    q = table("motor_positions.csv") @ np.linalg.inv(TX40_GEARS).T
    tau = table("motor_torques.csv") @ TX40_GEARS
    q += np.array([0, -np.pi / 2, np.pi / 2, 0, 0, 0])
    yield 0, Raw(urdf=without_meshes(place / "tx40.urdf", folder), joints=[f"joint_{k}" for k in range(1, 7)],
                 t=np.arange(len(q)) / 5000, q=q, tau=tau, cutoff=TX40_CUTOFF, speeds=TX40_SPEEDS, coupled=True)


def pendulum(place, folder):
    urdf = without_meshes(place / "double_pendulum.urdf", folder)
    for number in PENDULUM_RUNS:
        with gzip.open(place / f"trajectory_0{number}.csv.gz", "rt") as text:
            table = list(csv.DictReader(text))
        column = lambda name: np.array([float(row[name]) for row in table])
        t = column("time")
        even = np.linspace(t[0], t[-1], len(t))
        pair = lambda name: np.column_stack([np.interp(even, t, column(f"{name}{k}")) for k in (1, 2)])
        yield number, Raw(urdf=urdf, joints=["Joint1", "Joint2"], t=even, q=pair("pos_meas"), tau=pair("tau_meas"),
                          cutoff=PENDULUM_CUTOFF, speeds=np.array([0.05, 0.05]), coupled=False)


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
    signals = {"q": recording.q, "qd": recording.qd, "qdd": recording.qdd, "tau": recording.tau}
    kept = ["--cutoff", "off", "--trim", "0", "--thin", "off", "--hold-out", str(1 - recording.train / len(recording.t))]
    document, cpu = identified(recording, signals, folder, *kept, *options)
    return document["residual"]["validation"]["total"], cpu


def from_raw(raw, folder):
    """`steiner identify` on the log as it was recorded, with its defaults; and the cut-off it chose."""
    document, cpu = identified(raw, {"q": raw.q, "tau": raw.tau}, folder, "--hold-out", str(HELD_OUT))
    return document["residual"]["validation"]["total"], document["settings"]["signals"][0]["cutoff"], cpu


def identified(recording, signals, folder, *options):
    log = folder / "samples.csv"
    names = [f"{what}_{joint}" for what in signals for joint in recording.joints]
    table = np.column_stack([recording.t, *signals.values()])
    np.savetxt(log, table, delimiter=",", header=",".join(["t", *names]), comments="", fmt="%.12g")
    speeds = ",".join(f"{joint}={speed}" for joint, speed in zip(recording.joints, recording.speeds))
    coupled = ["--drive", "crosswise:wrist=joint_5:1,joint_6:1"] if recording.coupled else []
    done = run([os.environ["STEINER"], "identify", recording.urdf, log, "--json", "--least-speed", speeds, *coupled, *options])
    if done.code:
        raise SystemExit(done.err)
    return json.loads(done.out), done.cpu


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
