"""What `!@P-` hides from the pre-scan: lint says so where the recorded machine stopped."""

import json
from pathlib import Path
from typing import Any

import pytest

from ti99tools.language.findings import Finding
from ti99tools.language.lint.linter import lint
from ti99tools.language.listing.numbered import read_text

FILE = Path(__file__).parents[1] / "conformance" / "foreign.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
SWITCHED = [case for case in CASES if "@P-" in "".join(case["source"])]


def unseen(*text: str) -> list[Finding]:
    entries, _, *_ = read_text("\n".join(text), "x.bas", strict=False)
    findings = lint(sorted((entry.number, entry.tokens) for entry in entries))
    return [finding for finding in findings if finding.code == "unscanned"]


@pytest.mark.parametrize("case", SWITCHED, ids=[case["id"] for case in SWITCHED])
def test_recorded_programs(case: dict[str, Any]) -> None:
    text = "".join(case["expect"]["final"]["rows"])
    findings = unseen(*case["source"])
    assert bool(findings) == ("* READY *" not in text)
    for finding in findings:
        assert finding.message.rpartition("fails with ")[2] in text
        assert str(finding.line) in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (["100 !@P-", "110 A=1", "120 A=A+B$"], [("A", 110), ("B$", 120)]),
        (["100 A=1::!@P-", "110 PRINT A", "120 CALL CLEAR"], [("CALL CLEAR", 120)]),
        (["100 CALL S::!@P-", "110 SUB S", "120 SUBEND"], [("SUB S", 100)]),
        (["100 CALL S::!@P-", "105 !@P+", "110 SUB S", "120 SUBEND"], []),
        (
            ["100 CALL S", "110 SUB S::!@P-", "115 Q=1", "118 !@P+", "120 SUBEND"],
            [("Q", 115)],
        ),
        (["100 GOTO 120::A::!@P-", "110 B=1", "120 A=1"], []),
        (["100 A=1::!@P+", "110 B=1"], []),
        (["100 A(1)=1::!@P-", "110 A(2)=1::PRINT A(1,1)"], [("A()", 110)]),
        (["100 NEXT I::!@P-", "110 B=1"], []),
        (["100 A::!@P-", "110 READ A", "120 DATA 1"], [("DATA", 110)]),
        (["100 A::!@P-", "105 RESTORE", "110 READ A", "120 DATA 1"], []),
        (["100 A::!@P-", "105 RESTORE 120", "110 READ A", "120 DATA 1"], []),
    ],
)
def test_what_is_not_seen(text: list[str], expected: list[tuple[str, int]]) -> None:
    found = [(f.message.partition("sees no ")[2].partition(":")[0], f.line) for f in unseen(*text)]
    assert found == expected


def test_a_switch_with_a_blank_is_told() -> None:
    text = ["100 GOTO 130 :: A,B$ :: CALL CHAR", "110 CALL KEY", "120 ! @P-", "130 PRINT A;B$"]
    entries, _, *_ = read_text("\n".join(text), "x.bas", strict=False)
    findings = lint(sorted((entry.number, entry.tokens) for entry in entries))
    assert [(f.code, f.line) for f in findings if f.code != "never-set"] == [("scan-switch", 120)]


def test_a_switch_that_begins_no_statement_is_told() -> None:
    entries, _, *_ = read_text("100 A=1 !@P-\n110 PRINT A\n", "x.bas", strict=False)
    findings = lint(sorted((entry.number, entry.tokens) for entry in entries))
    assert [(f.code, f.remedy) for f in findings] == [("scan-switch", "write :: before it")]
