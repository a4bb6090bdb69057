"""Lines of the generated listing: packing, limits, numbers, the way back to the source."""

import random

import pytest

from tests.dialect.dialectrun import printed_rows
from ti99tools.base.errors import Place, SourceError
from ti99tools.language.dialect import generate
from ti99tools.language.dialect.layout import numbering
from ti99tools.language.listing.tokenize import EDITOR_COLUMNS, EDITOR_LINE_BYTES, tokenize_line


def long_source(seed: int) -> str:
    """Statements of all lengths, some with labels that are jumped to."""
    random_ = random.Random(seed)
    rows = []
    for index in range(150):
        label = f"L{index}: " if random_.random() < 0.2 else ""
        statement = random_.choice(
            [
                f'PRINT "{"X" * random_.randrange(100)}"',
                f"A{index}={'+'.join('1' * random_.randint(1, 25))}",
                f"IF A={index} THEN L{index}",
                "GOSUB L0",
                "DATA " + ",".join("123456789"[: random_.randint(1, 9)]),
                "GOTO L0",
            ]
        )
        if "THEN" in statement:
            label = f"L{index}: "
        rows.append(label + statement)
    return "L0: A=1\n" + "\n".join(r for r in rows if not r.startswith("L0:"))


@pytest.mark.parametrize(
    ("statement", "remedy"),
    [("DATA {}", "split it"), ("IF A THEN PRINT {}", "split it or use a block IF")],
)
def test_what_to_do_about_a_line_too_long(statement: str, remedy: str) -> None:
    with pytest.raises(SourceError) as caught:
        generate(statement.format('"' + "X" * 140 + '"'))
    assert caught.value.remedy == remedy


@pytest.mark.parametrize("seed", range(8))
def test_lines_keep_the_limits_of_the_editor(seed: int) -> None:
    listing = generate(long_source(seed)).listing
    for line in listing:
        assert len(line) <= EDITOR_COLUMNS
        assert len(tokenize_line(line)[1]) <= EDITOR_LINE_BYTES
    assert len(listing) < len(generate(long_source(seed), pack=False).listing)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("pack", [True, False])
def test_every_statement_knows_its_source_line(seed: int, pack: bool) -> None:
    source = long_source(seed)
    rows = source.split("\n")
    generated = generate(source, "a.xb", pack=pack)
    for line in generated.listing:
        number, rest = line.split(" ", 1)
        marks = generated.sourcemap.marks(int(number))
        assert marks[0].column == len(number) + 2
        assert marks[0].statement == 0
        for mark in marks:
            assert mark.place.file == "a.xb"
            row = rows[(mark.place.line or 0) - 1][(mark.place.column or 0) - 1 :]
            here = line[mark.column - 1 :]
            # References are numbers in the listing and labels in the source.
            assert row[0] == here[0] or row.startswith("L") or here.startswith("::")
        assert rest


def test_the_source_map_answers_columns_statements_and_lines() -> None:
    generated = generate("A=1\n  PRINT A\nloop: GOTO loop", "x.xb")
    assert generated.listing == ["100 A=1::PRINT A", "110 GOTO 110"]
    found = generated.sourcemap
    assert found.place(100) == Place("x.xb", 1, 1)
    assert found.place(100, 10) == Place("x.xb", 2, 3)
    assert found.statement(100, 1) == Place("x.xb", 2, 3)
    assert found.statement(100, 2) is None
    assert found.place(99) is None
    assert list(found) == [100, 110]
    assert len(found) == 2
    assert 100 in found


def test_statements_behind_then_and_else_count_too() -> None:
    generated = generate("IF A THEN B=1 :: C=2 ELSE D=3")
    places = [generated.sourcemap.statement(100, i) for i in range(5)]
    assert [p and p.column for p in places] == [1, 11, 18, 27, None]


def test_a_folded_argument_comes_from_its_constant() -> None:
    generated = generate("CONST TOP=5\nCALL HCHAR(TOP+1,2,33)")
    assert generated.listing == ["100 CALL HCHAR(6,2,33)"]
    assert generated.sourcemap.place(100, 16) == Place(None, 2, 12)


@pytest.mark.parametrize(
    ("count", "start", "step", "last"),
    [
        (3, 100, 10, 120),
        (3267, 100, 10, 32760),
        (3268, 100, 10, 16435),
        (32767, 100, 10, 32767),
    ],
)
def test_numbers_move_closer_when_they_would_pass_the_last(
    count: int, start: int, step: int, last: int
) -> None:
    numbers = numbering(count, start, step)
    assert len(set(numbers)) == count
    assert numbers[-1] <= 32767
    assert numbers == sorted(numbers)
    if count < 3268:
        assert numbers[0] == start
        assert numbers[1] - numbers[0] == step
    else:
        assert numbers[-1] == last


def test_more_lines_than_numbers_are_refused() -> None:
    with pytest.raises(SourceError, match="32768 lines"):
        numbering(32768, 100, 10)


def test_a_line_that_cannot_be_split_is_an_error_at_its_place() -> None:
    with pytest.raises(SourceError) as caught:
        generate('A=1\nIF A THEN PRINT "' + "X" * 130 + '"', "long.xb")
    assert str(caught.value.place) == "long.xb:2:1"
    with pytest.raises(SourceError, match="LINE TOO LONG") as caught:
        generate("A=1\nA=" + "+".join("1" * 60), "long.xb")
    assert caught.value.place.line == 2


def test_a_long_line_of_the_source_is_split_at_its_statements() -> None:
    listing = generate(" :: ".join(f'PRINT "{"X" * 50}"' for _ in range(4))).listing
    assert len(listing) == 2


def test_generated_jumps_that_change_nothing_are_left_out() -> None:
    source = "WHILE A\nIF B THEN\nPRINT 1\nDATA 2\nEND IF\nEND WHILE\nC=1"
    assert generate(source).listing == [
        "100 IF A=0 THEN 150",
        "110 IF B=0 THEN 100",
        "120 PRINT 1",
        "130 DATA 2",
        "140 GOTO 100",
        "150 C=1",
    ]


def test_break_has_a_line_for_itself_so_that_con_goes_on_behind_it() -> None:
    assert generate("A=1\nBREAK\nB=2\nIF A THEN\nBREAK\nEND IF\nC=3").listing == [
        "100 A=1",
        "110 BREAK",
        "120 B=2::IF A=0 THEN 140",
        "130 BREAK",
        "140 C=3",
    ]


def test_a_jump_to_the_end_of_the_main_program_does_not_land_in_a_sub() -> None:
    listing = generate("IF A THEN\nPRINT 1\nDATA 1\nEND IF\nSUB S\nSUBEND").listing
    assert listing[0] == "100 IF A=0 THEN 130"
    assert listing[3] == "130 END"


def test_a_numbered_listing_comes_back_as_it_is() -> None:
    text = "100 print 1\n  110 GOTO 100 \n"
    generated = generate(text, "old.bas")
    assert generated.listing == ["100 print 1", "110 GOTO 100"]
    assert generated.sourcemap.place(110) == Place("old.bas", 2, 3)


def test_of_lines_with_the_same_number_the_last_counts() -> None:
    generated = generate("10 PRINT 1\n20 END\n10 PRINT 2\n 30 REM\n30\n", "old.bas")
    assert generated.listing == ["20 END", "10 PRINT 2"]
    assert [entry.number for entry in generated.entries] == [20, 10]
    assert generated.sourcemap.place(10) == Place("old.bas", 3, 1)


def test_return_next_after_a_file_or_val_does_not_come_into_the_part_of_else() -> None:
    source = """ON ERROR bad
IF A=0 THEN
  {statement}
ELSE
  PRINT "ONE"
  PRINT "LOST"
END IF
PRINT "DONE"
END
bad:
ON ERROR bad
RETURN NEXT
"""
    for statement in ('B=VAL("X")', 'OPEN #1:"DSK3.X",INPUT', 'PRINT #2:"A"', 'DELETE "DSK3.X"'):
        text = source.format(statement=statement)
        assert printed_rows(text) == ["DONE"], statement
        assert "::GOTO" in generate(text).text
        assert "::GOTO" not in generate(text.replace("RETURN NEXT", "RETURN bad")).text
