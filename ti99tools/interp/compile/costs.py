"""What lines, names and expressions cost, in CPU cycles (3 MHz).

`MEASURED` was fitted by least squares to the loops recorded on the real machine; what one loop
alone determines together with another cost (a line and its statement, GOSUB and RETURN, CALL and
a subprogram) is shared out between them, so that sums are right rather than single entries.
`LIKELY` holds what no loop measures: most of it from the recorded times of whole programs
(`expect.cycles`, seen every 200,000 cycles), the rest what a similar operation costs. What a
statement costs stands where it is compiled, in `emit`: there, too, `cycles` are measured and
`about` is likely.
"""

from __future__ import annotations

MEASURED: dict[str, int] = {
    # Lines and names
    "line": 1090,
    "line passed": 216,
    "name character": 302,
    "variable": 4490,
    "name passed": 214,
    "name of the same length": 168,
    "equal character": 83,
    "constant": 4250,
    "constant digit": 378,
    "string constant": 1590,
    "element": 467,
    "subscript": 2140,
    # Operators
    "+": 3290,
    "-": 3180,
    "*": 3910,
    "/": 13110,
    "^": 1_900,
    "relation": 821,
    "AND": 4000,
    "XOR": 2600,
    "unary -": 639,
    "unary NOT": 1890,
    "relation of strings": 640,
    "&": 34_600,
    # Functions
    "ABS": 1900,
    "ASC": 10840,
    "CHR$": 29260,
    "DEF": 158000,
    "DEF with a parameter": 205000,
    "EXP": 235470,
    "INT": 3620,
    "LEN": 8840,
    "LOG": 309660,
    "MAX": 17750,
    "POS": 49970,
    "RND": 201950,
    "RPT$": 36_100,
    "repetition": 6400,
    "SEG$": 58400,
    "SIN": 182820,
    "SQR": 172800,
    "STR$": 34050,
    "VAL": 38120,
    "VAL character": 3000,
}

LIKELY: dict[str, int] = {
    "(": 100,
    "joined character": 250,
    "OR": 6300,
    "unary +": 640,
    "SGN": 1900,
    "COS": 167000,
    "TAN": 363000,
    "ATN": 163000,
    "MIN": 17750,
    "PI": 6700,
    "REC": 30000,
    "EOF": 7000,
}

COSTS: dict[str, int] = {**LIKELY, **MEASURED}

SCAN: dict[str, int] = {
    "RUN": 127_470,
    "line": 1_247,
    "remark": 1_250,
    "statement": 2_270,
    "entry": 63,
    "name": 30_794,
    "name character": 5_527,
    "name passed": 359,
    "CALL": 23_123,
    "CALL letter": 1_839,
    "new CALL letter": 4_003,
    "CALL SUB": 25_000,
    "line number": 643,
    "symbol": 65_118,
    "dimension": 36_650,
    "element": 1_082,
    "byte ahead": 12_130,
    "DEF": 31_600,
    "DEF parameter": 205_000,
    "SUB": 150_000,
    "OPTION BASE": 190_000,
    "token": 818,
}
"""The pre-scan: RUN itself, and each thing that it meets. Names, lines and CALLs were measured on
the real machine, within some percent; how each shares its time out was fitted to the times of 539
recorded programs. A name of the same length that is passed takes besides what it takes when the
program runs: see `name of the same length`."""

LOADED, LOADED_LINE, LOADED_BYTE = 545_000, 23_440, 627
"""Loading a program from disk: any program, and for each line, each byte of it (measured). The
records of the long form take their own time besides."""

LOADED_REST = 1_115
"""What each byte of the last sector takes besides when the program does not fill it: the controller
copies them one by one (fitted to the times of 539 recorded programs)."""
