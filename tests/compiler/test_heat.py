"""Which statements of a program are hot, and how much shorter the others are."""

import pytest

from tests.compiler.sizes import ALL_COLD, sizes_of
from ti99tools.compiler.compiling import compile_program
from ti99tools.compiler.heat import heat_of
from ti99tools.language.program.program import Program

KEYS = "100 CALL KEY(0,K,S)\n110 IF S=0 THEN 100\n120 N=N+1\n130 GOTO 100\n"
COUNTS = "100 N=N+1\n110 IF N<9 THEN 100\n120 PRINT N\n"
NESTED = "100 FOR I=1 TO 9\n110 FOR J=1 TO 9\n120 T=T+J\n130 NEXT J\n140 NEXT I\n150 PRINT T\n"
CALLED = "100 GOSUB 130\n110 GOTO 100\n130 N=N+1\n140 RETURN\n"
CALLED_ONCE = "100 GOSUB 120\n110 END\n120 N=N+1\n130 RETURN\n"
CALLED_TWICE = "100 GOSUB 130::GOSUB 130\n110 END\n130 N=N+1\n140 RETURN\n"
WAITS = "100 CALL ASK\n110 N=N+1\n120 GOTO 100\n130 SUB ASK\n140 INPUT A\n150 SUBEND\n"
MAY_WAIT = WAITS.replace("ASK", "ASK(N)").replace("140 ", "140 IF N=9 THEN ")


@pytest.mark.parametrize(
    ("listing", "heat"),
    [
        pytest.param(KEYS, [0, 0, 0, 0], id="a loop that looks for keys"),
        pytest.param(COUNTS, [1, 1, 0], id="a loop that does not"),
        pytest.param(NESTED, [0, 1, 2, 2, 1, 0], id="a loop in a loop"),
        pytest.param(CALLED, [1, 1, 1, 1], id="a subroutine called in a loop"),
        pytest.param(CALLED_ONCE, [0, 0, 0, 0], id="a subroutine called once"),
        pytest.param(CALLED_TWICE, [0, 0, 0, 0], id="a subroutine called twice"),
        pytest.param(WAITS, [0, 0, 0, 0, 0, 0], id="a loop with a SUB that waits"),
        pytest.param(MAY_WAIT, [1, 1, 1, 1, 1, 1], id="a loop with a SUB that may wait"),
    ],
)
def test_the_heat_of_lines(listing: str, heat: list[int]) -> None:
    found = heat_of(Program.from_listing(listing).analysis)
    assert [found[line, 0] for line in sorted({line for line, _ in found if line})] == heat


SHORT = "100 GOSUB 140\n110 CALL S(A)\n120 A=A*1.5\n130 END\n140 A=A+1\n150 RETURN\n"
SHORT += "160 SUB S(X)\n170 X=X+.5\n180 SUBEND\n"


def test_cold_code_is_shorter() -> None:
    in_a_loop = SHORT.replace("130 END", "130 GOTO 100")
    quick, short = (
        compile_program(Program.from_listing(listing)).linked.assembled
        for listing in (in_a_loop, SHORT)
    )
    sizes = [made.address_of("LINES") - made.address_of("MAIN") for made in (quick, short)]
    assert sizes[1] < 0.6 * sizes[0]


def test_sizes_are_those_of_the_compiled_program() -> None:
    program = Program.from_listing(SHORT)
    hot, cold = sizes_of(program, 0, ALL_COLD)
    assembled = compile_program(program).linked.assembled
    assert cold.code == assembled.address_of("LINES") - assembled.address_of("MAIN")
    assert hot.code > cold.code
    assert cold.runtime == assembled.address_of("RTEND") - assembled.address_of("RTBEG")
