"""CALLs that always fail, as lint foresees them; the console agrees with each."""

import pytest

from tests.lint.test_lint import judged
from ti99tools.computer.console.session import Console
from ti99tools.language.program.program import Program

SUBS = (
    "300 END",
    "310 SUB S(X)",
    "320 SUBEND",
    "330 SUB T(X$(),N$)",
    "340 SUBEND",
    "350 SUB R(X)",
    "360 IF X>0 THEN CALL R(X-1)",
    "370 SUBEND",
)
REFERENCE, VALUE = "INCORRECT ARGUMENT LIST", "STRING-NUMBER MISMATCH"


@pytest.mark.parametrize(
    ("line", "message", "error"),
    [
        ("CALL S(A$)", f"SUB S takes a number as X: this fails with {REFERENCE}", REFERENCE),
        ('CALL S("A")', f"SUB S takes a number as X: this fails with {VALUE}", VALUE),
        ("CALL S(F$)", f"SUB S takes a number as X: this fails with {VALUE}", VALUE),
        ("CALL S(D())", f"SUB S takes a number as X: this fails with {REFERENCE}", REFERENCE),
        (
            "CALL T(A$,A$)",
            f"SUB T takes an array of texts as X$: this fails with {REFERENCE}",
            REFERENCE,
        ),
        (
            "CALL T(D(),A$)",
            f"SUB T takes an array of texts as X$: this fails with {REFERENCE}",
            REFERENCE,
        ),
        ("CALL T(E$(),5)", f"SUB T takes a text as N$: this fails with {VALUE}", VALUE),
        ("CALL S(1,2)", "SUB S takes 1 argument, not 2", REFERENCE),
        ("CALL KEY(0,5,S)", "KEY gives its code to a variable: this fails", "SYNTAX ERROR"),
        ("CALL KEY(0,F,S)", "KEY gives its code to a variable: this fails", "SYNTAX ERROR"),
        (
            "CALL GCHAR(1,1,A$)",
            "GCHAR gives its code to a variable: this fails",
            "IMPROPERLY USED NAME",
        ),
        ("CALL CHARPAT(65,A)", "CHARPAT gives its pattern to a variable: this fails", VALUE),
        (
            "CALL POSITION(#1,A$,B)",
            "POSITION gives its row to a variable: this fails",
            REFERENCE,
        ),
    ],
)
def test_what_lint_foresees_the_console_does(line: str, message: str, error: str) -> None:
    listing = ["90 DIM D(3),E$(3)", '95 DEF F$="X"', "96 DEF F=1", f"100 {line}", *SUBS[:5]]
    found = [each for each in judged(*listing) if each.line == 100 and each.code == "arguments"]
    assert [each.message for each in found] == [message]
    console = Console()
    console.load(Program.from_listing("\n".join(listing) + "\n"))
    console.run()
    assert console.error is not None
    assert str(console.error) == f"{error} IN 100"


@pytest.mark.parametrize(
    "line",
    [
        "CALL S(A)",
        "CALL S(D(1))",
        "CALL S(F)",
        "CALL S((A))",
        "CALL T(E$(),A$)",
        'CALL T(E$(),"A")',
        "CALL KEY(0,D(1),S)",
        "CALL CHARPAT(65,E$(1))",
        "CALL R(0)",
    ],
)
def test_right_calls_have_no_findings(line: str) -> None:
    listing = ("90 DIM D(3),E$(3)", "96 DEF F=1", "97 PRINT F;A;A$;S", f"100 {line}", *SUBS)
    assert [each for each in judged(*listing) if each.line == 100] == []


def test_a_sub_that_calls_itself() -> None:
    listing = ("100 CALL R(2)", *SUBS)
    (found,) = [each for each in judged(*listing) if each.code == "recursion"]
    assert found.line == 360
    assert str(found).endswith(
        "SUB R calls itself: this fails with RECURSIVE SUBPROGRAM CALL (line 360); "
        "use a loop, or GOSUB within it [recursion]"
    )
    console = Console()
    console.load(Program.from_listing("\n".join(listing) + "\n"))
    console.run()
    assert str(console.error) == "RECURSIVE SUBPROGRAM CALL IN 360"
