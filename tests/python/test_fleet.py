"""Logs on many machines, and many robots of one type."""

import copy
import itertools
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from held_log import HeldLog

import steiner
from steiner import fleet
from steiner._outliers import unusual

THOROUGH = bool(os.environ.get("STEINER_THOROUGH"))
SETTINGS = {"cutoff": "off", "friction": "simple"}


@pytest.fixture(scope="module")
def arm():
    return steiner.Robot("panda")


@pytest.fixture(scope="module")
def shards(arm, tmp_path_factory):
    """Sixty-four logs in files."""
    folder = tmp_path_factory.mktemp("shards")
    for k in range(64):
        steiner.simulate(arm, folder / f"log_{k:02}.npz", seed=k + 1, duration=2, rate=100, noise=0.02)
    return folder


@pytest.fixture(scope="module")
def one_run(arm, shards):
    return steiner.identify(arm, fleet.shards_of(shards), **SETTINGS)


def alike(one, other):
    """To 1e-9 of what they are known to."""
    assert one.base_names == other.base_names
    np.testing.assert_allclose(one.parameters, other.parameters, rtol=1e-9, atol=1e-9 * np.abs(one.parameters).max())
    for a, b in ((one.covariance, other.covariance), (one.robust_covariance, other.robust_covariance)):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-9 * np.abs(a).max())
    np.testing.assert_allclose(one.sigma, other.sigma, rtol=1e-9)
    assert one.residual["samples"] == other.residual["samples"]
    assert one.validation["total"] == pytest.approx(other.validation["total"], rel=1e-9)


def test_an_accumulator_of_a_seven_axis_arm_is_small(arm, shards):
    accumulator = steiner.Accumulator(arm, **SETTINGS).add(fleet.shards_of(shards)[:8])
    assert len(pickle.dumps(accumulator)) < 100_000
    assert (accumulator.logs, accumulator.samples, accumulator.held_out) == (8, 8 * 150, 8 * 50)


def test_merging_is_associative_and_commutative(arm, shards, rng):
    parts = [steiner.Accumulator(arm, **SETTINGS).add(shard) for shard in fleet.shards_of(shards)[:4]]
    wanted = None
    for a, b, c, d in itertools.islice(itertools.permutations(parts), 0, 24, 5):
        for merged in (((a + b) + c) + d, (a + b) + (c + d), a + (b + (c + d))):
            own = merged.triangle.T @ merged.triangle
            wanted = own if wanted is None else wanted
            np.testing.assert_allclose(own, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max())
            assert merged.samples == 600


def test_moved_parameters_are_found_where_they_were_moved_to(arm, shards, rng):
    taken = steiner.Accumulator(arm, consistent=False, **SETTINGS).add(fleet.shards_of(shards)[:16])
    by = 0.1 * rng.normal(size=len(taken.base_names))
    before, after = taken.solve(), taken.moved(by).solve()
    scale = np.abs(before.parameters).max()
    np.testing.assert_allclose(after.parameters, before.parameters - by, rtol=0, atol=1e-8 * scale)
    np.testing.assert_allclose(after.sigma, before.sigma, rtol=1e-6)
    with pytest.raises(ValueError, match="by has shape"):
        taken.moved(by[:-1])


def test_what_goes_wrong_leaves_an_accumulator_as_it_was(arm, shards):
    accumulator = steiner.Accumulator(arm, **SETTINGS).add(fleet.shards_of(shards)[0])
    before = accumulator.state()
    with pytest.raises(FileNotFoundError):
        accumulator.add("nowhere.csv")
    with pytest.raises(ValueError, match="of another robot, or with other settings"):
        accumulator.merge(steiner.Accumulator(arm, drives=False))
    assert accumulator.state() == before
    with pytest.raises(ValueError, match="weighs every sample anew"):
        steiner.Accumulator(arm, estimator="huber")
    with pytest.raises(TypeError, match="cut_off"):
        steiner.Accumulator(arm, cut_off=3)
    with pytest.raises(ValueError, match="keeps no samples"):
        accumulator.add(fleet.shards_of(shards)[1:9]).solve().to_html()


def test_a_local_fleet_is_one_run(arm, shards, one_run):
    heard = []
    found = fleet.identify(arm, shards, shards_per_task=5, on_progress=lambda *told: heard.append(told), **SETTINGS)
    alike(one_run, found)
    assert heard[0] == ("first pass", 1, 13) and heard[-1] == ("second pass", 13, 13)


class Killer(threading.Thread):
    """Kills whoever reads a held log, and lets the next reader pass when that process is gone."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.killed = folder, None

    def run(self):
        while not (self.folder / "reader").exists():
            time.sleep(0.01)
        pid = int((self.folder / "reader").read_text())
        assert pid != os.getpid()
        os.kill(pid, signal.SIGKILL)
        state = Path(f"/proc/{pid}/stat")
        while state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] not in "ZX":
            time.sleep(0.01)
        self.killed = pid
        (self.folder / "killed").touch()


def survives_a_killed_worker(arm, shards, one_run, backend, folder):
    """The same numbers, although a worker died while it read a shard in the middle."""
    logs = list(fleet.shards_of(shards))
    logs[31] = HeldLog(np.load(logs[31]), folder)
    killer, heard = Killer(folder), []
    killer.start()

    def hear(what, done, tasks):
        heard.append((what, done, killer.killed is not None))

    alike(one_run, fleet.identify(arm, logs, backend=backend, on_progress=hear, **SETTINGS))
    assert killer.killed is not None
    # Shards were done before it died and after.
    first = [killed for what, _, killed in heard if what == "first pass"]
    assert len(first) == 64 and not first[0] and first[-1]


@pytest.fixture
def importable(monkeypatch):
    """Workers know the modules of the tests."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]))


@pytest.mark.usefixtures("importable")
def test_dask_with_two_workers_is_one_run_even_if_one_is_killed(arm, shards, one_run, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            survives_a_killed_worker(arm, shards, one_run, client, tmp_path)


@pytest.mark.usefixtures("importable")
@pytest.mark.skipif(not THOROUGH, reason="Ray takes long to start: STEINER_THOROUGH=1")
def test_ray_with_two_workers_is_one_run_even_if_one_is_killed(arm, shards, one_run, tmp_path):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        survives_a_killed_worker(arm, shards, one_run, "ray", tmp_path)
    finally:
        ray.shutdown()


def test_without_ray_or_dask_the_install_line_is_said():
    for module, extra in (("ray", "ray"), ("distributed", "dask")):
        code = (
            f"import sys; sys.modules['{module}'] = None\nimport steiner, steiner.fleet as f\n"
            f"f.identify(steiner.Robot('two_link'), [{{}}], backend='{extra}')"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert f"pip install steiner[{extra}]" in done.stderr
    with pytest.raises(ValueError, match='use "ray", "dask", "local"'):
        fleet.identify(steiner.Robot("two_link"), [{}], backend="spark")


def worn(arm, seed, joint=None, factor=1.0, payload=0.0, duration=30):
    """A log of an arm with more friction in one joint, or with something in its hand. Forces have 5 % of noise that
    lasts for a tenth of a second, as ripple and unmodelled friction do, and 2 % that is white."""
    log = steiner.simulate(arm, seed=seed, duration=duration, rate=100, noise=0.02)
    names = arm.independent
    q, qd, qdd = (np.column_stack([log[f"{x}_{name}"] for name in names]) for x in ("q", "qd", "qdd"))
    rng = np.random.default_rng(seed)
    for k, name in enumerate(names):
        # No two robots have the same friction.
        own = (0.3 + 0.05 * k) * (1 + 0.1 * rng.normal()) * (factor if name == joint else 1.0)
        lasting = np.zeros(len(q))
        for n, x in enumerate(rng.normal(size=len(q))):
            lasting[n] = 0.9 * lasting[n - 1] + np.sqrt(1 - 0.9**2) * x
        size = np.sqrt(np.mean(log[f"tau_{name}"] ** 2))
        log[f"tau_{name}"] = log[f"tau_{name}"] + own * np.sign(qd[:, k]) + 0.05 * size * lasting
    if payload:
        ten = np.zeros(len(arm.labels))
        ten[-10:] = payload * np.array([1, 0, 0, 0.1, 0.01, 0, 0.01, 0, 0, 0])
        for k, tau in enumerate((arm.regressor(q, qd, qdd) @ ten).T):
            log[f"tau_{names[k]}"] = log[f"tau_{names[k]}"] + tau
    return log


def test_of_fifty_arms_the_worn_joint_is_found_and_no_other(arm):
    units = {f"arm{k:02}": [worn(arm, k + 1)] for k in range(50)}
    assert fleet.identify_units(arm, units, **SETTINGS).changes == []
    units["arm17"] = [worn(arm, 18, arm.independent[3], 2.5)]
    found = fleet.identify_units(arm, units, **SETTINGS)
    assert [(change.unit, change.what) for change in found.changes] == [("arm17", arm.independent[3])]
    assert found.changes[0].parameter.endswith(".fc") and found.changes[0].z > 5
    assert "arm17" in found._repr_html_() and str(found).endswith(": 1 change")
    assert len(found.names) + len(found.own_names) == len(steiner.Accumulator(arm, **SETTINGS).base_names)


def test_the_model_of_a_fleet_is_physically_consistent_and_each_unit_has_its_own_drives(arm):
    units = {f"arm{k:02}": [worn(arm, k + 1)] for k in range(6)}
    joint = arm.independent[5]
    units["arm03"] = [worn(arm, 4, joint, 2.5)]
    found = fleet.identify_units(arm, units, **SETTINGS)
    common, own = found.identification(), found.identification("arm03")
    assert all(common.consistent.values()) and all(own.consistent.values())
    # Where the consistent model is the least-squares one, it has the pooled numbers.
    table = dict(zip(common.base_names, common.table["least_squares"]))
    np.testing.assert_allclose([table[name] for name in found.names], found.parameters, rtol=0, atol=1e-2)
    place = found.own_names.index(f"{joint}.fc")
    least = dict(zip(own.base_names, own.table["least_squares"]))
    assert least[f"{joint}.fc"] == pytest.approx(found.own[3, place], abs=0.05)
    assert own.robot.drives[joint]["coulomb"] > 1.3 * common.robot.drives[joint]["coulomb"]
    # It predicts a new motion of that unit better than the file does.
    test = worn(arm, 99, joint, 2.5)
    assert own.predict(test, cutoff="off")["predicted"].shape == (3000, 7)
    with pytest.raises(ValueError, match="there is no unit `arm99`"):
        found.identification("arm99")
    for same in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        np.testing.assert_array_equal(same.own, found.own)
        assert same.changes == found.changes and same.pooled.samples == found.pooled.samples


@pytest.mark.parametrize("count", [8, 30])
def test_healthy_fleets_raise_no_more_alarms_than_they_say(count):
    """With one in five: of forty fleets at most fourteen (one in a hundred times more by chance)."""
    robot, rng = steiner.Robot("two_link"), np.random.default_rng(7)
    empty = steiner.Accumulator(robot, **SETTINGS)
    logs = [worn(robot, k + 1, duration=10) for k in range(90)]
    taken = [empty.empty().add(log) for log in logs]
    alarms = 0
    for _ in range(40):
        chosen = rng.choice(len(taken), count, replace=False)
        alarms += bool(fleet.pooled(empty, [f"{k}" for k in chosen], [taken[k] for k in chosen], chance=0.2).changes)
    assert alarms <= 14


def test_the_limits_of_changes_hold_for_every_size_of_fleet(rng):
    """Normal values, alike or not, known well or badly: one fleet in ten names somebody, and no more."""
    for units, between, uneven in ((5, 0.0, 0.5), (8, 10.0, 0.0), (12, 1.0, 0.3), (50, 1.0, 0.0), (50, 0.0, 0.5)):
        named = 0
        for _ in range(120):
            sigma = np.exp(uneven * rng.normal(size=(units, 1))) * np.ones((1, 5))
            values = rng.normal(size=(units, 5)) * np.sqrt(sigma**2 + between**2)
            named += bool(unusual(values, sigma, 0.1)[0].any())
        assert named <= 23, (units, between, uneven)  # 12 expected, one in a thousand more than 23
    values = rng.normal(size=(50, 5))
    values[[3, 10, 11], 2] += [9, 9, -10]
    changed, z = unusual(values, np.full(values.shape, 0.3), 0.01)
    assert np.argwhere(changed).tolist() == [[3, 2], [10, 2], [11, 2]]
    assert np.abs(z[changed]).min() > np.abs(z[~changed]).max()


def test_another_payload_is_found(arm):
    units = {f"arm{k:02}": [worn(arm, k + 1)] for k in range(12)}
    units["arm05"] = [worn(arm, 6, payload=1.0)]
    found = fleet.identify_units(arm, units, **SETTINGS)
    assert {(change.unit, change.what) for change in found.changes} == {("arm05", "inertia")}
    assert np.argmax(found.misfit) == 5
    with pytest.raises(ValueError, match="no fleet"):
        fleet.identify_units(arm, {"one": [], "two": []})
    with pytest.raises(ValueError, match="give a probability"):
        fleet.identify_units(arm, units, chance=2)


@pytest.mark.skipif(not THOROUGH, reason="measures time: STEINER_THOROUGH=1")
def test_a_worker_is_as_fast_as_a_plain_run(arm, tmp_path):
    for k in range(8):
        steiner.simulate(arm, tmp_path / f"log_{k}.npz", seed=k + 1, duration=100, rate=1000, noise=0.02)
    shards = fleet.shards_of(tmp_path)

    def seconds(run):
        times = []
        for _ in range(3):
            started = time.process_time()
            run()
            times.append(time.process_time() - started)
        return min(times)

    plain = seconds(lambda: steiner.identify(arm, shards, threads=1, hold_out=0, **SETTINGS))
    assert seconds(lambda: fleet.identify(arm, shards, hold_out=0, **SETTINGS)) < 1.15 * plain
