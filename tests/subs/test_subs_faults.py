"""What a SUB that is compiled must not lose: RND's state, a text that has changed, memory."""

from __future__ import annotations

import pytest

from tests.subs.subforms import loaded

ROLLS = """R,S,X,Y,Z=0
RANDOMIZE 7
CALL ROLL
CALL GCHAR(1,1,Z)
CALL DICE(R)
Y=RND
CALL PLAIN
X=RND
CALL DICE(S)
END
SUB ROLL COMPILED
  CALL HCHAR(1,1,40+INT(RND*30))
SUBEND
SUB DICE(R) COMPILED
  R=RND
SUBEND
SUB PLAIN COMPILED
  N=N+1
SUBEND
"""


def values(source: str, wanted: str) -> list[str]:
    """The values of variables after a program."""
    console = loaded(source)
    assert console.run() == "ready", console.screen.text
    return [str(console.variables[name]) for name in wanted.split()]


def test_sub_without_arguments_draws_on_and_one_that_does_not_draw_leaves_rnd_alone() -> None:
    basic = ROLLS.replace(" COMPILED", "")
    assert values(ROLLS, "R S X Y Z") == values(basic, "R S X Y Z")


def test_a_text_goes_out_that_lies_where_the_one_that_came_in_was() -> None:
    source = """A$="01234567890123456789"
CALL CH(A$)
END
SUB CH(A$) COMPILED 100
  A$=SEG$(A$,2,18)&"XY"
  FOR I=1 TO 9
    B$="ABCDEFGHIJKLMNOPQRST"&STR$(I)
  NEXT I
SUBEND
"""
    assert values(source, "A$") == ["123456789012345678XY"]


WIDE = """R=0
A(1)={a}
CALL S({a},A(),R)
END
SUB S(A,B(),R) COMPILED
  RANGE A={low} TO 100000,P=0 TO 100000,B()=0 TO 100000
  DIM U(40),T(10)
  {p}
  IF P<11 THEN
    I=INT(P)
    T(I)=7
  END IF
  R=U(40)+100*U(39)
SUBEND
"""


@pytest.mark.parametrize(
    ("a", "p", "low", "message"),
    [
        (-6, "P=A/3", -100000, "BAD VALUE"),
        (5, "P=A/2", -100000, "BAD VALUE"),
        (300003, "P=A/3", 0, "BAD VALUE"),
        (-6, "IF A<11 THEN I=A :: T(I)=7", 0, "BAD VALUE"),
        (0.5, "P=A*2", 0, "BAD VALUE"),
        (-6, "I=MIN(B(1),10) :: T(I)=7", -100000, "BAD SUBSCRIPT"),
        (30000, "P=A/.3", 0, ""),
        (6, "P=A/3", 0, ""),
    ],
)
def test_a_range_beyond_a_word_is_checked_for_any_number(
    a: float, p: str, low: int, message: str
) -> None:
    console = loaded(WIDE.format(a=a, p=p, low=low))
    console.run()
    assert (message or "READY") in console.screen.text
    assert str(console.variables["R"]) == "0"
