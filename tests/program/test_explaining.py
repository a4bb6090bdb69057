"""What a failed run says beyond the console's error."""

import pytest

from ti99tools.language.listing.tokenize import tokenize_line
from ti99tools.language.program.judgement import explained


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        (
            "100 CALL KEY(0,K)",
            0,
            "KEY does not take these arguments; write CALL KEY(keyboard unit,code,status)",
        ),
        ("100 CALL SCREEN(17)", 0, "SCREEN takes no color 17; the console takes 1 to 16"),
        ("100 A(11)=5", 0, "A goes from 0 to 10; DIM A larger, or correct the subscript"),
        ('100 CALL SCREEN("A")', 0, "SCREEN takes a number as color; give a number"),
        (
            '100 CALL HCHAR(1,1,"A")',
            0,
            "HCHAR takes a number as code; write 65, its code",
        ),
        ('100 PRINT LEFT$("A",2)', 0, "Extended BASIC has no LEFT$: write SEG$(text,1,count)"),
        ("100 PRINT )", 0, "there is a ) too many"),
        ("100 FOR I=1 TO 3", 0, "FOR I has no NEXT: write NEXT I"),
        ("100 R=30 :: CALL HCHAR(R,1,42)", 1, ""),
        ("100 PRINT 1 :: CALL SCREEN(17)", 0, ""),
        (
            "100 PRINT 1 :: CALL SCREEN(17)",
            1,
            "SCREEN takes no color 17; the console takes 1 to 16",
        ),
    ],
)
def test_the_statement_that_failed_is_explained(text: str, at: int, expected: str) -> None:
    number, tokens = tokenize_line(text)
    offset = tokens.index(b"\x82") + 1 if at else 0
    assert explained({number: tokens}, number, offset) == expected


def test_lines_that_are_not_there_are_not_explained() -> None:
    assert explained({}, 100, 0) == ""
