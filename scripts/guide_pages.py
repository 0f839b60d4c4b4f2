"""What the site of the guide has beside the Markdown in docs/: made anew by every build (hooks of mkdocs).

    options.md                          every command's own --help
    notation.md, references.md, …       documents of the repository's root
    gallery/NAME.md                     the notebooks; with their pictures where scripts/gallery.py has run them
    figures/guide/*.svg                 drawings cut out of the pages that the command writes, light and dark
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from mkdocs.structure.files import File
from mkdocs.utils import log

ROOT = Path(__file__).parents[1]
COMMAND = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/steiner"
EXECUTED = ROOT / "target/gallery"
ROOT_PAGES = {
    "NOTATION.md": "notation.md",
    "REFERENCES.md": "references.md",
    "CHANGELOG.md": "changelog.md",
    "ARCHITECTURE.md": "architecture.md",
    "bench/README.md": "bench.md",
}
OPTIONAL = ["check.md", "leaderboard.md"]
# In the order of the gallery's table.
GALLERY = ROOT / "docs/gallery"
NOTEBOOKS = [GALLERY / name for name in re.findall(r"\(([a-z0-9_]+\.ipynb)\)", (GALLERY / "index.md").read_text())]

sys.path.insert(0, str(ROOT / "scripts"))
import guide_figures  # noqa: E402


def help_of(*command: str) -> str:
    """What a command says, wrapped as on a terminal: without one, its lines are as long as its sentences."""
    done = subprocess.run([COMMAND, *command, "--help"], capture_output=True, text=True, check=True)
    return wrapped(done.stdout.rstrip())


def wrapped(text: str) -> str:
    """A text with lines no longer than a page is wide; what follows in a line is indented as its second column."""
    lines = []
    for line in text.splitlines():
        indent = re.match(r" *(?:- |[a-z]+ {2,})?", line)[0]
        lines += textwrap.wrap(line, 98, subsequent_indent=" " * len(indent), break_on_hyphens=False) or [""]
    return "\n".join(lines)


def options() -> str:
    """The reference of options, in the words of the command itself."""
    general = help_of()
    names = re.findall(r"^  ([a-z]+)  ", general.split("Commands:")[1].split("Options:")[0], flags=re.MULTILINE)
    parts = ["# All options\n\nThis page is what each command says with `--help`; `-h` is shorter.\n"]
    parts.append(f"## steiner\n\n```text\n{general}\n```\n")
    for name in names:
        if name != "help":
            parts.append(f"## steiner {name}\n\n```text\n{help_of(name)}\n```\n")
    return "\n".join(parts)


def title_of(notebook: Path) -> str:
    first = "".join(json.loads(notebook.read_text())["cells"][0]["source"])
    return first.splitlines()[0].removeprefix("# ")


def pictures_of(cell: dict) -> int:
    return sum("image/png" in output.get("data", {}) for output in cell.get("outputs", []))


def notebook_page(notebook: Path) -> tuple[str, dict[str, bytes]]:
    """A notebook as Markdown, and its pictures by name."""
    executed = EXECUTED / notebook.name
    seen = executed.exists()
    document = json.loads((executed if seen else notebook).read_text())
    pictures: dict[str, bytes] = {}
    text: list[str] = []
    for number, cell in enumerate(document["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            text.append(source)
            if number == 0:
                text.append(f"[Open as a notebook]({notebook.name})")
                if not seen:
                    text.append("*Output and pictures are left out: this copy was built without running the notebook.*")
            continue
        text.append(f"```python\n{source}\n```")
        printed = ""
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                name = f"{notebook.stem}-{len(pictures) + 1}.png"
                pictures[name] = base64.b64decode("".join(data["image/png"]))
                text.append(f"![Picture made by the lines above]({name})")
            elif output["output_type"] == "stream" or "text/plain" in data:
                shown = "".join(output.get("text") or data["text/plain"])
                # What a cell prints comes in pieces: they are one block.
                printed += "" if shown.startswith("<Figure") else shown.rstrip("\n") + "\n"
        if printed.strip():
            text.insert(len(text) - pictures_of(cell), f"```text\n{wrapped(printed.rstrip())}\n```")
    return "\n\n".join(text) + "\n", pictures


def relinked(text: str, page: str) -> str:
    """Links to documents outside docs/ lead to their pages of the site."""
    up = "../" * page.count("/")
    for document, target in ROOT_PAGES.items():
        text = re.sub(rf"\]\((?:\.\./)+{re.escape(document)}", f"]({up}{target}", text)
        text = re.sub(rf"\]\({re.escape(document)}(?=[)#])", f"]({up}{target}", text)
    text = re.sub(r"\]\((?:\.\./)*docs/", f"]({up}", text)
    return re.sub(r"\]\((?:\.\./)+README\.md", f"]({up}index.md", text)


def on_config(config):
    if not COMMAND.exists():
        raise SystemExit("the guide needs the command: cargo build --release")
    present = {name for name in OPTIONAL if (Path(config.docs_dir) / name).exists()}

    def kept(entry):
        if isinstance(entry, dict):
            (name, value), = entry.items()
            if isinstance(value, str):
                return None if value in OPTIONAL and value not in present else entry
            entry = {name: [part for part in map(kept, value) if part]}
            if name == "Reference":
                entry[name] += [{"Map of the code": "architecture.md"}]
            if name == "Measured":
                entry[name] += [{"How it is measured": "bench.md"}]
        return entry

    config.nav = [entry for entry in map(kept, config.nav) if entry]
    for number, entry in enumerate(config.nav):
        if "Gallery" in entry:
            pages = [{title_of(notebook): f"gallery/{notebook.stem}.md"} for notebook in NOTEBOOKS]
            config.nav[number] = {"Gallery": ["gallery/index.md", *pages]}
    return config


def on_files(files, config):
    def add(path: str, content):
        previous = files.get_file_from_path(path)
        if previous:
            files.remove(previous)
        files.append(File.generated(config, path, content=content))

    add("options.md", options())
    for document, page in ROOT_PAGES.items():
        add(page, (ROOT / document).read_text())
    for notebook in NOTEBOOKS:
        text, pictures = notebook_page(notebook)
        add(f"gallery/{notebook.stem}.md", text)
        for name, picture in pictures.items():
            add(f"gallery/{name}", picture)
        if not (EXECUTED / notebook.name).exists():
            log.info(f"skipped: pictures of {notebook.name}, which was not run (scripts/gallery.py)")
    with tempfile.TemporaryDirectory() as folder:
        for name, (light, dark) in guide_figures.drawn(COMMAND, Path(folder)).items():
            add(f"figures/guide/{name}.svg", light)
            add(f"figures/guide/{name}-dark.svg", dark)
    return files


def on_page_markdown(markdown, page, config, files):
    text = relinked(markdown, page.file.src_uri)
    if page.file.src_uri == "gallery/index.md":
        text = text.replace(".ipynb)", ".md)")
    # A drawing follows the reader's palette: the light one is in the repository, the dark one beside it in the site.
    return re.sub(
        r"!\[([^\]]*)\]\(((?:\.\./)?figures/guide/([a-z0-9-]+))\.svg\)",
        r"![\1](\2.svg#only-light) ![\1](\2-dark.svg#only-dark)\n*\1*{ .caption }",
        text,
    )


def on_page_content(html, page, config, files):
    # A page without sections has no contents to list: its tables get the room.
    if not any(entry.children for entry in page.toc):
        page.meta.setdefault("hide", []).append("toc")

    # The style sheet keeps what is shorter than a line in one piece: on a phone, or on a wide page only.
    def marked(match):
        length = len(match[1])
        return f'<code class="{"brief" if length <= 30 else "line"}">{match[1]}</code>' if length <= 75 else match[0]

    return re.sub(r"<code>([^<]*)</code>", marked, html)
