"""The rank of a mechanism's regressor, in 200 digits and by another road: an independent judge of certificates.

A change of the inertial parameters shows in no generalised force if and only if it changes neither the kinetic
energy in any feasible motion nor the difference of potential energy between any two configurations. So the rank is
that of the rows T(q, v) and U(q) - U(q0), both linear in the parameters, at random configurations on the branch of
the file's configuration. Everything is computed with gmpy2 or mpmath, by plain formulas, without a line of the project.

    python bench/traps/judge.py FILE.toml...      prints: FILE rank

It reads what traps need of the native format: revolute, prismatic, spherical and fixed joints with xyz, rpy, axis and
guess; loops of kind revolute and spherical; couplings; numbers, fractions and sums of them. What does not close
beside its reference has rank 0: it does not move.
"""

import random
import sys
import tomllib
from fractions import Fraction

try:                            # many times as fast
    import gmpy2
    from gmpy2 import cos, mpfr as mpf, mul_2exp as shifted, sin, sqrt

    gmpy2.get_context().precision = 672
    PI = gmpy2.const_pi()
except ImportError:
    from mpmath import cos, ldexp as shifted, mp, mpf, sin, sqrt

    mp.dps = 200
    PI = +mp.pi
ZERO = mpf(10) ** -140          # far above rounding, far below any effect that a trap has


def number(x):
    """A number, a fraction, or either times pi."""
    if not isinstance(x, str):
        return mpf(repr(x)) if isinstance(x, float) else mpf(x)
    text = x.replace(" ", "").replace("--", "")
    if "+" in text:
        return sum(number(part) for part in text.split("+"))
    if text.startswith("(") and text.endswith(")"):
        return number(text[1:-1])
    if text.startswith("-(") and text.endswith(")"):
        return -number(text[2:-1])
    if text.startswith("pi"):
        return PI / mpf(text[3:] or 1)
    if "/" in text:
        f = Fraction(text)
        return mpf(f.numerator) / f.denominator
    return mpf(text)


def vec(v):
    return [number(x) for x in v]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def scale(a, s):
    return [x * s for x in a]


def apply(r, v):
    return [dot(row, v) for row in r]


def product(a, b):
    columns = list(zip(*b))
    return [[dot(row, c) for c in columns] for row in a]


IDENTITY = [[mpf(int(i == j)) for j in range(3)] for i in range(3)]


def rotation(axis, angle):
    """Rodrigues, for a unit axis."""
    s, c = sin(angle), cos(angle)
    x, y, z = axis
    k = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    kk = product(k, k)
    return [[IDENTITY[i][j] + s * k[i][j] + (1 - c) * kk[i][j] for j in range(3)] for i in range(3)]


def turned(rpy):
    """Roll, pitch and yaw about fixed axes."""
    out = IDENTITY
    for axis, angle in zip(IDENTITY, rpy):
        out = product(rotation(axis, angle), out) if angle else out
    return out


class Mechanism:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = tomllib.load(file)
        self.gravity = vec(data.get("gravity", [0, 0, "-9.81"]))
        self.bodies, self.moving = data["body"], []
        self.index = {"base": None}
        self.q0 = []
        guess = data.get("guess", {})
        for k, body in enumerate(self.bodies):
            self.index[body["name"]] = k
            axis = vec(body.get("axis", [0, 0, 1]))
            length = sqrt(dot(axis, axis))
            kind = body["joint"]
            axes = {"revolute": [("turn", scale(axis, 1 / length))], "prismatic": [("slide", scale(axis, 1 / length))],
                    "spherical": [("turn", row) for row in IDENTITY], "fixed": []}[kind]
            body["_motions"] = axes
            body["_first"] = len(self.q0)
            body["_xyz"] = vec(body.get("xyz", [0, 0, 0]))
            body["_turned"] = turned(vec(body.get("rpy", [0, 0, 0])))
            start = guess.get(body["name"], 0)
            self.q0 += [number(start) if len(axes) == 1 else mpf(0) for _ in axes]
            if axes:
                self.moving.append(k)
        self.loops = data.get("loop", [])
        place = {body["name"]: body["_first"] for body in self.bodies}
        self.couplings = []
        for coupling in data.get("coupling", []):
            row = [mpf(0)] * len(self.q0)
            row[place[coupling["coordinate"]]] += 1
            for name, factor in coupling["terms"]:
                row[place[name]] -= number(factor)
            self.couplings.append(row)

    def kinematics(self, q):
        """World rotation and origin of each body, and for each coordinate (kind, axis, point, body)."""
        poses, lines = [], []
        for k, body in enumerate(self.bodies):
            parent = self.index[body["parent"]]
            r, p = poses[parent] if parent is not None else (IDENTITY, [mpf(0)] * 3)
            p, r = add(p, apply(r, body["_xyz"])), product(r, body["_turned"])
            for j, (kind, axis) in enumerate(body["_motions"]):
                value = q[body["_first"] + j]
                lines.append((kind, apply(r, axis), p, k))
                if kind == "turn":
                    r = product(r, rotation(axis, value))
                else:
                    p = add(p, scale(apply(r, axis), value))
            poses.append((r, p))
        return poses, lines

    def carries(self, body, of):
        while of is not None:
            if of == body:
                return True
            of = self.index[self.bodies[of]["parent"]]
        return False

    def closure(self, q):
        """Residuals of the loops and their Jacobian."""
        poses, lines = self.kinematics(q)
        residual, jacobian = [], []
        for loop in self.loops:
            sides = []
            for side in (loop["predecessor"], loop["successor"]):
                body = self.index[side["body"]]
                r, p = poses[body] if body is not None else (IDENTITY, [mpf(0)] * 3)
                sides.append((body, r, add(p, apply(r, vec(side.get("xyz", [0, 0, 0]))))))
            (a, ra, pa), (b, rb, pb) = sides
            rates = []
            for kind, axis, point, body in lines:
                rate = [[mpf(0)] * 3, [mpf(0)] * 3]     # relative velocity of the points, relative turn
                for sign, of, at in ((-1, a, pa), (1, b, pb)):
                    if of is not None and self.carries(body, of):
                        v = cross(axis, sub(at, point)) if kind == "turn" else axis
                        rate[0] = add(rate[0], scale(v, sign))
                        rate[1] = add(rate[1], scale(axis, sign)) if kind == "turn" else rate[1]
                rates.append(rate)
            residual += sub(pb, pa)
            jacobian += [[rate[0][i] for rate in rates] for i in range(3)]
            if loop["joint"] == "revolute":
                axis = vec(loop.get("axis", [0, 0, 1]))
                za, zb = apply(ra, axis), apply(rb, axis)
                # Both moving: d(za x zb) = (wa x za) x zb + za x (wb x zb); only the relative turn matters where closed.
                residual += cross(za, zb)
                turned = [cross(rate[1], zb) for rate in rates]
                jacobian += [[cross(za, t)[i] for t in turned] for i in range(3)]
        for row in self.couplings:
            residual.append(dot(row, sub(q, self.q0)))
            jacobian.append(row)
        return residual, jacobian

    def closed(self, q):
        for _ in range(30):
            residual, jacobian = self.closure(q)
            if not residual or max(abs(x) for x in residual) < mpf(10) ** -190:
                return q
            step = least_norm(jacobian, residual)
            q = [a - b for a, b in zip(q, step)]
        return None

    def energies(self, q, v):
        """Coefficients of the ten parameters (m, h, I) of each moving body in T and in U."""
        poses, lines = self.kinematics(q)
        kinetic, potential = [], []
        for k in self.moving:
            r, p = poses[k]
            w, u = [mpf(0)] * 3, [mpf(0)] * 3
            for rate, (kind, axis, point, body) in zip(v, lines):
                if self.carries(body, k):
                    w = add(w, scale(axis, rate)) if kind == "turn" else w
                    u = add(u, scale(cross(axis, sub(p, point)) if kind == "turn" else axis, rate))
            back = list(zip(*r))
            w, u = apply(back, w), apply(back, u)
            h = cross(u, w)
            kinetic += [dot(u, u) / 2, *h, w[0] ** 2 / 2, w[0] * w[1], w[1] ** 2 / 2, w[0] * w[2], w[1] * w[2], w[2] ** 2 / 2]
            g = apply(back, self.gravity)
            potential += [-dot(self.gravity, p), *[-x for x in g]] + [mpf(0)] * 6
        return kinetic, potential

    def rank(self, seed=1):
        draw = random.Random(seed)
        rows = []
        q = self.closed(self.q0)
        _, base = self.energies(q, [mpf(0)] * len(q))
        free = null_directions(self.closure(q)[1], len(q))
        failed, seen, states, quiet = 0, 0, 0, 0
        # Twice as many rows as are independent, and many configurations that show nothing new.
        while quiet < 3 or len(rows) < 2 * seen:
            if failed > 12:
                return 0
            if not free:
                return 0
            step = combined(free, [mpf(draw.uniform(-0.25, 0.25)) for _ in free])
            moved = self.closed(add(q, step))
            if moved is None or max(abs(a - b) for a, b in zip(moved, q)) > 1:
                failed += 1
                continue
            failed = 0
            q = moved
            free = null_directions(self.closure(q)[1], len(q))
            for _ in range(min(3, 2 * len(free) - 1)):
                v = combined(free, [mpf(draw.uniform(-1, 1)) for _ in free])
                kinetic, potential = self.energies(q, v)
                rows.append(kinetic)
            rows.append(sub(potential, base))
            states += 1
            if states % 6 == 0:
                now = rank(rows)
                seen, quiet = now, quiet + 1 if now == seen else 0
        return rank(rows)


def combined(vectors, weights):
    out = [mpf(0)] * len(vectors[0])
    for v, w in zip(vectors, weights):
        out = add(out, scale(v, w))
    return out


def echelon(matrix, width, zero=ZERO ** mpf("0.5")):
    """Gauss and Jordan with complete pivoting: pivots below `zero` of the largest entry are none."""
    rows = [list(row) for row in matrix]
    pivots, done = [], 0
    largest = max((abs(x) for row in rows for x in row[:width]), default=mpf(0))
    while done < len(rows):
        weight, r, c = max(((abs(rows[r][c]), r, c) for r in range(done, len(rows)) for c in range(width)
                            if c not in pivots), default=(mpf(0), 0, 0))
        if weight <= zero * largest:
            break
        rows[done], rows[r] = rows[r], rows[done]
        rows[done] = [x / rows[done][c] for x in rows[done]]
        for k in range(len(rows)):
            if k != done and rows[k][c]:
                factor = rows[k][c]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[done])]
        pivots.append(c)
        done += 1
    return rows, pivots


BITS = 800                      # of numbers in fixed point, for speed


def rank(rows):
    """The rank, by elimination in fixed point with complete pivoting; columns are made as large as one."""
    width = len(rows[0])
    columns = [max(abs(row[c]) for row in rows) for c in range(width)]
    # What is zero but for rounding is no column.
    seen = [c for c in range(width) if columns[c] > ZERO * max(columns)]
    left = [[int(shifted(row[c] / columns[c], BITS)) for c in seen] for row in rows]
    zero, count = int(shifted(ZERO, BITS)), 0
    while left:
        sizes = [max(max(row), -min(row)) if row else 0 for row in left]
        weight = max(sizes)
        if weight <= zero:
            break
        pivot = left.pop(sizes.index(weight))
        c = next(k for k, x in enumerate(pivot) if abs(x) == weight)
        head = pivot.pop(c)
        for row in left:
            x = row.pop(c)
            if x:
                factor = (x << BITS) // head
                row[:] = [a - (factor * b >> BITS) for a, b in zip(row, pivot)]
        count += 1
    return count


def null_directions(jacobian, width):
    rows, pivots = echelon(jacobian, width)
    out = []
    for free in (c for c in range(width) if c not in pivots):
        v = [mpf(0)] * width
        v[free] = mpf(1)
        for r, p in enumerate(pivots):
            v[p] = -rows[r][free]
        out.append(v)
    return out


def least_norm(jacobian, residual):
    width = len(jacobian[0])
    rows, pivots = echelon([row + [r] for row, r in zip(jacobian, residual)], width)
    out = [mpf(0)] * width
    for r, p in enumerate(pivots):
        out[p] = rows[r][width]
    return out


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(path, Mechanism(path).rank(), flush=True)
