"""What a SUB that is compiled must not lose: RND's state, a text that has changed, memory."""

from __future__ import annotations

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
