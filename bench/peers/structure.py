"""How many combinations of inertial parameters can be identified: of trees, and of robots with loops."""

import json
import os
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pinocchio
from figaroh.tools.qrdecomposition import get_baseParams
from figaroh.tools.regressor import build_regressor_basic, build_regressor_reduced, get_index_eliminate

from robots import examples
from running import run

# Files of example-robot-data, and whether the base floats.
TREES = {
    "UR5": ("ur_description/urdf/ur5_robot.urdf", False),
    "Panda": ("panda_description/urdf/panda.urdf", False),
    "Tiago": ("tiago_description/robots/tiago.urdf", False),
    "Solo 12": ("solo_description/robots/solo12.urdf", True),
    "Talos, reduced": ("talos_data/robots/talos_reduced.urdf", True),
}
# Robots of Steiner's zoo with closed loops.
LOOPS = ["four_bar", "five_bar", "palletizer", "delta", "stewart"]
STATES = 200
FIGAROH_STATES = 1000


def rows(_folder):
    for name, (file, floating) in TREES.items():
        path = examples() / file
        if not path.exists():
            yield [f"structure: {name}", "base parameters", f"skipped: no {file}", "", "", ""]
            continue
        title = f"structure: {name}" + (", floating base" if floating else "")
        ours, proven, seconds = steiner(path, "--floating" if floating else "--no-mimic")
        rank, in_doubles = numeric(path, floating)
        theirs, figaroh_seconds = figaroh(path, floating)
        yield [title, "base parameters", f"{ours}{proven}", str(rank), str(theirs), "n/a"]
        cells = [seconds, in_doubles, figaroh_seconds]
        yield [title, "CPU s", *best([f"{t:.2g}" if np.isfinite(t) else "n/a" for t in cells], cells), "n/a"]
    for name in LOOPS:
        ours, proven, seconds = steiner(name)
        yield [f"loops: {name}", "base parameters (CPU s)", f"**{ours}**{proven} ({seconds:.2g})", "n/a", "n/a", "n/a"]


def best(texts, values):
    least = min(values)
    return [f"**{text}**" if value == least else text for text, value in zip(texts, values)]


def steiner(robot, *options):
    """`steiner analyze`, as Pinocchio reads the file: printed digits, no mimic joints."""
    common = ["--snap", "0"] if isinstance(robot, Path) else []
    done = run([os.environ["STEINER"], "analyze", robot, "--json", *common, *options])
    document = json.loads(done.out)
    complete = document["certificate"]["complete"]
    return document["identifiable"], "" if complete else " (not proven)", done.cpu


def model_of(path, floating):
    root = [pinocchio.JointModelFreeFlyer()] if floating else []
    return pinocchio.buildModelFromUrdf(str(path), *root)


def states(model, count):
    random = np.random.default_rng(0)
    q = np.array([pinocchio.integrate(model, pinocchio.neutral(model), random.uniform(-2, 2, model.nv)) for _ in range(count)])
    return q, random.uniform(-2, 2, (count, model.nv)), random.uniform(-5, 5, (count, model.nv))


def numeric(path, floating):
    """The rank of Pinocchio's regressor at random states."""
    begun = time.process_time()
    model = model_of(path, floating)
    data = model.createData()
    stack = np.vstack([pinocchio.computeJointTorqueRegressor(model, data, *state) for state in zip(*states(model, STATES))])
    lengths = np.linalg.norm(stack, axis=0)
    # Columns that are nothing but rounding would be blown up by the division.
    kept = lengths > 1e-12 * lengths.max()
    values = np.linalg.svd(stack[:, kept] / lengths[kept], compute_uv=False)
    return int((values > 1e-9 * values[0]).sum()), time.process_time() - begun


def figaroh(path, floating):
    """FIGAROH's base parameters from random states; its regressor has columns for as many bodies as velocities."""
    if floating:
        return "n/a (floating base)", float("inf")
    begun = time.process_time()
    model = model_of(path, floating)
    robot = SimpleNamespace(model=model, data=model.createData())
    if model.nq != model.nv:
        return "n/a (continuous joints)", float("inf")
    config = {"is_joint_torques": True, "act_idxv": list(range(model.nv))}
    w = build_regressor_basic(robot, *states(model, FIGAROH_STATES), config)
    names = {f"p{k}": 1.0 for k in range(w.shape[1])}
    eliminated, kept = get_index_eliminate(w, names)
    _, base, _ = get_baseParams(build_regressor_reduced(w, eliminated), kept, names)
    return len(base), time.process_time() - begun
