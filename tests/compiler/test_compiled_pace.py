"""Loops that look for keys: they take the time of Extended BASIC, and lose no keys."""

import pytest

from ti99tools.compiler.basictime import BasicTimes
from ti99tools.compiler.compiling import Compiled, compile_program
from ti99tools.compiler.pace import MOST, Pace
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.profiling import profiling
from ti99tools.computer.console.session import Console
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.hardware.machine.vdp import SPRITES
from ti99tools.language.program.program import Program
from ti99tools.language.syntax.statements import every_statement

STEERED = """\
100 CALL CLEAR::CALL SPRITE(#1,42,2,96,9)::C=9
110 CALL JOYST(1,X,Y)
120 C=C+X/4::CALL LOCATE(#1,96,C)
130 GOTO 110
"""
WITH_KEYS = """\
100 CALL CLEAR::CALL SPRITE(#1,42,2,96,9,#2,42,3,9,9,3,4,#3,42,3,9,9,4,3)::C=9
110 CALL KEY(3,K,S)::IF S=0 THEN 110
120 FOR I=1 TO 5::A(I)=A(I)+C::NEXT I::FOR D=1 TO 9::NEXT D
130 GOSUB 200::CALL LOCATE(#1,96,C)::GOTO 110
200 IF K=68 THEN C=C+1 ELSE C=C-1
210 RETURN
"""
SECONDS = 5


def paced(listing: str, pace: Pace = Pace.BASIC) -> Compiled:
    return compile_program(Program.from_listing(listing), "TEST", pace=pace)


def started(listing: str, pace: Pace = Pace.BASIC) -> CartridgeConsole:
    console = CartridgeConsole(paced(listing, pace).cartridge)
    console.choose()
    console.wait(30)
    return console


def steer(console: Console | CartridgeConsole) -> None:
    """Hold the stick and the key to the right."""
    console.machine.keyboard.set_joystick(1, 4, 0)
    console.machine.keyboard.key_down("D")


def column(console: Console | CartridgeConsole) -> int:
    """The column of the first sprite."""
    console.machine.sync()
    return console.machine.vdp.ram[SPRITES + 1]


@pytest.mark.parametrize("listing", [STEERED, WITH_KEYS])
def test_a_sprite_is_steered_as_fast_as_in_extended_basic(listing: str) -> None:
    basic = Console(max_seconds=60)
    basic.load(Program.from_listing(listing))
    basic.run(1)
    compiled = started(listing)
    moved = []
    for console in (basic, compiled):
        before = column(console)
        steer(console)
        if isinstance(console, Console):
            console.resume(SECONDS)
        else:
            console.wait(60 * SECONDS)
        moved.append(column(console) - before)
    assert moved[0] > 20
    assert moved[1] == pytest.approx(moved[0], rel=0.04)


COUNTED = "100 CALL KEY(1,K,S)::N=N+1::CALL HCHAR(9,9,N/10)::GOTO 100\n"


def test_without_a_pace_it_is_quicker() -> None:
    counts = []
    for pace in (Pace.BASIC, Pace.NONE):
        console = started(COUNTED, pace)
        counts.append(console.machine.vdp.ram[8 * 32 + 8] - 96)
    assert counts[0] <= 1
    assert counts[1] > 5


TYPED = "100 CALL KEY(0,K,S)::T=T+1::IF S<1 THEN 100\n110 PRINT CHR$(K);::GOTO 100\n"


def test_no_key_is_lost() -> None:
    """Extended BASIC looks each 80 milliseconds; keys are down for two frames here."""
    console = started(TYPED)
    for key in "TEXAS INSTRUMENTS":
        console.machine.keyboard.key_down(key)
        console.wait(2)
        console.machine.keyboard.key_up(key)
        console.wait(2)
    assert "TEXAS INSTRUMENTS" in "".join(console.screen.rows)


TUNE = """\
100 FOR I=1 TO 12::CALL SOUND(100,440,2)::NEXT I
110 PRINT "TUNE!"
"""
SERIES = """\
100 CALL KEY(0,K,S)::X=TAN(N)::N=N+1::IF N<20 THEN 100
110 PRINT "DONE!"
"""


def frames_until(text: str, listing: str) -> tuple[float, float]:
    """Frames from the program's start to a text, in Extended BASIC and compiled."""
    basic = Console(max_seconds=60)
    basic.load(Program.from_listing(listing))
    basic.start()
    cartridge = CartridgeConsole(paced(listing).cartridge)
    cartridge.choose()
    taken = []
    for console in (basic, cartridge):
        before = console.clock.cycles
        assert console.run_until(text, seconds=30)
        taken.append((console.clock.cycles - before) / FRAME)
    return taken[0], taken[1]


def test_a_tune_has_the_tempo_of_extended_basic() -> None:
    basic, compiled = frames_until("TUNE!", TUNE)
    assert basic > 11 * 7
    assert compiled == pytest.approx(basic, abs=5), "a frame for each tone would be 11"


def test_a_loop_with_a_function_takes_its_time() -> None:
    """TAN takes more than two frames, and one of the interrupts is lost."""
    basic, compiled = frames_until("DONE!", SERIES)
    assert compiled == pytest.approx(basic, rel=0.07)


CALLED = """\
100 GOSUB 130::N=N+X
110 IF N<9 THEN 100
120 END
130 CALL JOYST(1,X,Y)
140 RETURN
"""
IN_A_SUB = """\
100 CALL GO(N)
110 GOTO 100
120 SUB GO(X)
130 CALL KEY(1,K,S)::X=X+S
140 SUBEND
"""


@pytest.mark.parametrize(
    ("listing", "lines"),
    [
        ("100 CALL KEY(0,K,S)::IF S=0 THEN 100\n110 PRINT K\n", []),
        ("100 CALL KEY(0,K,S)::IF S<1 OR K=32 THEN 100\n110 N=N+1::GOTO 100\n", []),
        ("100 CALL KEY(0,K,S)::IF S=1 THEN 110 ELSE 100\n110 N=N+1::GOTO 100\n", []),
        ("100 CALL KEY(0,K,S)::IF (S=1)*(K=32)THEN N=N+1\n110 GOTO 100\n", []),
        ("100 CALL KEY(0,K,S)::IF S=0 THEN 100\n110 N=N+1::GOTO 100\n", [100]),
        ("100 CALL KEY(0,K,S)::IF S<1 THEN S=0::GOTO 100\n110 N=N+1::GOTO 100\n", [100]),
        ("100 CALL KEY(0,K,S)\n110 N=N+1::IF S=1 THEN 130\n120 GOTO 100\n130 END\n", [100]),
        (CALLED, [130]),
        (IN_A_SUB, [130]),
        ("100 CALL KEY(0,K,S)\n110 N=N+S\n120 PRINT N\n", []),
    ],
)  # fmt: skip
def test_which_loops_have_a_pace(listing: str, lines: list[int]) -> None:
    result = paced(listing)
    assert [line for line, _ in result.code.paced] == lines
    same = result.linked.image == paced(listing, pace=Pace.NONE).linked.image
    assert same == (not lines)


MANY = """\
100 B=7::C=3::B$="TEXAS"::DIM D(9)::DEF F(X)=X*2
110 FOR I=1 TO 3::A=B+C::A=B/C::A=INT(B)::A=RND::A=SQR(B)::A=D(3)::A$=B$&"X"::A$=B$
120 A$=SEG$(B$,2,3)::IF A=B THEN 260 ELSE C=3
130 GOSUB 260::CALL S(A,B)::CALL KEY(0,K,S)::CALL JOYST(1,X,Y)::CALL HCHAR(5,1,65,32)
140 CALL GCHAR(5,5,A)::DISPLAY AT(5,3)SIZE(9):"ABCDEFG"::DISPLAY AT(7,1):A;B
150 CALL CHAR(128,"FF818181818181FF")::CALL SPRITE(#1,65,2,50,50,0,0)::CALL LOCATE(#1,50,60)
160 CALL MOTION(#1,5,5)::CALL POSITION(#1,R,C)::CALL COINC(ALL,A)::CALL COINC(#1,50,60,8,A)
170 CALL SOUND(-100,440,2,-3,5)::PRINT "HELLO";I::A=POS("ABCDE","C",1)::A$=STR$(I)
180 A=VAL("12")::A$=RPT$("AB",4)::CALL SCREEN(8)::CALL VCHAR(1,1,65,24)
190 NEXT I
200 END
260 RETURN
270 SUB S(X,Y)
280 SUBEND
"""


def test_times_are_those_of_the_interpreter() -> None:
    program = Program.from_listing(MANY)
    console = Console()
    console.load(program)
    with profiling(console) as profile:
        console.run()
    times = BasicTimes(program.analysis)
    main = program.analysis.scanned.scan.main
    for line, statements in program.analysis.parsed.items():
        for node in every_statement(statements):
            spot = (line, node.at)
            if 100 < line < 200 and profile.cycles[spot] > 10_000 * profile.runs[spot]:
                real = profile.cycles[spot] / profile.runs[spot]
                # Up to a search of a line, and what the first of a few rounds takes besides.
                assert times.statement(main, spot, node) == pytest.approx(real, rel=0.25, abs=2000)


def test_a_large_program_has_a_pace_for_its_shorter_rounds_only() -> None:
    lines = ["100 CALL KEY(0,K,S)::N=N+1::IF S=0 THEN 100", "110 ON K GOSUB 200"]
    lines += ["120 GOTO 100"]
    for number in range(200, 2200, 10):
        lines.append(f"{number} IF N={number} THEN K=K+1 ELSE N=N+2")
    listing = "\n".join([*lines, "2200 RETURN"])
    result, plain = paced(listing), paced(listing, pace=Pace.NONE)
    assert [line for line, _ in result.code.paced] == [100]
    grown = len(result.linked.image) - len(plain.linked.image)
    assert 100 < grown < 4 * MOST, "beside the runtime's part"
