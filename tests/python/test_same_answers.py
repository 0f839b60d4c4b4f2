"""scripts/same_answers: what counts as the same answer, and what does not."""

import copy
import importlib.util
import json
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def load_same_documents():
    specification = importlib.util.spec_from_file_location("same_documents", SCRIPTS / "same_documents.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


Verdict = load_same_documents().Verdict

ANALYSIS = {
    "labels": ["a.m", "a.mx", "b.m", "b.mx"], "nullity": 2, "seconds": 0.5, "unidentifiable": [],
    "nullspace": [
        {"principle": "fixed-points", "joint": None, "text": "one", "entries": [[0, 1.0], [2, -0.5]]},
        {"principle": "shared-points", "joint": "b", "text": "two", "entries": [[1, 1.0], [3, 0.25]]},
    ],
    "base_parameters": [
        {"name": "b.m", "terms": [["b.m", 1.0], ["a.m", 0.5]]},
        {"name": "b.mx", "terms": [["b.mx", 1.0], ["a.mx", -0.25]]},
    ],
    "certificate": {"rank": 2, "complete": True, "gap": 1e25},
    "tensor": [1.0, 1e-14, 0.5],
}


def verdict_on(change, relaxed=0.0):
    after = copy.deepcopy(ANALYSIS)
    change(after)
    verdict = Verdict(1e-12, relaxed)
    verdict.compare(ANALYSIS, after)
    return verdict


def test_a_document_is_identical_to_itself_whatever_time_it_took():
    assert verdict_on(lambda d: d.update(seconds=7.0)).is_identical


def test_numbers_are_measured_by_the_largest_of_their_vector():
    verdict = verdict_on(lambda d: d.update(tensor=[1.0, 3e-14, 0.5]))
    assert [path for _, path in verdict.numbers] == ["tensor[]"] and not verdict.failures
    verdict = verdict_on(lambda d: d.update(tensor=[1.0, 1e-14, 0.5 + 1e-10]))
    assert verdict.failures[0][0] == "tensor[]"
    verdict = verdict_on(lambda d: d.update(tensor=[1.0, 1e-14, 0.5 + 1e-10]), relaxed=1e-9)
    assert verdict.within_relaxed and not verdict.failures


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(nullity=3),
        lambda d: d.update(nullity=2.0),
        lambda d: d.update(nullity=None),
        lambda d: d["certificate"].update(complete=False),
        lambda d: d["certificate"].update(gap=1e3),
        lambda d: d.pop("tensor"),
        lambda d: d["tensor"].pop(),
        lambda d: d.update(unidentifiable=["a.m"]),
        lambda d: d["labels"].reverse(),
        lambda d: d["nullspace"].pop(),
        lambda d: d["nullspace"][0]["entries"].pop(),
        lambda d: d["nullspace"][0].pop("joint"),
        lambda d: d["base_parameters"][0].update(terms=[["b.m", 1.0], ["a.m", 0.5 + 1e-8]]),
    ],
)
def test_another_answer_fails(change):
    assert verdict_on(change).failures


def test_another_basis_of_the_same_span_is_the_same_answer():
    def mix(document):
        document["nullspace"][0] = {
            **document["nullspace"][1], "entries": [[0, 2.0], [1, 1.0], [2, -1.0], [3, 0.25]]
        }
        document["base_parameters"][0] = {"name": "a.m", "terms": [["a.m", 1.0], ["b.m", 2.0]]}

    verdict = verdict_on(mix)
    assert [path for _, path in verdict.spans] == ["nullspace", "base_parameters"]
    worded = {path.split("[].")[1] for path, *_ in verdict.words}
    assert worded == {"joint", "name", "principle", "text"}
    assert not verdict.failures


def test_an_angle_between_spans_is_measured(rng):
    documents = load_same_documents()
    basis = rng.standard_normal((5, 12))
    mixed = rng.standard_normal((5, 5)) @ basis
    assert documents.largest_angle(basis, mixed) < 1e-12
    assert documents.largest_angle(basis, mixed[:4]) == np.inf
    turned = documents.row_space(basis)
    aside = documents.row_space(np.vstack([basis, rng.standard_normal(12)]))
    aside = aside - aside @ turned.T @ turned
    turned[0] += 1e-6 * aside[np.argmax(np.linalg.norm(aside, axis=1))]
    assert 1e-8 < documents.largest_angle(basis, turned) < 1e-6


def test_words_keys_and_rounding_are_told_but_do_not_fail():
    def change(document):
        document["nullspace"][0]["text"] = "another sentence"
        document["certificate"]["gap"] = 3e24
        document["notes"] = ["a new note"]

    verdict = verdict_on(change)
    assert verdict.words == [("nullspace[].text", "one", "another sentence")]
    assert verdict.added == {"notes"} and verdict.rounding and not verdict.failures


STAND_IN = """#!{python}
import json, sys
command = sys.argv[1]
if command == "zoo":
    print(json.dumps({{"zoo": [{{"name": "arm"}}]}}))
elif command == "info":
    print(json.dumps({{"bodies": [{{"joint": "j1"}}], "independent": ["j1"], "mass": {mass}}}))
elif command == "simulate":
    open(sys.argv[-1], "w").write("t,q_j1\\n0,1.5\\n")
elif command == "model":
    sys.exit("{refusal}")
else:
    print(json.dumps({{"rank": 1}}))
"""


def stand_in(folder, mass="1.0", refusal="no"):
    """An executable that answers like the command."""
    folder.mkdir()
    path = folder / "steiner"
    path.write_text(STAND_IN.format(python=sys.executable, mass=mass, refusal=refusal))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_two_commands_are_compared_and_the_answers_of_the_first_are_kept(tmp_path):
    before = stand_in(tmp_path / "before")
    kept = ["--keep", tmp_path / "kept", "--references", tmp_path / "none", "--only", "info|model"]

    def run(after):
        command = [sys.executable, SCRIPTS / "same_answers", before, after, *kept]
        return subprocess.run(command, capture_output=True, text=True)

    same = run(before)
    assert same.returncode == 0 and "0 failed" in same.stdout, same.stdout + same.stderr
    assert "skipped: the references" in same.stderr
    worded = run(stand_in(tmp_path / "worded", refusal="no, for a reason"))
    assert worded.returncode == 0 and "+ no, for a reason" in worded.stdout
    assert "BEFORE ran 0 times" in worded.stdout
    wrong = run(stand_in(tmp_path / "wrong", mass="1.1"))
    assert wrong.returncode == 1 and "FAILED info arm\n  mass: 1.0 became 1.1" in wrong.stdout
    answers = [json.loads(path.read_text()) for path in (tmp_path / "kept").rglob("*.json")]
    assert any(answer["log"] == "t,q_j1\n0,1.5\n" for answer in answers)
