"""What is told of a source with several mistakes: all of them, each at its place."""

import contextlib
import gc
import weakref
from pathlib import Path

import pytest

from ti99tools.base.errors import SourceError
from ti99tools.language.dialect import generate, translate
from ti99tools.language.dialect.lexer import Mistakes
from ti99tools.language.findings import Severity
from ti99tools.language.program.judgement import advise_file
from ti99tools.language.program.program import Program

MANY = """\
FOR T=1 TO 5
PRINT T
NEXT
CALL KEY(0,K)
SELECT CASE T
CASE 1
PRIMT "X"
CASE 2
CALL HCHAR(50,1,65)
GOTO NOWHERE
CALL CLEER
CALL S(1)
SUB S
SUBEND
"""


def errors(folder: Path, text: str) -> list[tuple[int | None, str]]:
    """Row and remedy of each error that lint finds."""
    source = folder / "x.xb"
    source.write_text(text)
    found, _ = advise_file(source)
    return [(f.place.line, f.remedy) for f in found if f.severity is Severity.ERROR]


def test_mistakes_of_every_kind_are_told_at_once(tmp_path: Path) -> None:
    assert errors(tmp_path, MANY) == [
        (3, "name the variable of its FOR: NEXT T"),
        (4, "write CALL KEY(keyboard unit,code,status)"),
        (5, "close it with END SELECT"),
        (7, "did you mean PRINT?"),
        (9, "the console takes 1 to 24"),
        (10, "put NOWHERE: before a line"),
        (11, "did you mean CLEAR?"),
        (12, "give as many as the SUB has"),
    ]


@pytest.mark.parametrize("word", ["IF", "ELSEIF", "CASE", "WHILE", "SELECT CASE", "UNTIL"])
@pytest.mark.parametrize("part", ["GOSUB x :: A=", "A THEN x ELSE", "GOTO x,y :: ON ERROR x ::"])
def test_a_condition_with_a_label_in_it_is_a_mistake(word: str, part: str, tmp_path: Path) -> None:
    before = {"ELSEIF": "IF A THEN\n", "CASE": "SELECT CASE A\n", "UNTIL": "REPEAT\n"}
    assert errors(tmp_path, f"{before.get(word, '')}{word} V THEN {part}THEN\nx: RETURN\n")


def test_a_run_tells_the_same(tmp_path: Path) -> None:
    source = tmp_path / "x.xb"
    source.write_text(MANY)
    with pytest.raises(SourceError) as caught:
        Program.open(source)
    assert [each.place.line for each in caught.value.others] == [4, 5, 7, 9, 10, 11, 12]


def test_what_another_mistake_may_be_the_cause_of_is_not_told(tmp_path: Path) -> None:
    """The SUB that is called, and the size of an array, may stand in what is wrong."""
    text = "CALL BOARD\nDIM A(20\nA(15)=1\nIF A\nSBU FOO(X)\nSUBEND\n"
    assert {1, 3}.isdisjoint(row for row, _ in errors(tmp_path, text))


def test_a_mistake_without_others_stops_nothing_but_its_statement(tmp_path: Path) -> None:
    """A CALL with wrong arguments is an error of the run: the program is made."""
    source = tmp_path / "x.xb"
    source.write_text("PRINT 1\nCALL KEY(0,K)\n")
    assert len(Program.open(source).lines) == 1


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("SELECT CASE A\nCASE 1\nB=1\nCASE 2\nB=2\nEND IF\nEND SELECT", "x.xb:1:1"),
        ("IF A THEN\nB=1\nELSE\nB=2\nEND SELECT\nEND IF", "x.xb:1:1"),
        ("IF A THEN\nB=1\nELSEIF C THEN\nB=2\nUNTIL B\nEND IF", "x.xb:1:1"),
    ],
)
def test_an_open_block_is_named_by_its_beginning(text: str, place: str) -> None:
    with pytest.raises(SourceError) as caught:
        generate(text, "x.xb")
    assert f"at {place} is open" in caught.value.problem


@pytest.mark.parametrize(
    ("text", "row"),
    [("SELECT CASE A\nCASE 1\nB=1\nCASE 2\nB=2", 1), ("IF A THEN\nB=1\nELSE\nB=2", 1)],
)
def test_a_block_that_is_not_closed_is_told_where_it_begins(
    tmp_path: Path, text: str, row: int
) -> None:
    assert [at for at, _ in errors(tmp_path, text)] == [row]


@pytest.mark.parametrize(
    ("text", "remedies"),
    [
        ("FOR T=1 TO 3\nNEXT", ["NEXT T"]),
        ("FOR T=1 TO 3 :: NEXT", ["NEXT T"]),
        ("FOR T=1 TO 3\nFOR J=1 TO 2\nNEXT\nNEXT", ["NEXT J", "NEXT T"]),
        ("100 FOR T=1 TO 3\n110 FOR J=1 TO 2 :: NEXT\n120 NEXT", ["NEXT J", "NEXT T"]),
        ("100 FOR T=1 TO 3\n110 NEXT T\n120 NEXT", ["NEXT I"]),
        ("100 NEXT", ["NEXT I"]),
    ],
)
def test_a_bare_next_is_told_its_variable(tmp_path: Path, text: str, remedies: list[str]) -> None:
    names = [remedy.rpartition(": ")[2] for _, remedy in errors(tmp_path, text)]
    assert [each for each in names if each.startswith("NEXT")] == remedies


@pytest.mark.parametrize("text", ["GOTO nowhere\nPRINT (\n", "PRINT CHR$(\n", "WHILE A\n", "SUB\n"])
def test_a_source_with_mistakes_does_not_wait_for_the_garbage_collector(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[weakref.ref[Mistakes]] = []

    class Watched(Mistakes):
        def __init__(self, text: str = "", file: str | None = None) -> None:
            super().__init__(text, file)
            kept.append(weakref.ref(self))

    monkeypatch.setattr(translate, "Mistakes", Watched)
    gc.disable()
    try:
        with contextlib.suppress(SourceError):
            generate(text, "x.xb")
        assert [found() for found in kept] == [None, None]
    finally:
        gc.enable()
