"""Runs both sides of the benchmark in turn, checks that they agree and prints the table. Called by bench/run."""

import argparse
import pathlib
import re
import statistics
import subprocess
import sys

import numpy as np

ROBOTS = {
    "panda": ("panda_description/urdf/panda.urdf", "fixed"),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "fixed"),
    "go2": ("go2_description/urdf/go2.urdf", "floating"),
    "g1": ("g1_description/urdf/g1_29dof_rev_1_0.urdf", "floating"),
}
# What is timed: title, Steiner's task, Pinocchio's task, what a sample's output is.
ROWS = [
    ("batch regressor, 1 MB buffer", "batch", "batch", "regressor"),
    ("  Pinocchio copying out", "batch", "batch-copied", "regressor"),
    ("  into 256 MB", "dram", "dram", "regressor"),
    ("  two threads, 1 MB each", "two-threads", "two-threads", "regressor"),
    ("  two threads, 256 MB", "dram-two-threads", "dram-two-threads", "regressor"),
    ("single-sample regressor", "single", "single", None),
    ("inverse dynamics", "inverse-dynamics", "inverse-dynamics", None),
    ("batch inverse dynamics", "batch-inverse-dynamics", "batch-inverse-dynamics", None),
]
COUNTED = ["batch", "single", "inverse-dynamics", "batch-inverse-dynamics"]


class Sides:
    def __init__(self, name, robots, work):
        urdf, self.base = ROBOTS[name]
        self.name, self.work = name, work
        self.urdf, self.stem = str(robots / urdf), str(work / name)
        here = pathlib.Path(__file__).parent
        subprocess.run([sys.executable, here / "export.py", self.urdf, self.base, self.stem], check=True)

    def command(self, side, task, *rest, counted=False):
        program = self.work / (side + ("-counted" if counted else ""))
        model = self.stem + ".model" if side == "pinocchio" else self.urdf
        return [str(program), model, self.base, self.stem + ".states", task, *map(str, rest)]

    def run(self, side, task, *rest):
        return subprocess.run(self.command(side, task, *rest), check=True, capture_output=True, text=True).stdout.split()

    def instructions(self, side, task):
        """Per sample: the difference of two runs, so that reading the robot cancels."""

        def total(samples):
            command = self.command(side, "count-" + task, samples, counted=True)
            valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
            said = subprocess.run(valgrind + command, check=True, capture_output=True, text=True).stderr
            return int(re.search(r"Collected : (\d+)", said).group(1))

        few, many = 64, 320
        return (total(many) - total(few)) / (many - few)

    def difference(self):
        """The largest difference of regressors and of forces, relative to the largest entry of the sample."""
        results = []
        for side in ("steiner", "pinocchio"):
            file = f"{self.stem}.{side}"
            self.run(side, "write", file)
            results.append(np.fromfile(file))
        rows, bodies, stride, _ = map(int, self.run("steiner", "shape"))
        count = results[0].size // (stride + rows)

        def worst(part):
            ours, theirs = (part(result).reshape(count, -1) for result in results)
            return np.max(np.abs(ours - theirs) / np.max(np.abs(theirs), axis=1, keepdims=True))

        return worst(lambda r: r[: count * stride]), worst(lambda r: r[count * stride :])


def measure(sides, rounds):
    """Median nanoseconds per sample for each (side, task), the sides taking turns."""
    tasks = [("steiner", row[1]) for row in ROWS] + [("pinocchio", row[2]) for row in ROWS]
    times = {key: [] for key in dict.fromkeys(tasks)}
    for _ in range(rounds):
        for _, ours, theirs, _ in ROWS:
            for key in (("steiner", ours), ("pinocchio", theirs)):
                times[key].append(float(sides.run(*key)[0]))
    return {key: statistics.median(values) for key, values in times.items()}


def table(sides, rounds):
    rows, bodies, stride, nonzero = map(int, sides.run("steiner", "shape"))
    regressor, forces = sides.difference()
    heading = (
        f"{sides.name} ({sides.base}): {rows} dof, {bodies} bodies, {8 * stride} bytes per regressor, {8 * nonzero} of them "
        f"not structurally zero; largest relative difference {regressor:.1e} (regressor), {forces:.1e} (forces)"
    )
    if max(regressor, forces) > 1e-9:
        sys.exit(f"bench/run: the two sides disagree\n{heading}")
    times = measure(sides, rounds)
    lines = []
    for title, ours, theirs, output in ROWS:
        steiner, pinocchio = times["steiner", ours], times["pinocchio", theirs]
        speed = f"{8 * nonzero / steiner:.1f}" if output else ""
        counts = ["", ""]
        if ours in COUNTED and ours == theirs:
            counts = [f"{sides.instructions(side, ours):.0f}" for side in ("steiner", "pinocchio")]
        lines.append([title, f"{steiner:.0f}", f"{pinocchio:.0f}", f"{pinocchio / steiner:.1f}", speed, *counts])
    return heading, lines


def against_native(sides, rounds):
    """One binary for all processors against a build for this one: nanoseconds per sample, taking turns."""
    lines = []
    for title, task, _, output in ROWS:
        if title.startswith("  Pinocchio"):
            continue
        pairs = [[float(sides.run(side, task)[0]) for side in ("steiner", "steiner-native")] for _ in range(rounds)]
        portable, native = (statistics.median(times) for times in zip(*pairs))
        ratio = statistics.median(ours / theirs for ours, theirs in pairs)
        lines.append([title, f"{portable:.0f}", f"{native:.0f}", f"{ratio:.2f}"])
    return f"{sides.name} ({sides.base})", lines


NATIVE_COLUMNS = ["", "portable ns", "native ns", "ratio"]
COLUMNS = ["", "Steiner ns", "Pinocchio ns", "ratio", "GB/s", "Steiner instr.", "Pinocchio instr."]


def plain(columns, heading, lines):
    print("\n" + heading)
    for line in [columns, *lines]:
        print(f"  {line[0]:<30}" + "".join(f"{cell:>17}" for cell in line[1:]))


def markdown(columns, heading, lines):
    name, rest = heading.split(" ", 1)
    print(f"\n**{name}** {rest}\n")
    print("| " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * (len(columns) - 1))
    for line in lines:
        print("| " + " | ".join([line[0].strip(), *line[1:]]) + " |")


def main():
    arguments = argparse.ArgumentParser(prog="bench/run")
    arguments.add_argument("robots", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments.add_argument("work", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments.add_argument("--markdown", action="store_true", help="print the table in Markdown too")
    arguments.add_argument("--quick", action="store_true", help="one round instead of five")
    arguments.add_argument("--native", action="store_true", help="against a build of Steiner for this processor")
    options = arguments.parse_args()
    columns, measured = (NATIVE_COLUMNS, against_native) if options.native else (COLUMNS, table)
    tables = []
    for name in ROBOTS:
        tables.append(measured(Sides(name, options.robots, options.work), 1 if options.quick else 5))
        plain(columns, *tables[-1])
        sys.stdout.flush()
    if options.markdown:
        for each in tables:
            markdown(columns, *each)


main()
