"""A keyboard and its clock, for the tests of this room."""

import pytest

from ti99tools.hardware.machine.clock import Clock
from ti99tools.hardware.machine.keyboard import Keyboard


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keyboard(clock: Clock) -> Keyboard:
    return Keyboard(clock)
