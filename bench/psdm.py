"""Table 2 and figures 4–6 of the PSDM paper, ours beside the paper's. Needs what bench/run needs.

    python bench/psdm.py PINOCCHIO GENERATE STEINER DRAW WORK FIGURES [--markdown]

PINOCCHIO is bench/pinocchio.cpp compiled, GENERATE the benchmark `generated` of steiner-model, STEINER the command, DRAW the
benchmark `draw_plot` of steiner-report, WORK a folder for files, FIGURES one for the figures.
"""

import argparse
import json
import pathlib
import statistics
import subprocess

from generated import errors, nanoseconds, prepare

# Table 2: what the paper has for the Agilus KR6, the LBR7, the SR-6iA and the planar arm.
ROBOTS = {"kr6": "KR6", "lbr7": "LBR7", "scara_sr6ia": "SR-6iA", "two_link": "two-link"}
PAPER = {
    "derivation": ["5.3 s", "88 s", "50 ms", "11 ms"],
    "candidates": [1_306_368, 10_077_696, 9720, 216],
    "filtered": [17_151, 88_554, 294, 29],
    "system": [3125, 15_625, 75, 5],
    "functions": [6086, 21_295, 69, 10],
    "base_parameters": [36, 43, 8, 4],
    "before_multiplications": [65_745, 270_954, 435, 40],
    "multiplications": [6043, 18_387, 126, 23],
    "before_additions": [36_720, 149_352, 300, 24],
    "additions": [4142, 13_981, 84, 12],
    "inverse_error": ["4.1e-13", "2.8e-13", "4.1e-15", "5.1e-12"],
    "forward_error": ["1.4e-12", "1.6e-12", "1.8e-14", "1.7e-14"],
    "inverse": ["2110", "6490", "315", "149"],
    "forward": ["2270", "7280", "370", "166"],
}
TITLES = {
    "derivation": "derivation",
    "candidates": "functions t",
    "filtered": "after filters",
    "system": "largest system (paper), samples (ours)",
    "functions": "base functions p",
    "base_parameters": "base parameters ℓ",
    "before_multiplications": "multiplications",
    "multiplications": "… after optimisation",
    "before_additions": "additions",
    "additions": "… after optimisation",
    "inverse_error": "mean error of forces, N m",
    "forward_error": "mean error of accelerations, rad/s²",
    "inverse": "inverse dynamics, ns",
    "forward": "forward dynamics, ns",
}
# The assumptions of the paper's example: first moments along x only.
SIMPLIFIED = ["--neglect", "link1.my,link1.mz,link2.my,link2.mz"]


def seconds(x):
    return f"{x:.3g} s" if x >= 1 else f"{1e3 * x:.3g} ms"


def derived(steiner, robot, *flags, repeats=5):
    """The model's JSON, with the median time of some derivations."""
    command = [steiner, "model", robot, "--method", "psdm", "--json", *flags]
    said = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(repeats)]
    return said[0] | {"derivation_seconds": statistics.median(one["derivation_seconds"] for one in said)}


def truncated(steiner, robot, joints, work):
    """The first joints of an arm of the zoo, as a file."""
    text = subprocess.run([steiner, "zoo", "--show", robot], check=True, capture_output=True, text=True).stdout
    head, *bodies = text.split("[[body]]")
    path = work / f"{robot}-{joints}.toml"
    path.write_text("[[body]]".join([head, *bodies[:joints]]))
    return path


class Times:
    """Inverse and forward dynamics of one arm by every method, ns."""

    def __init__(self, robot, label, options):
        work = options.work
        self.library = 0.0
        programs = {}
        for method, flags in {"psdm": ["--psdm"], "recursive": []}.items():
            folder = work / f"{label}-{method}"
            programs[method], counts, model, states = prepare(robot, options.generate, folder, *flags)
            self.library = float(counts["library"][0])
            found = errors(programs[method], folder, model, states)
            if method == "psdm":
                _, self.inverse_error, self.forward_error = found
        folder = work / f"{label}-psdm"
        generated = [[programs[m], folder / "states", t] for m in programs for t in ("inverse-dynamics", "forward-dynamics")]
        pinocchio = [
            [options.pinocchio, folder / "model", "fixed", folder / "states", t] for t in ("inverse-dynamics", "forward-dynamics")
        ]
        times = nanoseconds(generated + pinocchio)
        self.psdm, self.psdm_forward, self.recursive, self.recursive_forward, self.rnea, self.aba = times


def table_2(options, times):
    ours = []
    for name in ROBOTS:
        model = derived(options.steiner, name)
        cost = derived(options.steiner, name, *SIMPLIFIED, repeats=1) if name == "two_link" else model
        t = times[name]
        ours.append(
            {
                "derivation": seconds(model["derivation_seconds"]),
                "candidates": f"{model['candidates']:.0f}",
                "filtered": f"{model['filtered']:.0f}",
                "system": str(model["samples"]),
                "functions": str(cost["functions"]),
                "base_parameters": str(cost["base_parameters"]),
                "before_multiplications": str(cost["unfactored"]["multiplications"]),
                "multiplications": str(cost["multiplications"]),
                "before_additions": str(cost["unfactored"]["additions"]),
                "additions": str(cost["additions"]),
                "inverse_error": f"{t.inverse_error:.1e}",
                "forward_error": f"{t.forward_error:.1e}",
                "inverse": f"{t.psdm:.0f}",
                "forward": f"{t.psdm_forward:.0f}",
            }
        )
    header = [""] + [f"{title} {side}" for title in ROBOTS.values() for side in ("paper", "ours")]
    rows = [
        [title] + [str(cell) for k in range(len(ours)) for cell in (PAPER[key][k], ours[k][key])]
        for key, title in TITLES.items()
    ]
    show("Table 2: closed forms of the benchmark arms (two-link with the paper's assumptions; times without)", header, rows, options)


def show(title, header, rows, options):
    print(f"\n{title}\n")
    if options.markdown:
        for line in [header, ["---"] + ["---:"] * (len(header) - 1), *rows]:
            print("| " + " | ".join(line) + " |")
        return
    widths = [max(len(row[k]) for row in [header, *rows]) for k in range(len(header))]
    for row in [header, *rows]:
        print("  ".join(cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths))))


def draw(options, name, description):
    svg = subprocess.run([options.draw], input=json.dumps(description), check=True, capture_output=True, text=True).stdout
    (options.figures / name).write_text(svg)
    print(f"wrote {options.figures / name}")


def growth(options):
    """Figure 4: derivation time of the first n joints."""
    rows, series = [], []
    for robot, most in {"kr6": 6, "lbr7": 7}.items():
        points = []
        for joints in range(2, most + 1):
            path = truncated(options.steiner, robot, joints, options.work)
            model = derived(options.steiner, path)
            points.append((joints, model["derivation_seconds"]))
            rows.append([ROBOTS[robot], str(joints), str(model["functions"]), seconds(model["derivation_seconds"])])
        series.append({"name": ROBOTS[robot], "xs": [p[0] for p in points], "ys": [p[1] for p in points]})
    general = []
    for joints in range(2, 9):
        path = options.work / f"general-{joints}.toml"
        path.write_text(general_arm(joints))
        model = derived(options.steiner, path, repeats=3)
        general.append((joints, model["derivation_seconds"]))
        rows.append(["no alignment", str(joints), str(model["functions"]), seconds(model["derivation_seconds"])])
    series.append({"name": "no alignment", "xs": [p[0] for p in general], "ys": [p[1] for p in general], "dashed": True})
    series.append({"name": "paper: KR6", "xs": [6], "ys": [5.3], "points": True})
    series.append({"name": "paper: LBR7", "xs": [7], "ys": [88.0], "points": True})
    show("Growth with the number of joints", ["arm", "joints", "functions", "derivation"], rows, options)
    draw(
        options,
        "psdm-derivation.svg",
        {"title": "Derivation of closed forms", "x": ["joints", ""], "y": ["time", "s"], "log_y": True, "series": series},
    )


def general_arm(joints):
    """Axes in general position, the same in every run."""
    text = f'name = "general{joints}"\n'
    for k in range(joints):
        parent = "base" if k == 0 else f"b{k}"
        numbers = [round(((7 * k + 3 * j + 5) * 2654435761 % 1000) / 500 - 1, 3) for j in range(6)]
        text += f'[[body]]\nname = "b{k + 1}"\nparent = "{parent}"\njoint = "revolute"\nxyz = {numbers[:3]}\nrpy = {numbers[3:]}\n'
        text += "inertia = { mass = 2, com = [0.1, -0.05, 0.07], tensor = [0.1, 0.01, 0.12, -0.02, 0.015, 0.09] }\n"
    return text


def evaluation(options, times):
    """Figure 5: inverse dynamics of the benchmark arms; figure 6: of the first joints of the LBR7."""
    columns = ["psdm", "recursive", "rnea", "library"]
    titles = ["closed form", "recursive code", "Pinocchio's rnea", "plain recursion"]
    rows = []
    for name, title in ROBOTS.items():
        t = times[name]
        cells = [f"{getattr(t, column):.0f}" for column in columns]
        rows.append([title, *cells, f"{t.rnea / t.psdm:.1f}", f"{t.rnea / t.recursive:.1f}"])
    header = ["arm", *(f"{title}, ns" for title in titles), "rnea / closed form", "rnea / recursive code"]
    show("Inverse dynamics", header, rows, options)
    names = list(ROBOTS)
    bars = [
        {"name": title, "xs": list(range(1, len(names) + 1)), "ys": [getattr(times[n], column) for n in names], "points": True}
        for title, column in zip(titles, columns)
    ]
    draw(
        options,
        "psdm-evaluation.svg",
        {"title": "Inverse dynamics of the benchmark arms", "x": ["", ""], "x_names": list(ROBOTS.values()), "y": ["time", "ns"], "log_y": True, "series": bars},
    )
    chains = {n: Times(truncated(options.steiner, "lbr7", n, options.work), f"lbr7-{n}", options) for n in range(2, 8)}
    rows = [[str(n), *(f"{getattr(t, column):.0f}" for column in columns)] for n, t in chains.items()]
    show("Inverse dynamics of the first n joints of the LBR7", ["n", *(f"{title}, ns" for title in titles)], rows, options)
    series = [
        {"name": title, "xs": list(chains), "ys": [getattr(t, column) for t in chains.values()]}
        for title, column in zip(titles, columns)
    ]
    draw(
        options,
        "psdm-truncated.svg",
        {"title": "Inverse dynamics of the first joints of the LBR7", "x": ["joints", ""], "y": ["time", "ns"], "log_y": True, "series": series},
    )


def main():
    arguments = argparse.ArgumentParser(prog="bench/psdm.py")
    for argument in ("pinocchio", "generate", "steiner", "draw", "work", "figures"):
        arguments.add_argument(argument, type=pathlib.Path)
    arguments.add_argument("--markdown", action="store_true", help="print tables in Markdown")
    options = arguments.parse_args()
    options.figures.mkdir(parents=True, exist_ok=True)
    times = {name: Times(name, name, options) for name in ROBOTS}
    table_2(options, times)
    growth(options)
    evaluation(options, times)


main()
