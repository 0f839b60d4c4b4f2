"""Random mechanisms that mislead a rank decided by a threshold, each with its rank.

    python bench/traps/generate.py COUNT SEED [KIND] > crates/identifiability/tests/data/traps.txt

Kinds, all of them in turn unless one is named:

* linkages: a four-bar, a nearly parallel one, a five-bar or a slider-crank, with or without an arm: beside it, on its
  coupler or on its crank, the arm's axes parallel but for 10^-k; all lengths times a power of ten. Or a chain of yokes
  or slider-cranks at their dead centres, each racked to the next crank; a yoke of a tiny radius; a parallelogram with
  a third crank that nearly fits. Small differences may be multiples of a prime;
* trees: up to six bodies with axes and offsets that are special but for 10^-k;
* printed: bars, offsets and axes of a third or a seventh, some of them printed to a few digits;
* spatial: loops closed by ball joints, with a crank, cross or slide that lies in the plane but for 10^-k, on a mount
  or not; spherical four-bars; tripods of three legs;
* unknown: loops of which the field knows no configuration, or other angles than the file's: drawn open, drawn at an
  angle of 0.3 rad, or turned by such angles. Two small differences of different sizes act in them, by themselves and as a
  product; gears in a row multiply their ratios; Bennett linkages, and four-bars whose axes are parallel but for 10^-k;
* unions: two or three of these beside each other, each of its own size.

Trees are judged in a prime field (`field.py`), loops in 200 digits (`judge.py`), and unions part by part: energies of
parts on a fixed base add up, so ranks do. The test `certificates_agree_with_a_judge_in_two_hundred_digits` reads the
result; STEINER_TRAPS=FILE has it read another.
"""

import random
import re
import sys
import tempfile
from fractions import Fraction

from field import Tree
from judge import Mechanism


def decimal(x):
    """An exact number as the file has it."""
    return f'"{x.numerator}/{x.denominator}"' if x.denominator != 1 else str(x.numerator)


def printed(x, digits):
    """A number as a file prints it."""
    return Fraction(round(x * 10 ** digits), 10 ** digits)


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


GRAVITIES = ["[0, -9.81, 0]", "[0, 0, -9.81]", "[0, 0, 0]"]


def linkages(draw):
    gravity = draw.choice(GRAVITIES)
    special = draw.random()
    if special < 0.25:
        return [f"gravity = {draw.choice([gravity, '[-9.81, 0, 0]'])}\n" + racked(draw)]
    if special < 0.35:
        return [f"gravity = {gravity}\n" + nearly_closing(draw)]
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
    return [f"gravity = {gravity}\n" + text]


SIZES = [Fraction(10) ** k for k in (0, 0, 0, -6, -3, 3, 6)]


def perturbed(draw, axis, e):
    """An axis off its direction by e."""
    k = draw.randrange(3)
    return [Fraction(x) + (e * draw.choice([1, -1, 2]) if i == k else 0) for i, x in enumerate(axis)]


def trees(draw):
    by, e, text, names = draw.choice(SIZES), small(draw, 3, 30), "", ["base"]
    for k in range(draw.randint(2, 6)):
        axis = draw.choice([[0, 0, 1], [0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 3, 4]])
        if draw.random() < 0.5:
            axis = perturbed(draw, axis, e)
        xyz = [draw.choice([0, 0, length(draw), length(draw), e, -e]) for _ in range(3)]
        kind = draw.choices(["revolute", "prismatic", "spherical"], [8, 3, 1])[0]
        parent = names[-1] if draw.random() < 0.75 else draw.choice(names)
        text += body(f"link{k}", parent, xyz, by, kind, None if kind == "spherical" else axis)
        names.append(f"link{k}")
    return [f"gravity = {draw.choice(GRAVITIES)}\n" + text]


def printed_numbers(draw):
    by, gravity = draw.choice(SIZES), f"gravity = {draw.choice(GRAVITIES)}\n"
    digits, part = draw.randint(3, 30), Fraction(draw.choice([1, 2, 4, 5]), draw.choice([3, 7, 9, 13]))

    def one():
        return draw.choice([part, printed(part, digits)])
    if draw.random() < 0.5:
        text = ""
        for k in range(draw.randint(2, 5)):
            axis = draw.choice([[one(), 0, 1], [0, one(), 1], [0, 0, 1]])
            xyz = [draw.choice([0, 0, one(), -one(), one() - part]) for _ in range(3)]
            kind = draw.choices(["revolute", "prismatic"], [4, 1])[0]
            text += body(f"link{k}", f"link{k - 1}" if k else "base", xyz, by, kind, axis)
        return [gravity + text]
    # A parallelogram or rhombus but for the digits.
    base = draw.choice([part, Fraction(1, 2)])
    a, b = draw.choice([(one(), base), (one(), one() if base == part else base), (part, printed(base, digits))])
    text = (body("crank", "base", [0, 0, 0], by) + body("coupler", "crank", [0, part, 0], by)
            + body("rocker", "base", [base, 0, 0], by) + loop("rocker", [0, a, 0], "coupler", [b, 0, 0], by))
    if draw.random() < 0.4:
        text += body("arm0", draw.choice(["base", "coupler", "crank"]), [one(), 0, 0], by, "revolute", [one(), 0, 1])
        text += body("arm1", "arm0", [one(), 0, 0], by, "revolute", [one(), 0, 1])
    return [gravity + text]


def by_balls(loop):
    return loop.replace('joint = "revolute"', 'joint = "spherical"')


def tripod(draw, sizes, by, lengths):
    """Three legs that turn and slide under a plate on balls; some turn about axes that are off."""
    a, b, d = lengths
    text = ""
    feet = [[b, 0, 0], [-b, a, 0], [-b, -a, 0]]
    axes = [[0, 1, 0], [a, b, 0], [-a, b, 0]]
    tenth = Fraction(1, 10)
    legs = [[-tenth, 0, d], [tenth, -tenth, d], [tenth, tenth, d]]
    for k in range(3):
        turned = perturbed(draw, axes[k], draw.choice(sizes)) if draw.random() < 0.5 else axes[k]
        text += body(f"leg{k}", "base", feet[k], by, "revolute", turned)
        text += body(f"rod{k}", f"leg{k}", [0, 0, 0], by, "prismatic", legs[k])
    text += body("plate", "rod0", legs[0], by, "spherical")
    tips = [[x + y for x, y in zip(feet[k], legs[k])] for k in range(3)]
    for k in (1, 2):
        there = [x - y for x, y in zip(tips[k], tips[0])]
        text += named(k, by_balls(loop(f"rod{k}", legs[k], "plate", there, by)))
    return text


def spatial(draw):
    kind = draw.choices(["balls", "cross", "slide", "spherical", "tripod"], [5, 4, 3, 4, 1])[0]
    # Steps of slides are metres in the judge.
    by = Fraction(1) if kind in ("slide", "tripod") else draw.choice(SIZES)
    e = small(draw, 3, 30) * draw.choice([0, 1, 1, 1])
    a, b, c, d = (length(draw) for _ in range(4))
    off, axis = draw.choice([0, 0, e]), [draw.choice([0, e]), draw.choice([0, e]), 1]
    text, ground = "", "base"
    if kind != "tripod" and draw.random() < 0.3:
        ground = "mount"
        text += body("mount", "base", [0, 0, 0], by, "revolute", draw.choice([[0, 0, 1], [0, e, 1], [e, 1, 0]]))
    if kind == "balls":
        text += (body("crank", ground, [0, 0, 0], by) + body("coupler", "crank", [a, 0, 0], by, "spherical")
                 + body("rocker", ground, [a + b, 0, off], by, "revolute", axis)
                 + by_balls(loop("rocker", [c, d, 0], "coupler", [b + c, d, off], by)))
    elif kind == "cross":
        text += (body("crank", ground, [0, 0, 0], by) + body("cross", "crank", [a, 0, 0], by, "revolute", axis)
                 + body("coupler", "cross", [0, 0, 0], by, "revolute", perturbed(draw, [1, 0, 0], e))
                 + body("rocker", ground, [a + b, 0, off], by, "revolute", draw.choice([[0, 0, 1], axis]))
                 + by_balls(loop("rocker", [c, d, 0], "coupler", [b + c, d, off], by)))
    elif kind == "slide":
        text += (body("crank", ground, [0, 0, 0], by) + body("coupler", "crank", [0, a, off], by, "spherical")
                 + body("slider", ground, [b, 0, 0], by, "prismatic", perturbed(draw, [1, 0, 0], e))
                 + by_balls(loop("slider", [0, 0, 0], "coupler", [b, -a, -off], by)))
    elif kind == "spherical":       # rigid if its axes do not meet
        text += (body("crank", ground, [0, 0, 0], by) + body("coupler", "crank", [off, 0, 0], by, "revolute", [1, 0, 2])
                 + body("rocker", ground, [0, 0, 0], by, "revolute", [0, 3, draw.choice([1, 4])])
                 + loop("rocker", [0, 0, 0], "coupler", [-off, 0, 0], by) + "axis = [1, 1, 1]\n"
                 + body("end", "coupler", [length(draw), 0, 0], by))
    else:
        text += tripod(draw, [e], by, (a, b, d))
    if kind in ("balls", "cross", "slide") and draw.random() < 0.4:
        text += arm(draw, draw.choice(["coupler", "crank", "base"]), by, "arm")
    return [f"gravity = {draw.choice(GRAVITIES)}\n" + text]


def bent(draw, on, sizes, name, angles):
    """An arm whose axes are off by one of some sizes each; or parallel by angles that add up to zero, or nearly."""
    text, last = body(f"{name}0", on, [length(draw), 0, 0], Fraction(1)), f"{name}0"
    for k in range(draw.randint(1, 3)):
        e = draw.choice(sizes + [0])
        axis = draw.choice([[e, 0, 1], [0, e, 1], [0, 0, 1], [0, e, draw.choice(sizes + [1])]])
        if axis[1:] == [0, 0]:
            axis = [0, 0, 1]
        there = [length(draw), 0, 0]
        if angles:
            one = Fraction(draw.randint(1, 9), 10)
            text += rolled(body(f"{name}_flange{k}", last, there, Fraction(1), "fixed"), one)
            text += rolled(body(f"{name}{k + 1}", f"{name}_flange{k}", there, Fraction(1)), draw.choice([0, e]) - one)
        else:
            text += body(f"{name}{k + 1}", last, there, Fraction(1), "revolute", axis)
        last = f"{name}{k + 1}"
    return text


def rolled(body, angle):
    """A body turned about x."""
    sign, size = "-" if angle < 0 else "", abs(angle)
    return f'{body}rpy = ["{sign}({size.numerator}/{size.denominator})", 0, 0]\n'


def geared(draw, to, sizes):
    """Wheels in a row, each a small ratio slower than the last."""
    text, racks = "", ""
    for k, ratio in enumerate(sizes):
        text += body(f"wheel{k}", "base", [0, length(draw), 0], Fraction(1))
        racks += (f'[[coupling]]\nname = "gear{k}"\ncoordinate = "wheel{k}"\n'
                  f'terms = [["{to if k == 0 else f"wheel{k - 1}"}", {decimal(ratio)}]]\n')
    return text, racks


def bennett(draw, e):
    """Drawn flat along x, with one bar too long by e: then it is rigid."""
    a, one = length(draw), Fraction(1)
    first, second = draw.sample([Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(2, 3)], 2)

    def sine(t):
        return 2 * t / (1 + t * t)

    def across(t):
        return [0, -2 * t, 1 - t * t]
    both = (first + second) / (1 - first * second)
    b = a * sine(second) / sine(first)
    text = (body("crank", "base", [0, 0, 0], one)
            + body("coupler", "crank", [a + e, 0, 0], one, "revolute", across(first))
            + body("rocker", "base", [b, 0, 0], one, "revolute", across(second)))
    axis = ", ".join(decimal(x) for x in across(both))
    return text + loop("rocker", [a, 0, 0], "coupler", [b - e, 0, 0], one) + f"axis = [{axis}]\n"


def unknown(draw):
    one = Fraction(1)
    # Products of both are what 200 digits still see.
    low, high = draw.choice([(3, 8), (6, 14), (12, 20), (18, 30)]), draw.choice([(3, 9), (6, 14)])
    sizes = [small(draw, *low), small(draw, *high)]
    e, other = sizes
    a, b, c, d = (length(draw) for _ in range(4))
    axis = [draw.choice([0, e, other]), draw.choice([0, e, other]), 1]
    off = draw.choice([0, e, other])
    kind = draw.choices(["four-bar", "nearly", "balls", "cross", "tripod", "bennett", "rigid"], [4, 4, 4, 4, 2, 1, 1])[0]
    angle = Fraction(draw.randint(1, 4), 10)
    guess, to, on = {"crank": angle / 2}, "crank", ["coupler", "crank"]
    if kind == "four-bar":
        text = (body("crank", "base", [0, 0, 0], one) + body("coupler", "crank", [a, 0, 0], one)
                + body("rocker", "base", [a + b, 0, 0], one) + loop("rocker", [c, d, 0], "coupler", [b + c, d, 0], one))
    elif kind == "nearly":
        # Not drawn open where its bars are equal.
        off = draw.choice([0, e, e * other])
        text = (body("crank", "base", [0, 0, 0], one) + body("coupler", "crank", [0, a, 0], one)
                + body("rocker", "base", [b, 0, 0], one) + loop("rocker", [0, a + off, 0], "coupler", [b, 0, 0], one))
        guess = {"crank": angle, "coupler": -angle, "rocker": angle}
    elif kind == "balls":
        text = (body("crank", "base", [0, 0, 0], one) + body("coupler", "crank", [a, 0, 0], one, "spherical")
                + body("rocker", "base", [a + b, 0, off], one, "revolute", axis)
                + by_balls(loop("rocker", [c, d, 0], "coupler", [b + c, d, off], one)))
    elif kind == "cross":
        text = (body("crank", "base", [0, 0, 0], one) + body("cross", "crank", [a, 0, 0], one, "revolute", axis)
                + body("coupler", "cross", [0, 0, 0], one, "revolute", perturbed(draw, [1, 0, 0], other))
                + body("rocker", "base", [a + b, 0, off], one, "revolute", draw.choice([[0, 0, 1], axis]))
                + by_balls(loop("rocker", [c, d, 0], "coupler", [b + c, d, off], one)))
    elif kind == "tripod":
        text, to, on, guess = tripod(draw, sizes, one, (a, b, d)), "leg0", ["plate", "rod0"], {"leg0": angle / 4}
    elif kind == "bennett":
        text = bennett(draw, draw.choice([0, e * other, e]))
        guess = {}
    else:
        text = (body("crank", "base", [0, 0, 0], one) + body("coupler", "crank", [a, 0, 0], one, "revolute", axis)
                + body("rocker", "base", [a + b, 0, 0], one) + loop("rocker", [c, d, 0], "coupler", [b + c, d, 0], one))
        guess = {}
    racks, angles = "", draw.random() < 0.25
    if draw.random() < 0.6:
        text += bent(draw, draw.choice(on + ["base"]), sizes, "arm", angles)
    if draw.random() < 0.3:
        wheels, racks = geared(draw, to, draw.choice([[e], [other, e], [other] * draw.randint(1, 3)]))
        text += wheels
    # What is drawn open has a configuration that the field does not know.
    if not guess or angles and draw.random() < 0.5:
        guess = {}
    start = "".join(f'{name} = {decimal(q) if q >= 0 else chr(34) + "-(" + decimal(-q).strip(chr(34)) + ")" + chr(34)}\n'
                    for name, q in guess.items())
    return [f"gravity = {draw.choice(GRAVITIES)}\n{text}{racks}" + (f"[guess]\n{start}" if start else "")]


KINDS = {"linkages": linkages, "trees": trees, "printed": printed_numbers, "spatial": spatial, "unknown": unknown}
NAME = re.compile(r'((?:name|parent|body|coordinate) = |terms = \[\[)"(?!base")([^"]*)"')


def unions(draw):
    """Parts under one gravity, with names of their own."""
    gravity, parts = f"gravity = {draw.choice(GRAVITIES)}\n", []
    for k in range(draw.randint(2, 3)):
        part, = KINDS[draw.choice(["linkages", "trees", "trees", "printed", "spatial"])](draw)
        _, text = part.split("\n", 1)
        parts.append(gravity + NAME.sub(rf'\1"part{k}_\2"', text))
    return parts


KINDS["unions"] = unions


def judged(part):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(part)
        file.flush()
        is_tree = not any(word in part for word in ("[[loop]]", "[[coupling]]", "rpy"))
        return Tree(file.name).rank() if is_tree else Mechanism(file.name).rank()


if __name__ == "__main__":
    count, draw = int(sys.argv[1]), random.Random(int(sys.argv[2]))
    kinds = sys.argv[3:] or list(KINDS)
    for k in range(count):
        parts = KINDS[kinds[k % len(kinds)]](draw)
        rank = sum(judged(part) for part in parts)
        text = parts[0] + "".join(part.split("\n", 1)[1] for part in parts[1:])
        print(f"=== rank {rank}\n{text}", end="", flush=True)
