"""Writes algebra.txt: products, common divisors and derivatives as SymPy has them, for tests/algebra.rs.

A line is `kind | polynomial | polynomial | …`; a polynomial is `coefficient e1,e2,…` joined by `;`, exponents of a, b, c, d.
"""

import random
import sympy as sp

a, b, c, d = generators = sp.symbols("a b c d")
random.seed(7)


def polynomial(terms, degree, variables):
    total = sp.Integer(0)
    for _ in range(terms):
        term = sp.Rational(random.choice([-5, -3, -2, -1, 1, 2, 3, 7]), random.choice([1, 1, 2, 3]))
        for _ in range(random.randint(0, degree)):
            term *= random.choice(variables)
        total += term
    return sp.expand(total)


def text(p):
    p = sp.Poly(p, *generators)
    return ";".join(f"{coefficient} {','.join(map(str, powers))}" for powers, coefficient in p.terms())


lines = []
for k in range(40):
    variables = generators[: 2 + k % 3]
    x, y, z = (polynomial(random.randint(1, 4), 3, variables) for _ in range(3))
    if 0 in (x, y, z):
        continue
    lines.append(("product", x, y, sp.expand(x * y)))
    p, q = sp.expand(x * z), sp.expand(y * z)
    lines.append(("gcd", p, q, sp.gcd(p, q)))
    numerator, denominator = sp.fraction(sp.cancel(sp.diff(x / z, a)))
    lines.append(("derivative", x, z, sp.expand(numerator), sp.expand(denominator)))
    factors = [factor for factor, power in sp.factor_list(p)[1] for _ in range(power)]
    lines.append(("factors", p, *factors))

with open(__file__.replace(".py", ".txt"), "w") as file:
    for kind, *rest in lines:
        file.write(" | ".join([kind, *map(text, rest)]) + "\n")
