"""The pre-scan: what it refuses, what `!@P-` hides, and that its users see the same."""

from __future__ import annotations

import pytest

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.language.listing.numbered import read_text
from ti99tools.language.prescan import Prescan, Scan


def scanned(*text: str) -> Scan:
    entries, errors, *_ = read_text("\n".join(text), "x.bas", strict=False)
    assert not errors
    return Prescan((entry.number, entry.tokens) for entry in entries).program()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("X=1 THEN 2", xb.SYNTAX_ERROR),
        ("GOTO 120 ELSE 130", xb.SYNTAX_ERROR),
        ("PRINT 1::PRINT 2 ELSE PRINT 3", xb.SYNTAX_ERROR),
        ("PRINT 1 ELSE 2::IF A THEN 100", xb.SYNTAX_ERROR),
        ("IF A THEN FOR I=1 TO 2", xb.SYNTAX_ERROR),
        ("IF A THEN PRINT 1::NEXT I", xb.SYNTAX_ERROR),
        ("DIM A(32768)", xb.BAD_VALUE),
        ("DIM A(32767)", xb.MEMORY_FULL),
        ("SUB S(A(1))", xb.BAD_ARGUMENT),
        ("SUB S()", xb.SYNTAX_ERROR),
        ("SUB S(A,", xb.SYNTAX_ERROR),
        ("SUB S(A(,", xb.SYNTAX_ERROR),
        ('SUB S("ABCDEFGHIJKLMN")', xb.NAME_TOO_LONG),
        ("SUB S::SUBEND::PRINT", xb.ILLEGAL_AFTER_SUBPROGRAM),
        ("X=A(1::Y=B)", xb.SYNTAX_ERROR),
        ("X=A(1,1,1,1,1,1,1,1,1)", xb.SYNTAX_ERROR),
        ("X=A(1,1,1,1,1,1,1,1)", xb.MEMORY_FULL),
        ("DEF F(X)=X(1)", xb.IMPROPERLY_USED_NAME),
        ("DEF F(X)=X(1", xb.SYNTAX_ERROR),
        ("GOTO 100 REM A VERY LONG REMARK", xb.NAME_TOO_LONG),
        ("IF A THEN SUBEND", xb.MUST_BE_IN_SUBPROGRAM),
        ("SUB S::IF A THEN SUBEND", xb.SYNTAX_ERROR),
        ("SUB S::FOR I=1 TO 2::SUB T", xb.FOR_NEXT_NESTING),
        ("SUB S::SUBEND X", xb.SYNTAX_ERROR),
        ("SUB S::SUBEXIT X", xb.SYNTAX_ERROR),
        ("OPTION BASE 1::OPTION BASE X", xb.OPTION_BASE_ERROR),
        ("SUB S::DIM A(2)::OPTION BASE 1", xb.OPTION_BASE_ERROR),
    ],
)
def test_refused(line: str, code: int) -> None:
    with pytest.raises(XBError) as caught:
        scanned("90 !", f"100 {line}", "110 END")
    assert (caught.value.code, caught.value.line) == (code, 100)


@pytest.mark.parametrize(
    "line",
    [
        "IF 0 THEN 120 THEN 130",
        "IF A THEN PRINT 1 THEN 2",
        "IF A THEN PRINT 1 ELSE PRINT 2 ELSE PRINT 3",
        "IF A THEN 100::PRINT 1 ELSE 2",
        'SUB S(5,"A")::SUBEND::!@P-',
        "::",
    ],
)
def test_left_to_the_run(line: str) -> None:
    scanned(f"100 {line}")


@pytest.mark.parametrize("off", ["!@P-", "!@p-", "A=0::!@P-", "IF A THEN !@P-"])
@pytest.mark.parametrize("on", ["!@P+", "!@p+"])
def test_the_switch_hides_names_calls_data_and_functions(off: str, on: str) -> None:
    hidden = ["B=1", "CALL CLEAR", "DATA 1", "DEF F(X)=X", "PRINT C::!@P+", "FOR I=1 TO 2"]
    lines = [f"{110 + n} {text}" for n, text in enumerate(hidden)]
    scan = scanned(f"100 {off}", *lines, f"190 {on}", "200 D=1::CALL SCREEN(2)", "210 DATA 2")
    assert set(scan.main.symbols) <= {"A", "D"}
    assert "D" in scan.main.symbols
    assert scan.called == {"SCREEN"}
    assert scan.first_data == len(lines) + 3


@pytest.mark.parametrize("text", ["!@P", "! @P-", "!@P?", 'PRINT "!@P-"'])
def test_other_remarks_switch_nothing(text: str) -> None:
    assert "B" in scanned(f"100 {text}", "110 B=1").main.symbols


def test_a_survey_goes_on_after_mistakes_and_without_end_of_memory() -> None:
    entries, _, *_ = read_text("10 NEXT I\n20 DIM A(32768),B$(9)\n30 C=1", "x.bas", strict=False)
    scan = Prescan((entry.number, entry.tokens) for entry in entries).survey()
    assert set(scan.main.symbols) == {"A", "B$", "C"}
    assert scan.memory.values == 8 * (32769 + 1)


@pytest.mark.parametrize(
    ("line", "seen"), [("X=1 !@P-", True), ("REM@P-", True), ("X=1::!@P-", False)]
)
def test_only_a_remark_that_is_a_statement_switches_the_scan_off(line: str, seen: bool) -> None:
    assert ("Y" in scanned(f"100 {line}", "110 Y=2").main.symbols) == seen


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("PRINT 1", {"entries": 17, "tokens": 2}),
        ("X=1", {"entries": 1, "symbols": 1, "names": 1}),
        ("X=Q(1,2)", {"symbols": 2, "dimensions": 2, "elements": 121, "ahead": 9}),
        ("X=Q(I)", {"ahead": 3, "dimensions": 1, "elements": 11}),
        ("X$=Q$(1)", {"dimensions": 1, "elements": 0}),
        ("CALL CLEAR::CALL CLEAR", {"built_in": 2, "letters": 10, "new_letters": 5}),
        ("CALL S::CALL KEY(0,K,S)", {"own": 1, "built_in": 1, "letters": 3, "new_letters": 3}),
    ],
)
def test_what_a_scan_had_to_do(line: str, counts: dict[str, int]) -> None:
    work = scanned(f"100 {line}", "110 SUB S", "120 SUBEND").work
    alone = scanned("110 SUB S", "120 SUBEND").work
    assert {name: getattr(work, name) - getattr(alone, name) for name in counts} == counts
