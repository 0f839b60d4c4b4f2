"""Ctrl-C ends long work within a second, and leaves nothing behind."""

import signal
import threading
import time

import pytest

import steiner

# What each takes without Ctrl-C is many seconds; the analysis of the chain some ten.
LONG = {
    "analyze": lambda: steiner.analyze(chain(300), drives=True),
    "compare sensors": lambda: steiner.analyze(chain(120), "base-wrench", compare=["static", "all"] * 20),
    "formulas": lambda: steiner.formulas(steiner.Robot("delta")),
    "code": lambda: steiner.Robot("panda").code("c", method="psdm"),
}


def chain(count):
    """Joints one after the other, none parallel to another."""
    lines = ['name = "chain"']
    for k in range(count):
        parent = "base" if k == 0 else f"b{k - 1}"
        lines.append(f'[[body]]\nname = "b{k}"\nparent = "{parent}"\njoint = "revolute"\naxis = [0, 0, 1]')
        lines.append(f"xyz = [0.1, 0.0{k + 1}, 0.2]\nrpy = [0.{k + 1}1, 0.2{k + 1}, 0.3]")
    return steiner.Robot.from_text("\n".join(lines), "toml")


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("work", LONG)
def test_ctrl_c_ends_long_work_within_a_second(work):
    pressed = []

    def press():
        pressed.append(time.process_time())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(0.5, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        LONG[work]()
        timer.cancel()
        pytest.fail(f"{work} ended before anybody pressed Ctrl-C")
    # Other programs may keep the machine busy: what counts is what this one did after it was told.
    assert time.process_time() - pressed[0] < 1.0
    # The work is over, not only forgotten.
    started = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - started < 0.2
    assert steiner.analyze(steiner.Robot("puma560")).identifiable == 36


def test_what_on_progress_raises_ends_the_work():
    robot = steiner.Robot("two_link")
    log = steiner.simulate(robot, duration=20, rate=500, noise=0.02)

    def tired(part):
        raise RuntimeError("enough")

    for work in (
        lambda: steiner.identify(robot, log, on_progress=tired),
        lambda: steiner.compare(robot, robot, log, on_progress=tired),
    ):
        with pytest.raises(RuntimeError, match="enough"):
            work()
    with pytest.raises(TypeError, match="give True, or a function"):
        steiner.identify(robot, log, on_progress=3)


def test_a_bar_shows_how_much_is_done(capsys):
    robot = steiner.Robot("two_link")
    log = steiner.simulate(robot, duration=20, rate=500, noise=0.02)
    steiner.identify(robot, log, on_progress=True)
    shown = capsys.readouterr().err
    assert "identifying" in shown and "%" in shown and shown.endswith("\n")
    heard = []
    motion = steiner.excite(robot, duration=2, rate=50, starts=3, noise=0.1, on_progress=heard.append)
    assert motion.feasible and heard == sorted(heard) and heard[0] == 0
