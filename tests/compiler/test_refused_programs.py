"""What is not compiled is refused at its line, with the reason."""

import pytest

from ti99tools.base.errors import SourceError
from ti99tools.compiler.compiling import compile_program
from ti99tools.language.program.program import Program


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A$=5", "STRING-NUMBER MISMATCH"),
        ('OPEN #1:"DSK1.X"', "uses a file"),
        ("PRINT #1:A", "uses a file"),
        ("INPUT #1:A", "INPUT # uses a file"),
        ("LINPUT #1:A$", "LINPUT # uses a file"),
        ("PRINT USING 100:A", "IMAGE ERROR"),
        ("LINPUT A", "IMPROPERLY USED NAME"),
        ("ON ERROR 100", "ON ERROR"),
        ('CALL LINK("X")', "machine code"),
        ('CALL LOAD("DSK1.X")', "LOAD of a file"),
        ("CALL LOAD(9000,1)", "LOAD to 9000"),
        ("CALL LOAD(A,1)", "address that is calculated"),
        ("CALL LOAD(-31804,40,0)", "machine code run"),
        ("CALL PEEK(8192,A)", "PEEK of 8192"),
        ("CALL PEEK(-31877,A,B)", "PEEK of -31876"),
        ("CALL NOSUCH", "no subprogram NOSUCH"),
        ("GOTO 999", "no line 999"),
        ("A=1 B", "SYNTAX ERROR"),
    ],
)
def test_refused_with_the_reason(line: str, reason: str) -> None:
    program = Program.from_listing(f"100 PRINT 1\n110 {line}\n", strict=False)
    with pytest.raises(SourceError) as caught:
        compile_program(program)
    assert "line 110" in caught.value.problem
    assert reason in caught.value.problem


def test_all_refusals_are_told_at_once() -> None:
    program = Program.from_listing('100 RUN\n110 OPEN #1:"CS1"\n')
    with pytest.raises(SourceError) as caught:
        compile_program(program)
    assert len(caught.value.others) == 1


def test_too_many_variants_of_a_sub_are_refused() -> None:
    rows = [f"{n} CALL S(A{n}())" for n in range(100, 120)]
    listing = "\n".join(["90 DIM A100(1)", *rows, "200 SUB S(P())::P(1)=1::SUBEND"])
    with pytest.raises(SourceError, match="too many different arrays"):
        compile_program(Program.from_listing(listing))


def test_jumps_into_a_sub_are_refused() -> None:
    listing = "100 GOTO 210\n200 SUB S\n210 PRINT 1\n220 SUBEND\n"
    with pytest.raises(SourceError, match="same subprogram"):
        compile_program(Program.from_listing(listing))
