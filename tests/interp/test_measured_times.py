"""Times of statements as measured from the original ROMs, in loops of our own.

The measured figures have a round of the loop in them: FOR and NEXT, 4 milliseconds.
"""

from __future__ import annotations

import pytest

from tests.interp.programs import console
from ti99tools.base.cycles import console as cc
from ti99tools.hardware.machine.clock import CPU_HZ
from ti99tools.media.disk.image import DiskImage

ROUNDS = 20
LOOP = 4.0
WRITTEN = (
    '20 OPEN #1:"DSK1.F",OUTPUT :: FOR J=1 TO 60 :: PRINT #1:"12345678" :: NEXT J :: CLOSE #1\n'
    '30 OPEN #1:"DSK1.F",INPUT'
)
SPRITES = "20 CALL SPRITE(#1,65,2,1,1,#2,65,2,30,30,#3,65,2,50,50,#4,65,2,70,70)"


def milliseconds(statement: str, before: str = "20 !", after: str = "900 !") -> float:
    """What a statement takes; lines before and after the loop are the same without it."""
    return (time_of(statement, before, after) - time_of("!", before, after)) / ROUNDS


def time_of(statement: str, before: str, after: str) -> float:
    """Machine time of a program from RUN to its end."""
    loop = f"510 FOR I=1 TO {ROUNDS}\n520 {statement}\n530 NEXT I\n540 END"
    computer = console(f"{before}\n{loop}\n{after}\n", disks={"DSK1": DiskImage.new()})
    computer.start()
    started = computer.clock.cycles
    assert computer.run() == "ready"
    return (computer.clock.cycles - started) / CPU_HZ * 1000


def lines(count: int) -> str:
    """So many lines, with the three of the loop."""
    return "\n".join(f"{10 + i} !" for i in range(count - 4))


@pytest.mark.parametrize("before", [8, 20, 40])
def test_on_error(before: int) -> None:
    found = milliseconds("ON ERROR 900", lines(before), "900 STOP")
    assert found == pytest.approx(9.6 + 4.362 * before, rel=0.02)


@pytest.mark.parametrize("before", [8, 20, 40])
def test_restore(before: int) -> None:
    found = milliseconds("RESTORE 900", lines(before), "900 DATA 1")
    assert found == pytest.approx(10.3 + 4.362 * before, rel=0.03)


def test_data_are_looked_for_line_by_line() -> None:
    """RESTORE looked through 200 lines for 4.66 million cycles, READ through 140 for 3.2."""
    far = "\n".join(f"{600 + i} !" for i in range(200)) + "\n900 DATA 1,2"
    each = CPU_HZ / 1000 / 200
    near = milliseconds("RESTORE", after="600 DATA 1,2")
    assert (milliseconds("RESTORE", after=far) - near) * each == pytest.approx(23_350, rel=0.01)
    items = milliseconds("READ A", "20 DATA " + ",".join("1" * 60), far)
    behind = "\n".join(f"{20 + 4 * i} DATA 1\n{22 + 4 * i} !" for i in range(ROUNDS + 1))
    more = milliseconds("READ A", behind, far) - items
    assert more * CPU_HZ / 1000 == pytest.approx(2 * 23_350, rel=0.01)


@pytest.mark.parametrize(
    ("statement", "before", "measured"),
    [
        ("ON ERROR STOP", "20 !", 4.2),
        ("LINPUT #1:A$", WRITTEN, 70),
        ("INPUT #1:A$", WRITTEN, 124),
        ("E=EOF(1)", WRITTEN, 52),
        ("PRINT #1:A$", '20 OPEN #1:"DSK1.F",OUTPUT\n30 A$="12345678"', 82),
        ("PRINT #1:A$", '20 OPEN #1:"DSK1.F",OUTPUT\n30 A$=RPT$("12345678",5)', 101),
        ('OPEN #1:"DSK1.F",OUTPUT :: CLOSE #1', "20 !", 239),
        ('OPEN #1:"DSK1.F",INPUT :: CLOSE #1', WRITTEN + " :: CLOSE #1", 141),
        ("CALL MOTION(#1,1,1,#2,1,1,#3,1,1,#4,1,1)", SPRITES, 83),
    ],
)
def test_statement(statement: str, before: str, measured: float) -> None:
    assert milliseconds(statement, before) == pytest.approx(measured, rel=0.07)


@pytest.mark.parametrize(("wanted", "each"), [("B", 2.8), ("AB", 4.2)])
def test_pos_for_each_character(wanted: str, each: float) -> None:
    short, long = (
        milliseconds(f'P=POS(A$,"{wanted}",1)', f'20 A$=RPT$("A",{length})') for length in (20, 60)
    )
    assert (long - short) / 40 == pytest.approx(each, rel=0.01)


@pytest.mark.parametrize(
    ("statement", "quicker", "more"),
    [
        ("A=2/3", "A=4/2", 1.0),
        ("A=4/2", "A=B/2", 1.0),
        ('A$=RPT$("-",B+20)', 'A$=RPT$("-",B+10)', 20.0),
        ('A$=RPT$("-",300)', 'A$=RPT$("-",B)', 500.0),
        ('A=VAL(RPT$("1",B+10))', 'A=VAL(RPT$("1",B+1))', 24.0),
        ('PRINT USING 900:"A";', 'PRINT USING "#":"A";', 20.0),
        ("A=3^27", "A=3^2", 15.0),
        ("A=3^.5", "A=(-1)^2", 150.0),
        ("A=SQR(2)", "A=SQR(B)", 40.0),
        ("A=EXP(-5)", "A=EXP(B)", 30.0),
        ("A=EXP(-5)", "A=EXP(-500)", 50.0),
        ("TRACE", "UNTRACE", 10.0),
    ],
)
def test_what_values_take(statement: str, quicker: str, more: float) -> None:
    off = "20 B=0 :: ON WARNING NEXT", "900 IMAGE #"
    assert milliseconds(statement, *off) > milliseconds(quicker, *off) + more


def test_a_message_looks_for_the_callers_of_functions() -> None:
    def to_the_prompt(first: int) -> int:
        """Cycles of a message that names a DEF's caller in a line after `first - 1` others."""
        filling = "\n".join(f"{10 + i} !" for i in range(first - 2))
        computer = console(f"5 DEF F=1/CHR$(1)\n{filling}\n{8 + first} PRINT F\n999 !")
        computer.start()
        started = computer.clock.cycles
        assert computer.run() == "error"
        return computer.clock.cycles - started

    assert to_the_prompt(40) - to_the_prompt(20) > 20 * 10_000


def error_takes(depth: int, handled: bool) -> int:
    """Cycles of a program that fails in so many subroutines."""
    handler = "5 ON ERROR 90" if handled else "5 !"
    deeper = f"20 N=N+1 :: IF N<{depth} THEN GOSUB 20"
    computer = console(f'{handler}\n10 GOSUB 20\n{deeper}\n30 A=VAL("X")\n90 END')
    computer.start()
    started = computer.clock.cycles
    assert computer.run() == ("ready" if handled else "error")
    return computer.clock.cycles - started


def test_each_frame_left_by_an_error_takes_its_time() -> None:
    by_frame = [(error_takes(90, h) - error_takes(10, h)) / 80 for h in (False, True)]
    assert by_frame[0] - by_frame[1] == pytest.approx(14_300 - 7_200, rel=0.05)


def test_a_loop_begun_again_takes_longer() -> None:
    listing = "10 FOR J=1 TO 2\n20 {}=1 TO 2\n30 END\n40 NEXT J\n50 NEXT {}"
    cycles = []
    for statement, variable in (("FOR J", "J"), ("FOR K", "K")):
        computer = console(listing.format(statement, variable))
        computer.start()
        started = computer.clock.cycles
        assert computer.run_until(ready=True, seconds=5)
        cycles.append(computer.computer.workspace.ready_at - started)
    assert cycles[0] - cycles[1] > 10_000


def test_a_long_image_takes_longer() -> None:
    short = milliseconds('DISPLAY AT(1,1):USING "##":1')
    long = milliseconds(f'DISPLAY AT(1,1):USING "##{"A" * 20}":1')
    assert long - short > 15


@pytest.mark.parametrize(
    ("figure", "line", "more"),
    [("FILE_ERROR_SOONER", '100 PRINT #3:"X"', -48_000), ("AFTER_ERROR", '100 A=VAL("X")', 49_500)],
)
def test_an_error_takes_its_own_time_to_the_prompt(
    monkeypatch: pytest.MonkeyPatch, figure: str, line: str, more: int
) -> None:
    cycles = []
    for value in (getattr(cc, figure), 0):
        monkeypatch.setattr(cc, figure, value)
        computer = console(line)
        assert computer.run() == "error"
        cycles.append(computer.clock.cycles)
    assert cycles[0] - cycles[1] == more


def test_a_caught_error_takes_its_time_wherever_the_handler_is() -> None:
    """91,170 cycles, the line before the handler that it was measured with among them."""
    for before in (8, 40):
        alone = milliseconds("ON ERROR 900", lines(before), "900 RETURN NEXT")
        both = milliseconds("ON ERROR 900::CALL SCREEN(99)", lines(before), "900 RETURN NEXT")
        assert (both - alone) * CPU_HZ / 1000 == pytest.approx(91_170 - 13_086, rel=0.03)


def test_print_takes_its_end_whether_or_not_a_row_ends() -> None:
    """Eighteen trailing semicolons came to 0.7 million cycles in a recorded program; a row is the
    difference of the recorded `PRINT "HELLO"` and `PRINT "X";`.
    """
    row = milliseconds("PRINT 5") - milliseconds("PRINT 5;")
    assert row * CPU_HZ / 1000 == pytest.approx(201_700 * (1 - 2 / ROUNDS) - 17_800, rel=0.01)
    assert milliseconds("PRINT ;") * CPU_HZ / 1000 == pytest.approx(40_000, rel=0.03)


@pytest.mark.parametrize(("read", "apart"), [("#1,R,C,#2,R,D", 1), ("#2,R,D,#1,R,C", 9)])
def test_one_sprite_moves_while_the_arguments_of_the_next_are_taken(read: str, apart: int) -> None:
    computer = console(
        f"100 CALL SPRITE(#1,65,2,50,1,0,64,#2,65,2,50,1,0,64)\n110 CALL POSITION({read})\n"
    )
    assert computer.run() == "ready"
    first, second = computer.variables["C"], computer.variables["D"]
    assert isinstance(first, int)
    assert isinstance(second, int)
    assert first - second >= apart
