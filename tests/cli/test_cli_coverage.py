"""`--coverage` of run: which statements of the source ran."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.program.lcovreader import read
from ti99tools.fronts.cli.main import cli

SOURCE = """\
FOR I=1 TO 3
  IF I=9 THEN PRINT "<NEVER>" :: A=1
  N=N+I
NEXT I
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sum.xb").write_text(SOURCE)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["run", *words])


def test_text_says_what_never_ran() -> None:
    result = run("sum.xb", "--coverage")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:3] == [
        "sum.xb:2:3: the condition never held",
        "sum.xb:2:15: never ran",
        "sum.xb:2:34: never ran",
    ]
    assert "4 of     6 statements" in result.stdout


def test_lcov_is_what_its_readers_take(here: Path) -> None:
    assert run("sum.xb", "--coverage", "lcov").exit_code == 0
    found = read((here / "coverage.info").read_text(), here)
    assert found["sum.xb"].lines == {1: 1, 2: 3, 3: 3, 4: 3}
    assert found["sum.xb"].branches == {(2, 0, 0): 0, (2, 0, 1): 3}


def test_several_forms_at_once(here: Path) -> None:
    result = run("sum.xb", "--coverage", "json=c.json", "--coverage", "html=c.html")
    assert result.exit_code == 0
    assert not result.stdout
    data = json.loads((here / "c.json").read_text())
    assert data["totals"] == {"statements": 6, "reached": 4, "ways": 2, "taken": 1}
    page = (here / "c.html").read_text()
    assert "&lt;NEVER&gt;" in page
    assert "◐" in page
    assert "<script" not in page


def test_a_games_source_and_library() -> None:
    result = run("dicerack", "--until", "1 PLAY", "--coverage", "json=-")
    data = json.loads(result.stdout)
    names = {Path(file["file"]).name: file["totals"]["reached"] for file in data["files"]}
    assert names["dicerack.xb"] > 0
    assert names["again.xb"] == 0
    assert all(Path(file["file"]).is_file() for file in data["files"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("sum.xb", "--coverage", "xml"), "forms are lcov, html, json, text"),
        (("--coverage", "sum.xb"), "no form of coverage"),
        (("sum.xb", "--coverage", "lcov=nowhere/c.info"), "folder"),
        (("sum.dsk", "--coverage"), "the source is required"),
    ],
)
def test_what_cannot_be_is_told(words: tuple[str, ...], message: str) -> None:
    CliRunner().invoke(cli, ["disk", "new", "sum.dsk", "sum.xb"])
    result = run(*words)
    assert result.exit_code == 2
    assert message in result.stderr
