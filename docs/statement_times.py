"""What statements take of the machine's time, by the embedded console's clock.

    python docs/statement_times.py

Each is run in a loop, and the time of the empty loop taken off.
"""

from __future__ import annotations

from collections.abc import Iterator

from ti99tools import Console, Program

ROUNDS = 60
STATEMENTS = (
    ("A=B", ""),
    ("A=B+C", "B=7 :: C=3"),
    ("A=B*C", "B=7 :: C=3"),
    ("A=B/C", "B=7 :: C=3"),
    ("A=B^2", "B=7"),
    ("A=INT(B)", ""),
    ("A=RND", ""),
    ("A=SQR(B)", "B=7"),
    ("A=SIN(B)", "B=7"),
    ("A=D(3)", "DIM D(9)"),
    ('A$=B$&"X"', ""),
    ("A$=SEG$(B$,2,3)", 'B$="TEXAS"'),
    ("IF A=B THEN C=1", "A=1"),
    ("FOR K=1 TO 1 :: NEXT K", ""),
    ("GOSUB p", ""),
    ("CALL S", ""),
    ("CALL S1(A)", ""),
    ("CALL S2(A,B)", ""),
    ('PRINT "HELLO"', ""),
    ("CALL KEY(0,K,S)", ""),
    ("CALL JOYST(1,X,Y)", ""),
    ("CALL HCHAR(5,5,65)", ""),
    ("CALL HCHAR(5,1,65,32)", ""),
    ("CALL GCHAR(5,5,A)", ""),
    ('DISPLAY AT(5,3)SIZE(1):"A"', ""),
    ('DISPLAY AT(5,3)SIZE(10):"ABCDEFGHIJ"', ""),
    ('CALL CHAR(128,"FF818181818181FF")', ""),
    ("CALL COLOR(13,2,16)", ""),
    ("CALL SPRITE(#1,65,2,50,50,0,0)", ""),
    ("CALL LOCATE(#1,50,60)", "CALL SPRITE(#1,65,2,50,50)"),
    ("CALL MOTION(#1,5,5)", "CALL SPRITE(#1,65,2,50,50)"),
    ("CALL POSITION(#1,R,C)", "CALL SPRITE(#1,65,2,50,50)"),
    ("CALL COINC(ALL,A)", "CALL SPRITE(#1,65,2,50,50)"),
    ("CALL SOUND(-100,440,2)", ""),
)
"""Statements, and what has to be done before the loop."""
ENDING = """END
p:
RETURN
SUB S
SUBEND
SUB S1(X)
SUBEND
SUB S2(X,Y)
SUBEND
"""


def seconds(body: str, before: str) -> float:
    """Machine time of a loop with so many rounds."""
    source = f"{before}\nFOR I=1 TO {ROUNDS}\n{body}\nNEXT I\n{ENDING}"
    console = Console()
    console.load(Program.from_source(source))
    begun = console.clock.seconds
    assert console.run() == "ready", console.screen.text
    return console.clock.seconds - begun


def times() -> Iterator[tuple[str, float]]:
    """Each statement and its milliseconds."""
    for text, before in STATEMENTS:
        yield text, (seconds(text, before) - seconds("", before)) * 1000 / ROUNDS


if __name__ == "__main__":
    for statement, milliseconds in times():
        print(f"{milliseconds:8.1f}  {statement}")
