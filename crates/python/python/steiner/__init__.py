"""Find out which masses, centres of mass and inertias your sensors can reveal, and identify them from a
log. SI units, radians."""

from ._steiner import (
    Accumulator,
    Analysis,
    Check,
    Comparison,
    Formulas,
    Identification,
    Motion,
    Payload,
    PayloadEstimator,
    Psdm,
    Robot,
    Scores,
    __version__,
    analyze,
    check,
    compare,
    excite,
    formulas,
    identify,
    simulate,
    zoo,
)

from .hdf5 import read_hdf5

__all__ = [
    "Accumulator",
    "Analysis",
    "Check",
    "Comparison",
    "Formulas",
    "Identification",
    "Motion",
    "Payload",
    "PayloadEstimator",
    "Psdm",
    "Robot",
    "Scores",
    "__version__",
    "analyze",
    "check",
    "compare",
    "excite",
    "formulas",
    "identify",
    "read_hdf5",
    "simulate",
    "zoo",
]
