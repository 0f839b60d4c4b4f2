"""Writes tx40_parameters.csv: what NumPy, SciPy and Pinocchio make of the TX40 recording with the published processing.

    python make_tx40_parameters.py FOLDER      (the folder with the recording; needs numpy, scipy and pin)

One line per published expression: the expression, then value and σ of ordinary least squares, value and σ of least squares weighted by
each joint's noise (iterated until the noise settles), both with the rotor inertia of joint 6, which the published table lacks, among the unknowns.
The first line has the relative residuals of both.
"""

import csv
import re
import sys
from pathlib import Path

import numpy as np
import pinocchio
from scipy import signal

folder = Path(sys.argv[1])
q_motor = np.loadtxt(folder / "motor_positions.csv", delimiter=",", skiprows=1)
tau_motor = np.loadtxt(folder / "motor_torques.csv", delimiter=",", skiprows=1)
N = np.diag([32.0, 32, 45, -48, 45, 32])
N[5, 4] = 32
q = np.linalg.solve(N, q_motor.T).T
tau = tau_motor @ N
q[:, 1] -= np.pi / 2
q[:, 2] += np.pi / 2

b, a = signal.butter(4, 100 / 2500)
q = signal.filtfilt(b, a, q, axis=0, padtype="odd", padlen=12)
h = 1 / 5000
qd = (q[2:] - q[:-2]) / (2 * h)
qdd = (q[2:] - 2 * q[1:-1] + q[:-2]) / h**2
signals = [q[20:-20], qd[19:-19], qdd[19:-19], tau[20:-20]]
for _ in range(2):
    signals = [signal.decimate(x, 10, axis=0, zero_phase=True) for x in signals]
q, qd, qdd, tau = signals

# Columns: ten for each link in Pinocchio's order, then the drives, then the motor that joints 5 and 6 share.
ten = ["m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"]
names = [f"{p}{j}" for j in range(1, 7) for p in ten]
names += [f"{p}{j}" for j in range(1, 7) for p in ("Ia", "fv", "fs", "off")] + ["Iam6", "fvm6", "fsm6"]
model = pinocchio.buildModelFromUrdf(str(folder / "tx40.urdf"))
data = model.createData()
Y = np.zeros((len(q), 6, len(names)))
for k in range(len(q)):
    Y[k, :, :60] = pinocchio.computeJointTorqueRegressor(model, data, q[k], qd[k], qdd[k])
for j in range(6):
    Y[:, j, 60 + 4 * j : 64 + 4 * j] = np.stack([qdd[:, j], qd[:, j], np.sign(qd[:, j]), np.ones(len(q))], axis=1)
for j, other in [(4, 5), (5, 4)]:
    Y[:, j, 84:] = np.stack([qdd[:, other], qd[:, other], np.sign(qd[:, 4] + qd[:, 5])], axis=1)

expressions = [row[0] for row in csv.reader(open(folder / "published_base_parameters.csv"))]
leading = [names.index(re.match(r"[A-Za-z]+\d", e)[0]) for e in expressions] + [names.index("Ia6")]
least_speed = [0.05009, 0.05009, 0.07505, 0.07156, 0.05585, 0.12217]
kept = [np.abs(qd[:, j]) >= least_speed[j] for j in range(6)]
W = np.vstack([Y[kept[j], j] for j in range(6)])
assert np.linalg.matrix_rank(W) == len(leading)
W = W[:, leading]
y = np.concatenate([tau[kept[j], j] for j in range(6)])
joint = np.repeat(range(6), [k.sum() for k in kept])


def solve(weight):
    x = np.linalg.lstsq(W * weight[:, None], y * weight, rcond=None)[0]
    return x, y - W @ x, np.sqrt(np.diag(np.linalg.inv((W * weight[:, None] ** 2).T @ W)))


free = (len(y) - len(leading)) / len(y)
ordinary, residual, sigma = solve(np.ones(len(y)))
sigma *= np.sqrt(residual @ residual / len(y) / free)
residuals = [np.linalg.norm(residual) / np.linalg.norm(y)]
for _ in range(30):
    noise = np.array([np.sqrt(np.mean(residual[joint == j] ** 2) / free) for j in range(6)])[joint]
    weighted, residual, weighted_sigma = solve(1 / noise)
residuals.append(np.linalg.norm(residual) / np.linalg.norm(y))

with open(Path(__file__).parent / "tx40_parameters.csv", "w") as out:
    out.write(",".join(["residual", *(repr(float(r)) for r in residuals)]) + "\n")
    for k, expression in enumerate(expressions):
        numbers = ordinary[k], sigma[k], weighted[k], weighted_sigma[k]
        out.write(",".join([expression, *(repr(float(x)) for x in numbers)]) + "\n")
