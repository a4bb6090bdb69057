"""NEXTs that find no loop, although RUN counts as many FORs."""

import pytest

from ti99tools.language.lint.linter import lint
from ti99tools.language.program.program import Program


def findings_in(text: str) -> list[tuple[int | None, str]]:
    """Line and remedy of each finding in lines 10, 20, … that are separated by ` / `."""
    rows = [f"{10 * at} {row}\n" for at, row in enumerate(text.split(" / "), 1)]
    findings = lint(Program.from_listing("".join(rows)).lines)
    return [(each.line, each.remedy) for each in findings if each.code == "next"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FOR I=1 TO 3 / NEXT J", [(20, "did you mean NEXT I, or FOR J before it")]),
        ("GOTO 30 / FOR I=1 TO 3 / NEXT I", [(30, "write FOR I before it")]),
        ("FOR I=1 TO 3 / GOSUB 40 / END / NEXT I / RETURN", [(40, "write FOR I before it")]),
        ("FOR I=1 TO 3 / NEXT I", []),
        ("FOR I=1 TO 3 / FOR J=1 TO 3 / NEXT I / NEXT J", []),
        # The line with the mistake may hide a FOR.
        ("FOR I=1 TO 3 / A=) :: FOR J=1 TO 2 / NEXT J / NEXT I", []),
    ],
)
def test_a_next_that_finds_no_loop(text: str, expected: list[tuple[int, str]]) -> None:
    assert findings_in(text) == expected
