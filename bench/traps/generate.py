"""Random mechanisms that mislead a rank decided by a threshold, each with the rank that `judge.py` finds.

    python bench/traps/generate.py COUNT SEED > crates/identifiability/tests/data/traps.txt

Each is a four-bar, a nearly parallel one, a five-bar or a slider-crank, with or without an arm: beside it, on its
coupler or on its crank, the arm's axes parallel but for 10^-k; all lengths times a power of ten. Or it is a chain of
yokes or slider-cranks at their dead centres, each racked to the next crank; a yoke of a tiny radius; a parallelogram
with a third crank that nearly fits. Small differences may be multiples of a prime. The test
`certificates_agree_with_a_judge_in_two_hundred_digits` reads the result; STEINER_TRAPS=FILE has it read another.
"""

import random
import sys
import tempfile
from fractions import Fraction

from judge import Mechanism


def decimal(x):
    """An exact number as the file has it."""
    return f'"{x.numerator}/{x.denominator}"' if x.denominator != 1 else str(x.numerator)


def triple(v, by):
    return "[" + ", ".join(decimal(Fraction(x) * by) for x in v) + "]"


def body(name, parent, xyz, by, joint="revolute", axis=None):
    axis = f"axis = [{', '.join(decimal(Fraction(x)) for x in axis)}]\n" if axis else ""
    return (f'[[body]]\nname = "{name}"\nparent = "{parent}"\njoint = "{joint}"\nxyz = {triple(xyz, by)}\n{axis}')


def loop(first, at, second, there, by):
    return (f'[[loop]]\nname = "closure"\njoint = "revolute"\npredecessor = {{ body = "{first}", xyz = {triple(at, by)} }}\n'
            f'successor = {{ body = "{second}", xyz = {triple(there, by)} }}\n')


def length(draw, low=20, high=60):
    return Fraction(draw.randint(low, high), 100)


PRIMES = [2 ** 61 - 1351, 2 ** 61 - 1, 2 ** 31 - 1]


def small(draw, low, high):
    """A power of ten, or a multiple of a prime about as large."""
    e = Fraction(1, 10 ** draw.randint(low, high))
    prime = draw.choice([0, 0, 0] + PRIMES)
    return e * prime / 10 ** len(str(prime)) if prime else e


def coupling(k, ratio):
    return f'[[coupling]]\nname = "rack{k}"\ncoordinate = "crank{k}"\nterms = [["slider{k - 1}", {decimal(ratio)}]]\n'


def named(k, text):
    return text.replace('name = "closure"', f'name = "closure{k}"')


def racked(draw):
    """Yokes or slider-cranks at their dead centres, each slider racked to the next crank."""
    count, bodies, loops, racks = draw.randint(1, 4), "", "", ""
    one = Fraction(1)
    # One tiny number at most: several in a row leave nothing that 200 digits see.
    tiny = draw.choice(["none", "radius", "ratio"])
    for k in range(count):
        radius = draw.choice([one, length(draw), length(draw)])
        if tiny == "radius" and k == count - 1:
            radius = small(draw, 3, 15)
        height = draw.choice([0, k + 1]) if tiny != "radius" else 1
        bodies += body(f"crank{k}", "base", [0, 0, 0], one)
        if draw.random() < 0.6:
            bodies += body(f"slider{k}", "base", [radius, 0, height], one, "prismatic", [1, 0, 0])
            bodies += body(f"block{k}", f"slider{k}", [0, 0, 0], one, "prismatic", [0, 1, 0])
            loops += named(k, loop(f"crank{k}", [radius, 0, height], f"block{k}", [0, 0, 0], one))
        else:
            rod = radius + length(draw)
            bodies += body(f"rod{k}", f"crank{k}", [radius, 0, 0], one)
            bodies += body(f"slider{k}", "base", [radius + rod, 0, 0], one, "prismatic", [1, 0, 0])
            loops += named(k, loop(f"rod{k}", [rod, 0, 0], f"slider{k}", [0, 0, 0], one))
        if k:
            ratio = small(draw, 1, 6) if tiny == "ratio" and k == count - 1 else draw.choice([one, Fraction(3, 2)])
            racks += coupling(k, ratio)
    if draw.random() < 0.3:
        bodies += body("arm", "crank0", [length(draw), 0, 0], one)
    return bodies + loops + racks


def nearly_closing(draw):
    e = draw.choice([0, small(draw, 3, 40), small(draw, 3, 40)])
    a, b = length(draw), length(draw)
    one = Fraction(1)
    return (body("first", "base", [0, 0, 0], one) + body("coupler", "first", [0, a, 0], one)
            + body("second", "base", [b, 0, 0], one) + body("third", "base", [b / 4, 0, 0], one)
            + named(1, loop("second", [0, a, 0], "coupler", [b, 0, 0], one))
            + named(2, loop("third", [0, a + e, 0], "coupler", [b / 4, e, 0], one)))


def linkage(draw, by):
    kind = draw.choice(["four-bar", "parallelogram", "nearly", "five-bar", "slider-crank"])
    a, b, c, d = (length(draw) for _ in range(4))
    if kind == "four-bar":        # closed where drawn
        return kind, (body("crank", "base", [0, 0, 0], by) + body("coupler", "crank", [a, 0, 0], by)
                      + body("rocker", "base", [a + b, 0, 0], by) + loop("rocker", [c, d, 0], "coupler", [b + c, d, 0], by))
    if kind in ("parallelogram", "nearly"):
        off = small(draw, 3, 22) if kind == "nearly" else 0
        return kind, (body("crank", "base", [0, 0, 0], by) + body("coupler", "crank", [0, a, 0], by)
                      + body("rocker", "base", [b, 0, 0], by) + loop("rocker", [0, a + off, 0], "coupler", [b, 0, 0], by))
    if kind == "five-bar":
        return kind, (body("crank", "base", [0, 0, 0], by) + body("coupler", "crank", [0, a, 0], by)
                      + body("rocker", "base", [b + c, 0, 0], by) + body("second", "rocker", [0, d, 0], by)
                      + loop("second", [-c, a, 0], "coupler", [b, d, 0], by))
    return kind, (body("crank", "base", [0, 0, 0], by) + body("coupler", "crank", [0, a, 0], by)
                  + body("rocker", "base", [b, 0, 0], by, "prismatic", [1, 0, 0])
                  + loop("rocker", [0, 0, 0], "coupler", [b, -a, 0], by))


def arm(draw, on, by, name):
    e = small(draw, 3, 30) * draw.choice([0, 1, 1, 3])
    links = draw.randint(1, 2)
    text = body(f"{name}0", on, [length(draw), 0, 0], by)
    for k in range(links):
        axis = [e, 0, 1] if draw.random() < 0.5 else [0, e, 1]
        text += body(f"{name}{k + 1}", f"{name}{k}", [length(draw), 0, 0], by, "revolute", axis)
    return text


def trap(draw):
    gravity = draw.choice(["[0, -9.81, 0]", "[0, 0, -9.81]", "[0, 0, 0]"])
    special = draw.random()
    if special < 0.25:
        return f"gravity = {draw.choice([gravity, '[-9.81, 0, 0]'])}\n" + racked(draw)
    if special < 0.35:
        return f"gravity = {gravity}\n" + nearly_closing(draw)
    by = Fraction(10) ** draw.choice([0, 0, 0, -6, -3, 3, 6])
    kind, text = linkage(draw, by)
    if kind == "slider-crank":      # its steps are metres in the judge
        kind, text = linkage(draw, Fraction(1)) if by == 1 else ("four-bar", None)
        while text is None or kind == "slider-crank" and by != 1:
            kind, text = linkage(draw, by)
    where = draw.choice(["none", "base", "coupler", "crank", "both"])
    if where in ("coupler", "crank"):
        text += arm(draw, where, by, "arm")
    if where in ("base", "both"):
        text += arm(draw, "base", by, "arm")
    if where == "both":
        text += arm(draw, "base", by, "other")
    return f"gravity = {gravity}\n" + text


if __name__ == "__main__":
    count, draw = int(sys.argv[1]), random.Random(int(sys.argv[2]))
    for _ in range(count):
        text = trap(draw)
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(text)
            file.flush()
            rank = Mechanism(file.name).rank()
        print(f"=== rank {rank}\n{text}", end="", flush=True)
