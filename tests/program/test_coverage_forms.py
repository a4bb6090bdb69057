"""The forms of coverage: lcov, JSON and text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.program.lcovreader import read
from ti99tools.base.errors import TIError
from ti99tools.language.program.coverage import (
    Count,
    Coverage,
    from_data,
    missed_lines,
    summary,
    to_data,
    tracefile,
)

SAMPLE = Coverage(
    {
        "b.xb": {(1, 1): Count(0, 0, 0)},
        "a.xb": {
            (2, 1): Count(4, 4, 0),
            (2, 9): Count(0),
            (5, 1): Count(1),
            (2, 20): Count(4, 1, 3),
        },
    }
)


def test_lcov() -> None:
    found = read(tracefile(SAMPLE, "a_test"))
    assert [*found] == ["a.xb", "b.xb"]
    assert found["a.xb"].lines == {2: 4, 5: 1}
    assert found["a.xb"].branches == {(2, 0, 0): 4, (2, 0, 1): 0, (2, 1, 0): 1, (2, 1, 1): 3}
    assert found["a.xb"].sums == {"LF": 2, "LH": 2, "BRF": 4, "BRH": 3}
    assert found["b.xb"].lines == {1: 0}
    assert found["b.xb"].branches == {(1, 0, 0): None, (1, 0, 1): None}
    assert tracefile(Coverage()) == ""


@pytest.mark.parametrize(
    "broken",
    ["SF:a\nDA:1,1\nLF:2\nLH:1\nend_of_record\n", "DA:1,1\n", "SF:a\nDA:1,1\nLF:1\nLH:1\n"],
)
def test_the_reader_refuses_what_is_wrong(broken: str) -> None:
    with pytest.raises(AssertionError):
        read(broken)


def test_json_is_read_back() -> None:
    data = json.loads(json.dumps(to_data(SAMPLE)))
    assert data["form"] == "ti99tools coverage 1"
    assert data["totals"] == {"statements": 5, "reached": 3, "ways": 6, "taken": 3}
    first = data["files"][0]["statements"][0]
    assert first == {"line": 2, "column": 1, "hits": 4, "yes": 4, "no": 0}
    assert data["missed"] == missed_lines(SAMPLE)
    assert from_data(data) == SAMPLE
    with pytest.raises(TIError, match="form"):
        from_data({"form": "other"})


def test_text() -> None:
    assert missed_lines(SAMPLE) == [
        "a.xb:2:1: the condition always held",
        "a.xb:2:9: never ran",
        "b.xb:1:1: never ran",
    ]
    text = " ".join(summary(SAMPLE)[-1].split())
    assert text == "all 3 of 5 statements 60 % 3 of 6 ways of IFs"


def test_files_are_there(tmp_path: Path) -> None:
    (tmp_path / "a.xb").write_text("A\nB\n")
    with pytest.raises(AssertionError):
        read(tracefile(SAMPLE), tmp_path)
