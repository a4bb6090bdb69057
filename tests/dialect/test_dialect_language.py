"""The dialect's rules one by one: labels, blocks, constants, conditions, errors."""

import re

import pytest

from ti99tools.base.errors import SourceError
from ti99tools.language.dialect import generate


def listing(source: str, **options: object) -> list[str]:
    """The listing less its line numbers' column."""
    return generate(source, "g.xb", **options).listing  # type: ignore[arg-type]


ERRORS = [
    ("GOTO nowhere", "g.xb:1:6: no label NOWHERE; put NOWHERE: before a line"),
    ("a: A=1\na: B=1\nGOTO a", "g.xb:2:1: the label A stands at g.xb:1:1 too; rename one of them"),
    ("next: A=1", "g.xb:1:1: NEXT is a word of Extended BASIC; choose another label"),
    ("list: A=1", "g.xb:1:1: LIST is a word of Extended BASIC; choose another label"),
    ("x: A=1\nSUB S\nGOTO x\nSUBEND", "g.xb:3:6: the label X is outside SUB S"),
    ("IF A THEN\nB=1", "g.xb:1:1: IF is not closed; close it with END IF"),
    ("B=1\nREPEAT\nB=2", "g.xb:2:1: REPEAT is not closed; close it with UNTIL"),
    ("FOR I=1 TO 2\nB=2", "g.xb:1:1: FOR I is not closed; close it with NEXT I"),
    ("SUB S\nB=2", "g.xb:1:1: SUB S is not closed; close it with SUBEND"),
    ("END IF", "g.xb:1:1: END IF without IF; remove it or open the block"),
    ("NEXT I", "g.xb:1:1: NEXT without FOR"),
    ("UNTIL A", "g.xb:1:1: UNTIL without REPEAT"),
    ("ELSE", "g.xb:1:1: ELSE without IF"),
    (
        "IF A THEN PRINT 1\nELSE\nPRINT 2\nEND IF",
        "g.xb:2:1: ELSE without IF; the IF above ended with its line: "
        "write what is after its THEN on the next line",
    ),
    (
        "FOR I=1 TO 3\nFOR J=1 TO 3\nNEXT I\nNEXT J",
        "g.xb:3:6: NEXT I closes FOR J at g.xb:2:1; write NEXT J",
    ),
    (
        "IF A THEN\nWHILE B\nFOR I=1 TO 3\nNEXT K\nEND WHILE\nEND IF",
        "g.xb:4:6: NEXT K closes FOR I at g.xb:3:1; write NEXT I",
    ),
    ("IF A THEN\nELSE\nELSE\nEND IF", "g.xb:3:1: ELSE after ELSE"),
    ("IF A THEN\nELSE\nELSEIF B THEN\nEND IF", "g.xb:3:1: ELSEIF after ELSE"),
    ("IF A THEN\nFOR I=1 TO 2\nEND IF", "END IF while FOR at g.xb:2:1 is open"),
    ("IF A THEN\nELSE B=1\nEND IF", "g.xb:2:6: statements after ELSE"),
    (
        "WHILE A :: IF B THEN C=1 :: END WHILE",
        "g.xb:1:29: END WHILE is not allowed in a one-line IF",
    ),
    ("IF A THEN DIM B(5)", "g.xb:1:11: DIM is not allowed in a one-line IF"),
    ("IF A THEN B=1 ELSE NEXT I", "g.xb:1:20: NEXT is not allowed in a one-line IF"),
    ("WHILE\nEND WHILE", "g.xb:1:1: WHILE without a condition"),
    ("REPEAT\nUNTIL", "g.xb:2:1: UNTIL without a condition"),
    ("EXIT", "g.xb:1:1: EXIT outside a loop"),
    ("REPEAT\nEXIT WHILE\nUNTIL A", "g.xb:2:1: EXIT outside a WHILE"),
    ("GOTO 100", "g.xb:1:6: line number 100 in a source without line numbers"),
    ("ON A GOSUB x,200\nx: RETURN", "g.xb:1:14: line number 200"),
    ("A=1 :: :: B=2", "g.xb:1:8: an empty statement; remove the ::"),
    (
        "ABCDEFGHIJKLMNOPQ=1",
        "g.xb:1:1: the name ABCDEFGHIJKLMNOPQ has 17 characters; use at most 15",
    ),
    ('A=1\n  A$="X', 'g.xb:2:6: unmatched quotes; close the text with "'),
    (
        "#art 130 SPRITE\n" + ("X" * 16 + "\n") * 16 + "#end",
        "g.xb:1:6: a sprite of four characters",
    ),
    ("A=5 ? 6", "g.xb:1:5: unrecognized character ?; write PRINT instead of ?"),
    ("PRINT “A”", 'g.xb:1:7: unrecognized character “; write " instead of “'),
    ('PRINT "A–B"', "UNRECOGNIZED CHARACTER; write - instead of –"),
    ("NEW=5", "g.xb:1:1: NEW is a command of the editor"),
    ("B=1\nA=B C", "g.xb:2:5: SYNTAX ERROR"),
    ("A=(1+2", "this fails with SYNTAX ERROR"),
    ("PRINT 1\nPRIMT 2", "g.xb:2:1: this fails with SYNTAX ERROR"),
    ("A$=5", "g.xb:1:1: this fails with STRING-NUMBER MISMATCH"),
    ("CALL 5", "g.xb:1:6: a subprogram's name is required"),
    ("CONST A=5\nSUB S(B,A)\nSUBEND", "g.xb:2:9: A is a constant; use another name"),
    ("CONST A=5\nFOR A=1 TO 2\nNEXT A", "g.xb:2:5: A is a constant; use another name"),
    ("CONST A=5\nIF B THEN READ C,A", "g.xb:2:18: A is a constant; use another name"),
    ("CONST A=5\nINPUT #1:C,A", "g.xb:2:12: A is a constant; use another name"),
    ("CONST A=5\nDEF F(A)=A", "g.xb:2:7: A is a constant; use another name"),
    ("CONST A=5\nDIM B(3),A(2)", "g.xb:2:10: A is a constant; use another name"),
    ("CONST A=5\nPROC P(A)\nEND PROC", "g.xb:2:8: A is a constant; use another name"),
    ("CONST A=5\nA=6", "g.xb:2:1: A is a constant; use another name for what changes"),
    ("CONST A=5\nCONST A=6", "g.xb:2:7: the constant A has a value already"),
    ("A=1\nCONST A=6", "g.xb:2:7: the constant A is used before, at g.xb:1:1"),
    ("CONST A=B+1", "g.xb:1:9: no constant value at B"),
    ("CONST A$=5", "g.xb:1:10: A$ gets a value of the other type; names of texts end in $"),
    ("CONST A", "g.xb:1:7: a constant without a value; write CONST NAME = 5"),
    ("CONST GOTO=5", "g.xb:1:7: GOTO cannot name a constant"),
    ("CONST A=1/0", "no constant value"),
    ("CONST A=1E999999999", "no constant value"),
    ("CONST A=1E99*1E99, B=A+1", "no constant value"),
    ('CONST A$=RPT$("X",256)', "no constant value"),
    ('CONST A$=RPT$("X",1E9)', "no constant value"),
    ("CONST A$=CHR$(-1)", "no constant value"),
    ("#if A", "g.xb:1:1: #if without #end; close it with #end"),
    ("#else", "g.xb:1:1: #else without #if; remove it"),
    ("#if 1\n#else\n#else\n#end", "g.xb:3:1: #else after #else; put it before"),
    ("#foo", "g.xb:1:1: unknown directive #foo"),
    ("#text\n#end", "g.xb:1:1: #text requires a label"),
    ("#text a\nX", "g.xb:1:1: #text without #end"),
    ("#text a\n\n#end", "g.xb:1:1: #text without text"),
    ("#text a\n" + "X" * 29 + "\n#end", "wider than 28 columns"),
    ("#text a\n " + "X" * 28 + "\n#end", "g.xb:2:1: the line has 29 characters, a row 28"),
    ("#art 128\nX\n#end", "the drawing has 1 by 1 dots; make both multiples of 8"),
    ("#art 128\nXXXXXXXX\nXXXX?XXX\n#end", "g.xb:3:5: ? in a drawing; draw with X and ."),
    ("#art 128\nXXXXXXXX\nXXXXXXX\n#end", "g.xb:3:1: this row has 7 dots, the first has 8"),
    ("#art 20\n" + "........\n" * 8 + "#end", "characters 20 to 20 cannot be defined"),
    ("#art\n" + "........\n" * 8 + "#end", "#art requires a character code"),
    ("! nothing", "there is no program line in it"),
    ("A=1 _", "g.xb:1:1: the last line cannot be continued"),
]


@pytest.mark.parametrize(("source", "message"), ERRORS)
def test_errors_say_where_and_what_to_do(source: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        generate(source, "g.xb")
    assert message in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a = b+c", "A=B+C"),
        ("A=1 ! set _\nB=2", "A=1::B=2"),
        ("REM first _\nPRINT 1; _\n2", "PRINT 1;2"),
        ("DATA A! _\nB", "DATA A! B"),
        ('PRINT "a":: PRINT  "b" ; x', 'PRINT"a"::PRINT"b";X'),
        ('PRINT "A": : "B"', 'PRINT"A": :"B"'),
        ("data Hello , World", "DATA Hello , World"),
        ("image ##.## abc ! no comment", "IMAGE ##.## abc ! no comment"),
        ("IF A=1THEN B=2", "IF A=1 THEN B=2"),
        ("GO  TO x\nx: END", "GO TO 110"),
        ("GO SUB x\nx: RETURN", "GO SUB 110"),
        ("CALL MySub(A)", "CALL MYSUB(A)"),
        ("KEEP REM Hello there", "REM Hello there"),
        ("EXIT=5", "EXIT=5"),
        ("CONST=5", "CONST=5"),
        ("WHILE=5", "WHILE=5"),
        ("UNTIL=5", "UNTIL=5"),
        ('PRINT "IT""S"', 'PRINT"IT""S"'),
        ("A=1E5", "A=1E5"),
        ("a=1e5", "A=1E5"),
        ("a=1.5e-7", "A=1.5E-7"),
        ("if a then b=1else c=2", "IF A THEN B=1 ELSE C=2"),
        ("PRINT: : A", "PRINT: :A"),
        ("ON ERROR STOP", "ON ERROR STOP"),
        ('RUN "DSK1.X"', 'RUN"DSK1.X"'),
    ],
)
def test_one_statement(source: str, line: str) -> None:
    assert listing(source)[0] == f"100 {line}"


@pytest.mark.parametrize(
    ("condition", "turned"),
    [
        ("A=1", "A<>1"),
        ("A<>1", "A=1"),
        ("A<1", "A>=1"),
        ("A>=1", "A<1"),
        ("A>1", "A<=1"),
        ("A< =1", "A>1"),
        ('A$="X"', 'A$<>"X"'),
        ("A", "A=0"),
        ("A+B", "A+B=0"),
        ("F(X=1)", "F(X=1)=0"),
        ("A=1 AND B=2", "(A=1 AND B=2)=0"),
        ("NOT A", "(NOT A)=0"),
        ("A=B=C", "(A=B=C)=0"),
        ("(A OR B)", "(A OR B)=0"),
        ("EOF(1)", "EOF(1)=0"),
    ],
)
def test_conditions_are_turned_round(condition: str, turned: str) -> None:
    separator = "" if turned.startswith("(") else " "
    line = listing(f"REPEAT\nA=A-1\nUNTIL {condition}")[0]
    assert (
        line == f"100 A=A-1::IF{separator}{turned}{'' if turned[-1] == ')' else ' '}THEN 100"
        or (line.replace(" ", "") == f"100A=A-1::IF{turned}THEN100".replace(" ", ""))
    )


@pytest.mark.parametrize(
    ("definition", "use", "result"),
    [
        ("A=5", "X=A", "X=5"),
        ("A=5", "X=A+1", "X=6"),
        ("A=5", "X=B*A+1", "X=B*5+1"),
        ("A=5", "X=A*B", "X=5*B"),
        ("A=5", "CALL HCHAR(A,A*2,A-B)", "CALL HCHAR(5,10,5-B)"),
        ("A=-2", "X=B-A", "X=B-(-2)"),
        ("A=-2", "X=A^2", "X=(-2)^2"),
        ("A=-2", "X=RND-A", "X=RND-(-2)"),
        ("A=-2", "X=A", "X=-2"),
        ("A=1/3", "X=A", "X=.33333333333333"),
        ("A=1/4", "X=A*2", "X=.5"),
        ("A=.5", "X=A", "X=.5"),
        ("A=2, B=A*A, C=(A+B)*3", "X=C", "X=18"),
        ('A$="X"', 'X$=A$&"Y"&Z$', 'X$="X"&"Y"&Z$'),
        ('A$="X"', 'X$=A$&"Y"', 'X$="XY"'),
        ('A$=CHR$(65)&RPT$("-",3)&STR$(7)', "X$=A$", 'X$="A---7"'),
        ('A$="X", N=LEN(A$)+INT(2.7)', "X=N", "X=3"),
        ("A=5", 'X$="A"', 'X$="A"'),
        ("A=5", "DATA A", "DATA A"),
        ("A=5", "CALL A", "CALL A"),
        ("A=5", "IF X=A THEN Y=A+A", "IF X=5 THEN Y=10"),
        ("BIG=12345678901", "X=BIG+1", "X=12345678901+1"),
    ],
)
def test_constants(definition: str, use: str, result: str) -> None:
    assert listing(f"CONST {definition}\n{use}")[0] == f"100 {result}"


def test_constants_from_outside_win() -> None:
    source = 'CONST DEBUG=0\n#if DEBUG\nPRINT 1\n#elif KIND$="B"\nPRINT 2\n#else\nPRINT 3\n#end'
    assert listing(source) == ["100 PRINT 3"]
    assert listing(source, defines={"DEBUG": 1}) == ["100 PRINT 1"]
    assert listing(source, defines={"kind$": "B"}) == ["100 PRINT 2"]


def test_conditions_nest_and_what_is_left_out_is_not_read() -> None:
    source = '#if A\n#if B\nnonsense ? "\n#else\nPRINT 1\n#end\n#else\nPRINT 2\n#end'
    assert listing(source) == ["100 PRINT 2"]
    assert listing(source, defines={"A": 1}) == ["100 PRINT 1"]
    assert listing("#if NOT A\nPRINT 1\n#end\n#if A<>0\nPRINT 2\n#end") == ["100 PRINT 1"]


def test_nested_blocks_become_one_line_where_else_stays_clear() -> None:
    assert listing("IF A THEN\nIF B THEN\nC=1\nEND IF\nEND IF") == ["100 IF A THEN IF B THEN C=1"]
    # The ELSE belongs to the outer IF: in one line it would go to the inner one.
    outer = listing("IF A THEN\nIF B THEN\nC=1\nEND IF\nELSE\nD=1\nEND IF")
    assert outer == [
        "100 IF A=0 THEN 130",
        "110 IF B THEN C=1",
        "120 GOTO 140",
        "130 D=1",
        "140 END",
    ]


def test_labels_follow_jumps_and_jumps_never_reached_are_left_out() -> None:
    source = "IF A THEN x\nB=1\nSTOP\nx: GOTO y\nz: C=1\ny: PRINT\nGOTO z"
    assert listing(source) == [
        "100 IF A THEN 130",
        "110 B=1::STOP",
        "120 C=1",
        "130 PRINT::GOTO 120",
    ]


def test_subprograms_go_behind_the_main_program() -> None:
    source = "SUB A\nSUBEND\nCALL A\nSUB B\nSUBEND\nCALL B"
    assert listing(source) == ["100 CALL A::CALL B", "110 SUB A::SUBEND", "120 SUB B::SUBEND"]


def test_a_sprite_is_drawn_by_columns() -> None:
    quarter = {"a": "X.......", "b": ".X......", "c": "..X.....", "d": "...X...."}
    rows = [quarter["a"] + quarter["b"]] * 8 + [quarter["c"] + quarter["d"]] * 8
    text = "\n".join(rows)
    plain = listing(f"#art 128\n{text}\n#end")[0]
    sprite = listing(f"#art 128 SPRITE\n{text}\n#end")[0]
    wanted = [digits * 8 for digits in ("80", "40", "20", "10")]
    assert re.findall('"(.*)"', plain) == ["".join(wanted).rstrip("0")]
    wanted[1], wanted[2] = wanted[2], wanted[1]
    assert re.findall('"(.*)"', sprite) == ["".join(wanted).rstrip("0")]


def test_trailing_zeros_of_a_pattern_are_left_out_of_the_last_character_only() -> None:
    row = ".......X ........"
    empty = "........ ........"
    drawing = "\n".join([row, *[empty] * 7])
    assert listing(f"#art 128\n{drawing}\n#end") == ['100 CALL CHAR(128,"01000000000000000")']


def test_text_pages_break_where_they_must() -> None:
    lines = "\n\n".join(f"paragraph {i} " + "word " * 12 for i in range(8))
    data = "\n".join(listing(f"#text t ROWS = 10\n{lines}\n#end"))
    items = re.findall(r'"([^"]*)"|\b(\d+)\b', re.sub(r"(?m)^\d+ DATA ", "", data))
    counts = [int(n) for _, n in items if n]
    assert counts[-1] == 0
    assert all(0 < n <= 10 for n in counts[:-1])
    assert sum(counts) == sum(1 for text, n in items if not n)
    assert all(len(text) <= 28 for text, _ in items)


def test_a_word_of_extended_basic_is_no_constant_from_outside() -> None:
    with pytest.raises(SourceError, match="TRACE cannot name a constant"):
        generate("PRINT 1", defines={"TRACE": 1})
