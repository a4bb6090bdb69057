"""`conformance`: counts, closing line, differences, known failures, exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ti99tools.fronts.cli.main import cli

RECORDED = Path(__file__).parents[1] / "conformance"


def conformance(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["conformance", *map(str, args)])


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """Two cases, one of them wrong."""
    lines = (RECORDED / "screen-print.jsonl").read_text().splitlines()[:2]
    good, bad = (json.loads(line) for line in lines)
    rows: list[Any] = bad["expect"]["final"]["rows"]
    bad["expect"]["final"]["rows"] = [*rows[:-1], "  WRONG" + " " * 25]
    (tmp_path / "some.jsonl").write_text(f"{json.dumps(good)}\n{json.dumps(bad)}\n")
    return tmp_path


def test_what_passes() -> None:
    result = conformance(RECORDED / "screen-using.jsonl", "--jobs", "1")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "24 passed, 0 failed"
    assert result.stdout.splitlines()[0].split() == ["using", "24", "passed", "0", "failed"]


def test_values_of_vectors_count_one_by_one() -> None:
    result = conformance(RECORDED / "vectors" / "format.jsonl")
    assert result.stdout.splitlines()[-1] == "4000 passed, 0 failed"


def test_what_fails(cases: Path) -> None:
    result = conformance(cases)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("FAILED print-")
    assert lines[0].endswith(": final screen")
    assert lines[-1] == "1 passed, 1 failed"
    output = conformance(cases, "--diff").stdout
    assert "WRONG" in output
    assert "original ROMs" in output
    assert "24!" in output


def test_known_failures_do_not_fail_the_run(cases: Path) -> None:
    name = conformance(cases).stdout.split()[1].rstrip(":")
    (cases / "known_failures.txt").write_text(f"{name}\tnot understood yet\n")
    result = conformance(cases)
    assert result.exit_code == 0
    assert "(known: not understood yet)" in result.stdout
    assert result.stdout.splitlines()[-2:] == [
        "1 of the failures are listed as known",
        "1 passed, 1 failed",
    ]
    other = cases / "other.txt"
    other.write_text("")
    assert conformance(cases, "--known", other).exit_code == 1


def test_json(cases: Path) -> None:
    data = json.loads(conformance(cases, "--json").stdout)
    assert (data["passed"], data["failed"]) == (1, 1)
    (failure,) = data["failures"]
    assert failure["known"] is None
    assert "final screen" in failure["differences"]


def test_choosing(cases: Path) -> None:
    result = conformance(RECORDED / "screen-using.jsonl", "--id", "using-decimal")
    assert result.stdout.splitlines()[-1] == "1 passed, 0 failed"
    result = conformance(cases, "--area", "nothing")
    assert result.exit_code == 2
    assert "no case is chosen" in result.stderr
    assert conformance(cases / "none.jsonl").exit_code == 2


def test_a_file_of_no_known_form_is_left_out_and_named(cases: Path) -> None:
    (cases / "a.jsonl").write_text('{"id": "x"}\n')
    result = conformance(cases)
    assert result.exit_code == 2
    assert result.stdout.splitlines()[-1] == "1 passed, 1 failed"
    (message,) = result.stderr.splitlines()
    assert message.startswith(f"error: left out: {cases / 'a.jsonl'}:1: a case of no known form")
    alone = conformance(cases / "a.jsonl")
    assert alone.exit_code == 2
    assert not alone.stdout


def test_programs_as_cartridges() -> None:
    args = (RECORDED / "lang-control.jsonl", "--form", "cartridge", "--jobs", "1")
    result = conformance(*args, "--id", "lang-control-for-*-next-2")
    assert result.exit_code == 0
    assert "not compared: 1, RUN stops there with FOR-NEXT NESTING" in result.stdout
    result = conformance(*args, "--id", "lang-control-for-zerotrip", "--json")
    assert json.loads(result.stdout)["passed"] == 1


def test_a_cartridge_that_does_otherwise(tmp_path: Path) -> None:
    line = (RECORDED / "lang-control.jsonl").read_text().splitlines()[0]
    case = json.loads(line)
    case["source"][-1] = f"{case['source'][-1]}::PRINT 7"
    file = tmp_path / "made.jsonl"
    file.write_text(json.dumps(case))
    result = conformance(file, "--form", "cartridge")
    assert result.exit_code == 1
    assert "FAILED" in result.stdout
    known = tmp_path / "known_as_cartridges.txt"
    known.write_text(f"{case['id']}\tit prints more\n")
    assert conformance(file, "--form", "cartridge").exit_code == 0
