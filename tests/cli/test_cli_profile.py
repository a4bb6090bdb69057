"""`ti99tools profile`: where a program spends its time."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from ti99tools import Program
from ti99tools.cli.main import cli


def test_time_behind_the_last_line_counts_as_that_line(tmp_path: Path) -> None:
    """RETURN NEXT from an error in the last line leads after the program."""
    source = tmp_path / "end.bas"
    source.write_text("100 ON ERROR 900\n900 RETURN NEXT\n")
    result = CliRunner().invoke(cli, ["profile", str(source)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    assert "900" in result.output


def test_a_damaged_program_has_lines_with_nothing_on_them(tmp_path: Path) -> None:
    path = tmp_path / "damaged"
    data = Program.from_listing("100 REM\n110 STOP\n").to_program_bytes()
    assert data.count(b"\x02\x9a\x00") == 1
    path.write_bytes(data.replace(b"\x02\x9a\x00", b"\x02\x00\x00"))
    result = CliRunner().invoke(cli, ["profile", str(path)])
    assert result.exit_code == 0, result.output
    assert "110 STOP" in result.output
