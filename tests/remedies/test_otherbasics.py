"""Typical first lines of people who come from other computers: each answer says what to write."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.app.lint import fix_file
from ti99tools.fronts.cli.main import cli
from ti99tools.language.findings import Finding
from ti99tools.language.program.judgement import advise_file

_POINTS = "there are characters and sprites, no points"
_COLORS = "write CALL COLOR(set,foreground,background)"
_CODE = "write CALL LINK(name) for machine code that CALL LOAD has loaded"
_AT = "write DISPLAY AT(row,column):"
_ASK = 'write INPUT "NAME? ":A$'
_NAMES = "variables are not declared, and names of texts end in $"
_BLOCK = "use IF … THEN and END IF on lines of their own"

APPLE = [
    ("HTAB 5", f"{_AT}text, or PRINT TAB(column);text"),
    ("VTAB 10", _AT),
    ("HOME", "write CALL CLEAR"),
    ("TEXT", "write CALL CLEAR"),
    ("GR", _POINTS),
    ("HGR", _POINTS),
    ("100 PLOT 5,5", _POINTS),
    ("HPLOT 5,5 TO 9,9", _POINTS),
    ("HLIN 0,39 AT 5", "write CALL HCHAR(row,column,code,count)"),
    ("100 VLIN 0,20 AT 5", "write CALL VCHAR(row,column,code,count)"),
    ("100 INVERSE", _COLORS),
    ("NORMAL", _COLORS),
    ("FLASH", _COLORS),
    ("CALL -936", _CODE),
    ("100 CALL 768", _CODE),
    ("100 ONERR GOTO 100", "write ON ERROR and a line"),
    ("X=PDL(0)\nPRINT X", "write CALL JOYST(unit,x,y)"),
    ("IF SCRN(5,5)=1 THEN END", "write CALL GCHAR(row,column,code)"),
    ("100 FOR J=1 TO 2\n110 NEXT J,I", "NEXT ends one loop: write NEXT J :: NEXT I"),
    ("FOR I=1 TO 2\nFOR J=1 TO 2\nNEXT J,I", "NEXT ends one loop: write NEXT J :: NEXT I"),
    ("NEXT I,J", "NEXT ends one loop: write NEXT I :: NEXT J"),
    ("DEF FN A(X)=X*2\nPRINT FNA(3)", "write FNA as one name"),
]
COMMODORE = [
    ("SYS 64738", _CODE),
    ("PRINT USR(0)", _CODE),
    ("CLR", "leave out CLR: RUN sets all variables to 0"),
    ('100 PRINT "{CLR}HELLO"', "write CALL CLEAR for an empty screen"),
    ('PRINT "{2 DOWN}HELLO"', _AT.removeprefix("write ")),
    ("PRINT TI", "write a counter of your own: the console has no clock"),
    ("FOR I=1 TO 10:PRINT I:NEXT I", "separate statements with ::"),
    ("FOR I=1 TO 10\nPRINT I:NEXT I", "separate statements with ::"),
    ("GET A$:IF A$=X$ THEN PRINT 1", "separate statements with ::"),
    ("100 MODE 7", "leave out MODE: there is one kind of screen"),
    ("A#=5\nPRINT A#", "leave out #: all numbers are of one kind"),
    ("A!=5\nPRINT A", "leave it out: all numbers are of one kind"),
    ("100 A!=5", "leave it out, all numbers are of one kind"),
    ("PRINT $FF", "numbers are decimal"),
    ("IF A$=1 THEN END", 'a text stands in quotes: "1"'),
    ('NAME="BOB"', "names of texts end in $: NAME$"),
    ("CLOSE", "name the file: CLOSE #1"),
    ("100 GOTO AGAIN", "a line number is required: sources without line numbers have labels"),
]
GW_AND_QBASIC = [
    ("DEFINT A-Z", f"leave out DEFINT: {_NAMES}"),
    ("DIM SHARED A(10)", "leave out SHARED: a SUB has its own variables; give it others as"),
    ("REDIM A(10)", "leave out REDIM: DIM sets the size of an array once"),
    ("DECLARE SUB HELLO", "leave out DECLARE: a SUB is not declared"),
    ("OPTION EXPLICIT", "leave it out: OPTION takes BASE 0 and BASE 1 only"),
    ("100 STATIC X", "leave out STATIC: variables of a SUB keep their values"),
    ("TYPE PLAYER", "leave out TYPE: there are no records; use an array for each part"),
    ("STRING N$", f"leave out STRING: {_NAMES}"),
    ("PLAYER.X=5", "write PLAYER_X"),
    ("100 PLAYER.X=5", "write PLAYER_X"),
    ("DIM A[10]", "write subscripts in ( )"),
    ("DIM A(10),B", "leave out B: DIM is for arrays"),
    ("DIM A$(10)*20", "every text may have 255 characters"),
    ('OPEN "F.TXT" FOR INPUT AS #1', 'write OPEN #1:"DSK1.NAME",INPUT'),
    ('OPEN "O",#1,"F.TXT"', 'write OPEN #1:"DSK1.NAME",INPUT'),
    ('INPUT PROMPT "NAME":N$', _ASK),
    ('INPUT("NAME")', _ASK),
    ('A=INPUT("NAME")', _ASK),
    ("RESUME NEXT", "write RETURN for the same statement, RETURN NEXT, or RETURN and a line"),
    ("ON ERROR RESUME NEXT", "write ON ERROR and a line, or ON ERROR STOP"),
    ("ON BREAK GOTO 100", "write ON BREAK NEXT, which goes on at FCTN-4, or ON BREAK STOP"),
    ("100 ON BREAK", "write ON BREAK NEXT, which goes on at FCTN-4, or ON BREAK STOP"),
    ("100 ON WARNING", "write ON WARNING PRINT, ON WARNING STOP or ON WARNING NEXT"),
    ("100 ON X 100,100", "write GOTO or GOSUB after the value"),
    ('CHAIN "NEXT"', 'write RUN "DSK1.NAME"'),
    ('SHELL "DIR"', "leave out SHELL: there is no other system"),
    ("SYSTEM", "write END"),
    ("TRON", "write TRACE"),
    ("TRACE ON", "leave out ON"),
    ("PRESET (5,5)", _POINTS),
    ("PAINT (5,5),1", _POINTS),
    ('DRAW "U5"', _POINTS),
    ("PALETTE 1,2", "the 16 colors are fixed"),
    ("VIEW PRINT 1 TO 10", "the whole screen scrolls"),
    ("OUT 5,5", "write CALL LOAD(address,value)"),
    ("PRINT INP(5)", "write CALL PEEK(address,value)"),
    ("IF A=1 THEN B=1 ELSEIF A=2 THEN B=2", _BLOCK),
    ("IF A=1 THEN { PRINT 1 }", "a block is IF … THEN and END IF on lines of their own"),
    ("100 ENDIF", "ENDIF is a word of sources without line numbers"),
    ("100 END IF", "blocks are for sources without line numbers"),
    ("100 WEND", "write GOTO the line of its condition"),
    ("CALL HELLO()\nSUB HELLO\nSUBEND", "leave out ( ): there is nothing in it"),
    ('CALL PRINT("X")', "write PRINT without CALL"),
    ('CALL DISPLAY AT(1,1):"X"', "write DISPLAY without CALL"),
    ("PRINT 5**2", "write ^ instead of **"),
    ("PRINT 5 \\ 2", "for whole numbers write INT(A/B)"),
    ("PRINT 0xFF", "numbers are decimal: write 255 instead of 0XFF"),
    ("PRINT A$(1:3)", "a part of a text is SEG$(text,first,count)"),
    ("X:=5", "write = instead of :="),
    ("A=1,B=2", "separate statements with ::"),
    ("PRINT @100,X", "what stands at a place is written DISPLAY AT(row,column):text"),
    ("A[I]=5\nPRINT A[I]", "write subscripts in ( )"),
    ('ECHO "X"', "write PRINT"),
    ("DELAY 5", "write FOR D=1 TO 500 :: NEXT D"),
]
FUNCTIONS = [
    ("SQRT(9)", "write SQR"),
    ("POW(2,3)", "write base^exponent"),
    ("LOG10(5)", "write LOG(number)/LOG(10)"),
    ("ROUND(2.5)", "write INT(number+.5)"),
    ("CEIL(2.5)", "write -INT(-number)"),
    ("FLOOR(2.5)", "write INT"),
    ("ATAN(1)", "write ATN"),
    ("RANDOM(6)", "write RND, or INT(RND*6)+1"),
    ('LENGTH("A")', "write LEN"),
    ('UPPER$("a")', "VALIDATE(UALPHA)"),
    ('TRIM$(" A")', "write SEG$ with the places that POS finds"),
    ("BIN$(5)", "INT(number/2)"),
    ("DATE$", "the console has no clock"),
    ("CSRLIN", "write a variable of your own for the row"),
    ("INKEY", "write CALL KEY(0,code,status)"),
    ("POINT(5,5)", "write CALL GCHAR(row,column,code)"),
    ('POS("A","B")', "write POS(text,part,first)"),
    ('SEG$("ABC",1)', "write SEG$(text,first,count)"),
    ('RPT$("A")', "write RPT$(text,count)"),
    ("MAX(1)", "write MAX(number,number)"),
    ("INT(1,2)", "INT takes one value"),
]
BBC_AND_PASCAL = [
    ("PROCHELLO", "write CALL HELLO"),
    ("DEF PROCHELLO", "write PROC HELLO … END PROC"),
    ("CASE A OF", "write SELECT CASE and the value before the first CASE"),
    ("SELECT CASE A\nCASE 1\nA=2\nOTHERWISE\nA=3\nEND SELECT", "write CASE ELSE, or ELSE"),
    ("VDU 5", _AT),
    ("LET X 5", "write = between the variable and its value"),
    ("5=X", "write the variable before ="),
    ("MAT A=ZER", "there are no matrices"),
]
TI_BASIC = [
    ("LIST", "it is for the prompt; if it is a variable, choose another name"),
    ("SAVE DSK1.X", "it is for the prompt"),
    ("OLD DSK1.X", 'RUN "DSK1.NAME" runs another program'),
    ("100 MERGE", "in sources without line numbers #include"),
    ("100 BYE", "END ends a program"),
    ("SIZE", "SIZE is for the prompt: leave it out"),
    ('100 PRINT "A":::"B"', "put spaces between the colons of PRINT"),
    ('100 "HELLO"', "write PRINT before the text"),
    ('100 X=1 :: "HELLO"', "write PRINT before the text"),
    ("100 ON ERROR", "write ON ERROR and a line, or ON ERROR STOP"),
    ("100 ON A GOTO 100,", "a line number is missing after the last ,"),
    ('100 PRINT :: "HELLO"', "if the :: before it is of a PRINT, put a space between the colons"),
    ("100 GO HOME", "write GO TO or GO SUB, and the line"),
    ("100 GO TO", "name the line to go to"),
    ('DISPLAY AT 5,5:"X"', _AT),
    ('DISPLAY "X" AT(1,1)', _AT),
    ('DISPLAY AT(1,1)SIZE 5:"X"', "write ( ) around what SIZE takes: SIZE(5)"),
    ('ACCEPT AT(5,5):"NAME":A$', "ACCEPT shows no text: show it with DISPLAY AT before"),
    ("INPUT AT(5,5):A$", "write ACCEPT AT(row,column):name"),
    ("ACCEPT AT(1,1)VALIDATE(YN):A$", 'write " around the letters: VALIDATE("YN")'),
    ("CALL CHAR(65,FF00)", 'write " around it: "FF00"'),
    ("IF N$=Y THEN END", 'a text stands in quotes: "Y"; a variable for one is Y$'),
]

NEWCOMERS = [
    ("PRINT CATCH THE STARS", "a text stands in quotes"),
    ("N=VAL(5)\nPRINT N", "VAL takes a text"),
    ('PRINT CHR$("A")', "CHR$ takes a number"),
    ('X=SEG$("ABC",1,1)', "names of texts end in $: X$"),
    ("A$=RND", "write STR$( ) around the number: RND gives one"),
    ("IF A$=LEN(B$) THEN END", "write STR$( ) around the number: LEN gives one"),
    ("PRINT 3+", "a value is missing after +"),
    ("FOR I=1 TO\nNEXT I", "a value is missing after TO"),
    ("100 GOSUB", "name the line to go to"),
    ("100 GO TO", "name the line to go to"),
    ("100 ON K GOTO", "name the line to go to"),
    ("FOR K$=1 TO 3\nNEXT K$", "count with a number: FOR K"),
    ("FOR I 1 TO 3\nNEXT I", "write = between the variable and its value"),
    ("LET=5", "LET is a word of Extended BASIC: choose another name"),
    ("PRINT=3", "PRINT is a word of Extended BASIC: choose another name"),
    ("X=INT RND*6", "write what INT takes in ( ) after it"),
    ("PRINT ABS", "write what ABS takes in ( ) after it"),
    ("DEF FNX(Y)=Y*2\nPRINT FNX(2,3)", "FNX takes one value by its DEF, not 2"),
    ("DEF FNX=2\nPRINT FNX(2)", "FNX takes no value by its DEF, not 1"),
    ("FOR I=10 TO 1\nPRINT I\nNEXT I", "write STEP -1"),
    ("FOR I=1 TO 9 STEP -1\nPRINT I\nNEXT I", "leave out STEP, or correct its sign"),
    ('100 CALL CLAER\n110 PRINT "X', "did you mean CLEAR?"),
    ('CALL SAY("HELLO")', "hear it on a computer that has one"),
]


def _told(folder: Path, text: str) -> list[Finding]:
    path = folder / "game.xb"
    path.write_text(text + "\n")
    return advise_file(path)[0]


@pytest.mark.parametrize(
    ("text", "remedy"),
    [*APPLE, *COMMODORE, *GW_AND_QBASIC, *BBC_AND_PASCAL, *TI_BASIC, *NEWCOMERS]
    + [(f"PRINT {text}", remedy) for text, remedy in FUNCTIONS],
)
def test_the_answer_says_what_to_write(tmp_path: Path, text: str, remedy: str) -> None:
    findings = _told(tmp_path, text)
    assert any(remedy in each.remedy for each in findings), findings


def test_a_sub_without_parameters_is_not_told_of_arguments(tmp_path: Path) -> None:
    findings = _told(tmp_path, "CALL HELLO()\nSUB HELLO\nSUBEND")
    assert [each.code for each in findings] == ["syntax"]
    assert "takes 0 arguments" in str(_told(tmp_path, "CALL HELLO(1)\nSUB HELLO\nSUBEND")[0])


def test_blocks_are_judged_as_if_their_signs_were_right(tmp_path: Path) -> None:
    loops = "FOR I=1 TO 2:FOR J=1 TO 2:PRINT I;J\nNEXT J,I\nEND IF"
    assert [(each.place.line, each.message) for each in _told(tmp_path, loops)] == [
        (1, "a single : does not separate statements"),
        (1, "a single : does not separate statements"),
        (2, "NEXT with more than one variable"),
        (3, "END IF without IF"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        'PRINT "A": "B": :"C"',
        'OPEN #1:"DSK1.A"\nFOR I=1 TO 2 :: PRINT #1:I :: NEXT I\nCLOSE #1',
        'INPUT "NAME":N$\nPRINT N$',
        'DISPLAY AT(1,1):"X":"Y"',
        "LOOP: A=1 !=== A LABEL\nIF A=1 THEN LOOP",
        "A=.5\nB=A*.5\nPRINT B",
        "ROUND=1\nPRINT ROUND;STR$(5)&SEG$(STR$(ROUND),1,1)",
        "OPTION BASE 1\nDIM TI(5)\nTI(1)=1\nPRINT TI(1)",
        "ON BREAK NEXT\nON WARNING STOP\nON ERROR STOP",
    ],
)
def test_what_only_looks_like_another_basic_is_not_told(tmp_path: Path, text: str) -> None:
    assert _told(tmp_path, text) == []


def test_a_call_is_silent_once_and_a_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.xb"
    path.write_text('CALL SAY("A")\nCALL SAY("B")\nPRINT "DONE"\n')
    result = CliRunner().invoke(cli, ["run", str(path), "--screen"])
    assert result.exit_code == 0
    assert result.stderr.count("CALL SAY is silent") == 1
    assert "DONE" in result.stdout


def test_what_can_mean_one_thing_only_is_fixed(tmp_path: Path) -> None:
    path = tmp_path / "game.xb"
    path.write_text("HOME\nFOR I=1 T0 2\nFOR J=1 TO 2:PRINT I**J\nNEXT J,I\n")
    fix_file(str(path))
    fixed = "CALL CLEAR\nFOR I=1 TO 2\nFOR J=1 TO 2::PRINT I^J\nNEXT J :: NEXT I\n"
    assert path.read_text() == fixed
