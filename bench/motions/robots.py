"""The arms of bench/excitation as URDF files that all competitors read, from wheels of PyPI.

Changes are written into the files, so that nobody sees other limits than the others: fingers are fixed, joints that
turn without end get a range, and the LBR gets the limits of a KUKA LWR4+.
"""

import subprocess
import sys
import tarfile
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

PANDA, UR10, GEN3, LBR = "panda", "ur10", "gen3", "lbr"

# Seconds of each motion.
DURATION = {PANDA: 10.0, UR10: 10.0, GEN3: 10.0, LBR: 12.0}
TITLE = {
    PANDA: "Panda (arm, fingers fixed)",
    UR10: "UR10",
    GEN3: "Kinova Gen3",
    LBR: "LBR iiwa with LWR4+ limits",
}

# KUKA LWR4+: (range, speed) in degrees and degrees per second, torque in N·m.
LWR4 = [
    (170, 110, 176),
    (120, 110, 176),
    (170, 128, 100),
    (120, 128, 100),
    (170, 204, 100),
    (120, 184, 38),
    (170, 184, 38),
]
DEGREE = 3.141592653589793 / 180
QUARTER = 3.141592653589793 / 2
# Joints that turn without end may turn so far to either side.
TURN = 2 * QUARTER


def write(folder: Path, names=tuple(DURATION)) -> dict[str, Path]:
    """Writes the files that are missing; returns them by name."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for name in names:
        files[name] = folder / f"{name}.urdf"
        if not files[name].exists():
            tree = xml.ElementTree(xml.fromstring({PANDA: panda, UR10: ur10, GEN3: gen3, LBR: lbr}[name](folder)))
            without_meshes(tree)
            tree.write(files[name], xml_declaration=True, encoding="unicode")
    return files


def panda_with_meshes() -> str:
    return panda(None).replace("package://example-robot-data/robots", str(examples()))


def panda(_) -> str:
    tree = xml.fromstring((examples() / "panda_description/urdf/panda.urdf").read_text())
    for joint in tree.iter("joint"):
        if "finger" in joint.get("name", "") and joint.get("type") == "prismatic":
            joint.set("type", "fixed")
    return xml.tostring(tree, encoding="unicode")


def ur10(_) -> str:
    return (examples() / "ur_description/urdf/ur10_robot.urdf").read_text()


def gen3(folder: Path) -> str:
    archive = downloaded(folder, "rtb-data==1.0.1", "rtb-data-1.0.1.tar.gz")
    inside = "rtb-data-1.0.1/rtbdata/xacro/kortex_description/arms/gen3/7dof/urdf/GEN3_URDF_V12.urdf"
    with tarfile.open(archive) as tar:
        tree = xml.fromstring(tar.extractfile(inside).read())
    for joint in tree.iter("joint"):
        if joint.get("type") == "continuous":
            joint.set("type", "revolute")
            joint.find("limit").set("lower", str(-TURN))
            joint.find("limit").set("upper", str(TURN))
    # 3.1416 for π tilts every axis by 7e-6: two parameters more that no log could show.
    for origin in tree.iter("origin"):
        turns = [float(angle) for angle in origin.get("rpy", "0 0 0").split()]
        origin.set("rpy", " ".join(repr(exact_turn(angle)) for angle in turns))
    return xml.tostring(tree, encoding="unicode")


def exact_turn(angle: float) -> float:
    nearest = round(angle / QUARTER) * QUARTER
    return nearest if abs(angle - nearest) < 1e-4 else angle


def lbr(folder: Path) -> str:
    archive = downloaded(folder, "pybullet==3.2.7", "pybullet-3.2.7*.whl")
    with zipfile.ZipFile(archive) as wheel:
        tree = xml.fromstring(wheel.read("pybullet_data/kuka_iiwa/model.urdf"))
    joints = [joint for joint in tree.iter("joint") if joint.get("type") == "revolute"]
    for joint, (turn, speed, torque) in zip(joints, LWR4, strict=True):
        limit = joint.find("limit")
        limit.set("lower", str(-turn * DEGREE))
        limit.set("upper", str(turn * DEGREE))
        limit.set("velocity", str(speed * DEGREE))
        limit.set("effort", str(torque))
        # The file's damping and friction are a simulator's; Pinocchio's regressor has none.
        for dynamics in joint.findall("dynamics"):
            joint.remove(dynamics)
    return xml.tostring(tree, encoding="unicode")


def without_meshes(tree: xml.ElementTree) -> None:
    for link in tree.getroot().iter("link"):
        for kind in ("visual", "collision"):
            for found in link.findall(kind):
                link.remove(found)
    for joint in tree.getroot().iter("joint"):
        for dynamics in joint.findall("dynamics"):
            joint.remove(dynamics)


def examples() -> Path:
    import cmeel

    return Path(cmeel.__path__[0]).parent / "cmeel.prefix/share/example-robot-data/robots"


def downloaded(folder: Path, package: str, name: str) -> Path:
    found = sorted(folder.glob(name))
    if not found:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), package]
        subprocess.run(command, check=True)
        found = sorted(folder.glob(name))
    return found[0]
