"""Robots of the zoo that no peer can do: loops, a gantry, a dog on a stand."""

from running import steiner

ROBOTS = [
    ("kr6", []),
    ("puma560", []),
    ("scara_sr6ia", []),
    ("gantry", []),
    ("delta", []),
    ("stewart", []),
    ("four_bar", []),
    ("palletizer", []),
    ("go2", ["--lock", "base_link=0"]),
]
HEAD = "| robot | CPU s | parameters | log det | cond | σ, median (largest) % of the file's value | nearest limit | bounds |"
RULE = "|---|---:|---:|---:|---:|---:|---|---|"


def line(robot, reading):
    done, found = steiner("excite", robot, *reading, "--threads", 1)
    if found is None:
        print(f"| {robot} | {done.cpu:.2f} | | | | | {done.err.strip().splitlines()[-1]} | |", flush=True)
        return
    nearest = min(found["margins"], key=lambda margin: margin["margin"])
    parts = sorted(100 * p["sd"] / abs(p["value"]) for p in found["base_parameters"] if p["sd"] and p["value"])
    bounds = ", ".join(f"{count} {kind}" for kind, count in found["bounds"].items() if count)
    print(
        f"| {robot}{' on a stand' if reading else ''} | {done.cpu:.2f} | {len(found['sd'])} | {found['log_det']:.1f} "
        f"| {found['condition_number']:.3g} | {parts[len(parts) // 2]:.2g} ({parts[-1]:.2g}) "
        f"| {nearest['of']} {nearest['quantity']} {nearest['value']:.4g} of {nearest['limit']:.4g} | {bounds} |",
        flush=True,
    )


def table():
    print(f"{HEAD}\n{RULE}")
    for robot, reading in ROBOTS:
        line(robot, reading)
