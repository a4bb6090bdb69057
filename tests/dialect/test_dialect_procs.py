"""PROC: values in and out, names of its own, and what is refused."""

import pytest

from tests.dialect.dialectrun import mistakes, printed_rows
from ti99tools.base.errors import SourceError
from ti99tools.language.dialect import generate


def test_values_go_in_and_come_out() -> None:
    source = """
    DIM T(5)
    CALL SUM(3,4,T(2))
    CALL STARS(T(2),A$)
    PRINT A$
    IF T(2)=7 THEN CALL SUM(T(2),1,B) ELSE CALL SUM(0,0,B)
    PRINT B
    PROC SUM(X,Y,TOTAL OUT)
      TOTAL=X+Y
    END PROC
    PROC STARS(N,S$ OUT)
      S$=RPT$("*",N)
    END PROC
    """
    assert printed_rows(source) == ["*******", "8"]


def test_parameters_and_locals_are_not_the_programs() -> None:
    source = """
    I=50
    X=60
    CALL COUNT(3)
    PRINT I;X;SUM
    PROC COUNT(X)
      LOCAL I,F(4)
      FOR I=1 TO X
        F(I)=I
        SUM=SUM+F(I)
      NEXT I
    END PROC
    """
    assert printed_rows(source) == ["50  60  6"]


def test_one_calls_another_before_it_is_written() -> None:
    source = """
    CALL OUTER(2)
    PROC OUTER(N)
      LOCAL I
      FOR I=1 TO N
        CALL INNER(I*10)
      NEXT I
    END PROC
    PROC INNER(N)
      IF N>10 THEN EXIT PROC
      PRINT N
    END PROC
    """
    assert printed_rows(source) == ["10"]


def test_arguments_are_worked_out_in_order() -> None:
    source = """
    A=1
    B=2
    CALL SWAP(B,A,A,B)
    PRINT A;B
    PROC SWAP(X,Y,P OUT,Q OUT)
      P=X
      Q=Y
    END PROC
    """
    assert printed_rows(source) == ["2  1"]


def test_labels_belong_to_their_proc() -> None:
    source = """
    CALL P
    again: A=A+1
    IF A<3 THEN again
    PRINT A
    PROC P
      again: B=B+1
      IF B<5 THEN again
      PRINT B
    END PROC
    """
    assert printed_rows(source) == ["5", "3"]


def test_the_program_does_not_run_into_a_proc() -> None:
    assert generate("PRINT 1\nPROC P\nPRINT 2\nEND PROC\n").text == (
        "100 PRINT 1::END\n110 PRINT 2::RETURN\n"
    )


def test_long_names_stay_apart() -> None:
    source = (
        "CALL P(1,2)\nPROC P(ABCDEFGHIJKLMNO,ABCDEFGHIJKLMNX)\nPRINT ABCDEFGHIJKLMNO\nEND PROC\n"
    )
    text = generate(source).text
    assert text.startswith("100 ABCDEFGHIJKLM_1=1::ABCDEFGHIJKL1_1=2::GOSUB")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("PROC P\nA=1\n", "1:1: PROC P is not closed; close it with END PROC"),
        ("A=1\nEND PROC\n", "2:1: END PROC without PROC"),
        ("EXIT PROC\n", "1:1: EXIT PROC outside a PROC"),
        ("LOCAL A\n", "1:1: LOCAL outside a PROC"),
        ("PROC P(A,A)\nEND PROC\n", "1:10: the parameter A comes twice"),
        ("PROC P(A(),B)\nEND PROC\n", "a PROC uses the arrays of the program as they are"),
        ("PROC P A\nEND PROC\n", "1:8: a PROC with wrong parameters; write PROC NAME(A,B$,C OUT)"),
        ("PROC GO\nEND PROC\n", "1:6: GO is a word of Extended BASIC; choose another name for the"),
        ("PROC RUN(A)\nEND PROC\n", "1:6: RUN is a word of Extended BASIC; choose another name"),
        ("PROC\nEND PROC\n", "1:1: a PROC without a name; write PROC NAME(A,B$,C OUT)"),
        ("PROC P$\nEND PROC\n", "1:6: a PROC without a name"),
        ("PROC P\nEND PROC\nPROC P\nEND PROC\n", "3:1: the PROC P is also at"),
        ("CALL P(1)\nPROC P(A,B)\nEND PROC\n", "1:6: the PROC P takes 2 values, 1 is given"),
        (
            'CALL P("A")\nPROC P(A)\nEND PROC\n',
            "1:8: CALL P with a value of the other type; give a n",
        ),
        (
            "CALL P(3)\nPROC P(A OUT)\nEND PROC\n",
            "1:8: CALL P gives a value back here; write a variab",
        ),
        ("CALL P\nPROC P\nCALL P\nEND PROC\n", "3:6: the PROC P calls itself; use a loop"),
        (
            "CALL P\nPROC P\nCALL Q\nEND PROC\nPROC Q\nCALL P\nEND PROC\n",
            "the PROC P calls itself thr",
        ),
        (
            "CALL S\nPROC P\nEND PROC\nSUB S\nCALL P\nSUBEND\n",
            "the PROC P cannot be called in SUB S",
        ),
        ("X_1=2\nCALL P(1)\nPROC P(X)\nEND PROC\n", "1:1: PROC P at g.xb:3:6 uses the name X_1"),
        ("PROC P\nLOCAL A,A\nEND PROC\n", "2:9: A is a parameter or local already"),
        (
            "PROC P\nGOTO main\nEND PROC\nmain: A=1\n",
            "the label MAIN is outside PROC P; a PROC can on",
        ),
    ],
)
def test_what_is_wrong_is_told(source: str, message: str) -> None:
    assert message in mistakes(source)[0]


def test_local_after_the_first_use_of_its_name_is_refused() -> None:
    source = "CALL FOO\nPROC FOO\n  K=2\n  LOCAL I,K\n  K=9\nEND PROC\n"
    with pytest.raises(SourceError) as caught:
        generate(source, "p.xb")
    assert str(caught.value) == (
        "p.xb:4:11: K is used before LOCAL makes it the PROC's own; put LOCAL K before p.xb:3"
    )
    assert generate(source.replace("K=2", "J=2"), "p.xb").listing
