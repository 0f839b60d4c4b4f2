"""The notebooks of the gallery run from top to bottom, each in an empty folder."""

import sys

import pytest

from documents import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
gallery = pytest.importorskip("gallery", reason="notebooks need nbclient (scripts/requirements.txt)")


@pytest.mark.parametrize("notebook", gallery.NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook, tmp_path):
    executed = gallery.execute(notebook, tmp_path)
    pictures = [
        output
        for cell in executed.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert pictures or "stops here" in str(executed), "a story without a picture"
