"""Exported programs: of the recorded form, the same from the same seed, playable when filled in."""

import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.conformance.caseresults import keeping_results
from tests.fuzz import export
from tests.fuzz.fuzzcore import ROOT
from tests.fuzz.fuzzlanguage import TOPICS, subject
from tests.fuzz.fuzzprograms import is_taken
from ti99tools.games.conformance.cases import CaseKind, load
from ti99tools.games.conformance.runner import check

WORDS = (
    "SPRITE",
    "CALL SOUND",
    "OPEN #",
    "PRINT #",
    "INPUT #",
    "LINPUT",
    "CLOSE",
    "REC ",
    "ACCEPT",
    "VALIDATE",
    "INPUT",
    "USING",
    "IMAGE",
    "DISPLAY",
    "ON ERROR",
    "ON WARNING",
    "CALL ERR",
    "RETURN NEXT",
    "SUB ",
    "SUBEXIT",
    "DEF ",
    "DIM ",
    "GOSUB",
    "READ",
    "DATA",
    "RESTORE",
    "FOR ",
    "IF ",
    "ELSE",
    "ON ",
    "CALL CHAR",
    "CALL COLOR",
    "CALL HCHAR",
    "CALL KEY",
    "CALL JOYST",
    "TRACE",
    "UNBREAK",
    "RANDOMIZE",
    "TAB(",
    "DELETE",
    "EOF(",
    "COINC",
    "CALL LOAD",
    "CALL SAY",
)


SESSIONS = 12
"""Of commands, beside the programs."""
TWICE = 10
"""Programs that are played again after their results have been filled in."""


@pytest.fixture(scope="module")
def made() -> list[dict[str, Any]]:
    programs = export.cases(1, 160, [kind for kind in export.KINDS if kind != "states"])
    return [*programs, *export.cases(1, SESSIONS, ["states"])]


def test_the_command_writes_cases_without_results(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    count = len(export.KINDS)
    words = [sys.executable, "-m", "tests.fuzz.export", "--seed", "5", "--count", str(count)]
    words.append(str(file))
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert rows == list(export.cases(5, count)), "the same seed, the same cases"
    for row in rows:
        assert {"id", "area", "title", "capture", "source", "script"} <= row.keys()
        assert "expect" not in row
    assert [row["area"] for row in rows] == [f"random-{kind}" for kind in export.KINDS]


def test_a_kind_and_a_seed(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    assert export.main(["--kind", "subjects", "--seed", "7", "--count", "2", str(file)]) == 0
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["made-subjects-7", "made-subjects-8"]


def test_the_whole_language_is_reached(made: list[dict[str, Any]]) -> None:
    text = "\n".join(line for case in made for line in case["source"])
    assert [word for word in WORDS if word not in text] == []
    assert any("disk_in" in case for case in made)
    assert any("loose" in case for case in made)
    steps = [step for case in made for step in case["script"]]
    assert {key for step in steps for key in step} == {"wait", "type", "press", "snap"}
    assert len({case["id"] for case in made}) == len(made)


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_makes_lines_that_the_editor_takes(topic: str) -> None:
    lines = [line for seed in range(20) for line in subject(Random(seed), topic)]
    assert sum(map(is_taken, lines)) > 0.9 * len(lines)


def test_filled_in_they_are_recorded_cases(made: list[dict[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "filled.jsonl"
    with keeping_results():
        filled = [export.filled(case) for case in (*made[:80], *made[-SESSIONS:])]
    file.write_text("".join(json.dumps(case) + "\n" for case in filled), encoding="utf-8")
    cases = load([file])
    assert [case.kind for case in cases] == [CaseKind.CONSOLE] * len(filled)
    for number, case in enumerate(cases):
        # A few are played a second time; the results of the others are only read back.
        with nullcontext() if number < TWICE else keeping_results():
            [outcome] = check(case)
        assert outcome.ok, outcome
    assert any(case["expect"]["files"] for case in filled)


def test_other_results_are_noticed(made: list[dict[str, Any]], tmp_path: Path) -> None:
    case = export.filled(made[0])
    case["expect"]["final"]["rows"][20] = "?".ljust(32)
    file = tmp_path / "wrong.jsonl"
    file.write_text(json.dumps(case) + "\n", encoding="utf-8")
    [outcome] = check(load([file])[0])
    assert [difference.where for difference in outcome.differences] == ["final screen"]
