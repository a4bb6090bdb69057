"""Constants that the console does not take: subscripts, arguments of functions, patterns."""

import pytest

from ti99tools import Console, Program
from ti99tools.language.findings import Finding, Severity
from ti99tools.language.lint.linter import lint


def judged(source: str, beginnings: tuple[str, ...] = ()) -> list[Finding]:
    program = Program.from_source(source)
    findings = lint([(line.number, line.tokens) for line in program.lines], beginnings=beginnings)
    return [f for f in findings if f.code not in ("never-used", "never-set")]


ERRORS = [
    ("DIM A(3)\nA(4)=1", "A goes from 0 to 3: this fails with BAD SUBSCRIPT"),
    ("DIM A(3)\nPRINT A(3.5)", "A goes from 0 to 3: this fails with BAD SUBSCRIPT"),
    ("OPTION BASE 1\nDIM A(3,2)\nA(1,0)=1", "A goes from 1 to 2: this fails with BAD SUBSCRIPT"),
    ("PRINT A(11)", "A goes from 0 to 10: this fails with BAD SUBSCRIPT"),
    ("PRINT A(-1)", "A goes from 0 to 10: this fails with BAD SUBSCRIPT"),
    ('PRINT SEG$("AB",0,1)', "the first character of SEG$ is 0: this fails with BAD VALUE"),
    ("PRINT CHR$(-1)", "the character code of CHR$ is -1: this fails with BAD VALUE"),
    ('PRINT RPT$("A",-1)', "the number of times of RPT$ is -1: this fails with BAD VALUE"),
    ('PRINT POS("A","B",0)', "the first character of POS is 0: this fails with BAD VALUE"),
    (
        "DEF F(X)=F(X)+1\nPRINT F(1)",
        "where F is used, it needs itself again and again: this fails with STACK OVERFLOW",
    ),
    ("DEF F=1+F\nPRINT F", "where F is used, it needs itself again and again: this fails with"),
    ('PRINT VAL("X")', 'VAL("X") fails with BAD ARGUMENT'),
    ('PRINT ASC("")', 'ASC("") fails with BAD ARGUMENT'),
    ("PRINT SQR(-1)", "SQR(-1) fails with BAD ARGUMENT"),
    ("PRINT LOG(0)", "LOG(0) fails with BAD ARGUMENT"),
    ('CALL CHAR(128,"FFG0")', "G is no digit of a pattern: this fails with BAD VALUE"),
    ('CALL CHAR(128,"ff")', "f is no digit of a pattern: this fails with BAD VALUE"),
    ('IF B=0 THEN CALL CHAR(128,"00",129,"0X")', "X is no digit of a pattern: this fails with"),
]


@pytest.mark.parametrize(("source", "message"), ERRORS)
def test_what_always_fails_is_an_error_and_does_fail(source: str, message: str) -> None:
    findings = judged(source)
    assert [f.severity for f in findings] == [Severity.ERROR]
    assert findings[0].message.startswith(message)
    console = Console()
    console.load(Program.from_source(source))
    assert console.run() == "error"
    assert console.error is not None
    assert console.error.text in message or message.endswith("fails with")


@pytest.mark.parametrize(
    "source",
    [
        "DEF F(F)=F+1\nPRINT F(1)",
        "DIM A(3)\nA(3)=1\nPRINT A(0);A(3.4)",
        "PRINT A(10);A(-.5)",
        'PRINT SEG$("AB",1,0);CHR$(300);RPT$("A",0);POS("A","B",1);SQR(0);LOG(1)',
        'PRINT VAL(" 1E3 ");VAL("-.5");VAL("E5")',
        "PRINT A(5)",
        "CALL T\nDIM A(20)\nPRINT A(15)\nSUB T\nPRINT A(10)\nSUBEND",
        "DEF F(X)=X*2\nPRINT F(99)",
        'CALL CHAR(128,"")\nCALL CHAR(128,"0123456789ABCDEF")',
    ],
)
def test_what_works_is_no_finding(source: str) -> None:
    source = source if "DIM A(20)\nPRINT" not in source else _dim_first(source)
    assert judged(source) == []
    console = Console()
    console.load(Program.from_source(source))
    assert console.run() == "ready"


def _dim_first(source: str) -> str:
    return "DIM A(20)\n" + source.replace("DIM A(20)\n", "")


def test_a_parameter_has_the_size_of_the_argument() -> None:
    source = "DIM A(20)\nCALL S(A())\nSUB S(B())\nPRINT B(15)\nSUBEND"
    assert judged(source) == []


def test_what_never_runs_is_no_error() -> None:
    findings = judged('GOTO last\nPRINT VAL("X")\nlast: PRINT "A"')
    assert [f.severity for f in findings if f.code == "range"] in ([Severity.WARNING], [])
    assert not [f for f in findings if f.severity is Severity.ERROR]


def test_lengths_of_patterns() -> None:
    long = judged(f'CALL CHAR(128,"{"0" * 65}")')
    assert [(f.severity, f.message) for f in long] == [
        (Severity.WARNING, "the pattern has 65 digits, 64 are taken")
    ]
    last = judged(f'CALL CHAR(143,"{"0" * 32}")')
    assert last[0].message == "the pattern has 32 digits, 16 are taken"
    odd = judged('CALL CHAR(128,"FFF")')
    assert [(f.severity, f.message) for f in odd] == [
        (Severity.INFO, "the pattern has 3 digits: an odd number")
    ]
    assert judged('CALL CHAR(128,"FFF")', ("CONST",)) == [], "#art leaves out zeros"


def test_a_function_that_nothing_uses() -> None:
    findings = judged("DEF F(X)=X*2\nDEF G(X)=X+1\nPRINT G(2)")
    assert [(f.code, f.message) for f in findings] == [
        ("unused-def", "nothing uses the function F")
    ]
    assert judged("DEF F(X)=X*2\nDEF G(X)=F(X)\nPRINT G(2)") == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('X=A("1")', "A takes a number as subscript"),
        ('READ A("1")\nDATA 5', "A takes a number as subscript"),
        ('DEF F(X)=X\nPRINT F("A")', "F takes a number as X"),
        ("DEF F(X$)=LEN(X$)\nPRINT F(2)", "F takes a text as X$"),
        ('PRINT SEG$("AB",1,-1)', "the number of characters of SEG$ is -1"),
    ],
)
def test_what_stands_in_parentheses(source: str, message: str) -> None:
    (found,) = judged(source)
    assert (found.message.partition(": ")[0], found.severity) == (message, Severity.ERROR)
    console = Console()
    console.load(Program.from_source(source))
    console.run()
    assert console.error is not None
    assert found.message.endswith(f"this fails with {str(console.error).partition(' IN ')[0]}")
