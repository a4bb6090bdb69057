"""Listings as LIST and magazines wrap them, joined again."""

import re
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ti99tools.language.listing.listing import list_lines, wrap
from ti99tools.language.listing.numbered import as_one, is_numbered, read_text, to_text
from ti99tools.language.listing.tokenize import EntryError, tokenize_line
from ti99tools.language.listing.wrapped import joined, width_of
from ti99tools.language.program.program import Program

BLANKS = '"' + " " * 100 + '"'
TAILS = st.lists(
    st.sampled_from(
        ["20 :: END", "155 ", '"  "', " ", "::A=1", "GOTO 120", "  7 8", "REM X", "!", BLANKS]
    ),
    max_size=40,
).map("".join)


def line_from(number: int, tail: str) -> tuple[int, bytes] | None:
    return tokens_of(f"{number} PRINT 1 :: {tail}")


def tokens_of(line: str) -> tuple[int, bytes] | None:
    """The number and tokens of a line, None if the editor refuses it."""
    try:
        return tokenize_line(line, limit=254)
    except EntryError:
        return None


def beginning(row: str) -> int:
    """The number that a row begins with, 0 for none."""
    digits = re.match("[0-9]{1,5}", row)
    return int(digits.group()) if digits else 0


@given(st.lists(st.tuples(st.integers(1, 400), TAILS), max_size=12), st.sampled_from([28, 40, 80]))
def test_wrapped_lines_come_back(texts: list[tuple[int, str]], width: int) -> None:
    """Numbers in steps of 500; a piece of a line that looks like the next line cannot be told."""
    found = {500 * (n % 60) + 500: line_from(500 * (n % 60) + 500, tail) for n, tail in texts}
    lines = sorted(line for line in found.values() if line)
    wrapped = [wrap(line, width) for line in list_lines(lines)]
    for (first, *others), after in pairwise([*wrapped, ["32768"]]):
        number, following = (int(row.split()[0]) for row in (first, after[0]))
        assume(not any(number < beginning(row) < following for row in others))
    rows = [to_text(row) for line in wrapped for row in line]
    reading = read_text("\n".join(rows) + "\n", join=width)
    assert not reading.errors
    assert [(entry.number, entry.tokens) for entry in reading.entries] == lines


ROWS = [
    '100 PRINT "ABCDEFGHIJKLMNOPQ',
    'RS"',
    "110 REM",
    "120 A=1 :: B=2 :: IF A=B THE",
    "N 100 ELSE PRINT A;B :: GOTO",
    "130 :: END",
    "130 END",
]


def test_what_a_full_row_goes_on_with() -> None:
    assert [line.text for line in joined(ROWS, 28)] == [
        '100 PRINT "ABCDEFGHIJKLMNOPQRS"',
        "110 REM",
        "120 A=1 :: B=2 :: IF A=B THEN 100 ELSE PRINT A;B :: GOTO130 :: END",
        "130 END",
    ]
    assert width_of(ROWS) == 28


def test_a_full_row_before_the_next_number_is_a_line_of_its_own() -> None:
    rows = ['100 PRINT "ABCDEFGHIJKLMNOP"', "110 END", "120 REM"]
    assert len(rows[0]) == 28
    assert [line.text for line in joined(rows, 28)] == rows
    assert width_of(rows) is None
    assert len(read_text("\n".join(rows)).entries) == 3


def test_rows_that_all_begin_with_a_number() -> None:
    rows = ['100 PRINT "ABCDEFG" :: GOTO', "20 :: END"]
    rows[0] = rows[0].ljust(28)
    more = [row.replace("100", "110") for row in rows]
    assert [line.text for line in joined([*rows, *more], 28)] == [
        '100 PRINT "ABCDEFG" :: GOTO 20 :: END',
        '110 PRINT "ABCDEFG" :: GOTO 20 :: END',
    ]
    assert width_of([*rows, *more]) == 28
    assert width_of(rows) == 28, "GOTO alone is no statement"
    rows[0] = rows[0].replace(" :: GOTO", '" :: ! GO')
    assert width_of(rows) is None, "a listing in another order"


def test_rows_that_are_all_blanks() -> None:
    listing = f"100 PRINT {BLANKS}\n110 REM{' ' * 70}80\n120 PRINT 1\n"
    lines = [tokenize_line(line) for line in listing.splitlines()]
    rows = [to_text(row) for line in list_lines(lines) for row in wrap(line, 28)]
    assert sum(not row.strip(" \u2420") for row in rows) == 3
    reading = read_text("\n".join(rows) + "\n")
    assert [(entry.number, entry.tokens) for entry in reading.entries] == lines


def test_blanks_lost_at_the_end_of_a_full_row_are_put_back() -> None:
    rows = ['100 PRINT "ABCDEFGHIJKLMNOP', ' " :: PRINT 1', '110 PRINT "ABCDEFGHIJKLMNO"']
    assert joined([rows[0][:-1].ljust(27), "X", *rows[2:]], 28)[0].text == (
        '100 PRINT "ABCDEFGHIJKLMNO  X'
    )
    assert joined(rows, 28)[0].text == '100 PRINT "ABCDEFGHIJKLMNOP  " :: PRINT 1'


WORDS = st.lists(
    st.sampled_from(["4", "100", " ", "  ", "GO ", '4 "::A=1::PRINT "', "ABCDEFGH ", "X"]),
    min_size=1,
    max_size=30,
).map("".join)


@given(st.lists(WORDS, min_size=2, max_size=9), st.sampled_from([28, 80]), st.booleans())
def test_a_listing_from_the_machine_keeps_its_spaces(
    texts: list[str], width: int, lost: bool
) -> None:
    """Those at the end of a row, too; where they were lost on the way, that is told."""
    lines = [f'{500 * n} PRINT "{text[:200]}"'.rstrip(" ") for n, text in enumerate(texts, 1)]
    assume(any(len(line) > width for line in lines))
    assume(all(map(tokens_of, lines)))  # cut after 200 characters, a string may not end
    wrapped = [wrap(line, width) for line in lines]
    for at, (_, *others) in enumerate(wrapped, 1):
        assume(not any(500 * at < beginning(row) < 500 * at + 500 for row in others))
        assume(all(row.strip() for row in others))
    rows = [row for pieces in wrapped for row in pieces]
    read = [row.rstrip(" ") for row in rows] if lost else rows
    assume(max(map(len, read)) >= width - 1)
    reading = read_text("\n".join(read) + "\n", join=width)
    assert [entry.line and entry.line.text for entry in reading.entries] == lines
    cut = [n for n, (a, b) in enumerate(zip(read, rows, strict=True), 1) if a != b]
    assert {place.line for place in reading.mended} <= set(cut)
    assert width_of(read, [*map(len, read)]) in (width, None)


def test_a_digit_after_lost_spaces_does_not_end_the_listing() -> None:
    """The row before is a full line, and the next one begins a line though 4 follows it."""
    rows = ['500 PRINT "ABCDEFGHIJKLMNOP"', '1000 PRINT "ABCDEFGHIJK  GO', '4GO "']
    assert [len(row) for row in rows] == [28, 27, 5]
    assert [line.text for line in joined(rows, 28)] == [rows[0], f"{rows[1]} {rows[2]}"]


def test_a_number_above_that_of_the_next_line_begins_no_line() -> None:
    rows = ['500 PRINT "ABCDEFGHIJKLMNO', '4100 GO "', '1000 PRINT "A"::A=1::PRINT 1']
    assert [len(row) for row in rows] == [26, 9, 28]
    assert [line.text for line in joined(rows, 28)] == [f"{rows[0]}  {rows[1]}", rows[2]]


def test_a_row_of_digits_and_two_colons_goes_on_with_a_number() -> None:
    rows = ["3 TONE=784 :: NEXTTONE=59269", "8 :: TE=659 :: TD=587", "10 END"]
    assert len(rows[0]) == 28
    assert [line.text for line in joined(rows, 28)] == [rows[0] + rows[1], rows[2]]


def test_spaces_that_are_put_into_a_string_are_told_by_row() -> None:
    """Not those that were there, or lie between words of the program."""
    rows = [
        '100 PRINT "ABCDEFGHIJKLMNOP ',
        'QRS";A :: PRINT A;B;C :: IF ',
        'A THEN PRINT "X" :: GOTO 100',
        '110 PRINT "ABCDEFGHIJKLMNO',
        'QRS" :: PRINT A',
    ]
    reading = read_text("\n".join(row.ljust(28) if n == 1 else row for n, row in enumerate(rows)))
    assert reading.width == 28
    assert [entry.line and entry.line.text for entry in reading.entries] == [
        "".join(rows[:3]),
        f"{rows[3]}  {rows[4]}",
    ]
    assert [str(place) for place in reading.mended] == ["line 4"]
    again = read_text("\n".join(row.rstrip() for row in rows))
    assert [str(place) for place in again.mended] == ["line 1", "line 4"]


@pytest.mark.parametrize("row", ['4":CALL DELAY', "7)", "9,120,130", '2";A', "55"])
def test_a_row_that_goes_on_with_digits(row: str) -> None:
    """TI's own RAND06 has the first."""
    begin = '130 DISPLAY AT(12,1):"PRESS '
    assert len(begin) == 28
    text = f'{begin}{row.partition(chr(34))[0]}" :: B=4'
    rows = ["100 CALL CLEAR", begin.rstrip(), text[28:], "140 END"]
    reading = read_text("\n".join(rows))
    assert [entry.number for entry in reading.entries] == [100, 130, 140]
    assert reading.entries[1].line is not None
    assert reading.entries[1].line.text == text


@pytest.mark.parametrize("end", ["GOES", "GOES ON AND ON"])
def test_a_row_of_any_length_is_no_width(end: str) -> None:
    text = f'100 PRINT "ODD PLACE {end}\nON"\n110 END\n'
    reading = read_text(text)
    assert reading.width is None
    assert len(reading.errors) == 2
    width = text.index("\n")
    assert (
        reading.errors[0].remedy == f"its lines may be wrapped after {width} characters: join them"
    )
    assert not read_text(text, join=width).errors
    indented = read_text("".join(f"  {row}\n" for row in text.splitlines()))
    assert indented.errors[0].remedy == reading.errors[0].remedy, "the margin does not count"


def test_a_listing_that_is_mostly_wrapped_is_a_source_all_the_same() -> None:
    """As many magazines print them; all that is wrong with most of its rows is the same."""
    line = '{} DISPLAY AT(5,1):"A TEXT THAT IS LONG";A;B;C;"ANOTHER LONG ONE";D;E;F'
    lines = (line.format(number) for number in range(100, 200, 10))
    rows = (text[at : at + 24] for text in lines for at in range(0, len(text), 24))
    wrong = read_text("\n".join(rows), "mag.bas").errors
    remedy = "its lines may be wrapped after 24 characters: join them"
    assert as_one(wrong, 30, "mag.bas", basic=True).remedy == remedy


TYPED = """\
100 IF A=B THEN
 PRINT "X" else

    PRINT "Y" ::
PRINT "::";..
"Z"
110 PRINT "A" ::
120 REM THEN
130 IF A THEN
150
140 A=1 ! ELSE
150 IF B THEN 170 ELSE
160
170 END
"""


def test_a_number_alone_deletes_unless_it_must_be_a_target() -> None:
    reading = read_text("100 A=1 ::\n110\n120 IF A THEN\n130\n", join=0)
    assert [entry.number for entry in reading.entries] == [100, 110, 120]
    assert not reading.errors


@pytest.mark.parametrize("join", [0, 28, 80])
def test_rows_that_go_on_as_people_type_them(join: int) -> None:
    reading = read_text(TYPED, "x.bas", join=join)
    texts = [re.sub(" +", " ", entry.line.text) for entry in reading.entries if entry.line]
    lines = [
        '100 IF A=B THEN PRINT "X" else PRINT "Y" :: PRINT "::"; "Z"',
        '110 PRINT "A" ::',
        "120 REM THEN",
        "130 IF A THEN 150",
        "140 A=1 ! ELSE",
        "150 IF B THEN 170 ELSE 160",
        "170 END",
    ]
    assert texts == lines
    assert not reading.errors
    quoted = reading.entries[0].tokens.rindex(b"\xc7\1Z")
    assert str(reading.entries[0].where(quoted)) == "x.bas:6:1"
    assert len(read_text(TYPED).errors) > 3, "only where that is wanted"


def test_empty_rows_of_a_page_end_stand_within_a_line() -> None:
    lines = [
        '100 PRINT "A TEXT OF MORE THAN ONE ROW" :: PRINT A;B;C;D;E;F :: GOTO 110',
        '110 PRINT "ANOTHER TEXT, AND A PAGE ENDS IN THE MIDDLE OF IT" :: GOTO 100',
        "120 END",
    ]
    rows = ["   " + row for line in lines for row in wrap(line, 44)]
    rows[3:3] = ["", "", ""]
    rows.insert(2, "")
    reading = read_text("\n".join(rows), join=44)
    assert reading.width == 44
    assert [entry.line and entry.line.text for entry in reading.entries] == lines
    assert [entry.place.line for entry in reading.entries] == [1, 4, 9]
    goto = reading.entries[1].tokens.index(b"\x86")
    place = reading.entries[1].where(goto)
    assert (place.line, place.column) == (8, 25)


def test_rows_that_are_full_go_on_though_others_are_longer() -> None:
    rows = ["10 REM A TITLE ADDED LATER BY HAND", "100 CALL SCROLL(24,10,7,A,B,", "C)"]
    assert width_of(rows) == 28
    assert width_of([*rows, "110 PRINT", "NO LINE"]) is None, "after a row that is not full"
    assert width_of([rows[0], rows[1][:-1] + ")", *rows[2:]]) is None, "a line without the rest"


@pytest.mark.parametrize(
    "text",
    [
        "100 PRINT 1\nPRINT 2\n110 END\n",
        f'100 PRINT "{"X" * 68}"\n90 PRINT 1\n80 PRINT 2\n',
        f'100 PRINT "{"X" * 60}"\nPRINT 2\n',
    ],
)
def test_a_listing_that_is_not_wrapped_is_not_joined(text: str) -> None:
    reading = read_text(text)
    assert reading.width is None
    assert len(reading.entries) + len(reading.errors) == text.count("\n")


def test_places_are_those_of_the_rows() -> None:
    reading = read_text("\n".join(ROWS), "x.bas")
    entry = reading.entries[2]
    assert str(entry.place) == "x.bas:4:1"
    assert str(entry.where(entry.tokens.index(b"\x8b"))) == "x.bas:6:8"
    wrong = read_text(ROWS[0] + '\n?S"?\n' + "\n".join(ROWS[2:]), "x.bas")
    assert [str(error.place) for error in wrong.errors] == ["x.bas:2:4"]


def test_remarks_without_a_number_are_told() -> None:
    reading = read_text("rem a\n\n100 PRINT\n ! b\nREMARK\n110 REM c\n", "x.bas")
    assert [str(place) for place in reading.skipped] == ["x.bas:1:1", "x.bas:4:1"]
    assert [entry.number for entry in reading.entries] == [100, 110]
    assert [str(error.place) for error in reading.errors] == ["x.bas:5:1"]


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("100 PRINT", True),
        ("\ufeff\n REM X\n! Y\n\n  100 PRINT", True),
        ("! X\nPRINT 1\n", False),
        ("REMARK=1\n100 PRINT\n", False),
        ("! X", False),
    ],
)
def test_which_texts_are_listings(text: str, numbered: bool) -> None:
    assert is_numbered(text) is numbered


def test_codes_that_editors_take_for_line_ends_have_signs() -> None:
    program = Program.from_listing('100 PRINT "\x80\x85\x9f\xa0"\n')
    assert program.listing() == '100 PRINT "▀▅▟\xa0"\n'
    assert Program.from_listing(program.listing()) == program
