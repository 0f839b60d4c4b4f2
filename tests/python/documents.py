"""Runs what documents print: commands and code, block after block, in one folder.

    ```console          `$ ` lines run in bash; the lines below one are what it must print
    ```python           runs, all blocks of a page in one namespace; a ```text block right below is its output
    ```c title="a.c"    any block with a title is written to that file

In shown output `…` stands for anything: a line of its own for any lines, within a line for the rest of its words.
As a program, it prints what the commands of a document say: `python tests/python/documents.py docs/guide/install.md`.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```([a-z]*)(.*?)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)


@dataclass
class Block:
    language: str
    title: str | None
    text: str
    line: int


def blocks(document: Path) -> list[Block]:
    text = document.read_text()
    found = []
    for match in FENCE.finditer(text):
        title = re.search(r'title="([^"]+)"', match[2])
        found.append(Block(match[1], title and title[1], match[3], text.count("\n", 0, match.start()) + 1))
    return found


def commands(block: Block) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    lines = iter(block.text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command += "\n" + next(lines)
            found.append((command, []))
        else:
            assert found, f"line {block.line}: output without a command"
            found[-1][1].append(line)
    return found


def agrees(shown: list[str], printed: str) -> bool:
    """Whether the shown lines are what was printed, where `…` stands for anything."""
    pattern = ""
    for line in shown:
        if line.strip() == "…":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += r"[^\n]*".join(re.escape(part) for part in line.rstrip().split("…")) + r"\n"
    lines = [line.rstrip() for line in printed.splitlines()]
    text = "".join(line + "\n" for line in lines)
    return re.fullmatch(pattern, text) is not None


def environment() -> dict[str, str]:
    """The command and Python of this project first."""
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
    path = os.pathsep.join([str(built), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "NO_COLOR": "1"}


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command as at a terminal: output and messages in one stream."""
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run(document: Path, folder: Path, languages: tuple[str, ...] = ("console", "python"), show=None) -> dict:
    """Runs the blocks of a document in a folder and returns the names that its Python has defined."""
    for file in document.parent.glob("*.urdf"):  # what the page offers for download
        shutil.copy(file, folder)
    names: dict = {}
    expected: str | None = None  # what the Python block just before has printed
    ran = 0
    for block in blocks(document):
        place = f"{document.name}:{block.line}"
        if block.title:
            (folder / block.title).write_text(block.text)
        elif block.language == "console" and "console" in languages:
            for command, shown in commands(block):
                done = shell(command, folder)
                if show:
                    show(command, done.stdout)
                    continue
                assert done.returncode == 0, f"{place}: {command}\nexit status {done.returncode}:\n{done.stdout}"
                if shown:
                    told = "\n".join(shown)
                    assert agrees(shown, done.stdout), f"{place}: {command}\nshown:\n{told}\nprinted:\n{done.stdout}"
                ran += 1
        elif block.language == "python" and "python" in languages:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile("\n" * block.line + block.text, str(document), "exec"), names)
            expected = printed.getvalue()
            ran += 1
            if show:
                show(block.text, expected)
            continue
        elif block.language == "text" and expected is not None and not show:
            shown = block.text.splitlines()
            assert agrees(shown, expected), f"{place}: shown:\n{block.text}\nprinted:\n{expected}"
        expected = None
    assert ran or show, f"{document.name}: nothing to run"
    return names


if __name__ == "__main__":
    import tempfile

    def told(command: str, printed: str) -> None:
        print(f"$ {command}\n{printed}", end="")

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run(ROOT / sys.argv[1], Path(folder), show=told)
