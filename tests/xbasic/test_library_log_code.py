"""The play log written by machine code (log.a99), and how it fails on a full disk."""

import pytest

from tests.machinecode.codeprograms import EQUATES
from tests.xbasic.gamedriver import lines_of
from ti99tools import Console, DiskImage, Program
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.language.dialect.reader import library_folder
from ti99tools.media.disk.tifile import DiskFile

SOURCE = """
       DEF  LOGTRY,LOGLN
WS     EQU  >2E00
BACK   EQU  >2E20
BACK3  EQU  >2E22
PABLEN EQU  >2E24
NAMED  EQU  >2E26
DEVICE EQU  >2E28
DIRECT EQU  >2E2A
PAB    EQU  >2E30
BUF    EQU  >2E60
PABAT  EQU  >1000
FAC    EQU  >834A
* R0 becomes argument R1
NUMBER CLR  R0
       BLWP @NUMREF
       BLWP @XMLLNK
       DATA >12B8
       MOV  @FAC,R0
       B    *R11
* Argument R1 becomes R0
ASSIGN MOV  R0,@FAC
       BLWP @XMLLNK
       DATA >0020
       CLR  R0
       BLWP @NUMASG
       B    *R11
HOME   LWPI >83E0
       MOV  @BACK,R11
       B    *R11
LOGLN  MOV  R11,@BACK
       LWPI WS
       LI   R0,>5000
       MOVB R0,@BUF
       CLR  R0
       LI   R1,1
       LI   R2,BUF
       BLWP @STRREF
       LI   R7,BUF
       BL   @SEND
       MOV  R1,R1
       JNE  LOGBAD
       B    @HOME
       COPY "<log.a99>"
       END
"""
LISTING = """\
100 CALL INIT::CALL LOAD("DSK1.OBJ")
110 {handler}OPEN #1:"DSK1.LOG",OUTPUT,DISPLAY,VARIABLE 80
120 CALL LINK("LOGTRY","DSK1.LOG","FIRST",0,C)
130 CALL SOUND(10,440,2)
140 FOR I=1 TO {lines}::CALL LINK("LOGLN","LINE "&STR$(I))::NEXT I
150 CLOSE #1::PRINT "DONE"::END
200 CALL ERR(E,N)::PRINT "STOPPED"::GOTO 210
210 GOTO 210
"""
MANY = 100


def run(lines: int, handler: str = "", room: int = 40) -> Console:
    """The program on a disk where a file may have `room` sectors."""
    image = DiskImage.new("SSSD")
    records = assemble(EQUATES + SOURCE, library=library_folder()).object_code.records()
    image.add(DiskFile.display_fix("OBJ", records))
    image.add(DiskFile.program("FILLER", bytes(256 * (image.free_sectors - room - 2))))
    console = Console(disks={"DSK1": image}, max_seconds=60)
    console.load(Program.from_listing(LISTING.format(lines=lines, handler=handler)))
    console.run()
    return console


def test_code_writes_the_lines_of_the_file_that_basic_has_opened() -> None:
    console = run(30)
    assert console.variables["C"] == 1
    assert "DONE" in console.screen.text
    assert lines_of(console, "LOG") == ["FIRST", *(f"LINE {number}" for number in range(1, 31))]


@pytest.mark.parametrize("room", [1, 2, 3])
def test_a_full_disk_is_the_error_that_print_would_raise(room: int) -> None:
    """Nothing but the error: the screen stays in its mode, CALL ERR has the file's number."""
    console = run(MANY, "ON ERROR 200::", room)
    assert "STOPPED" in console.screen.text
    assert (console.variables["E"], console.variables["N"]) == (130, 1)
    assert console.machine.vdp.registers[0] == 0


def test_its_message_has_operation_and_error() -> None:
    """In three sectors the file gets data: none begin in sectors 32 and 33, where others would."""
    console = run(MANY, room=3)
    assert console.variables["C"] == 1
    assert "* I/O ERROR 34 IN 140" in console.screen.text
    assert console.machine.vdp.registers[0] == 0
