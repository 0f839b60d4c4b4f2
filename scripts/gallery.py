"""Runs the notebooks of docs/gallery and keeps what they show in target/gallery, for the pages of the guide.

A notebook that has not changed since it last ran is not run again; `python scripts/gallery.py --all` runs all.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs/gallery").glob("*.ipynb"))
EXECUTED = ROOT / "target/gallery"


def execute(path: Path, folder: Path) -> nbformat.NotebookNode:
    """The notebook after running all its cells in a folder. STEINER_DATA says where recorded data is, if anywhere."""
    notebook = nbformat.read(path, as_version=4)
    os.environ.setdefault("STEINER_DATA", str(ROOT.parent / "shared/data"))
    os.environ.setdefault("STEINER_MAPPINGS", str(ROOT / "docs/mappings"))
    NotebookClient(
        notebook,
        timeout=900,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    return notebook


def mark(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    EXECUTED.mkdir(parents=True, exist_ok=True)
    for path in NOTEBOOKS:
        kept, stamp = EXECUTED / path.name, EXECUTED / f"{path.stem}.sha256"
        if "--all" not in sys.argv and kept.exists() and stamp.exists() and stamp.read_text() == mark(path):
            continue
        start = time.time()
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(execute(path, Path(folder)), kept)
        stamp.write_text(mark(path))
        print(f"{path.name}: {time.time() - start:.0f} s")
