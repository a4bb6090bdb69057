"""From counts to the source: places, ways of IFs, and the same whatever the optimizer does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shipped import shipped
from ti99tools import Console, Program
from ti99tools.games.making.artefacts import as_program, generate_game, optimized
from ti99tools.games.making.finding import all_games
from ti99tools.games.making.manifest import Manifest
from ti99tools.language.dialect import Generated, generate_file
from ti99tools.language.optimize import PASSES
from ti99tools.language.program.coverage import (
    Count,
    Coverage,
    Plan,
    Totals,
    plan_of,
    plan_of_source,
)
from ti99tools.language.program.sourcefile import read_source
from ti99tools.language.syntax import parse_line
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement

STRUCTURED = """\
CONST TIMES=3
#include "more.xb"
CALL CLEAR
FOR I=1 TO TIMES
  IF I=2 THEN
    A=A+1 :: B=B+1
  ELSE
    C=C+1
  END IF
NEXT I
WHILE N<4
  N=N+1
END WHILE
REPEAT
  N=N-1
UNTIL N=0
IF N=9 THEN PRINT "NEVER"
CALL ADD(N)
END
"""
MORE = "SUB ADD(X)\n  X=X+1 :: IF X>5 THEN SUBEXIT\n  X=0\nSUBEND\n"


@pytest.fixture
def structured(tmp_path: Path) -> Path:
    (tmp_path / "more.xb").write_text(MORE)
    path = tmp_path / "main.xb"
    path.write_text(STRUCTURED)
    return path


def counted(plan: Plan, program: Program) -> Coverage:
    console = Console(watched=True)
    console.load(program)
    assert console.run() == "ready"
    return plan.coverage(console.hits[program.lines])


def by_name(coverage: Coverage) -> dict[str, dict[tuple[int, int], Count]]:
    return {Path(name).name: dict(counts) for name, counts in coverage.files.items()}


def test_a_structured_source_with_an_include(structured: Path) -> None:
    source = read_source(structured)
    found = by_name(counted(plan_of_source(source), Program.of(source)))
    assert found["main.xb"] == {
        (3, 1): Count(1),
        (4, 1): Count(1),
        (5, 3): Count(3, 1, 2),
        (6, 5): Count(1),
        (6, 14): Count(1),
        (8, 5): Count(2),
        (10, 1): Count(3),
        (11, 1): Count(5, 4, 1),
        (12, 3): Count(4),
        (13, 1): Count(4),
        (15, 3): Count(4),
        (16, 1): Count(4, 1, 3),
        (17, 1): Count(1, 0, 1),
        (17, 13): Count(0),
        (18, 1): Count(1),
        (19, 1): Count(1),
    }
    assert found["more.xb"] == {
        (2, 3): Count(1),
        (2, 12): Count(1, 0, 1),
        (2, 24): Count(0),
        (3, 3): Count(1),
        (4, 1): Count(1),
    }


def test_a_numbered_listing(tmp_path: Path) -> None:
    path = tmp_path / "listing.xb"
    row = "  110 A=1::IF A=2 THEN 100 ELSE B=3::C=4"
    path.write_text(f"  100 REM X\n{row}\n  120 DATA 1\n")
    source = read_source(path)
    found = by_name(counted(plan_of_source(source), Program.of(source)))
    starts = ("A=1", "IF", "B=3", "C=4")
    counts = (Count(1), Count(1, 0, 1), Count(1), Count(1))
    places = [(2, row.index(text) + 1) for text in starts]
    assert found == {"listing.xb": dict(zip(places, counts, strict=True))}


def test_a_program_file_has_no_places(tmp_path: Path, structured: Path) -> None:
    path = tmp_path / "program"
    path.write_bytes(Program.of(read_source(structured)).saved().content)  # type: ignore[arg-type]
    assert plan_of_source(read_source(path)).spots == ()


def branchy(at: int) -> str:
    """A source with what passes change: jumps after IFs, DATA, DEF, ON ERROR, a long SUB."""
    return f"""\
DEF TWICE(X)=X*2
ON ERROR trouble
FOR ROUND=1 TO 9
  READ VALUE :: IF VALUE>{at} THEN SUM=SUM+TWICE(VALUE) :: PRINT SUM
  GOSUB sorted
  CALL LONGONE(ROUND,SUM)
NEXT ROUND
A$=SEG$("ABC",1,{at}-5)
END
sorted:
  IF VALUE=3 THEN odd
  IF VALUE=4 THEN COUNT=COUNT+1
  RETURN
odd:
  ODD=ODD+1 :: IF ODD>1 THEN PRINT "TWICE"
  GOTO leaving
other:
  PRINT "NEVER"
leaving:
  RETURN
DATA 1,2,3,4,5,4,3,2,1
trouble:
  ERRORS=ERRORS+1
  RETURN NEXT
SUB LONGONE(COUNTER,TOTAL)
  FIRST=COUNTER+TOTAL :: SECOND=FIRST+COUNTER :: THIRD=SECOND+FIRST
  FIRST=FIRST+SECOND+THIRD+FIRST+SECOND+THIRD+FIRST+SECOND+THIRD
  SECOND=FIRST+SECOND+THIRD+FIRST+SECOND+THIRD+FIRST+SECOND+THIRD
  THIRD=FIRST+SECOND+THIRD+FIRST+SECOND+THIRD+FIRST+SECOND+THIRD
  IF FIRST>THIRD THEN FIRST=THIRD :: SECOND=FIRST+THIRD
  FOR INNER=1 TO 3 :: FIRST=FIRST+INNER :: NEXT INNER
SUBEND
"""


def plan_and_program(
    generated: Generated, path: Path, passes: list[str] | None
) -> tuple[Plan, Program]:
    found, program = optimized(generated, as_program(generated, path), passes)
    return plan_of(program.lines, found.sourcemap), program


@pytest.mark.parametrize("passes", [None, *([name] for name in PASSES)], ids=str)
@pytest.mark.parametrize("at", [2, 4, 6])
def test_an_optimized_program_counts_the_same(
    tmp_path: Path, at: int, passes: list[str] | None
) -> None:
    path = tmp_path / "branchy.xb"
    path.write_text(branchy(at))
    generated = generate_file(path)
    plain, optimal = (
        plan_and_program(generated, path, []),
        plan_and_program(generated, path, passes),
    )
    if passes is None:
        assert optimal[1].lines != plain[1].lines
        assert any(spot.counts == "else" for spot in optimal[0].spots)
    assert counted(*optimal) == counted(*plain)


@pytest.mark.parametrize("game", all_games()[0], ids=lambda m: m.game)
def test_every_statement_of_a_game_is_mapped(game: Manifest) -> None:
    plain, optimal = shipped(game.game, ()), shipped(game.game)
    plans = [plan_of(b.program.lines, b.generated.sourcemap) for b in (plain, optimal)]
    assert plans[0].coverage({}) == plans[1].coverage({})
    silent = (st.EmptyStatement, st.Data, st.Dim, st.OptionBase, st.Image, st.Sub)
    runs = {
        (line.number, node.at)
        for line in plain.program.lines
        for node in every_statement(parse_line(line.tokens))
        if not isinstance(node, silent)
    }
    assert runs == {(spot.number, spot.offset) for spot in plans[0].spots}


def test_a_listing_that_is_a_games_source_has_places_too(tmp_path: Path) -> None:
    path = tmp_path / "listing.xb"
    path.write_text("100 A=1::B=2\n  110 IF A=1 THEN PRINT 1\n")
    generated = generate_file(path)
    [only] = by_name(plan_of(as_program(generated, path).lines, generated.sourcemap).coverage({}))
    assert only == "listing.xb"
    counts = plan_of(as_program(generated, path).lines, generated.sourcemap).coverage({})
    assert [*counts.files[str(path)]] == [(1, 1), (1, 10), (2, 3), (2, 19)]


def test_counts_add_up() -> None:
    a = Coverage({"A": {(1, 1): Count(2, 1, 1)}, "B": {(1, 1): Count(0)}})
    b = Coverage({"A": {(1, 1): Count(3, 0, 3), (2, 1): Count(0)}})
    assert a | b == b | a
    assert (a | b).files["A"] == {(1, 1): Count(5, 1, 4), (2, 1): Count(0)}
    assert (a | b).files["B"] == {(1, 1): Count(0)}
    assert (a | b).totals() == Totals(3, 1, 2, 2)
    assert (a | b).totals("B").share == 0
    assert Coverage().totals().share == 1
    assert [str(place) for place, _ in (a | b).missed()] == ["A:2:1", "B:1:1"]


def test_generate_game_still_tells_places() -> None:
    game = all_games()[0][0]
    assert all(spot.place.line for spot in plan_of((), generate_game(game).sourcemap).spots)
