"""Which variables are read before they are set again."""

import pytest

from ti99tools.compiler.compiling import compile_program
from ti99tools.compiler.liveness import readers
from ti99tools.compiler.ranges import Ranges
from ti99tools.language.analysis.fixpoint import State
from ti99tools.language.analysis.intervals import ZERO
from ti99tools.language.program.program import Program

LOOP = "100 X=1::Y=2\n110 Z=X::PRINT Y+Z\n120 X=X+1::IF X<9 THEN 110\n"
CALLS = """\
100 A=1::B=2::C=3
110 GOSUB 140
120 CALL S(A)::IF C=3 THEN 110
130 END
140 C=B::RETURN
150 SUB S(P)::IF T>P THEN 160
155 T=P
160 SUBEND
"""
FAILS = "100 ON ERROR 200\n110 X=1\n120 PRINT SQR(X)\n130 PRINT X\n200 Y=X::RETURN NEXT\n"
INTO_ITSELF = """\
100 Y=2
110 X=X+1::IF X<2 THEN 110
120 GOSUB 130
130 PRINT X::IF X>8 THEN RETURN
140 X=X+Y::GOTO 130
"""
ARRAY = "100 A(1)=2\n110 X=7::N=X-A(3)*INT(X/A(3))\n120 IF N<9 THEN 110\n"


@pytest.mark.parametrize(
    ("listing", "block", "names"),
    [
        pytest.param(LOOP, "L110", {"X", "Y"}, id="Z is set before it is read"),
        pytest.param(LOOP, "L100", set(), id="both are set first"),
        pytest.param(CALLS, "L140", {"A", "B", "S.T"}, id="what matters after a RETURN"),
        pytest.param(CALLS, "L155", {"S.P"}, id="the caller keeps its own"),
        pytest.param(INTO_ITSELF, "L120", {"X", "Y"}, id="a GOSUB of what follows it"),
        pytest.param(FAILS, "L130", {"X"}, id="in a block after errors"),
    ],
)
def test_live_where_a_block_begins(listing: str, block: str, names: set[str]) -> None:
    ranges = compile_program(Program.from_listing(listing)).ranges
    assert ranges.live.before[block] == names


def test_nothing_is_kept_for_blocks_after_errors() -> None:
    ranges = compile_program(Program.from_listing(FAILS)).ranges
    assert ranges.live.of("L130") == set()


def test_readers_of_an_array() -> None:
    code = compile_program(Program.from_listing(ARRAY)).code
    assert readers(code) == {"A": {"L110"}}


class Whole(Ranges):
    """The same analysis with states that hold all variables."""

    def arriving(self, _: str, state: State) -> State:
        return state


@pytest.mark.parametrize("listing", [LOOP, CALLS, INTO_ITSELF, FAILS, ARRAY])
def test_states_without_the_other_variables_say_the_same(listing: str) -> None:
    compiled = compile_program(Program.from_listing(listing))
    trimmed, whole = compiled.ranges, Whole(compiled.code).run()
    assert trimmed.all == whole.all
    for place, state in trimmed.before.items():
        for name in trimmed.live.before[place]:
            assert state.get(name, ZERO) == whole.before[place].get(name, ZERO), (place, name)
