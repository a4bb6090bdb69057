"""Advice for errors that RUN finds before the first statement, as lint tells it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.computer.console.session import Console
from ti99tools.fronts.cli.main import cli
from ti99tools.language.lint.linter import lint
from ti99tools.language.program.judgement import advise_file
from ti99tools.language.program.program import Program

MISTAKES = [
    ("10 A(1)=3\n20 DIM A(5)", "2:8", "A stands above already: move the DIM up"),
    ("10 DIM A(3),A(4)", "1:13", "A has a DIM already: remove one of the two"),
    ("10 DIM A(3)\n20 DIM A(4)", "2:8", "A has a DIM already: remove one of the two"),
    ("10 DIM B(3)::A(1)=2\n20 DIM A(4)", "2:8", "A stands above already: move the DIM up"),
    (
        "10 DIM A(3)\n20 CALL S\n30 SUB S\n40 A(1)=2\n50 DIM A(4)\n60 SUBEND",
        "5:8",
        "A stands above already: move the DIM up",
    ),
    (
        "10 IF A=0 THEN PRINT 1::FOR I=1 TO 3::NEXT I",
        "1:25",
        "FOR cannot stand in an IF: let THEN go to a line with it",
    ),
    (
        "10 A=1\n20 DIM B(4),A(5)",
        "2:13",
        "A is no array elsewhere and an array of 1 subscript here: choose another name, "
        "or move the DIM up",
    ),
    (
        "10 A(1)=1\n20 A(1,B(2,3))=A(4)",
        "2:4",
        "A is an array of 1 subscript elsewhere and an array of 2 subscripts here: "
        "choose another name",
    ),
    (
        "10 NEXT I",
        "1:4",
        "there are more NEXT than FOR up to here: remove one, or write its FOR before it",
    ),
    ("10 FOR I=1 TO 3\n20 FOR J=1 TO 3\n30 NEXT J", "3:4", "FOR I has no NEXT: write NEXT I"),
    ("10 CALL X(1)\n20 SUB X(A)\n30 PRINT A", "3:4", "end the SUB before it with SUBEND"),
    ("10 SUBEXIT", "1:4", "SUBEND and SUBEXIT stand in a SUB only"),
]


@pytest.mark.parametrize(("program", "place", "remedy"), MISTAKES)
def test_what_to_do_before_the_run(program: str, place: str, remedy: str, tmp_path: Path) -> None:
    source = tmp_path / "a.bas"
    source.write_text(program + "\n")
    result = CliRunner().invoke(cli, ["lint", "--quiet", str(source)])
    assert result.exit_code == 1
    assert f"a.bas:{place}: error: RUN will stop with " in result.output
    assert f"; {remedy} [prescan]" in result.output


@pytest.mark.parametrize("program", [program for program, _, _ in MISTAKES])
def test_console_lint_and_command_line_tell_the_same(program: str, tmp_path: Path) -> None:
    source = tmp_path / "a.bas"
    source.write_text(program + "\n")
    result = CliRunner().invoke(cli, ["lint", "--json", str(source)])
    findings, _ = advise_file(source)
    assert json.loads(result.output)["findings"] == [f.as_dict() for f in findings]

    read = Program.open(source)
    console = Console()
    console.load(read)
    assert console.run() == "error"
    assert console.error is not None
    message = f"RUN will stop with {console.error.text}"
    found_by_lint = [
        f for f in lint((n.number, n.tokens) for n in read.lines) if f.code == "prescan"
    ]
    assert [(f.message, f.line) for f in found_by_lint] == [(message, console.error.line)]
