"""CPU memory cells that programs look at."""

from functools import partial

from ti99tools.hardware.machine.clock import FRAME
from ti99tools.hardware.machine.cpu_memory import Cell
from ti99tools.hardware.machine.machine import Machine


def test_ram_and_rom() -> None:
    memory = Machine().memory
    for address in (0x2000, 0x3FFF, 0xA000, 0xFFFF, 0x8300):
        memory.poke(address, 0x1FF)
        assert memory.peek(address) == 0xFF
    memory.poke(0, 1)
    memory.poke(0x6000, 1)
    assert memory.peek(0) == memory.peek(0x6000) == 0
    assert memory.peek(0x8000) == memory.peek(-32000 & 0xFF00) == 0xFF


def test_cells_that_follow_the_machine() -> None:
    machine = Machine()
    machine.clock.advance(300 * FRAME)
    assert machine.memory.peek(0x8379) == 300 - 256
    machine.keyboard.scan(4)
    assert machine.memory.peek(0x8374) == 4
    machine.memory.poke(0x837A, 5)
    assert machine.sprites.moving == 5 == machine.memory.peek(0x837A)


def test_the_interrupt_routine_can_be_told_to_leave_sprites_alone() -> None:
    machine = Machine()
    machine.sprites.set_velocity(0, 16, 16)
    machine.clock.advance(2 * FRAME)
    machine.memory.poke(0x83C2, 0x40)
    machine.clock.advance(5 * FRAME)
    assert machine.sprites.position(0) == (0xE2, 2)
    machine.memory.poke(0x83C2, 0x10)
    machine.clock.advance(FRAME)
    assert machine.sprites.position(0) == (0xE3, 3)


def test_coincidence_in_the_video_status() -> None:
    machine = Machine()
    assert not machine.memory.peek(0x837B) & 0x20
    for number in (0, 1):
        machine.sprites.set_pattern(number, ord("A") + 0x60)
        machine.sprites.place(number, 50, 50)
    assert not machine.memory.peek(0x837B) & 0x20, "no frame has been drawn since"
    machine.clock.advance(2 * FRAME)
    assert machine.memory.peek(0x837B) & 0x20


def test_machine_code_sees_a_cell_of_the_program_that_runs() -> None:
    """Each run puts its own cells in the place of those of the run before."""
    memory = Machine().memory
    for value in (3, 4):
        memory.cells[0x837F] = Cell(partial(int, value))
        memory.publish()
        assert memory.bus.peek(0x837F) == value
