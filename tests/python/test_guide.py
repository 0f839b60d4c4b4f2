"""What README and guide print, runs; the guide builds as a site, and its links hold."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import documents
from documents import ROOT

PAGES = sorted((ROOT / "docs/guide").glob("*.md"))


def test_the_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = documents.run(ROOT / "README.md", tmp_path, ("python",))
    assert names["r"].validation["total"] < 0.05 and names["motion"].feasible


def test_the_reference_of_python_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    documents.run(ROOT / "docs/python.md", tmp_path)
    assert (tmp_path / "identified.toml").exists() and (tmp_path / "report.html").exists()


def test_the_page_about_checks_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = documents.run(ROOT / "docs/check.md", tmp_path, ("python",))
    assert names["check"].wanted[5]["actions"][0] == {"measure": "wrench:link6"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_of_the_guide_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    documents.run(page, tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_nothing_on_a_page_is_only_shown(page):
    """Console and Python blocks run, files are written, text is the output of Python; `sh` alone installs."""
    for block in documents.blocks(page):
        runs = block.language in ("console", "python", "text") or block.title
        assert runs or (block.language == "sh" and page.stem == "install"), f"{page.name}:{block.line}"


def test_shown_output_is_compared():
    printed = "one 1.25\ntwo\nthree\n"
    assert documents.agrees(["one 1.25", "two", "three"], printed)
    assert documents.agrees(["one 1.…", "…", "three"], printed)
    assert documents.agrees(["…", "three"], printed) and documents.agrees(["one …", "…"], printed)
    for wrong in (["one 1.26", "…"], ["one 1.25"], ["…", "four"], ["two", "…"], ["one 1.25", "three"]):
        assert not documents.agrees(wrong, printed), wrong


def test_a_wrong_page_fails(tmp_path):
    for text in ("```console\n$ echo one\ntwo\n```\n", "```console\n$ false\n```\n", "```python\nassert False\n```\n"):
        (tmp_path / "page.md").write_text(text)
        with pytest.raises(AssertionError):
            documents.run(tmp_path / "page.md", tmp_path)


def test_the_guide_has_twelve_pages_and_each_is_in_the_table(tmp_path):
    index = (ROOT / "docs/index.md").read_text()
    linked = re.findall(r"\(guide/([a-z-]+)\.md\)", index)
    assert len(linked) == 12 and sorted(linked) == sorted(page.stem for page in PAGES)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built without a warning: mkdocs checks every link and anchor."""
    pytest.importorskip("material")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stdout + done.stderr
    return folder


def test_the_site_has_every_page_and_nothing_from_a_network(site):
    for page in PAGES:
        assert (site / "guide" / f"{page.stem}.html").exists()
    for html in site.rglob("*.html"):
        text = html.read_text()
        fetched = re.findall(r"<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)=\"(https?:[^\"]+)\"", text)
        assert not [address for address in fetched if "canonical" not in address], f"{html.name}: {fetched}"


def test_the_reference_of_options_is_the_help(site):
    text = (site / "options.html").read_text()
    done = documents.shell("steiner --help", ROOT).stdout
    names = re.findall(r"^  ([a-z]+)  ", done.split("Commands:")[1], flags=re.MULTILINE)
    assert "identify" in names
    for name in names:
        assert name == "help" or f"steiner {name}" in text
    assert "--unknown-gain" in text and "--payload-of" in text


def test_figures_of_the_guide_are_made_by_the_build(site):
    named = {name for page in PAGES for name in re.findall(r"figures/guide/([a-z0-9-]+)\.svg", page.read_text())}
    kept = {figure.stem for figure in (ROOT / "docs/figures/guide").iterdir()}
    assert named == kept
    for name in named:
        for built in (site / f"figures/guide/{name}.svg", site / f"figures/guide/{name}-dark.svg"):
            assert built.read_text().startswith("<svg xmlns")


def test_notebooks_in_the_repository_have_no_output():
    notebooks = list((ROOT / "docs/gallery").glob("*.ipynb"))
    assert len(notebooks) == 8
    for notebook in notebooks:
        cells = json.loads(notebook.read_text())["cells"]
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells), notebook.name
