"""What the debugger shows of machine code."""

from pathlib import Path

import pytest

from tests.debug.debugsession import BUG, answers, recipe

CODE = """CALL INIT
CALL LOAD(12288,2,1,171,205,4,91)
CALL LOAD(8192,48,0)
CALL LINK("GO")
END
"""
"""LI R1,>ABCD and B *R11 at >3000."""


def test_the_registers_after_a_link(tmp_path: Path) -> None:
    replies = answers(recipe(tmp_path / "go.xb", CODE), "continue", "peek >3000 6", "cpu")
    assert replies[2] == ["02 01 ab cd 04 5b"]
    places, registers = replies[3]
    assert places.startswith("PC=>0AC0 WP=>83E0 ST=>")
    assert "R1=>ABCD R2=>" in registers
    assert "R11=>0AC0" in registers


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("break >3000", ">3000: machine code has no breakpoints; watch a byte that it writes, as"),
        ("peek", "peek is unknown; write peek A000 16"),
        ("peek 3000 -1", "peek 3000 -1 is unknown"),
        ("peek 3000 0", "peek 3000 0 is unknown"),
        ("peek 10000", "peek 10000 is unknown"),
        ("peek -1", "peek -1 is unknown"),
        ("cpu", "no machine code has run; they are those of CALL LINK"),
    ],
)
def test_mistakes(command: str, says: str, tmp_path: Path) -> None:
    (answer,) = answers(recipe(tmp_path / "bug.xb", BUG), command)[1]
    assert answer.startswith(says)
