"""Table of arms: Steiner and its peers under the same conditions, scored by the same independent code."""

from pathlib import Path

import numpy as np

import robots
from motion import Fourier, Sampled
from running import peer, steiner
from scoring import Arm, score, violations

SEEDS = range(5)
BASELINE_SEEDS = range(3)
# Steiner's default number of starts.
STARTS = 48
HEAD = "| robot | who | CPU s | cond | log det | sd ×10⁻³ | violations at 20 kHz (largest, relative) | bounds |"
RULE = "|---|---|---:|---:|---:|---:|---|---|"


def fourier_of(document, arm) -> Fourier:
    """The motion from the coefficients that `excite --json` prints, in Pinocchio's order of joints."""
    table = np.array([document["coefficients"][name] for name in list(arm.model.names)[1:]])
    return Fourier(document["duration"], table[:, 0], table[:, 1::2], table[:, 2::2])


def excite(arm, file, duration, *options):
    common = ["--duration", duration, "--no-drives", "--no-self-collision", "--threads", 1]
    done, document = steiner("excite", file, *common, *options)
    if done.code or document is None:
        raise SystemExit(f"steiner excite {file} {options}: {done.err.strip()}")
    return done.cpu, fourier_of(document, arm), document


class Table:
    def __init__(self, name, arm):
        self.name, self.arm, self.lines, self.values = name, arm, [], {}

    def add(self, who, cpus, motions, bounds=""):
        """One line for several runs: from the worst to the best."""
        scores = [score(self.arm, motion) for motion in motions]
        excess = [violations(self.arm, motion) for motion in motions]
        span = lambda values, form: form.format(min(values)) if len(set(values)) == 1 else (
            form.format(min(values)) + "–" + form.format(max(values)))
        worst = max(excess, key=lambda found: found.samples)
        self.values[who] = (np.median(cpus), scores)
        self.lines.append(
            f"| {robots.TITLE[self.name] if not self.lines else ''} | {who} | {span(cpus, '{:.3g}')} "
            f"| {span([s.condition for s in scores], '{:.0f}')} | {span([s.log_det for s in scores], '{:.1f}')} "
            f"| {span([1e3 * s.sd for s in scores], '{:.3g}')} | {worst} | {bounds} |"
        )
        print(self.lines[-1], flush=True)


def bounds_of(documents):
    count = {kind: sum(d["bounds"][kind] for d in documents) for kind in ("proven", "sampled", "violated")}
    return ", ".join(f"{number} {kind}" for kind, number in count.items() if number)


def table(folder: Path, file: Path, name: str, slow: bool) -> Table:
    arm, duration = Arm(file), robots.DURATION[name]
    out = Table(name, arm)
    runs = [excite(arm, file, duration, "--seed", seed) for seed in SEEDS]
    cpus, motions, documents = zip(*runs)
    out.add(f"Steiner, default, {len(SEEDS)} seeds", cpus, motions, bounds_of(documents))
    made = [folder / f"{name}_baseline_{seed}.npz" for seed in BASELINE_SEEDS]
    baseline = [peer("baseline.py", file, duration, seed, out=to) for seed, to in zip(BASELINE_SEEDS, made)]
    # By starts and not by seconds: those of a machine with other work are not CPU seconds.
    for who, times in [("ten times the starts", 10), ("the baseline's CPU time", np.median(baseline) / np.median(cpus))]:
        cpu, motion, document = excite(arm, file, duration, "--starts", round(STARTS * times))
        out.add(f"Steiner, {who}", [cpu], [motion], bounds_of([document]))
    plain = [np.load(to) for to in made]
    curves = [Fourier(duration, d["centre"], d["sine"], d["cosine"]) for d in plain]
    compiling = np.median([float(d["compiled"]) for d in plain])
    out.add(f"baseline: IPOPT, JAX gradients ({compiling:.0f} s of it compiling), {len(made)} seeds", baseline, curves)
    for kind, options in [("", []), (", each joint stretched", ["--stretched"])]:
        to = folder / f"{name}_random{'_stretched' if kind else ''}.npz"
        cpu = peer("random_motions.py", file, duration, 0, *options, out=to)
        found = np.load(to)
        for which in ("median", "best"):
            curve = Fourier(duration, *(found[f"{which}_{part}"] for part in ("centre", "sine", "cosine")))
            out.add(f"{which} of 1000 random motions{kind}", [cpu], [curve])
    if slow:
        to = folder / f"{name}_figaroh.npz"
        cpu = peer("figaroh_splines.py", file, duration, 0, out=to)
        if cpu is None:
            out.lines.append(f"| | FIGAROH 1.0.2, cubic splines, IPOPT | | no feasible motion | | | | |")
        else:
            found = np.load(to)
            out.add("FIGAROH 1.0.2, cubic splines, IPOPT", [cpu], [Sampled(duration, found["q"], found["v"], found["a"])])
    return out

