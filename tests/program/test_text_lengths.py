"""What the memory report knows of the length of a string without running the program."""

import pytest

from ti99tools.language.analysis.constants import text_length
from ti99tools.language.program.program import Program
from ti99tools.language.syntax import statements as st


@pytest.mark.parametrize(
    ("expression", "length"),
    [
        ('"ABC"', 3),
        ("CHR$(65)", 1),
        ('CHR$(65)&"AB"', 3),
        ('RPT$("AB",3)&CHR$(1)', 7),
        ('RPT$("AB",200)', 255),
        ("B$", None),
        ('"A"&B$', None),
        ("CHR$(X)", None),
    ],
)
def test_the_length_of_a_string(expression: str, length: int | None) -> None:
    ((statement,),) = Program.from_listing(f"100 A$={expression}").analysis.parsed.values()
    assert isinstance(statement, st.Let)
    assert statement.value is not None
    assert text_length(statement.value) == length
