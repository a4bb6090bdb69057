"""Pointers to the memory of strings and stack, as CALL PEEK reads them."""

import pytest

from ti99tools.computer.console.session import Console
from ti99tools.language.program.program import Program

START, END, LAST, STACK = 0x8318, 0x831A, 0x831C, 0x836E


def words(listing: str, *addresses: int) -> list[int]:
    """The words at addresses after a program's lines."""
    console = Console(max_seconds=60)
    console.load(Program.from_listing(listing))
    console.run()
    assert console.error is None
    return [console.machine.memory.word(address) for address in addresses]


def test_pointers_before_any_program() -> None:
    memory = Console().machine.memory
    assert [memory.word(at) for at in (START, END, LAST, STACK)] == [0x37D7, 0x37D7, 0, 0x0958]


def test_what_print_makes_lies_below_the_symbols() -> None:
    start, end, last = words('100 A=1 :: B$=""\n110 PRINT 255;-6;"ABC";B$;A\n', START, END, LAST)
    assert start == 0x37D7 - 2 * 9 - 1
    assert (start - end, last - end) == (8 + 6 + 7 + 6, 4)


def test_strings_that_are_assigned_stay_below_each_other() -> None:
    start, end = words('100 FOR I=1 TO 3 :: A$="HELLO" :: NEXT I\n', START, END)
    assert start - end == 3 * 9


def test_memory_that_is_full_keeps_what_is_used() -> None:
    listing = '100 FOR I=1 TO 90 :: A$=RPT$("X",200):: NEXT I\n'
    start, end, stack = words(listing, START, END, STACK)
    assert stack == 0x0958
    assert stack < end < start


@pytest.mark.parametrize(("line", "frames"), [("GOTO 120", 0), ("GOSUB 120", 8), ("CALL S", 16)])
def test_the_stack_grows_upwards(line: str, frames: int) -> None:
    """PEEK has an entry of its own there (answers 18-8)."""
    rest = "110 END\n120 STOP\n130 SUB S :: STOP :: SUBEND\n"
    assert words(f"100 {line}\n{rest}", STACK) == [0x0958]
    peek = "CALL PEEK(-31890,A,B):: PRINT A*256+B"
    console = Console(max_seconds=60)
    rest = f"110 END\n120 {peek} :: STOP\n130 SUB S :: {peek} :: SUBEND\n"
    console.load(Program.from_listing(f"100 {line}\n{rest}"))
    console.run()
    assert str(0x0958 + frames + 8) in console.screen.text


def test_machine_code_sees_the_pointers() -> None:
    listing = """100 CALL INIT::CALL LOAD(16376,71,79,32,32,32,32,48,0)::CALL LOAD(8196,63,248)
110 CALL LOAD(12288,200,32,131,24,49,0,4,91)
120 PRINT 5::CALL LINK("GO")::CALL PEEK(12544,A,B)
"""
    console = Console(max_seconds=60)
    console.load(Program.from_listing(listing))
    console.run()
    memory = console.machine.memory
    assert memory.word(0x3100) == memory.word(START) != 0
