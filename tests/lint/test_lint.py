"""Lint: each rule on a small program, silence on good ones, never a traceback."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ti99tools.app.lint import fix_file, judge
from ti99tools.base.errors import Place
from ti99tools.language.findings import Finding, Severity
from ti99tools.language.lint.linter import lint
from ti99tools.language.listing.numbered import read_text

CONFORMANCE = Path(__file__).parents[1] / "conformance"


def judged(*text: str) -> list[Finding]:
    entries, errors, *_ = read_text("\n".join(text), "x.bas", strict=False)
    assert not errors
    known = {entry.number: entry for entry in entries}

    def where(number: int, offset: int) -> Place:
        return Place("x.bas", known[number].place.line, known[number].column(offset))

    return lint(sorted((e.number, e.tokens) for e in entries), where)


def findings_in(*text: str) -> list[tuple[str, str, str]]:
    """Code, severity and row:column of each finding."""
    return [(f.code, f.severity.label, f"{f.place.line}:{f.place.column}") for f in judged(*text)]


GOOD = """\
100 REM GUESS
110 DIM A$(5)
120 RANDOMIZE
130 N=INT(RND*100)+1
140 INPUT "GUESS? ":G
150 IF G<>N THEN PRINT "NO" :: GOTO 140 ELSE GOSUB 300
160 FOR I=1 TO 5 :: READ A$(I) :: NEXT I
170 PRINT USING 200:N
180 CALL SHOW(A$(),N)
190 STOP
200 IMAGE ###
210 DATA 1,2,3,4,5
300 PRINT A$(1)
310 RETURN
400 SUB SHOW(X$(),Y)
410 PRINT X$(1);Y
420 SUBEND
"""


def test_a_good_program_has_no_findings() -> None:
    assert judged(*GOOD.splitlines()) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (["100 GOTO 200"], [("missing-line", "error", "1:10")]),
        (
            ["100 ON 1 GOSUB 100,200,300"],
            [("missing-line", "error", "1:20"), ("missing-line", "error", "1:24")],
        ),
        (
            ["100 RESTORE 50", "110 READ A :: PRINT A"],
            [("missing-line", "warning", "1:13"), ("no-data", "error", "2:5")],
        ),
        (["100 PRINT USING 110:5", "110 PRINT"], [("no-image", "error", "1:17")]),
        (["100 PRINT USING 200:5"], [("missing-line", "error", "1:17")]),
        (["100 PRINT 1 2"], [("syntax", "error", "1:13")]),
        (["100 THEN ELSE"], [("syntax", "error", "1:5")]),
        (['100 PRINT "A\u00e9"'], [("character", "warning", "1:11")]),
        (['100 PRINT "A\tB"'], [("character", "warning", "1:11")]),
        (['100 A$="\u2409\u2401"', "110 PRINT A$"], []),
        (["100 CALL KEY(0,K)"], [("arguments", "error", "1:5")]),
        (["100 CALL SPRITE(1,65,2,9,9)"], [("arguments", "error", "1:5")]),
        (["100 CALL CLEAR(1)"], [("arguments", "error", "1:5")]),
        (["100 CALL COLOR(#1,2,#2,3)", "110 CALL PEEK(5,A)"], []),
        (["100 CALL KEY(0)", "110 SUB KEY(A)", "120 PRINT A", "130 SUBEND"], []),
        (['100 A=1+"A" :: PRINT A'], [("syntax", "error", "1:5")]),
        (["100 IF 1 THEN PRINT 1 ELSE PRINT 2 3"], [("syntax", "error", "1:36")]),
        (["100 CALL NOSUCH"], [("no-subprogram", "error", "1:5")]),
        (["100 CALL S(1)", "110 SUB S", "120 SUBEND"], [("arguments", "error", "1:5")]),
        (["100 GOTO 100 :: PRINT"], [("unreachable", "warning", "1:17")]),
        (["100 GOTO 100 ! BACK"], []),
        (["100 GOTO 100", "110 PRINT", "120 PRINT"], [("unreachable", "warning", "2:5")]),
        (["100 GOTO 100", "110 DATA 1", "120 REM", "130 END"], []),
        (["100 GOTO 120::A,B$::CALL KEY::!@P-", "120 A=1::PRINT A"], []),
        (["100 GOTO 110::A,B=0", "105 !@P-", "110 A=1::PRINT A"], []),
        (["100 GOTO 110::DIM A(20)::!@P-", "110 A(15)=1::PRINT A(15)"], []),
        (["100 GOTO 120", "110 DIM A(20)", "115 !@P-", "120 A(15)=1::PRINT A(15)"], []),
        (
            ["100 GOTO 140", "110 A,B", "120 C$::CALL KEY::GOTO 999", "130 !@P-", "140 A=1+A"],
            [],
        ),
        (
            ["100 A=1::PRINT A", "110 GOTO 140", "120 A,B", "130 !@P+", "140 END"],
            [("syntax", "warning", "3:5"), ("unreachable", "warning", "3:5")],
        ),
        (
            ["100 END", "110 CALL KEY(0)"],
            [("arguments", "warning", "2:5"), ("unreachable", "warning", "2:5")],
        ),
        (
            ["100 GOTO A", "110 PRINT 1 2"],
            [("syntax", "error", "1:10"), ("syntax", "error", "2:13")],
        ),
        (
            ["100 GOTO 120", "110 B=1", "115 !@P-", "120 PRINT B"],
            [("never-set", "warning", "4:11")],
        ),
        (["100 CALL SAY(,A$)", "110 A$=A$"], [("speech", "info", "1:5")]),
        (['100 CALL SAY("A",,"B")'], [("speech", "info", "1:5")]),
        (["100 CALL DELSPRITE(#1,ALL)", "110 ::", "120 CALL VERSION(V)"], []),
        (["100 IF A<3 THEN 120::A=2", "120 IF A THEN IF A=1 THEN 130::A=3", "130 END"], []),
        (["100 CALL S(1)", "110 SUB S(5)", "120 SUBEND"], []),
        (["100 STOP", "110 SUB S", "120 SUBEND"], [("unused-sub", "warning", "2:5")]),
        (["100 PRINT A"], [("never-set", "warning", "1:11")]),
        (["100 B$=A$ :: PRINT B$"], [("never-set", "warning", "1:8")]),
        (["100 A=1"], [("never-used", "warning", "1:5")]),
        (["100 INPUT A"], [("never-used", "info", "1:11")]),
        (["100 FOR I=1 TO 5 :: NEXT I"], []),
        (["100 CALL KEY(0,K,S)"], []),
        (["100 CALL HCHAR(1,LNU,46)"], [("never-set", "warning", "1:18")]),
        (["100 CALL PEEK(A,B,C)"], [("never-set", "warning", "1:15")]),
        (["100 CALL PEEK(8192)"], [("arguments", "error", "1:5")]),
        (["100 CALL PEEK(40000,A)"], [("range", "error", "1:5")]),
        (
            ["100 CALL SPGET(A$,B$)"],
            [("never-set", "warning", "1:16"), ("speech", "info", "1:5")],
        ),
        (["100 CALL HCHAR(A)", "110 SUB HCHAR(B)", "120 B=B+1", "130 SUBEND"], []),
        (["100 DEF F(X)=X*2", "110 PRINT F(1)"], []),
        (
            ["100 READ ABCDEFGHIJKLMNOP :: PRINT ABCDEFGHIJKLMNO"],
            [
                ("name-length", "error", "1:10"),
                ("never-set", "warning", "1:36"),
                ("never-used", "info", "1:10"),
                ("no-data", "error", "1:5"),
            ],
        ),
        (["100 ON ERROR 200", "110 PRINT", "120 STOP", "200 RETURN NEXT"], []),
        (
            ["100 IF 1 THEN 120 ELSE 130", "110 PRINT", "120 STOP", "130 STOP"],
            [("unreachable", "warning", "2:5")],
        ),
    ],
)
def test_rules(text: list[str], expected: list[tuple[str, str, str]]) -> None:
    assert sorted(findings_in(*text)) == sorted(expected)


def test_names_of_subs_are_their_own() -> None:
    text = ["100 A=1 :: CALL S(A)", "110 SUB S(X)", "120 PRINT X;A", "130 SUBEND"]
    findings = judged(*text)
    assert [f.code for f in findings] == ["never-set"]
    assert "of SUB S" in findings[0].message


@pytest.mark.parametrize(
    ("line", "remedies"),
    [
        (
            "IFA=BTHEN50",
            [
                "IFA is one name: put a space after IF",
                "BTHEN50 is one name: put spaces around THEN",
            ],
        ),
        ("LETA=A+1", ["LETA is one name: put a space after LET"]),
        ("FORCE=A", ["remove it, or correct the name"]),
        ("A=STRENGTHENED", ["set it, or correct the name"]),
        ("IF A=BTHEN THEN 100", ["set it, or correct the name"]),
    ],
)
def test_keywords_that_names_have_swallowed_are_told(line: str, remedies: list[str]) -> None:
    assert [f.remedy for f in judged("100 INPUT A", f"110 {line}", "120 PRINT A")] == remedies


@pytest.mark.parametrize(
    ("name", "other", "meant"),
    [
        ("SCOER", "SCORE", True),
        ("LIVSE", "LIVES", True),
        ("PLAYER", "PLAYERS", True),
        ("COUTN", "COUNT", True),
        ("SPEDD", "SPEED", True),
        ("YPOS", "XPOS", False),
        ("ROW2", "ROW1", False),
        ("LEVEL", "LEVEL1", False),
        ("NAME", "NAME$", False),
        ("LEFTY", "LIGHT", False),
        ("CAT", "CAR", False),
    ],
)
def test_a_misspelt_name_is_told(name: str, other: str, meant: bool) -> None:
    value = '"A"' if other.endswith("$") else "1"
    read = judged(f"100 {other}={value}", f"110 PRINT {name};{other}")
    assert [f.remedy == f"did you mean {other}?" for f in read if f.code == "never-set"] == [meant]
    unused = judged(f"100 {name}=1", f"110 {other}={value}", f"120 PRINT {other}")
    suggested = [f.remedy == f"did you mean {other}?" for f in unused if f.code == "never-used"]
    assert suggested == [meant]


def test_behind_wrong_syntax_no_name_is_judged() -> None:
    assert [f.code for f in judged("100 PRINT 1 2;A", "110 B=1 2")] == ["syntax", "syntax"]


def test_long_lines() -> None:
    line = "100 PRINT " + ";".join("1" * 40)
    findings = judged(line)
    assert [(f.code, f.severity) for f in findings] == [("line-length", Severity.WARNING)]
    assert "163" not in findings[0].message
    assert judged("100 PRINT " + ";".join("1" * 39)) == []


def test_damaged_tokens() -> None:
    codes = {
        f.code for f in lint([(100, b"\x9c\xe5"), (110, b"\x9c\xc7\x20AB"), (120, b"\x86\xc9")])
    }
    assert "token" in codes
    by_line = [
        f.line for f in lint([(100, b"\x9c\xe5"), (110, b"\x9c\xc7\x20AB")]) if f.code == "token"
    ]
    assert by_line == [100, 110]


def test_text_form() -> None:
    (finding,) = judged("100 GOTO 200")
    assert str(finding) == (
        "x.bas:1:10: error: there is no line 200 (line 100); "
        "correct the number or write the line [missing-line]"
    )
    assert finding.as_dict()["column"] == 10


@given(st.lists(st.tuples(st.integers(1, 32767), st.binary(min_size=1, max_size=60)), max_size=5))
def test_any_tokens(lines: list[tuple[int, bytes]]) -> None:
    for finding in lint(sorted(dict(lines).items())):
        assert finding.message
        assert finding.line in dict(lines)


@pytest.mark.parametrize("name", ["tokens-editor", "tokens-size"])
def test_recorded_programs_can_be_judged(name: str) -> None:
    """Programs of the tokenizer's recordings: any findings, no traceback, places known."""
    for row in (CONFORMANCE / f"{name}.jsonl").read_text().splitlines():
        case = json.loads(row)
        records = [bytes.fromhex(record) for record in case["merge"][:-1]]
        lines = [(int.from_bytes(r[:2], "big"), r[2:-1]) for r in records]
        numbers = {number for number, _ in lines}
        assert all(f.line in numbers for f in lint(lines))


def test_programs_that_ran_without_error_have_no_syntax_errors() -> None:
    """As recorded, they ended with READY and showed no message."""
    judged_programs = 0
    for path in sorted(CONFORMANCE.glob("screen-*.jsonl")):
        for row in path.read_text().splitlines():
            case = json.loads(row)
            rows = "".join(case["expect"]["final"]["rows"])
            if rows.count("*") != 2 or "* READY *" not in rows or "ON ERROR" in str(case):
                continue
            entries, _, *_ = read_text("\n".join(case["source"]), strict=False)
            codes = [f.code for f in lint(sorted((e.number, e.tokens) for e in entries))]
            assert "syntax" not in codes, case["id"]
            assert "no-subprogram" not in codes, case["id"]
            judged_programs += 1
    assert judged_programs > 50


def test_what_the_pre_scan_stops_at_is_an_error_wherever_it_stands() -> None:
    (wrong,) = [f for f in judged("100 END", "110 SUB S(A+1)", "120 SUBEND") if f.code == "syntax"]
    assert (wrong.severity, wrong.line) == (Severity.ERROR, 110)


def test_what_follows_end_in_its_statement_is_no_error_but_odd() -> None:
    assert [str(f) for f in judged("100 STOP CLEAR")] == [
        "x.bas:1:10: warning: STOP ends the program before this (line 100); remove it [syntax]"
    ]


def test_a_wrong_function_fails_where_it_is_used() -> None:
    (wrong,) = [f for f in judged('100 DEF F="A"', "110 PRINT F") if f.severity is Severity.ERROR]
    assert wrong.message == "where F is used, this fails with STRING-NUMBER MISMATCH"


def test_what_a_line_with_wrong_syntax_names_is_reached() -> None:
    findings = judged("100 IF MAX>0 THEN 130", "110 END", "120 REM", "130 PRINT 1 2", "140 STOP")
    assert [(f.line, f.code, f.severity) for f in findings] == [
        (100, "syntax", Severity.ERROR),
        (130, "syntax", Severity.ERROR),
    ]
    lines = ("100 PRINT 1 2::CALL S", "110 END", "120 SUB S", "130 SUBEND")
    assert [f.code for f in judged(*lines)] == ["syntax"]


def test_a_program_that_goes_on_after_errors_passes_on_goto() -> None:
    lines = ("100 ON ERROR 140", "110 ON X GOTO 130", "120 PRINT 1", "130 END")
    assert "unreachable" in {f.code for f in judged(*lines, "140 RETURN 130")}
    assert "unreachable" not in {f.code for f in judged(*lines, "140 RETURN NEXT")}


@pytest.mark.parametrize("line", ['FOR I="A" TO 3', 'FOR I=1 TO 3 STEP "A"'])
def test_a_loop_of_strings_is_told(line: str) -> None:
    entries, _, *_ = read_text(f"100 {line}\n110 NEXT I\n", "x.bas", strict=False)
    findings = lint(sorted((entry.number, entry.tokens) for entry in entries))
    assert [f.message for f in findings] == ["this fails with STRING-NUMBER MISMATCH"]


def test_a_line_that_hangs_the_machine_is_told() -> None:
    entries, _, *_ = read_text("100 PRINT 1::::::PRINT 2\n", "x.bas", strict=False)
    findings = lint(sorted((entry.number, entry.tokens) for entry in entries))
    assert [f.message for f in findings] == ["the machine stands still here for good"]


ASK = "CALL ASK(T)\nPRINT T\nPROC ASK(V)\n  W=5\n  V=W\nEND PROC\n"


@pytest.mark.parametrize("before", ["", "T=1\n", "INPUT T\n"])
def test_a_parameter_that_was_to_be_out(tmp_path: Path, before: str) -> None:
    path = tmp_path / "game.xb"
    path.write_text(before + ASK)
    (finding,) = (each for each in judge(str(path)).findings if each.severity > Severity.INFO)
    assert finding.code == "missing-out"
    assert finding.message == "PROC ASK sets V, and T does not get the value"
    row = 4 if before else 3
    assert finding.remedy == f"write PROC ASK(V OUT) in {path}:{row}"
    fix_file(str(path))
    assert path.read_text() == before + ASK.replace("(V)", "(V OUT)")
    assert not [each for each in judge(str(path)).findings if each.severity > Severity.INFO]


@pytest.mark.parametrize(
    "text",
    [
        ASK.replace("(V)", "(V OUT)"),
        ASK.replace("V=W", "PRINT V"),
        "T=1\n" + ASK.replace("V=W", "V=V+W :: PRINT V"),
        ASK.replace("(T)", "(5)"),
    ],
)
def test_a_parameter_that_only_takes_a_value(text: str, tmp_path: Path) -> None:
    (tmp_path / "game.xb").write_text(text)
    codes = {each.code for each in judge(str(tmp_path / "game.xb")).findings}
    assert "missing-out" not in codes
