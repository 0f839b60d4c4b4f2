"""Runs competitors, each a process of its own, and tells their CPU seconds."""

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
# One thread each: CPU seconds are compared.
ALONE = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass
class Run:
    cpu: float
    wall: float
    code: int
    out: str
    err: str


def run(command, **options) -> Run:
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([str(c) for c in command], env=ALONE, capture_output=True, text=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(cpu, time.perf_counter() - begun, done.returncode, done.stdout, done.stderr)


def peer(script, *arguments, out: Path, fresh=False) -> float | None:
    """CPU seconds of a script of this folder that writes `out`; what is there already is not made again."""
    notes = out.with_suffix(".json")
    if fresh or not (out.exists() and notes.exists()):
        done = run([sys.executable, HERE / script, *arguments[:3], out, *arguments[3:]])
        if done.code:
            print(f"{script} {arguments}: {done.err.strip().splitlines()[-1:]}", file=sys.stderr)
            return None
        notes.write_text(json.dumps({"cpu": done.cpu}))
    return json.loads(notes.read_text())["cpu"]


def steiner(*arguments) -> tuple[Run, dict | None]:
    """`steiner … --json`, and its document if there is one."""
    done = run([os.environ["STEINER"], *arguments, "--json"])
    try:
        return done, json.loads(done.out)
    except ValueError:
        return done, None
