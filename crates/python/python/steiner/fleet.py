"""Logs that outgrow one machine, and robots of one type: identification on Ray or Dask.

Every shard (a log) is reduced where a worker reads it, to an Accumulator of some ten kilobytes; these are merged in
a tree, and the sum is solved here. No sample travels. A second pass over the shards makes uncertainties that do not
trust noise to be white. Ray and Dask are optional: pip install steiner[ray] or steiner[dask]; "local" needs neither.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._backends import chosen
from ._outliers import unusual
from ._progress import tasks
from ._shown import table
from ._steiner import Accumulator, Identification, Robot, Scores

__all__ = ["Change", "Fleet", "identify", "identify_units", "shards_of"]

_ENDINGS = (".csv", ".csv.gz", ".parquet", ".npz", ".mat", ".mcap", ".db3")


def shards_of(folder: Any) -> List[str]:
    """The logs in a folder, in order: files with the ending of a log, and LeRobot datasets."""
    root = Path(folder)
    if (root / "meta" / "info.json").is_file() or root.is_file():
        return [str(root)]
    if not root.is_dir():
        raise FileNotFoundError(f"{root}: there is no such file or folder")
    found = [str(path) for path in sorted(root.iterdir()) if path.name.lower().endswith(_ENDINGS)]
    found += [str(path) for path in sorted(root.iterdir()) if (path / "meta" / "info.json").is_file()]
    if not found:
        raise ValueError(f"{root} has no logs; they end in {', '.join(_ENDINGS)}")
    return found


def _listed(logs: Any) -> List[Any]:
    if isinstance(logs, (str, Path)):
        return list(shards_of(logs))
    if isinstance(logs, Mapping):
        return [logs]
    shards = list(logs)
    if not shards:
        raise ValueError("there are no logs; give at least one")
    return shards


# What workers do. A blob is the robot with its settings; each process makes its accumulator once.


@lru_cache(maxsize=4)
def _empty(blob: bytes) -> Accumulator:
    robot, settings = pickle.loads(blob)
    return Accumulator(robot, **settings)


def _accumulated(blob: bytes, shards: Sequence[Any]) -> Tuple[Any, ...]:
    own = _empty(blob).empty()
    for shard in shards:
        own.add(shard)
    return own.state()


def _merged(blob: bytes, *states: Tuple[Any, ...]) -> Tuple[Any, ...]:
    empty = _empty(blob)
    own = empty.with_state(states[0])
    for state in states[1:]:
        own.merge(empty.with_state(state))
    return own.state()


def _scored(blob: bytes, at: Dict[str, Any], shards: Sequence[Any]) -> Scores:
    own = _empty(blob)
    scores = own.scores(shards[0], at)
    for shard in shards[1:]:
        scores.merge(own.scores(shard, at))
    return scores


def _scores_merged(_: bytes, *scores: Scores) -> Scores:
    out = scores[0]
    for more in scores[1:]:
        out = out + more
    return out


def _blob(robot: Robot, settings: Mapping[str, Any]) -> bytes:
    # A worker has a core: others have theirs.
    return pickle.dumps((robot, {"threads": 1, **settings}))


def _groups(shards: Sequence[Any], size: int) -> List[Sequence[Any]]:
    return [shards[k : k + size] for k in range(0, len(shards), size)]


def identify(
    robot: Robot,
    logs: Any,
    *,
    backend: Any = "local",
    shards_per_task: int = 1,
    robust: bool = True,
    retries: int = 3,
    on_progress: Union[None, bool, Callable[[str, int, int], None]] = None,
    **settings: Any,
) -> Identification:
    """Identifies one robot from many logs, on the workers of a cluster: the numbers of steiner.identify over all.

    logs: a list of logs, as identify takes them (paths must be readable by the workers), or a folder. backend:
    "ray" (after ray.init), "dask" (or a distributed.Client) or "local". Two passes over the logs; robust=False
    does one, and uncertainties are then for white noise. A worker that dies is replaced, and its shards are read
    again, up to retries times. on_progress(pass, done, tasks) is called as tasks end; True shows a bar. settings are the keywords of
    identify, as Accumulator takes them: give cutoff where motion must be filtered, and measure.
    """
    shards, own = _listed(logs), chosen(backend, retries)
    tell = tasks(on_progress, "fleet")
    blob = _blob(robot, settings)
    # A mistake in the settings, or in the first log, is said before any work is sent out.
    total = Accumulator(robot, **settings)
    groups = _groups(shards, max(1, shards_per_task))
    parts = own.run(_accumulated, [(blob, group) for group in groups], lambda k, n: tell("first pass", k, n))
    total = total.with_state(own.reduce(_merged, blob, parts))
    if not robust:
        return total.solve()
    at = total.point()
    parts = own.run(_scored, [(blob, at, group) for group in groups], lambda k, n: tell("second pass", k, n))
    return total.solve(own.reduce(_scores_merged, blob, parts))


# Many robots of one type.


@dataclass(frozen=True)
class Change:
    """A parameter of one robot that is not like that of the others."""

    unit: str
    what: str
    """The joint whose drive changed, or "inertia": another payload or tool."""
    parameter: str
    value: float
    usual: float
    """The median of all robots."""
    z: float
    """How many standard deviations from it, those of the estimate and of the robots together."""

    def __str__(self) -> str:
        return f"{self.unit}: {self.parameter} is {self.value:.4g}, usual {self.usual:.4g} (z = {self.z:+.1f})"


@dataclass
class Fleet:
    """Robots of one type: common inertias, and friction, rotor inertia and gains of each."""

    names: List[str]
    """Common base parameters: those of the bodies."""
    parameters: np.ndarray
    sigma: np.ndarray
    covariance: np.ndarray
    own_names: List[str]
    """Base parameters of drives, which each robot has for itself."""
    units: List[str]
    own: np.ndarray
    """(units, own parameters)."""
    own_sigma: np.ndarray
    misfit: np.ndarray
    """For each robot, χ² per degree of freedom of the common inertias on its own logs."""
    samples: List[int]
    changes: List[Change] = field(default_factory=list)
    """What is not like in the other robots, the clearest first."""
    pooled: Optional[Accumulator] = field(default=None, repr=False)
    """All robots that have the common inertias, as if their drives were the usual ones."""

    @property
    def usual(self) -> np.ndarray:
        """Median of each own parameter."""
        return np.asarray(np.median(self.own, axis=0))

    def identification(self, unit: Optional[str] = None) -> Identification:
        """The physically consistent model of the fleet: common inertias with the usual drives, or with those of a
        unit. `identification(unit).robot` computes with it, `.save(path)` writes it."""
        if self.pooled is None:
            raise ValueError("there are no accumulators to make a model of; use identify_units")
        if unit is None:
            return self.pooled.solve()
        if unit not in self.units:
            raise ValueError(f"there is no unit `{unit}`; there are {', '.join(self.units[:20])}")
        places = [self.pooled.base_names.index(name) for name in self.own_names]
        by = np.zeros(len(self.pooled.base_names))
        by[places] = self.usual - self.own[self.units.index(unit)]
        return self.pooled.moved(by).solve()

    def _repr_html_(self) -> str:
        rows = [(c.unit, c.what, c.parameter, c.value, c.usual, f"{c.z:+.1f}") for c in self.changes]
        return table(("unit", "what", "parameter", "value", "usual", "z"), rows, str(self))

    def __str__(self) -> str:
        count = len(self.changes)
        found = "all alike" if count == 0 else f"{count} change{'s' if count > 1 else ''}"
        return f"{len(self.units)} robots, {len(self.names)} common and {len(self.own_names)} own parameters: {found}"


def identify_units(
    robot: Robot,
    units: Mapping[str, Any],
    *,
    backend: Any = "local",
    retries: int = 3,
    chance: float = 0.01,
    on_progress: Union[None, bool, Callable[[str, int, int], None]] = None,
    **settings: Any,
) -> Fleet:
    """Identifies many robots of one type: inertias in common, drives for each, pooled by their weights.

    units: {name: logs of that robot}. Changes are parameters that are farther from those of the other robots than
    these scatter, with a chance of at most `chance` to name any if all robots are alike. One pass.
    """
    own, tell = chosen(backend, retries), tasks(on_progress, "fleet")
    if len(units) < 3:
        raise ValueError(f"{len(units)} robots are no fleet; give at least 3, so that there is something usual")
    if not 0 < chance < 1:
        raise ValueError(f"chance is {chance}; give a probability above 0 and below 1, as in 0.01")
    blob, names = _blob(robot, settings), list(units)
    empty = Accumulator(robot, **settings)
    items = [(blob, _listed(units[name])) for name in names]
    states = own.get(own.run(_accumulated, items, lambda k, n: tell("units", k, n)))
    return pooled(empty, names, [empty.with_state(state) for state in states], chance)


def pooled(empty: Accumulator, units: Sequence[str], taken: Sequence[Accumulator], chance: float = 0.01) -> Fleet:
    """The same from the accumulators of the units; `empty` is one of the same robot and settings."""
    base_names, of_drives = empty.base_names, np.asarray(empty.of_drives)
    drives, bodies = np.flatnonzero(of_drives), np.flatnonzero(~of_drives)
    d, c, count = len(drives), len(bodies), len(units)
    names, own_names = [base_names[int(k)] for k in bodies], [base_names[int(k)] for k in drives]
    order = np.concatenate([drives, bodies, [len(base_names)]])
    # Own columns first: below them stands what is left for the common ones.
    reduced: List[Any] = [np.linalg.qr(one.triangle[:, order], mode="r") for one in taken]
    alone = [_least_squares(r[d : d + c, d : d + c], r[d : d + c, -1]) for r in reduced]
    own_beta = np.array([beta for beta, _ in alone])
    own_beta_sigma = np.sqrt([np.diag(covariance) for _, covariance in alone])
    # Each half of the parameters has its share of the chance.
    shares = chance * np.array([c, d]) / max(1, c + d)
    changed_beta, beta_z = unusual(own_beta, own_beta_sigma, float(shares[0]))
    # A robot with other inertias has no part in the common ones, nor are its drives judged by them.
    other = np.any(changed_beta, axis=1)
    alike = [r[d:, d:] for r, changed in zip(reduced, other) if not changed] or [r[d:, d:] for r in reduced]
    stacked: Any = np.linalg.qr(np.vstack(alike), mode="r")
    beta, covariance = _least_squares(stacked[:c, :c], stacked[:c, c])
    own, own_sigma, misfit = np.zeros((count, d)), np.zeros((count, d)), np.zeros(count)
    for k, r in enumerate(reduced):
        rdd, rdc, rcc = r[:d, :d], r[:d, d : d + c], r[d : d + c, d : d + c]
        used, unsure = alone[k] if other[k] else (beta, covariance)
        own[k], white = _least_squares(rdd, r[:d, -1] - rdc @ used)
        moved = np.linalg.pinv(rdd, rcond=1e-10) @ rdc
        known = np.where(np.isfinite(unsure), unsure, 0.0)
        own_sigma[k] = np.sqrt(np.diag(white) + np.einsum("ij,jk,ik->i", moved, known, moved))
        misfit[k] = np.sum((rcc @ (beta - own_beta[k])) ** 2) / max(1, c)
    fleet = Fleet(
        names=names,
        parameters=beta,
        sigma=np.sqrt(np.diag(covariance)),
        covariance=covariance,
        own_names=own_names,
        units=list(units),
        own=own,
        own_sigma=own_sigma,
        misfit=misfit,
        samples=[one.samples for one in taken],
    )
    changed_own, own_z = unusual(own, own_sigma, float(shares[1]))
    joint: Callable[[str], str] = lambda name: name.rsplit(".", 1)[0]
    fleet.changes = [
        *_changes(fleet.units, own_names, own, changed_own, own_z, joint),
        *_changes(fleet.units, names, own_beta, changed_beta, beta_z, lambda _: "inertia"),
    ]
    fleet.changes.sort(key=lambda change: -abs(change.z))
    # With the usual drives instead of their own, robots are one robot.
    total = empty.empty()
    for one, own_drives, changed in zip(taken, own, other):
        if not changed or np.all(other):
            by = np.zeros(len(base_names))
            by[drives] = own_drives - fleet.usual
            total.merge(one.moved(by))
    fleet.pooled = total
    return fleet


def _changes(
    units: Sequence[str],
    names: Sequence[str],
    values: np.ndarray,
    changed: np.ndarray,
    z: np.ndarray,
    what: Callable[[str], str],
) -> List[Change]:
    """The clearest parameter of everything that changed."""
    usual = np.median(values, axis=0)
    out: List[Change] = []
    for k, unit in enumerate(units):
        found: Dict[str, Change] = {}
        for n in np.argsort(-np.abs(z[k])).tolist():
            if changed[k, n]:
                change = Change(unit, what(names[n]), names[n], float(values[k, n]), float(usual[n]), float(z[k, n]))
                found.setdefault(change.what, change)
        out.extend(found.values())
    return out


def _least_squares(r: np.ndarray, z: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Solution and covariance of a triangle; infinite variances where nothing is seen."""
    size = np.linalg.norm(r, axis=0)
    scale = np.where(size > 0, size, 1.0)
    u, s, vt = np.linalg.svd(r / scale)
    seen = s > 1e-9 * (s[0] if len(s) else 1.0)
    x = vt[seen].T @ ((u[:, seen].T @ z) / s[seen])
    covariance = (vt[seen].T / s[seen] ** 2) @ vt[seen]
    hidden = np.sum(vt[~seen] ** 2, axis=0) > 1e-6
    covariance /= np.outer(scale, scale)
    covariance[np.diag_indices_from(covariance)] = np.where(hidden, np.inf, np.diag(covariance))
    return x / scale, covariance
