"""Find out which masses, centres of mass and inertias your sensors can reveal, and identify them from a
log. SI units, radians."""

from ._steiner import (
    Analysis,
    Comparison,
    Identification,
    Motion,
    Payload,
    PayloadEstimator,
    Psdm,
    Robot,
    __version__,
    analyze,
    compare,
    excite,
    identify,
    simulate,
    zoo,
)

__all__ = [
    "Analysis",
    "Comparison",
    "Identification",
    "Motion",
    "Payload",
    "PayloadEstimator",
    "Psdm",
    "Robot",
    "__version__",
    "analyze",
    "compare",
    "excite",
    "identify",
    "simulate",
    "zoo",
]
