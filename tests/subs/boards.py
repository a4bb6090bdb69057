"""Dimraw's BOARD, compiled, beside the twin written by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from ti99tools.app.twin_proof import Case

DIMRAW = Path(__file__).parents[2] / "xbasic" / "dimraw"
RANGES = """  RANGE OP=1 TO 4,P=1 TO 2,RA=0 TO 1,RB=0 TO 1,B()=0 TO 3,F=-1 TO 9999,T=-1 TO 9999
  RANGE N=0 TO 9999,J=0 TO 32767,V=-999 TO 999,BV=-999 TO 999
  RANGE S=0 TO 12,L=0 TO 200,W=0 TO 3,NC=0 TO 79
"""
"""What the SUB does not say of its variables."""
POINTS = range(20)


def compiled(source: str) -> str:
    """BOARD with its ranges, compiled."""
    return re.sub(r"^(SUB BOARD.*) ASM .*\n", rf"\1 COMPILED\n{RANGES}", source, flags=re.M)


def men(seed: int, count: int, operations: tuple[int, ...] = (1, 2, 3, 4)) -> Iterator[Case]:
    """Positions in which any men stand anywhere, with a question about each."""
    dice = Random(seed)
    for _ in range(count):
        board = {f"B({point})": dice.choice((0, 0, 1, 2)) for point in POINTS}
        operation, player, f, t = dice.choice(operations), dice.randint(1, 2), 0, 0
        if operation == 1:
            f, t = dice.randrange(21), dice.randrange(20)
            f = 20 if f == t else f
            board |= {f"B({t})": player} | ({f"B({f})": 0} if f < 20 else {})
        elif operation == 4:
            f = dice.randrange(21)
        case = {"OP": operation, "P": player, "RA": dice.randrange(2), "RB": dice.randrange(2)}
        case |= {"F": f, "T": t, "N": dice.randrange(4), "J": dice.randrange(6075)}
        yield {**board, **case}
