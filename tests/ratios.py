"""How much quicker single statements are in compiled programs than in Extended BASIC.

    python -m tests.ratios [STATEMENT …] [--below N] [--jobs N]

Without statements: those of costs4 (see tests/costs.py) and some with long operands. Each is run in
a loop, by our clock, in three forms: native with words, with cells, and byte code. A row tells the
ratios, and the cycles in Extended BASIC and each form, of a statement that is less than N times as
quick in native code. An empty FOR loop is a delay that keeps its length.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache

from tests.bench.test_bench_compiled import program_compiled, program_in_basic
from tests.costs import CONFORMANCE, FILES
from ti99tools.compiler.compiling import ALL_SHORT
from ti99tools.language.program.program import Program

ROUNDS = 25
FORMS = {"words": (True, 0), "cells": (False, 0), "byte code": (True, ALL_SHORT)}
"""Form → whether there are words, and what is byte code."""
LONG = """\
A=INT(U)|A=INT(-U)|A=INT(M)|A=U+W|A=M-U|A=K+1|A=U*W|A=U/W|A=U<W|IF M>K THEN C=4|A=NOT Y|A=RND*Y
A=MAX(U,W)|A=Z(Y)|A$=STR$(K)|A$=STR$(U)|A$=STR$(V)|A=VAL("-1.2345678E-12")|A=POS(X$,"Y",1)
A=POS(X$,"XXY",1)|A$=SEG$(X$,90,99)|A$=RPT$("X",200)|A$=X$|A$=X$&"X"|A=X$=L$|IF X$=L$ THEN C=4
A=LEN(X$)|N$(C)=X$|A$=H$(X$)|PRINT U|PRINT K;M;U|PRINT U;|PRINT X$|PRINT USING "###.##":W
DISPLAY AT(5,5):U|DISPLAY AT(5,5)SIZE(8):STR$(K)|DISPLAY AT(5,5)SIZE(28):L$|RESTORE 960::READ A,U,M
FOR J=.1 TO .5 STEP .1::A=J::NEXT J|FOR J=1 TO B STEP .5::NEXT J|FOR J=K TO K+5::A=J::NEXT J
FOR J=1 TO Z(1)+9::NEXT J|CALL HCHAR(Y,Y,Y+50)|CALL VCHAR(1,1,32,768)|CALL CHAR(96,P$)
CALL MYSUB3(X$,Z())|CALL MYSUB2(Z(1),W)|ON INT(W+125)GOTO 530,530|RANDOMIZE W|CALL CHARSET
CALL SPRITE(#1,65,2,50,60,1,2)|CALL SOUND(-1,Y+440,3)"""
"""Statements with long operands, besides the variables of costs4: U, M, K, X$ and P$."""
MORE = """\
150 U=1/3::M=123456.789::K=40000::X$=RPT$("X",200)::P$=RPT$("7E",32)
960 DATA -123.456,1.23456789E-12,40000"""


def listing(source: list[str], statement: str) -> str:
    """The loop of costs4 with a statement, and another one: an empty one is a delay."""
    rows = {int(row.split()[0]): row for row in (*source, *MORE.splitlines())}
    rows[510] = f"510 FOR I=1 TO {ROUNDS}"
    rows[515] = "515 J9=I"
    rows.pop(520, None)
    if statement:
        rows[520] = f"520 {statement}"
    return "\n".join(rows[number] for number in sorted(rows)).replace('"END#"', '"END!"') + "\n"


@cache
def cycles(text: str) -> tuple[int, ...]:
    """What a loop takes in Extended BASIC, and in each form."""
    program = Program.from_listing(text)
    compiled = [program_compiled(program, words, short) for words, short in FORMS.values()]
    return program_in_basic(program), *compiled


def measured(case: tuple[list[str], str]) -> tuple[str, list[float]]:
    """What a statement takes, in the same order."""
    source, statement = case
    both = zip(cycles(listing(source, statement)), cycles(listing(source, "")), strict=True)
    return statement, [max((whole - empty) / ROUNDS, 1.0) for whole, empty in both]


def statements(wanted: Sequence[str]) -> list[tuple[list[str], str]]:
    """Programs and statements: those that are wanted, or all."""
    with lzma.open(CONFORMANCE / FILES[0], "rt", encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    recorded = {case["statement"]: case["source"] for case in cases if case["statement"]}
    if not wanted:
        wanted = [*recorded, *LONG.replace("\n", "|").split("|")]
    return [(recorded.get(one, cases[0]["source"]), one) for one in wanted]


def main(arguments: list[str] | None = None) -> int:
    """Print a row for each statement that is slow, the slowest first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("statements", nargs="*")
    parser.add_argument("--below", type=float, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    below = float("inf") if options.statements else options.below
    with ProcessPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(measured, statements(options.statements), chunksize=8))
    print(*(f"{name:>10}" for name in FORMS), "cycles", sep="  ")
    for statement, (basic, *forms) in sorted(rows, key=lambda row: row[1][0] / row[1][1]):
        if basic < below * max(forms[:2]):
            taken = " : ".join(f"{each:,.0f}" for each in (basic, *forms))
            print(*(f"{basic / each:10.2f}" for each in forms), f"{taken}  {statement}", sep="  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
