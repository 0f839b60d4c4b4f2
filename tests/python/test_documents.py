"""What README and guide print, runs."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(document: Path) -> dict:
    blocks = re.findall(r"```python\n(.*?)```", document.read_text(), flags=re.DOTALL)
    assert blocks
    names: dict = {}
    for block in blocks:
        exec(compile(block, str(document), "exec"), names)
    return names


def test_the_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = run(ROOT / "README.md")
    assert names["r"].validation["total"] < 0.05 and names["motion"].feasible


def test_the_guide_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(ROOT / "docs/python.md")
    assert (tmp_path / "identified.toml").exists() and (tmp_path / "report.html").exists()


def test_the_page_about_checks_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = run(ROOT / "docs/check.md")
    assert names["check"].wanted[5]["actions"][0] == {"measure": "wrench:link6"}
