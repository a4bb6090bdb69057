"""Editing and RES beyond the recorded sessions."""

import pytest

from ti99tools.language.listing.tokenize import EntryError
from ti99tools.language.program.editor import Editor, parse_resequence
from ti99tools.language.program.program import Program


def edited(*typed: str) -> Editor:
    editor = Editor()
    for text in typed:
        editor.enter(text)
    return editor


def test_an_empty_editor_has_no_program() -> None:
    assert Editor().program is None
    assert edited("100 PRINT", "100").program is None


def test_a_refused_line_changes_nothing() -> None:
    editor = edited("100 PRINT")
    with pytest.raises(EntryError):
        editor.enter('100 PRINT "')
    program = editor.program
    assert program is not None
    assert program.listing() == "100 PRINT\n"


def test_a_protected_program_cannot_be_edited() -> None:
    program = Program.from_listing("100 PRINT").with_protection(True)
    for text in ("110 PRINT", "100", "RES"):
        with pytest.raises(EntryError, match="PROTECTION VIOLATION"):
            Editor(program).enter(text)


def test_memory_full() -> None:
    editor = edited(*(f"{n} REM " + "X" * 130 for n in range(1, 174)))
    program = editor.program
    assert program is not None
    with pytest.raises(EntryError, match="MEMORY FULL"):
        for n in range(200, 210):
            editor.enter(f"{n} REM " + "X" * 130)
    assert program.size <= 24487


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("RES", (100, 10)),
        ("RESEQUENCE", (100, 10)),
        ("res 500", (500, 10)),
        ("RES 500,5", (500, 5)),
        ("RES 500 , 5", (500, 5)),
        ("RES ,7", (100, 7)),
        ("RES500", None),
        ("RESX", None),
        ("PRINT", None),
    ],
)
def test_resequence_command(text: str, numbers: tuple[int, int] | None) -> None:
    assert parse_resequence(text) == numbers


@pytest.mark.parametrize("text", ["RES A", "RES 5;5", "res 1,2,3", "RES -5"])
def test_resequence_with_other_operands(text: str) -> None:
    editor = edited("10 PRINT")
    with pytest.raises(EntryError, match="SYNTAX ERROR"):
        editor.enter(text)


def test_resequence_keeps_line_memory_and_order() -> None:
    editor = edited("30 GOTO 10", "10 GOTO 30", "20 REM GOTO 10")
    editor.enter("RES 1000,5")
    program = editor.program
    assert program is not None
    assert program.listing() == "1000 GOTO 1010\n1005 REM GOTO 10\n1010 GOTO 1000\n"
    assert program.image.in_memory_order() == (1010, 1000, 1005)


@pytest.mark.parametrize("text", ["RES 32767,1", "RES 0", "RES 100,0", "RES 40000", "RES ,32767"])
def test_resequence_past_the_last_line_number(text: str) -> None:
    editor = edited("10 PRINT", "20 PRINT")
    with pytest.raises(EntryError, match="BAD LINE NUMBER"):
        editor.enter(text)


def test_merging_replaces_and_adds() -> None:
    editor = edited("10 PRINT 1", "20 PRINT 2")
    editor.merge(Program.from_listing("20 PRINT 22\n30 PRINT 3\n").lines)
    program = editor.program
    assert program is not None
    assert program.listing() == "10 PRINT 1\n20 PRINT 22\n30 PRINT 3\n"
