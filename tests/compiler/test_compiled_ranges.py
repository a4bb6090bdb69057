"""Which variables are proven to be words, and that nothing is proven that is not so."""

from itertools import pairwise

import pytest

from ti99tools.compiler.compiling import Compiled, compile_program
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.language.program.program import Program


def compiled(listing: str) -> Compiled:
    return compile_program(Program.from_listing(listing))


@pytest.mark.parametrize(
    ("listing", "name", "low", "high"),
    [
        ("100 FOR I=1 TO 100\n110 PRINT I\n120 NEXT I\n", "I", 0, 101),
        ("100 S=S+1::IF S>5000 THEN S=0\n110 GOTO 100\n", "S", 0, 5001),
        ("100 X=7\n110 X=X*21+11::X=X-1000*INT(X/1000)::GOTO 110\n", "X", 0, 20990),
        ("100 D=INT(RND*6)+1\n", "D", 0, 7),
        ("100 CALL KEY(0,K,S)\n", "K", -1, 255),
        ("100 READ A\n110 DATA 3,-5,9\n", "A", -5, 9),
        ("100 CALL S(5)::CALL S(9)\n110 SUB S(X)::Y=X*2::SUBEND\n", "S.Y", 0, 18),
        ("100 N=10\n110 IF N=0 THEN 130\n120 N=N-1::GOTO 110\n130 END\n", "N", 0, 10),
    ],
)
def test_proven_words(listing: str, name: str, low: int, high: int) -> None:
    program = compiled(listing)
    found = program.ranges.all[name]
    assert (found.low, found.high) == (low, high)
    assert program.kinds.of(name) == "w"


@pytest.mark.parametrize(
    ("listing", "name"),
    [
        ("100 N=N+1::GOTO 100\n", "N"),
        ("100 N=N-1::GOTO 100\n", "N"),
        ("100 A=1.5\n", "A"),
        ("100 A=32767::A=A+1\n", "A"),
        ("100 A=200*200\n", "A"),
        ("100 FOR I=1 TO 32767\n110 NEXT I\n", "I"),
        ("100 FOR I=0 TO 1 STEP .25\n110 NEXT I\n", "I"),
        ("100 A=1\n110 A=A*2::GOSUB 200::GOTO 110\n200 RETURN\n", "A"),
        ("100 X=5::CALL S(X)\n110 SUB S(Y)::Y=Y/2::SUBEND\n", "X"),
        ("100 READ A\n110 DATA 3,40000\n", "A"),
        (
            "100 GOSUB 200::PRINT A\n110 END\n200 A=A*3+7::IF A<9E9 THEN 200\n210 RETURN\n",
            "A",
        ),
    ],
)
def test_no_words(listing: str, name: str) -> None:
    program = compiled(listing)
    assert program.kinds.of(name) == "c"
    assert name in program.ranges.broken, "the report says why"


def test_without_words_all_are_cells() -> None:
    program = compile_program(
        Program.from_listing("100 FOR I=1 TO 3\n110 A(I)=I\n120 NEXT I\n"), words=False
    )
    assert set(program.kinds.variables.values()) == {"c"}
    assert set(program.kinds.arrays.values()) == {"c"}


def test_what_a_sub_keeps_for_itself_lasts_over_its_own_calls() -> None:
    listing = """\
100 CALL A(3)
110 SUB A(N)::FOR I=1 TO N::CALL B(I)::NEXT I::SUBEND
120 SUB B(X)::Y=Y+X::SUBEND
"""
    program = compiled(listing)
    assert program.ranges.all["A.I"].high == 4
    assert program.ranges.all["B.X"].high == 3


def test_a_declared_range_makes_a_word() -> None:
    source = "RANGE N=1 TO 24\nN=VAL(STR$(RND))\nN=N+1\nPRINT N\n"
    with_range = compile_program(Program.from_source(source))
    without = compile_program(Program.from_source(source.split("\n", 1)[1]))
    assert (with_range.kinds.of("N"), without.kinds.of("N")) == ("w", "c")


LOOP = """\
RANGE I=0 TO 9
ON ERROR failed
REPEAT
  FOR I=1 TO VAL("8")
    IF I=N THEN GOSUB further
  NEXT I
  GOSUB further
  N=N+1
UNTIL N>3
END
further:
  T=T+I
  RETURN
failed:
  RETURN
"""


def test_a_declared_range_of_a_loop_makes_a_word_wherever_the_loop_has_left_it() -> None:
    assert compile_program(Program.from_source(LOOP)).kinds.of("I") == "w"


@pytest.mark.parametrize(("last", "end"), [(9, "10"), (10, "* BAD VALUE IN 100")])
def test_no_round_of_a_loop_has_a_value_outside_the_declared_range(last: int, end: str) -> None:
    source = f"RANGE I=0 TO 9\nT={last}\nFOR I=8 TO T\nPRINT STR$(I)\nNEXT I\nPRINT STR$(I)\n"
    assert shown(source)[:3] == ["8", "9", end]


@pytest.mark.parametrize("call", ["ONE(N*3)", "TWICE(N)"])
def test_what_is_passed_and_what_comes_back_is_within_its_range(call: str) -> None:
    source = (
        f'RANGE N=0 TO 3\nN=2\nPRINT "GO"\nCALL {call}\nSUB ONE(X)\n  RANGE X=1 TO 5\n'
        "  PRINT X\nSUBEND\nSUB TWICE(Y)\n  Y=2*Y\nSUBEND\n"
    )
    assert shown(source)[:2] == ["GO", "* BAD VALUE IN 100"]


def shown(source: str) -> list[str]:
    """The rows that a compiled source has printed."""
    console = CartridgeConsole(compile_program(Program.from_source(source)).cartridge)
    console.choose()
    console.resume(9)
    console.wait(1)
    return [row.strip(" \x1f") for row in console.screen.rows if row.strip(" \x1f")]


def test_what_is_widened_on_the_way_comes_back() -> None:
    program = compiled(
        "100 DIM M(9)\n110 FOR I=1 TO 9::CALL S(M(),N)::NEXT I\n"
        "120 SUB S(M(),N)::T=MIN(T+1,50)::N=T::M(3)=N::SUBEND\n"
    )
    assert program.ranges.all["S.T"].high == program.ranges.all["N"].high == 50
    assert program.ranges.arrays["M"].high == 50


def test_what_an_error_leads_to_expects_all_that_is_assigned() -> None:
    """Y is assigned in the handler only, X grows with an array from one round to the next."""
    ranges = compiled(
        "100 ON ERROR 900\n110 A(1)=A(1)+1\n120 X=A(1)\n130 PRINT SQR(X-5)\n140 Z=Y\n"
        "150 IF A(1)<400 THEN 110\n160 END\n900 Y=X\n910 ON ERROR 900\n920 RETURN NEXT\n"
    ).ranges
    for place in ("L140", "L900"):
        for name, assigned in ranges.all.items():
            there = ranges.before[place][name]
            assert there.low <= assigned.low, (place, name)
            assert there.high >= assigned.high, (place, name)


def test_what_grows_from_error_to_error_comes_to_rest_where_it_ends() -> None:
    """Each variable is one more than the one before, which is set later in the program."""
    names = "ABCDEFGHIJKLMN"
    rows = [
        f"{100 + n} {b}={a}+1::PRINT SQR({b})\n" for n, (b, a) in enumerate(pairwise(names[::-1]))
    ]
    handled = "900 ON ERROR 900\n910 RETURN NEXT\n"
    ranges = compiled(f"90 ON ERROR 900\n{''.join(rows)}800 GOTO 90\n{handled}").ranges
    assert [ranges.all[name].high for name in names[1:]] == [*range(1, len(names))]
