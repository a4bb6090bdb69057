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


def low_bytes(found: LintResult) -> int:
    """The bytes of low memory that lint says the SUBs take."""
    message = [each.message for each in found.findings if each.code == "compiled"][1]
    return int(message.partition(", and ")[2].split()[0])


def test_their_bytes_are_counted(tmp_path: Path) -> None:
    found = judged(tmp_path, 9)
    messages = [finding.message for finding in found.findings if finding.code == "compiled"]
    assert messages[0].startswith("GO is compiled: ")
    assert messages[0].endswith("a CALL takes 0.052 s besides what it does")
    assert "bytes of the program with the runtime, and " in messages[1]
    assert low_bytes(judged(tmp_path, 999)) == low_bytes(found) + 2 * 990
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


GAME = """title = "Fail"
version = "1.0"
source = "fail.xb"
program = "FAIL"
disk = "FAIL"
summary = "It fails"
"""
FAILS = """CONST VERSION$="1"
CALL GO(9,X)
END
SUB GO(N,X) COMPILED
  RANGE N=0 TO 20
  DIM A(5)
  X=1
  IF N>3 THEN
    A(N)=X
  END IF
SUBEND
"""


def fails(folder: Path, source: str) -> str:
    """What `run` says of a game."""
    (folder / "game.toml").write_text(GAME)
    (folder / "fail.xb").write_text(source)
    return CliRunner().invoke(cli, ["run", str(folder)]).output


def test_run_says_at_which_statement_of_a_sub_it_failed(tmp_path: Path) -> None:
    output = fails(tmp_path, FAILS)
    assert f"{tmp_path}/fail.xb:2:1: BAD SUBSCRIPT IN 100" in output
    assert f"(in the compiled SUB, {tmp_path}/fail.xb:9:5)" in output


def test_run_says_nothing_of_a_sub_where_another_link_failed(tmp_path: Path) -> None:
    again = """ON ERROR other
CALL GO(9,X)
other:
CALL HAND(X)
END
"""
    sub = 'SUB HAND(X) ASM "hand.a99"\n  X=VAL("")\nSUBEND\n'
    (tmp_path / "hand.a99").write_text(
        "       DEF  HAND\nHAND   LI   R0,>1E00\n       BLWP @>2034\n       END\n"
    )
    output = fails(tmp_path, FAILS.replace("CALL GO(9,X)\nEND\n", again) + sub)
    assert f"{tmp_path}/fail.xb:5:1: BAD VALUE IN" in output
    assert "compiled SUB" not in output
