"""Writes scipy.csv: what SciPy answers to the questions that the tests of the signals ask.

    python make_signal_tables.py          (needs numpy and scipy; written with SciPy 1.17)

One line per answer: its name, then its numbers with all their digits.
"""

from pathlib import Path

import numpy as np
from scipy import signal

k = np.arange(90)
x = np.sin(0.37 * k) + 0.3 * np.cos(2.1 * k) + 0.01 * k**1.5
answers = {"x": x}

for order, cutoff in [(1, 0.2), (2, 0.05), (3, 0.3), (4, 0.04), (5, 0.6), (8, 0.1)]:
    # cutoff is a part of the Nyquist frequency, as SciPy counts.
    sos = signal.butter(order, cutoff, output="sos")
    answers[f"gain {order} {cutoff}"] = np.abs(signal.sosfreqz(sos, worN=np.pi * np.array([0, 0.02, 0.1, 0.3, 0.5, 0.9]))[1])
    answers[f"sosfiltfilt {order} {cutoff}"] = signal.sosfiltfilt(sos, x)
b, a = signal.butter(4, 0.04)
answers["filtfilt 4 0.04 12"] = signal.filtfilt(b, a, x, padtype="odd", padlen=12)
answers["cheby1 gain"] = np.abs(
    signal.sosfreqz(signal.cheby1(8, 0.05, 0.08, output="sos"), worN=np.pi * np.array([0, 0.03, 0.05, 0.08, 0.1, 0.2]))[1]
)
for factor in (2, 3, 10):
    answers[f"decimate iir {factor}"] = signal.decimate(x, factor, ftype="iir", zero_phase=True)
    answers[f"decimate fir {factor}"] = signal.decimate(x, factor, ftype="fir", zero_phase=True)
answers["gradient"] = np.gradient(x, 0.01)[1:-1]
answers["welch"] = signal.welch(x, 50.0, "hann", nperseg=32, noverlap=16, detrend="constant")[1]

with open(Path(__file__).parent / "scipy.csv", "w") as out:
    for name, values in answers.items():
        out.write(",".join([name, *(repr(float(value)) for value in values)]) + "\n")
