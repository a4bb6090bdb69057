"""Compiled programs leave what Extended BASIC leaves: screen, patterns, colours, sprites."""

from typing import Any

import pytest

from tests.compiler.bothforms import AFTER, WORDS_AND_CELLS, as_cartridge, check, full_rows
from ti99tools.compiler.banking import Rooms
from ti99tools.compiler.compiling import ALL_SHORT, compile_program
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.session import Console
from ti99tools.hardware.machine.cpu_memory import HOOK
from ti99tools.language.program.program import Program

pytestmark = pytest.mark.long

PROGRAMS = {
    "numbers": """\
100 PRINT 1;-2;3.5;1E10;.001;1/3,"X";TAB(20);"Y"
110 A=32767::A=A+1::PRINT A;A-1;A*2;-A-A
120 B=7/2::PRINT B;INT(B);INT(-B);ABS(-B);SGN(-B);SGN(0);MAX(3,B);MIN(B,2.5)
130 PRINT SQR(2);EXP(1);LOG(10);SIN(1);COS(1);TAN(1);ATN(1);PI;2^.5;(-2)^3
140 PRINT 5>3;5<3;(5>3)*4;NOT 5;5 AND 3;5 OR 3;5 XOR 3
150 PRINT 1.234567*3;12.34*-.56;9999*9999;1E60*1E60;.01*.01;99.99*99.99;-7-2*INT(-7/2)
160 PRINT 1E127*10;-1/0
170 PRINT SQR(-1)
""",
    "functions of the program": """\
100 DEF F(X)=X*X+1
110 DEF G(Y)=F(Y)-Y
120 DEF H=A*2
130 DIM T(5)::T(2)=1.5::A=3
140 PRINT F(2)+F(3);F(F(2))+F(F(3))-F(1);F(A)+F(A+1)*G(A)
150 PRINT G(G(2))+G(3);F(T(2))+F(H);F(1/3)*F(SQR(2));H
160 FOR I=F(1)TO F(2)::PRINT F(I)-G(I);::NEXT I
170 IF F(A)>F(A-1)AND G(2)=F(2)-2 THEN PRINT "YES"
""",
    "seeds": """\
100 DATA 0,5,-1,1234567,-56.5,.001,-.3,-4E10,99
110 FOR I=1 TO 9::READ A::RANDOMIZE A::PRINT RND;RND::NEXT I
120 RANDOMIZE -42::PRINT RND;RND::RANDOMIZE -60::PRINT RND;RND
130 RANDOMIZE -7712345.678::PRINT RND;RND::RANDOMIZE 77.5::PRINT RND;RND
""",
    "conditions of two parts": """\
100 FOR I=1 TO 4::FOR J=1 TO 3
110 IF I>1 AND J<3 THEN PRINT "A";
120 IF I=4 OR J=2 THEN PRINT "B"; ELSE PRINT "C";
130 IF (I=1 OR I=3)AND NOT(J=2)THEN 150
140 PRINT "D";
150 IF I<2 OR(J>1 AND I+J>5)THEN PRINT I;J
160 X=(I>2)AND(J>1)::PRINT X
170 NEXT J::NEXT I
""",
    "the lowest word": """\
100 DIM P(5)
110 FOR I=1 TO 2::D=I*5-3::IF I<=D--32768 THEN PRINT D--32768;D+-32768
120 P(2)=.5::X=D-32766::PRINT P(X--32768);X--32768
130 NEXT I
""",
    "loops": """\
100 FOR X=.5 TO 2 STEP .5::PRINT X;::NEXT X::PRINT X
110 FOR I=10 TO 1 STEP -3::PRINT I;::NEXT I::PRINT I
120 FOR I=5 TO 1::PRINT "NO"::NEXT I::PRINT I
130 S=2::FOR I=1 TO 7 STEP S::PRINT I;::S=5::NEXT I::PRINT I;S
140 L=3::FOR I=1 TO L::L=9::PRINT I;::NEXT I::PRINT I
150 FOR I=1 TO 3::FOR J=I TO 3::IF J=2 THEN 170
160 PRINT I*10+J;
170 NEXT J::NEXT I
180 FOR I=1 TO 9::IF I=4 THEN 200
190 NEXT I
200 PRINT I::FOR I=1 TO 10 STEP S-5
210 NEXT I
""",
    "control": """\
100 GOSUB 300::GOSUB 300::ON 2 GOTO 110,120
110 PRINT "NO"
120 ON 1 GOSUB 300,110::IF N>2 AND N<4 THEN PRINT "BETWEEN" ELSE PRINT "OUT"
130 N=0::IF N THEN 110 ELSE IF N=0 THEN PRINT "ZERO"
140 READ P,Q,A(1)::PRINT P;Q;A(1)::RESTORE 160::READ P::PRINT P
150 DATA 5,-6.25
160 DATA 7
170 DEF D(X)=X*2+K
180 K=7::PRINT D(3);D(K+1)
190 RETURN
300 N=N+1::PRINT "SUB";N::RETURN
""",
    "subs": """\
100 DIM T(5)::N=5::T(2)=3::CALL ADD(N,T(2))::PRINT N;T(2)
110 CALL FILL(T(),4)::PRINT T(0);T(4)::CALL ADD(N,(N))::PRINT N
120 CALL OUTER(2)
200 SUB ADD(A,B)::C=C+1::A=A+B+C::IF A<20 THEN CALL TWICE(A)
210 B=0::SUBEND
220 SUB TWICE(C)::C=C*2::SUBEXIT
230 SUBEND
240 SUB FILL(X(),N)::FOR I=0 TO N::X(I)=I*I::NEXT I::SUBEND
250 SUB OUTER(X)::CALL INNER(X)::SUBEND
260 SUB INNER(Y)::DIM Q(3)::Q(Y+3)=1::SUBEND
""",
    "texts": """\
100 PRINT "ABC"&STR$(5)&CHR$(65);SEG$("HELLO",2,3);RPT$("AB",3);LEN("XYZ"&STR$(1.5))
110 PRINT POS("HELLO","L",1);POS("HELLO","L",5);ASC("A");VAL("12.5");"A"<"B";"B"<"A";"A"="A"
120 FOR I=1 TO 3::PRINT SEG$("ONETWOTRI",I*3-2,3);RPT$(CHR$(64+I),I),STR$(I/2)::NEXT I
130 PRINT "LONG TEXT THAT DOES NOT FIT INTO A ROW, SO THAT IT GOES ON":"A","B";TAB(5);"C"
140 DISPLAY AT(5,5):"HELLO";5;"X"::DISPLAY AT(7,10)SIZE(6):STR$(123)::DISPLAY AT(8,25):"ABCDEFG"
150 DISPLAY AT(3,20)SIZE(4):"LONGER"::DISPLAY AT(25,30):1.5
160 PRINT LEN(RPT$("ABC",100))
170 PRINT VAL("X")
""",
    "a text one too long": """\
100 PRINT LEN(RPT$("A",255)&"B")
""",
    "screen": """\
100 CALL CLEAR::CALL HCHAR(3,4,65,10)::CALL VCHAR(20,4,66,9)::CALL HCHAR(24,30,42,9)
110 CALL GCHAR(3,5,G)::PRINT G::CALL CHAR(96,"FF818181818181FF",97,"0F")
120 CALL COLOR(9,5,7,1,2,16)::CALL SCREEN(4)::CALL MAGNIFY(3)::CALL CHARSET
130 CALL SPRITE(#1,65,5,50,60,#2,66,7,100,120)::CALL POSITION(#1,R,C)::PRINT R;C
140 CALL LOCATE(#2,55,64)::CALL COINC(#1,#2,8,H)::CALL COINC(#1,50,60,0,I)::PRINT H;I
150 CALL DISTANCE(#1,#2,D)::CALL DISTANCE(#1,250,200,E)::PRINT D;E
160 CALL PATTERN(#1,70)::CALL COLOR(#1,9)::CALL DELSPRITE(#2)::CALL POSITION(#2,R,C)::PRINT R;C
170 CALL KEY(0,K,S)::PRINT K;S::CALL JOYST(1,X,Y)::PRINT X;Y
""",
    "cells of memory": """\
100 CALL INIT::CALL SPRITE(#3,65,5,50,60,3,0)::CALL PEEK(-31878,A)::PRINT A
110 CALL LOAD(-31806,64)::CALL PEEK(-31806,B)::PRINT B::CALL LOAD(-31806,0,"",-31878,256)
120 CALL PEEK(-31878,A)::PRINT A::CALL DELSPRITE(ALL)::X=-31806::CALL PEEK(X,D)::PRINT D
130 DIM T(3)::CALL PEEK(-31804,T(1),T(2))::PRINT T(1);T(2)::CALL LOAD(-31804,0,0)
140 CALL PEEK(40000,B)
""",
    "no INIT": """\
100 CALL LOAD(-31806,16)
""",
    "random": """\
100 FOR I=1 TO 5::PRINT RND;INT(RND*6)+1;INT(RND*1000)::NEXT I
110 RANDOMIZE 42::PRINT RND;INT(RND*100)
120 RANDOMIZE .5::PRINT RND::RANDOMIZE 1E9::PRINT RND
""",
    "arrays": """\
100 OPTION BASE 1::DIM A(5,3),B(20)
110 FOR I=1 TO 5::FOR J=1 TO 3::A(I,J)=I*J+.5::B(I+J)=I*10+J::NEXT J::NEXT I
120 PRINT A(5,3);A(2.4,1);B(8);B(3)::B(2)=A(1,1)::B(3)=B(2)+1::PRINT B(2);B(3)
130 PRINT A(0,1)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_as_in_basic(name: str) -> None:
    check(PROGRAMS[name])


def test_the_sprites_of_a_running_program_move() -> None:
    source = """\
100 CALL SPRITE(#1,65,2,50,60,0,16)
110 FOR D=1 TO 300::NEXT D
120 CALL POSITION(#1,R,C)::IF C>80 THEN PRINT "MOVED"
"""
    assert "MOVED" in full_rows(as_cartridge(source))


def test_a_delay_keeps_its_length() -> None:
    short, long = (as_cartridge(f"100 FOR D=1 TO {n}::NEXT D\n110 PRINT D\n") for n in (1, 501))
    seconds = long.clock.seconds - short.clock.seconds
    assert 1.6 < seconds < 1.9, "500 rounds take 1.74 s in Extended BASIC"
    assert "502" in full_rows(long)


def test_a_delay_of_a_variable_keeps_its_length() -> None:
    console = as_cartridge("90 N=500\n100 FOR D=N TO 1 STEP -1::NEXT D\n110 PRINT D\n", words=False)
    assert 2.7 < console.clock.seconds < 3.7
    assert "0" in full_rows(console)


@pytest.mark.parametrize(
    ("loop", "seconds", "short"),
    [("D=1 TO {n} STEP .5", 1.48, 0), ("D=1 TO A({n})", 1.40, ALL_SHORT)],
)
def test_a_delay_is_not_longer_for_what_its_rounds_take(
    loop: str, seconds: float, short: int
) -> None:
    """As many rounds take so many seconds in Extended BASIC."""
    listing = "90 DIM A(401)::A(1)=1::A(401)=401\n100 FOR {}::NEXT D\n110 PRINT D\n"
    loops = (loop.format(n=n) for n in ((1, 200) if not short else (1, 401)))
    quick, slow = (as_cartridge(listing.format(each), short=short) for each in loops)
    assert 0.7 * seconds < slow.clock.seconds - quick.clock.seconds < seconds + 0.1


def test_sounds_send_the_bytes_of_basic() -> None:
    console = as_cartridge("100 CALL SOUND(100,440,2,-3,5)::CALL SOUND(100,880,0,220,10)\n")
    written = console.machine.sound.written.hex()
    assert written == "8e0fa000c00091bfdfe2f29fbfdfff" + "8f07ac1fc00090b5dfffff" + "9fbfdfff"


def test_fractions_of_a_frequency_count_and_high_ones() -> None:
    listing = (
        "100 CALL SOUND(-50,261.63,2)::F=440::FOR I=1 TO 3::F=F*1.06::CALL SOUND(-9,F,0,-F/466,9)"
        "::CALL SOUND(-50,F*80,3)"
    )
    basic = Console()
    basic.load(Program.from_listing(f"{listing}::NEXT I\n"))
    basic.run()
    basic.wait(AFTER)
    # Time decides on whether a sound is switched off before the next begins.
    off = bytes.fromhex("9fbfdfff")
    for words in WORDS_AND_CELLS:
        written = as_cartridge(f"{listing}::NEXT I\n", words).machine.sound.written
        assert written.replace(off, b"") == basic.machine.sound.written.replace(off, b"")


def test_a_program_waits_for_a_key_and_tells_its_line() -> None:
    key = "CALL KEY(0,K,S)::IF S"
    source = (
        f'100 CALL MAGNIFY(4)::PRINT "GO"\n110 {key}=0 THEN 110\n120 PRINT K\n130 {key} THEN 130\n'
    )
    console = CartridgeConsole(compile_program(Program.from_listing(source)).cartridge)
    console.choose()
    assert console.waiting_line == 0
    assert console.run_until("GO", seconds=5)
    console.wait(10)
    assert console.waiting_line == 110
    console.machine.keyboard.key_down("A")
    assert console.run_until("65", seconds=5)
    assert console.machine.vdp.registers[1] == 0xE3, "the size of sprites is as it was"
    console.machine.keyboard.key_up("A")
    assert console.run_until(ready=True, seconds=5)
    assert console.waiting_line == 0
    assert "65" in full_rows(console)


def test_clear_stops_a_program_where_it_is() -> None:
    source = '100 PRINT "GO"\n110 GOTO 110\n'
    console = CartridgeConsole(compile_program(Program.from_listing(source)).cartridge)
    console.choose()
    assert console.run_until("GO", seconds=5)
    console.wait(5)
    console.machine.keyboard.key_down("CLEAR")
    assert console.run_until(ready=True, seconds=5)
    assert "* BREAKPOINT IN 110" in full_rows(console)


@pytest.mark.parametrize(
    "line", ["IF X<.7 THEN 110", "X=SGN(Y)::GOTO 110", 'IF STR$(X)<>"B" THEN 110']
)
def test_clear_stops_a_loop_whose_condition_the_runtime_calculates(line: str) -> None:
    """Its status comes back from code that keeps interrupts out."""
    listing = f"100 X=.5::Y=.25\n110 X=ABS(X-.01)\n120 {line}\n130 PRINT X\n"
    console = CartridgeConsole(compile_program(Program.from_listing(listing)).cartridge)
    console.choose()
    console.wait(90)
    console.machine.keyboard.key_down("CLEAR")
    assert console.run_until(ready=True, seconds=5)
    assert "* BREAKPOINT IN 1" in "\n".join(full_rows(console))


@pytest.mark.parametrize("short", [0, ALL_SHORT])
def test_clear_within_a_def_names_the_line_that_uses_it(short: int) -> None:
    """Extended BASIC looks for it between statements."""
    listing = "100 DEF F(X)=X*2-Y+SIN(X)\n110 Z=F(F(Z)/9)::GOTO 110\n"
    program = compile_program(Program.from_listing(listing), short=short)
    console = CartridgeConsole(program.cartridge)
    console.choose()
    console.wait(30)
    console.machine.keyboard.key_down("CLEAR")
    assert console.run_until(ready=True, seconds=5)
    assert "* BREAKPOINT IN 110" in full_rows(console)


@pytest.mark.parametrize("form", [{}, {"short": ALL_SHORT}, {"rooms": Rooms(0, 60)}])
@pytest.mark.parametrize("target", [100, 120])
def test_clear_that_is_down_at_run_stops_before_the_first_statement(
    form: dict[str, Any], target: int
) -> None:
    """RUN ends ON BREAK NEXT."""
    listing = (
        "100 PRINT 1::ON BREAK NEXT\n110 FOR I=1 TO 90::NEXT I::RUN {}\n120 PRINT 2::GOTO 120\n"
    )
    program = compile_program(Program.from_listing(listing.format(target)), **form)
    console = CartridgeConsole(program.cartridge)
    console.choose()
    console.wait(12)
    console.machine.keyboard.key_down("CLEAR")
    assert console.run_until(ready=True, seconds=5)
    assert full_rows(console)[-3:-1] == ["1", f"* BREAKPOINT IN {target}"]


def test_clear_that_call_key_finds_stops_the_loop() -> None:
    """A loop that waits for a key does not end first, though no interrupt has found CLEAR yet."""
    source = '100 PRINT "GO"\n120 CALL KEY(0,K,S)::IF S=0 THEN 120\n130 GOTO 130\n'
    console = CartridgeConsole(compile_program(Program.from_listing(source)).cartridge)
    console.choose()
    assert console.run_until("GO", seconds=5)
    console.machine.memory.poke(HOOK, 0)
    console.machine.memory.poke(HOOK + 1, 0)
    console.machine.keyboard.key_down("CLEAR")
    assert console.run_until(ready=True, seconds=5)
    assert "* BREAKPOINT IN 120" in full_rows(console)


def test_a_key_after_the_end_leads_to_the_title_screen() -> None:
    console = CartridgeConsole(compile_program(Program.from_listing("100 END\n")).cartridge)
    console.choose()
    console.machine.keyboard.key_down("A")
    console.wait(60)
    assert not console.ended, "a key that is still down does not count"
    console.machine.keyboard.key_up("A")
    console.wait(5)
    console.machine.keyboard.key_down("B")
    console.wait(5)
    assert console.ended
