"""Steiner and its peers on the same tasks, in one table. See bench/leaderboard."""

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "peers"), str(HERE / "motions")]
import designs
import recordings
import structure

PARTS = {"structure": structure.rows, "recordings": recordings.rows, "excitation": designs.rows}
HEAD = "| task | what is compared | Steiner | Pinocchio + NumPy | FIGAROH | MuJoCo sysid |\n|---|---|---|---|---|---|"

PAGE = """# Leaderboard

Steiner beside the peers that install from PyPI, on the same tasks. `bench/leaderboard` made this page: {dates}, {versions}.
The best of a row is bold, where a row has a best. Absolute times depend on the machine; peers compute with one
thread.

{table}

Where a peer is ahead:

{behind}

How to read it:

{notes}
"""
# What is not measured: what each can be asked at all.
SCOPE = [
    ["scope: kinematic (geometric) calibration", "can be asked", "no", "no", "**yes**", "partly (any model parameter)"],
    ["scope: contacts, tendons, controller gains", "can be asked", "no", "no", "no", "**yes** (any model parameter)"],
    ["scope: cost functions of one's own", "can be asked", "no", "**yes** (it is NumPy)", "partly", "**yes**"],
    ["scope: closed loops", "can be asked", "**yes**", "no", "no", "**yes** (soft)"],
]
NOTES = [
    "**CPU s**: Steiner's are those of its whole command, from reading the file to writing the answer. Those of the peers "
    "begin after the imports of Python, except where it says *process*. Other work on the machine raises those of all: "
    "between two runs of this table, one beside such work, by up to two thirds.",
    "**Base parameters**: the number of identifiable combinations. Pinocchio + NumPy is the rank of its regressor at 200 "
    "random states by singular values (relative threshold 1e-9); FIGAROH its own QR decomposition with its own tolerance. "
    "Steiner's number is decided in exact arithmetic. MuJoCo's toolbox does not ask which parameters can be found.",
    "**Loops**: peers have a regressor of trees only; *n/a* means that the question cannot be asked of them.",
    "**Held-out residual**: root mean square of the error of predicted torques, relative to that of the measured ones, on "
    "samples that nobody was fitted to. *Same samples*: all get them behind the same filter (zero-phase Butterworth, differences), "
    "and Steiner's own filters are switched off; its model is physically consistent, least squares need not be, which costs "
    "residual where the filter distorts. *Raw log*: Steiner with its defaults; the peers behind a filter at the cut-off it chose. That favours Steiner: its regressor passes the filter of the forces, theirs does not, and a low cut-off costs them much.",
    "*Pinocchio + NumPy* is weighted least squares with rotor inertia, viscous and Coulomb friction and offset for each joint: "
    "no physical consistency, no uncertainty. *Same friction model*: these terms for Steiner, too; its default chooses further ones.",
    "**MuJoCo sysid** fits simulated motion to recorded motion (windows of 0.2 s, pseudo-inertias, armature, damping, "
    "dry friction; at most {iterations} iterations); its model is judged by its inverse dynamics like the others. It optimises "
    "another criterion than the one judged here.",
    "**Excitation**: log det of YᵀY / samples on the same base columns, larger is better, scored by NumPy and Pinocchio; "
    "*Pinocchio + NumPy* is the best of 1000 random motions, stretched to their limits. In brackets: by how much a limit is exceeded "
    "at most, in position, velocity and torque.",
    "**Chosen after looking at results**: the common cut-off of the pendulum (5 Hz; at 15 Hz the defaults were worse than least "
    "squares in runs 0, 3 and 5), and bounds and iterations of MuJoCo's toolbox. Where its residual is above 100 %, our use of it "
    "is poor; that says nothing of its quality.",
]


def versions() -> str:
    own = subprocess.run([os.environ["STEINER"], "--version"], capture_output=True, text=True, check=True).stdout.strip()
    peers = ["pin", "numpy", "figaroh", "mujoco", "scipy", "example-robot-data"]
    found = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in peers)
    return f"{own}, {found}, Python {platform.python_version()}, {os.cpu_count()} cores"


def saved(folder: Path, part: str) -> Path:
    """Where the rows of a part are kept until all have been measured."""
    return folder / f"{part}.json"


def behind(table) -> str:
    """The rows whose best is a peer's and not Steiner's, by what is compared."""
    is_best = lambda cell: cell.startswith("**")
    tasks = {}
    for task, compared, own, *peers in table:
        if any(map(is_best, peers)) and not is_best(own):
            tasks.setdefault(compared, []).append(task)
    return "\n".join(f"- {compared}: {'; '.join(names)}" for compared, names in tasks.items())


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parts", nargs="*", metavar="PART")
    arguments.add_argument("--folder", type=Path, required=True)
    arguments.add_argument("--page", type=Path, required=True)
    given = arguments.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        arguments.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    print(f"{date.today()}, {versions()}\n\n{HEAD}", flush=True)
    line = lambda row: "| " + " | ".join(row) + " |"
    for name in given.parts or PARTS:
        measured, begun = [], str(date.today())
        for row in PARTS[name](given.folder):
            measured.append(list(row))
            print(line(row), flush=True)
        saved(given.folder, name).write_text(json.dumps({"date": begun, "versions": versions(), "rows": measured}))
    table, dates = [], set()
    for name in PARTS:
        part = saved(given.folder, name)
        found = json.loads(part.read_text()) if part.exists() else {}
        if found.get("versions") != versions():
            print(f"\n{name} was not measured with these versions: the page is not written", file=sys.stderr)
            return
        table += found["rows"]
        dates.add(found["date"])
    table += SCOPE
    print("\n".join(map(line, SCOPE)))
    notes = "\n".join(f"- {note}" for note in NOTES).replace("{iterations}", str(recordings.ITERATIONS))
    given.page.write_text(PAGE.format(dates=" and ".join(sorted(dates)), versions=versions(), table=HEAD + "\n" + "\n".join(map(line, table)), behind=behind(table), notes=notes))
    print(f"\nwrote {given.page}", file=sys.stderr)


if __name__ == "__main__":
    main()
