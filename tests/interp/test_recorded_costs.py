"""Single statements take the recorded time: FOR and NEXT, names, IF, sums, PRINT and others.

Each is repeated in a loop (costs4); the allowance is for the part of a frame at either end.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from tests.bench.stopwatch import watched

RECORDED = Path(__file__).parents[1] / "conformance" / "costs4.jsonl.xz"
NEAR = 0.0015
"""The largest error, as a share of the loop's time."""
STATEMENTS = (
    "",
    "A=B",
    "A=A+1",
    "A$=B$",
    "A=1 :: B=2 :: C=3",
    "FOR J=1 TO 3 :: NEXT J",
    "FOR J=1 TO 10 :: NEXT J",
    "FOR J=3 TO 1 :: NEXT J",
    "IF A=B THEN 530",
    "IF W=Y THEN C=3",
    "PRINT A",
    "PRINT A;B",
    "PRINT A,B",
    'PRINT "HELLO"',
    'PRINT "HELLO" :: C=C+1',
    "DISPLAY AT(B,C):A;B :: A=B",
    "CALL COLOR(1,2,3) :: C=C+1",
    'CALL CHAR(96,"FF") :: B=2',
    "RESTORE",
)


@pytest.fixture(scope="module")
def cases() -> dict[str, Any]:
    """By their statements."""
    text = lzma.decompress(RECORDED.read_bytes()).decode()
    found = map(json.loads, text.splitlines())
    return {case["statement"]: case for case in found}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_takes_the_recorded_time(statement: str, cases: dict[str, Any]) -> None:
    case = cases[statement]
    begin, end = watched(case, ["BEGIN!", "END#"])
    assert end.cycles - begin.cycles == pytest.approx(case["cycles"], rel=NEAR)
