"""A program with a bug, and sessions with it."""

from io import StringIO
from pathlib import Path

from ti99tools.app.debug.debugging import Recipe
from ti99tools.app.debug.timeline import Timeline
from ti99tools.fronts.debug.commands import TerminalFront

BUG = """CONST ROUNDS=6
DIM HIGH(6)
CALL CLEAR
FOR I=1 TO ROUNDS
  GOSUB score
  HIGH(I)=S
  CALL SHOW(I,S)
NEXT I
PRINT "BEST";BEST
END

score:
  S=INT(100/(4-I))
  IF S>BEST THEN
    BEST=S
  END IF
  RETURN

SUB SHOW(ROUND,POINTS)
  T=T+POINTS
  PRINT "ROUND";ROUND;POINTS;T
SUBEND
"""
"""In round 4 it divides by 0: BEST becomes the largest number."""


def recipe(path: Path, text: str, keys: str | None = None) -> Recipe:
    """A source written to a file and ready to be debugged."""
    from ti99tools.app.run import RunRequest

    path.write_text(text)
    return Recipe.of(str(path), RunRequest(keys=keys))


def session(of: Recipe, *commands: str) -> list[str]:
    """What a session of commands shows, row by row, the commands left out."""
    out = StringIO()
    front = TerminalFront(StringIO("\n".join(commands) + "\n"), out, of.main)
    front.timeline = Timeline(of.begin, front)
    front.timeline.run()
    rows = out.getvalue().splitlines()
    return [row for row in rows if not row.startswith("(debug) ")]


def answers(of: Recipe, *commands: str) -> list[list[str]]:
    """What a session shows after each command; the first: at the beginning."""
    out = StringIO()
    front = TerminalFront(StringIO("\n".join(commands) + "\n"), out, of.main)
    front.timeline = Timeline(of.begin, front)
    front.timeline.run()
    parts: list[list[str]] = [[]]
    for row in out.getvalue().splitlines():
        if row.startswith("(debug) "):
            parts.append([])
        else:
            parts[-1].append(row)
    return parts
