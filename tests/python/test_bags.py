"""Floating bases in bags of ROS 2, as another library writes them."""

import numpy as np
import pytest

import steiner

pytest.importorskip("rosbags")

from rosbags.rosbag2 import StoragePlugin, Writer  # noqa: E402
from rosbags.typesys import Stores, get_typestore  # noqa: E402

STORE = get_typestore(Stores.ROS2_HUMBLE)
T = STORE.types
START, SAMPLES, RATE = 1_700_000_000_000_000_000, 1200, 200


@pytest.fixture(scope="module")
def robot():
    return steiner.Robot("go2")


@pytest.fixture(scope="module")
def log(robot):
    """A quadruped that flies freely: six numbers of its trunk, and its legs."""
    log = steiner.simulate(robot, duration=SAMPLES / RATE, rate=RATE, seed=3, noise=0.01)
    return {name: values[:SAMPLES] for name, values in log.items() if not name.startswith("qdd_")}


def header(k, frame=""):
    at = START + k * (10**9 // RATE)
    return T["std_msgs/msg/Header"](T["builtin_interfaces/msg/Time"](at // 10**9, at % 10**9), frame)


def vector(x, y, z):
    return T["geometry_msgs/msg/Vector3"](float(x), float(y), float(z))


def six(log, family, k):
    return [float(log[f"{family}_base_link:{n}"][k]) for n in range(6)]


def written(folder, robot, log, twists, storage=StoragePlugin.MCAP):
    """A bag; twists of the trunk are within its joint state ("inside"), in messages of their own ("apart"), or not
    there. Quaternions change their sign now and then, as estimators do, and somebody sends commands."""
    legs = [name for name in robot.independent if ":" not in name]
    with Writer(folder / "bag", version=9, storage_plugin=storage) as bag:
        kinds = {
            "/joint_states": "sensor_msgs/msg/JointState",
            "/trunk": "sensor_msgs/msg/MultiDOFJointState",
            "/velocity": "geometry_msgs/msg/TwistStamped",
            "/cmd_vel": "geometry_msgs/msg/TwistStamped",
        }
        topics = {name: bag.add_connection(name, kind, typestore=STORE) for name, kind in kinds.items()}

        def write(topic, k, message):
            data = STORE.serialize_cdr(message, kinds[topic])
            bag.write(topics[topic], START + k * (10**9 // RATE), data)

        for k in range(SAMPLES):
            lists = (np.array([log[f"{family}_{name}"][k] for name in legs]) for family in ("q", "qd", "tau"))
            write("/joint_states", k, T[kinds["/joint_states"]](header(k), legs, *lists))
            pose = [float(log[f"q_base_link:{n}"][k]) for n in range(7)]
            sign = -1.0 if k % 7 == 3 else 1.0
            rotation = T["geometry_msgs/msg/Quaternion"](*(sign * x for x in pose[3:]))
            transform = T["geometry_msgs/msg/Transform"](vector(*pose[:3]), rotation)
            speed = six(log, "qd", k)
            twist = T["geometry_msgs/msg/Twist"](vector(*speed[:3]), vector(*speed[3:]))
            inside = [twist] if twists == "inside" else []
            force = six(log, "tau", k)
            wrench = T["geometry_msgs/msg/Wrench"](vector(*force[:3]), vector(*force[3:]))
            write("/trunk", k, T[kinds["/trunk"]](header(k, "odom"), ["base_link"], [transform], inside, [wrench]))
            if twists == "apart":
                write("/velocity", k, T[kinds["/velocity"]](header(k, "base_link"), twist))
            if k % 50 == 0:
                write("/cmd_vel", k, T[kinds["/cmd_vel"]](header(k, "nobody"), twist))
    return folder / "bag"


@pytest.mark.parametrize("twists", ["inside", "apart", "derived"])
@pytest.mark.parametrize("storage", ["mcap", "db3"])
def test_a_floating_base_is_read_as_from_arrays(robot, log, twists, storage, tmp_path):
    plugin = StoragePlugin.MCAP if storage == "mcap" else StoragePlugin.SQLITE3
    bag = written(tmp_path, robot, log, twists, plugin)
    same = {name: x for name, x in log.items() if twists != "derived" or not name.startswith("qd_base_link")}
    settings = {"cutoff": 20, "drives": False, "free_flight": True, "measure": "all", "consistent": False}
    wanted, found = steiner.identify(robot, same, **settings), steiner.identify(robot, bag, **settings)
    assert found.residual["samples"] == wanted.residual["samples"]
    scale = np.maximum(np.abs(wanted.parameters), wanted.sigma)
    assert np.max(np.abs(found.parameters - wanted.parameters) / scale) < 1e-4
    assert not any("nobody" in note for note in found.notes)
