"""Everything the command answers, Python answers with the same numbers and sentences."""

import inspect
import json
import pickle
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import steiner

COMMAND = Path(__file__).parents[2] / "target/release/steiner"


def command(*arguments):
    if not COMMAND.exists():
        pytest.skip("the command is not built: cargo build --release")
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def document(*arguments):
    return json.loads(command(*arguments, "--json"))


def without_time(found):
    """What two runs share."""
    if isinstance(found, dict):
        return {key: without_time(value) for key, value in found.items() if "seconds" not in key}
    return [without_time(x) for x in found] if isinstance(found, list) else found


@pytest.mark.parametrize("robot", ["puma560", "delta", "go2"])
def test_info_is_that_of_the_command(robot):
    assert steiner.Robot(robot).info() == document("info", robot)


def test_the_text_of_a_built_in_robot_is_that_of_the_command():
    assert steiner.zoo("four_bar") == command("zoo", "--show", "four_bar")
    assert dict(steiner.zoo())["four_bar"]
    with pytest.raises(ValueError, match="did you mean `four_bar`"):
        steiner.zoo("fourbar")


def test_what_other_sensors_would_add_is_that_of_the_command():
    sets = ["wrench:link4", "base-wrench"]
    found = steiner.analyze(steiner.Robot("puma560"), "joints:link3", compare=sets)
    wanted = document("analyze", "puma560", "--measure", "joints:link3", f"--compare={';'.join(sets)}")
    assert found.comparison == wanted["comparison"] and len(found.comparison) == 2
    assert "base-wrench" in found.to_html()
    same = pickle.loads(pickle.dumps(found))
    assert same.comparison == found.comparison and same.to_html() == found.to_html()
    assert steiner.analyze(steiner.Robot("puma560")).comparison is None


def test_what_a_log_excites_is_that_of_the_command(tmp_path):
    robot, path = steiner.Robot("puma560"), tmp_path / "log.csv"
    log = steiner.simulate(robot, path, duration=5, rate=100, noise=0.02, still=["link2", "link3", "link4", "link5", "link6"])
    found = steiner.analyze(robot, log=path, cutoff="off")
    wanted = document("analyze", "puma560", path, "--cutoff", "off")["log"]
    assert found.log["base_parameters"] == wanted["base_parameters"]
    assert found.log["rank"] == wanted["rank"] < 36
    assert "condition number" in found.to_html()
    in_memory = steiner.analyze(robot, log=log, cutoff="off").log
    assert (in_memory["rank"], in_memory["samples"]) == (wanted["rank"], wanted["samples"])
    with pytest.raises(TypeError, match="cut_off"):
        steiner.analyze(robot, log=log, cut_off=3)


@pytest.mark.parametrize(
    "robot, flags, keywords",
    [
        ("four_bar", ["--planar"], {"planar": True}),
        ("four_bar", ["--symbolic"], {"planar": False}),
        ("four_bar", ["--sensitivity", "lx1"], {"sensitivity": "lx1"}),
        ("puma560", ["--symbolic", "--frames", "mdh"], {"frames": "mdh"}),
    ],
)
def test_formulas_are_those_of_the_command(robot, flags, keywords):
    found = steiner.formulas(steiner.Robot(robot), **keywords)
    assert without_time(found.to_dict()) == without_time(document("analyze", robot, *flags)["symbolic"])
    latex = command("analyze", robot, *flags, "--format", "latex")
    assert found.latex == latex


def test_special_lengths_are_those_of_the_command():
    found = steiner.formulas(steiner.Robot("four_bar"), family=True)
    assert found.family == document("analyze", "four_bar", "--family")["family"]
    assert pickle.loads(pickle.dumps(found)).family == found.family


def test_a_derivative_is_the_slope_of_its_formula():
    robot = steiner.Robot("four_bar")
    found = steiner.formulas(robot, sensitivity="lx1")
    values, sympy = found.variables, pytest.importorskip("sympy")
    for name, terms in found.sensitivity.items():
        for parameter, text in terms.items():
            slope = sympy.diff(sympy.sympify(found.terms[name].get(parameter, "0")), sympy.Symbol("lx1"))
            difference = (slope - sympy.sympify(text)).subs(values)
            assert abs(float(difference)) < 1e-9


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: steiner.formulas(steiner.Robot("puma560"), planar=True), "leave out planar=True"),
        (lambda: steiner.formulas(steiner.Robot("four_bar"), "static", planar=True), "or planar=True"),
        (lambda: steiner.formulas(steiner.Robot("puma560"), frames="dh"), "use file or mdh"),
        (lambda: steiner.formulas(steiner.Robot("puma560"), sensitivity="x"), "no length or angle `x`"),
        (lambda: steiner.Robot("puma560").psdm(accuracy=2), "above 0 and below 1"),
        (lambda: steiner.Robot("puma560").psdm(accuracy=0.01, confidence=2), "up to 1"),
        (lambda: steiner.simulate(steiner.Robot("ur5"), friction={"elbow": (1, 1)}), "has no joint `elbow`"),
        (lambda: steiner.simulate(steiner.Robot("ur5"), friction={"all": (1,)}), "1 numbers; give"),
        (lambda: steiner.simulate(steiner.Robot("ur5"), gain={"nobody": 2}), "give a gain other than 0"),
        (lambda: steiner.compare(*[steiner.Robot("ur5")] * 2, {"t": [0.0]}, tanh=-1), "speed above 0"),
    ],
)
def test_what_cannot_be_answered_gets_one_sentence(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_a_smaller_model_is_as_accurate_as_it_says(rng, tmp_path):
    robot = steiner.Robot("puma560")
    whole, small = robot.psdm(), robot.psdm(accuracy=1e-2, profile="slow")
    assert whole.reduction is None and len(small.functions) < len(whole.functions) / 10
    assert small.reduction["functions_before"] == len(whole.functions) and small.reduction["error"] <= 1e-2
    same = pickle.loads(pickle.dumps(small))
    assert same.reduction == small.reduction
    wanted = document("model", "puma560", "--accuracy", "1e-2", "--profile", "slow")["reduction"]
    assert (len(small.functions), small.reduction["error"]) == (wanted["functions"], pytest.approx(wanted["error"]))
    # By states of its own: rates within 0.1, accelerations within 1.
    q, qd, qdd = rng.uniform(-3, 3, (500, 6)), rng.uniform(-0.1, 0.1, (500, 6)), rng.uniform(-1, 1, (500, 6))
    true = robot.inverse_dynamics(q, qd, qdd)
    error = np.linalg.norm(small.inverse_dynamics(q, qd, qdd) - true, axis=1) / np.linalg.norm(true, axis=1)
    assert np.quantile(error, 0.9) < 2e-2


def test_friction_rotors_and_gains_of_a_synthetic_log_can_be_given():
    robot = steiner.Robot("ur5")
    joint = robot.independent[1]
    plain = steiner.simulate(robot, duration=2, rate=100, drives=False)
    given = {"friction": {"all": (0.5, 2)}, "rotor_inertia": {joint: 0.3}, "gain": {joint: 10.0}}
    log = steiner.simulate(robot, duration=2, rate=100, **given)
    for name in robot.independent:
        qd, qdd = log[f"qd_{name}"], log[f"qdd_{name}"]
        added = 0.5 * qd + 2 * np.sign(qd) + (0.3 * qdd if name == joint else 0)
        wanted = (plain[f"tau_{name}"] + added) / (10 if name == joint else 1)
        np.testing.assert_allclose(log[f"tau_{name}"], wanted, atol=1e-9)


# Flags that say where files are, how they are printed, or that belong to Robot; and those with another name.
ELSEWHERE = {
    *("help", "json", "html", "output", "format", "emit", "show", "table", "strict", "lumped", "save", "equations", "plot"),
    *("gravity", "floating", "snap", "no-mimic", "package-path", "arg", "independent", "lock"),
    *("what", "theta", "float", "method", "symbolic"),  # of Robot.code and formulas, which tests above name
}
RENAMED = {
    "no-drives": "drives", "no-consistency": "consistent", "raw-forces": "filter_forces", "from": "start", "to": "end",
    "drive": "coupled_drives", "no-certify": "certify", "no-self-collision": "self_collision", "limit": "limits",
    "sum": "sums", "obstacle": "obstacles", "positions-only": "rates", "contact": "contacts", "no-refit": "refit",
    "log": "log",
}
# What Python does not have.
MISSING = {("excite", "from"), ("excite", "to")}
FUNCTIONS = {
    "analyze": [steiner.analyze, steiner.formulas],
    "model": [steiner.Robot.psdm, steiner.Robot.code],
    "excite": [steiner.excite],
    "simulate": [steiner.simulate],
    "identify": [steiner.identify],
    "compare": [steiner.compare],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_flag_of_the_command_is_a_keyword(name):
    flags = set(re.findall(r"^\s+(?:-\w, )?--([a-z-]+)", command(name, "--help"), flags=re.MULTILINE))
    words = set().union(*(inspect.signature(function).parameters for function in FUNCTIONS[name]))
    known = {"for": {"excite": "purpose", "model": "forward"}.get(name, ""), **RENAMED}
    lacking = {
        flag
        for flag in flags - ELSEWHERE
        if known.get(flag, flag.replace("-", "_")) not in words and (name, flag) not in MISSING
    }
    assert lacking == set()
