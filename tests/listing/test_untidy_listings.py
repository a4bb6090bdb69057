"""Listings as they come from printers, web pages, other editors and the console itself."""

import pytest

from ti99tools.language.dialect import generate
from ti99tools.language.listing.listing import wrap
from ti99tools.language.listing.numbered import is_numbered, read_text

PLAIN = ["100 PRINT 1", "110 END"]


def lines_of(text: str, join: int | None = None) -> list[tuple[int, bytes]]:
    reading = read_text(text, join=join)
    assert not reading.errors, reading.errors
    return [(entry.number, entry.tokens) for entry in reading.entries]


TIDY = lines_of("\n".join(PLAIN))


@pytest.mark.parametrize(
    "text",
    [
        "100 PRINT 1\r\n110 END\r\n",
        "\ufeff100 PRINT 1\n110 END",
        "100\tPRINT\t1\n\t110 END\t\n",
        "100\u00a0PRINT\u00a01\n110 END\n",
        "100 print 1\n110 end\n",
        "\f100 PRINT 1\n\f\n110 END\n",
        ">100 PRINT 1\n >110 END\n",
        "PAGE 1\n100 PRINT 1\n- 2 -\n110 END\nPage 3\n",
        "#!/usr/bin/basic\n100 PRINT 1\n110 END\n",
        "\n\n100 PRINT 1   \n\n110 END \n",
    ],
)
def test_what_does_not_matter(text: str) -> None:
    assert is_numbered(text)
    assert lines_of(text) == TIDY


def test_texts_keep_their_characters() -> None:
    assert lines_of('100 PRINT "\xa0>\t"\t::\xa0END') == lines_of('100 PRINT "\xa0>\t" :: END')
    assert lines_of("100 REM\xa0>")[0][1].endswith(b"\xa0>")
    assert lines_of('100 PRINT "A\u0085B"')[0][1].count(0x85) == 1
    wrapped = "100 PRINT ABCDEFG;ABCDEFG<>1;ABCDE\n>100 :: END"
    assert lines_of(wrapped, 34) == lines_of(wrapped.replace("\n", ""))
    assert lines_of("100 PRINT A>100") == lines_of("100 PRINT A > 100")


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("MY GAME\n100 PRINT 1\n110 END\n", True),
        ("MY GAME\nBY ME\n100 PRINT 1\n", False),
        ("DATA 1\n2 FOR\n3\n", False),
        ("PRINT 1\n! 100 REM\n", False),
    ],
)
def test_a_title_hides_no_listing(text: str, numbered: bool) -> None:
    assert is_numbered(text) is numbered


def test_a_title_is_refused_at_its_place() -> None:
    reading = read_text("MY GAME\n100 PRINT 1\n110 END\n", "x.bas")
    assert [str(error) for error in reading.errors] == [
        "x.bas:1:1: line without a number; remove what stands before the first line, "
        "or begin it with !"
    ]
    assert len(reading.entries) == 2


@pytest.mark.parametrize("width", [28, 80])
@pytest.mark.parametrize(
    "tail",
    [
        "DATA @,200,300,400,500,600,700,800,900,150,160,170,180,190,200,210,220,230,240,250,260",
        'PRINT "@ TEXT WITH    BLANKS      HERE         AND                   THERE AND ELSE"',
        'PRINT "@ 1984 AND 1985 AND 1986 AND 1987 AND 1988 AND 150 OTHER YEARS 160 AND 170 MORE"',
        "IF A@=100 THEN B=150 :: C=160 :: D=170 :: E=180 :: F=190 :: G=200 :: GOTO 150 :: H=120",
        "PRINT @+106*107-108/109^110+111+112+113+114+115+116+117+118+119+120+121+122+123+124",
        "CALL SPRITE(#1,@,150,160,170,#2,97,150,160,170,#3,98,150,160,170,#4,99,150,160,170,1)",
    ],
)
def test_wherever_a_row_ends(tail: str, width: int) -> None:
    """A name or number grows by a digit each time, so that every place of the text begins a row."""
    for shift in range(min(width, 65)):
        line = f"100 {tail.replace('@', '1' * (shift + 1))}"
        if tail.startswith("IF"):
            line = f"100 {tail.replace('@', 'X' * (shift % 14))}" + ":: !" * (shift // 14)
        rows = [*wrap(line, width), "150 REM ABC", "160 END"]
        expected = lines_of(f"{line}\n150 REM ABC\n160 END")
        assert lines_of("\n".join(row.rstrip() for row in rows), width) == expected, rows


def test_a_margin_before_wrapped_rows() -> None:
    rows = ["", '    100 PRINT "THIS IS A LONG TE', '    XT" :: PRINT )', "    110 END", ""]
    reading = read_text("\n".join(rows), "x.bas")
    assert reading.width == 28
    assert not reading.errors
    first = reading.entries[0]
    assert (first.number, str(first.place)) == (100, "x.bas:2:5")
    assert str(first.where(first.tokens.index(b"\xb6"))) == "x.bas:3:18"
    assert lines_of("\n".join(rows)) == lines_of("\n".join(row[4:] for row in rows))


def test_blanks_of_web_pages() -> None:
    assert lines_of('100\xa0REM\xa0A\n110\xa0PRINT\xa0"A\xa0B"') == lines_of(
        '100 REM A\n110 PRINT "A B"'
    )


def test_what_people_type_before_and_after_a_listing() -> None:
    for text in ("NEW\n100 PRINT 1\n110 END\nRUN\n", "```basic\n100 PRINT 1\n110 END\n```\n"):
        assert is_numbered(text)
        assert lines_of(text) == TIDY
        reading = read_text(text, "x.bas")
        rows = text.count("\n")
        assert [str(place) for place in reading.skipped] == ["x.bas:1:1", f"x.bas:{rows}:1"]
    after = read_text("100 PRINT 1\n110 END\nsave dsk1.abc\n\n>RUN\n")
    assert [place.line for place in after.skipped] == [3, 5]
    assert not after.errors
    assert lines_of("100 PRINT 1\n110 END\nSAVE TEST01\nRUN\n") == TIDY
    between = read_text("100 PRINT 1\nRUN\n110 END\n", "x.bas")
    assert [str(error.place) for error in between.errors] == ["x.bas:2:1"]
    full = ["100 PRINT A :: IF A=3 THEN X", "RUN"]
    assert lines_of("\n".join(full), 28) == lines_of("100 PRINT A :: IF A=3 THEN XRUN")


@pytest.mark.parametrize("width", [24, 32, 40, 64])
def test_rows_cut_after_any_width(width: int) -> None:
    texts = [
        '100 PRINT "A TEXT OF MANY WORDS  AND   BLANKS, IN A ROW THAT IS AS LONG AS THIS";A',
        "110 IF A=100 THEN B=150 :: C=160 :: D=170 :: E=180 :: F=190 :: G=200 :: GOTO 120",
        "120 END",
    ]
    rows = [row for text in texts for row in wrap(text, width)]
    assert lines_of("\n".join(rows), join=width) == lines_of("\n".join(texts))
    guessed = read_text("\n".join(rows))
    assert guessed.width is None, "LIST does not use that width"
    assert (
        guessed.errors[0].remedy == f"its lines may be wrapped after {width} characters: join them"
    )
    hanging = [row if row[:3] in ("100", "110", "120") else f"     {row}" for row in rows]
    reading = read_text("\n".join(hanging), "x.bas")
    assert not reading.errors
    assert read_text("\n".join([*texts[:2], "PRINT", "END"])).width is None


def test_rows_that_are_indented_and_end_between_words() -> None:
    rows = [
        "  90 CALL CLEAR",
        ' 100 PRINT "A TEXT THAT IS LONG"',
        "      :: PRINT )",
        ' 110 PRINT "SHORT" :: IF A=3',
        "      THEN",
        "      100 ELSE STOP",
    ]
    reading = read_text("\n".join(rows), "x.bas")
    assert [(e.number, e.tokens) for e in reading.entries] == lines_of(
        '90 CALL CLEAR\n100 PRINT "A TEXT THAT IS LONG" :: PRINT )\n'
        '110 PRINT "SHORT" :: IF A=3 THEN 100 ELSE STOP'
    )
    second = reading.entries[1]
    assert str(second.where(second.tokens.index(b"\xb6"))) == "x.bas:3:16"


def test_tabs_before_further_rows_and_remarks_of_other_languages() -> None:
    text = "# A\n100\tcall clear ::\n\tprint 1\n\n# B\n110\t\tfor a=1 to 2 ::\n\t\t\tnext a\n"
    assert lines_of(text) == lines_of("100 CALL CLEAR :: PRINT 1\n110 FOR A=1 TO 2 :: NEXT A")


def test_wrapped_listings_are_generated_from() -> None:
    rows = ["100 PRINT A;B;C;D;E;F;G;H;I;", "J;K", "REM X", "110 END"]
    assert len(rows[0]) == 28
    generated = generate("\n".join(rows), "x.bas")
    assert generated.listing == ["100 PRINT A;B;C;D;E;F;G;H;I;J;K", "110 END"]
    assert str(generated.sourcemap.place(100)) == "x.bas:1:1"
    assert str(generated.sourcemap.place(110)) == "x.bas:4:1"


@pytest.mark.parametrize("width", [28, 37, 80])
def test_a_title_before_wrapped_lines_costs_one_mistake(width: int) -> None:
    texts = [f"{n} PRINT {n};" + '"TEXT";' * 12 + f":: GOTO {n}" for n in range(100, 150, 10)]
    wrapped = [row for text in texts for row in wrap(text, width)]
    listing = "\n".join(["A GAME FOR ALL THE FAMILY " * 4, "", *wrapped]) + "\n"
    assert is_numbered(listing)
    reading = read_text(listing, "x.bas", join=width if width == 37 else None)
    assert [entry.number for entry in reading.entries] == [100, 110, 120, 130, 140]
    assert [error.place.line for error in reading.errors] == [1]
    assert "begin it with !" in reading.errors[0].remedy


def test_one_row_that_goes_on_with_a_broken_one() -> None:
    whole = '100 CALL CLEAR\n110 PRINT "ONE LONG LINE";"AND ITS END"\n120 END'
    cut = whole.replace('"AND', '"AN\nD')
    assert lines_of(cut, join=29) == lines_of(whole)
    assert len(read_text(cut).errors) == 2, "29 is no width of LIST"
    wrong = read_text('100 CALL CLEAR\n110 PRINT "ONE LONG LINE"\nPRINT 1\n120 END', "x.bas")
    assert [error.place.line for error in wrong.errors] == [3]
