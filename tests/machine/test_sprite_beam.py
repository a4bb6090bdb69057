"""The coincidence flag tells of the frame that the beam has drawn last."""

import pytest

from ti99tools.hardware.machine.clock import FRAME
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.vdp import pattern_address

ROW = 50
BEAM = (70 + ROW) / 262
"""When in a frame the beam comes to the sprites' row."""


@pytest.fixture
def machine() -> Machine:
    machine = Machine()
    machine.vdp.ram[pattern_address(128) : pattern_address(128) + 8] = b"\xff" * 8
    for number in (0, 1):
        machine.sprites.set_pattern(number, 128 + 96)
        machine.sprites.place(number, ROW, 20 * number)
    machine.clock.advance(10 * FRAME)
    return machine


def first_seen(machine: Machine, phase: float) -> float:
    """In how many frames a sprite moved at a point of a frame is seen where it is."""
    machine.clock.advance(round(phase * FRAME))
    machine.sprites.place(1, ROW, 0)
    moved = machine.clock.cycles
    while not machine.sprites.coincided():
        machine.clock.advance(FRAME // 50)
    return (machine.clock.cycles - moved) / FRAME


def test_moved_before_the_beam_comes_it_is_seen_at_the_end_of_the_frame(machine: Machine) -> None:
    assert first_seen(machine, BEAM - 0.1) == pytest.approx(1.1 - BEAM, abs=0.03)


def test_moved_after_the_beam_has_passed_it_is_seen_a_frame_later(machine: Machine) -> None:
    assert first_seen(machine, BEAM + 0.1) == pytest.approx(1.9 - BEAM, abs=0.03)


def test_a_deleted_sprite_is_seen_for_a_while(machine: Machine) -> None:
    machine.sprites.place(1, ROW, 0)
    machine.clock.advance(3 * FRAME)
    machine.sprites.hide(1)
    assert machine.sprites.coincided()
    machine.clock.advance(2 * FRAME)
    assert not machine.sprites.coincided()
    assert machine.memory.peek(0x837B) == 0x9F
