"""Formulas as functions and for notebooks."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Dict

import numpy as np


@lru_cache(maxsize=64)
def _module(code: str) -> Dict[str, Any]:
    names: Dict[str, Any] = {}
    exec(compile(code, "formulas", "exec"), names)
    return names


def evaluated(code: str, **values: float) -> np.ndarray:
    """B (base parameters, parameters) for lengths and angles by name; the file's where none is given."""
    module = _module(code)
    known = dict(zip(module["LENGTHS"], module["FILE_LENGTHS"])) | dict(zip(module["ANGLES"], module["FILE_ANGLES"]))
    strange = [name for name in values if name not in known]
    if strange:
        raise TypeError(f"there is no length or angle `{strange[0]}`; there are {', '.join(known)}")
    known.update(values)
    lengths, angles = [known[name] for name in module["LENGTHS"]], [known[name] for name in module["ANGLES"]]
    weights = module["weights"](lengths, angles)
    out = np.zeros((len(module["BASE"]), len(module["PARAMETERS"])))
    for (row, column), weight in zip(module["TERMS"], weights):
        out[row, column] = weight
    return out


def shown(document: str) -> str:
    """The displayed formulas of a LaTeX document, without what only LaTeX itself understands."""
    display = r"\{(?:align|gather|multline|equation)\*?\}"
    found = re.findall(rf"\\begin{display}(.*?)\\end{display}", document, flags=re.DOTALL)
    found += re.findall(r"\\\[(.*?)\\\]", document, flags=re.DOTALL)
    return "$$\\begin{aligned}" + r"\\".join(text.strip() for text in found) + "\\end{aligned}$$"
