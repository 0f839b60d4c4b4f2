"""The drawings of the guide: cut out of the pages that the command writes.

`python scripts/guide_figures.py` writes the light ones to docs/figures/guide, where Markdown readers find them;
the site makes both, light and dark, anew.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
ARM = (ROOT / "docs/guide/arm.urdf").read_text()
TRUE_ARM = ARM.replace('<mass value="2"/>', '<mass value="2.6"/>').replace('"0 0 0.15"', '"0.02 0 0.18"')

# Commands in order, in one folder; arm.urdf and true.urdf are there.
COMMANDS = [
    "analyze puma560 --html puma560.html",
    "analyze delta --html delta.html",
    "analyze four_bar --html four_bar.html",
    "excite arm.urdf --noise 0.1 -o motion.csv --html motion.html",
    "simulate true.urdf --trajectory motion.csv --friction all=0.4,0.8 --force-noise 0.1 -o log.csv",
    "identify arm.urdf log.csv -o identified.urdf --html report.html",
]
# Name of the figure: the page, and how the label of the drawing begins.
FIGURES = {
    "puma560": ("puma560.html", "The mechanism, oblique view"),
    "puma560-matrix": ("puma560.html", "Base parameters against parameters"),
    "four-bar": ("four_bar.html", "The mechanism, front view"),
    "delta": ("delta.html", "The mechanism, oblique view"),
    "motion-position": ("motion.html", "joint2: position over time"),
    "motion-velocity": ("motion.html", "joint2: velocity over time"),
    "torque": ("report.html", "joint3: measured and predicted over time"),
    "friction": ("report.html", "joint3: friction against speed"),
}


def svg_of(page: str, label: str) -> str:
    """The drawing of a page whose label begins so, with those inside it."""
    start = re.search(rf'<svg [^>]*aria-label="{re.escape(label)}', page)
    assert start, f"no drawing '{label}'"
    depth = 0
    for tag in re.finditer(r"<svg\b|</svg>", page[start.start() :]):
        depth += 1 if tag[0] == "<svg" else -1
        if depth == 0:
            return page[start.start() : start.start() + tag.end()]
    raise AssertionError(f"drawing '{label}' has no end")


def alone(page: str, label: str, dark: bool) -> str:
    """The drawing as a file of its own, with the colours of one palette."""
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    night = re.search(r"@media \(prefers-color-scheme: dark\) \{(.*?\})\s*\}", style, re.DOTALL)
    style = style.replace(night[0], night[1] if dark else "").replace(":root", "svg")
    drawing = svg_of(page, label)
    size = re.search(r'viewBox="([^"]+)"', drawing)[1].split()
    paper = f'<rect x="{size[0]}" y="{size[1]}" width="{size[2]}" height="{size[3]}" style="fill: var(--paper)"/>'
    opening = re.match(r"<svg [^>]*>", drawing)[0]
    own = opening.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    rules = "".join(rule for rule in re.findall(r"[^{}]+\{[^{}]*\}", style) if concerns(rule))
    font = 'svg { font: 15px system-ui, "DejaVu Sans", sans-serif; color: var(--ink); }'
    font += "svg.picture { border: 0; }"  # an image has no room for the frame that it has on the page
    body = drawing[len(opening) :]
    return f"{own}<style>{rules}{font}</style>{paper}{body}\n"


def concerns(rule: str) -> bool:
    """Rules of the page around a drawing would only make the file longer."""
    selector = rule.split("{")[0].strip()
    return not re.match(r"(\*|body|main|h\d|section|table|th|td|p|ul|details|summary|@)", selector)


def drawn(command: Path, folder: Path) -> dict[str, tuple[str, str]]:
    """Every figure by its name, light and dark."""
    (folder / "arm.urdf").write_text(ARM)
    (folder / "true.urdf").write_text(TRUE_ARM)
    for line in COMMANDS:
        subprocess.run([command, *line.split()], cwd=folder, check=True, capture_output=True)
    pages = {page: (folder / page).read_text() for page, _ in FIGURES.values()}
    return {
        name: (alone(pages[page], label, dark=False), alone(pages[page], label, dark=True))
        for name, (page, label) in FIGURES.items()
    }


if __name__ == "__main__":
    import tempfile

    target = ROOT / "docs/figures/guide"
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, (light, _) in drawn(ROOT / "target/release/steiner", Path(folder)).items():
            (target / f"{name}.svg").write_text(light)
            print(f"docs/figures/guide/{name}.svg", len(light))
