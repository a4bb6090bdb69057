"""Programs that take all the time of Extended BASIC: sprites in motion are where they are there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ti99tools.compiler.pace import Pace
from ti99tools.games.conformance.as_cartridge import compiled_case, play
from ti99tools.games.conformance.playback import play as play_in_basic

QUICK = """\
100 CALL CLEAR::H=5
110 CALL SPRITE(#1,42,2,50,1,0,30,#2,42,3,9,9,-13,77)
120 FOR I=1 TO 60::NEXT I::CALL POSITION(#1,A,B)::PRINT A;B
130 FOR I=1 TO 9::CALL COINC(#1,#2,8,C)::H=H+1::NEXT I::CALL POSITION(#2,A,B)::PRINT A;B;H
140 X=SQR(2)::CALL LOCATE(#1,9,9)::CALL HCHAR(3,3,32,99)
150 CALL POSITION(#1,A,B,#2,C,D)::PRINT A;B;C;D::PRINT "END!"
"""


def shown(rows: Sequence[str]) -> list[str]:
    """The words that a program has shown until its end."""
    words = " ".join(rows).replace("\x1f", " ").split()
    return words[: words.index("END!")]


@pytest.mark.parametrize("words", [True, False])
def test_sprites_are_where_they_are_in_extended_basic(words: bool) -> None:
    case = {"source": QUICK.splitlines(), "script": [{"until": {"text": "END!"}}]}
    there = play_in_basic(case).final
    here = play({**case, "expect": {}}, compiled_case(case, words, pace=Pace.ALL)).final
    assert shown(here.rows) == shown(there.rows)
    assert len(shown(here.rows)) > 8
