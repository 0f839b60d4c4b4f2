"""Regressors of 10,000 states from Python: `Robot.regressor(out=)` beside a loop over Pinocchio's
`computeJointTorqueRegressor`, in one process, one after the other, medians of repeats.

    .venv/bin/python bench/regressors.py [repeats]
"""

import sys
import time
from pathlib import Path

import cmeel
import numpy as np
import pinocchio as pin

import steiner

ROBOTS = Path(cmeel.__path__[0]).parent / "cmeel.prefix/share/example-robot-data/robots"
STATES = 10_000
CASES = [
    ("panda", "panda_description/urdf/panda.urdf", False, ["panda_finger_joint1", "panda_finger_joint2"], 15),
    ("ur5", "ur_description/urdf/ur5_robot.urdf", False, [], 15),
    ("go2", "go2_description/urdf/go2.urdf", True, [], 8),
]


def measure(name, file, floating, locked, wanted, repeats):
    path = ROBOTS / file
    model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer()) if floating else pin.buildModelFromUrdf(str(path))
    if locked:
        model = pin.buildReducedModel(model, [model.getJointId(joint) for joint in locked], pin.neutral(model))
    data = model.createData()
    robot = steiner.Robot(path, floating=floating, mimic=False, snap=0, lock={joint: 0 for joint in locked})
    rng = np.random.default_rng(1)
    far = np.full(model.nq, 3.0)
    q = np.array([pin.randomConfiguration(model, -far, far) for _ in range(STATES)])
    v, a = rng.normal(size=(2, STATES, model.nv))
    own_q = robot.q_from_pinocchio(q)
    out = np.empty((STATES, robot.dof, len(robot.labels)))

    def loop():
        for k in range(STATES):
            pin.computeJointTorqueRegressor(model, data, q[k], v[k], a[k])

    def seconds(work):
        started = time.perf_counter()
        work()
        return time.perf_counter() - started

    works = {
        "Pinocchio": loop,
        "one thread": lambda: robot.regressor(own_q, v, a, out=out, threads=1),
        "all threads": lambda: robot.regressor(own_q, v, a, out=out),
        "writing zeros": lambda: out.fill(0.0),
    }
    works["all threads"]()
    error = max(
        np.abs(out[k] - pin.computeJointTorqueRegressor(model, data, q[k], v[k], a[k])).max() for k in range(0, STATES, 97)
    )
    # In turns, so that what else the machine does hits all of them.
    rounds = [{what: seconds(work) for what, work in works.items()} for _ in range(repeats)]
    print(f"{name}: {out.nbytes / 1e6:.0f} MB, {wanted} times wanted, largest difference {error:.0e}")
    for called, of in (("median", np.median), ("fastest", np.min)):
        times = {what: float(of([one[what] for one in rounds])) for what in works}
        ratios = [times["Pinocchio"] / times[what] for what in ("one thread", "all threads")]
        words = ", ".join(f"{what} {1e3 * t:.2f} ms" for what, t in times.items())
        print(f"  {called}: {words}: {ratios[0]:.1f} times with one thread, {ratios[1]:.1f} with all")


if __name__ == "__main__":
    for case in CASES:
        measure(*case, repeats=int(sys.argv[1]) if len(sys.argv) > 1 else 15)
