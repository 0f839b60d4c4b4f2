"""Excitation: motions of bench/excitation, one seed of each, in the columns of the leaderboard."""

import numpy as np

import robots
from arms import excite
from motion import Fourier, Sampled
from running import peer
from scoring import Arm, score, violations

ROBOTS = [robots.PANDA, robots.UR10]
# FIGAROH's own 200 take four CPU minutes for each robot.
FIGAROH_ITERATIONS = 25


def rows(folder):
    files = robots.write(folder, ROBOTS)
    for name in ROBOTS:
        file, duration = files[name], robots.DURATION[name]
        arm = Arm(file)
        cpu, motion, _ = excite(arm, file, duration, "--seed", 0)
        random = folder / f"{name}_random_stretched.npz"
        random_cpu = peer("random_motions.py", file, duration, 0, "--stretched", out=random)
        found = np.load(random)
        best = Fourier(duration, *(found[f"best_{part}"] for part in ("centre", "sine", "cosine")))
        splines = folder / f"{name}_figaroh.npz"
        splines_cpu = peer("figaroh_splines.py", file, duration, 0, "--iterations", FIGAROH_ITERATIONS, out=splines)
        theirs = None
        if splines_cpu is not None:
            found = np.load(splines)
            theirs = Sampled(duration, found["q"], found["v"], found["a"])
        motions = [motion, best, theirs]
        values = [score(arm, m).log_det if m else -np.inf for m in motions]
        texts = [f"{value:.1f}" if np.isfinite(value) else "no feasible motion" for value in values]
        texts = [f"**{text}**" if value == max(values) else text for text, value in zip(texts, values)]
        title = f"excitation: {robots.TITLE[name]}, {duration:.0f} s"
        yield [title, "log det", *texts, "n/a"]
        excess = [str(violations(arm, m)) if m else "–" for m in motions]
        yield [title, "samples beyond limits at 20 kHz", *excess, "n/a"]
        cpus = [cpu, random_cpu, splines_cpu or np.inf]
        yield [title, "CPU s (process)", *[f"**{c:.2g}**" if c == min(cpus) else f"{c:.2g}" for c in cpus], "n/a"]
