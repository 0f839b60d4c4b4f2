"""Logs on many machines, and many robots of one type."""

import itertools
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import steiner
from steiner import fleet

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


def _dask_is_one_run(arm, shards, one_run, kill):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            if kill:
                pid = list(client.run(os.getpid).values())[0]
                threading.Timer(0.1, lambda: os.kill(pid, signal.SIGKILL)).start()
            alike(one_run, fleet.identify(arm, shards, backend=client, **SETTINGS))


def test_dask_with_two_workers_is_one_run_even_if_one_is_killed(arm, shards, one_run):
    _dask_is_one_run(arm, shards, one_run, kill=True)


@pytest.mark.skipif(not THOROUGH, reason="Ray takes long to start: STEINER_THOROUGH=1")
def test_ray_with_two_workers_is_one_run_even_if_one_is_killed(arm, shards, one_run):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        pids = ray.get([ray.remote(lambda: os.getpid()).remote() for _ in range(4)])
        threading.Timer(0.3, lambda: os.kill(pids[0], signal.SIGKILL)).start()
        alike(one_run, fleet.identify(arm, shards, backend="ray", **SETTINGS))
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


def worn(arm, seed, joint=None, factor=1.0, payload=0.0):
    """A log of an arm with more friction in one joint, or with something in its hand."""
    log = steiner.simulate(arm, seed=seed, duration=10, rate=100, noise=0.02)
    names = arm.independent
    q, qd, qdd = (np.column_stack([log[f"{x}_{name}"] for name in names]) for x in ("q", "qd", "qdd"))
    rng = np.random.default_rng(seed)
    for k, name in enumerate(names):
        # No two robots have the same friction.
        own = (0.3 + 0.05 * k) * (1 + 0.1 * rng.normal()) * (factor if name == joint else 1.0)
        log[f"tau_{name}"] = log[f"tau_{name}"] + own * np.sign(qd[:, k])
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
    assert "arm17" in found._repr_html_() and "1 changes" in str(found)
    true = steiner.Accumulator(arm, **SETTINGS)
    assert len(found.names) + len(found.own_names) == len(true.base_names)


def test_another_payload_is_found(arm):
    units = {f"arm{k:02}": [worn(arm, k + 1)] for k in range(12)}
    units["arm05"] = [worn(arm, 6, payload=1.0)]
    found = fleet.identify_units(arm, units, **SETTINGS)
    assert {(change.unit, change.what) for change in found.changes} == {("arm05", "inertia")}
    assert np.argmax(found.misfit) == 5
    with pytest.raises(ValueError, match="no fleet"):
        fleet.identify_units(arm, {"one": [], "two": []})


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
