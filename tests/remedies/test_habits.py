"""Slips of writers who come from other BASICs, and of scanned listings: each with its remedy."""

from pathlib import Path

import pytest

from ti99tools.base.errors import SourceError
from ti99tools.language.findings import Severity
from ti99tools.language.program.judgement import advise_file
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import read_source
from ti99tools.language.remedies.worked_out import instead_of

STATEMENTS = [
    ('PLAY "CDE"', "write CALL SOUND(milliseconds,frequency,volume)"),
    ("SLEEP 2", "write FOR D=1 TO 500 :: NEXT D, or CALL SOUND and wait for its end"),
    ("PAUSE", "write FOR D=1 TO 500 :: NEXT D, or CALL KEY in a loop"),
    ("PAUSE 5", "write FOR D=1 TO 500 :: NEXT D, or CALL KEY in a loop"),
    ("WAIT 5", "write FOR D=1 TO 500 :: NEXT D"),
    ("CALL PAUSE", "write FOR D=1 TO 500 :: NEXT D"),
    ("CALL SLEEP(5)", "write FOR D=1 TO 500 :: NEXT D"),
    ("CLS", "write CALL CLEAR"),
    ("COLOR 1,2", "write CALL COLOR"),
    ("LOCATE 5,5", "write DISPLAY AT(row,column):text"),
    ("CALL LOCATE(5,5)", "or for a text DISPLAY AT(row,column):text"),
    ("A$=INKEY$()\nPRINT A$", "Extended BASIC has no INKEY$: write CALL KEY(0,code,status)"),
    ("CALL S\nSUB S\nEXIT SUB\nSUBEND", "a SUB is left with SUBEXIT"),
    ("CALL S\nSUB S\nEXIT FUNCTION\nSUBEND", "a SUB is left with SUBEXIT"),
    ("100 CALL S\n110 SUB S\n120 EXIT SUB\n130 SUBEND", "a SUB is left with SUBEXIT"),
    ("100 EXIT FOR", "no statement begins with EXIT here: write GOTO after the loop"),
    ("100 WHILE 1", "WHILE is a word of sources without line numbers"),
    ("GET A$", "write CALL KEY(0,code,status)"),
    ("BEEP", 'write DISPLAY AT(24,1)BEEP:"" or CALL SOUND(200,1400,0)'),
    ("SWAP A,B", "write T=A :: A=B :: B=T"),
    ("A=1\nA+=1", "write A=A+…"),
    ("DIM A(3)\nA(1)-=1", "write the variable again: A=A-1"),
    ("A=1\nA++", "write A=A+1"),
    ('A=1\nIF A==1 THEN PRINT "X"', "write = once: it compares too"),
    ('A=1\nIF A!=1 THEN PRINT "X"', "not equal is <>"),
    ('100 A=1\n110 IF A!=1 THEN PRINT "X"', "! begins a comment: not equal is <>"),
    ("A=1\nIF A=1 && B=2 THEN A=2", "write AND instead of &&"),
    ("A=1\nIF A=1 || B=2 THEN A=2", "write OR instead of ||"),
    ("A=7\nPRINT A MOD 3", "Extended BASIC has no MOD: write A-INT(A/B)*B instead of A MOD B"),
    ("PRINT 7 MOD 3", "Extended BASIC has no MOD: write A-INT(A/B)*B instead of A MOD B"),
    ("A=&HFF", "numbers are decimal: write 255 instead of &HFF"),
    ('PRINT "A"+"B"', "texts are joined with &, not with +"),
    ('IF A$="Y" OR "y" THEN END', 'each side of OR is a comparison: write OR A$="y"'),
    ("FOR I=1 TO 3\nNEXT", "name the variable of its FOR: NEXT I"),
    ("FOO(3)\nSUB FOO(A)\nSUBEND", "FOO is a subprogram: write CALL FOO"),
    ("FOO 3\nSUB FOO(A)\nSUBEND", "FOO is a subprogram: write CALL FOO"),
    ("BAR(3)", "a subprogram is called with CALL: write CALL BAR(…)"),
    ("CONST FOO=3\nFOO: A=1", "choose another name for one of them"),
    ("DIM A AS INTEGER", "leave out AS: names of texts end in $, all other variables are numbers"),
    ("DIM A(3) AS INTEGER", "leave out AS: names of texts end in $"),
    ("100 NEXT 1", "a letter was read for a digit: write NEXT I or NEXT L"),
    ("100 CALL HCHAR(1O,5,42)", "letters were read for digits: write 10 instead of 1O"),
    ("100 GOTO 1O", "letters were read for digits: write 10 instead of 1O"),
    (
        '1L0 PRINT "HI"',
        "letters were read for digits of the line's number: write 110 instead of 1L0",
    ),
    ('11 0 PRINT "HI"', "leave out the space in the number: 110"),
    ('100 PRINT 1 :: 110 PRINT "HI"', "a line begins in a row of its own"),
    ('A=1\n100 PRINT "HI"', "all lines of a source have numbers, or none has one"),
    ("100 A=1,000,000", "write 1000000 instead of 1,000,000"),
    ("100 IF A>1,000 THEN 100", "write 1000 instead of 1,000"),
    ("100 C=7,", "leave out the , at the end"),
    ("100 A=2X3", "write an operator between 2 and X3, as in 2*X3"),
    ("100 A=1 CLS", "no statement begins with CLS here: write CALL CLEAR"),
    ("100 A=5QR(4)", "did you mean SQR, with the letter S?"),
    ("100 A$=5EG$(B$,1,2)", "did you mean SEG$, with the letter S?"),
    ('100 A=1 B$="X"', "separate statements with ::"),
    ("100 A=1 B(3)=4", "separate statements with ::"),
    ("100 A=1 B(X(2),3)=4", "separate statements with ::"),
    ("100 FOR 1=1 TO 10", "a letter was read for a digit: write FOR I or FOR L"),
    ("100 CALL CLEAR: :CALL SCREEN(2)", "write :: without a space between"),
    ("100 DISPLAY AT(24;1):5", "write , instead of ;"),
    ("100 CALL HCHAR(1;1,65,32)", "write , instead of ;"),
    ("100 CALL KEY(0:K,S)", "write , instead of :"),
    ('100 A$=SEG$("ABC";1,2)', "write , instead of ;"),
    ("100 DIM A(5;5)", "write , instead of ;"),
    ("100 DISPLAY AT(24.1):5", "write the column after a ,"),
    ('100 PRINT "HI" PRINT "LO"', "separate statements with ::"),
    ("100 LET LEN=5", "LEN is a word of Extended BASIC: choose another name"),
    ("100 IF LEN>5 THEN 100", "LEN is a word of Extended BASIC: choose another name"),
    ("100 FOR POS=1 TO 5\n110 NEXT POS", "POS is a word of Extended BASIC: choose another name"),
    ("100 PRINT OR;DIGIT", "OR is a word of Extended BASIC: choose another name"),
    ("100 BASE=4", "BASE is a word of Extended BASIC: choose another name"),
    ("100 INPUT OUTPUT", "OUTPUT is a word of Extended BASIC: choose another name"),
    ("100 PRINT TAB 5;1", "write ( ) around what TAB takes: TAB(5)"),
    ('100 A$="X"\n110 PRINT LEN A$', "write ( ) around what LEN takes: LEN(A$)"),
    ("100 ACCEPT AT(1,1)BEEPSIZE(1):A$\n110 PRINT A$", "put a space after BEEP"),
    ("100 DISPLAY AT(1,1)ERASEALL:1", "ERASEALL is one name: put a space after ERASE"),
    ("100 ON ERROR NEXT", "write ON ERROR and a line, or ON ERROR STOP"),
    ("100 A=1 B=2", "separate statements with ::"),
    ("100 A=1:B=2", "separate statements with ::"),
    ('DISPLAY(5,5):"HELLO"', "write DISPLAY AT(row,column):"),
    ("100 ACCEPT(5,5):A", "write ACCEPT AT(row,column):"),
    ("N=5\nDIM A(N)\nA(1)=1", "DIM takes a number, not the variable N"),
    ("FOR I=1 TO 3\nIF I=2 THEN CONTINUE\nNEXT I", "jump to a label at the end of the loop"),
    ("SELECT CASE A\nCASE 1\nA=2\nDEFAULT\nA=3\nEND SELECT", "write CASE ELSE, or ELSE"),
    ("SWITCH A", "write SELECT CASE value, or ON … GOTO"),
    ("PRINT AT(5,5)", "write DISPLAY AT(row,column):"),
    ("X=6\nIF X>5 AND <10 THEN X=1", "write what is compared on both sides: X>5 AND X<10"),
    ("INPUT N$;A", "put , between the variables"),
    ("ACCEPT AT(5,5):A,B", "ACCEPT takes one variable: write another ACCEPT for the next"),
    ('DISPLAY AT(5,5):"A",USING "##":5', "write USING right after the first :"),
    ("PROC A\nLOCAL X=5\nPRINT X\nEND PROC\nCALL A", "write X=… in a line of its own"),
    ("WHILE A<5 DO\nA=A+1\nEND WHILE", "leave out DO"),
    ("A=5;", "leave out the ; at the end"),
    ('S=1\nPRINT "SCORE: "&S', "& joins texts: write STR$(S)"),
    ('PRINT "A";CHR(65)', "Extended BASIC has no CHR: write CHR$"),
    ("100 // COUNT THEM", "begin a comment with !"),
    ("A=1\nA=2 // COUNT", "begin a comment with !"),
    ("A=1 // COUNT ALL", "begin a comment with !"),
    ("100 /* COUNT ALL */", "begin a comment with !"),
    ("100 -- COUNT", "begin a comment with !"),
    ("100 ; COUNT ALL", "begin a comment with !"),
    ("A=1\n* COUNT", "begin a comment with !"),
    ('100 A$="SAY ""NO"" OR "YES" NOW"', "write a quote inside a text twice"),
    ('100 A$="SAY "YES PLEASE" NOW"', "write a quote inside a text twice"),
    ('100 DATA 1,"SAY "YES"",2', "write a quote inside a text twice"),
    ('100 PRINT "SAY "YES"!"', "put ; or , between what is printed; write a quote"),
    ('100 INPUT "YOUR "AGE"? ":A', "write a quote inside a text twice"),
    ('100 IF A$="THE "KING" IS" THEN 100', "write a quote inside a text twice"),
]


@pytest.mark.parametrize(("text", "remedy"), STATEMENTS)
def test_a_slip_is_told_with_what_is_meant(tmp_path: Path, text: str, remedy: str) -> None:
    findings, _ = advise_file(_source(tmp_path, text))
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    assert any(remedy in finding.remedy for finding in errors), errors


MISREAD = [
    ('100 PRINT 1\nL10 PRINT "B"', "write 110 instead of L10"),
    ("100 PRINT 1\nO20 A=1", "write 020 instead of O20"),
    ("100 PRINT 1\nLOO A=1", "begin it with a number"),
    ("100 PRINT 1\nLOO PRINT 1", "write 100 instead of LOO"),
    ("100 1F A=1 THEN 100", "did you mean IF, with the letter I?"),
    ("100 LF A=1 THEN 100", "did you mean IF, with the letter I?"),
    ("100 CA11 CLEAR", "did you mean CALL, with the letter L?"),
    ("100 REN X", "did you mean REM?"),
    ("100 GOTO 1 00", "leave out the space in the number"),
    ("100 CALL CHAR(96,FF818181818181FF)", 'write "FF818181818181FF" instead of FF818181818181FF'),
]


@pytest.mark.parametrize(("text", "remedy"), MISREAD)
def test_a_line_that_the_editor_refuses_is_told_with_what_was_misread(
    tmp_path: Path, text: str, remedy: str
) -> None:
    with pytest.raises(SourceError) as caught:
        Program.of(read_source(_source(tmp_path, text)))
    assert remedy in caught.value.remedy


NAMES = [
    ("A$=INPUT$(1)\nPRINT A$", "write CALL KEY(0,code,status) and CHR$(code)"),
    ("PRINT MOD(7,3)", "Extended BASIC has no MOD: write A-INT(A/B)*B"),
    (
        "IF JOYST(1)=4 THEN PRINT 1",
        "JOYST is a subprogram and gives its values to variables: write",
    ),
    ("PRINT SCREEN", "SCREEN is a subprogram, and has no value: write CALL SCREEN(color)"),
    ("CALL SPRITE(#1,SHIP,16,9,9)", "set it, write CONST SHIP=…, or correct the name"),
    ("100 PRINT SHIP", "set it, or correct the name"),
    ("RANDOMIZE TIMER", "write RANDOMIZE alone for a new seed"),
    ("A=7\nPRINT A\\2", "A\\2 is one name: for whole numbers write INT(A/B)"),
    ("PRINT FOO(3)\nSUB FOO(A)\nSUBEND", "FOO is a subprogram and gives values by its parameters"),
    ("100 FOR I=l TO 5\n110 NEXT I", "write the digit 1 if that is meant"),
    ("100 A=O\n110 PRINT A", "write the digit 0 if that is meant"),
    ("100 SC0RE=1\n110 PRINT SCORE", "did you mean SC0RE? They differ in a letter"),
]


@pytest.mark.parametrize(("text", "remedy"), NAMES)
def test_a_name_that_is_none_here_is_told_with_what_is(
    tmp_path: Path, text: str, remedy: str
) -> None:
    findings, _ = advise_file(_source(tmp_path, text))
    assert any(remedy in finding.remedy for finding in findings), findings


@pytest.mark.parametrize(
    "text",
    [
        'A=1 !==== A COMMENT ====\nIF A=1 THEN PRINT "X" !=== AND ANOTHER',
        'A$="X"\nHFF$="Y"\nPRINT A$&HFF$',
        "DIM A(3)\nA(1)=-1\nB=A(1)=1\nPRINT A(2);B",
        "O=1\nL=2\nPRINT O;L",
    ],
)
def test_what_only_looks_like_a_slip_is_none(tmp_path: Path, text: str) -> None:
    findings, _ = advise_file(_source(tmp_path, text))
    assert not [finding for finding in findings if finding.severity is Severity.ERROR]


def test_blanks_as_magazines_count_them(tmp_path: Path) -> None:
    text = '100 PRINT "{4 SPACES}A";"{SPACE}";"{4}{"\n110 REM {2 SPACES}\n'
    findings, _ = advise_file(_source(tmp_path, text))
    assert [(f.severity, f.message) for f in findings] == [
        (Severity.WARNING, "{4 SPACES} is shown as it stands"),
        (Severity.WARNING, "{SPACE} is shown as it stands"),
    ]


REFUSED = """\
100 FOR I=1 TO 3 :: READ A$ :: PRINT "A
110 NEXT I
120 CALL SHOW(A$)
130 PRINT USING 150:A$
140 GOTO 200
150 IMAGE "##
160 GOTO 999
200 SUB SHOW(B$) :: PRINT "X
210 SUBEND
220 A=1
"""


def test_the_lack_of_a_refused_line_is_no_mistake_of_others(tmp_path: Path) -> None:
    findings, _ = advise_file(_source(tmp_path, REFUSED))
    codes_and_rows = [(finding.code, finding.place.line) for finding in findings]
    assert codes_and_rows == [("entry", 1), ("entry", 6), ("entry", 8), ("missing-line", 7)]


def test_many_wrong_lines_still_show_their_hints(tmp_path: Path) -> None:
    wrong = ["PRINT ", "DIM A AS X", "SWAP A,B", "A%=1", "GET A$", "B=A MOD 3"]
    path = _source(tmp_path, "".join(f"{n} {text}\n" for n, text in enumerate(wrong * 3, 100)))
    with pytest.raises(SourceError) as caught:
        Program.of(read_source(path))
    texts = [str(error) for error in (caught.value, *caught.value.others)]
    assert "15 of 18 lines are wrong; choose another file, or begin with these" in texts[0]
    assert any(":3:" in text and "write T=A" in text for text in texts), texts
    assert any(":6:" in text and "MOD" in text for text in texts)
    assert len(texts) == 5, "each hint once"


def test_a_text_that_is_no_program_is_told_in_one_line(tmp_path: Path) -> None:
    text = "To whom it may concern, this is a letter and nothing else than that.\n" * 20
    with pytest.raises(SourceError) as caught:
        read_source(_source(tmp_path, text))
    assert "no source of Extended BASIC: 20 of 20 lines are wrong" in str(caught.value)
    assert not caught.value.others


@pytest.mark.parametrize("number", [0, 100])
def test_a_program_with_one_mistake_in_each_line_is_told_of_it(number: int, tmp_path: Path) -> None:
    """Quotes of a word processor, as a whole program has them that was pasted."""
    text = "".join(f"{number + n if number else ''} PRINT “LINE {n}”\n" for n in range(15))
    with pytest.raises(SourceError) as caught:
        Program.of(read_source(_source(tmp_path, text)))
    texts = [str(error) for error in (caught.value, *caught.value.others)]
    assert "15 of 15 lines are wrong; choose another file, or begin with these" in texts[0]
    assert 'write " instead of “' in texts[1]
    assert len(texts) < 4, "each kind once"


@pytest.mark.parametrize(
    ("text", "column", "advice"),
    [
        ("OPEN #1:DSK1.HIGH,INPUT", 13, 'a file\'s name stands in quotes{}write "DSK1.HIGH"'),
        ("DELETE DSK2.X", 12, 'a file\'s name stands in quotes{}write "DSK2.X"'),
        ("RUN DSK.VOL.GAME", 8, 'a file\'s name stands in quotes{}write "DSK.VOL.GAME"'),
        ("A=SHIP.X+1", 7, "a name has no dot{}write SHIP_X"),
    ],
)
def test_what_a_dot_stands_in(text: str, column: int, advice: str, tmp_path: Path) -> None:
    for number, ending in (("", "; "), ("100 ", ": ")):
        with pytest.raises(SourceError) as caught:
            Program.of(read_source(_source(tmp_path, number + text)))
        assert advice.format(ending) in str(caught.value)
        assert number or caught.value.place.column == column
        assert not caught.value.others


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("GOTO next", "NEXT"),
        ("GOSUB print", "PRINT"),
        ("RETURN stop", "STOP"),
        ("ON A GOTO x,next", "NEXT"),
        ("GOTO PRINT 5", "PRINT"),
    ],
)
def test_a_word_of_the_language_is_no_label(statement: str, word: str, tmp_path: Path) -> None:
    findings, _ = advise_file(_source(tmp_path, f"x: A=1\n{statement}"))
    remedy = f"name a line or a label there: {word} is a word of Extended BASIC"
    errors = [each for each in findings if each.severity is Severity.ERROR]
    assert [(each.place.line, each.remedy) for each in errors] == [(2, remedy)]


@pytest.mark.parametrize("text", ["SUB A$(X)\nSUBEND", "CALL A$(1)", "call a$"])
def test_the_name_of_a_subprogram_has_no_dollar(text: str, tmp_path: Path) -> None:
    for number in ("", "100 "):
        findings, _ = advise_file(_source(tmp_path, number + text))
        first = findings[0]
        assert first.remedy == "leave it out: a subprogram gives no text, its parameters do"
        assert "$" in text.splitlines()[0][(first.place.column or 0) - 1 - len(number) :]


def _source(folder: Path, text: str) -> Path:
    path = folder / "game.xb"
    path.write_text(text + "\n")
    return path


def test_quotes_of_windows_are_known_in_latin_1() -> None:
    for char, remedy in (("\x93", "instead of “"), ("\x96", "write - instead of –")):
        assert remedy in instead_of(char)
    assert 'write " around a text' in instead_of("\x91")
