"""The stubs: what README and all documents write passes strict type checkers."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
THOROUGH = bool(os.environ.get("STEINER_THOROUGH"))


@pytest.fixture
def examples(tmp_path):
    # Python of symbols.md is what the command writes.
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/guide").glob("*.md"))]:
        blocks = re.findall(r"```python\n(.*?)```", document.read_text(), flags=re.DOTALL)
        if blocks and document.name != "symbols.md":
            name = re.sub(r"\W", "_", document.relative_to(ROOT).with_suffix("").as_posix().lower())
            (tmp_path / f"{name}_lines.py").write_text("\n".join(blocks))
    return tmp_path


def test_mypy_is_content_with_the_documents(examples):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", *map(str, examples.glob("*.py"))]
    done = subprocess.run(command, capture_output=True, text=True, cwd=examples)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(not THOROUGH, reason="Pyright fetches Node: STEINER_THOROUGH=1")
def test_pyright_is_content_with_the_documents(examples):
    pytest.importorskip("pyright")
    # Of what other packages lack, nothing is said: extras that are not installed, and MuJoCo's stubs.
    others = {"reportMissingImports": False, "reportAttributeAccessIssue": "warning"}
    (examples / "pyrightconfig.json").write_text(json.dumps(others))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--project", str(examples)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
