"""Equal code of the runtime is there once, and control still goes where it went."""

import pytest

from ti99tools.compiler.tighten import skipping, tightened

ONE = ["ONE    MOV  R1,R2", "       BL   @DO", "       RTWP"]
TWO = ["TWO    MOV  R2,R1", "       BL   @DO", "       RTWP"]
FAR_AWAY = ["MIDDLE CLR  R1", *[f"       CLR  @>{at}" for at in range(8300, 8370)], "       RTWP"]


def _made(*rows: str) -> list[str]:
    return [row.strip() for row in tightened(rows, skipping(rows))]


def test_equal_ends_are_there_once() -> None:
    assert _made(*ONE, *TWO) == [
        "ONE    MOV  R1,R2", "JMP  TL1",
        "TWO    MOV  R2,R1", "TL1    BL   @DO", "RTWP",
    ]  # fmt: skip


def test_an_end_out_of_reach_takes_a_branch() -> None:
    made = _made(*ONE, *FAR_AWAY, *TWO)
    assert made[:2] == ["ONE    MOV  R1,R2", "B    @TL1"]
    assert made[-2:] == ["TL1    BL   @DO", "RTWP"]


def test_what_only_jumps_reach_goes_as_a_whole() -> None:
    zero = ["       CLR  *R3+", "       CLR  *R3", "       RTWP"]
    made = _made(
        "A      JEQ  A1", "       RTWP", f"A1     {zero[0].strip()}", *zero[1:],
        "B      JEQ  B1", "       RTWP", f"B1     {zero[0].strip()}", *zero[1:],
    )  # fmt: skip
    assert made == ["A      JEQ  A1", "RTWP", "B      JEQ  B1", "RTWP", "B1",
                    "A1     CLR  *R3+", "CLR  *R3", "RTWP"]  # fmt: skip


def test_a_word_that_a_call_may_come_back_over_stays_a_word() -> None:
    found = ["FIND   INCT R11", "       B    *R11"]
    rows = ["A      BL   @FIND", "       RTWP", "       CLR  R1", "       RTWP"]
    again = ["B      BL   @FIND", "       RTWP", "       CLR  R2", "       RTWP"]
    assert skipping(rows) == {"@FIND"}
    assert _made(*rows, *again, *found) == [row.strip() for row in (*rows, *again, *found)]


def test_data_of_a_call_is_not_its_end() -> None:
    rows = ["A      BL   @SET", "       DATA 1", "       RTWP"]
    assert _made(*rows, "B      BL   @SET", "       DATA 2", "       RTWP") == [
        "A      BL   @SET", "DATA 1", "RTWP", "B      BL   @SET", "DATA 2", "RTWP",
    ]  # fmt: skip


def test_data_before_a_label_stays_there() -> None:
    table = ["       DATA OTHER", "SINK   CLR  R1", "       CLR  R2", "       RTWP"]
    rows = ["OTHER  CLR  R1", "       CLR  R2", "       RTWP", *table]
    made = _made(*rows)
    assert made[made.index("DATA OTHER") + 1] in ("SINK   CLR  R1", "OTHER", "SINK")


def test_code_that_interrupts_look_for_stays_between_its_labels() -> None:
    rows = ["FAR    CLR  *R0", "       B    *R11", "FAREND", "GO     CLR  *R0", "       B    *R11"]
    assert _made(*rows) == [row.strip() for row in rows]


@pytest.mark.parametrize("rows", [ONE, [*ONE, "       TEXT 'A  B'", "       EVEN"]])
def test_what_is_there_once_stays(rows: list[str]) -> None:
    assert tightened(tuple(rows), frozenset()) == rows
