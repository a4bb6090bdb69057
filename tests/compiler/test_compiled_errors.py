"""Errors in compiled programs: ON ERROR and RETURN, ON WARNING, BREAK, and what always fails."""

from typing import Any

import pytest

from tests.compiler.bothforms import can_be_held, check
from tests.compiler.randomerrors import maker
from tests.compiler.randomprograms import piece
from ti99tools.compiler.banking import Rooms
from ti99tools.compiler.compiling import ALL_SHORT, compile_program
from ti99tools.compiler.pace import Pace
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.language.program.program import Program

pytestmark = pytest.mark.long

PROGRAMS = {
    "RETURN tries the statement again": """\
100 ON ERROR 200
110 PRINT 1;SQR(A-2);3
120 READ A,B,C::PRINT A;B;C::END
130 DATA 1,2
200 CALL ERR(P,Q,R,S)::PRINT P;Q;R;S;A;B::A=6::RESTORE
210 N=N+1::IF N<3 THEN ON ERROR 200
220 RETURN
""",
    "RETURN NEXT goes on within a line": """\
100 ON ERROR 200
110 IF SQR(-1)THEN A=1::B=2 ELSE A=3::B=4
120 PRINT A;B::IF A=0 THEN A=SQR(-2)ELSE PRINT 1::PRINT 2
130 FOR I=1 TO SQR(-1)::PRINT "IN"::NEXT I::PRINT I
140 FOR I=1 TO 2::PRINT LOG(1-I);I::NEXT I
150 END
200 CALL ERR(P,B)::PRINT P;B::ON ERROR 200::RETURN NEXT
""",
    "loops after a GOTO that fails": """\
100 ON ERROR 200
110 FOR I=1 TO 3::GOTO 7::A=B::NEXT I
120 GOTO 9::FOR I=1 TO 2::PRINT I::NEXT I::PRINT "END";I::END
200 ON ERROR 200::PRINT "E";I::RETURN NEXT
""",
    "NEXT of loops whose start is a string": """\
100 A$="X"::ON ERROR 200
110 FOR I="A" TO 3
120 PRINT I
130 NEXT I
140 J=1::FOR J=A$ TO 6 STEP 2::PRINT J::NEXT J
150 END
200 ON ERROR 210::RETURN 130
210 RETURN NEXT
""",
    "a loop that is not entered, with a GOTO that fails, where no RETURN NEXT is": """\
100 ON ERROR 200
110 FOR I=3 TO A::GOTO 7::A=5::NEXT I::PRINT "AFTER";I
120 A=A+3::IF A<4 THEN 110
130 END
200 PRINT "E";I::ON ERROR 200::RETURN 120
""",
    "ON ERROR only after wrong syntax in a line, and into a loop": """\
100 FOR I=2 TO 1::PRINT ."B"::NEXT I::ON ERROR 200
110 CALL S(A)::PRINT A
120 FOR I=1 TO 3
130 PRINT I
140 NEXT I::END
200 CALL ERR(A,B,C,D)::PRINT A;D::FOR I=2 TO 1::PRINT ."B"::NEXT I::ON ERROR 210::RETURN NEXT
210 RETURN 130
300 SUB S(A)::A=SQR(A-1)::A=SQR(A-4)::SUBEND
""",
    "RETURN with a line, and without an error": """\
100 ON ERROR 200
110 GOSUB 300::PRINT "AFTER"::END
120 PRINT "AT 120"::RETURN
200 CALL ERR(A,B,C,D)::PRINT A;D::ON ERROR 400::RETURN 120
300 A=LOG(0)
400 CALL ERR(A,B,C,D)::PRINT A;D::ON ERROR STOP::RETURN 7
""",
    "the handler knows the names of the SUB": """\
100 ON ERROR 200::Z=7
110 CALL S(3)::PRINT "BACK";Z::CALL T(1)
120 END
200 PRINT "H";X;Z::Z=Z+1::ON ERROR 200::RETURN NEXT
300 SUB S(X)
302 Z=Z+1::X=SQR(-X)::PRINT "IN S";X;Z::IF Z<5 THEN 302
304 SUBEND
310 SUB T(Y)::Y=LOG(0)::SUBEND
""",
    "an error in a handler takes the place of the first": """\
100 ON ERROR 200::FOR I=1 TO 2::GOSUB 150::NEXT I::END
150 A=LOG(0)::PRINT "NO"
200 PRINT I::ON ERROR 300::B=SQR(-1)
210 PRINT "BACK"::RETURN
300 CALL ERR(P,Q,R,S)::PRINT P;S::RETURN NEXT
""",
    "statements that always fail": """\
100 ON ERROR 200::GOTO 999
110 GOSUB 77
120 ON 5 GOTO 100,110
130 RETURN NEXT
140 CALL FOO
150 A=3+"X"
160 PRINT 1;2 3;4
170 DISPLAY SIZE
180 CALL HCHAR(5,6)
190 A=::PRINT "END"::END
200 CALL ERR(P,Q,R,S)::PRINT P;Q;R;S::ON ERROR 200::RETURN NEXT

""",
    "warnings": """\
100 ON WARNING NEXT::PRINT 1/0::CALL S::PRINT 4/0
110 ON WARNING STOP::PRINT 3/0::PRINT 4
200 SUB S::ON WARNING PRINT::PRINT 2/0::SUBEND
""",
    "BREAK with lines": """\
100 PRINT 1::BREAK 110,120,999::UNBREAK 110::ON BREAK NEXT
110 PRINT 2
120 PRINT 3::ON BREAK STOP::BREAK 140::UNBREAK::BREAK 150
140 PRINT 4
150 PRINT 5
""",
    "TRACE": "100 TRACE::FOR I=1 TO 2\n110 PRINT I;\n120 NEXT I\n130 UNTRACE\n140 BREAK\n",
    "TRACE where the program runs into a SUB": """\
100 TRACE::CALL B::IF A THEN 100
110 SUB A
120 SUBEND
130 SUB B::X=X+1::IF X<2 THEN 130
140 SUBEND
""",
    "TRACE where IF is the last before a SUB": "100 TRACE::IF A THEN 100\n110 SUB A\n120 SUBEND\n",
    "BREAK where the program runs into a SUB": "100 BREAK 110\n110 SUB A\n120 SUBEND\n",
    "GOSUB and CALL before ELSE": """\
100 GOSUB 200::IF A=1 THEN GOSUB 200 ELSE PRINT "E"::PRINT "F"
110 IF A<9 THEN CALL S(A)ELSE PRINT "G"::PRINT "H";A
120 END
200 A=A+1::RETURN
210 SUB S(X)::X=X*3::SUBEND
""",
    "lines of the program run with the names of a SUB": """\
100 A=5::CALL S(A)::PRINT A::GOTO 230
110 B=B+1::FOR I=1 TO 2::C=C+I::NEXT I::IF B<8 THEN 110 ELSE 220
200 SUB S(B)::C=I
210 GOTO 110
220 PRINT "S";B;C;I
230 PRINT "X"::SUBEND
""",
    "CALL ERR without ON ERROR, and CALLs that always fail": """\
100 A=3::CALL ERR(A,B,C,D)::PRINT A;B;C;D
110 CALL S(1)::PRINT "NO"
200 SUB S(A,B)::PRINT "NO"::SUBEND
""",
    "files that are not open": """\
100 ON ERROR 200::PRINT #1:A
110 INPUT #2:A
120 CLOSE #3::RESTORE #4
130 PRINT REC(5);EOF(6)
140 LINPUT #256:A$
150 END
200 CALL ERR(A,B,C,D)::PRINT A;B;C;D::ON ERROR 200::RETURN NEXT
""",
    "errors in DEFs": """\
100 DEF F(X)=SQR(X)
110 DEF G(Y)=1/Y+F(Y)
120 ON ERROR 200::PRINT G(0);F(RND)>1
130 CALL S(-4)
200 CALL ERR(P,Q,R,S)::PRINT P;S::RETURN NEXT
300 SUB S(A)
310 DEF H(B)=SQR(B)+1::PRINT H(A)
320 SUBEND
""",
    "DEFs that use each other too deeply": """\
100 ON ERROR 200
110 DEF F(X)=F(X)+1
120 DEF G(X)=X&"A"
130 PRINT G(1);F(1)
200 PRINT F(1)
""",
    "what DISPLAY calculates comes before its next clause": """\
100 ON ERROR 200::D=1E99::DISPLAY AT(RND*9,RND*9)ERASE ALL:RND
110 DISPLAY AT(D,1)ERASE ALL:"X"
120 DISPLAY AT(1,2)SIZE(D)ERASE ALL
130 DISPLAY SIZE(D)AT(SQR(A-1),1):"X"
140 DISPLAY AT(D,1)5
150 END
200 CALL ERR(P,Q,R,S)::PRINT P;S::ON ERROR 200::RETURN NEXT
""",
    "IF with two THENs, which a line goes to": """\
100 ON ERROR 200::IF A THEN 110
110 IF B THEN 120 THEN 130
120 PRINT "T"
130 END
200 CALL ERR(P,Q,R,S)::PRINT P;S::RETURN NEXT
""",
    "wrong syntax before the NEXT of a loop that is not entered": """\
100 FOR I=2 TO 1::PRINT ."B"::NEXT I::PRINT "SAME"
110 FOR J=1 TO 3
120 FOR K=3 TO I
130 IF J>2 THEN 150
140 PRINT ."B"::NEXT L
150 NEXT J
""",
    "RESTORE of a line that is not there, before the first READ": """\
100 ON ERROR 200::RESTORE 990
110 READ A::PRINT A
120 DATA 5
200 RETURN NEXT
""",
    "statements after wrong syntax, which only RETURN NEXT goes to": """\
100 ON ERROR 200::PRINT ."B"::TRACE::BREAK 120::ON ERROR 300::A=LOG(0)
110 PRINT "X"
120 END
200 PRINT "200"::RETURN NEXT
300 PRINT "300"::RETURN NEXT
""",
    "both operands of AND, OR and XOR are calculated before either is rounded": """\
100 ON ERROR 200::A=40000::B=A AND P(11)
110 B=LOG(0)OR A::B=A XOR LOG(0)::PRINT 1 AND A
120 B=P(20)+(A AND LOG(0))::IF A AND P(11)THEN PRINT 1 ELSE PRINT 2
130 DEF F(X)=X AND P(X)::PRINT F(40000)::C=3::P(2)=6
140 PRINT C AND P(2);C OR P(2);P(2)XOR C;(C OR SQR(4))=(C AND C AND P(2))
150 END
200 CALL ERR(W,X,Y,Z)::PRINT W;Z::ON ERROR 200::RETURN NEXT
""",
    "PRINT after a LINPUT whose subscript is bad": """\
100 ON ERROR 200::P=11::PRINT "AB";::LINPUT "PROMPT":P$(P)
110 END
200 PRINT "H"::PRINT "I"
""",
    "DEFs that are too deep once an error was caught": """\
100 ON ERROR 200
110 DEF F(X)=X
120 DEF G=((((((((((((((((((((((1))))))))))))))))))))))
130 PRINT F(F(F(F(F(F(F(1)))))));G
140 PRINT SQR(-1)
150 PRINT F(F(F(F(F(F(F(2)))))))
160 PRINT G
170 PRINT F(F(F(F(F(F(3))))))::END
200 CALL ERR(P,Q,R,S)::PRINT P;S::ON ERROR 200::RETURN NEXT
""",
    "the line of a CALL whose last argument is a DEF": """\
100 DEF F(X)=X*2-Y
110 FOR I=1 TO 2
120 CALL S(Y,(F(B*258)))
130 NEXT I
140 SUB S(A,B)
150 PRINT LOG(-1)
160 SUBEND
""",
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_errors(name: str) -> None:
    check(PROGRAMS[name])


@pytest.mark.parametrize("seed", range(2))
def test_random_programs_with_errors(seed: int) -> None:
    check(maker(seed).program())


@pytest.mark.slow
def test_many_random_programs_with_errors(seed: int) -> None:
    held = 0
    for own in piece(seed):
        listing = maker(own).program()
        if can_be_held(listing):
            check(listing)
            held += 1
    assert held > 800, "so many of them end, and are compiled"


def test_what_always_fails_is_told_where_control_comes_to_it() -> None:
    program = compile_program(Program.from_listing('100 PRINT SQR("X")\n110 A=1/0\n120 GOTO 7\n'))
    assert [(spot[0], code) for spot, code, _ in program.failing] == [(100, 24)]


def test_a_handler_that_fails_in_a_sub_only_is_not_told() -> None:
    """Line 200 has no X in S, to which ON ERROR takes it."""
    listing = "100 ON ERROR 200\n110 PRINT SQR(-1)\n120 CALL S\n130 END\n200 X=X+1 :: RETURN NEXT\n"
    listing += "300 SUB S\n310 PRINT SQR(-1)\n320 SUBEND\n"
    program = compile_program(Program.from_listing(listing))
    assert (200, 0) in {spot for spot, _, _ in program.code.failing}
    assert not [*program.failing]


def test_a_line_never_reached_costs_nothing() -> None:
    short = compile_program(Program.from_listing("100 GOTO 120\n120 PRINT 1\n"))
    long = compile_program(Program.from_listing("100 GOTO 120\n110 A=1/0\n120 PRINT 1\n"))
    assert long.linked.image == short.linked.image


@pytest.mark.parametrize(
    "form",
    [{}, {"short": ALL_SHORT}, {"rooms": Rooms(0, 1)}, {"pace": Pace.ALL}],
    ids=["high memory", "byte code", "banks", "pace"],
)
def test_clear_that_is_down_before_a_program_begins_stops_it_in_its_first_line(
    form: dict[str, Any],
) -> None:
    program = Program.from_listing("100 CALL SCREEN(5)\n110 GOTO 100\n")
    console = CartridgeConsole(compile_program(program, **form).cartridge)
    console.choose()
    console.hold("CLEAR")
    console.wait(100)
    assert console.stopped_at == 100


@pytest.mark.parametrize(
    "rest",
    [
        "ON ERROR 300\n130 X=SQR(-1)",
        'READ A,A$::PRINT A;A$\n130 DATA 3,"X"',
        "TRACE\n130 PRINT 2",
        "BREAK 130\n130 PRINT 2",
        'RUN 130\n130 PRINT "RUN"',
    ],
)
@pytest.mark.parametrize(
    "before", ["FOR I=2 TO 1::GOTO 7::NEXT I::", "ON ERROR 300\n110 IF SQR(-1) THEN 120 ELSE 140::"]
)
def test_what_comes_after_a_jump_in_its_line_is_known(before: str, rest: str) -> None:
    check(f'100 {before}{rest}\n140 END\n300 PRINT "H"::ON ERROR STOP::RETURN NEXT\n', (True,))
