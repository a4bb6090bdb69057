"""Advice for statements that always end in an error."""

import pytest

from ti99tools.base.errors import SourceError
from ti99tools.base.xberrors import STRING_NUMBER_MISMATCH, SYNTAX_ERROR
from ti99tools.language.dialect import generate
from ti99tools.language.lint.linter import lint
from ti99tools.language.listing.listing import scan
from ti99tools.language.listing.tokenize import EntryError, tokenize_line
from ti99tools.language.program.program import Program
from ti99tools.language.remedies import table
from ti99tools.language.remedies.patterns import Case, Slip, Table
from ti99tools.language.remedies.statements import advised, slip_of
from ti99tools.language.syntax.failures import failures

SLIPS = [
    ('PRIMT "X"', "did you mean PRINT?"),
    ("PRIMT 1", "did you mean PRINT?"),
    ("PRIMT A", "did you mean PRINT?"),
    ("FLUSH 1", "FLUSH begins no statement: CALL a subprogram, or set a variable with ="),
    ("X=1:PRINT X", "separate statements with ::"),
    ("X=5 PRINT X", "separate statements with ::"),
    ("IF A=1 PRINT 1", "THEN is missing after the condition"),
    ('PRINT "A" "B"', "put ; or , between what is printed"),
    ("PRINT TAB(5) A", "put ; or , between what is printed"),
    ('DISPLAY AT(1,1) "HI"', "a : is missing before it"),
    ("ACCEPT AT(1,1) N", "a : is missing before it"),
    ('INPUT "NAME";N$', "write : after the text that asks"),
    ("CALL HCHAR(1,1,65,32", "a ) is missing"),
    ("A=5)", "there is a ) too many"),
    ("A==5", "write = once: it compares too"),
    ("A=5+", "a value is missing after +"),
    ("PRINT #1,A", "write : after the number of the file"),
    ("INPUT #1,A", "write : after the number of the file"),
    (
        "FORI=1TO10",
        "FORI is one name: put a space after FOR, TO10 is one name: put a space after TO",
    ),
    ("IFA=1 THEN END", "IFA is one name: put a space after IF"),
    ('OPEN #1:"DSK1.X",INPUTT', "did you mean INPUT?"),
    ("X=5 TOTAL=3", "separate statements with ::"),
    ("CLEAR", "CLEAR is a subprogram: write CALL CLEAR"),
    ("SCREEN (2)", "SCREEN is a subprogram: write CALL SCREEN"),
    (
        "LOCATE 3,4",
        "no statement begins with LOCATE here: "
        "write DISPLAY AT(row,column):text, or CALL LOCATE for sprites",
    ),
    (
        "FUNCTION F(X)",
        "no statement begins with FUNCTION here: write PROC … END PROC with OUT, SUB … SUBEND, or"
        " DEF for one expression",
    ),
    ("PRINT (A+)", "a value is missing"),
    ("DEF F(X,Y)=X+Y", "DEF takes one parameter"),
    ('A=LEFT$("ABC",1)', "Extended BASIC has no LEFT$: write SEG$(text,1,count)"),
    ('? "HI"', "write PRINT instead of ?"),
    ("' HI", 'write " around a text, ! before a comment'),
    ("MAX=0", "MAX is a word of Extended BASIC: choose another name"),
    ("IF MAX>0 THEN END", "MAX is a word of Extended BASIC: choose another name"),
    ("PRINT DIGIT", "DIGIT is a word of Extended BASIC: choose another name"),
    ("A=INT(RND()*6)", "RND takes no ( ): write RND alone"),
    ('OPEN #1,"DSK1.X"', "write : after the number of the file"),
    ('PRINT USING "##";A', "write : instead of ;"),
    ('DISPLAY AT(1,1);"X"', "write : instead of ;"),
    ("READ A;B", "put , between the variables"),
    ("CALL TEST X", "write ( ) around the arguments"),
    ("CALL CHAR(96,3CFF)", 'write " around the pattern'),
    ("GOSUB500", "GOSUB500 is one name: put a space after GOSUB"),
    ("GOTO100,200", "GOTO100 is one name: put a space after GOTO"),
    ('INPUT X$,"NAME"', 'the text that asks comes first: INPUT "NAME":X$'),
    ("PRINTA;B", "PRINTA is one name: put a space after PRINT"),
    ("CALLHCHAR(1,1,65)", "CALLHCHAR is one name: put a space after CALL"),
    ("BEEP=1", "BEEP is a word of Extended BASIC: choose another name"),
    ("PI=3", "PI is a word of Extended BASIC: choose another name"),
    ("READ A,MIN", "MIN is a word of Extended BASIC: choose another name"),
    ("A=MAX(1,2", "a ) is missing"),
    ('A$[1]="X"', "write subscripts in ( )"),
    ("A=3 − 2", "write - instead of −"),
    ("IF A≠3 THEN END", "write <> instead of ≠"),
    ("A$=5", 'a text stands in quotes: "5"; of a number STR$(number) makes one'),
]

IN_LISTINGS = [
    ("NEXT I,J", "NEXT ends one loop: write NEXT I :: NEXT J"),
    ("ON K GOTO 100 100", "put , between the line numbers"),
    ("IF A THEN 100 ELSE", "write a statement or a line number there"),
    ("FOR SIZE=1 TO 3", "SIZE is a word of Extended BASIC: choose another name"),
    ("FOR I=1 TO MAX", "MAX is a word of Extended BASIC: choose another name"),
    ("FOR I=1TO10", "TO10 is one name: put a space after TO"),
    ("IF A=1THENEND", "THENEND is one name: put a space after THEN"),
    ("IF A!=1 THEN END", "! begins a comment: not equal is <>"),
    ("FOR I=1 T0 9", "did you mean TO, with the letter O?"),
    ("IF A>3 ORA<1 THEN END", "ORA is one name: put a space after OR"),
    ("X=5 ORANGE=3", "separate statements with ::"),
    ("ENDSUB", "did you mean SUBEND?"),
    ("DIM A(1,1,1,1,1,1,1,1)", "A has more than 7 dimensions"),
    ("A$=STR$(B$)", "STR$ takes a number"),
    ("A=LEN(5)", "LEN takes a text"),
]
"""Slips in numbered listings, where no statement waits for the end of a block."""


def met(slip: Slip, code: int) -> Slip | None:
    """The slip that the example of one has."""
    _, tokens = tokenize_line(f"100 {slip.example}")
    statement, error = failures(tokens)[0]
    found = slip_of(tokens, statement, error, subs=("FOO",)) if error == code else None
    return found[0] if found is not None else None


@pytest.mark.parametrize(
    ("slips", "code"), [(table.SLIPS, SYNTAX_ERROR), (table.MISMATCHES, STRING_NUMBER_MISMATCH)]
)
def test_the_example_of_each_slip_has_it_and_none_before(slips: Table, code: int) -> None:
    assert [slip for slip in slips.slips if met(slip, code) is not slip] == []


def test_an_example_of_another_slip_is_noticed() -> None:
    some = table.SLIPS.slips[5]
    assert met(some._replace(example="PRINT #1,A"), SYNTAX_ERROR) is not some


@pytest.mark.parametrize(
    ("pattern", "statement", "fits"),
    [
        ("… , … .", "READ A,B", True),
        ("…~( , … .", "READ A(1),B", False),
        ("name number* .", "READ A 1 2", True),
        ("name ▸ ,", "NEXT J,I", True),
        ("▸ name", "NEXT J,I", False),
        ("~name …", "NEXT J,I", False),
        ("name:J , name:I .", "NEXT J,I", True),
        ("name:J .", "NEXT J,I", False),
    ],
)
def test_words_of_a_pattern(pattern: str, statement: str, fits: bool) -> None:
    own = scan(tokenize_line(f"100 {statement}")[1])
    case = Case(own, own[2])
    assert (Table(Slip("READ|NEXT", pattern, "X", statement)).first(case) is not None) == fits


@pytest.mark.parametrize(("statement", "remedy"), SLIPS)
def test_what_to_do_about_common_slips(statement: str, remedy: str) -> None:
    with pytest.raises(SourceError) as raised:
        generate(f"A=1\n{statement}\n", "g.xb")
    assert raised.value.remedy == remedy
    assert (raised.value.place.file, raised.value.place.line) == ("g.xb", 2)
    try:
        line = tokenize_line(f"100 {statement}")
    except EntryError as error:
        assert advised(error).remedy == remedy
    else:
        assert next(f.remedy for f in lint([line]) if f.code == "syntax") == remedy


@pytest.mark.parametrize(("statement", "remedy"), IN_LISTINGS)
def test_what_to_do_about_slips_in_listings(statement: str, remedy: str) -> None:
    assert next(f.remedy for f in lint([tokenize_line(f"100 {statement}")])) == remedy


def test_words_of_the_dialect_are_known_where_it_is_spoken() -> None:
    with pytest.raises(SourceError, match=r"did you mean REPEAT\?"):
        generate("REPAET (1)\n")
    assert "REPEAT" not in lint([tokenize_line("100 REPAET (1)")])[0].remedy


def test_on_error_takes_a_line_alone() -> None:
    with pytest.raises(SourceError, match="name the line alone, without GOTO"):
        generate("ON ERROR GOTO a\na: END\n")


def test_functions_of_other_basics_are_told() -> None:
    findings = lint([tokenize_line("100 PRINT MID$(X,1,2)")])
    assert [f.remedy for f in findings if "MID$" in f.message] == [
        "Extended BASIC has no MID$: write SEG$(text,first,count)"
    ]


def test_a_line_with_a_number_has_no_blocks() -> None:
    with pytest.raises(SourceError, match="WHILE is a word of sources without line numbers"):
        Program.from_listing("100 WHILE A<5")


def test_select_case_is_a_word_of_the_dialect() -> None:
    with pytest.raises(SourceError) as raised:
        Program.from_listing("100 SELECT CASE A")
    assert raised.value.remedy == (
        "no statement begins with SELECT here: write IF … ELSEIF …, or ON … GOTO"
    )
