"""What a run warns of: names without a value that was meant, and sprites that cannot be seen."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.base.errors import Place
from ti99tools.fronts.cli.main import cli
from ti99tools.language.lint.linter import Linter
from ti99tools.language.listing.numbered import read_text
from ti99tools.language.program.judgement import surprises
from ti99tools.language.program.sourcefile import read_source, source_of

CONFORMANCE = Path(__file__).parents[1] / "conformance"
GAMES = Path(__file__).parents[2] / "xbasic"


def surprises_in(text: str) -> list[tuple[str, int | None]]:
    """The code and the row of each surprise in a text."""
    return [(each.code, each.place.line) for each in surprises(source_of(text, "x.xb"))]


@pytest.mark.parametrize(
    "text",
    [
        "IF JOYST(1)=4 THEN PRINT 1",
        "PRINT ADD(1,2)\nSUB ADD(A,B,C)\nC=A+B\nSUBEND",
        "RANDOMIZE TIMER",
        "X=TRUE\nPRINT X",
        "CALL SPRITE(#1,SHIP,16,9,9)",
        "100 PRINT SCORE",
        "100 SC0RE=1\n110 PRINT SCORE",
    ],
)
def test_a_name_that_was_meant_to_have_a_value_is_told(text: str) -> None:
    assert [code for code, _ in surprises_in(text)] == ["never-set"]


@pytest.mark.parametrize("text", ["PRINT A", "100 PRINT N$;X1", "A1=B\nPRINT A1"])
def test_short_names_are_often_meant_to_be_0(text: str) -> None:
    assert surprises_in(text) == []


SPRITE = "CALL SPRITE(#1,136,16,9,9)"


@pytest.mark.parametrize(
    "text",
    [
        SPRITE,
        f'CALL CHAR(128,"FF")\n{SPRITE}',
        "CALL SPRITE(#1,65,16,9,9,#2,136,5,9,9)",
        "CALL SPRITE(#1,65,16,9,9)\nCALL PATTERN(#1,136)",
        f'CALL CHAR(135,"FF")\nCALL MAGNIFY(2)\n{SPRITE}',
    ],
)
def test_a_sprite_whose_character_is_blank_is_told(text: str) -> None:
    assert [code for code, _ in surprises_in(text)] == ["undrawn"]


@pytest.mark.parametrize(
    "text",
    [
        "CALL SPRITE(#1,65,16,9,9)",
        f'CALL CHAR(136,"FF")\n{SPRITE}',
        f'{SPRITE}\nCALL CHAR(136,"FF")',
        f'CALL CHAR(134,RPT$("F",64))\n{SPRITE}',
        f'FOR C=128 TO 143\nCALL CHAR(C,"FF")\nNEXT C\n{SPRITE}',
        f'CALL CHAR(138,"FF")\nCALL MAGNIFY(3)\n{SPRITE}',
        f"CALL INIT\nCALL LOAD(8200,0)\n{SPRITE}",
        f'{SPRITE}\nRUN "DSK1.NEXT"',
        "INPUT C\nCALL SPRITE(#1,C,16,9,9)",
    ],
)
def test_a_sprite_that_can_be_seen_is_not_told(text: str) -> None:
    assert surprises_in(text) == []


def test_lint_tells_of_sprites_too() -> None:
    lines, _, *_ = read_text(f"100 {SPRITE}")
    (finding,) = Linter({e.number: e.tokens for e in lines}, lambda n, o: Place()).findings()
    assert (finding.code, finding.remedy) == ("undrawn", "draw it with CALL CHAR(136,pattern)")


DRAWS = 'CALL CHAR(136,"FF")'


def linted(text: str) -> list[tuple[str, int | None]]:
    """The code and the row of each finding of lint in a listing."""
    lines, _, *_ = read_text(text)
    linter = Linter({e.number: e.tokens for e in lines}, lambda n, o: Place(line=n))
    return [(each.code, each.place.line) for each in linter.findings()]


@pytest.mark.parametrize(
    "text",
    [
        f"100 {SPRITE}\n110 {DRAWS}",
        f"100 {SPRITE} :: {DRAWS}",
        f"100 {SPRITE}\n110 GOSUB 200\n120 END\n200 {DRAWS}\n210 RETURN",
        f"100 GOTO 120\n110 {DRAWS} :: END\n120 {SPRITE}\n130 GOTO 110",
        f"100 {SPRITE}\n110 CALL DRAW\n120 SUB DRAW\n130 {DRAWS}\n140 SUBEND",
    ],
)
def test_lint_says_that_a_sprite_is_made_before_it_is_drawn(text: str) -> None:
    lines = [int(row[:3]) for row in text.split("\n") if SPRITE in row]
    assert ("drawn-late", lines[0]) in linted(text)


@pytest.mark.parametrize(
    "text",
    [
        f"100 {DRAWS} :: {SPRITE}",
        f"100 GOSUB 200\n110 {SPRITE}\n120 END\n200 {DRAWS}\n210 RETURN",
        f"100 CALL DRAW\n110 {SPRITE}\n120 SUB DRAW\n130 {DRAWS}\n140 SUBEND",
        f"100 IF X THEN 120\n110 {DRAWS}\n120 {SPRITE}",
        f"100 GOTO 120\n110 {SPRITE} :: END\n120 {DRAWS}\n130 GOTO 110",
    ],
)
def test_a_sprite_that_may_be_drawn_before_is_not_told(text: str) -> None:
    assert "drawn-late" not in [code for code, _ in linted(text)]


@pytest.mark.parametrize("name", ["d5000", "dicerack", "dimraw", "lambo"])
def test_the_games_have_none(name: str) -> None:
    assert surprises(read_source(GAMES / name / f"{name}.xb")) == []


def test_few_recorded_programs_have_one() -> None:
    """Those that mean 0 by a name that they never set use short names."""
    judged, surprising = 0, []
    for path in sorted(CONFORMANCE.glob("*.jsonl")):
        for row in path.read_text().splitlines():
            case = json.loads(row)
            text = "\n".join(case.get("source") or [])
            if not text:
                continue
            entries, _, *_ = read_text(text, strict=False)
            lines = {e.number: e.tokens for e in sorted(entries, key=lambda e: e.number)}
            found = Linter(lines, lambda n, o: Place()).surprises()
            judged += 1
            surprising += [case["id"]] * bool(found)
    assert judged > 500
    assert len(surprising) < judged / 50, surprising


def test_a_run_shows_them_and_goes_on(tmp_path: Path) -> None:
    program = tmp_path / "x.xb"
    program.write_text("IF JOYST(1)=4 THEN PRINT 1\n" + "PRINT ALPHA;BETA;GAMMA;DELTA;EPSILON\n")
    result = CliRunner().invoke(cli, ["run", str(program)])
    assert result.exit_code == 0
    assert f"{program}:1:4: warning: JOYST is never set" in result.stderr
    assert "1 more warnings; `ti99tools lint" in result.stderr


def test_a_program_file_is_run_without_a_word(tmp_path: Path) -> None:
    source, program = tmp_path / "x.bas", tmp_path / "X"
    source.write_text("100 PRINT SCORE\n")
    assert CliRunner().invoke(cli, ["tokenize", str(source), "-o", str(program)]).exit_code == 0
    assert "warning" not in CliRunner().invoke(cli, ["run", str(program)]).stderr
