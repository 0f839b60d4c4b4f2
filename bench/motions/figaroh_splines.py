"""FIGAROH's optimal trajectory: cubic splines through waypoints, condition number, IPOPT.

    python figaroh_splines.py ROBOT.urdf DURATION SEED OUT.npz [--iterations N]

As in FIGAROH's examples: a class for the robot that only says which problem IPOPT gets. Collisions are not asked of
anybody here. The motion is sampled at 20 kHz by FIGAROH's own spline.
"""

import argparse
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pinocchio
from figaroh.optimal.base_optimal_trajectory import BaseOptimalTrajectory, BaseTrajectoryIPOPTProblem

from scoring import FINE

# Waypoints are a second apart, so 11 of them in 10 s: FIGAROH finds them among the samples by comparing times exactly.
# FIGAROH's own default.
FIGAROHS = 200
SEGMENT = 1.0
RATE = 20

CONFIGURATION = """
robot:
  name: arm
  properties:
    joints:
      active_joints: {joints}
    mechanics: {{}}
    coupling: {{}}
tasks:
  identification:
    enabled: true
    type: identification
    problem:
      model_components: {{friction: false, actuator_inertia: false, joint_offset: false}}
    mechanics: {{}}
  optimal_trajectory:
    enabled: true
    type: optimal_trajectory
    trajectory:
      waypoints: {waypoints}
      frequency: {rate}
      segment_duration: {segment}
    problem:
      soft_lim: 0.0
      max_attempts: 1000
      max_iterations: {iterations}
"""


class Splines(BaseOptimalTrajectory):
    def create_ipopt_problem(self, *problem):
        self.problem = BaseTrajectoryIPOPTProblem(self, *problem)
        return self.problem


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("robot")
    arguments.add_argument("duration", type=float)
    arguments.add_argument("seed", type=int)
    arguments.add_argument("out")
    arguments.add_argument("--iterations", type=int, default=FIGAROHS)
    given = arguments.parse_args()
    np.random.seed(given.seed)
    model = pinocchio.buildModelFromUrdf(given.robot)
    # Without geometry no collisions are asked for.
    robot = SimpleNamespace(model=model, data=model.createData(), geom_model=None, collision_model=None,
                            q0=pinocchio.neutral(model), v0=np.zeros(model.nv), nq=model.nq, nv=model.nv)
    joints = list(model.names)[1:]
    waypoints = round(given.duration / SEGMENT) + 1
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arm.yaml"
        text = CONFIGURATION.format(joints=joints, waypoints=waypoints, rate=RATE, segment=SEGMENT,
                                    iterations=given.iterations)
        file.write_text(text)
        splines = Splines(robot, joints, str(file))
    splines.identif_config["act_idxv"] = list(range(model.nv))
    splines.initialize()
    results = splines.solve(stack_reps=1)
    if not results["T_F"]:
        raise SystemExit("FIGAROH found no feasible motion")
    problem = splines.problem
    points = results["P_F"][0][:: round(RATE * SEGMENT)].T
    _, q, v, a = splines.CB.get_full_config(FINE, problem.tps, points, problem.vel_wps, problem.acc_wps)
    np.savez(given.out, q=q, v=v, a=a)


main()
