"""Logs in HDF5 as ALOHA and robomimic write them. Needs h5py: pip install steiner[hdf5]."""

from __future__ import annotations

from os import PathLike
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np

Log = Dict[str, np.ndarray]

# What an array is, by the last part of its name.
_POSITIONS = ("qpos", "joint_positions", "joint_position", "joint_pos", "joint_states")
_VELOCITIES = ("qvel", "joint_velocities", "joint_velocity", "joint_vel")
_FORCES = (
    "effort", "efforts", "joint_efforts", "joint_effort", "joint_torques", "joint_torque", "torque", "torques", "tau",
)
_TIMES = ("t", "time", "timestamp", "timestamps")


def read_hdf5(
    path: Union[str, "PathLike[str]"],
    *,
    rate: Optional[float] = None,
    columns: Union[slice, Sequence[int], None] = None,
    forces: bool = True,
) -> List[Log]:
    """Logs of an HDF5 file, one for every episode: t (S,) in s, q, qd, tau (S, joints), as identify takes them.

    ALOHA has one episode, in observations/qpos, qvel and effort; robomimic has one in every group of data, as in
    data/demo_0/obs/robot0_joint_pos. rate (Hz) is needed where no time was recorded: ALOHA has 50. columns
    selects joints: range(6) are those of ALOHA's left arm. A file without torques is refused, unless forces is
    False (then its motion can still be analysed).
    """
    try:
        import h5py
    except ModuleNotFoundError:
        raise ModuleNotFoundError("h5py is missing; pip install steiner[hdf5]") from None
    with h5py.File(path, "r") as file:
        groups = _episodes(file)
        if not groups:
            raise ValueError(
                f"{path} has no joint positions: neither observations/qpos (ALOHA) nor data/…/obs/…_joint_pos "
                f"(robomimic); it has {_listed(file)}"
            )
        return [_log(group, str(path), rate, columns, forces) for group in groups]


def _episodes(file: Any) -> List[Any]:
    if "observations" in file:
        return [file]
    if "data" in file and hasattr(file["data"], "keys"):
        def number(name: str) -> tuple[int, str]:
            digits = "".join(c for c in name if c.isdigit())
            return (int(digits) if digits else 0, name)

        demos = [file["data"][name] for name in sorted(file["data"].keys(), key=number)]
        return [demo for demo in demos if "obs" in demo and _find(demo["obs"], _POSITIONS) is not None]
    return [file] if _find(file, _POSITIONS) is not None else []


def _find(group: Any, names: Sequence[str]) -> Optional[str]:
    """The array of a group that has one of these names, or ends in it: robot0_joint_pos."""
    keys = [str(key) for key in group.keys() if hasattr(group[key], "shape")]
    for name in names:
        if name in keys:
            return name
        ending = [key for key in keys if key.endswith("_" + name) and len(name) > 4]
        if ending:
            return ending[0]
    return None


def _log(group: Any, path: str, rate: Optional[float], columns: Any, forces: bool) -> Log:
    place = group["observations"] if "observations" in group else group["obs"] if "obs" in group else group
    called = f"{path}:{place.name}"
    chosen = slice(None) if columns is None else columns if isinstance(columns, slice) else list(columns)
    log: Log = {}
    for quantity, names in (("q", _POSITIONS), ("qd", _VELOCITIES), ("tau", _FORCES)):
        key = _find(place, names)
        if key is None:
            continue
        values = np.asarray(place[key], dtype=float)
        if values.ndim != 2:
            raise ValueError(f"{called}/{key} has shape {values.shape}; a row per sample is expected")
        if isinstance(chosen, list) and chosen and max(chosen) >= values.shape[1]:
            raise ValueError(f"columns has {max(chosen)}, but {called}/{key} has {values.shape[1]} columns")
        log[quantity] = values[:, chosen]
    if "q" not in log:
        raise ValueError(f"{called} has no joint positions; it has {_listed(place)}")
    if forces and "tau" not in log:
        raise ValueError(
            f"{called} has no torques, and nothing can be identified without; it has {_listed(place)} "
            "(forces=False reads its motion alone)"
        )
    clock = _find(place, _TIMES)
    if clock is not None:
        log["t"] = np.asarray(place[clock], dtype=float).ravel()
    elif rate is None:
        raise ValueError(f"{called} has no time; give rate= in Hz (ALOHA records at 50)")
    elif not rate > 0:
        raise ValueError(f"rate is {rate}; give samples per second")
    else:
        log["t"] = np.arange(len(log["q"])) / rate
    lengths = {key: len(values) for key, values in log.items()}
    if len(set(lengths.values())) != 1:
        raise ValueError(f"{called}: {lengths} samples; all must have the same number")
    return log


def _listed(group: Any) -> str:
    keys = list(group.keys())
    return ", ".join(keys[:12]) + (", …" if len(keys) > 12 else "")
