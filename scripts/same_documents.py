"""How two JSON documents of `steiner` differ: `scripts/same_answers --help` says what counts as the same.

    verdict = Verdict(tolerance=1e-12)
    verdict.compare({"mass": 1.0}, {"mass": 1.0 + 1e-13})
    verdict.numbers    # [(1e-13, "mass")]
    verdict.failures   # []
"""

import json
import math
import re
from dataclasses import dataclass, field

import numpy as np

LARGEST_ANGLE = 1e-9  # rad, between two spans
TIMES = re.compile(r"(^|_)(nano)?seconds$")
# Text that is part of the answer; any other text is words.
NAMES = {
    "alone", "arithmetic", "geometry", "independent", "kind", "labels", "measure", "method", "null_verified",
    "parameters", "unidentifiable", "weakly_excited",
}
# Numbers that documents keep by name, although they are components of one vector.
NAMED_VECTORS = {"drives", "joints", "least_speed", "model", "noise", "rms"}
COLUMNS = {"least_squares", "prior", "value"}
ROUNDING = {"closure_residual", "gap", "max_error", "stationarity", "violation"}


@dataclass
class Verdict:
    """How two documents differ. Paths collapse indices, bodies[].mass, and names of components, model{}."""

    tolerance: float  # of numbers, relative to the largest of their vector
    relaxed: float = 0.0  # a larger tolerance, for numbers that are listed apart
    numbers: list = field(default_factory=list)  # (relative difference, path): within the tolerance
    within_relaxed: list = field(default_factory=list)  # (relative difference, path)
    rounding: list = field(default_factory=list)  # (difference, path)
    spans: list = field(default_factory=list)  # (angle, path): another basis of one span
    words: list = field(default_factory=list)  # (path, before, after)
    added: set = field(default_factory=set)  # paths
    removed: set = field(default_factory=set)  # paths; each is a failure as well
    slow: str = ""  # which of the two took too long
    failures: list = field(default_factory=list)  # (path, sentence)

    @property
    def is_identical(self):
        return not any((
            self.numbers, self.within_relaxed, self.rounding, self.spans, self.words, self.added, self.slow,
            self.failures,
        ))

    def compare(self, before, after, path=""):
        """Notes all differences of two documents."""
        self._value(without_times(before), without_times(after), path)

    def fail(self, path, sentence):
        self.failures.append((path or "the document", sentence))

    def _value(self, a, b, path, scale=0.0):
        """Any two values; `scale` is the largest number of the vector they belong to."""
        key = re.split(r"[.\[]", path.rstrip("[]"))[-1]
        kinds = {type(a), type(b)}
        if kinds == {dict}:
            self._object(a, b, path, key)
        elif kinds == {list}:
            self._list(a, b, path, key)
        elif len(kinds) == 1 and (a == b or a != a and b != b):
            return
        elif kinds <= {int, float}:
            self._number(a, b, path, key, scale)
        elif kinds == {str} and key not in NAMES:
            self.words.append((path, a, b))
        else:
            self.fail(path, f"{brief(a)} became {brief(b)}")

    def _number(self, a, b, path, key, scale):
        if key in ROUNDING and of_one_order(a, b):
            self.rounding.append((abs(a - b), path))
            return
        difference = abs(a - b) / max(scale, abs(a), abs(b), 5e-324)
        if {type(a), type(b)} == {float} and difference <= self.tolerance:
            self.numbers.append((difference, path))
        elif {type(a), type(b)} == {float} and difference <= self.relaxed:
            self.within_relaxed.append((difference, path))
        else:
            self.fail(path, f"{a!r} became {b!r} (relative difference {difference:.1e})")

    def _object(self, a, b, path, key):
        inside = f"{path}." if path else ""
        for name in a.keys() - b.keys():
            self.removed.add(inside + name)
            self.fail(inside + name, "the key was removed")
        self.added |= {inside + name for name in b.keys() - a.keys()}
        is_vector = key in NAMED_VECTORS
        scale = magnitude([*a.values(), *b.values()]) if is_vector else 0.0
        for name in a:
            if name in b:
                self._value(a[name], b[name], path + "{}" if is_vector else inside + name, scale)

    def _list(self, a, b, path, key):
        both = [*a, *b]
        is_text = all(isinstance(x, str) for x in both)
        for members, matrices in (("entries", null_vectors), ("terms", base_parameters)):
            if both and all(isinstance(x, dict) and members in x for x in both):
                return self._vectors(a, b, path, members, matrices)
        if is_text and key in NAMES and a != b:
            lost, gained = sorted({*a} - {*b}), sorted({*b} - {*a})
            changes = f"lost {brief(lost)}, gained {brief(gained)}"
            self.fail(path, changes if lost or gained else "another order")
        elif is_text and len(a) != len(b):
            self.words.append((path, a, b))
        elif len(a) != len(b):
            self.fail(path, f"{len(a)} items became {len(b)}")
        else:
            scale = magnitude(both)
            for x, y in zip(a, b):
                self._value(x, y, f"{path}[]", scale)

    def _vectors(self, a, b, path, members, matrices):
        """Sparse vectors: one by one if they are the same, otherwise their span. Other keys one by one."""
        single = Verdict(self.tolerance, self.relaxed)
        if len(a) != len(b):
            single.fail(path, "another number of vectors")
        for x, y in zip(a, b):
            single._sparse(x[members], y[members], f"{path}[].{members}")
        columns = {key: magnitude([x.get(key) for x in [*a, *b]]) for key in COLUMNS}
        # A vector without a joint may stand where one with a joint stood: that is words.
        absent = "" if single.failures and members == "entries" else None
        for x, y in zip(a, b):
            x, y = ({k: absent if v is None else v for k, v in side.items()} for side in (x, y))
            del x[members], y[members]
            for key in COLUMNS & x.keys() & y.keys():
                self._value(x.pop(key), y.pop(key), f"{path}[].{key}", columns[key])
            self._value(x, y, f"{path}[]")
        if not single.failures:
            self.numbers += single.numbers
            self.within_relaxed += single.within_relaxed
            return
        angle = largest_angle(*matrices(a, b))
        if angle <= LARGEST_ANGLE:
            self.spans.append((angle, path))
        elif math.isinf(angle):
            self.fail(path, f"{len(a)} and {len(b)} vectors of different rank")
        else:
            self.fail(path, f"the spans are {angle:.1e} rad apart ({len(a)} vectors)")

    def _sparse(self, a, b, path):
        """Two lists of [index or label, value]."""
        first, second = ({str(at): value for at, value in side} for side in (a, b))
        scale = magnitude([*first.values(), *second.values()])
        for at in {**first, **second}:
            self._value(float(first.get(at, 0.0)), float(second.get(at, 0.0)), f"{path}[]", scale)


def without_times(value):
    """A document without the times it took."""
    if isinstance(value, dict):
        return {key: without_times(x) for key, x in value.items() if not TIMES.search(key)}
    return [without_times(x) for x in value] if isinstance(value, list) else value


def of_one_order(a, b):
    """Whether two measures of rounding say the same: both tiny, or logarithms within a third."""
    if max(abs(a), abs(b)) < 1e-9:
        return True
    if min(a, b) <= 0:
        return False
    # No rounding at all is written as the largest double.
    first, second = (min(math.log10(x), 30.0) for x in (a, b))
    return abs(first - second) <= max(1.0, abs(first) / 3)


def magnitude(values):
    """The largest absolute value of the floats among some values; 0 if there is none."""
    return max((abs(x) for x in values if isinstance(x, float) and math.isfinite(x)), default=0.0)


def null_vectors(*sides):
    """Two lists of vectors, as matrices with one vector per row."""
    columns = 1 + max((at for side in sides for vector in side for at, _ in vector["entries"]), default=0)
    return [dense([vector["entries"] for vector in side], columns) for side in sides]


def base_parameters(*sides):
    """Two lists of linear forms, as matrices with one form per row."""
    labels = dict.fromkeys(label for side in sides for base in side for label, _ in base["terms"])
    at = {label: column for column, label in enumerate(labels)}
    forms = [[[(at[label], x) for label, x in base["terms"]] for base in side] for side in sides]
    return [dense(side, len(at)) for side in forms]


def dense(vectors, columns):
    matrix = np.zeros((len(vectors), columns))
    for row, entries in zip(matrix, vectors):
        for at, value in entries:
            row[at] = value
    return matrix


def largest_angle(a, b):
    """The largest principal angle of two row spaces, rad; infinite if their ranks differ."""
    first, second = row_space(a), row_space(b)
    if len(first) != len(second):
        return math.inf
    if len(first) == 0:
        return 0.0
    return float(np.arcsin(min(1.0, np.linalg.norm(second - second @ first.T @ first, 2))))


def row_space(matrix):
    """An orthonormal basis of the rows, which count alike whatever their lengths."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    _, singular, right = np.linalg.svd(matrix / np.where(lengths > 0, lengths, 1), full_matrices=False)
    return right[singular > 1e-10 * singular.max(initial=0)]


def brief(value, length=100):
    """A value on one line."""
    text = " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= length else text[: length - 1] + "…"
