"""What docs/coverage.md says is so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.app.cover import FILES
from ti99tools.fronts.cli.main import cli

PAGE = (Path(__file__).parents[2] / "docs" / "coverage.md").read_text()


def block(kind: str) -> str:
    match = re.search(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    assert match is not None
    return match[1]


def test_the_form_of_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.xb").write_text(block("xb"))
    result = CliRunner().invoke(cli, ["run", "odd.xb", "--coverage", "json=-"])
    assert json.loads(result.stdout) == json.loads(block("json"))


def test_the_forms_and_their_files() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE))
    assert rows.pop("text") == "standard output"
    assert {form: f"`{file}`" for form, file in FILES.items() if form != "text"} == rows


def test_text_names_files_of_the_library_as_the_source_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "low.xb").write_text("GOSUB low\nEND\n#include <keys.xb>\n")
    result = CliRunner().invoke(cli, ["run", "low.xb", "--coverage", "text", "--coverage", "json"])
    rows = result.stdout.splitlines()
    assert [row.split()[0] for row in rows[-3:]] == ["<keys.xb>", "low.xb", "all"]
    files = json.loads((tmp_path / "coverage.json").read_text())["files"]
    assert sorted(Path(each["file"]).is_file() for each in files) == [True, True]
