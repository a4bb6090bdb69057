"""A structured line is tokenized once, however far its tokens travel."""

from pathlib import Path

import pytest

from ti99tools.app.target import find_target
from ti99tools.base.errors import Place
from ti99tools.language.dialect.layout import Extent, extent
from ti99tools.language.dialect.lexer import Lexeme, lex, render, source_line
from ti99tools.language.listing import tokenize
from ti99tools.language.listing.listing import list_line, listed_marks
from ti99tools.language.listing.tokenize import tokenize_line, tokenize_marked
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import read_source

GAMES = Path(__file__).parents[2] / "xbasic"
SOURCE = GAMES / "d5000" / "d5000.xb"
MOST = 450
"""Scans of a line that a game of 400 lines may take; each line takes one."""


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rows that the editor's scan has read."""
    rows: list[str] = []

    class Counted(tokenize._Scan):
        def run(self) -> bytes:
            rows.append(self.text)
            return super().run()

    monkeypatch.setattr(tokenize, "_Scan", Counted)
    tokenize_marked.cache_clear()
    return rows


def test_a_source_is_tokenized_once(scans: list[str]) -> None:
    source = read_source(SOURCE)
    assert len(source.entries) <= len(scans) <= MOST
    Program.of(source)
    assert len(scans) <= MOST


@pytest.mark.usefixtures("anew")
def test_a_game_is_tokenized_once(scans: list[str]) -> None:
    target = find_target("d5000")
    assert target.source is not None
    assert len(target.source.entries) <= len(scans) <= MOST


def test_the_source_of_a_game_is_what_lies_on_its_disk() -> None:
    target = find_target("d5000", "D5000")
    assert target.program is not None
    assert target.source is not None
    lines = target.source.lines()
    assert list(target.program.lines) == lines
    number, tokens = lines[100]
    placed = {str(target.where(number, at)) for at, _ in listed_marks(number, tokens)}
    assert all("d5000" in place or "<" in place for place in placed)


def size_of(lexemes: list[Lexeme]) -> tuple[int, int]:
    """Characters and bytes, counted at once and one lexeme after the other."""
    whole, piece = extent(lexemes), Extent()
    for lexeme in lexemes:
        piece = extent([lexeme], piece)
    assert piece == whole
    return whole.characters, whole.size


@pytest.mark.parametrize(
    "text",
    [
        'PRINT "A""B";X$(1,2)::GOTO again',
        "ON X-1 GOTO 100,200::A=.5E-3",
        "RESTORE 100::IF A<=B AND C<>3 THEN 120 ELSE GO TO 30000",
        'PRINT USING 100:A::CALL HCHAR(1,2,3)::GO SUB 100::PRINT : : "X" "Y"',
        'DISPLAY AT(1,2)BEEP SIZE(3):"" :: ON ERROR 500 :: RUN 100',
        "IF A THEN 100 ELSE A=100 :: RETURN 200 :: B=100",
        "OPEN #1:A$,INTERNAL,FIXED 100 :: A,B=1",
        "PRINT REPEAT",
    ],
)
def test_the_extent_is_that_of_the_tokens(text: str) -> None:
    plain = lex(source_line(text, Place("x.xb", 1, 1)))
    row = render(plain)
    assert size_of(plain) == (len(row), len(tokenize_line(f"1 {row}")[1]))


def test_the_extent_of_all_lines_of_a_game() -> None:
    """Packing asks for lexemes; the lines that came of it tell whether it was right."""
    for entry in read_source(SOURCE).entries:
        row = list_line(entry.number, entry.tokens).split(" ", 1)[1]
        if row.startswith(("DATA", "IMAGE")):
            continue
        lexemes = lex(source_line(row, Place("x.xb", 1, 1)))
        size = len(tokenize_line(f"1 {render(lexemes)}")[1])
        assert size_of(lexemes) == (len(render(lexemes)), size), row


def test_marks_of_a_listed_line_are_those_of_its_tokens() -> None:
    for entry in read_source(SOURCE).entries:
        text = list_line(entry.number, entry.tokens)
        marked = dict(tokenize_marked(text, limit=254, trim=False).marks)
        assert dict(listed_marks(entry.number, entry.tokens)).items() <= marked.items()
