"""Writes the small logs that the tests read, with the libraries other people use.

    python make_fixtures.py          (needs numpy scipy pyarrow mcap mcap-ros2-support rosbags)

All hold the same motion of two joints, 100 Hz, 40 samples (k = 0 … 39):
    t = k / 100        q_link1 = sin(k / 10)   q_link2 = cos(k / 7)
    qd_link1 = k / 8   qd_link2 = -k           tau_link1 = k² / 16   tau_link2 = 3 - k / 2
and, where there are wrenches, at 50 Hz from 0.005 s on: fx = 10 s, …, tz = 60 s with s the time in seconds.
All numbers but the sines and cosines are exact in single precision.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.io
from mcap.writer import CompressionType
from mcap_ros2.writer import Writer as McapWriter
from rosbags.rosbag2 import StoragePlugin, Writer as BagWriter
from rosbags.typesys import Stores, get_typestore

HERE = Path(__file__).parent
k = np.arange(40.0)
columns = {
    "t": k / 100,
    "q_link1": np.sin(k / 10),
    "q_link2": np.cos(k / 7),
    "qd_link1": k / 8,
    "qd_link2": -k,
    "tau_link1": k**2 / 16,
    "tau_link2": 3 - k / 2,
}


def pair(family, order="C"):
    return np.array(np.stack([columns[f"{family}_link1"], columns[f"{family}_link2"]], 1), order=order)


# NPZ: one array per column; matrices in both orders, stored and deflated, single precision and big-endian.
np.savez(HERE / "columns.npz", **columns)
np.savez(HERE / "matrices.npz", t=columns["t"], q=pair("q"), qd=pair("qd", "F"), tau=pair("tau").T, labels=np.array(["a", "b"]))
np.savez_compressed(
    HERE / "deflated.npz",
    t=columns["t"],
    q=pair("q", "F"),
    qd=pair("qd").astype(np.float32),
    tau=pair("tau").astype(">f8"),
    wrench_tool=np.outer(k, np.arange(1, 7)),
)
np.save(HERE / "single.npy", columns["t"])

# Parquet: every common compression, nulls, stamps.
for name, compression in [("snappy", "snappy"), ("gzip", "gzip"), ("zstd", "zstd"), ("lz4", "lz4"), ("plain", "none")]:
    pq.write_table(pa.table(columns), HERE / f"{name}.parquet", compression=compression, row_group_size=15)
pq.write_table(pa.table({name: columns[name] for name in ["t", "q_link1"]}), HERE / "brotli.parquet", compression="brotli")  # not read
stamps = pa.array([1_700_000_000_000_000_000 + 10_000_000 * j for j in range(40)], pa.timestamp("ns"))
with_gap = pa.array([None if j == 17 else x for j, x in enumerate(columns["q_link1"])])
pq.write_table(
    pa.table({**columns, "t": stamps, "q_link1": with_gap, "mode": ["auto"] * 40, "tau_link2": columns["tau_link2"].astype(np.float32)}),
    HERE / "nulls.parquet",
)

# MAT: version 5, plain and compressed, with a structure; vectors as rows and columns.
scipy.io.savemat(
    HERE / "plain.mat",
    {"t": columns["t"][None, :], "q": pair("q"), "tau": pair("tau").T, "qd_link2": columns["qd_link2"].astype(np.int16), "name": "two_link"},
)
scipy.io.savemat(HERE / "compressed.mat", {"data": {n: v[:, None] for n, v in columns.items()}}, do_compression=True)

# MCAP and rosbag2: joint states with stamps, wrenches at half the rate, and a topic of no interest.
JOINT_STATE = """std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
"""
WRENCH = """std_msgs/Header header
geometry_msgs/Wrench wrench
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: geometry_msgs/Wrench
geometry_msgs/Vector3 force
geometry_msgs/Vector3 torque
================================================================================
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
"""
START = 1_700_000_000_000_000_000
events = [(round(10_000_000 * j), "joints", j) for j in range(40)]
events += [(5_000_000 + round(20_000_000 * j), "wrench", j) for j in range(20)]
events.sort()


def stamp(ns):
    return {"sec": (START + ns) // 10**9, "nanosec": (START + ns) % 10**9}


def joints(j):
    # The order of the names is that of the controller, not of the robot.
    order = ["link2", "link1"]
    return order, *[[float(columns[f"{family}_{name}"][j]) for name in order] for family in ("q", "qd", "tau")]


for name, compression in [("zstd", CompressionType.ZSTD), ("lz4", CompressionType.LZ4), ("none", CompressionType.NONE)]:
    with open(HERE / f"{name}.mcap", "wb") as out:
        writer = McapWriter(out, chunk_size=2000, compression=compression)
        joint_schema = writer.register_msgdef("sensor_msgs/msg/JointState", JOINT_STATE)
        wrench_schema = writer.register_msgdef("geometry_msgs/msg/WrenchStamped", WRENCH)
        text_schema = writer.register_msgdef("std_msgs/msg/String", "string data\n")
        for ns, kind, j in events:
            late = START + ns + 3_000_000  # recorded 3 ms after it was measured
            if kind == "joints":
                names, position, velocity, effort = joints(j)
                message = {"header": {"stamp": stamp(ns), "frame_id": ""}, "name": names, "position": position, "velocity": velocity, "effort": effort}
                writer.write_message("/joint_states", joint_schema, message, late, late)
            else:
                s = ns / 1e9
                message = {
                    "header": {"stamp": stamp(ns), "frame_id": "tool0"},
                    "wrench": {"force": {"x": 10 * s, "y": 20 * s, "z": 30 * s}, "torque": {"x": 40 * s, "y": 50 * s, "z": 60 * s}},
                }
                writer.write_message("/ft", wrench_schema, message, late, late)
                writer.write_message("/remarks", text_schema, {"data": "hello"}, late, late)
        writer.finish()

store = get_typestore(Stores.ROS2_HUMBLE)
Header, Time = store.types["std_msgs/msg/Header"], store.types["builtin_interfaces/msg/Time"]
JointState, WrenchStamped = store.types["sensor_msgs/msg/JointState"], store.types["geometry_msgs/msg/WrenchStamped"]
Wrench, Vector3, String = store.types["geometry_msgs/msg/Wrench"], store.types["geometry_msgs/msg/Vector3"], store.types["std_msgs/msg/String"]
import shutil, tempfile

with tempfile.TemporaryDirectory() as folder:
    with BagWriter(Path(folder) / "bag", version=8, storage_plugin=StoragePlugin.SQLITE3) as bag:
        joint_topic = bag.add_connection("/joint_states", JointState.__msgtype__, typestore=store)
        wrench_topic = bag.add_connection("/ft", WrenchStamped.__msgtype__, typestore=store)
        text_topic = bag.add_connection("/remarks", String.__msgtype__, typestore=store)
        for ns, kind, j in events:
            late = START + ns + 3_000_000
            if kind == "joints":
                names, position, velocity, effort = joints(j)
                message = JointState(Header(Time(**stamp(ns)), ""), names, np.array(position), np.array(velocity), np.array(effort))
                bag.write(joint_topic, late, store.serialize_cdr(message, JointState.__msgtype__))
            else:
                s = ns / 1e9
                message = WrenchStamped(Header(Time(**stamp(ns)), "tool0"), Wrench(Vector3(10 * s, 20 * s, 30 * s), Vector3(40 * s, 50 * s, 60 * s)))
                bag.write(wrench_topic, late, store.serialize_cdr(message, WrenchStamped.__msgtype__))
                # Longer than a page, so that rows go over to others.
                bag.write(text_topic, late, store.serialize_cdr(String("x" * (300 * j)), String.__msgtype__))
    shutil.copy(next((Path(folder) / "bag").glob("*.db3")), HERE / "bag.db3")
