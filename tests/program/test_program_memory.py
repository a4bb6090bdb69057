"""The memory report against what SIZE showed in recordings."""

import json
from pathlib import Path
from typing import Any

import pytest

from ti99tools.language.program.program import Program

RECORDED = Path(__file__).parents[1] / "conformance" / "size-dev.json"
CASES = json.loads(RECORDED.read_text())
NEEDS_A_RUN = {"size-dims-filled", "size-memory-full-str"}
"""Arrays filled in a loop: only bounds can be told without running."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_size(case: dict[str, Any]) -> None:
    report = Program.from_listing("\n".join(case["source"])).memory
    assert report.program_free == case["program_free"]
    if case["id"] in NEEDS_A_RUN:
        assert report.stack_free_least <= case["stack_free"] < report.stack_free
    else:
        assert report.stack_free == case["stack_free"] == report.stack_free_least


def memory(*lines: str) -> Any:
    return Program.from_listing("\n".join(lines)).memory


def test_names_of_a_sub_are_its_own() -> None:
    once = memory("100 A=1", "110 SUB S", "120 SUBEND")
    twice = memory("100 A=1", "110 SUB S", "115 A=2", "120 SUBEND")
    assert twice.symbols - once.symbols == 9
    assert twice.values - once.values == 8


def test_a_program_that_does_not_fit_shows_it() -> None:
    assert memory("100 DIM A(5000)").program_free < 0
    assert memory("100 DIM A$(6000)").stack_free < 0
    assert memory("100 DIM A(2000)").console_free < 0


def test_text_that_only_a_run_shows() -> None:
    report = memory("100 INPUT A$", "110 B$=A$&A$", '120 C$="ABC"', "130 D$(1)=E$")
    assert report.unknown == ("A$", "B$", "D$")
    assert report.strings == 7
    assert report.strings_most == 7 + 2 * 259 + 11 * 259


def test_constant_subscripts_are_known() -> None:
    report = memory("100 DIM A$(20)", '110 A$(1)="AB"::A$(2)="ABCD"')
    assert report.strings == 6 + 8
    assert report.strings_most == 21 * 8


def test_no_entries_between_prescan_switches() -> None:
    data = memory("100 A=1", "110 B=2")
    hidden = memory("100 A=1", "105 !@P-", "110 B=2")
    assert data.symbols - hidden.symbols == 9


def test_wild_subscripts_and_sizes_stay_bounded() -> None:
    report = memory("100 DIM A(99999999999,99999999999)", "110 DIM B(", "120 DEF", "130 OPTION")
    assert report.program_free < 0


def test_array_parameters_have_no_elements_of_their_own() -> None:
    lines = ["100 DIM A(5),B$(5)", "110 CALL S(A(),B$())", "120 SUB S(X(),Y$())", "130 SUBEND"]
    for base in ([], ["90 OPTION BASE 1"]):
        report = memory(*base, *lines)
        elements = 5 if base else 6
        assert report.values == 8 * elements
        assert report.symbols == 11 + (10 + 2 * elements) + (14 + 1 + 4) + 11 + 10
