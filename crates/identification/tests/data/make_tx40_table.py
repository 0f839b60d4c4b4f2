"""Writes tx40.csv: a few numbers of the published processing of the TX40 recording, computed with NumPy and SciPy.

    python make_tx40_table.py FOLDER      (the folder with motor_positions.csv and motor_torques.csv; needs numpy and scipy)

One line per answer: its name, then its numbers. Signals are given at four samples for all six joints.
"""

import sys
from pathlib import Path

import numpy as np
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
answers = {"rows": [len(q)], "joint side q": q[[0, 9999, 20000, 44999]].ravel(), "joint side tau": tau[[0, 9999, 20000, 44999]].ravel()}

b, a = signal.butter(4, 100 / 2500)
q = signal.filtfilt(b, a, q, axis=0, padtype="odd", padlen=12)
h = 1 / 5000
qd = (q[2:] - q[:-2]) / (2 * h)
qdd = (q[2:] - 2 * q[1:-1] + q[:-2]) / h**2
q, qd, qdd, tau = q[20:-20], qd[19:-19], qdd[19:-19], tau[20:-20]  # 20 samples off at both ends
answers["trimmed"] = [len(q)]
for _ in range(2):
    q, qd, qdd, tau = (signal.decimate(x, 10, axis=0, zero_phase=True) for x in (q, qd, qdd, tau))
    answers[f"decimated {_ + 1}"] = [len(q)]
for name, values in [("q", q), ("qd", qd), ("qdd", qdd), ("tau", tau)]:
    answers[name] = values[[0, 100, 250, 449]].ravel()
answers["kept"] = (np.abs(qd) >= np.array([0.05009, 0.05009, 0.07505, 0.07156, 0.05585, 0.12217])).sum(0)

with open(Path(__file__).parent / "tx40.csv", "w") as out:
    for name, values in answers.items():
        out.write(",".join([name, *(repr(float(value)) for value in values)]) + "\n")
