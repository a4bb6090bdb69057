"""Each pass on small programs: what it changes, and what it leaves alone."""

from pathlib import Path

import pytest

from ti99tools.base.errors import TIError
from ti99tools.language.dialect import generate, generate_file
from ti99tools.language.listing.listing import list_lines
from ti99tools.language.optimize import PASSES, optimize
from ti99tools.language.optimize.flow import expected
from ti99tools.language.optimize.pipeline import mapped
from ti99tools.language.optimize.rows import rows_of
from ti99tools.language.program.program import Program


def lines_of(listing: str) -> list[tuple[int, bytes]]:
    return [(line.number, line.tokens) for line in Program.from_listing(listing).lines]


def listing_after(listing: str, *passes: str) -> list[str]:
    """The listing after these passes."""
    return list(list_lines(optimize(lines_of(listing), passes).lines))


def test_remarks_go_and_jumps_follow() -> None:
    listing = "100 REM A\n110 PRINT 1 ! B\n120 REM C\n130 ! D\n140 GOTO 120\n"
    assert listing_after(listing, "remarks") == ["110 PRINT 1", "140 GOTO 140"]


@pytest.mark.parametrize("line", ["100 A=1 :: IF A THEN ! NOTHING", "100 !@P-", "100 PRINT 1 !@P-"])
def test_remarks_that_mean_something_stay(line: str) -> None:
    assert listing_after(f"{line}\n110 PRINT A\n", "remarks")[0] == line


def test_a_program_of_remarks_keeps_one() -> None:
    assert len(listing_after("100 REM A\n110 REM B\n120 GOTO 100\n", "remarks")) == 1
    assert listing_after("100 PRINT 1\n110 GOTO 120\n120 REM END\n", "remarks")[1:] == [
        "110 GOTO 120",
        "120 !",
    ]


def test_long_names_become_short_in_each_scope() -> None:
    listing = (
        '100 COUNT=1 :: COUNT=COUNT+A :: NAME$="X" :: CALL COUNTER(COUNT)\n'
        "110 END\n120 SUB COUNTER(VALUE):: VALUE=1 :: COUNT=2 :: SUBEND\n"
    )
    assert listing_after(listing, "names") == [
        '100 B=1 :: B=B+A :: A$="X" :: CALL COUNTER(B)',
        "110 END",
        "120 SUB COUNTER(A):: A=1 :: B=2 :: SUBEND",
    ]


def test_short_names_are_no_words_of_the_language() -> None:
    used = [f"LONGNAME{n}" for n in range(400)]
    listing = "".join(f"{100 + n} {name}={n}\n" for n, name in enumerate(used))
    names = [line.split(" ", 1)[1].split("=")[0] for line in listing_after(listing, "names")]
    assert len(set(names)) == 400
    assert not {"IF", "TO", "ON", "OR", "GO", "PI", "AT"} & set(names)


def test_names_stay_apart_where_a_handler_may_run_with_those_of_a_sub() -> None:
    listing = "100 FIRST=1 :: CALL S\n{}120 SUB S :: OTHER=2 :: A=OTHER :: SUBEND\n"
    assert listing_after(listing.format(""), "names")[0] == "100 A=1 :: CALL S"
    apart = listing_after(listing.format("110 ON ERROR 100\n"), "names")
    assert apart[0] == "100 B=1 :: CALL S"
    assert "C=2" in apart[2]


def test_lines_that_nothing_jumps_to_are_joined() -> None:
    listing = "100 A=1\n110 B=2\n120 IF A THEN 140\n130 C=3\n140 D=4\n150 GOTO 140\n"
    assert listing_after(listing, "lines") == [
        "100 A=1 :: B=2 :: IF A THEN 140",
        "130 C=3",
        "140 D=4 :: GOTO 140",
    ]


@pytest.mark.parametrize(
    "listing",
    [
        "100 DATA 1\n110 PRINT 2\n",
        "100 IF A THEN PRINT 1\n110 PRINT 2\n",
        "100 PRINT 1:\n110 PRINT 2\n",
        "100 BREAK\n110 PRINT 2\n",
        "100 IMAGE ##\n110 PRINT 2\n",
        "100 TRACE\n110 PRINT 2\n",
        "100 CALL ERR(A,B,C,D)\n110 PRINT D\n",
    ],
)
def test_lines_that_would_mean_something_else_stay(listing: str) -> None:
    assert listing_after(listing, "lines") == listing_after(listing)


def test_data_goes_to_the_front_and_restore_names_it() -> None:
    listing = (
        "100 A=1\n110 B=1\n120 RESTORE 130\n130 REM WORDS\n140 DATA X\n150 READ A$\n160 DATA Y\n"
        "170 GOTO 160\n180 RESTORE 150\n"
    )
    assert listing_after(listing, "data") == [
        "25 GOTO 100",
        "50 DATA X",
        "75 DATA Y",
        "100 A=1",
        "110 B=1",
        "120 RESTORE 50",
        "130 REM WORDS",
        "150 READ A$",
        "170 GOTO 170",
        "180 RESTORE 75",
    ]


def test_handlers_are_reached_by_a_first_line() -> None:
    listing = (
        "100 ON ERROR 150\n110 A=1\n120 B=1\n130 C=VAL(A$)\n140 END\n150 PRINT 1\n160 RETURN NEXT\n"
    )
    changed = listing_after(listing, "handlers")
    assert changed[:3] == ["33 GOTO 100", "66 GOTO 150", "100 ON ERROR 66"]


BLOCK = """\
100 OPTION BASE 1
110 DIM A(5,6)
120 DEF F(X)=X+Y
130 CALL CLEAR :: FOR I=1 TO 5 :: A(I,1)=F(I)*I :: B(I)=I :: B(I)=I :: NEXT I
140 N$="X" :: T$=N$ :: T$=N$ :: CALL S(A(,),N$) :: CALL CLEAR
150 Y=Y+1 :: Y=Y+1 :: Y=Y+I :: Y=Y*I
160 SUB S(P(,),Q$) :: P(1,1)=LEN(Q$) :: SUBEND
"""


def test_the_block_for_the_pre_scan_names_everything_once() -> None:
    assert listing_after(BLOCK, "prescan") == [
        "20 GOTO 100",
        '40 OPTION BASE 1 :: CALL CLEAR :: CALL S :: T$,N$="" :: DIM A(5,6):: B(PI),Y,I=0',
        "60 DEF F(X)=X+Y",
        "80 !@P-",
        "100 OPTION BASE 1",
        "110 DIM A(5,6)",
        "130 CALL CLEAR :: FOR I=1 TO 5 :: A(I,1)=F(I)*I :: B(I)=I :: B(I)=I :: NEXT I",
        '140 N$="X" :: T$=N$ :: T$=N$ :: CALL S(A(,),N$):: CALL CLEAR',
        "150 Y=Y+1 :: Y=Y+1 :: Y=Y+I :: Y=Y*I",
        "155 !@P+",
        "160 SUB S(P(,),Q$):: P(1,1)=LEN(Q$):: SUBEND",
    ]


def test_a_small_program_gets_no_block() -> None:
    assert listing_after("100 A=1\n110 PRINT A\n", "prescan") == ["100 A=1", "110 PRINT A"]


def test_without_room_all_lines_are_numbered_anew() -> None:
    listing = "".join(f"{1 + n} A={n}\n" for n in range(6)) + "7 GOTO 3\n"
    assert listing_after(listing, "prescan") == [
        "100 GOTO 130",
        "110 A=0",
        "120 !@P-",
        *(f"{130 + 10 * n} A={n}" for n in range(6)),
        "190 GOTO 150",
    ]


def test_a_program_that_tells_its_lines_keeps_their_numbers() -> None:
    listing = "".join(f"{1 + n} A={n}\n" for n in range(6)) + "7 CALL ERR(A,A,A,A)\n"
    assert listing_after(listing) == listing_after(listing, "remarks")


def test_missing_lines_stay_missing() -> None:
    listing = "".join(f"{100 + n} A={n}\n" for n in range(6)) + "106 GOTO 25\n"
    changed = listing_after(listing, "prescan")
    assert changed[-1] == "106 GOTO 25"
    assert not any(line.startswith("25 ") for line in changed)


def test_cells_that_have_no_part_in_the_program_may_be_used() -> None:
    flags = "CALL LOAD(-31806,16) :: CALL PEEK(-31879,A)"
    listing = f"100 CALL INIT :: {flags} :: CALL PEEK(8198,B,C)\n110 REM X\n120 PRINT A;B;C\n"
    assert optimize(lines_of(listing)).refused == ""
    for call in ("LOAD(-31806,16,1)", "LOAD(-31952,1)", "PEEK(-31952,A)", "PEEK(-31806,A,B)"):
        faster = optimize(lines_of(f"100 CALL INIT :: CALL {call}\n"))
        assert faster.refused == "line 100 may look at the program in memory", call
    faster = optimize(lines_of(f"100 {flags}\n"))
    assert faster.refused, "without CALL INIT the LOAD fails, or another program has made it ready"


@pytest.mark.parametrize(
    ("listing", "why"),
    [
        ("100 FOR I=1 TO 2\n", "RUN would stop"),
        ("100 CALL INIT :: CALL LOAD(8192,1)\n", "line 100 may look at the program in memory"),
        ("100 GOTO 110\n110 A=1 :: SUB S :: SUBEND\n", "SUB in line 110"),
    ],
)
def test_what_is_refused_stays_as_it_is(listing: str, why: str) -> None:
    program = Program.from_listing(listing, strict=False)
    lines = [(line.number, line.tokens) for line in program.lines]
    faster = optimize(lines)
    assert faster.refused.startswith(why)
    assert list(faster.lines) == lines
    assert not faster.applied


def test_unknown_passes_are_told() -> None:
    with pytest.raises(TIError, match="unknown pass: magic"):
        optimize([(100, b"\x8b")], ["magic"])
    assert list(PASSES) == [
        *("remarks", "sharing", "names", "lines", "data", "handlers", "prescan")
    ]


def test_each_line_knows_the_lines_it_was_made_of() -> None:
    lines = [(n.number, n.tokens) for n in Program.from_listing(BLOCK).lines]
    faster = optimize(lines)
    numbers = {part.number for parts in faster.parts.values() for part in parts}
    assert numbers == {number for number, _ in lines}
    assert set(faster.parts) == dict(faster.lines).keys()


def test_places_lead_back_to_the_source(tmp_path: Path) -> None:
    source = tmp_path / "x.xb"
    source.write_text(
        "! A remark\nA=1\nB=2 :: C=3\nagain:\n  D=D+1\n  IF D<9 THEN again ELSE PRINT A;B;C\n"
        "  DATA 1\n"
    )
    generated = generate_file(source, pack=False)
    program = Program.from_listing(generated.text)
    lines = [(line.number, line.tokens) for line in program.lines]
    faster = optimize(lines)
    places = mapped(generated.sourcemap, faster)
    [joined, loop] = [number for number in places if number >= 100][:2]
    assert [str(places.statement(joined, n)) for n in range(3)] == [
        f"{source}:2:1",
        f"{source}:3:1",
        f"{source}:3:8",
    ]
    text = dict(line.split(" ", 1) for line in list_lines(faster.lines))[str(joined)]
    assert str(places.place(joined, f"{joined} {text}".index("C=3") + 1)) == f"{source}:3:8"
    place = places.place(loop)
    assert place is not None
    assert place.line == 5


def ranges_after(source: str, *passes: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Scope and name → what RANGE says of it after passes."""
    generated = generate(source)
    program = Program.from_listing(generated.text)
    faster = optimize([(line.number, line.tokens) for line in program.lines], passes)
    known = mapped(generated.sourcemap, faster).ranges
    return {(one.scope, one.name): (one.low, one.high) for one in known}


def test_ranges_go_with_their_variables() -> None:
    source = (
        "RANGE COUNT=1 TO 24, TABLE()=0 TO 9\nDIM TABLE(5)\nINPUT COUNT\nTABLE(2)=COUNT\n"
        "CALL S(COUNT)\nSUB S(COUNT)\nRANGE COUNT=-1 TO 1\nPRINT COUNT\nSUBEND\n"
    )
    assert ranges_after(source, "names") == {
        ("", "A"): (1, 24),
        ("", "B"): (0, 9),
        ("S", "A"): (-1, 1),
    }


@pytest.mark.parametrize(
    ("second", "expected"), [("RANGE B=3 TO 40\n", {("", "A"): (1, 40)}), ("", {})]
)
def test_variables_that_share_a_name_have_the_values_of_both(
    second: str, expected: dict[tuple[str, str], tuple[int, int]]
) -> None:
    source = f"RANGE A=1 TO 24\n{second}A=1\nPRINT A\nB=4\nPRINT B\n"
    found = ranges_after(source, "sharing")
    assert found == expected


def test_a_jump_after_an_if_goes_into_both_branches() -> None:
    listing = (
        "100 IF A THEN B=1\n110 GOTO 100\n120 IF A THEN 100\n130 RETURN\n"
        "140 IF A THEN B=1 :: RETURN\n150 GOTO 100\n160 IF A THEN IF B THEN C=1\n170 RETURN\n"
        "180 IF A THEN B=1 ELSE C=1\n190 GOTO 100\n200 IF A THEN PRINT A:\n210 GOTO 100\n"
        "220 GOTO 180\n230 GOTO 200\n"
    )
    assert listing_after(listing, "lines")[:9] == [
        "100 IF A THEN B=1 :: GOTO 100 ELSE 100",
        "120 IF A THEN 100 ELSE RETURN",
        "140 IF A THEN B=1 :: RETURN ELSE 100",
        *("160 IF A THEN IF B THEN C=1", "170 RETURN"),
        *("180 IF A THEN B=1 ELSE C=1", "190 GOTO 100"),
        *("200 IF A THEN PRINT A:", "210 GOTO 100 :: GOTO 180 :: GOTO 200"),
    ]


def test_data_lines_are_joined_up_to_those_that_restore_names() -> None:
    listing = (
        "100 A=1\n110 B=1\n120 C=1\n130 RESTORE 160\n140 DATA 1,2\n150 DATA X\n160 DATA 3\n"
        '170 DATA "4",""\n190 GOTO 100\n'
    )
    front = [line for line in listing_after(listing, "data") if " DATA" in line]
    assert [line.split(" ", 1)[1] for line in front] == ["DATA 1,2,X", 'DATA 3,"4",""']


@pytest.mark.parametrize("gap", ["DATA", "DATA ,1", "DATA 1,", "DATA 1,,2"])
def test_data_with_a_missing_item_stay(gap: str) -> None:
    listing = f"100 A=1\n110 B=1\n120 C=1\n130 READ A$\n140 DATA X\n150 {gap}\n160 DATA Y\n"
    assert listing_after(listing, "data")[0] == "100 A=1"


def test_a_handler_by_itself_is_moved() -> None:
    listing = (
        "100 ON ERROR 150\n110 A=1\n120 B=1\n130 C=VAL(A$)\n140 END\n150 C=1 :: RETURN 140\n"
        "160 PRINT C\n"
    )
    assert listing_after(listing, "handlers") == [
        "33 GOTO 100",
        "66 C=1 :: RETURN 140",
        "100 ON ERROR 66",
        *("110 A=1", "120 B=1", "130 C=VAL(A$)", "140 END", "160 PRINT C"),
    ]


LONG_SUB = (
    "100 CALL S(1)\n110 SUB S(A):: B=1\n"
    + "".join(f"{120 + n} B=B+A+C(B)\n" for n in range(12))
    + "140 CALL CLEAR :: SUBEND\n"
)


def test_a_long_sub_gets_a_block_of_its_own() -> None:
    changed = listing_after(LONG_SUB, "prescan")
    assert changed[1:6] == [
        "110 SUB S(A)",
        "112 GOTO 116 :: CALL CLEAR :: C(PI),B=0",
        "114 !@P-",
        "116 B=1",
        "120 B=B+A+C(B)",
    ]
    assert [line.split(" ", 1)[1] for line in changed[-3:]] == ["CALL CLEAR", "!@P+", "SUBEND"]


def test_the_places_of_a_sub_that_was_parted_are_known(tmp_path: Path) -> None:
    source = tmp_path / "x.xb"
    body = "".join("B=B+A+C(B)\n" for _ in range(12))
    source.write_text(f"CALL S(1)\nSUB S(A)\nB=1\n{body}SUBEND\n")
    generated = generate_file(source)
    program = Program.from_listing(generated.text)
    faster = optimize([(line.number, line.tokens) for line in program.lines])
    places = mapped(generated.sourcemap, faster)
    texts = list(list_lines(faster.lines))
    [sub] = [text for text in texts if "SUB S" in text]
    [first] = [text for text in texts if " B=1" in text]
    for text, line in ((sub, 2), (first, 3)):
        place = places.place(int(text.split()[0]))
        assert place is not None
        assert place.line == line


def test_names_that_are_looked_up_most_come_last_in_the_block() -> None:
    listing = (
        "100 A=1 :: B=1 :: C=1 :: A=A+A+A+A+A+A+A+A :: B=B+B+B+B+B+B :: GOSUB 150\n"
        "110 GOSUB 150 :: GOSUB 150 :: GOTO 110\n"
        "150 IF C+C<9 THEN 150\n160 RETURN\n"
    )
    assert listing_after(listing, "prescan")[1].endswith(" B,A,C=0")
    often = expected(rows_of(lines_of(listing)).main, ())
    assert often["C"] > 0.9 > 0.1 > often["A"]
    assert sum(often.values()) == pytest.approx(1)


def test_loops_count_more_and_rare_branches_less() -> None:
    listing = "100 FOR I=1 TO 9 :: A=1 :: NEXT I :: B=1 :: IF B THEN C=1\n"
    often = expected(rows_of(lines_of(listing)).main, ())
    assert often["I"] > often["A"] > often["B"] > often["C"] > 0
    assert expected(rows_of([(100, b"\xc9\x00")]).main, ()) == {}


def test_handlers_with_names_come_after_the_block() -> None:
    listing = (
        "100 ON ERROR 150\n110 A=1\n120 A=A+A+A\n130 B=A+B+B+B\n140 END\n150 B=1 :: RETURN 160\n"
        "160 PRINT B\n"
    )
    changed = [line.split(" ", 1)[1] for line in listing_after(listing, "handlers", "prescan")]
    assert changed[:4] == ["GOTO 100", "B,A=0", "B=1 :: RETURN 160", "!@P-"]


def test_names_that_are_known_to_be_hot_come_last_of_all() -> None:
    listing = "100 LONG=1 :: B=1 :: C=1 :: PRINT LONG :: C=C+C+C+C :: C=C+B\n110 GOTO 100\n"
    block = optimize(lines_of(listing), ["prescan"], hot=("LONG", "B", "NONE")).lines[1]
    assert list(list_lines([block])) == ["50 C,B,LONG=0"]
    faster = optimize(lines_of(listing), ["sharing", "names", "prescan"], hot=("LONG", "B"))
    assert list(list_lines(faster.lines))[1].endswith(" C,B,A=0")


def test_lines_are_not_joined_after_a_name_that_loses_the_rest_of_its_line() -> None:
    def lines(*text: str) -> int:
        program = Program.from_listing("".join(f"{line}\n" for line in text), strict=False)
        given = [(line.number, line.tokens) for line in program.lines]
        return len(list(optimize(given, ["lines"]).lines))

    assert lines("100 RANDOMIZE 5", "110 PRINT 1") == 1
    assert lines("100 RANDOMIZE 5 X", "110 PRINT 1") == 2
    assert lines("100 RESTORE #1,X", "110 PRINT 1") == 2
