"""Recorded programs, optimized: they leave the same screens and files as before.

Compared are cases whose script does not handle the program itself (LIST, SAVE, editing) and
does not depend on how long statements take; where a script only waits, both forms run to their
ends. Line numbers in messages may differ.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.caseresults import played
from tests.sampling import sampled
from ti99tools.base.errors import TIError
from ti99tools.games.conformance.cases import Case, CaseKind, case_files, load, stem_of
from ti99tools.games.conformance.playback import play
from ti99tools.language.listing.listing import list_lines
from ti99tools.language.optimize import PASSES, Optimized, optimize
from ti99tools.language.program.program import Program

pytestmark = pytest.mark.long

CASES = Path(__file__).parents[1] / "conformance"
FILES = [
    file
    for file in case_files(CASES)
    if re.match("lang|screen|files|foreign|fuzz|random-p|random-s|random-m|prog", file.name)
]
FILLED = re.compile(r"RELATIVE \d{3}")
"""A file that leaves little of the disk: how much depends on the program's length."""
PROMPT = {"until": {"text": ">"}}
SHARE = 6  # as mark.sampled(6, seconds=18)
"""One program in so many is optimized in each run, and compared if that changes it: those of a
sample (`tests/sampling.py`).
"""
TO_THE_END = [{"until": "ready", "max": 6000}]
"""The script of a case that only waits; frames."""
HANDLED = re.compile(r"^\s*(\d|LIST|SAVE|RUN|CON|NUM|RES|OLD|MERGE|SIZE|NEW|BREAK|TRACE)", re.I)


def comparable(case: Case) -> bool:
    if not isinstance(case.data, dict):
        return False
    script = script_of(case)
    if case.kind is not CaseKind.CONSOLE or "source" not in case.data:
        return False
    moments = any("wait" in step or "snap" in step or "down" in step for step in script)
    moments = moments or any(re.search("COINC|POSITION", line) for line in case.data["source"])
    return not moments and not any(HANDLED.match(step.get("type", "")) for step in script)


def script_of(case: Case) -> list[dict[str, Any]]:
    script: list[dict[str, Any]] = case.data.get("script") or []
    if script and all(set(step) == {"wait"} for step in script):
        return TO_THE_END
    return [{"until": "ready"} if step == PROMPT else step for step in script]


def optimized(case: Case) -> Optimized | None:
    return _optimized("\n".join(case.data["source"]) + "\n")


@cache
def _optimized(listing: str) -> Optimized | None:
    try:
        program = Program.from_listing(listing, strict=False)
    except TIError:
        return None
    return optimize([(line.number, line.tokens) for line in program.lines])


def rows(data: Any) -> list[str]:
    plain = (row.replace("\x1e", " ") for row in data.rows)
    return [re.sub(r"(IN|FROM) +\d+ *", "", row) for row in plain]


def files(found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {
        name: {key: value for key, value in file.items() if key != "fdr"}
        for name, file in found.items()
        if name != "LOAD"
    }


@pytest.mark.parametrize("file", FILES, ids=stem_of)
def test_optimized_programs_do_the_same(file: Path, sample: int) -> None:
    """One in six programs of each file."""
    hold(some(file, sample))


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=stem_of)
def test_all_optimized_programs_do_the_same(file: Path) -> None:
    hold(comparable_in(file))


def comparable_in(file: Path) -> list[Case]:
    return list(filter(comparable, load([file])))


def some(file: Path, sample: int) -> list[Case]:
    return sampled(comparable_in(file), SHARE, sample, lambda case: case.id)


def hold(cases: list[Case]) -> None:
    """Play recorded programs as they are and optimized, and compare what they leave."""
    for case in cases:
        found = optimized(case)
        if found is None or not found.applied:
            continue
        source = list(list_lines(found.lines))
        typed = Program.from_listing("\n".join(source) + "\n", strict=False)
        assert tuple((n.number, n.tokens) for n in typed.lines) == found.lines, case.id
        data = {**case.data, "script": script_of(case)}
        if FILLED.search("".join(case.data["source"])) and _sectors(source) != _sectors(
            case.data["source"]
        ):
            continue
        before = played(data)
        if before.notes and data["script"] is TO_THE_END:
            continue
        after = play({**data, "source": source})
        message = f"{case.id}: {found.applied}\n" + "\n".join(source)
        assert rows(after.final) == rows(before.final), message
        assert files(after.files) == files(before.files), message
        assert before.notes == after.notes, message


def _sectors(listing: list[str]) -> int:
    program = Program.from_listing("\n".join(listing) + "\n", strict=False)
    return -(-len(program.to_program_bytes()) // 256)


def passes_of(cases: Iterable[Case]) -> Counter[str]:
    """How many programs each pass of the optimizer changes."""
    found = filter(None, map(optimized, cases))
    return Counter(name for one in found for name in one.applied)


def test_passes_are_compared_on_programs_of_a_sample(sample: int) -> None:
    passes = passes_of(case for file in FILES for case in some(file, sample))
    assert passes["lines"] > 20
    assert passes["sharing"] > 5


@pytest.mark.slow
def test_every_pass_is_compared_on_many_programs() -> None:
    passes = passes_of(filter(comparable, load(FILES)))
    assert set(passes) == set(PASSES)
    assert passes["lines"] > 300
    assert passes["prescan"] > 60
    assert passes["names"] > 20
    assert passes["sharing"] > 100
