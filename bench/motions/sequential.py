"""After a poor log: does a short motion mend what the log left unclear?

In the poor log two joints hardly move (2 % of their amplitude). Deviations are observed over seeds of the noise, with
the first log alone and with both; the five worst are those of the first log, relative to the values of the file.
"""

import os
from pathlib import Path

import numpy as np

from running import run, steiner

SEEDS = range(1, 31)
DURATION = 8
HARDLY = 0.02
CASES = [("panda", ("link3", "link5")), ("ur5", ("link2", "link5")), ("puma560", ("link2", "link4"))]
HEAD = "| robot | hardly moved | CPU s | s | five worst: σ before → after (promised ratio, observed ratio) |"
RULE = "|---|---|---:|---:|---|"


def simulate(*arguments):
    done = run([os.environ["STEINER"], "simulate", *arguments])
    if done.code:
        raise SystemExit(f"simulate {arguments}: {done.err}")


def poor_motion(robot, joints, to: Path):
    """A random motion of which two joints keep a fiftieth."""
    simulate(robot, "--duration", 10, "--rate", 500, "--seed", 5, "-o", to)
    names = to.read_text().split("\n", 1)[0].split(",")
    table = np.loadtxt(to, delimiter=",", skiprows=1)
    kept = [k for k, name in enumerate(names) if name == "t" or name.startswith("q")]
    for k in kept:
        name = names[k].split("_", 1)
        if name[-1] in joints:
            middle = table[:, k].mean() if name[0] == "q" else 0.0
            table[:, k] = middle + HARDLY * (table[:, k] - middle)
    np.savetxt(to, table[:, kept], delimiter=",", header=",".join(names[k] for k in kept), comments="", fmt="%.17g")


def identified(robot, *logs):
    done, found = steiner("identify", robot, *logs, "--hold-out", 0, "--no-consistency", "--friction", "simple")
    if found is None:
        raise SystemExit(f"identify {robot}: {done.err}")
    return {parameter["name"]: parameter["least_squares"] for parameter in found["parameters"]}


def line(folder: Path, robot, joints):
    poor, first, motion, second = (folder / f"{robot}_{part}.csv" for part in ("poor", "first", "more", "second"))
    poor_motion(robot, joints, poor)
    follow = lambda path, seed, to: simulate(robot, "--trajectory", path, "--force-noise", 1, "--seed", seed, "-o", to)
    follow(poor, 1000, first)
    done, document = steiner("excite", robot, "--after", first, "--duration", DURATION, "--rate", 500, "--threads", 1,
                             "--no-self-collision", "-o", motion)
    if document is None or not document["feasible"]:
        raise SystemExit(f"excite {robot} --after: {done.err}")
    before, after = [], []
    for seed in SEEDS:
        follow(poor, seed, first)
        follow(motion, 100 + seed, second)
        before.append(identified(robot, first))
        after.append(identified(robot, first, second))
    known = {p["name"]: p for p in document["base_parameters"]}
    scatter = lambda rows, name: float(np.std([row[name] for row in rows], ddof=1))
    names = [name for name in known if all(name in row for row in before + after) and known[name]["sd_before"]]
    missing = sorted(set(known) - set(names))
    worst = sorted(names, key=lambda name: -known[name]["sd_before"])[:5]
    told = []
    for name in worst:
        promised = known[name]["sd_before"] / known[name]["sd"]
        observed = scatter(before, name) / scatter(after, name)
        told.append(f"{name}: {scatter(before, name):.3g} → {scatter(after, name):.3g} ({promised:.1f}, {observed:.1f})")
    print(f"| {robot} | {', '.join(joints)} | {done.cpu:.2f} | {document['seconds']:.2f} | {'; '.join(told)} |", flush=True)
    if missing:
        print(f"  {robot}: not in both identifications or not in the log: {', '.join(missing)}")


def table(folder: Path):
    print(f"{HEAD}\n{RULE}")
    for robot, joints in CASES:
        line(folder, robot, joints)
