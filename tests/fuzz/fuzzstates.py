"""Sessions of commands: a program that ends somehow, and lines typed after that.

A program gathers what a machine can hold when it stops: variables, arrays, DEFs, SUBs, DATA, open
files, traps, options, characters, colours, sprites, a tone, breakpoints, TRACE. It ends in the main
program, a loop, a subroutine or a SUB: with END, a break, an error, a refused RUN. The commands
after it load, merge, save, list, edit, run, go on, look. `export` writes sessions to be recorded on
the real machine, `fuzzsessions` compares forms of a session on our console.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from ti99tools import Program

FIRST, STEP = 100, 10
AFTER = 500
"""The first line after the place where a program ends."""


@lru_cache(maxsize=1)
def disk_of_states() -> dict[str, Any]:
    """A program, one that is damaged, lines to merge, and a data file."""
    listing = '100 PRINT "X";A;B$;RND\n110 CALL GCHAR(24,3,G)::PRINT G\n120 PRINT "X END"\n'
    program = Program.from_listing(listing)
    lines = Program.from_listing('150 PRINT "MERGED"\n').to_merge_records()
    content = program.saved().content
    assert isinstance(content, bytes)
    return {
        "X": {"type": "PROGRAM", "data": content.hex()},
        "BAD": {"type": "PROGRAM", "data": "0001020304050607"},
        "M": {"type": "DIS/VAR", "recl": 163, "records": [line.hex() for line in lines]},
        "D": {"type": "DIS/VAR", "recl": 80, "records": [b"HELLO".hex(), b"WORLD".hex()]},
    }


HELD = (
    'A=7::B$="HI"',
    "DIM Q(5)::Q(2)=9",
    "DEF F(X)=X*2",
    "READ D,D$",
    'C$=RPT$("AB",20)&B$',
    'OPEN #1:"DSK1.F",OUTPUT::PRINT #1:"ONE"',
    'OPEN #2:"DSK1.D",INPUT::LINPUT #2:E$',
    'OPEN #1:"DSK1.F",OUTPUT::PRINT #1:"PART";',
    "RANDOMIZE 5::R=RND",
    "ON WARNING NEXT",
    "ON BREAK NEXT",
    "ON ERROR 800",
    "CALL KEY(3,K,S)",
    'CALL CHAR(65,"FF818181818181FF")',
    'CALL CHAR(130,"F0F0F0F00F0F0F0F")',
    "CALL COLOR(5,7,1)",
    "CALL SCREEN(12)",
    "CALL MAGNIFY(2)",
    "CALL SPRITE(#1,130,2,50,60)",
    "CALL SPRITE(#2,65,7,90,90,5,-3)",
    "CALL SOUND(4250,440,0)",
    "CALL SOUND(-4250,262,4,-1,9)",
    'PRINT "HELD";',
    'PRINT "ROW"',
    "CALL CLEAR",
    "TRACE",
    "BREAK 510",
    "BREAK 520,130",
    "CALL INIT::CALL LOAD(9500,77)",
    "A=A+1::PRINT A",
    "M(2,3)=4",
)
"""What a program may set up before it ends."""

ENDS = (
    "END",
    "STOP",
    "BREAK",
    "BREAK",
    "BREAK",
    'BREAK::PRINT "MID"',
    "A=SQR(-1)",
    'PRINT "A"+1',
    'RUN "DSK1.NOPE"',
    'RUN "DSK9.X"',
    'RUN "DSK1.D"',
    'OPEN #3:"DSK1.NOPE",INPUT',
    "PRINT #7:A",
    "ON WARNING STOP::PRINT 1/0",
    "GOTO 999",
    "A=B$",
    "CALL NOPE",
    'RUN "DSK1.X"',
    "PRINT 1/0",
)

HANDLERS = (
    'PRINT "ERR"::RETURN NEXT',
    'PRINT "ERR"::RETURN 520',
    'PRINT "ERR"::END',
    'PRINT "ERR"::BREAK',
    'PRINT "ERR";A::RETURN NEXT',
    'PRINT "ERR"::CALL CLEAR',
    'ON ERROR STOP::PRINT "ERR"::RETURN',
)

OPTION_BASE = "OPTION BASE 1"


def program(rng: Random) -> list[str]:
    """The listing of a program that ends in some way and leaves something behind."""
    held = [OPTION_BASE] if rng.random() < 0.15 else []
    held += rng.sample(HELD, rng.randint(2, 9))
    lines = [f"{FIRST + STEP * at} {text}" for at, text in enumerate(held)]
    end = rng.choice(ENDS)
    after = [f'{AFTER + 10} PRINT "AFTER";A', f'{AFTER + 20} PRINT "ON";A;B$::C=C+1']
    match rng.randrange(5):
        case 0:
            body = [f"{AFTER} {end}", *after]
        case 1:
            body = [f"{AFTER - 10} FOR I=1 TO 3", f"{AFTER} {end}", *after, f"{AFTER + 30} NEXT I"]
        case 2:
            body = [f'{AFTER - 10} GOSUB {AFTER}::PRINT "BACK"::END', f"{AFTER} {end}", *after]
            body.append(f"{AFTER + 30} RETURN")
        case 3:
            body = [
                f"{AFTER - 20} FOR I=1 TO 2::GOSUB {AFTER}",
                f"{AFTER - 10} NEXT I::STOP",
                f"{AFTER} {end}",
                *after,
                f"{AFTER + 30} RETURN",
            ]
        case _:
            body = [f'{AFTER - 10} CALL T(A,B$)::PRINT "BACK";A::END']
            tail = [
                "900 SUB T(A,B$)::A=A+1::V=V+5",
                f"910 {end}",
                '920 PRINT "IN T";A;V',
                "930 SUBEND",
            ]
            return [*lines, *body, *after, *_rest(rng), *tail]
    return [*lines, *body, *_rest(rng), *_sub(rng)]


def _rest(rng: Random) -> list[str]:
    return ["700 END", "710 DATA 4,FOUR,5,FIVE", f"800 {rng.choice(HANDLERS)}", "810 END"]


def _sub(rng: Random) -> list[str]:
    return ['900 SUB S(X)::W=W+1::PRINT "IN S";X;W::SUBEND'] if rng.random() < 0.4 else []


GENTLE = (
    "RUN",
    "RUN",
    "RUN 510",
    "RUN 999",
    "CON",
    "CON",
    "CON",
    "CON",
    "CON",
    "BREAK 510",
    "BREAK 520,130",
    "UNBREAK",
    "UNBREAK 510",
    "TRACE",
    "TRACE",
    "UNTRACE",
    "RES",
    "RES 10,5",
    "LIST",
    "LIST 500-",
    'LIST "DSK9.L"',
    'LIST "DSK1.TOOLONGNAME1"',
    "SIZE",
    "SIZE",
    "SIZE",
    'DELETE "DSK1.F"',
    'DELETE "DSK1.NOPE"',
    "CALL FILES(1)",
    "CALL FILES(5)",
)
"""Commands that keep the names, or find them again."""

HARSH = (
    'RUN "DSK1.X"',
    'RUN "DSK1.NOPE"',
    'RUN "DSK1.BAD"',
    "OLD DSK1.X",
    "OLD DSK1.NOPE",
    "OLD DSK1.BAD",
    "OLD DSK9.X",
    "OLD",
    "OLD DSK1.D",
    "NEW",
    'LIST "DSK1.L"',
    "MERGE DSK1.M",
    "MERGE DSK1.NOPE",
    "MERGE DSK1.D",
    "MERGE",
    "SAVE DSK1.S",
    "SAVE DSK9.S",
    "SAVE DSK1.TOOLONGNAME1",
    "SAVE DSK1.S,MERGE",
    "SAVE DSK1.S,PROTECTED",
    "SAVE",
    '510 PRINT "NEW LINE"',
    "510",
    '515 PRINT "ADDED"',
    "505 REM",
    "100",
    "110",
    "120",
    "130",
)
"""Commands after which nothing is as it was."""

LOOKS = (
    "PRINT A;B$;C",
    "PRINT Q(2)",
    "PRINT F(2)",
    "PRINT I;M(2,3)",
    "PRINT RND",
    "PRINT 1/0",
    'PRINT #1:"Z"',
    "PRINT #1:A",
    "PRINT EOF(2)",
    "CALL S(1)",
    "CALL T(A,B$)",
    "READ D",
    "CALL ERR(A,B,C,D)::PRINT A;B;C;D",
    "CALL KEY(0,K,S)::PRINT K;S",
    "CALL PEEK(9500,P)::PRINT P",
    "CALL GCHAR(20,5,G)::PRINT G",
    "CALL CHARPAT(65,P$,130,R$)::PRINT P$:R$",
    "CALL POSITION(#1,Y,X)::PRINT Y;X",
    'PRINT LEN(C$);POS(C$,"HI",1)',
)

STATEMENTS = (
    "A=5",
    'B$="XY"',
    'C$=B$&B$&"MORE"',
    "R(2)=4::PRINT R(2)",
    "DIM U(3)",
    "X=SQR(-1)",
    'A="B"',
    "FOR I=1 TO 2::PRINT I::NEXT I",
    "FOR J=1 TO 3::X=SQR(-J)::NEXT J",
    "NEXT I",
    "RETURN",
    "GOSUB 500",
    "GOTO 510",
    "ON ERROR 800",
    "ON WARNING NEXT",
    "ON BREAK NEXT",
    "OPTION BASE 1",
    "DEF G(X)=X",
    "DATA 1,2",
    "IMAGE ##",
    "SUBEND",
    "RESTORE",
    "RESTORE 710",
    "RANDOMIZE 5",
    "STOP",
    'OPEN #1:"DSK1.F",OUTPUT',
    'OPEN #2:"DSK1.D",INPUT',
    'OPEN #3:"DSK1.NOPE",INPUT',
    "CLOSE #1",
    "CLOSE #2",
    "CLOSE #1:DELETE",
    "INPUT #2:B$",
    'CALL CHAR(66,"FF818181818181FF")',
    'CALL CHAR(135,"AA55AA55AA55AA55")',
    "CALL COLOR(3,5,11)",
    "CALL SCREEN(5)",
    "CALL MAGNIFY(2)",
    "CALL SPRITE(#3,66,2,100,100)",
    "CALL SPRITE(#3,66,2,100,100,9,9)",
    "CALL CLEAR",
    "CALL INIT",
    "CALL LOAD(9500,78)",
    "CALL SOUND(2000,330,2)",
    'PRINT "PART";',
    "PRINT )",
    "CALL NOPE",
    "END",
    "! REMARK",
    "A=",
    "PRINT A:B$:",
    "CALL CHARSET",
    "DELETE D",
    "UNBREAK X",
)

NUMBERING = ("NUM 530", 'PRINT "NUM"', "")


@dataclass(frozen=True)
class Session:
    """A program, and the lines typed after it has come to rest."""

    source: tuple[str, ...]
    typed: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join((*self.source, *(f"> {line}" for line in self.typed)))


def session(rng: Random) -> Session:
    """A random session."""
    typed: list[str] = []
    for _ in range(rng.randint(4, 9)):
        if rng.random() < 0.02:
            typed += NUMBERING
            continue
        [lines] = rng.choices((GENTLE, HARSH, LOOKS, STATEMENTS), (6, 3, 5, 6))
        typed.append(rng.choice(lines))
    return Session(tuple(program(rng)), tuple(typed))
