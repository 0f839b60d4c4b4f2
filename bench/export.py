"""Writes what both sides of the benchmark read: Pinocchio's model as text, and random states as doubles."""

import pathlib
import sys

import numpy as np
import pinocchio as pin

COUNT = 256


def random_states(model, seed):
    """q with one angle per continuous joint (Steiner's order), velocities, accelerations."""
    generator = np.random.default_rng(seed)
    q = []
    for joint in list(model.joints)[1:]:  # the first is the universe
        if joint.nv == 6:
            position, quaternion = generator.uniform(-1, 1, (COUNT, 3)), generator.normal(size=(COUNT, 4))
            q += [position, quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True)]
        elif joint.nv == 1:
            q.append(generator.uniform(-2, 2, (COUNT, 1)))
        elif joint.nv != 0:
            sys.exit(f"export.py: no random configuration for a joint of {joint.nv} degrees of freedom")
    return np.hstack(q), generator.uniform(-3, 3, (COUNT, model.nv)), generator.uniform(-9, 9, (COUNT, model.nv))


def main():
    urdf, base, out = sys.argv[1:]
    model = pin.buildModelFromUrdf(urdf, pin.JointModelFreeFlyer()) if base == "floating" else pin.buildModelFromUrdf(urdf)
    model.saveToText(out + ".model")
    q, qd, qdd = random_states(model, 1)
    header = [COUNT, q.shape[1], qd.shape[1]]
    numbers = np.concatenate([header, q.ravel(), qd.ravel(), qdd.ravel()])
    pathlib.Path(out + ".states").write_bytes(numbers.astype("<f8").tobytes())


if __name__ == "__main__":
    main()
