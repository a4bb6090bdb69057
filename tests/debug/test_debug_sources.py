"""Statements and lines: structured sources, optimized games, names of variables in both."""

from pathlib import Path

import pytest

from tests.debug.debugsession import answers, recipe
from tests.shipped import shipped
from ti99tools import DiskImage, Program
from ti99tools.app.debug.debugging import Recipe, names_in_program
from ti99tools.app.debug.sources import FileLine, SourceTexts, StatementLines
from ti99tools.app.run import RunRequest
from ti99tools.base import tokens as t
from ti99tools.base.errors import TIError
from ti99tools.games.making.artefacts import as_program, generate_game, program_file
from ti99tools.games.making.finding import find_game, game_names
from ti99tools.games.making.twins import Twins
from ti99tools.language.listing.listing import NAME, scan
from ti99tools.language.optimize import renamings

TOLD = {
    t.PRINT: "PRINT",
    t.DISPLAY: "DISPLAY",
    t.ACCEPT: "ACCEPT",
    t.FOR: "FOR",
    t.NEXT: "NEXT",
    t.ON: "ON",
    t.OPEN: "OPEN",
    t.CLOSE: "CLOSE",
    t.GOSUB: "GOSUB",
    t.RETURN: "RETURN",
    t.RANDOMIZE: "RANDOMIZE",
}
"""Statements that are in a structured source as they are in the program."""


def book_of(path: Path, text: str) -> StatementLines:
    found = recipe(path, text).main
    assert found is not None
    return found


@pytest.mark.parametrize("game", game_names())
def test_statements_of_optimized_games_lead_to_their_lines(game: str) -> None:
    book = Recipe.of(game, RunRequest()).main
    assert book is not None
    texts, looked = SourceTexts(), 0
    for spot, line in book.lines.items():
        word = TOLD.get(book.listing.tokens[spot[0]][spot[1]])
        if word is not None:
            looked += 1
            assert word in book.text(texts, line), (line, book.listing.numbers[spot[0]], word)
    assert looked > 100
    assert all(spot in book.lines for spots in book.entries.values() for spot in spots)


@pytest.mark.parametrize("game", game_names())
def test_names_of_the_source_are_those_of_the_program(game: str) -> None:
    manifest = find_game(game)
    twins = Twins(manifest.folder)
    program = as_program(generate_game(manifest, twins=twins), manifest.source_path)
    lines = [(line.number, line.tokens) for line in program.lines]
    new = renamings(lines, manifest.passes, twins.names)
    names_in_code = {
        element.text
        for line in shipped(game).program.lines
        for element in scan(line.tokens)
        if element.token == NAME
    }
    assert {short for names in new.values() for short in names.values()} <= names_in_code
    assert len(new[""]) > 10
    assert renamings(lines, ["lines"]) == {}


def test_a_game_is_looked_at_with_the_names_of_its_source() -> None:
    source = find_game("d5000").source_path.read_text().splitlines()
    line = next(at for at, text in enumerate(source, 1) if text.strip() == "N=KY-48")
    replies = answers(
        Recipe.of("d5000", RunRequest(seed=7)),
        f"break :{line} if KY>48",
        "c",
        r"type 12\n",
        "print KY-48",
        "vars KY",
        "watch N",
        "next",
    )
    assert "KY>48" in replies[1][0]
    assert "N=KY-48" in replies[1][1]
    stopped = next(rows for rows in replies if rows and "a breakpoint" in rows[0])
    assert stopped[2].endswith("N=KY-48")
    assert replies[4][0].startswith("KY-48 = ")
    assert replies[5][0].startswith("  KY = ")
    assert replies[7][0].startswith("a watched value changes: N: ")


def test_variables_that_share_a_name_are_shown_together() -> None:
    names = names_in_program("lambo")[0][""]
    places = sorted(name for name in names.values() if not name.endswith("$"))
    shared = next(name for name in places if places.count(name) > 1)
    one, other, *_ = together = sorted(old for old, new in names.items() if new == shared)
    game = Recipe.of("lambo", RunRequest(seed=7))
    replies = answers(game, "s", f"vars {one}", f"print {one}", f"print {other}")
    assert replies[2] == [f"  {'/'.join(together)} = 0"]
    assert replies[3][0] == f"{one} = 0"
    assert replies[4][0] == f"{other} = 0"


def test_loops_and_branches_are_entered_once_a_line(tmp_path: Path) -> None:
    text = (
        "WHILE N<3\n  N=N+1\nEND WHILE\nREPEAT\n  N=N-1\nUNTIL N=0\n"
        "IF N=1 THEN\n  A=1\nELSE\n  A=2\nEND IF\nFOR I=1 TO 3 :: B=B+I :: NEXT I\n"
    )
    book = book_of(tmp_path / "p.xb", text)
    assert sorted(line.number for line in book.entries) == [1, 2, 3, 5, 6, 7, 8, 10, 12]
    assert all(len(spots) == 1 for spots in book.entries.values())
    replies = answers(recipe(tmp_path / "p.xb", text), "break :12", "c", "c")
    assert "(1 of 3)" in replies[2][1] and replies[3][0] == "the program ended", (
        "once, not each round"
    )


def test_calls_are_found_from_where_they_come_back_to(tmp_path: Path) -> None:
    text = "GOSUB a\nPRINT 1 :: CALL S(X) :: PRINT 2\nEND\na:\nRETURN\nSUB S(X)\nX=1\nSUBEND\n"
    replies = answers(recipe(tmp_path / "p.xb", text), "s", "where", "s", "s", "s", "where")
    assert [row.rpartition("/")[2].split()[0] for row in replies[2]] == ["p.xb:5", "p.xb:1"]
    assert [row.rpartition("/")[2].split()[0] for row in replies[6]] == ["p.xb:7", "p.xb:2"]


def test_lines_and_files_that_are_not_there(tmp_path: Path) -> None:
    book = book_of(tmp_path / "p.xb", "\nA=1\nB=2\n")
    assert book.nearest("p.xb", 1) == FileLine(str(tmp_path / "p.xb"), 2)
    for file, number, says in (("q.xb", 1, "did you mean p.xb"), ("p.xb", 9, "are 2 to 3")):
        with pytest.raises(TIError, match=says):
            book.nearest(file, number)
    assert book.numbered(100).number == 2
    with pytest.raises(TIError, match="the nearest one is 100"):
        book.numbered(7)


def test_a_program_that_run_has_started_is_listed(tmp_path: Path) -> None:
    image = DiskImage.new(name="D")
    image.add(program_file(Program.from_listing('100 PRINT "SECOND"\n110 A=2\n'), "SECOND"))
    image.save(tmp_path / "d.dsk")
    first = tmp_path / "first.xb"
    first.write_text('PRINT "FIRST"\nRUN "DSK1.SECOND"\n')
    of = Recipe.of(str(first), RunRequest(disks=(("DSK1", tmp_path / "d.dsk"),)))
    replies = answers(of, "next", "next", "where", "list", "list :1", "back")
    assert replies[2][0].startswith("DSK1.SECOND:100, statement 3, ")
    assert replies[2][1] == '> 100 PRINT "SECOND"'
    assert replies[3] == ["  DSK1.SECOND:100 (line 100) program"]
    assert replies[4] == ['> 100 PRINT "SECOND"', "  110 A=2"]
    assert replies[5][0] == '     1 | PRINT "FIRST"'
    assert replies[6][1] == '>    2 | RUN "DSK1.SECOND"'
