"""The program in memory: seen by PEEK, changed by LOAD."""

import pytest

from ti99tools.computer.console.session import Console
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage


def test_a_program_that_changes_itself_is_told() -> None:
    listing = """100 CALL INIT
110 CALL PEEK(-31952,A,B):: S=A*256+B-65536
120 CALL LOAD(S,0,200)
130 PRINT "X"
"""
    console = Console()
    console.load(Program.from_listing(listing))
    assert console.run() == "ready"
    assert console.program is not None
    assert [line.number for line in console.program.lines] == [100, 110, 120, 200]
    assert any("changed in memory while it ran" in remark for remark in console.remarks)


def test_bytes_that_are_no_program_leave_the_old_one() -> None:
    listing = "100 CALL INIT::CALL PEEK(-31952,A,B)::S=A*256+B-65536::CALL LOAD(S+2,0,0)\n"
    console = Console()
    console.load(Program.from_listing(listing))
    assert console.run() == "ready"
    assert console.program is not None
    assert len(console.program.lines) == 1
    assert any("is not a program" in remark for remark in console.remarks)


def test_code_in_the_free_part_of_high_memory_leaves_the_program_alone() -> None:
    console = Console()
    console.load(Program.from_listing("100 CALL INIT::CALL LOAD(-16384,1,2,3)\n"))
    before = console.program
    assert console.run() == "ready"
    assert console.program is before
    assert not console.remarks


def test_protection_and_the_free_memory() -> None:
    console = Console()
    console.load(Program.from_listing("100 CALL INIT::CALL LOAD(-31931,128)\n"))
    assert console.run() == "ready"
    assert console.program is not None
    assert console.program.protected
    memory = console.machine.memory
    assert memory.word(0x8386) == memory.word(0x8330) - 1
    assert memory.word(0x8384) == 0xFFE7


@pytest.mark.parametrize(
    ("before", "code"),
    [
        ("", 2),
        ("CALL INIT::CALL LOAD(-31868,0,0,0,0)::", 57),
        ("CALL INIT::CALL LOAD(-31866,0)::", 2),
    ],
)
def test_without_a_top_of_memory_only_program_files_are_loaded(before: str, code: int) -> None:
    """Recorded: RUN of a missing file then shows the error of LOAD, not of the long form's OPEN."""
    console = Console(max_seconds=20, disks={"DSK1": DiskImage.new()})
    console.load(Program.from_listing(f'100 {before}RUN "DSK1.NOPE"\n'))
    console.run()
    assert f"I/O ERROR {code:02d} IN 100" in console.screen.text


def test_new_gives_the_top_of_memory_back() -> None:
    console = Console(max_seconds=20)
    console.load(Program.from_listing("100 CALL INIT::CALL LOAD(-31868,0,0)\n"))
    console.run()
    assert console.machine.memory.word(0x8384) == 0
    console.command("NEW")
    assert console.machine.memory.word(0x8384) == 0xFFE7
