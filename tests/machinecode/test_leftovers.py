"""What statements leave at >8300 to >8317, after code has filled it with >A5."""

import pytest

from ti99tools.computer.console.session import Console
from ti99tools.language.program.program import Program

FILLED = 0xA5


def left_after(statement: str) -> dict[int, int]:
    """The bytes that are not as code left them, by their address less >8300."""
    letters = ",".join("ABCDEFGHIJKLMNOPQRSTUVWX")
    listing = (
        "100 CALL INIT::FOR I=-32000 TO -31977::CALL LOAD(I,165)::NEXT I\n"
        f"110 {statement}::CALL PEEK(-32000,{letters})\n"
    )
    console = Console(max_seconds=60)
    console.load(Program.from_listing(listing))
    assert console.run() == "ready"
    values = [console.variables[name] for name in letters.split(",")]
    return {at: int(str(value)) for at, value in enumerate(values) if value != FILLED}


PEEKED = {0: 131, 1: 75, 4: 131, 5: 5, 22: 131, 23: 23}


@pytest.mark.parametrize(
    ("statement", "more"),
    [
        ("A=A+1", {}),
        ("CALL HCHAR(1,1,65)", {2: 3}),
        ("CALL VCHAR(1,1,65)", {}),
        ('PRINT "A"', {2: 128, 3: 0, 6: 1, 7: 28, 8: 2, 9: 226, 12: 0, 13: 1}),
        ('PRINT "ABC";', {2: 128, 3: 0, 6: 4, 7: 28, 8: 2, 9: 229, 12: 0, 13: 3}),
        ('PRINT "A"::CALL HCHAR(1,1,65)', {2: 3, 3: 0, 6: 1, 7: 28, 8: 2, 9: 226, 12: 0, 13: 1}),
        ('A$="X"&"YZ"', {12: 0, 13: 1}),
    ],
)
def test_statements_leave_bytes(statement: str, more: dict[int, int]) -> None:
    """Answers 18-8; that a row is filled and a string longer is read off what the cells are for."""
    assert left_after(statement) == PEEKED | more
