"""The plain baseline: Fourier series, D-optimal, gradients by JAX, IPOPT.

    python baseline.py ROBOT.urdf DURATION SEED OUT.npz [--seconds S]

Limits are asked at 20 samples a second, as is usual. The regressor is Newton and Euler's recursion, written here.
"""

import argparse
import os
import time

# One thread: CPU seconds are compared.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import jax

jax.config.update("jax_enable_x64", True)
import cyipopt
import jax.numpy as jnp
import numpy as np

from motion import rest_basis
from scoring import Arm

HARMONICS = 5
RATE = 20


def hat(w):
    return jnp.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def dot(w):
    """L w = I w with I = (xx, xy, yy, xz, yz, zz), Pinocchio's order."""
    x, y, z = w
    zero = 0.0 * x
    return jnp.array([[x, y, zero, z, zero, zero], [zero, x, y, zero, z, zero], [zero, zero, zero, x, y, z]])


def chain(arm):
    """A function q, v, a → torque regressor (joints × 10·joints) of a chain of revolute joints."""
    placements = [arm.model.jointPlacements[k] for k in range(1, arm.count + 1)]
    rotations = [np.array(p.rotation) for p in placements]
    offsets = [np.array(p.translation) for p in placements]
    axes = []
    for joint in list(arm.model.joints)[1:]:
        data = joint.createData()
        joint.calc(data, np.zeros(1))
        axes.append(np.array(data.S).reshape(6)[3:])
    gravity = np.array(arm.model.gravity.linear)

    def regressor(q, v, a):
        w, wd, acceleration = jnp.zeros(3), jnp.zeros(3), jnp.asarray(-gravity)
        to_parent, wrenches = [], []
        for k in range(arm.count):
            axis = jnp.asarray(axes[k])
            turn = jnp.eye(3) + jnp.sin(q[k]) * hat(axis) + (1 - jnp.cos(q[k])) * hat(axis) @ hat(axis)
            R, p = jnp.asarray(rotations[k]) @ turn, jnp.asarray(offsets[k])
            acceleration = R.T @ (acceleration + jnp.cross(wd, p) + jnp.cross(w, jnp.cross(w, p)))
            w0 = R.T @ w
            w = w0 + axis * v[k]
            wd = R.T @ wd + jnp.cross(w0, axis * v[k]) + axis * a[k]
            force = jnp.column_stack([acceleration, hat(wd) + hat(w) @ hat(w), jnp.zeros((3, 6))])
            moment = jnp.column_stack([jnp.zeros(3), -hat(acceleration), dot(wd) + hat(w) @ dot(w)])
            wrenches.append((force, moment))
            to_parent.append((R, p))
        out = [[jnp.zeros(10)] * arm.count for _ in range(arm.count)]
        for body in range(arm.count):
            force, moment = wrenches[body]
            for k in range(body, -1, -1):
                out[k][body] = jnp.asarray(axes[k]) @ moment
                R, p = to_parent[k]
                force, moment = R @ force, R @ moment
                moment = moment + hat(p) @ force
        return jnp.stack([jnp.concatenate(row) for row in out])

    return regressor


class Problem:
    def __init__(self, arm, duration):
        self.arm, self.n = arm, arm.count
        samples = round(RATE * duration)
        t = duration * np.arange(samples) / samples
        omega = 2 * np.pi / duration * np.arange(1, HARMONICS + 1)
        s, c = np.sin(np.outer(t, omega)), np.cos(np.outer(t, omega))
        self.rest = rest_basis(HARMONICS)
        one = np.ones((samples, 1))
        self.basis = [
            np.hstack([one, np.hstack([s, c]) @ self.rest]),
            np.hstack([0 * one, np.hstack([c * omega, -s * omega]) @ self.rest]),
            np.hstack([0 * one, np.hstack([-s * omega**2, -c * omega**2]) @ self.rest]),
        ]
        self.size = self.basis[0].shape[1]
        regressor, base = chain(arm), arm.base
        parameters = np.concatenate([arm.model.inertias[k].toDynamicParameters() for k in range(1, arm.count + 1)])
        states = jax.vmap(regressor)

        def rows(x):
            return states(*(jnp.asarray(f) @ x.reshape(self.n, self.size).T for f in self.basis))

        def criterion(x):
            Y = rows(x)[:, :, base].reshape(-1, len(base))
            factor = jnp.linalg.cholesky(Y.T @ Y / samples)
            return -2 * jnp.log(jnp.diag(factor)).sum()

        def torques(x):
            return (rows(x) @ jnp.asarray(parameters)) / arm.effort

        def slopes(x):
            """∂τ/∂x: each sample sees its own state only."""
            q, v, a = (jnp.asarray(f) @ x.reshape(self.n, self.size).T for f in self.basis)
            one = lambda q, v, a: (regressor(q, v, a) @ jnp.asarray(parameters)) / arm.effort
            by = jax.vmap(jax.jacfwd(one, argnums=(0, 1, 2)))(q, v, a)
            return sum(jnp.einsum("sij,sb->sijb", d, jnp.asarray(f)) for d, f in zip(by, self.basis)).reshape(
                samples * self.n, self.n * self.size
            )

        self.value = jax.jit(jax.value_and_grad(criterion))
        self.torques, self.slopes = jax.jit(torques), jax.jit(slopes)
        eye = np.eye(self.n)
        linear = [np.einsum("sb,ij->sijb", f, eye).reshape(-1, self.n * self.size) for f in self.basis[:2]]
        self.linear = np.vstack(linear)
        lower = [np.tile(arm.lower, samples), np.tile(-arm.velocity, samples), -np.ones(samples * self.n)]
        upper = [np.tile(arm.upper, samples), np.tile(arm.velocity, samples), np.ones(samples * self.n)]
        self.lower, self.upper = np.concatenate(lower), np.concatenate(upper)
        self.cache = (None, None)

    def both(self, x):
        if self.cache[0] is None or not np.array_equal(self.cache[0], x):
            value, gradient = self.value(x)
            self.cache = (x.copy(), (float(value), np.asarray(gradient)))
        return self.cache[1]

    def objective(self, x):
        return self.both(x)[0]

    def gradient(self, x):
        return self.both(x)[1]

    def constraints(self, x):
        return np.concatenate([self.linear @ x, np.asarray(self.torques(x)).ravel()])

    def jacobian(self, x):
        return np.vstack([self.linear, np.asarray(self.slopes(x))]).ravel()

    def start(self, seed):
        random = np.random.default_rng(seed)
        x = np.zeros((self.n, self.size))
        for k in range(self.n):
            x[k, 0] = random.uniform(*(0.7 * self.arm.lower[k] + 0.3 * self.arm.upper[k], 0.3 * self.arm.lower[k] + 0.7 * self.arm.upper[k]))
            x[k, 1:] = random.standard_normal(self.size - 1)
            fastest = np.abs(self.basis[1] @ x[k]).max()
            x[k, 1:] *= 0.5 * self.arm.velocity[k] / fastest
        return x.ravel()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("robot")
    arguments.add_argument("duration", type=float)
    arguments.add_argument("seed", type=int)
    arguments.add_argument("out")
    arguments.add_argument("--seconds", type=float, default=120.0)
    arguments.add_argument("--iterations", type=int, default=300)
    given = arguments.parse_args()
    arm = Arm(given.robot)
    problem = Problem(arm, given.duration)
    compiling = time.process_time()
    start = problem.start(given.seed)
    problem.both(start), problem.constraints(start), problem.jacobian(start)
    compiled = time.process_time() - compiling
    solver = cyipopt.Problem(
        n=len(start), m=len(problem.lower), problem_obj=problem, cl=problem.lower, cu=problem.upper
    )
    for name, value in {
        "hessian_approximation": "limited-memory",
        "max_iter": given.iterations,
        "max_cpu_time": given.seconds,
        "tol": 1e-4,
        "acceptable_tol": 1e-3,
        "print_level": 0,
        "sb": "yes",
    }.items():
        solver.add_option(name, value)
    x, info = solver.solve(start)
    x = np.asarray(x).reshape(problem.n, problem.size)
    coefficients = x[:, 1:] @ problem.rest.T
    np.savez(
        given.out,
        centre=x[:, 0],
        sine=coefficients[:, :HARMONICS],
        cosine=coefficients[:, HARMONICS:],
        compiled=compiled,
        status=info["status"],
        log_det=-info["obj_val"],
    )


main()
