"""Closed forms and generated code from Python."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import steiner


def states(dof, rng, count):
    return rng.uniform(-3, 3, (count, dof)), rng.normal(size=(count, dof)), rng.normal(size=(count, dof))


def close(found, wanted, tolerance=1e-11):
    return np.abs(found - wanted).max() <= tolerance * np.abs(wanted).max()


@pytest.fixture(scope="module")
def scara():
    return steiner.Robot("scara_sr6ia")


def test_a_closed_form_has_the_counts_of_the_paper_and_the_forces_of_the_recursion(rng):
    robot = steiner.Robot("kr6")
    model = robot.psdm()
    assert (len(model.functions), len(model.base_parameters)) == (6086, 36)
    assert model.exponents.shape == (30, 6086) and model.exponents.dtype == np.uint8
    q, qd, qdd = states(6, rng, 40)
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert close(model.inverse_dynamics(q, qd, qdd), tau)
    regressor = model.regressor(q, qd, qdd)
    assert regressor.shape == (40, 6, 36) and close(regressor @ model.theta, tau)


def test_mass_bias_and_forward_dynamics_belong_together(scara, rng):
    model = scara.psdm()
    q, qd, qdd = states(4, rng, 25)
    tau = scara.inverse_dynamics(q, qd, qdd)
    mass, bias = model.mass_matrix(q), model.bias_forces(q, qd)
    assert mass.shape == (25, 4, 4)
    for k in range(25):
        assert close(mass[k], scara.mass_matrix(q[k]))
    assert close(np.einsum("sij,sj->si", mass, qdd) + bias, tau)
    assert close(model.forward_dynamics(q, qd, tau), qdd, 1e-9)
    # One sample is the batch without its first dimension.
    assert np.array_equal(model.mass_matrix(q[3]), mass[3])
    assert np.array_equal(model.forward_dynamics(q[3], qd[3], tau[3]), model.forward_dynamics(q, qd, tau)[3])


def test_base_parameters_say_what_they_are_made_of(scara, rng):
    model = scara.psdm()
    by_label = dict(zip(scara.labels, scara.parameters))
    for parameter, value in zip(model.base_parameters, model.theta):
        assert parameter["terms"][0] == (parameter["name"], 1.0)
        total = sum(factor * by_label[label] for label, factor in parameter["terms"])
        assert parameter["value"] == value and np.isclose(total, value, rtol=1e-12, atol=1e-15)
    # Forces are linear in theta.
    q, qd, qdd = states(4, rng, 3)
    theta = rng.normal(size=len(model.theta))
    assert close(model.inverse_dynamics(q, qd, qdd, theta=theta), model.regressor(q, qd, qdd) @ theta)
    assert close(model.mass_matrix(q, 2 * model.theta), 2 * model.mass_matrix(q))


def test_functions_and_exponents_say_the_same(scara):
    model = scara.psdm()
    assert len(model.functions) == len(set(model.functions)) == 69
    n = model.dof
    for text, column in zip(model.functions, model.exponents.T):
        letters = ["q"] * n + ["s"] * n + ["c"] * n + ["q̇"] * n + ["q̈"] * n
        factors = [f"{letter}{k % n + 1}" + ("²" if e == 2 else "") for k, (letter, e) in enumerate(zip(letters, column)) if e]
        assert sorted(text.replace("·g", "").replace("g", "").split("·")) == sorted(factors or [""])


def test_a_buffer_and_a_thread_count_are_taken(scara, rng):
    model = scara.psdm()
    q, qd, qdd = states(4, rng, 50)
    out = np.full((50, 4, len(model.theta)), np.nan)
    assert model.regressor(q, qd, qdd, out=out) is out
    assert np.array_equal(out, model.regressor(q, qd, qdd, threads=1))
    assert np.array_equal(model.inverse_dynamics(q, qd, qdd, threads=3), model.inverse_dynamics(q, qd, qdd, threads=1))
    assert model.inverse_dynamics(q[:0], qd[:0], qdd[:0]).shape == (0, 4)


def test_a_model_is_kept_in_a_file_and_printed(scara, rng, tmp_path):
    model = scara.psdm(neglect=["link2.mz"])
    model.save(tmp_path / "scara.psdm")
    loaded = steiner.Psdm.load(tmp_path / "scara.psdm")
    q, qd, qdd = states(4, rng, 2)
    assert np.array_equal(loaded.inverse_dynamics(q, qd, qdd), model.inverse_dynamics(q, qd, qdd))
    assert loaded.joints == model.joints and loaded.labels == model.labels and loaded.robot == "scara_sr6ia"
    assert repr(loaded).startswith('<steiner.Psdm "scara_sr6ia": ')
    assert steiner.Robot("two_link").psdm().equations().startswith("τ1 = ")
    assert model.equations("latex").startswith("\\begin{align*}")


def test_drives_turn_with_their_joints(rng):
    robot = steiner.Robot("puma560")
    plain, driven = robot.psdm(), robot.psdm(drives=True)
    q = states(6, rng, 4)[0]
    difference = driven.mass_matrix(q) - plain.mass_matrix(q)
    inertia = np.diagonal(difference[0])
    assert (inertia > 0.1).all()
    assert np.abs(difference - np.diag(inertia)).max() < 1e-12


def test_code_is_a_dict_of_files(scara):
    files = scara.code()
    assert list(files) == ["scara_sr6ia_dynamics.h", "scara_sr6ia_dynamics.c"]
    assert "void scara_sr6ia_forward_dynamics(" in files["scara_sr6ia_dynamics.h"]
    only = scara.code(language="rust", what=["inverse"], theta=True, float=True, prefix="arm")
    (name, text), = only.items()
    assert name == "arm_dynamics.rs" and "#![no_std]" in text
    assert "pub fn inverse_dynamics(" in text and "theta: &[f32;" in text and "forward_dynamics" not in text
    assert "link1.fc" in scara.code(drives=True)["scara_sr6ia_dynamics.h"]
    nested = scara.code(method="psdm", what=["inverse"])
    assert nested["scara_sr6ia_dynamics.c"] != scara.code(what=["inverse"])["scara_sr6ia_dynamics.c"]


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
@pytest.mark.parametrize("method", ["recursive", "psdm"])
def test_code_called_from_python_agrees_with_the_robot(scara, rng, tmp_path, method):
    for name, text in scara.code(method=method, prefix="r").items():
        (tmp_path / name).write_text(text)
    subprocess.run(
        ["cc", "-std=c99", "-O1", "-shared", "-fPIC", "r_dynamics.c", "-o", "r.so", "-lm"], cwd=tmp_path, check=True
    )
    library = ctypes.CDLL(str(tmp_path / "r.so"))
    assert library.r_self_test() == 0
    pointer = lambda array: array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    for q, qd, qdd in zip(*states(4, rng, 20)):
        tau = np.zeros(4)
        library.r_inverse_dynamics(*map(pointer, (q, qd, qdd, tau)))
        assert close(tau, scara.inverse_dynamics(q, qd, qdd))


def test_mimic_joints_are_folded_into_the_code(tmp_path):
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    joint = '<joint name="{0}" type="continuous"><parent link="base"/><child link="{0}l"/><axis xyz="0 1 0"/>{1}</joint>'
    (tmp_path / "pair.urdf").write_text(
        '<robot name="pair"><link name="base"/>'
        + "".join(f'<link name="{name}l">{inertial}</link>' for name in "ab")
        + joint.format("a", "")
        + joint.format("b", '<mimic joint="a" multiplier="-3"/>')
        + "</robot>"
    )
    header = steiner.Robot(tmp_path / "pair.urdf").code()["pair_dynamics.h"]
    assert "#define PAIR_DOF 1 " in header and "b = -3 a" in header
    assert "#define PAIR_DOF 2 " in steiner.Robot(tmp_path / "pair.urdf", mimic=False).code()["pair_dynamics.h"]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: steiner.Robot("delta").psdm(), "closes a loop"),
        (lambda: steiner.Robot("delta").code(), "has closed loops"),
        (lambda: steiner.Robot("go2").psdm(), "is floating"),
        (lambda: steiner.Robot("ur5").psdm(neglect=["link9.m"]), "link9.m"),
        (lambda: steiner.Robot("ur5").code(language="fortran"), 'language="fortran": use c or rust'),
        (lambda: steiner.Robot("ur5").code(what=["torque"]), 'what="torque": use inverse, regressor, mass, bias, forward'),
        (lambda: steiner.Robot("ur5").code(what=[]), "no code was asked for"),
        (lambda: steiner.Robot("ur5").code(method="magic"), "use recursive, psdm or fastest"),
        (lambda: steiner.Robot("two_link", floating=True).code(), "mass matrix is singular"),
        (lambda: steiner.Robot("two_link").psdm().equations("html"), "use text or latex"),
        (lambda: steiner.Robot("two_link").psdm().mass_matrix([0, 0, 0]), r"q has shape \[3\]; give \(2,\) or \(S, 2\), in the order link1, link2"),
        (lambda: steiner.Robot("two_link").psdm().inverse_dynamics([0, 0], [0, 0], [[0, 0]]), "mix one sample with batches"),
        (lambda: steiner.Robot("two_link").psdm().bias_forces([[0, 0]], [[0, 0]] * 2), "q and qd have 1 and 2 samples"),
        (lambda: steiner.Robot("two_link").psdm().mass_matrix([[0, 0], [0, np.nan]]), r"sample 1: q\[1\] is NaN"),
        (lambda: steiner.Robot("two_link").psdm().mass_matrix([0, 0], theta=[1]), r"theta has shape \[1\]; give \(6,\)"),
        (lambda: steiner.Robot("two_link").psdm().forward_dynamics([0, 0], [0, 0], [0, 0], -np.ones(6)), "not positive definite"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_files_that_are_none_are_what_python_calls_them(scara, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.psdm"):
        steiner.Psdm.load(tmp_path / "nowhere.psdm")
    with pytest.raises(OSError):
        scara.psdm().save(tmp_path)
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ValueError, match="text: line 1"):
        steiner.Psdm.load(tmp_path / "text")
