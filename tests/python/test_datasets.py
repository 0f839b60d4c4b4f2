"""Logs as people have them: LeRobot datasets, HDF5 of ALOHA and robomimic, tables, CSV of controllers."""

import json
import subprocess
import sys

import numpy as np
import pytest

import steiner

h5py = pytest.importorskip("h5py")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def arm():
    return steiner.Robot("panda")


def columns(arm, log):
    return {x: np.column_stack([log[f"{x}_{joint}"] for joint in arm.independent]) for x in ("q", "qd", "qdd", "tau")}


@pytest.fixture(scope="module")
def episodes(arm):
    """Three motions, each with a clock of its own."""
    logs = [steiner.simulate(arm, seed=seed, duration=6, rate=100, noise=0.01) for seed in (1, 2, 3)]
    return [columns(arm, log) for log in logs]


def lerobot(folder, arm, episodes, *, effort=True, per_episode=True, suffix="", names=None):
    """A dataset as LeRobot writes it, in single precision as it does."""
    joints = names or [f"{joint}{suffix}" for joint in arm.independent]
    kinds = {"observation.state": "q", "observation.velocity": "qd", "action": "q"}
    if effort:
        kinds["observation.effort"] = "tau"
    feature = {"dtype": "float32", "shape": [arm.dof], "names": {"motors": joints}}
    info = {
        "codebase_version": "v2.1" if per_episode else "v3.0",
        "fps": 100,
        "total_episodes": len(episodes),
        "features": {**{name: feature for name in kinds}, "timestamp": {"dtype": "float32", "shape": [1], "names": None}},
    }
    (folder / "meta").mkdir(parents=True)
    (folder / "meta/info.json").write_text(json.dumps(info))
    (folder / "data/chunk-000").mkdir(parents=True)
    tables = []
    for number, episode in enumerate(episodes):
        count = len(episode["q"])
        lists = {name: pa.array(list(episode[what].astype(np.float64)), pa.list_(pa.float64())) for name, what in kinds.items()}
        frames = np.arange(count)
        tables.append(pa.table({
            **lists,
            "timestamp": (frames / 100).astype(np.float32),
            "frame_index": frames,
            "episode_index": np.full(count, number),
        }))
    if per_episode:
        for number, table in enumerate(tables):
            pq.write_table(table, folder / f"data/chunk-000/episode_{number:06d}.parquet")
    else:
        pq.write_table(pa.concat_tables(tables), folder / "data/chunk-000/file-000.parquet", row_group_size=500)
    return folder


@pytest.mark.parametrize("per_episode", [True, False])
def test_a_lerobot_dataset_is_read_by_the_names_of_its_joints(arm, episodes, tmp_path, per_episode):
    folder = lerobot(tmp_path / "dataset", arm, episodes, per_episode=per_episode, suffix=".pos" if per_episode else "")
    r = steiner.identify(arm, folder, cutoff=20, hold_out=0)
    assert r.residual["total"] < 0.03
    note = next(note for note in r.notes if "LeRobot" in note)
    assert "3 episodes, 100 frames per second" in note and "observation.effort is read as tau" in note
    # Episodes are stretches of their own: what is cut off at their ends is cut off three times.
    alone = [{"t": np.arange(len(e["q"])) / 100, **{x: e[x] for x in ("q", "qd", "tau")}} for e in episodes]
    assert steiner.identify(arm, alone, cutoff=20, hold_out=0).residual["samples"] == r.residual["samples"]


def test_a_dataset_without_torques_says_so_at_once(arm, episodes, tmp_path):
    folder = lerobot(tmp_path / "dataset", arm, episodes[:1], effort=False)
    with pytest.raises(ValueError, match="has no forces"):
        steiner.identify(arm, folder)


def test_joints_with_other_names_are_told_and_mapped(arm, episodes, tmp_path):
    names = [f"motor_{k}" for k in range(7)]
    folder = lerobot(tmp_path / "dataset", arm, episodes[:1], names=names)
    with pytest.raises(ValueError, match="has no column `q_link1` .it has q_motor_0"):
        steiner.identify(arm, folder)
    rules = [
        f'"{x}_{joint}" = {{ from = "{x}_motor_{k}", unit = "{unit}" }}'
        for x, unit in (("q", "rad"), ("tau", "Nm"))
        for k, joint in enumerate(arm.independent)
    ]
    (tmp_path / "mapping.toml").write_text("[columns]\nt = { from = 't' }\n" + "\n".join(rules))
    assert steiner.identify(arm, folder, mapping=tmp_path / "mapping.toml", cutoff=20).residual["total"] < 0.05


def test_lists_in_parquet_are_matrices_and_uneven_ones_are_refused(arm, episodes, tmp_path):
    episode = episodes[0]
    t = np.arange(len(episode["q"])) / 100
    table = pa.table({"t": t, **{x: pa.array(list(episode[x]), pa.list_(pa.float64())) for x in ("q", "qd", "qdd", "tau")}})
    pq.write_table(table, tmp_path / "log.parquet")
    assert steiner.identify(arm, tmp_path / "log.parquet", cutoff="off").residual["total"] < 0.02
    uneven = [row[:6] if k == 77 else row for k, row in enumerate(episode["q"])]
    table = table.set_column(1, "q", pa.array(uneven, pa.list_(pa.float64())))
    pq.write_table(table, tmp_path / "uneven.parquet")
    with pytest.raises(ValueError, match="lists of several lengths"):
        steiner.identify(arm, tmp_path / "uneven.parquet")


def test_tables_of_pandas_polars_and_arrow_are_logs(arm):
    import pandas

    log = steiner.simulate(arm, duration=5, rate=100, noise=0.01)
    wanted = steiner.identify(arm, log, cutoff="off").parameters
    tables = [pandas.DataFrame(log), pa.table(log)]
    try:
        import polars
    except ModuleNotFoundError:
        pass
    else:
        tables.append(polars.DataFrame(log))
        matrices = {x: polars.Series(x, list(values)) for x, values in columns(arm, log).items()}
        tables.append(polars.DataFrame({"t": log["t"], **matrices}))
    for table in tables:
        np.testing.assert_array_equal(steiner.identify(arm, table, cutoff="off").parameters, wanted)


def aloha(path, episode, *, effort=True):
    with h5py.File(path, "w") as file:
        file["observations/qpos"] = np.hstack([episode["q"], np.zeros((len(episode["q"]), 1))]).astype(np.float32)
        file["observations/qvel"] = np.hstack([episode["qd"], np.zeros((len(episode["q"]), 1))])
        if effort:
            file["observations/effort"] = np.hstack([episode["tau"], np.zeros((len(episode["q"]), 1))])
        file["action"] = episode["q"]
    return path


def test_hdf5_of_aloha_is_read_by_name(arm, episodes, tmp_path):
    path = aloha(tmp_path / "episode_0.hdf5", episodes[0])
    (log,) = steiner.read_hdf5(path, rate=100, columns=range(7))
    assert log["q"].shape == log["tau"].shape == (600, 7) and log["t"][1] == 0.01
    assert steiner.identify(arm, log, cutoff=20).residual["total"] < 0.05
    with pytest.raises(ValueError, match="no time; give rate="):
        steiner.read_hdf5(path)
    with pytest.raises(ValueError, match="columns has 8"):
        steiner.read_hdf5(path, rate=100, columns=range(9))
    with pytest.raises(ValueError, match="has no torques"):
        steiner.read_hdf5(aloha(tmp_path / "other.hdf5", episodes[0], effort=False), rate=100)
    with pytest.raises(ValueError, match="steiner.read_hdf5"):
        steiner.identify(arm, path)


def test_hdf5_of_robomimic_has_one_log_for_every_demonstration(episodes, tmp_path):
    with h5py.File(tmp_path / "demos.hdf5", "w") as file:
        for number in (0, 2, 10):
            group = file.create_group(f"data/demo_{number}/obs")
            group["robot0_joint_pos"] = episodes[0]["q"] + number
            group["robot0_joint_vel"] = episodes[0]["qd"]
    logs = steiner.read_hdf5(tmp_path / "demos.hdf5", rate=20, forces=False)
    assert [round(log["q"][0, 0] - episodes[0]["q"][0, 0]) for log in logs] == [0, 2, 10]
    with pytest.raises(ValueError, match="has no torques.*forces=False"):
        steiner.read_hdf5(tmp_path / "demos.hdf5", rate=20)
    with h5py.File(tmp_path / "else.hdf5", "w") as file:
        file["pictures"] = np.zeros((3, 3))
    with pytest.raises(ValueError, match="no joint positions.*it has pictures"):
        steiner.read_hdf5(tmp_path / "else.hdf5")


def test_without_h5py_the_install_line_is_said(tmp_path):
    code = "import sys; sys.modules['h5py'] = None\nimport steiner\nsteiner.read_hdf5('x')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install steiner[hdf5]" in done.stderr


def written(path, header, rows, separator=","):
    np.savetxt(path, rows, delimiter=separator, header=separator.join(header), comments="")
    return path


def test_logs_of_libfranka_and_rtde_have_mappings_of_their_own(arm, episodes, tmp_path):
    episode, t = episodes[0], np.arange(600) / 100
    names = [f"state.{x}[{k}]" for x in ("q", "q_d", "dq", "tau_J") for k in range(7)]
    rows = np.hstack([1000 * t[:, None], np.ones((600, 1)), *(episode[x] for x in ("q", "q", "qd", "tau"))])
    path = written(tmp_path / "franka.csv", ["time", "success_rate", *names], rows, ", ")
    assert steiner.identify(arm, path, mapping="libfranka", cutoff=20).residual["total"] < 0.05
    ur = steiner.Robot("ur5")
    log = steiner.simulate(ur, duration=6, rate=100, noise=0.01)
    own = columns(ur, log)
    for there in (("q", "qd", "tau"), ("q", "tau")):
        called = {"q": "actual_q", "qd": "actual_qd", "tau": "actual_current"}
        names = [f"{called[x]}_{k}" for x in there for k in range(6)]
        rows = np.hstack([5000 + log["t"][:, None], *(own[x] for x in there)])
        path = written(tmp_path / "ur.csv", ["timestamp", *names], rows)
        assert steiner.identify(ur, path, mapping="ur-rtde", cutoff=20).residual["total"] < 0.05
    with pytest.raises(FileNotFoundError):
        steiner.identify(ur, path, mapping="ur-rtd")
