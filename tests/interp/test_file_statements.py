"""Statements with `#n` in whole programs, a disk in the drive."""

from __future__ import annotations

from tests.interp.programs import rows
from ti99tools.computer.console.session import Console
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage


def printed(listing: str) -> list[str]:
    """What a program prints that may use an empty DSK1."""
    console = Console(disks={"DSK1": DiskImage.new(geometry="SSSD", name="TEST")})
    console.load(Program.from_listing(listing))
    console.run()
    return rows(console)


def test_linput_reads_nothing_into_a_numeric_variable() -> None:
    listing = """
100 ON ERROR 200
110 OPEN #1:"DSK1.X"
120 PRINT #1:"12"::PRINT #1:"NEXT"
130 RESTORE #1
140 LINPUT #1:A
150 LINPUT #1:A$
160 PRINT A;A$
170 CLOSE #1::END
200 CALL ERR(C,T,S,L)::PRINT C;L::RETURN NEXT
"""
    assert printed(listing) == ["28  140", "0 12"]


def test_linput_looks_for_the_file_before_the_variable() -> None:
    assert printed("100 LINPUT #1:A\n") == ["* FILE ERROR IN 100"]


def test_every_number_of_a_record_is_looked_at_before_one_is_assigned() -> None:
    listing = """
100 OPEN #1:"DSK1.X",OUTPUT::PRINT #1:"1E200,-1E200"::CLOSE #1
110 ON WARNING STOP
120 OPEN #1:"DSK1.X",INPUT
130 INPUT #1:A,B
"""
    assert printed(listing)[-2:] == ["* WARNING", "NUMERIC OVERFLOW IN 130"]
    assert printed(listing.replace("110 ON WARNING STOP\n", "")).count("* WARNING") == 4


def test_commands_on_a_drive_without_a_disk() -> None:
    console = Console()
    console.boot()
    messages = []
    for command in ("OLD DSK1.X", "SAVE DSK1.X", "MERGE DSK1.X", 'DELETE "DSK1.X"'):
        console.command("10 REM")
        console.command("CALL CLEAR")
        console.command(command)
        messages.append([row for row in rows(console) if "ERROR" in row])
    assert messages == [["* I/O ERROR 02"], ["* I/O ERROR 66"], ["* I/O ERROR 02"], []]
