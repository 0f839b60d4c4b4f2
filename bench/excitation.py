"""Excitation: Steiner's motions beside those of its peers. See bench/excitation."""

import argparse
import importlib.metadata
import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "motions"))
import arms
import deviations
import obstacles
import others
import robots
import sequential

PARTS = ["arms", "obstacles", "others", "deviations", "sequential"]


def versions() -> str:
    names = ["pin", "jax", "cyipopt-wheels", "figaroh", "numpy"]
    own = subprocess.run([os.environ["STEINER"], "--version"], capture_output=True, text=True).stdout.strip()
    found = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)
    return f"{date.today()}, {own}, {found}, Python {platform.python_version()}"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parts", nargs="*", default=PARTS)
    arguments.add_argument("--folder", type=Path, required=True)
    arguments.add_argument("--robots", default=",".join(robots.DURATION))
    arguments.add_argument("--slow", action="store_true", help="FIGAROH, too: four minutes for each robot")
    given = arguments.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        arguments.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    print(f"{versions()}\n")
    if "arms" in given.parts:
        names = given.robots.split(",")
        files = robots.write(given.folder, names)
        print(f"{arms.HEAD}\n{arms.RULE}")
        for name in names:
            arms.table(given.folder, files[name], name, given.slow)
    verbs = {
        "obstacles": lambda: obstacles.table(given.folder),
        "others": others.table,
        "deviations": lambda: deviations.table(given.folder),
        "sequential": lambda: sequential.table(given.folder),
    }
    for part in given.parts:
        if part in verbs:
            print(f"\n{part}\n")
            verbs[part]()


main()
