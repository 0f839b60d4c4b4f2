"""Identification as an estimator of scikit-learn."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import steiner

pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score  # noqa: E402

from steiner.sklearn import DynamicsRegressor  # noqa: E402


@pytest.fixture(scope="module")
def data():
    robot = steiner.Robot("ur5")
    log = steiner.simulate(robot, duration=20, rate=100, noise=0.02)
    q, qd, qdd, y = (np.column_stack([log[f"{x}_{joint}"] for joint in robot.independent]) for x in ("q", "qd", "qdd", "tau"))
    # Torques as they are measured: beside what is white, 5 % that last for a tenth of a second.
    rng, lasting = np.random.default_rng(1), np.zeros_like(y)
    for k in range(1, len(y)):
        lasting[k] = 0.9 * lasting[k - 1] + np.sqrt(1 - 0.9**2) * rng.normal(size=y.shape[1])
    return robot, np.hstack([q, qd, qdd]), y + 0.05 * np.sqrt(np.mean(y**2, axis=0)) * lasting


def test_it_fits_predicts_and_scores(data):
    robot, X, y = data
    model = DynamicsRegressor(robot, dt=0.01).fit(X, y)
    assert model.predict(X).shape == y.shape
    assert 0.98 < model.score(X, y) < 1
    assert all(model.identification_.consistent.values())
    with pytest.raises(ValueError, match="q, qd and qdd side by side"):
        model.predict(X[:, :-1])


def test_cross_validation_and_grid_search_work(data):
    robot, X, y = data
    folds = KFold(3, shuffle=True, random_state=1)
    assert cross_val_score(DynamicsRegressor(robot), X, y, cv=folds).min() > 0.98
    search = GridSearchCV(DynamicsRegressor(robot), {"drives": [False, True], "consistent": [True, False]}, cv=folds)
    assert search.fit(X, y).best_score_ > 0.98
    assert clone(DynamicsRegressor(robot, estimator="huber")).estimator == "huber"


def test_a_fitted_estimator_goes_to_other_processes(data):
    robot, X, y = data
    model = DynamicsRegressor(robot, dt=0.01).fit(X, y)
    wanted = model.predict(X[:10])
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for same in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), pool.submit(copy.copy, model).result()):
            np.testing.assert_array_equal(same.predict(X[:10]), wanted)
