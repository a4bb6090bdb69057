"""What lint says of the arguments of built-in subprograms, held against the console."""

import pytest

from ti99tools import Console, Program
from ti99tools.language.lint.linter import lint
from ti99tools.language.listing.builtins import SUBPROGRAMS

ARGUMENTS = [
    "CLEAR A",
    "CHARSET A",
    "SCREEN 2 2",
    "MAGNIFY 2 2",
    "VERSION A B",
    "KEY 0 A B C",
    "GCHAR 1 1 A B",
    "JOYST 1 A B C",
    "HCHAR 1 1 65 2 2",
    "VCHAR 1 1 65 2 2",
    "COINC #1 #2 5 A B",
    "COINC ALL A B",
    "COINC #1 5 5 5 A B",
    "DISTANCE #1 #2 A B",
    "DISTANCE #1 5 5 A B",
    "DISTANCE 1 #2 A",
    "POSITION #1 A B #2 C D #1",
    "LOCATE #1 5 5 #2 6 6 #1",
    "LOCATE 1 5 5",
    "MOTION #1 5 5 #2 6 6 #1",
    "PATTERN #1 65 #2 66 #1",
    'CHAR 128 "FF" 129 "FF" 130',
    "CHARPAT 65 A$ 66 B$ 67",
    "COLOR 1 2 1 2 2 1 3",
    "COLOR #1 2 #2 2 #1",
    "COLOR 1 2 1 #1 2",
    "COLOR #1 2 1 2 1",
    "SPRITE #1 65 2 50 50 5 5 #2 65 2 50 50",
    "SPRITE 1 65 2 50 50",
    "SOUND 9 440 2 550 2 660 2 -1 2",
    "ERR A B C D E",
    "INIT A",
    "DELSPRITE #1 #2 ALL",
    "DELSPRITE #1 ALL #2",
    "DELSPRITE ALL #1",
    "DELSPRITE 1",
    'SPGET "HI" A$ A',
    "KEY ALL A B",
    "KEY #1 A B",
    "SCREEN A()",
    "SAY A$ B$",
    "PEEK 8192 A B",
]


@pytest.mark.parametrize("words", ARGUMENTS)
def test_lint_and_the_console_agree(words: str) -> None:
    name, *arguments = words.split()
    for count in range(len(arguments) + 1):
        listed = f"({','.join(arguments[:count])})" if count else ""
        program = Program.from_listing(
            f"100 CALL SPRITE(#1,65,2,9,9,#2,65,2,9,9)\n110 CALL {name}{listed}\n"
        )
        console = Console()
        console.load(program)
        console.run(seconds=10)
        refused = console.error is not None and console.error.text == "SYNTAX ERROR"
        findings = lint((line.number, line.tokens) for line in program.lines)
        errors = [f.code for f in findings if f.code in ("arguments", "syntax")]
        if name in ("SAY", "PEEK"):
            assert not errors or refused
        else:
            assert bool(errors) == refused, f"CALL {name}{listed}"


def test_every_subprogram_with_known_arguments_is_tried() -> None:
    assert {words.split()[0] for words in ARGUMENTS} == SUBPROGRAMS.keys() - {"LINK", "LOAD"}
