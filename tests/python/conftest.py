"""What the Python tests share."""

import signal

import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(20261115)


@pytest.fixture
def interruptible():
    """Ctrl-C as a person at a terminal has it: a shell's background jobs ignore it, and so would Python."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
