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
from statistics import NormalDist
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from ._steiner import Accumulator, Identification, Robot, Scores

__all__ = ["Change", "Fleet", "identify", "identify_units", "shards_of"]

_ENDINGS = (".csv", ".csv.gz", ".parquet", ".npz", ".mat", ".mcap", ".db3")
# Shards that one worker merges before anything travels, and results that one merge takes.
_FAN = 8

Progress = Callable[[int, int], None]


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


def _unit_triangle(blob: bytes, shards: Sequence[Any]) -> Tuple[np.ndarray, int]:
    own = _empty(blob).empty()
    for shard in shards:
        own.add(shard)
    return own.triangle, own.samples


# Where they do it.


class _Local:
    def run(self, function: Callable[..., Any], items: Sequence[Tuple[Any, ...]], progress: Progress) -> List[Any]:
        out = []
        for k, item in enumerate(items):
            out.append(function(*item))
            progress(k + 1, len(items))
        return out

    def reduce(self, function: Callable[..., Any], first: Any, parts: List[Any]) -> Any:
        return function(first, *parts) if len(parts) > 1 else parts[0]


class _Ray:
    def __init__(self, retries: int) -> None:
        try:
            import ray
        except ModuleNotFoundError:
            raise ModuleNotFoundError("ray is missing; pip install steiner[ray]") from None
        if not ray.is_initialized():
            raise RuntimeError("Ray is not running; call ray.init() first, with the address of your cluster")
        self.ray, self.retries = ray, retries

    def _remote(self, function: Callable[..., Any]) -> Any:
        return self.ray.remote(max_retries=self.retries, num_cpus=1)(function)

    def run(self, function: Callable[..., Any], items: Sequence[Tuple[Any, ...]], progress: Progress) -> List[Any]:
        remote = self._remote(function)
        # What all tasks share is stored once.
        shared: Dict[int, Any] = {}
        def stored(x: Any) -> Any:
            if isinstance(x, bytes):
                return shared.setdefault(id(x), self.ray.put(x))
            return x

        refs = [remote.remote(*(stored(x) for x in item)) for item in items]
        waiting = list(refs)
        while waiting:
            done, waiting = self.ray.wait(waiting, num_returns=1)
            self.ray.get(done)
            progress(len(refs) - len(waiting), len(refs))
        return refs

    def reduce(self, function: Callable[..., Any], first: Any, parts: List[Any]) -> Any:
        remote, refs = self._remote(function), list(parts)
        shared = self.ray.put(first)
        while len(refs) > 1:
            refs = [
                remote.remote(shared, *refs[k : k + _FAN]) if len(refs[k : k + _FAN]) > 1 else refs[k]
                for k in range(0, len(refs), _FAN)
            ]
        return self.ray.get(refs[0])

    def get(self, parts: List[Any]) -> List[Any]:
        return list(self.ray.get(parts))


class _Dask:
    def __init__(self, client: Any, retries: int) -> None:
        try:
            import distributed
        except ModuleNotFoundError:
            raise ModuleNotFoundError("dask.distributed is missing; pip install steiner[dask]") from None
        self.retries = retries
        self.as_completed: Any = distributed.as_completed
        try:
            self.client = client or distributed.get_client()
        except ValueError:
            raise RuntimeError("there is no Dask client; make one with distributed.Client(address)") from None

    def run(self, function: Callable[..., Any], items: Sequence[Tuple[Any, ...]], progress: Progress) -> List[Any]:
        futures = [self.client.submit(function, *item, retries=self.retries, pure=False) for item in items]
        for k, future in enumerate(self.as_completed(futures)):
            if future.status == "error":
                future.result()
            progress(k + 1, len(futures))
        return futures

    def reduce(self, function: Callable[..., Any], first: Any, parts: List[Any]) -> Any:
        futures = list(parts)
        while len(futures) > 1:
            futures = [
                self.client.submit(function, first, *futures[k : k + _FAN], retries=self.retries, pure=False)
                if len(futures[k : k + _FAN]) > 1
                else futures[k]
                for k in range(0, len(futures), _FAN)
            ]
        return futures[0].result()

    def get(self, parts: List[Any]) -> List[Any]:
        return list(self.client.gather(parts))


def _backend(backend: Any, retries: int) -> Any:
    if backend == "local":
        return _Local()
    if backend == "ray":
        return _Ray(retries)
    if backend == "dask" or hasattr(backend, "submit"):
        return _Dask(None if backend == "dask" else backend, retries)
    raise ValueError(f'backend is {backend!r}; use "ray", "dask", "local" or a dask.distributed.Client')


def _fetched(backend: Any, parts: List[Any]) -> List[Any]:
    return backend.get(parts) if hasattr(backend, "get") else parts


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
    on_progress: Optional[Callable[[str, int, int], None]] = None,
    **settings: Any,
) -> Identification:
    """Identifies one robot from many logs, on the workers of a cluster: the numbers of steiner.identify over all.

    logs: a list of logs, as identify takes them (paths must be readable by the workers), or a folder. backend:
    "ray" (after ray.init), "dask" (or a distributed.Client) or "local". Two passes over the logs; robust=False
    does one, and uncertainties are then for white noise. A worker that dies is replaced, and its shards are read
    again, up to retries times. on_progress(pass, done, tasks) is called as tasks end. settings are the keywords of
    identify, as Accumulator takes them: give cutoff where motion must be filtered, and measure.
    """
    shards, own = _listed(logs), _backend(backend, retries)
    tell = on_progress or (lambda *_: None)
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

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{c.unit}</td><td>{c.what}</td><td>{c.parameter}</td><td>{c.value:.4g}</td>"
            f"<td>{c.usual:.4g}</td><td>{c.z:+.1f}</td></tr>"
            for c in self.changes
        )
        head = "".join(f"<th>{x}</th>" for x in ("unit", "what", "parameter", "value", "usual", "z"))
        return f"<p>{self}</p><table><tr>{head}</tr>{rows}</table>"

    def __str__(self) -> str:
        found = f"{len(self.changes)} changes" if self.changes else "all alike"
        return f"{len(self.units)} robots, {len(self.names)} common and {len(self.own_names)} own parameters: {found}"


def identify_units(
    robot: Robot,
    units: Mapping[str, Any],
    *,
    backend: Any = "local",
    retries: int = 3,
    chance: float = 1e-4,
    on_progress: Optional[Callable[[str, int, int], None]] = None,
    **settings: Any,
) -> Fleet:
    """Identifies many robots of one type: inertias in common, drives for each, pooled by their weights.

    units: {name: logs of that robot}. Changes are parameters that no chance explains, with a chance of at most
    `chance` to name any if all robots are alike. That is for normal estimates and white noise, and the default is
    strict because neither quite holds. One pass.
    """
    own, tell = _backend(backend, retries), on_progress or (lambda *_: None)
    if len(units) < 3:
        raise ValueError(f"{len(units)} robots are no fleet; give at least 3, so that there is something usual")
    blob, names = _blob(robot, settings), list(units)
    empty = Accumulator(robot, **settings)
    items = [(blob, _listed(units[name])) for name in names]
    found = _fetched(own, own.run(_unit_triangle, items, lambda k, n: tell("units", k, n)))
    return pooled(empty.base_names, empty.of_drives, names, found, chance)


def pooled(
    base_names: Sequence[str],
    of_drives: np.ndarray,
    units: Sequence[str],
    triangles: Sequence[Tuple[np.ndarray, int]],
    chance: float = 1e-4,
) -> Fleet:
    """The same from triangles: of each unit R over base parameters and forces, and its samples."""
    drives, bodies = np.flatnonzero(of_drives), np.flatnonzero(~np.asarray(of_drives))
    d, c, count = len(drives), len(bodies), len(units)
    names, own_names = [base_names[int(k)] for k in bodies], [base_names[int(k)] for k in drives]
    order = np.concatenate([drives, bodies, [len(base_names)]])
    # Own columns first: below them stands what is left for the common ones.
    reduced: List[Any] = [np.linalg.qr(np.asarray(triangle)[:, order], mode="r") for triangle, _ in triangles]
    alone = [_least_squares(r[d : d + c, d : d + c], r[d : d + c, -1]) for r in reduced]
    own_beta = np.array([beta for beta, _ in alone])
    own_beta_sigma = np.sqrt([np.diag(covariance) for _, covariance in alone])
    limit = NormalDist().inv_cdf(1 - chance / (2 * count * len(base_names)))
    inertias = _unusual(own_beta, own_beta_sigma)
    # A robot with other inertias has no part in the common ones, nor are its drives judged by them.
    other = np.any(np.abs(inertias) > limit, axis=1)
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
        samples=[samples for _, samples in triangles],
    )
    fleet.changes = [
        *_changes(fleet.units, own_names, own, _unusual(own, own_sigma), limit, lambda name: name.rsplit(".", 1)[0]),
        *_changes(fleet.units, names, own_beta, inertias, limit, lambda _: "inertia"),
    ]
    fleet.changes.sort(key=lambda change: -abs(change.z))
    return fleet


def _unusual(values: np.ndarray, sigma: np.ndarray) -> np.ndarray:
    """How far each robot's numbers are from the median, in standard deviations: of the estimate, and of robots that
    differ by themselves. A few that changed move neither median."""
    distance = values - np.median(values, axis=0)
    seen = np.isfinite(sigma)
    noise = np.median(np.where(seen, sigma, 0.0), axis=0)
    between = np.maximum((1.4826 * np.median(np.abs(distance), axis=0)) ** 2 - noise**2, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        z = distance / np.sqrt(sigma**2 + between)
    return np.where(seen & np.isfinite(z), z, 0.0)


def _changes(
    units: Sequence[str],
    names: Sequence[str],
    values: np.ndarray,
    z: np.ndarray,
    limit: float,
    what: Callable[[str], str],
) -> List[Change]:
    """The clearest parameter of everything that changed."""
    usual = np.median(values, axis=0)
    out: List[Change] = []
    for k, unit in enumerate(units):
        found: Dict[str, Change] = {}
        for n in np.argsort(-np.abs(z[k])).tolist():
            if abs(z[k, n]) > limit:
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
