"""`ti99tools profile`: where a program spends its time."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from ti99tools.cli.main import cli


def test_time_behind_the_last_line_counts_as_that_line(tmp_path: Path) -> None:
    """RETURN NEXT from an error in the last line leads behind the program."""
    source = tmp_path / "end.bas"
    source.write_text("100 ON ERROR 900\n900 RETURN NEXT\n")
    result = CliRunner().invoke(cli, ["profile", str(source)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    assert "900" in result.output
