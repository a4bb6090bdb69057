"""The disk card called by machine code for a file that the program has open: a name is a file."""

import pytest

from tests.machinecode.codeprograms import console_with, full_rows
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

WRITES = """
       DEF  PUT
PUT    MOV  R11,@BACK
       LWPI WS
       LI   R0,>0F80
       LI   R1,PAB
       LI   R2,END-PAB
       BLWP @VMBW
       LI   R0,4
       MOV  R0,@>8354
       LI   R0,>0F8E        after DSK1
       MOV  R0,@>8356
       LWPI >83E0
       LI   R12,>1100
       SBO  0
       MOV  @>4008,R2       DSK
       MOV  *R2,R2          DSK1
       INCT R2
       MOV  *R2,R9
       LI   R1,1
       BL   *R9
       NOP
       SBZ  0
       LWPI WS
       LI   R0,>0F81
       BLWP @VSBR
       SRL  R1,13
       SWPB R1
       MOVB R1,@>3F00
       LWPI >83E0
       MOV  @BACK,R11
       B    *R11
WS     BSS  32
BACK   DATA 0
PAB    BYTE >03,>12
       DATA >0F92,>5003,0
       BYTE 0,8
       TEXT 'DSK1.OUT'
       TEXT 'TWO'
END    EVEN
       END
"""
PROGRAM = """100 CALL INIT :: CALL LOAD("DSK1.OBJ")
110 OPEN #1:"DSK1.{name}",{mode} :: {first}
120 CALL LINK("PUT"):: CALL PEEK(16128,E):: PRINT "ERROR";E
130 {last} :: CLOSE #1
"""


def test_lines_of_both_come_in_their_order_and_are_heard() -> None:
    console = console_with(
        WRITES,
        PROGRAM.format(name="OUT", mode="OUTPUT", first='PRINT #1:"ONE"', last='PRINT #1:"THREE"'),
    )
    heard: list[bytes] = []
    console.machine.drives.overheard = heard.append
    assert console.run() == "ready", console.error
    assert "ERROR 0" in full_rows(console)
    image = console.machine.drives.images()["DSK1"]
    assert isinstance(image, DiskImage)
    assert image.read("OUT").records == (b"ONE", b"TWO", b"THREE")
    assert heard == [b"TWO"]


@pytest.mark.parametrize("name", ["OTHER", "OUTPUT"])
def test_a_file_of_another_name_is_not_meant(name: str) -> None:
    listing = PROGRAM.format(name=name, mode="OUTPUT", first="A=1", last='PRINT #1:"THREE"')
    console = console_with(WRITES, listing)
    assert console.run() == "ready", console.error
    assert "ERROR 7" in full_rows(console)


def test_what_cannot_be_written_closes_the_file_of_the_program() -> None:
    listing = PROGRAM.format(name="OUT", mode="OUTPUT", first="A=1", last="A=2")
    console = console_with(WRITES, listing)
    image = console.machine.drives.images()["DSK1"]
    assert isinstance(image, DiskImage)
    image.add(DiskFile.program("FILLER", bytes(256 * (image.free_sectors - 2))))
    console.run()
    assert "ERROR 4" in full_rows(console)
    assert "* I/O ERROR 17 IN 130" in full_rows(console)


def test_a_file_stays_open_when_the_disk_is_changed() -> None:
    listing = PROGRAM.format(name="OUT", mode="OUTPUT", first="INPUT A$", last='PRINT #1:"THREE"')
    console = console_with(WRITES, listing)
    console.run()
    first = console.machine.drives.images()["DSK1"]
    console.machine.drives.mount("DSK1", DiskImage.new(name="OTHER"))
    console.type("\n")
    assert console.resume() == "ready", console.error
    assert isinstance(first, DiskImage)
    assert "ERROR 0" in full_rows(console)
    assert first.read("OUT").records == (b"TWO", b"THREE")


ROOMS = {
    1000: {768: False, 999: False, 1000: True, 1023: True, 1024: False, 1025: True, 8192: True},
    1024: {768: False, 1023: True, 1024: True, 1025: True},
}
"""Bytes of a PROGRAM file: the room that LOAD is given, and whether it loads (recorded)."""


@pytest.mark.parametrize(
    ("size", "room", "loads"),
    [(size, *each) for size, rooms in ROOMS.items() for each in rooms.items()],
)
def test_load_compares_its_room_with_the_file_by_sectors(size: int, room: int, loads: bool) -> None:
    code = WRITES.replace("BYTE >03,>12", "BYTE 5,0")
    code = code.replace("DATA >0F92,>5003,0", f"DATA >1000,0,{room}")
    listing = """100 CALL INIT :: CALL LOAD("DSK1.OBJ"):: CALL LINK("PUT")
110 CALL PEEK(16128,E):: PRINT "ERROR";E
"""
    console = console_with(code, listing)
    image = console.machine.drives.images()["DSK1"]
    assert isinstance(image, DiskImage)
    image.add(DiskFile.program("OUT", b"x" * size))
    assert console.run() == "ready", console.error
    assert f"ERROR {0 if loads else 7}" in full_rows(console)
    assert (console.machine.vdp.ram[0x1000 : 0x1000 + size] == b"x" * size) == loads
