"""How often the truth lies within the uncertainties: synthetic logs with everything at once.

Joint positions only, quantised as encoders do; forces as motor currents, of which one joint's gain is unknown;
friction that depends on load; noise that is correlated from sample to sample (AR(1)); torque sensors that
swing; forces that come late. The forces are those of this script, not of `steiner simulate`.

    python bench/coverage.py [--robots ur5,panda] [--seeds 200] [--rate 1000] [--duration 30] [--cases all]

Needs numpy and the package. Prints, for each case, the share of base parameters within 3 sigma of the truth
and the root mean square of (estimate - truth)/sigma over all seeds.
"""

import argparse
import concurrent.futures
import os
import tempfile
import time

import numpy as np

import steiner

# name: what the log has
CASES = {
    "white noise": dict(correlation=0.0),
    "AR(1) 0.99": dict(correlation=0.99),
    "AR(1) 0.999": dict(correlation=0.999),
    "load-dependent friction": dict(correlation=0.9, load=0.1),
    "quantised": dict(correlation=0.9, step=2 * np.pi / 2**17),
    "unknown gain": dict(correlation=0.9, gain=True),
    "flexible sensors": dict(correlation=0.9, flexible=60.0),
    "late forces": dict(correlation=0.9, lag=0.002),
    "everything": dict(correlation=0.999, load=0.1, step=2 * np.pi / 2**17, gain=True, flexible=60.0, lag=0.002),
}


def motion(dof, generator, t, period=10.0, harmonics=5):
    """A Fourier series per joint: positions, velocities, accelerations."""
    q, qd, qdd = (np.zeros((len(t), dof)) for _ in range(3))
    for k in range(1, harmonics + 1):
        w = 2 * np.pi * k / period
        a, b = generator.normal(size=(2, dof)) * 0.5 / np.sqrt(k)
        s, c = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
        q += a * s + b * c
        qd += w * (a * c - b * s)
        qdd -= w**2 * (a * s + b * c)
    return q, qd, qdd


def correlated(generator, shape, correlation):
    """AR(1) noise of unit variance."""
    white = generator.normal(size=shape)
    out = np.empty(shape)
    out[0] = white[0]
    fresh = np.sqrt(1 - correlation**2)
    for k in range(1, shape[0]):
        out[k] = correlation * out[k - 1] + fresh * white[k]
    return out


def swinging(tau, rate, frequency, damping=0.1):
    """What a sensor with a resonance shows: a second-order system, integrated exactly enough."""
    w, h = 2 * np.pi * frequency, 1.0 / rate
    x, v = tau[0].copy(), np.zeros(tau.shape[1])
    out = np.empty_like(tau)
    steps = 10
    for k in range(len(tau)):
        for _ in range(steps):
            v += h / steps * (w**2 * (tau[k] - x) - 2 * damping * w * v)
            x = x + h / steps * v
        out[k] = x
    return out


def log(robot, generator, rate, duration, case):
    """(columns, true parameters by label, gain of the first joint)."""
    dof = robot.dof
    t = np.arange(int(duration * rate)) / rate
    q, qd, qdd = motion(dof, generator, t)
    forces = robot.inverse_dynamics(q, qd, qdd)
    size = np.sqrt((forces**2).mean(axis=0)) + 0.05
    viscous, coulomb = 0.2 * size, 0.1 * size
    load = case.get("load", 0.0)
    tau = forces + viscous * qd + coulomb * np.sign(qd) + load * np.sign(qd) * np.abs(forces)
    if case.get("lag"):
        late = t - case["lag"]
        tau = np.stack([np.interp(late, t, tau[:, j]) for j in range(dof)], axis=1)
    if case.get("flexible"):
        tau = swinging(tau, rate, case["flexible"])
    tau = tau + 0.03 * size * correlated(generator, tau.shape, case["correlation"])
    if case.get("step"):
        q = np.round(q / case["step"]) * case["step"]
    else:
        q = q + 1e-6 * generator.normal(size=q.shape)
    truth = dict(zip(robot.labels, robot.parameters))
    for j, joint in enumerate(robot.joints):
        truth |= {f"{joint}.Ia": 0.0, f"{joint}.fv": viscous[j], f"{joint}.fc": coulomb[j], f"{joint}.offset": 0.0}
        truth[f"{joint}.fl"] = load
    gain = 1.0
    if case.get("gain"):
        gain = 11.0
        tau[:, 0] /= gain
        truth[f"{robot.joints[0]}.gain"] = gain
    return t, q, tau, truth


def run(job):
    """z of every base parameter of one log, with their names."""
    name, seed, rate, duration, title, extra = job
    robot = steiner.Robot(name)
    generator = np.random.default_rng(seed)
    case = CASES[title]
    t, q, tau, truth = log(robot, generator, rate, duration, case)
    joints = robot.joints
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.npz")
        np.savez(path, t=t, q=q, tau=tau)
        wishes = dict(extra)
        if case.get("gain"):
            wishes["unknown_gain"] = [joints[0]]
        started = time.process_time()
        found = steiner.identify(robot, path, **wishes)
        seconds = time.process_time() - started
    out = []
    for parameter in found.to_dict()["parameters"]:
        terms = parameter["terms"]
        if any(label not in truth for label, _ in terms):
            continue
        true = sum(factor * truth[label] for label, factor in terms)
        out.append((parameter["name"], parameter["least_squares"] - true, parameter["sigma"]))
    alarms = [alarm["kind"] for alarm in found.to_dict().get("alarms", [])]
    return title, seed, out, alarms, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--robots", default="ur5,panda")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rate", type=float, default=1000.0)
    parser.add_argument("--duration", type=float, default=30.0)
    parser.add_argument("--cases", default="all")
    parser.add_argument("--worst", type=int, default=0, help="print the worst parameters of each case")
    arguments = parser.parse_args()
    titles = list(CASES) if arguments.cases == "all" else arguments.cases.split(",")
    for name in arguments.robots.split(","):
        for title in titles:
            seeds = range(arguments.first, arguments.first + arguments.seeds)
            jobs = [(name, seed, arguments.rate, arguments.duration, title, {}) for seed in seeds]
            z, worst, alarms, seconds = [], [], {}, []
            with concurrent.futures.ProcessPoolExecutor(2) as pool:
                for _, seed, found, raised, spent in pool.map(run, jobs):
                    seconds.append(spent)
                    for kind in set(raised):
                        alarms[kind] = alarms.get(kind, 0) + 1
                    for label, difference, sigma in found:
                        if sigma is not None and np.isfinite(sigma):
                            z.append(difference / sigma)
                            worst.append((abs(difference / sigma), seed, label, difference, sigma))
            z = np.array(z)
            within = 100 * np.mean(np.abs(z) <= 3)
            print(
                f"{name:8} {title:24} {len(jobs):4} logs {len(z):6} values: within 3 sigma {within:5.1f} %, "
                f"rms z {np.sqrt(np.mean(z**2)):6.2f}, median |z| {np.median(np.abs(z)):.2f}, "
                f"{np.median(seconds):.1f} s; alarms {alarms}",
                flush=True,
            )
            for entry in sorted(worst, reverse=True)[: arguments.worst]:
                print("    z {:.1f} seed {} {} {:.4g} sigma {:.3g}".format(*entry))


if __name__ == "__main__":
    main()
