"""The rank of a tree's regressor in a prime field, in exact arithmetic and by another road than the project's.

As `judge.py`: the rank of the kinetic energy at random motions, and of the difference of potential energy to the
file's configuration. A turn about an axis a (of any length) by the quaternion (1, t a) is rational in a, and speeds
need no scale, so every number of the file is taken exactly, modulo a prime of 127 bits drawn anew in each run. The rank
found is never too high. That it is too low has a chance of about one in 10^35.

    python bench/traps/field.py FILE.toml...      prints: FILE rank

It reads revolute, prismatic and spherical joints with xyz and axis in decimals and fractions. No loops, no couplings.
"""

import random
import sys
import tomllib
from fractions import Fraction


def is_prime(n):
    """Miller and Rabin's test, forty times."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(40):
        x = pow(random.randrange(2, n - 1), odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def drawn_prime(bits=127):
    secret = random.SystemRandom()
    while True:
        n = secret.getrandbits(bits) | 1 << (bits - 1) | 1
        if is_prime(n):
            return n


P = drawn_prime()


def residue(x):
    f = Fraction(x) if isinstance(x, str) else Fraction(repr(x)) if isinstance(x, float) else Fraction(x)
    return f.numerator * pow(f.denominator, -1, P) % P


def vec(v):
    return [residue(x) for x in v]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b)) % P


def cross(a, b):
    return [(a[1] * b[2] - a[2] * b[1]) % P, (a[2] * b[0] - a[0] * b[2]) % P, (a[0] * b[1] - a[1] * b[0]) % P]


def add(*vectors):
    return [sum(x) % P for x in zip(*vectors)]


def scale(a, s):
    return [x * s % P for x in a]


def apply(r, v):
    return [dot(row, v) for row in r]


def transposed(r):
    return list(zip(*r))


def product(a, b):
    columns = transposed(b)
    return [[dot(row, c) for c in columns] for row in a]


IDENTITY = [[int(i == j) for j in range(3)] for i in range(3)]


def rotation(v):
    """That of the quaternion (1, v)."""
    square = dot(v, v)
    inverse = pow(1 + square, -1, P)
    skew = [[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]]
    return [[((1 - square) * IDENTITY[i][j] + 2 * v[i] * v[j] + 2 * skew[i][j]) * inverse % P for j in range(3)]
            for i in range(3)]


class Tree:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = tomllib.load(file)
        assert not data.get("loop") and not data.get("coupling") and not data.get("guess")
        self.gravity = vec(data.get("gravity", [0, 0, "-9.81"]))
        index = {"base": None}
        self.bodies = []
        for k, body in enumerate(data["body"]):
            assert body["joint"] in ("revolute", "prismatic", "spherical"), body["joint"]
            index[body["name"]] = k
            place, axis = vec(body.get("xyz", [0, 0, 0])), vec(body.get("axis", [0, 0, 1]))
            self.bodies.append((index[body["parent"]], body["joint"], place, axis))

    def rows(self, draw):
        """Coefficients of all parameters in T at a random motion, and in U at its configuration; `None`: at rest."""
        still = draw is None
        number = (lambda: 0) if still else (lambda: draw.randrange(P))
        motions, kinetic, potential = [], [], []
        for parent, kind, place, axis in self.bodies:
            r, p, w, u = motions[parent] if parent is not None else (IDENTITY, [0] * 3, [0] * 3, [0] * 3)
            arm = apply(r, place)
            slid = [0] * 3
            if kind == "prismatic":
                arm = add(arm, scale(apply(r, axis), number()))
                slid = scale(apply(r, axis), number())
            p, u = add(p, arm), add(u, cross(w, arm), slid)
            if kind == "revolute":
                r, w = product(r, rotation(scale(axis, number()))), add(w, scale(apply(r, axis), number()))
            elif kind == "spherical":
                r, w = product(r, rotation([number() for _ in range(3)])), add(w, [number() for _ in range(3)])
            motions.append((r, p, w, u))
            back = transposed(r)
            wb, ub, g = apply(back, w), apply(back, u), apply(back, self.gravity)
            # Twice the energy of mass, first moment and the tensor xx, xy, yy, xz, yz, zz.
            kinetic += [dot(ub, ub), *scale(cross(ub, wb), 2), wb[0] ** 2 % P, 2 * wb[0] * wb[1] % P, wb[1] ** 2 % P,
                        2 * wb[0] * wb[2] % P, 2 * wb[1] * wb[2] % P, wb[2] ** 2 % P]
            potential += [dot(self.gravity, p), *g] + [0] * 6
        return kinetic, potential

    def rank(self):
        draw = random.SystemRandom()
        _, reference = self.rows(None)
        states = [self.rows(draw) for _ in range(10 * len(self.bodies) + 4)]
        rows = [kinetic for kinetic, _ in states]
        rows += [[(a - b) % P for a, b in zip(potential, reference)] for _, potential in states[:4 * len(self.bodies) + 2]]
        return rank(rows)


def rank(rows):
    pivots = []
    for row in rows:
        for c, pivot in pivots:
            if row[c]:
                factor = row[c]
                row = [(a - factor * b) % P for a, b in zip(row, pivot)]
        c = next((c for c, x in enumerate(row) if x), None)
        if c is not None:
            inverse = pow(row[c], -1, P)
            pivots.append((c, [x * inverse % P for x in row]))
    return len(pivots)


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(path, Tree(path).rank(), flush=True)
