"""Every class goes through pickle, copy and worker processes."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cmeel
import numpy as np
import pytest

import steiner

ROBOTS = Path(cmeel.__path__[0]).parent / "cmeel.prefix/share/example-robot-data/robots"


@pytest.fixture(scope="module")
def objects():
    robot = steiner.Robot("scara_sr6ia")
    log = steiner.simulate(robot, duration=5, rate=100, noise=0.02)
    r = steiner.identify(robot, log, cutoff="off")
    estimator = steiner.PayloadEstimator(r, robot.bodies[-1])
    columns = [np.column_stack([log[f"{x}_{joint}"] for joint in robot.independent]) for x in ("q", "qd", "qdd", "tau")]
    estimator.update(*columns)
    accumulator = steiner.Accumulator(robot, cutoff="off").add(log)
    return {
        "Robot": robot,
        "Analysis": steiner.analyze(robot, drives=True),
        "Identification": r,
        "Check": steiner.check(robot, want="*.m"),
        "Comparison": steiner.compare(robot, r.robot, log),
        "Motion": steiner.excite(robot, duration=4, rate=50, noise=0.1, starts=1),
        "Psdm": robot.psdm(),
        "Formulas": steiner.formulas(robot),
        "PayloadEstimator": estimator,
        "Payload": estimator.estimate(),
        "Accumulator": accumulator,
        "Scores": accumulator.scores(log, accumulator.point()),
        "identified Robot": r.robot,
        "accumulated Identification": accumulator.solve(),
    }


def shown(thing):
    """What an object says of itself, in numbers."""
    if isinstance(thing, steiner.Robot):
        q = thing.reference
        still = np.zeros(thing.dof)
        return [thing.parameters, thing.inverse_dynamics(q, still, still, drives=True), thing.mass_matrix(q)]
    if isinstance(thing, steiner.Analysis):
        return [thing.nullspace, thing.base, len(thing.to_html())]
    if isinstance(thing, steiner.Identification):
        return [thing.parameters, thing.covariance, thing.sigma, thing.model, *shown(thing.robot)]
    if isinstance(thing, steiner.Check):
        return [len(str(thing)), len(thing.wanted), thing.ok]
    if isinstance(thing, steiner.Comparison):
        return [len(thing.to_html()), thing.verdict == []]
    if isinstance(thing, steiner.Motion):
        return [thing.q, thing.qdd, thing.at([0.1, 0.2])[1], thing.information, len(thing.to_html())]
    if isinstance(thing, steiner.Psdm):
        return [thing.theta, thing.exponents]
    if isinstance(thing, steiner.Formulas):
        return [thing(), len(thing.latex), len(thing.code("c"))]
    if isinstance(thing, steiner.PayloadEstimator):
        return shown(thing.estimate())
    if isinstance(thing, steiner.Payload):
        return [thing.parameters, thing.covariance, thing.inertia_sigma]
    if isinstance(thing, steiner.Accumulator):
        return [thing.triangle, thing.samples]
    return [thing.blocks]


NAMES = [
    "Robot",
    "Analysis",
    "Identification",
    "Check",
    "Comparison",
    "Motion",
    "Psdm",
    "Formulas",
    "PayloadEstimator",
    "Payload",
    "Accumulator",
    "Scores",
    "identified Robot",
    "accumulated Identification",
]


def alike(one, other):
    if not isinstance(one, steiner.PayloadEstimator):
        assert repr(one) == repr(other)
    for a, b in zip(shown(one), shown(other), strict=True):
        np.testing.assert_array_equal(a, b)


def test_every_class_of_the_package_is_listed_here(objects):
    classes = {name for name in steiner.__all__ if isinstance(getattr(steiner, name), type)}
    assert classes - {"Estimator"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_pickle_and_copies_keep_it(objects, name):
    thing = objects[name]
    alike(thing, pickle.loads(pickle.dumps(thing)))
    alike(thing, copy.deepcopy(thing))
    alike(thing, copy.copy(thing))


def test_worker_processes_take_and_answer_everything(objects):
    # A fresh interpreter: nothing is inherited.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for thing, back in zip(objects.values(), pool.map(copy.copy, objects.values()), strict=True):
            alike(thing, back)


def test_an_identification_of_another_process_predicts_and_saves(objects, tmp_path):
    own, back = objects["Identification"], pickle.loads(pickle.dumps(objects["Identification"]))
    log = steiner.simulate(objects["Robot"], duration=2, rate=100)
    one, other = own.predict(log, cutoff="off"), back.predict(log, cutoff="off")
    np.testing.assert_allclose(one["predicted"], other["predicted"], rtol=0, atol=1e-9)
    back.save(tmp_path / "identified.toml")
    assert len(back.to_html()) > 10_000


def test_a_pickled_robot_needs_its_file_no_more(tmp_path):
    copied = tmp_path / "ur5.urdf"
    copied.write_text((ROBOTS / "ur_description/urdf/ur5_robot.urdf").read_text())
    robot = steiner.Robot(copied, gravity=(0, 0.5, -9.7), lock={"wrist_3_joint": 0.25})
    pickled = pickle.dumps(robot)
    copied.unlink()
    alike(robot, pickle.loads(pickled))
