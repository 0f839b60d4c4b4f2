#!/usr/bin/env python3
"""How the time and memory of whole commands grow with the size of a mechanism.

    bench/growth.py [--markdown] [--quick] [--only NAME] [STEINER]

Writes chains and bushes with unaligned axes, rows of parallelograms and of Deltas on one base, runs
`steiner analyze --html` (certified) and `steiner info` on them, and prints processor seconds, peak memory and the
size of the page, with the exponent between the last two sizes. STEINER is the command (default:
target/release/steiner). Goals stand beside what they are about; a missed one ends the run with an error.
"""

import argparse
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DELTA = ROOT / "crates/formats/zoo/delta.toml"


def tree(count, parent_of, turned):
    """Hinges in all directions; frames are turned by decimal angles, which no exact field has, if `turned`."""
    noise = random.Random(count)
    text = ['name = "tree"', "gravity = [0, 0, -9.81]"]
    for k in range(count):
        axis = [round(noise.uniform(-1, 1), 3) for _ in range(3)]
        xyz = [round(noise.uniform(-0.3, 0.3), 3) for _ in range(3)]
        rpy = [round(noise.uniform(-3, 3), 3) for _ in range(3)]
        parent = "base" if k == 0 else f"l{parent_of(k)}"
        text.append(
            f'[[body]]\nname = "l{k}"\nparent = "{parent}"\njoint = "revolute"\n'
            f"axis = {axis}\nxyz = {xyz}" + (f"\nrpy = {rpy}" if turned else "")
        )
    return "\n".join(text)


def chain(count):
    return tree(count, lambda k: k - 1, False)


def bush(count):
    return tree(count, lambda k: (k - 1) // 2, False)


def turned_chain(count):
    return tree(count, lambda k: k - 1, True)


def urdf_chain(count):
    noise = random.Random(count)
    text = ['<robot name="chain"><link name="base"/>']
    for k in range(count):
        axis, xyz = (" ".join(f"{noise.uniform(-1, 1):.3f}" for _ in range(3)) for _ in range(2))
        parent = f"l{k - 1}" if k else "base"
        text.append(
            f'<link name="l{k}"/><joint name="j{k}" type="continuous"><parent link="{parent}"/><child link="l{k}"/>'
            f'<origin xyz="{xyz}"/><axis xyz="{axis}"/></joint>'
        )
    return "\n".join(text) + "</robot>"


def parallelograms(count):
    text = ['name = "parallelograms"', "gravity = [0, -9.81, 0]"]
    for k in range(count):
        text.append(f"""
[[body]]
name = "crank{k}"
parent = "base"
joint = "revolute"
axis = [0, 0, 1]
xyz = [{k}, 0, 0]
[[body]]
name = "coupler{k}"
parent = "crank{k}"
joint = "revolute"
axis = [0, 0, 1]
xyz = [0.3, 0.4, 0]
[[body]]
name = "rocker{k}"
parent = "base"
joint = "revolute"
axis = [0, 0, 1]
xyz = [{k}.6, 0, 0]
[[loop]]
name = "pin{k}"
joint = "revolute"
axis = [0, 0, 1]
predecessor = {{ body = "coupler{k}", xyz = [0.6, 0, 0] }}
successor = {{ body = "rocker{k}", xyz = [0.3, 0.4, 0] }}""")
    return "\n".join(text)


def deltas(count):
    """The zoo's Delta several times on one base, a metre apart."""
    head, *parts = DELTA.read_text().split("\n[[")
    lengths = head[head.index("[lengths]"):]
    text = ['name = "deltas"', "gravity = [0, 0, -9.81]"]
    motors = [f'"{motor}_{k}"' for k in range(count) for motor in ("arm0", "arm1", "arm2")]
    text += [f"independent = [{', '.join(motors)}]", lengths]
    for k in range(count):
        for part in parts:
            own = "[[" + part
            for name in ("arm0", "arm1", "arm2", "plat", *(f"rod{i}{j}" for i in range(3) for j in range(2)),
                         *(f"loop{i}" for i in range(1, 6))):
                own = own.replace(f'"{name}"', f'"{name}_{k}"')
            if 'parent = "base"' in own:
                own = own.replace('xyz = ["', f'xyz = ["{k}+', 1)
            text.append(own)
    return "\n".join(text)


class Run:
    """What a command took."""

    def __init__(self, command, page):
        done = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        _, status, used = os.wait4(done.pid, 0)
        self.failed = status != 0
        self.error = done.stderr.read().decode()[:200] if self.failed else ""
        self.seconds = used.ru_utime + used.ru_stime
        self.megabytes = used.ru_maxrss / 1024
        self.page = page.stat().st_size / 1e6 if page and page.exists() else None


# (name, maker, command, sizes, goals by size: (seconds, MB, MB of the page))
FAMILIES = [
    ("chain", chain, "analyze", [50, 100, 200, 1000], {100: (0.3, None, None), 1000: (5, 1000, 5)}),
    ("chain, turned", turned_chain, "analyze", [50, 100, 200, 1000], {100: (0.3, None, None), 1000: (5, 1000, 5)}),
    ("bush", bush, "analyze", [50, 100, 200, 1000], {100: (0.3, None, None), 1000: (5, 1000, 5)}),
    ("parallelograms", parallelograms, "analyze", [5, 10, 20, 40], {20: (1, None, None)}),
    ("Deltas", deltas, "analyze", [2, 5, 10, 20], {20: (5, None, None)}),
    ("chain (URDF)", urdf_chain, "info", [1000, 5000, 20000], {20000: (2, 200, None)}),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steiner", nargs="?", default=str(ROOT / "target/release/steiner"))
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--quick", action="store_true", help="without the largest of each family")
    parser.add_argument("--only", help="families whose name begins so")
    parser.add_argument("--keep", help="a folder for the files")
    arguments = parser.parse_args()
    missed = []
    columns = ["command", "mechanism", "size", "s", "MB", "page MB", "grows with"]
    widths = [8, 15, 6, 8, 7, 8, 10]

    def row(cells):
        if arguments.markdown:
            print("| " + " | ".join(cells) + " |", flush=True)
        else:
            print("  ".join(cell.rjust(width) for cell, width in zip(cells, widths)), flush=True)

    row(columns)
    if arguments.markdown:
        print("|" + "---|" * len(columns))
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(arguments.keep or scratch)
        for name, maker, command, sizes, goals in FAMILIES:
            if arguments.only and not name.startswith(arguments.only):
                continue
            before = None
            for size in sizes[:-1] if arguments.quick else sizes:
                ending = "urdf" if maker is urdf_chain else "toml"
                robot = folder / f"{maker.__name__}{size}.{ending}"
                robot.write_text(maker(size))
                page = folder / "page.html" if command == "analyze" else None
                run = Run([arguments.steiner, command, str(robot)] + (["--html", str(page)] if page else []), page)
                exponent = ""
                if before and before[1] > 0.02:
                    exponent = f"n^{math.log(run.seconds / before[1]) / math.log(size / before[0]):.1f}"
                seconds, memory, megabytes = goals.get(size, (None, None, None))
                said = [(run.seconds, seconds), (run.megabytes, memory), (run.page or 0, megabytes)]
                late = run.failed or any(goal is not None and value > goal for value, goal in said)
                if late:
                    missed.append(f"{command} {name} {size}: {run.error}")
                row([command, name, str(size), f"{run.seconds:.2f}", f"{run.megabytes:.0f}",
                     f"{run.page:.2f}" if run.page else "", exponent + (" !" if late else "")])
                before = (size, run.seconds)
    if missed:
        sys.exit("missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
