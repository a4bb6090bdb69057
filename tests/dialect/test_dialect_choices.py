"""SELECT CASE and ENUM: what is chosen, how often, and what is refused."""

import pytest

from tests.dialect.dialectrun import mistakes, printed_rows
from ti99tools.language.dialect import generate


def test_texts_are_chosen_by_value_and_range() -> None:
    source = """
    FOR I=1 TO 4
      SELECT CASE SEG$("AQX5",I,1)
      CASE "A" TO "F", "X"
        PRINT "HEX"
      CASE IS>="G"
        PRINT "LETTER"
      CASE ELSE
        PRINT "OTHER"
      END SELECT
    NEXT I
    """
    assert printed_rows(source) == ["HEX", "LETTER", "HEX", "OTHER"]


def test_what_is_chosen_by_is_worked_out_once() -> None:
    source = """
    RANDOMIZE 5
    A=INT(RND*6)+1
    RANDOMIZE 5
    SELECT CASE INT(RND*6)+1
    CASE IS<>A
      PRINT "TWICE"
    CASE A
      PRINT "ONCE"
    END SELECT
    """
    assert printed_rows(source) == ["ONCE"]


def test_a_variable_or_constant_needs_no_other() -> None:
    text = generate("CONST N=3\nSELECT CASE A\nCASE N\nB=1\nCASE A>B\nB=2\nEND SELECT\n").text
    assert text == "100 IF A=3 THEN B=1 ELSE IF A=(A>B)THEN B=2\n"


def test_choices_within_choices_keep_their_values() -> None:
    source = """
    A=1
    SELECT CASE A+1
    CASE 2
      SELECT CASE A+4
      CASE 2
        PRINT "OUTER"
      CASE 5
        PRINT "INNER"
      END SELECT
    END SELECT
    SELECT CASE RND
    CASE 0 TO 1
      PRINT "RANDOM"
    END SELECT
    """
    assert printed_rows(source) == ["INNER", "RANDOM"]


def test_a_comparison_of_texts_is_a_number() -> None:
    source = """A$="B"
SELECT CASE A$="B"
CASE -1
  PRINT "YES"
END SELECT
SELECT CASE -1
CASE A$="C"
  PRINT "C"
CASE (A$&"X")="BX"
  PRINT "BX"
END SELECT
SELECT CASE SEG$(A$,1-(A$="C"),1)
CASE "B"
  PRINT "PART"
END SELECT
"""
    assert printed_rows(source) == ["YES", "BX", "PART"]


def test_only_else_is_always_done() -> None:
    assert generate("SELECT CASE A\nCASE ELSE\nB=1\nEND SELECT\n").text == "100 B=1\n"


def test_variables_may_be_called_like_the_words() -> None:
    text = generate("SELECT=1\nCASE=2\nENUM=3\nPROC=4\nLOCAL=5\n").text
    assert text == "100 SELECT=1::CASE=2::ENUM=3::PROC=4::LOCAL=5\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("SELECT CASE A\nCASE 1\nB=1\n", "1:1: SELECT is not closed; close it with END SELECT"),
        ("SELECT CASE A\nEND SELECT\n", "1:1: SELECT CASE without a CASE; write CASE and a value"),
        ("SELECT CASE\nCASE 1\nEND SELECT\n", "1:1: SELECT CASE without a value"),
        ("SELECT A\nCASE 1\nB=1\nEND SELECT\n", "1:1: SELECT without CASE; write SELECT CASE"),
        ("SELECT CASE A\nB=1\nCASE 1\nEND SELECT\n", "2:1: statements before the first CASE"),
        ("SELECT CASE A\nCASE\nEND SELECT\n", "2:1: CASE without a value; write CASE 1,5 or"),
        ("SELECT CASE A\nCASE 1,\nEND SELECT\n", "2:1: CASE without a value"),
        ("SELECT CASE A\nCASE 1 TO\nEND SELECT\n", "2:6: TO without a value on both sides"),
        ("SELECT CASE A\nCASE IS\nEND SELECT\n", "2:6: CASE IS without a relation"),
        (
            'SELECT CASE A\nCASE "X"\nEND SELECT\n',
            "2:6: SELECT CASE chooses by a number, and this is",
        ),
        (
            "SELECT CASE A$\nCASE 4\nEND SELECT\n",
            "2:6: SELECT CASE chooses by a text, and this is a",
        ),
        ("SELECT CASE A\nCASE ELSE\nCASE 1\nEND SELECT\n", "3:1: CASE after CASE ELSE"),
        ("SELECT CASE A\nCASE ELSE B=1\nEND SELECT\n", "2:11: statements after CASE ELSE"),
        ("CASE 1\nB=1\n", "1:1: CASE without SELECT; write SELECT CASE and"),
        ("A=1\nEND SELECT\n", "2:1: END SELECT without SELECT"),
        ("IF A THEN SELECT CASE B\n", "1:11: SELECT CASE is not allowed in a one-line IF"),
        (
            "_1=5\nSELECT CASE A+1\nCASE 1\nB=1\nEND SELECT\n",
            "1:1: SELECT CASE at g.xb:2:1 uses the",
        ),
        ("ENUM\n", "ENUM without a name"),
        ("ENUM A$\n", "1:6: ENUM without a name"),
        ("ENUM A,A\n", "1:8: the constant A has a value already"),
    ],
)
def test_what_is_wrong_is_told(source: str, message: str) -> None:
    assert message in mistakes(source)[0]


def test_names_are_numbered() -> None:
    text = generate(
        "ENUM CLUBS, HEARTS\nENUM ACE=1, KING=13, JOKER\nPRINT CLUBS;HEARTS;ACE;JOKER\n"
    )
    assert text.text == "100 PRINT 0;1;1;14\n"
