"""The usual way from samples to base parameters: Pinocchio's regressor in a Python loop, scipy's QR. See bench/identification."""

import re
import sys
import time
from pathlib import Path

import cmeel
import numpy as np
import pinocchio
import scipy.linalg


def main():
    samples, ours = int(sys.argv[1]), open(sys.argv[2]).read()
    robots = Path(cmeel.__path__[0]).parent / "cmeel.prefix/share/example-robot-data/robots"
    full = pinocchio.buildModelFromUrdf(str(robots / "panda_description/urdf/panda.urdf"))
    fingers = [full.getJointId(name) for name in full.names if "finger" in name]
    model = pinocchio.buildReducedModel(full, fingers, pinocchio.neutral(full))
    data = model.createData()
    random = np.random.default_rng(1)
    q, v, a = (random.uniform(-1, 1, (samples, model.nv)) for _ in range(3))
    regressor = pinocchio.computeJointTorqueRegressor
    # Base columns as they are usually found: a pivoted QR of a few samples.
    few = np.vstack([regressor(model, data, q[k], v[k], a[k]) for k in range(200)])
    r, order = scipy.linalg.qr(few, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(r))
    base = np.sort(order[: int((diagonal > 1e-9 * diagonal[0]).sum())])
    tau = random.standard_normal((samples, model.nv))

    started = time.perf_counter()
    rows = np.empty((samples * model.nv, len(base) + 1))
    for k in range(samples):
        rows[k * model.nv : (k + 1) * model.nv, :-1] = regressor(model, data, q[k], v[k], a[k])[:, base]
    looped = time.perf_counter() - started
    rows[:, -1] = tau.ravel()
    (triangle,) = scipy.linalg.qr(rows, mode="r", overwrite_a=True, check_finite=False)
    scipy.linalg.solve_triangular(triangle[: len(base), : len(base)], triangle[: len(base), -1])
    seconds = time.perf_counter() - started
    print(f"Pinocchio {pinocchio.__version__} and scipy: {len(base)} base parameters; loop {looped:.2f} s, with QR {seconds:.2f} s")
    wanted = r"drives false: .* one pass ([0-9.]+) s; .* consistency ([0-9.]+) s"
    one_pass, all_of_it = (float(x) for x in re.search(wanted, ours).groups())
    print(f"{seconds / one_pass:.1f} times one pass, {seconds / all_of_it:.1f} times identification with uncertainties and consistency")


main()
