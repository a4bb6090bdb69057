"""SUBs in which nothing can fail are found: ON ERROR does not compile its lines for them."""

import pytest

from tests.compiler.bothforms import as_cartridge, check, full_rows
from ti99tools.compiler.compiling import compile_program
from ti99tools.language.program.program import Program

HEAD = '100 ON ERROR 150::CALL S(3)::PRINT SQR(-1)\n110 PRINT "END"::END\n'
HEAD += '150 PRINT "CAUGHT"::RETURN 110\n'


def certain(lines: str) -> bool:
    """Tell whether a SUB is certain."""
    program = compile_program(Program.from_listing(f"{HEAD}200 SUB S(N)\n{lines}390 SUBEND\n"))
    there = any(block.variant == "S" for block in program.code.blocks.values())
    assert there, "it is called"
    lines_of_handler = {block.body[0].spot[0] for block in program.code.blocks.values()
                        if block.variant == "S" and block.body}  # fmt: skip
    assert (150 in lines_of_handler) is ("S" not in program.code.certain)
    return "S" in program.code.certain


@pytest.mark.parametrize(
    "lines",
    [
        "210 FOR I=1 TO N::CALL HCHAR(I+1,3,42)::NEXT I\n",
        "210 DIM A(9)::FOR I=1 TO 9::FOR J=1 TO 3::A(I)=J::NEXT J::NEXT I\n",
        "210 GOSUB 230::SUBEXIT\n230 FOR I=1 TO 3::NEXT I::RETURN\n",
        "210 FOR I=1 TO 2::GOSUB 230::NEXT I::SUBEXIT\n230 A$=A$&STR$(I)::RETURN\n",
        '210 CALL CHAR(96,"00FF")::CALL T\n290 SUBEND\n300 SUB T\n',
    ],
)
def test_nothing_can_fail(lines: str) -> None:
    assert certain(lines)


@pytest.mark.parametrize(
    "lines",
    [
        "210 A=SQR(N-9)\n",
        "210 DIM A(9)::INPUT I::A(I)=1\n",
        '210 CALL CHAR(96,"0G")\n',
        "210 RETURN\n",
        "210 GOSUB 230\n230 RETURN\n",
        "210 IF N=4 THEN 230\n220 FOR I=1 TO 2\n230 NEXT I\n",
        "210 FOR I=1 TO 2::GOSUB 230::NEXT I::SUBEXIT\n230 FOR I=1 TO 2::RETURN\n240 NEXT I\n",
        "210 FOR I=1 TO 2::GOSUB 230::SUBEXIT\n230 NEXT I::RETURN\n",
        "210 CALL T\n290 SUBEND\n300 SUB T::CALL S(2)\n",
        "210 A=ASC(A$)\n",
    ],
)
def test_something_may_fail(lines: str) -> None:
    assert not certain(lines)


def test_such_programs_do_what_they_do_in_basic() -> None:
    check(f"{HEAD}200 SUB S(N)\n210 GOSUB 230::SUBEXIT\n230 FOR I=1 TO N::PRINT I::NEXT I::RETURN\n"
          "290 SUBEND\n", (True,))  # fmt: skip


def test_full_memory_ends_a_program_in_such_a_sub() -> None:
    console = as_cartridge(f"{HEAD}200 SUB S(N)\n210 GOSUB 210\n290 SUBEND\n")
    assert "* MEMORY FULL IN 210" in full_rows(console)
