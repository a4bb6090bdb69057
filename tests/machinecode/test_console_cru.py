"""Keyboard, joysticks and the interrupt line as machine code reads them from the CRU."""

import pytest

from tests.machinecode.codeprograms import console_with
from ti99tools.computer.console.session import Console

SCAN = """ DEF ROWS
ROWS MOV R11,R9
 LI R3,>3000
 CLR R1
COL LI R12,>0024
 LDCR R1,3
 LI R12,>0006
 STCR R2,8
 MOVB R2,*R3+
 AI R1,>0100
 CI R1,>0800
 JNE COL
 B *R9
"""
LISTING = """100 CALL INIT::CALL LOAD("DSK1.OBJ")
110 CALL LINK("ROWS"):: GOTO 110
"""


@pytest.fixture
def console() -> Console:
    console = console_with(SCAN, LISTING)
    console.run(seconds=5)
    return console


def rows(console: Console) -> list[int]:
    console.run_until(text="never", seconds=0.5)
    return [console.machine.memory.peek(0x3000 + column) for column in range(8)]


def test_no_key_is_down(console: Console) -> None:
    assert rows(console) == [0xFF] * 8


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("Q", {5: 0x40}),
        ("/", {5: 0x01}),
        ("T", {4: 0x40}),
        ("5", {4: 0x10}),
        ("V", {3: 0x80}),
        ("K", {2: 0x02}),
        ("X", {1: 0x80}),
        ("ENTER", {0: 0x04}),
        ("=", {0: 0x01}),
        ("!", {5: 0x10, 0: 0x20}),
        ("BACK", {1: 0x08, 0: 0x10}),
        ("CTRL-A", {5: 0x20, 0: 0x40}),
    ],
)
def test_a_key_pulls_its_row_down(console: Console, key: str, expected: dict[int, int]) -> None:
    console.hold(key)
    assert rows(console) == [0xFF & ~expected.get(column, 0) for column in range(8)]
    console.release(key)
    assert rows(console) == [0xFF] * 8


def test_joysticks(console: Console) -> None:
    console.joystick(1, x=-4, y=4, fire=True)
    console.joystick(2, x=4, y=-4)
    assert rows(console)[6:] == [0xFF & ~0b10011, 0xFF & ~0b01100]


def test_a_key_of_a_script_is_seen_and_goes_up(console: Console) -> None:
    console.type("Q")
    assert console.take_keys(seconds=3)
    assert rows(console) == [0xFF] * 8


def test_the_interrupt_line_tells_of_frames() -> None:
    """Code with interrupts off waits for the picture's end by TB 2, and clears it by the status."""
    source = """ DEF WAIT
WAIT LI R1,30
 CLR R12
LOOP TB 2
 JEQ LOOP
 MOVB @>8802,R2
 DEC R1
 JNE LOOP
 B *R11
"""
    listing = '100 CALL INIT::CALL LOAD("DSK1.OBJ")\n110 CALL LINK("WAIT")\n'
    console = console_with(source, listing)
    console.run()
    plain = console_with(source.replace("30", "1"), listing)
    plain.run()
    assert console.clock.seconds - plain.clock.seconds == pytest.approx(29 / 59.92, abs=0.02)
