"""Make docs/reference.txt: dialect, library, commands and messages as one plain text.

    python docs/reference.py

`ti99tools manual` shows it. tests/docs/test_reference.py fails when it is not what this makes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from ti99tools.base.xberrors import IO_CAUSES, IO_OPERATIONS, TEXTS
from ti99tools.fronts.cli.main import cli
from ti99tools.language.findings import Severity
from ti99tools.language.program.judgement import advise_file

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "reference.txt"
LINK = re.compile(r"\[([^\]]+)\]\([^)\s]*\)")
EXAMPLES = ("menu.xb", "mover.xb")
"""Whole programs of xbasic/lib/examples that the text shows."""
MISTAKES = (
    "FOR I=1 TO 3\nNXT I",
    'A$="X"\nPRINT A',
    "PRINT SCORE",
    "POINTS=1",
    "GOTO again",
    "CALL HCHAR(30,1,65)",
    "CALL CLS",
    "CALL KEY(0,K)",
    "IF A=1 PRINT 2",
    "INPUT A\nIF A=1 OR 2 THEN PRINT A",
    "PRINT LEFT$(N$,2)",
    "DIM A(3)\nA(7)=3",
    "FOR I=3 TO 1\nPRINT I\nNEXT I",
    "GOTO 100\nPRINT 2",
    'OPEN #1:"DSK1.X",FIXED,VARIABLE 80\nCLOSE #1',
    "PRINT #2:1",
    "CALL SOUND(5000,440,0)",
    "CALL SOUND(100,440,50)",
    'CALL CHAR(128,"FFG")',
    "IF A THEN\nPRINT 1",
    "CONST TOP=5\nTOP=6",
    "PROC ASK(V)\nV=5\nEND PROC\nCALL ASK(T)\nPRINT T",
    'INPUT X$,"NAME"',
    "FUNCTION F(X)\nF=X*2\nEND FUNCTION",
    "SUB TWICE(N)\nN=N*2",
)
"""Sources with a mistake each."""
HEAD = """\
ti99tools: the reference as plain text

ti99tools makes, runs and proves Extended BASIC programs for the TI-99/4A. This text is for
reading offline, and to be given to whoever writes a program with it. Its parts, each after a line
with = signs, are the dialect, the library, whole programs, the commands, and the messages. An
example in ```xb is a source; ```listing below it is what the console gets, ```error what is said of
a mistake. `ti99tools lint game.xb` checks a source, `ti99tools run game.xb --screen` runs it.
"""


def text() -> str:
    """The whole text."""
    parts = {
        "dialect": _page(ROOT / "docs" / "dialect.md"),
        "library": _page(ROOT / "xbasic" / "lib" / "README.md"),
        "programs": "\n\n".join(map(_program, EXAMPLES)),
        "commands": "\n".join(_commands()),
        "messages": "\n".join(_messages()),
    }
    sections = [f"===== {name} =====\n\n{part.strip()}\n" for name, part in parts.items()]
    return "\n".join([HEAD, *sections])


def _page(path: Path) -> str:
    """A page without links. Lines in examples stay as they are."""
    pieces = path.read_text(encoding="utf-8").split("```")
    pieces[::2] = [LINK.sub(r"\1", piece) for piece in pieces[::2]]
    return "```".join(pieces)


def _program(name: str) -> str:
    source = (ROOT / "xbasic" / "lib" / "examples" / name).read_text(encoding="utf-8")
    return f"{name}:\n\n```xb\n{source.rstrip()}\n```"


def _commands() -> Iterator[str]:
    """Each command with its arguments, what it does, and its options."""
    root = click.Context(cli, info_name="ti99tools")
    for name in cli.list_commands(root):
        command = cli.get_command(root, name)
        assert command is not None
        yield from _command(name, command, root)


def _command(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    words = [word for word in command.collect_usage_pieces(context) if word != "[OPTIONS]"]
    yield " ".join([context.command_path, *words])
    yield f"    {_first(command.help or '')}"
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if record is not None and isinstance(parameter, click.Option):
            # What Click adds to the help depends on its version.
            yield f"    {record[0]}: {' '.join((parameter.help or '').split())}"
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from _command(inner, found, context)


def _first(help_text: str) -> str:
    """The first paragraph in one line."""
    return " ".join(help_text.split("\n\n")[0].split())


def _messages() -> Iterator[str]:
    yield "Errors of the console, with the number that CALL ERR gives:"
    yield from (f"    {number:>3} {message}" for number, message in sorted(TEXTS.items()))
    yield "The first digit of I/O ERROR is the operation, the second the cause:"
    operations = ", ".join(f"{digit} {word}" for digit, word in IO_OPERATIONS.items())
    yield f"    {operations}"
    yield from (f"    {digit}: {cause}" for digit, cause in IO_CAUSES.items())
    yield "What lint says of mistakes; after each source, its findings, with the rule in brackets:"
    for source in MISTAKES:
        yield from ("", "```mistake", source, "```", *_findings(source))


def _findings(source: str) -> list[str]:
    """The warnings and errors of a source, as lint tells them."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.xb"
        path.write_text(source + "\n", encoding="utf-8")
        found, _ = advise_file(path, root=path.parent)
        texts = [str(each) for each in found if each.severity >= Severity.WARNING]
        return [each.replace(f"{folder}{os.sep}", "") for each in texts]


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
