"""Interrupts that wait while machine code works: one is served afterwards, the others are lost."""

import pytest

from ti99tools.hardware.machine.clock import FRAME
from ti99tools.hardware.machine.machine import Machine


def machine_with_sprite(velocity: int = 16) -> Machine:
    """A sprite at column 0 that moves one dot a frame."""
    machine = Machine()
    machine.sprites.place(0, 50, 0)
    machine.sprites.set_velocity(0, 0, velocity)
    return machine


def column(machine: Machine) -> int:
    return machine.sprites.position(0)[1]


@pytest.mark.parametrize(("frames", "served"), [(0.4, 0), (0.9, 1), (1.4, 1), (5.9, 1)])
def test_at_most_one_of_the_interrupts_that_wait_is_served(frames: float, served: int) -> None:
    machine = machine_with_sprite()
    machine.clock.advance(FRAME // 5)
    machine.interrupts.work(round(frames * FRAME))
    assert column(machine) == served


def test_a_statement_that_is_charged_when_it_begins() -> None:
    """Two frames of it are over when it is told that the second was shut."""
    machine = machine_with_sprite()
    machine.clock.advance(FRAME // 2)
    machine.clock.cycles += 6 * FRAME
    machine.interrupts.shut(5 * FRAME, 3 * FRAME)
    machine.clock.catch_up()
    assert column(machine) == 6 - 2


def test_what_goes_on_being_shut_is_one_piece() -> None:
    machine = machine_with_sprite()
    machine.clock.advance(FRAME // 2)
    for _ in range(4):
        machine.clock.cycles += 3 * FRAME // 4
        machine.interrupts.shut(3 * FRAME // 4, 3 * FRAME // 4)
    apart = column(machine)
    machine = machine_with_sprite()
    machine.clock.advance(FRAME // 2)
    machine.interrupts.shut(0, 0)
    for _ in range(4):
        machine.interrupts.stay_shut(3 * FRAME // 4)
        machine.clock.cycles += 3 * FRAME // 4
    assert (apart, column(machine)) == (3, 1)


def test_lost_interrupts_are_counted_on_demand() -> None:
    machine = Machine()
    machine.interrupts.stay_shut(4 * FRAME)
    assert machine.interrupts.lost == 0
    machine.interrupts.count()
    machine.interrupts.shut(0, 4 * FRAME)
    assert machine.interrupts.lost == 3


def test_a_late_interrupt_reads_the_status_and_the_next_sees_the_rest_of_its_frame() -> None:
    """Two sprites that touch above the place where the beam is when the late interrupt comes."""
    machine = Machine()
    for number in (0, 1):
        machine.sprites.place(number, 10, 50)
        machine.sprites.set_pattern(number, 65 + 0x60)
    machine.clock.advance(3 * FRAME)
    assert machine.sprites.coincided()
    machine.interrupts.work(FRAME + FRAME // 2)
    assert machine.sprites.coincided(), "read by the late interrupt itself"
    machine.clock.advance_to(5 * FRAME + 100)
    assert not machine.sprites.coincided(), "no line with both was drawn since the late one"
    machine.clock.advance(FRAME)
    assert machine.sprites.coincided()
