"""Identification as an estimator of scikit-learn: cross-validation and grid search. pip install steiner[sklearn]."""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy as np

from ._steiner import Robot, identify

try:
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.utils.validation import check_is_fitted
except ModuleNotFoundError:
    raise ModuleNotFoundError("scikit-learn is missing; pip install steiner[sklearn]") from None


class DynamicsRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Torques of a robot from its motion, by its inertias and friction.

    X is (S, nq + 2 dof): positions, velocities and accelerations in the order of robot.independent; y is (S, dof),
    measured forces. Samples are taken as they are, without filter. dt (s) is their distance, for uncertainties.
    The other parameters are those of identify. After fit, identification_ is the whole answer, and robot_ the
    identified robot.
    """

    def __init__(
        self,
        robot: Optional[Robot] = None,
        *,
        estimator: str = "weighted",
        drives: bool = True,
        friction: str = "simple",
        consistent: bool = True,
        pull: str = "log-det",
        fix: Optional[Dict[str, float]] = None,
        payload: Optional[str] = None,
        least_speed: Optional[Dict[str, float]] = None,
        dt: float = 0.01,
    ) -> None:
        self.robot = robot
        self.estimator = estimator
        self.drives = drives
        self.friction = friction
        self.consistent = consistent
        self.pull = pull
        self.fix = fix
        self.payload = payload
        self.least_speed = least_speed
        self.dt = dt

    def _states(self, X: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if self.robot is None:
            raise ValueError("robot is missing; give DynamicsRegressor(robot)")
        X = np.asarray(X, dtype=float)
        nq, dof = self.robot.nq, self.robot.dof
        if X.ndim != 2 or X.shape[1] != nq + 2 * dof:
            raise ValueError(f"X has shape {X.shape}; give (S, {nq + 2 * dof}): q, qd and qdd side by side")
        return X[:, :nq], X[:, nq : nq + dof], X[:, nq + dof :]

    def fit(self, X: Any, y: Any) -> "DynamicsRegressor":
        """Identifies from all rows."""
        q, qd, qdd = self._states(X)
        assert self.robot is not None
        log = {"t": self.dt * np.arange(len(q)), "q": q, "qd": qd, "qdd": qdd, "tau": np.asarray(y, dtype=float)}
        self.identification_ = identify(
            self.robot,
            log,
            hold_out=0,
            cutoff="off",
            estimator=self.estimator,
            drives=self.drives,
            friction=self.friction,
            consistent=self.consistent,
            pull=self.pull,  # type: ignore[arg-type]
            fix=self.fix,
            payload=self.payload,
            least_speed=self.least_speed,
        )
        self.robot_ = self.identification_.robot
        self.n_features_in_ = q.shape[1] + qd.shape[1] + qdd.shape[1]
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Forces (S, dof), rotors and friction included."""
        check_is_fitted(self, "robot_")
        return self.robot_.inverse_dynamics(*self._states(X), drives=self.drives)
