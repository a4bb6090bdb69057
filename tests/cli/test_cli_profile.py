"""`ti99tools profile`: where a program spends its time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools import Program
from ti99tools.fronts.cli.main import cli


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


def test_the_start_up_is_a_part_of_its_own(tmp_path: Path) -> None:
    source = tmp_path / "wait.bas"
    source.write_text("100 FOR I=1 TO 100 :: NEXT I\n110 CALL KEY(0,K,S):: IF S=0 THEN 110\n")
    image = tmp_path / "wait.dsk"
    saved = CliRunner().invoke(cli, ["tokenize", str(source), "-o", str(tmp_path / "LOAD")])
    assert saved.exit_code == 0, saved.output
    new_disk = CliRunner().invoke(cli, ["disk", "new", str(image), str(tmp_path / "LOAD")])
    assert new_disk.exit_code == 0, new_disk.output
    found = {}
    for target in (source, image):
        words = [
            "profile",
            str(target),
            "--json",
            "--keys",
            "A",
            "--until",
            "X",
            "--max-seconds",
            "9",
        ]
        result = CliRunner().invoke(cli, words)
        found[target] = json.loads(result.stdout)["startup"]
    parts = ("Extended BASIC", "load", "pre-scan", "lines")
    memory, disk = found[source], found[image]
    assert memory["Extended BASIC"] == memory["load"] == 0 < memory["pre-scan"]
    assert disk["Extended BASIC"] > 1
    assert disk["load"] > 0.2
    assert disk["pre-scan"] == memory["pre-scan"]
    assert memory["lines"] == pytest.approx(disk["lines"], abs=0.01)
    assert memory["lines"] > 0.3
    for startup in found.values():
        assert startup["in all"] == pytest.approx(sum(startup[name] for name in parts), abs=0.003)
    shown = CliRunner().invoke(cli, ["profile", str(image), "--until", "X", "--max-seconds", "9"])
    assert "start-up: pre-scan" in shown.output


def test_a_program_that_run_has_started_has_its_own_lines(tmp_path: Path) -> None:
    first, second, disk = (tmp_path / name for name in ("first.xb", "second.xb", "d.dsk"))
    first.write_text('PRINT "FIRST"\nRUN "DSK1.SECOND"\n')
    second.write_text('PRINT "SECOND"\nINPUT "AGAIN? ":A$\nRUN "DSK1.NONE"\n')
    assert CliRunner().invoke(cli, ["disk", "new", str(disk), str(second)]).exit_code == 0
    words = ["profile", str(first), "--disk", str(disk), "--json"]
    rows = json.loads(CliRunner().invoke(cli, words).stdout)["lines"]
    assert [row["from"] for row in rows] == ["DSK1.SECOND"]
    failed = CliRunner().invoke(cli, [*words, "--keys", "N\\n"])
    assert failed.exit_code == 1
    assert failed.stderr.startswith("DSK1.SECOND: I/O ERROR 02 IN 100")
    assert "compile" not in failed.output


@pytest.mark.parametrize("more", [(), ("--until", "NEVER"), ("--keys", "A")])
def test_what_comes_after_the_program_counts_for_no_line(
    more: tuple[str, ...], tmp_path: Path
) -> None:
    source = tmp_path / "short.bas"
    source.write_text("100 PRINT 5\n110 A=1\n")
    data = json.loads(CliRunner().invoke(cli, ["profile", str(source), "--json", *more]).stdout)
    seconds = {row["line"]: row["seconds"] for row in data["lines"]}
    assert seconds[110] < 0.01 < seconds[100]
    assert data["startup"]["lines"] == data["seconds"] < 0.2
