"""Statements with `#n` in whole programs, a disk in the drive."""

from __future__ import annotations

from programs import rows

from ti99tools.console.session import Console
from ti99tools.disk.image import DiskImage
from ti99tools.program.program import Program


def printed(listing: str) -> list[str]:
    """What a program prints that may use an empty DSK1."""
    made = Console(disks={"DSK1": DiskImage.new(geometry="SSSD", name="TEST")})
    made.load(Program.from_listing(listing))
    made.run()
    return rows(made)


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
