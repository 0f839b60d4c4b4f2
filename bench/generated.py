"""Times generated C against Pinocchio on robots of the zoo and prints one table. Needs what bench/run needs.

    python bench/generated.py PINOCCHIO GENERATE WORK [ROBOT…] [--markdown]

PINOCCHIO is bench/pinocchio.cpp compiled, GENERATE the benchmark `generated` of steiner-model, WORK a folder for files.
"""

import argparse
import pathlib
import statistics
import subprocess

import numpy as np
import pinocchio as pin

from export import random_states

ROBOTS = ["panda", "kr6", "lbr7", "ur5", "puma560", "go2"]
# Title, generated function, task of both sides, what Pinocchio runs.
ROWS = [
    ("inverse dynamics", "inverse_dynamics", "inverse-dynamics", "rnea"),
    ("base regressor", "base_regressor", "single", "computeJointTorqueRegressor"),
    ("mass matrix", "mass_matrix", "mass-matrix", "crba"),
    ("forward dynamics", "forward_dynamics", "forward-dynamics", "aba"),
]
ALIGNED = [pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ]
ALIGNED_SLIDES = [pin.JointModelPX, pin.JointModelPY, pin.JointModelPZ]


def joint_model(kind, axis):
    """The fastest joint Pinocchio has for it."""
    if kind == "floating":
        return pin.JointModelFreeFlyer()
    turns = kind in ("revolute", "continuous")
    if not turns and kind != "prismatic":
        raise SystemExit(f"generated.py: no joint for {kind}")
    for k in range(3):
        if np.array_equal(axis, np.eye(3)[k]):
            return (ALIGNED if turns else ALIGNED_SLIDES)[k]()
    return (pin.JointModelRevoluteUnaligned if turns else pin.JointModelPrismaticUnaligned)(axis)


def pinocchio_model(path):
    """Joints at the joint frames; a body frame elsewhere belongs to the placement of what follows."""
    model, frames = pin.Model(), []
    *bodies, gravity = path.read_text().splitlines()
    for k, line in enumerate(bodies):
        parent, kind, *numbers = line.split()
        parent, numbers = int(parent), np.array(numbers, dtype=float)
        axis, placement, frame, parameters = np.split(numbers, [3, 15, 27])
        placement, frame = (pin.SE3(p[:9].reshape(3, 3), p[9:]) for p in (placement, frame))
        if parent >= 0:
            placement = frames[parent] * placement
        frames.append(frame)
        joint = model.addJoint(parent + 1, joint_model(kind, axis), placement, f"joint{k}")
        model.appendBodyToJoint(joint, pin.Inertia.FromDynamicParameters(parameters), frame)
    model.gravity.linear = np.array(gravity.split(), dtype=float)
    return model


def prepare(robot, generate, folder, *flags):
    """Generates, compiles and writes states and model; returns the program, operation counts and the model."""
    said = subprocess.run([generate, robot, folder, *flags], check=True, capture_output=True, text=True).stdout
    program = folder / "generated"
    here = pathlib.Path(__file__).parent
    options = ["-std=c99", "-O3", "-march=native", "-ffp-contract=fast", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    sources = [here / "generated.c", folder / "robot_dynamics.c"]
    subprocess.run(["gcc", *options, f"-I{folder}", *sources, "-o", program, "-lm"], check=True)
    model = pinocchio_model(folder / "robot.txt")
    model.saveToText(str(folder / "model"))
    states = random_states(model, 1)
    header = [len(states[0]), states[0].shape[1], states[1].shape[1]]
    (folder / "states").write_bytes(np.concatenate([header, *(s.ravel() for s in states)]).astype("<f8").tobytes())
    counts = {words[0]: words[1:] for words in map(str.split, said.splitlines())}
    return program, counts, model, states


def errors(program, folder, model, states):
    """Against Pinocchio: the largest relative error of forces, and mean norms of the errors of forces and accelerations."""
    subprocess.run([program, folder / "states", "write", folder / "answers"], check=True)
    data = model.createData()
    wanted = np.array([pin.rnea(model, data, *state) for state in zip(*states)])
    forces, accelerations = np.split(np.fromfile(folder / "answers").reshape(len(wanted), -1), 2, axis=1)
    relative = np.max(np.abs(forces - wanted) / np.max(np.abs(wanted), axis=1, keepdims=True))
    if not relative < 1e-9:
        raise SystemExit(f"{folder}: the two sides disagree by {relative:.1e}")
    return relative, *(np.mean(np.linalg.norm(x, axis=1)) for x in (forces - wanted, accelerations - states[2]))


def nanoseconds(commands, rounds=5):
    """Medians over rounds that run all commands in turn."""
    times = [[] for _ in commands]
    for _ in range(rounds):
        for command, list_of_times in zip(commands, times):
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            list_of_times.append(float(said.split()[0]))
    return [statistics.median(list_of_times) for list_of_times in times]


def main():
    arguments = argparse.ArgumentParser(prog="bench/generated.py")
    for argument in ("pinocchio", "generate", "work"):
        arguments.add_argument(argument, type=pathlib.Path)
    arguments.add_argument("robots", nargs="*", default=ROBOTS)
    arguments.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    options = arguments.parse_args()
    for name in options.robots:
        folder = options.work / name
        program, counts, model, states = prepare(name, options.generate, folder)
        relative, *_ = errors(program, folder, model, states)
        print(f"\n{name}: forces differ by {relative:.1e} of the largest")
        if options.markdown:
            print("\n| | × | + | ÷ | generated ns | Pinocchio ns | ratio |\n|---|---:|---:|---:|---:|---:|---:|")
        for title, function, task, peer in ROWS:
            ours, theirs = nanoseconds(
                [
                    [program, folder / "states", task],
                    [options.pinocchio, folder / "model", "fixed", folder / "states", task],
                ]
            )
            cells = [f"{title} ({peer})", *counts[function], f"{ours:.0f}", f"{theirs:.0f}", f"{theirs / ours:.1f}"]
            line = "| " + " | ".join(cells) + " |"
            print(line if options.markdown else f"  {cells[0]:<48}" + "".join(f"{cell:>9}" for cell in cells[1:]))


if __name__ == "__main__":
    main()
