"""What lint says of SUBs that are compiled, and `run` of one that fails."""

from pathlib import Path

from click.testing import CliRunner

from ti99tools.app.lint import LintResult, judge
from ti99tools.fronts.cli.main import cli

SOURCE = """DIM A({size})
CALL GO(A(),N)
PRINT N
END
SUB GO(A(),N) COMPILED
  RANGE A()=0 TO 9
  N=A(1){more}
SUBEND
"""


def judged(folder: Path, size: int, more: str = "") -> LintResult:
    path = folder / "go.xb"
    path.write_text(SOURCE.format(size=size, more=more))
    return judge(str(path))


def test_their_bytes_are_counted(tmp_path: Path) -> None:
    found = judged(tmp_path, 9)
    messages = [finding.message for finding in found.findings if finding.code == "compiled"]
    assert messages[0].startswith("GO is compiled: ")
    assert messages[0].endswith("a CALL takes 0.052 s besides what it does")
    assert "with runtime and variables" in messages[1]
    assert found.memory is not None
    assert found.memory.program > int(messages[1].split()[4])
    assert not found.failed


def test_a_program_without_room_for_them_and_what_is_refused_are_errors(tmp_path: Path) -> None:
    large = judged(tmp_path, 3010)
    assert [each.code for each in large.findings if each.severity.label == "error"] == ["memory"]
    assert not judged(tmp_path, 2900).failed
    refused = judged(tmp_path, 9, " :: PRINT N")
    errors = [each for each in refused.findings if each.severity.label == "error"]
    assert [(each.code, each.place.line) for each in errors] == [("compiled", 7)]


def test_run_says_at_which_statement_of_a_sub_it_failed(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(
        'title = "Fail"\nversion = "1.0"\nsource = "fail.xb"\nprogram = "FAIL"\n'
        'disk = "FAIL"\nsummary = "It fails"\n'
    )
    (tmp_path / "fail.xb").write_text(
        'CONST VERSION$="1"\nCALL GO(9,X)\nEND\nSUB GO(N,X) COMPILED\n  RANGE N=0 TO 20\n'
        "  DIM A(5)\n  X=1\n  IF N>3 THEN\n    A(N)=X\n  END IF\nSUBEND\n"
    )
    result = CliRunner().invoke(cli, ["run", str(tmp_path)])
    assert f"{tmp_path}/fail.xb:2:1: BAD SUBSCRIPT IN 100" in result.output
    assert f"(in the compiled SUB, {tmp_path}/fail.xb:9:5)" in result.output
