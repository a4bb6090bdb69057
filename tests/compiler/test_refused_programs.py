"""What is not compiled is refused at its line, with the reason."""

import pytest

from ti99tools.base.errors import SourceError
from ti99tools.compiler.compiling import compile_program
from ti99tools.language.program.program import Program


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('OPEN #1:"CS1"', "CS1 is a cassette recorder"),
        ('CALL LINK("X")', "machine code"),
        ('CALL LOAD("DSK1.X")', "LOAD of a file"),
        ("CALL LOAD(9000,1)", "LOAD to 9000"),
        ("CALL LOAD(A,1)", "address that is calculated"),
        ("CALL LOAD(-31804,40,0)", "machine code run"),
        ("CALL PEEK(8192,A)", "PEEK of 8192"),
        ("CALL PEEK(-31877,A,B)", "PEEK of -31876"),
    ],
)
def test_refused_with_the_reason(line: str, reason: str) -> None:
    program = Program.from_listing(f"100 PRINT 1\n110 {line}\n", strict=False)
    with pytest.raises(SourceError) as caught:
        compile_program(program)
    assert "line 110" in caught.value.problem
    assert reason in caught.value.problem


def test_all_refusals_are_told_at_once() -> None:
    program = Program.from_listing('100 CALL LINK("X")\n110 OPEN #1:"CS1"\n')
    with pytest.raises(SourceError) as caught:
        compile_program(program)
    assert len(caught.value.others) == 1


def test_too_many_variants_of_a_sub_are_refused() -> None:
    rows = [f"{n} CALL S(A{n}())" for n in range(100, 120)]
    listing = "\n".join(["90 DIM A100(1)", *rows, "200 SUB S(P())::P(1)=1::SUBEND"])
    with pytest.raises(SourceError, match="too many different arrays"):
        compile_program(Program.from_listing(listing))


def test_what_run_refuses_is_refused_with_its_message_and_line() -> None:
    listing = "100 FOR I=1 TO 2\n110 NEXT J\n120 NEXT K\n"
    with pytest.raises(SourceError, match=r"line 120 .* NEXT WITHOUT FOR"):
        compile_program(Program.from_listing(listing))
