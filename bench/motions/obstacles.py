"""An arm between a floor, a wall and four boxes: is every motion free of collisions?

Steiner sees capsules that it fits to the meshes. The check does not: convex hulls of the meshes themselves, distances
by coal on a grid of 200 samples a second, with neighbours (joined by a joint) left out, as nothing can part them.
"""

from pathlib import Path

import coal
import numpy as np
import pinocchio

import robots
from arms import fourier_of
from running import steiner
from scoring import Arm, violations

SEEDS = range(20)
RATE = 200
CLEARANCE = 0.01
FLOOR = 0.0
WALL = -0.5
BOXES = [
    ((0.5, -0.2, 0.0), (0.9, 0.2, 0.3)),
    ((-0.2, 0.5, 0.0), (0.2, 0.9, 0.4)),
    ((-0.2, -0.9, 0.0), (0.2, -0.5, 0.4)),
    ((0.3, 0.3, 0.6), (0.6, 0.6, 0.9)),
]
HEAD = "| seed | CPU s | log det | said | nearest to anything, mm | nearest to itself, mm | violations at 20 kHz |"
RULE = "|---:|---:|---:|---|---:|---:|---|"


def arguments():
    point = lambda corner: ",".join(map(str, corner))
    boxes = [f"box:{point(low)}:{point(high)}" for low, high in BOXES]
    listed = [part for box in [f"plane:1,0,0,{WALL}", *boxes] for part in ("--obstacle", box)]
    return ["--floor", str(FLOOR), *listed, "--clearance", str(CLEARANCE)]


class Scene:
    """Distances of convex hulls: of links from obstacles, and from each other."""

    def __init__(self, file: Path):
        self.model = pinocchio.buildModelFromUrdf(str(file))
        self.data = self.model.createData()
        self.geometry = pinocchio.buildGeomFromUrdf(self.model, str(file), pinocchio.GeometryType.COLLISION)
        for link in self.geometry.geometryObjects:
            if not hasattr(link.geometry, "buildConvexRepresentation"):
                continue  # a box or a cylinder is convex
            link.geometry.buildConvexRepresentation(False)
            link.geometry = link.geometry.convex
        links = range(len(self.geometry.geometryObjects))
        around = [self.place(box, np.add(*corners) / 2) for corners in BOXES for box in [coal.Box(*np.subtract(*corners[::-1]))]]
        floor = self.place(coal.Box(6, 6, 2), [0, 0, FLOOR - 1])
        wall = self.place(coal.Box(2, 6, 6), [WALL - 1, 0, 0])
        # What stands on the floor's height with the base is not asked to keep away from it.
        moving = [k for k in links if self.joint(k) > 0]
        self.outside = [(k, other) for k in moving for other in [*around, floor, wall]]
        self.inside = [(a, b) for a in links for b in links if a < b and not self.joined(a, b)]
        for pair in self.outside + self.inside:
            self.geometry.addCollisionPair(pinocchio.CollisionPair(*pair))
        self.found = self.geometry.createData()

    def joint(self, link):
        return self.geometry.geometryObjects[link].parentJoint

    def joined(self, a, b):
        a, b = self.joint(a), self.joint(b)
        return a == b or self.model.parents[a] == b or self.model.parents[b] == a

    def place(self, shape, centre):
        pose = pinocchio.SE3(np.eye(3), np.asarray(centre, dtype=float))
        name = f"obstacle {self.geometry.ngeoms}"
        return self.geometry.addGeometryObject(pinocchio.GeometryObject(name, 0, pose, shape))

    def nearest(self, motion):
        """Least distances (from obstacles, from itself), m, with the two that are nearest to each other."""
        least = [(np.inf, ""), (np.inf, "")]
        q, _, _ = motion(np.arange(round(RATE * motion.duration)) / RATE)
        names = [link.name for link in self.geometry.geometryObjects]
        for pose in q:
            pinocchio.computeDistances(self.model, self.data, self.geometry, self.found, pose)
            distances = np.array([result.min_distance for result in self.found.distanceResults])
            for which, part in enumerate([slice(0, len(self.outside)), slice(len(self.outside), None)]):
                at = int(np.argmin(distances[part])) + (part.start or 0)
                pair = (self.outside + self.inside)[at]
                least[which] = min(least[which], (distances[at], " and ".join(names[k] for k in pair)))
        return least


def table(folder: Path):
    files = robots.write(folder, [robots.PANDA])
    meshes = folder / "panda_meshes.urdf"
    meshes.write_text(robots.panda_with_meshes())
    arm, scene = Arm(files[robots.PANDA]), Scene(meshes)
    print(f"{HEAD}\n{RULE}")
    clear, slow = 0, []
    for seed in SEEDS:
        done, document = steiner("excite", meshes, "--no-drives", "--threads", 1, "--seed", seed, *arguments())
        if document is None or not document["feasible"]:
            print(f"| {seed} | {done.cpu:.3g} | | {done.err.strip().splitlines()[-1]} | | | |", flush=True)
            continue
        motion = fourier_of(document, arm)
        (outside, nearest), (inside, pair) = scene.nearest(motion)
        excess = violations(arm, motion)
        bounds = ", ".join(f"{n} {kind}" for kind, n in document["bounds"].items() if n)
        clear += excess.samples == 0 and outside >= CLEARANCE - 1e-6 and inside > 0
        slow.append(done.cpu)
        print(
            f"| {seed} | {done.cpu:.3g} | {document['log_det']:.1f} | {bounds} | {1e3 * outside:.1f} ({nearest}) "
            f"| {1e3 * inside:.1f} ({pair}) | {excess} |",
            flush=True,
        )
    print(f"\n{clear} of {len(SEEDS)} seeds free of collisions and within all limits; CPU seconds at most {max(slow):.1f}")
