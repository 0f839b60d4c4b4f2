"""Writes the binary seeds, with the libraries other people use; those in text are written by hand.

    python make_seeds.py             (needs numpy scipy pyarrow mcap mcap-ros2-support zstandard)

Content lies open wherever a format allows it: a byte changed in a packed block is seldom more than a wrong checksum.
"""

import gzip
import io
import sqlite3
import struct
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.io
import zstandard
from mcap.writer import CompressionType, Writer

SEEDS = Path(__file__).parent / "seeds"
k = np.arange(12.0)
columns = {
    "t": k / 100,
    "q_link1": np.sin(k / 10),
    "q_link2": np.cos(k / 7),
    "tau_link1": k**2 / 16,
    "tau_link2": 3 - k / 2,
}


def seed(target, name):
    path = SEEDS / target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def pair(family, order="C"):
    return np.array(np.stack([columns[f"{family}_link1"], columns[f"{family}_link2"]], 1), order=order)


text = ",".join(columns) + "\n" + "".join(",".join(f"{columns[name][j]:.4g}" for name in columns) + "\n" for j in range(12))
for level in (0, 9):
    seed("csv_gz", f"level{level}.csv.gz").write_bytes(gzip.compress(text.encode(), level, mtime=0))
seed("csv_gz", "long_line.csv.gz").write_bytes(gzip.compress(b"t,q_link1\n0,1\n" + b"7" * 20_000, 9, mtime=0))

np.savez(seed("npz", "columns.npz"), **columns)
np.savez(seed("npz", "matrices.npz"), t=columns["t"], q=pair("q", "F"), tau=pair("tau").T, labels=np.array(["a", "b"]))
np.savez_compressed(
    seed("npz", "deflated.npz"), t=columns["t"], q=pair("q").astype(np.float32), tau=pair("tau").astype(">f8"), wrench_link2=np.outer(k, np.arange(1, 7))
)

for name, compression, dictionary in [("plain", "none", False), ("dictionary", "none", True), ("snappy", "snappy", True), ("zstd", "zstd", False)]:
    pq.write_table(
        pa.table(columns), seed("parquet", f"{name}.parquet"), compression=compression, use_dictionary=dictionary, row_group_size=7, store_schema=False
    )
mixed = {"t": pa.array([1_700_000_000_000 + 10 * j for j in range(12)], pa.timestamp("ms")), "q_link1": pa.array([None, *columns["q_link1"][1:]])}
mixed |= {"mode": pa.array(["auto"] * 12), "tau_link1": pa.array(range(12), pa.int32()), "q_link2": columns["q_link2"], "tau_link2": columns["tau_link2"], "on": pa.array([True] * 12)}
pq.write_table(pa.table(mixed), seed("parquet", "mixed.parquet"), compression="lz4", data_page_version="2.0", store_schema=False)

scipy.io.savemat(seed("mat", "plain.mat"), {"t": columns["t"][None, :], "q": pair("q"), "tau": pair("tau").T, "n": k.astype(np.int16), "name": "two_link"})
structure = io.BytesIO()
scipy.io.savemat(structure, {"data": {name: values[:, None] for name, values in columns.items()}})
seed("mat", "structure.mat").write_bytes(structure.getvalue())
header, matrix = structure.getvalue()[:128], structure.getvalue()[128:]
for level in (0, 9):
    packed = zlib.compress(matrix, level)
    seed("mat", f"packed{level}.mat").write_bytes(header + struct.pack("<II", 15, len(packed)) + packed)

JOINT_STATE = b"std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n"
WRENCH = b"std_msgs/Header header\ngeometry_msgs/Wrench wrench\n"
START = 1_700_000_000_000_000_000


class Cdr:
    """Numbers and texts as ROS 2 sends them: aligned to their size behind four bytes."""

    def __init__(self):
        self.bytes = b"\0\1\0\0"

    def add(self, kind, value):
        size = struct.calcsize(kind)
        self.bytes += b"\0" * (-(len(self.bytes) - 4) % size) + struct.pack("<" + kind, value)
        return self

    def text(self, value):
        self.add("I", len(value) + 1)
        self.bytes += value.encode() + b"\0"
        return self

    def numbers(self, values):
        self.add("I", len(values))
        for value in values:
            self.add("d", value)
        return self


def head(ns, frame):
    return Cdr().add("i", (START + ns) // 10**9).add("I", (START + ns) % 10**9).text(frame)


def joint_state(j):
    message = head(10_000_000 * j, "").add("I", 2).text("link2").text("link1")
    for family in ("q", "tau", "tau"):
        message.numbers([columns[f"{family}_link2"][j], columns[f"{family}_link1"][j]])
    return message.bytes


def wrench(j):
    message = head(5_000_000 + 20_000_000 * j, "link2")
    for axis in range(6):
        message.add("d", axis * j)
    return message.bytes


messages = [("/joint_states", START + 10_000_000 * j, joint_state(j)) for j in range(8)]
messages += [("/ft", START + 5_000_000 + 20_000_000 * j, wrench(j)) for j in range(4)]
messages.sort(key=lambda message: message[1])

for name, compression in [("none", CompressionType.NONE), ("zstd", CompressionType.ZSTD), ("lz4", CompressionType.LZ4)]:
    writer = Writer(str(seed("mcap", f"{name}.mcap")), chunk_size=700, compression=compression, enable_crcs=False)
    writer.start("ros2", "seeds")
    channels = {}
    for topic, schema, definition in [("/joint_states", "sensor_msgs/msg/JointState", JOINT_STATE), ("/ft", "geometry_msgs/msg/WrenchStamped", WRENCH)]:
        channels[topic] = writer.register_channel(topic, "cdr", writer.register_schema(schema, "ros2msg", definition))
    for topic, stamp, data in messages:
        writer.add_message(channels[topic], stamp, data, stamp)
    writer.finish()

for name, pack in [("plain", bytes), ("packed", zstandard.ZstdCompressor().compress)]:
    path = seed("rosbag", f"{name}.db3")
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as bag:
        bag.execute("PRAGMA page_size = 512")
        bag.execute("CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT, offered_qos_profiles TEXT)")
        bag.execute("CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB)")
        bag.execute("INSERT INTO topics VALUES(1, '/joint_states', 'sensor_msgs/msg/JointState', 'cdr', '')")
        bag.execute("INSERT INTO topics VALUES(2, '/ft', 'geometry_msgs/msg/WrenchStamped', 'cdr', '')")
        for topic, stamp, data in messages:
            bag.execute("INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)", (1 if topic == "/joint_states" else 2, stamp, pack(data)))
    bag.close()

triangle = struct.pack("<12f", 0, 0, 1, 0, 0, 0, 100, 0, 0, 0, 100, 0) + b"\0\0"
seed("mesh", "binary.stl").write_bytes(b"s" + b"binary".ljust(80) + struct.pack("<I", 2) + 2 * triangle)
