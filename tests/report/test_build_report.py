"""`build --report`: what each pass saves, as text, JSON and HTML."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.fronts.cli.main import cli
from ti99tools.games.report.html import savings_page, text
from ti99tools.language.optimize import PASSES

ROW = {"lines": 10, "size": 500, "start": 9.0, "load": 3.0, "prescan": 2.0, "match": None}
ROWS = [
    {"name": "plain", "applied": True, **ROW},
    {"name": "names", "applied": False, **ROW},
    {"name": "prescan", "applied": True, **ROW, "lines": 12, "size": 480, "start": 7.5},
]


def test_the_text_tells_what_each_pass_changed() -> None:
    lines = list(text({"coin": ROWS}))
    assert len(lines) == 5
    assert "nothing to do" in lines[2]
    for message in ("12 (+2)", "480 (-20)", "7.5 (-1.5)", "–"):
        assert message in lines[3]
    assert lines[4].split() == ["all", "(+2)", "(-20)", "(-1.5)", "-", "-", "-"]


def test_the_page_has_the_same_figures() -> None:
    page = savings_page({"<coin>": ROWS})
    for message in ("12 (+2)", "480 (-20)", "7.5 (-1.5)", "&lt;coin&gt;", "nothing to do"):
        assert message in page


@pytest.mark.slow
def test_the_report_of_a_game(tmp_path: Path) -> None:
    html = tmp_path / "savings.html"
    words = ["build", "dicerack", "--report", "--html", str(html), "--json"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["dicerack"]
    assert [row["name"] for row in rows] == ["plain", *PASSES]
    assert rows[-1]["start"] < rows[0]["start"] / 1.5
    assert rows[-1]["prescan"] < rows[0]["prescan"] / 3
    assert rows[-1]["match"] < rows[0]["match"]
    assert f"{rows[-1]['start']:.1f} (" in html.read_text("utf-8")


def test_html_goes_with_the_report() -> None:
    result = CliRunner().invoke(cli, ["build", "--html", "x.html"])
    assert result.exit_code == 2
    assert "--report" in result.output


@pytest.mark.parametrize("rows", [[], ROWS[:1]])
def test_few_rows_have_no_sum(rows: list[dict[str, object]]) -> None:
    assert len(list(text({"coin": rows}))) == 1 + len(rows)
