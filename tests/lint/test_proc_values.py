"""What a PROC does with values of its parameters that nobody meant."""

from pathlib import Path

import pytest

from ti99tools.app.lint import judge
from ti99tools.language.lint.proc_values import PROC_VALUE

CALLS = "S=5\nCALL ADD(2,S)\nPRINT S\nEND\n"


def found(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "game.xb"
    path.write_text(text)
    return [
        f"{each.place.line}: {each.message}"
        for each in judge(str(path)).findings
        if each.code == PROC_VALUE
    ]


OUT_ONLY = "TOTAL brings no value into PROC ADD: a parameter with OUT only gives one back"
LOST = "the value that TOTAL gets goes no further than PROC ADD"


@pytest.mark.parametrize(
    ("proc", "message"),
    [
        ("PROC ADD(N,TOTAL OUT)\nTOTAL=TOTAL+N\nEND PROC\n", f"6: {OUT_ONLY}"),
        ("PROC ADD(N,TOTAL OUT)\nIF TOTAL>9 THEN EXIT PROC\nTOTAL=N\nEND PROC\n", f"6: {OUT_ONLY}"),
        ("PROC ADD(N,TOTAL)\nIF N>0 THEN\nTOTAL=TOTAL+N\nEND IF\nEND PROC\n", f"7: {LOST}"),
    ],
)
def test_a_value_that_gets_lost(tmp_path: Path, proc: str, message: str) -> None:
    assert found(tmp_path, CALLS + proc) == [message]


@pytest.mark.parametrize(
    "proc",
    [
        "PROC ADD(N,TOTAL OUT)\nTOTAL=N\nTOTAL=TOTAL+N\nEND PROC\n",
        "PROC ADD(N,TOTAL)\nLOCAL I\nI=I+1\nWHILE TOTAL>0\nTOTAL=TOTAL-N\nEND WHILE\nEND PROC\n",
        "PROC ADD(N,TOTAL)\nFOR I=1 TO 3\nPRINT TOTAL\nTOTAL=TOTAL-N\nNEXT I\nEND PROC\n",
        "PROC ADD(N,TOTAL)\nTOTAL=TOTAL-N\nPRINT TOTAL\nEND PROC\n",
    ],
)
def test_a_value_that_is_used(tmp_path: Path, proc: str) -> None:
    assert found(tmp_path, CALLS + proc) == []


def test_a_value_that_no_variable_waits_for(tmp_path: Path) -> None:
    text = CALLS.replace("2,S", "2,5") + "PROC ADD(N,TOTAL)\nPRINT TOTAL\nTOTAL=N\nEND PROC\n"
    assert found(tmp_path, text) == []
