"""Files of compiled programs: the screen and the disk are as Extended BASIC leaves them."""

from collections.abc import Mapping

import pytest

from tests.compiler.bothforms import WORDS_AND_CELLS, Left, as_cartridge, full_rows, in_basic
from tests.compiler.randomfiles import FileMaker
from tests.compiler.randomprograms import piece
from ti99tools.base.errors import SourceError
from ti99tools.compiler.compiling import compile_program
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.session import Console
from ti99tools.hardware.machine.ports import Port
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile, FileType

FEW = range(3)
SCORES = """\
100 OPEN #1:"DSK1.SCORES",OUTPUT,INTERNAL,RELATIVE,FIXED 20
110 FOR I=1 TO 3 :: PRINT #1:I*1.5,"N"&STR$(I) :: NEXT I
120 OPEN #7:"DSK1.LOG",VARIABLE 20
130 PRINT #7:"A","LONG LONG LONG LONG LONGER LINE";1.5;TAB(3);"B";
140 PRINT #7:"C" :: PRINT #7,USING "##.#":2.25,3
150 CLOSE #1
160 PRINT #7:"PENDING";
170 RESTORE #7 :: LINPUT #7:A$ :: INPUT #7:B$ :: PRINT A$;B$;EOF(7);REC(7)
180 OPEN #1:"DSK1.SCORES",INTERNAL,RELATIVE
190 INPUT #1,REC 1:A,A$ :: PRINT A;A$;REC(1);EOF(1)
200 INPUT #1,REC 0:X(2), :: LINPUT #7:B$ :: INPUT #1:A$ :: PRINT X(2);A$;B$
210 PRINT #1,REC 2:99,"X" :: DELETE "DSK1.GONE"
220 IF EOF(7)=0 THEN LINPUT #7:A$ :: PRINT A$ :: GOTO 220
230 INPUT #1,REC 1:A,A$ :: PRINT A;A$
"""
LINES = """\
100 OPEN #2:"DSK1.IN",INPUT
110 INPUT #2:A$,B,C$(2), :: PRINT A$;B;C$(2)
120 INPUT #2:A,B :: PRINT A;B
130 INPUT #2:A$
140 INPUT #2:A$
"""
ERRORS = """\
100 ON ERROR 200
110 OPEN #1:"DSK1.NONE",INPUT
120 OPEN #2:"NODEV.X",OUTPUT
130 PRINT #3:1
140 OPEN #3:"DSK1.A",OUTPUT :: PRINT #3:"A"
150 N=3 :: INPUT #N:A$
160 CLOSE #3 :: OPEN #3:"DSK1.A",INPUT,FIXED :: STOP
200 CALL ERR(A,B,C,D) :: PRINT A;B;C;D :: ON ERROR 200 :: RETURN NEXT
"""
AFTER_WRONG_SYNTAX = """\
100 ON ERROR 200::PRINT ."B"::OPEN #1:"DSK1.X"::PRINT #1:1::RESTORE #1::INPUT #1:A::PRINT A
110 END
200 RETURN NEXT
"""


def drives_with_files() -> dict[str, DiskImage]:
    image = DiskImage.new(name="TEST")
    rows = (b'" ""A"" , B" , 2.5,THREE', b"4,5,6", b"7,EIGHT")
    image.add(DiskFile("IN", FileType.DIS_VAR, 80, records=rows))
    cells = tuple(bytes((8, 0x40, n, *bytes(6), 2, 65, n)) for n in range(48, 52))
    image.add(DiskFile("FIX", FileType.INT_FIX, 20, records=cells))
    return {"DSK1": image}


def disk_bytes(drives: Mapping[str, DiskImage]) -> bytes:
    return drives["DSK1"].to_bytes()


@pytest.mark.parametrize("listing", [SCORES, LINES, ERRORS, AFTER_WRONG_SYNTAX])
def test_files_as_in_extended_basic(listing: str) -> None:
    drives = drives_with_files()
    expected, disk = in_basic(listing, (), drives), disk_bytes(drives)
    for words in WORDS_AND_CELLS:
        drives = drives_with_files()
        assert Left.of(as_cartridge(listing, words, (), drives)) == expected, words
        assert disk_bytes(drives) == disk, words


@pytest.mark.parametrize("seed", FEW)
def test_random_files(seed: int) -> None:
    check_files(seed)


@pytest.mark.slow
def test_many_random_files(seed: int) -> None:
    for own in piece(seed):
        check_files(own)


def check_files(seed: int) -> None:
    """Hold a random program against Extended BASIC, with words or with cells, by turns."""
    listing, drives, copies = FileMaker(seed).program(), drives_with_files(), drives_with_files()
    expected = in_basic(listing, (), drives)
    assert Left.of(as_cartridge(listing, seed % 2 == 0, (), copies)) == expected, listing
    assert disk_bytes(copies) == disk_bytes(drives), listing


def test_a_key_after_an_error_closes_the_files() -> None:
    drives = drives_with_files()
    console = as_cartridge(
        '100 OPEN #1:"DSK1.X"\n110 PRINT #1:"A";\n120 A=SQR(-1)\n', True, (), drives
    )
    assert "* BAD ARGUMENT IN 120" in full_rows(console)
    assert not drives["DSK1"].read("X").records
    console.press("A")
    console.wait(30)
    assert drives["DSK1"].read("X").records == (b"A",)


def test_texts_and_files_share_video_memory() -> None:
    listing = """\
100 DIM A$(60)
110 OPEN #1:"DSK1.IN",INPUT :: OPEN #2:"DSK1.OUT",OUTPUT
120 FOR I=1 TO 60 :: A$(I)=RPT$("X",180) :: A$(I)=RPT$("Y",200-I) :: NEXT I
130 CLOSE #1 :: PRINT #2:"Z"; :: OPEN #1:"DSK1.IN",INPUT
140 FOR I=1 TO 60 :: IF LEN(A$(I))<>200-I THEN PRINT I
150 NEXT I :: PRINT #2:A$(60) :: LINPUT #1:B$ :: PRINT B$
"""
    drives = drives_with_files()
    assert '" ""A"" , B" , 2.5,THREE' in full_rows(as_cartridge(listing, True, (), drives))
    assert drives["DSK1"].read("OUT").records == (b"Z", b"Y" * 80, b"Y" * 60)


PRINTS = """\
100 OPEN #1:"PIO.LF" :: PRINT #1:"HELLO";1.5,TAB(50);"END" :: PRINT #1
110 OPEN #2:"RS232.BA=9600",UPDATE,INTERNAL,VARIABLE 30 :: INPUT #2:A$ :: PRINT #2:A$,2
120 PRINT A$;EOF(2) :: CLOSE #1 :: RESTORE #2
"""


def test_ports_as_in_extended_basic() -> None:
    made = [{"PIO": Port(), "RS232": Port(b"\x03\x02HI")} for _ in range(2)]
    basic = Console(connected=made[0])
    basic.load(Program.from_listing(PRINTS))
    basic.run()
    console = CartridgeConsole(
        compile_program(Program.from_listing(PRINTS)).cartridge, connected=made[1]
    )
    console.choose()
    console.resume(60)
    assert "* I/O ERROR 43 IN 120" in full_rows(basic)
    assert Left.of(console) == Left.of(basic)
    for name, port in made[0].items():
        assert port.output, "something was sent"
        assert made[1][name].output == port.output, name


def test_a_line_takes_a_third_of_the_time_of_extended_basic() -> None:
    def seconds(lines: int, compiled: bool) -> float:
        listing = f"""\
100 OPEN #1:"DSK1.X",OUTPUT,DISPLAY,VARIABLE 80
110 A$="TURN 12 WITH A LINE OF TEXT" :: FOR I=1 TO {lines} :: PRINT #1:A$ :: NEXT I
"""
        program = Program.from_listing(listing)
        if compiled:
            console: Console | CartridgeConsole
            console = CartridgeConsole(
                compile_program(program).cartridge, disks=drives_with_files()
            )
            console.choose()
            console.resume(60)
        else:
            console = Console(disks=drives_with_files())
            console.load(program)
            console.run()
        return console.clock.seconds

    basic, ours = (seconds(21, way) - seconds(1, way) for way in (False, True))
    assert 0 < ours <= 20 * 0.03
    assert basic >= 3 * ours


def test_without_a_port_there_is_no_such_device() -> None:
    console = as_cartridge('100 OPEN #1:"PIO"\n')
    assert "* I/O ERROR 00 IN 100" in full_rows(console)


@pytest.mark.parametrize("line", ['OPEN #1:"CS1"', 'OPEN #1:"CS2.X",INPUT', 'DELETE "CS1"'])
def test_cassettes_are_refused(line: str) -> None:
    with pytest.raises(SourceError, match=r"line 100 .* cassette recorder"):
        compile_program(Program.from_listing(f"100 {line}\n"))


def test_a_file_that_fails_ends_the_run_with_its_error() -> None:
    console = as_cartridge('100 PRINT "A"\n110 OPEN #1:"DSK1.NONE",INPUT\n')
    assert str(console.error) == "I/O ERROR 02 IN 110"
    assert console.resume() == "error"
