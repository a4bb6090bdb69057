"""What disks take: the controller's work as recorded, and a drive that turns."""

from itertools import pairwise

import pytest

from ti99tools import Console, DiskImage, Program
from ti99tools.hardware.machine.clock import CPU_HZ
from ti99tools.hardware.machine.drives import Drives
from ti99tools.hardware.machine.dsrvolume import SETTLE, STEP, TURN, Mechanics
from ti99tools.hardware.machine.pab import Mode, OpenRequest
from ti99tools.media.disk.geometry import GEOMETRIES
from ti99tools.media.disk.tifile import DiskFile

EIGHT = '10 X$="12345678"\n'
OUTPUT = '20 OPEN #1:"DSK1.A",OUTPUT\n'
INPUT = (
    '20 OPEN #1:"DSK1.A",OUTPUT\n30 FOR J=1 TO 30 :: PRINT #1:X$ :: NEXT J\n'
    '40 CLOSE #1 :: OPEN #1:"DSK1.A",INPUT\n'
)


def milliseconds(before: str, body: str, rounds: int = 20) -> float:
    """What a statement takes in a loop, without the loop."""
    return _loop(before, body, rounds) - _loop(before, "REM", rounds)


def _loop(before: str, body: str, rounds: int) -> float:
    console = Console(disks={"DSK1": DiskImage.new("DSSD", "T")})
    listing = f'{EIGHT}{before}100 PRINT "BEGIN!"\n110 FOR I=1 TO {rounds}\n120 {body}\n'
    console.load(Program.from_listing(f'{listing}130 NEXT I\n140 PRINT "END!"\n'))
    console.start()
    assert console.run_until("BEGIN!")
    begin = console.clock.cycles
    assert console.run_until("END!")
    return 1000 * (console.clock.cycles - begin) / CPU_HZ / rounds


@pytest.mark.parametrize(
    ("before", "body", "real"),
    [
        ('20 OPEN #1:"DSK1.A",OUTPUT :: CLOSE #1\n', 'OPEN #1:"DSK1.A",OUTPUT :: CLOSE #1', 239),
        (INPUT + "50 CLOSE #1\n", 'OPEN #1:"DSK1.A",INPUT :: CLOSE #1', 141),
        (INPUT, "LINPUT #1:A$", 70),
        (INPUT, "INPUT #1:A", 124),
        (INPUT, "A=EOF(1)", 52),
        (OUTPUT, "PRINT #1:X$", 82),
        (OUTPUT.replace("OPEN", 'X$=RPT$("A",40) :: OPEN'), "PRINT #1:X$", 101),
    ],
)
def test_statements_take_what_they_took_on_the_real_machine(
    before: str, body: str, real: float
) -> None:
    assert milliseconds(before, body) == pytest.approx(real, rel=0.08)


STEPS = """
100 PRINT "T0"
110 OPEN #1:"DSK1.T",OUTPUT
120 PRINT "T1"
130 FOR I=1 TO 40
140 PRINT #1:"ABCDEFGHIJKLMNOPQRSTUVWXYZABC"
150 NEXT I
160 PRINT "T2"
170 CLOSE #1
180 PRINT "T3"
190 OPEN #1:"DSK1.T",INPUT
200 PRINT "T4"
210 FOR I=1 TO 40
220 LINPUT #1:A$
230 NEXT I
240 PRINT "T5"
250 CLOSE #1
260 PRINT "T6"
270 DELETE "DSK1.T"
280 PRINT "T7"
290 RUN "DSK1.NEXT"
"""


def with_data(lines: int) -> DiskFile:
    """A program of DATA lines after a line that switches the pre-scan off."""
    rows = ['100 PRINT "T8" !@P-', *(f"{110 + n} DATA {'X' * 65}" for n in range(lines))]
    saved = Program.from_listing("\n".join(rows) + "\n").saved()
    if isinstance(saved.content, bytes):
        return DiskFile.program("NEXT", saved.content)
    return DiskFile.internal_var("NEXT", saved.content)


def steps(following: DiskFile, real_drives: bool) -> list[float]:
    """Seconds from text to text."""
    image = DiskImage.new("SSSD", "T")
    image.add(DiskFile.program("LOAD", Program.from_listing(STEPS).to_program_bytes()))
    image.add(DiskFile.program("OTHER", bytes(4000)))
    image.add(following)
    console = Console(disks={"DSK1": image}, real_drives=real_drives)
    console.boot()
    times = []
    for number in range(9):
        assert console.run_until(f"T{number}")
        times.append(console.clock.seconds)
    return [after - before for before, after in pairwise(times)]


RECORDED = [0.40, 3.87, 0.20, 0.20, 3.20, 0.13, 0.33, 2.87]
TURNING = [1.98, 5.50, 1.45, 0.65, 3.87, 0.13, 1.93, 5.68]


@pytest.mark.parametrize(("real_drives", "real"), [(False, RECORDED), (True, TURNING)])
def test_the_steps_of_a_program_with_a_file(real_drives: bool, real: list[float]) -> None:
    assert steps(with_data(103), real_drives) == pytest.approx(real, rel=0.1, abs=0.3)


@pytest.mark.parametrize(("real_drives", "seconds"), [(False, 9.21), (True, 19.23)])
def test_the_long_form_is_read_record_by_record(real_drives: bool, seconds: float) -> None:
    assert steps(with_data(203), real_drives)[7] == pytest.approx(seconds, rel=0.06)


def test_a_text_stops_the_program_on_the_line_that_shows_it() -> None:
    """So that `run_until` can tell short steps apart."""
    console = Console()
    console.load(Program.from_listing('100 PRINT "A"\n110 N=1\n120 PRINT "B"\n130 N=2\n'))
    console.start()
    assert console.run_until("A")
    assert "B" not in console.screen.text
    assert console.run_until("B")
    assert console.variables["N"] == 1
    assert console.run() == "ready"


def test_a_sector_waits_for_steps_and_turns() -> None:
    mechanics = Mechanics(GEOMETRIES["SSSD"])
    span = TURN // 9
    assert mechanics.access(0, 0) == span
    assert mechanics.access(1, span) == 4 * span, "every fourth place holds the next sector"
    assert mechanics.access(0, span) == TURN
    away = mechanics.access(9 * 10, 0)
    assert 10 * STEP + SETTLE < away <= 10 * STEP + SETTLE + TURN + span
    for geometry in GEOMETRIES.values():
        drive = Mechanics(geometry)
        assert all(0 < drive.access(n, n) <= 80 * STEP + SETTLE + TURN * 2 for n in range(400))


def test_drives_without_a_clock_of_their_machine_answer_at_once() -> None:
    drives = Drives({"DSK1": DiskImage.new()})
    drives.open("DSK1.A", OpenRequest(Mode.OUTPUT)).close()
    at_once = drives.clock.cycles
    drives = Drives({"DSK1": DiskImage.new()}, turning=True)
    drives.open("DSK1.A", OpenRequest(Mode.OUTPUT)).close()
    assert 0 < at_once < CPU_HZ < drives.clock.cycles
