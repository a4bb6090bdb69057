"""A game's own machine code that raises an I/O error."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.fronts.cli.main import cli
from ti99tools.games.making.finding import find_game, game_names
from ti99tools.hardware.assembler.source_lines import parse
from ti99tools.language.dialect.reader import library_folder
from ti99tools.language.findings import Finding
from ti99tools.language.lint.code_errors import code_errors, findings_in
from ti99tools.language.program.judgement import advise_file

RAISED = "       LI   R0,>2400\n       BLWP @ERR\n"
ERR = "ERR    EQU  >2034\n"


def findings(code: str) -> list[Finding]:
    rows = (ERR + code).splitlines()
    return list(findings_in(parse(row, "x.a99", number) for number, row in enumerate(rows, 1)))


@pytest.mark.parametrize(
    "code",
    [
        RAISED,
        "       LI   R0,9216\n       LI   R1,5\n       BLWP @>2034\n",
        "       LI   R0,BLOCK\n       MOV  R0,@>8304\n       RT\n" + RAISED,
    ],
)
def test_an_io_error_without_a_block(code: str) -> None:
    (finding,) = findings(code)
    assert finding.code == "io-error"
    assert ">8304" in finding.message
    assert finding.place.line == 1 + len(code.splitlines())


@pytest.mark.parametrize(
    "code",
    [
        "       LI   R0,BLOCK\n       MOV  R0,@>8304\n" + RAISED,
        "PAB    EQU  >8304\n       LI   R0,BLOCK\n       MOV  R0,@PAB\n" + RAISED,
        "       LI   R0,>2200\n       BLWP @ERR\n",
        "       LI   R0,>2400\n       MOV  R3,R0\n       BLWP @ERR\n",
        "       LI   R0,>2400\n       BLWP @VSBW\n",
    ],
)
def test_code_that_is_right(code: str) -> None:
    assert findings(code) == []


@pytest.mark.parametrize("name", game_names())
def test_our_games_are_right(name: str) -> None:
    game = find_game(name)
    sources = sorted(game.folder.glob("*.a99"))
    assert [each for path in sources for each in code_errors(path, library_folder())] == []


def test_lint_and_assemble_tell(tmp_path: Path) -> None:
    (tmp_path / "x.a99").write_text(f"{ERR}       DEF  BAD\nBAD    EQU  $\n{RAISED}       RT\n")
    source = tmp_path / "x.xb"
    source.write_text('CALL BAD\nEND\nSUB BAD ASM "x.a99"\nPRINT\nSUBEND\n')
    findings, _ = advise_file(source)
    (finding,) = (each for each in findings if each.code == "io-error")
    assert finding.place.file == str(tmp_path / "x.a99")
    assert finding.place.line == 5
    arguments = ["assemble", str(tmp_path / "x.a99"), "-o", str(tmp_path / "X")]
    result = CliRunner().invoke(cli, arguments)
    assert ">8304" in result.output
