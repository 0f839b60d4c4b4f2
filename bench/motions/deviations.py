"""Do promised deviations come true? excite → simulate with noise → identify, over many seeds of the noise."""

import os
from pathlib import Path

import numpy as np

from running import run, steiner

SEEDS = range(1, 51)
NOISE = 1.0
# (robot, options of reading)
ROBOTS = [("panda", []), ("delta", []), ("go2", ["--lock", "base_link=0"])]
HEAD = "| robot | parameters | median observed / promised | 5 %–95 % | least | largest | outside 45 % | bias over its error, rms |"
RULE = "|---|---:|---:|---|---:|---:|---:|---:|"


def estimates(robot, reading, motion: Path, log: Path):
    """Least squares of every base parameter, one row each seed."""
    rows, names, truth = [], None, None
    for seed in SEEDS:
        made = run([os.environ["STEINER"], "simulate", robot, *reading, "--trajectory", motion, "--force-noise", NOISE,
                    "--seed", seed, "-o", log])
        if made.code:
            raise SystemExit(f"simulate {robot}: {made.err}")
        # All samples, and no friction terms beyond those of the design.
        done, found = steiner("identify", robot, *reading, log, "--hold-out", 0, "--no-consistency", "--friction", "simple")
        if found is None:
            raise SystemExit(f"identify {robot}: {done.err}")
        names = [parameter["name"] for parameter in found["parameters"]]
        truth = [parameter["prior"] for parameter in found["parameters"]]
        rows.append([parameter["least_squares"] for parameter in found["parameters"]])
    return names, np.array(truth, dtype=float), np.array(rows)


def line(folder: Path, robot, reading):
    motion, log = folder / f"{robot}_motion.csv", folder / f"{robot}_log.csv"
    done, document = steiner("excite", robot, *reading, "--no-self-collision", "--threads", 1, "--noise", NOISE, "-o", motion)
    if document is None or not document["feasible"]:
        raise SystemExit(f"excite {robot}: {done.err}")
    names, truth, values = estimates(robot, reading, motion, log)
    promised = np.array([document["sd"][name] for name in names])
    ratio = values.std(axis=0, ddof=1) / promised
    error = (values.mean(axis=0) - truth) / (values.std(axis=0, ddof=1) / np.sqrt(len(values)))
    far = [(names[k], ratio[k]) for k in np.argsort(-np.abs(np.log(ratio))) if not 0.55 <= ratio[k] <= 1.45]
    low, high = np.quantile(ratio, [0.05, 0.95])
    print(
        f"| {robot} | {len(names)} | {np.median(ratio):.3f} | {low:.2f}–{high:.2f} | {ratio.min():.2f} | {ratio.max():.2f} "
        f"| {len(far)} | {np.sqrt((error**2).mean()):.2f} |",
        flush=True,
    )
    for name, value in far[:8]:
        print(f"  {robot} {name}: observed / promised {value:.2f}")
    return names, ratio


def table(folder: Path, robots=None):
    print(f"{HEAD}\n{RULE}")
    for robot, reading in ROBOTS:
        if robots is None or robot in robots:
            line(folder, robot, reading)
