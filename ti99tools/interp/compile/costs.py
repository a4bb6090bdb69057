"""The table of charges of `interp.timing`: key → CPU cycles (3 MHz).

`MEASURED` was fitted by least squares to the loops recorded on the real machine; what one loop
alone determines together with another charge (a line and its statement, GOSUB and RETURN, CALL
and a subprogram) is shared out between them, so that sums are right rather than single entries.
`LIKELY` holds what no loop measures: most of it from the recorded times of whole programs
(`expect.cycles`, seen every 200,000 cycles), the rest what a similar statement costs.
"""

from __future__ import annotations

MEASURED: dict[str, int] = {
    "cycle": 1,
    # Lines and names
    "line": 1090,
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
    # Statements
    "LET": 597,
    "LET target": 894,
    "string character": 734,
    "IF": 1720,
    "ELSE": 1480,
    "FOR": 12830,
    "NEXT": 5490,
    "GOTO": 1250,
    "GOSUB": 2370,
    "ON": 1260,
    "RETURN": 2370,
    "line passed": 216,
    "CALL SUB": 8570,
    "SUBEND": 8570,
    "READ": 126000,
    "RESTORE": 405260,
    "RANDOMIZE": 64970,
    "REM": 837,
    "PRINT": 0,
    "DISPLAY": 41400,
    "AT": 41400,
    "SIZE": 18440,
    "USING": 195760,
    "shown number": 72510,
    "shown text": 44430,
    "shown character": 333,
    # Operators
    "+": 3290,
    "-": 3180,
    "*": 3910,
    "/": 13110,
    "^ whole": 22920,
    "^ fraction": 557300,
    "relation": 821,
    "AND": 4000,
    "XOR": 2600,
    "unary -": 639,
    "unary NOT": 1890,
    "relation of strings": 640,
    # Functions
    "ABS": 1900,
    "ASC": 10840,
    "CHR$": 29260,
    "DEF": 235690,
    "EXP": 235470,
    "INT": 3620,
    "LEN": 8840,
    "LOG": 309660,
    "MAX": 17750,
    "POS": 49970,
    "RND": 201950,
    "RPT$": 274,
    "repetition": 7680,
    "SEG$": 58400,
    "SIN": 182820,
    "SQR": 172800,
    "STR$": 34050,
    "VAL": 47120,
    # Subprograms
    "CALL": 13860,
    "argument": 7470,
    "&": 27000,
}

LIKELY: dict[str, int] = {
    # Statements
    "(": 100,
    "other": 20000,
    "THEN line": 100,
    "parameter": 100,
    "ON ERROR": 105000,
    "RETURN NEXT": 56000,
    "INPUT": 40000,
    "ACCEPT": 60000,
    "OPEN": 777000,
    "CLOSE": 210000,
    "VALIDATE": 10000,
    "BEEP": 20000,
    "ERASE": 45000,
    "record": 57000,
    "filed number": 109000,
    "filed text": 47000,
    "filed character": 5600,
    # Operators and functions
    "joined character": 1260,
    "OR": 6300,
    "unary +": 640,
    "SGN": 1900,
    "COS": 167000,
    "TAN": 510000,
    "ATN": 163000,
    "MIN": 17750,
    "PI": 6700,
    "REC": 7000,
    "EOF": 7000,
}

COSTS: dict[str, int] = {**LIKELY, **MEASURED}

LOADED_LINE = 50_700
LOADED_BYTE = 3_750
"""Loading a program from disk and scanning it before it runs: for each line, each byte of it."""
