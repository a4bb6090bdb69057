"""Random programs of statements whose values are at the edges of what they take, or beyond them."""

from __future__ import annotations

import re
from random import Random

from tests.compiler.randomlines import LineMaker

NUMBERS = (
    *("0", "1", "2", "3", "-1", ".5", "-.5", "0.49", "1.5", "2.5", "-1.5", "1.49999", "99.5"),
    *("8", "9", "10", "14", "15", "16", "17", "24", "24.5", "25", "28", "28.5", "29", "30", "31"),
    *("32", "32.5", "33", "65", "96", "97", "110", "126", "127", "128", "143", "144", "159", "160"),
    *("255", "255.4", "255.5", "256", "768", "769", "4250", "4251", "-4250", "44733", "44734"),
    *("32767", "32767.5", "32768", "-32768", "-32768.5", "-32769", "65535", "65536", "2147483648"),
    *("1E5", "1E10", "9999999999", "1E99", "-1E99", "9.9999999999999E127", "1E-99", "1E-128"),
)
TEXTS = (
    *('""', '"A"', '" "', '" 1"', '"-1.5E3 "', '"1E200"', '"1E-200"', '"."', '"+"', '"-"', '"1E"'),
    *('"1 2"', '"1,2"', '"X,Y"', '"1E5E5"', '"##.#"', '"###^^^^"', '"FF00"', '"FFG"', '"-0"'),
    *('"0123456789ABCDEF0"', '"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abc"', '"12345678901234567890"'),
    *('RPT$("X",255)', 'RPT$("0F",33)', "CHR$(0)", "CHR$(31)", 'CHR$(200)&"A"'),
)
NUMERIC = ("A", "B", "C", "D", "E", "I", "K")
CALCULATED = (
    *("P(1)", "P(A)", "LEN(A$)", "INT(C)", "-D", "ABS(E)", "Q(1,2)", "F(C)", "INT(RND*9)", "C*C"),
    *("MAX(C,D)", "VAL(STR$(D))", "SGN(D)", "(C=D)", 'POS(A$,"X",1)', 'ASC(B$&"A")'),
)
STRINGS = (
    *("A$", "B$", "C$", "P$(1)", "F$(A$)", "STR$(C)", "SEG$(B$,2,3)", "CHR$(ABS(C))", "A$&B$"),
    *("RPT$(B$,2)", "STR$(D)&C$"),
)
STATEMENTS = (
    "PRINT {n}+{n};{n}*{n}", "PRINT {n}-{n};{n}/{n}", "PRINT {n}^{n}", "PRINT -{n}^{n}",
    "PRINT INT({n});ABS({n});SGN({n})", "PRINT SQR({n})", "PRINT LOG({n});EXP({n})",
    "PRINT SIN({n});COS({n});ATN({n})", "PRINT {n} AND {n};NOT {n}", "PRINT {n} OR {n};{n} XOR {n}",
    "PRINT {n}={n};{n}<{n};{n}>={n}", "PRINT MAX({n},{n});MIN({n},{n})", "PRINT VAL({s})",
    'PRINT STR$({n})&"!"', "PRINT ASC({s})", "PRINT LEN({s});POS({s},{s},{n})",
    "PRINT SEG$({s},{n},{n})", "PRINT RPT$({s},{n})", "PRINT CHR$({n})", "PRINT {s}={s};{s}<{s}",
    "A$={s}&{s}", "A$=RPT$({s},{n})", "PRINT LEN(A$);SEG$(A$,1,20)", "A$=SEG$(A$&{s},{n},{n})",
    "PRINT TAB({n});{n}", "PRINT {n};TAB({n});{s}", "PRINT {n},{n}:{s}", "PRINT {s};{n},{s}",
    "DISPLAY AT({n},{n}):{n}", "DISPLAY AT({n},{n})SIZE({n}):{s}", "DISPLAY SIZE({n}):{s};{n}",
    "DISPLAY AT({n},{n})ERASE ALL BEEP:{s},{n}", "DISPLAY SIZE({n})AT({n},{n}):{s}",
    "PRINT USING {s}:{n}", "PRINT USING 800:{n},{n}", 'PRINT USING "##^^^^ ####":{n},{n};',
    'DISPLAY AT(3,{n})SIZE({n}):USING "##.#":{n}', 'PRINT USING "#.##^^^^^ "&"###":{n},{s}',
    "CALL HCHAR({n},{n},{n},{n})", "CALL VCHAR({n},{n},{n})", "CALL GCHAR({n},{n},A)::PRINT A",
    "CALL CHAR({n},{s})", "CALL CHARPAT({n},A$)::PRINT A$", "CALL SCREEN({n})",
    "CALL COLOR({n},{n},{n})", "CALL SOUND({n},{n},{n})", "CALL SOUND(1,220,{n},330,{n},{n},{n})",
    "CALL SPRITE(#{n},{n},{n},{n},{n})", "CALL LOCATE(#1,{n},{n})", "CALL PATTERN(#1,{n})",
    "CALL COLOR(#1,{n})", "CALL POSITION(#{n},A,B)::PRINT A;B", "CALL MAGNIFY({n})",
    "CALL DISTANCE(#1,{n},{n},A)::PRINT A", "CALL DELSPRITE(#{n})", "CALL JOYST({n},A,B)",
    "P({n})={n}", "PRINT P({n});Q({n},{n})", "P$({n})={s}", "PRINT P$({n})", "A,B,P({n})={n}",
    "ON {n} GOTO {l},{l}", "ON {n} GOSUB 910,910", "IF {n} THEN PRINT 1 ELSE PRINT 2",
    "FOR I={n} TO {n} STEP {n}::GOSUB 910::NEXT I", "IF {n}>{n} THEN {l}",
    "RESTORE 990::READ A::PRINT A", "READ A::PRINT A", "READ A$::PRINT A$", "A$={n}", "A={s}",
    "RANDOMIZE {n}::PRINT RND", "PRINT F({n})", "PRINT F$({s})", "CALL S({n},A)",
    "CALL S(P({n}),Q({n},1))", "CALL V(P(),{n})", "CALL W(A$,{s})", "CALL W(P$({n}),P$({n}))",
    "A={n}::B=A*{n}+A::PRINT B", "A={n}::A=A+{n}::A=A-{n}::PRINT A", "A={n}::A=-A::PRINT A;A/{n}",
    "PRINT EOF({n})", "PRINT #{n}:A", "OPEN #{n}:{s}", "CLOSE #{n}", "PRINT {n}+{s}",
    "ON WARNING NEXT", "ON WARNING PRINT", "PRINT INT({n}/{n})*{n}", "PRINT {n}>{n}>{n}",
    "TRACE", "UNTRACE", "CALL CLEAR", "A$={s}::A$=SEG$(A$,{n},{n})&A$::PRINT A$",
)  # fmt: skip
LINES = (
    "ACCEPT A", "ACCEPT B$", "ACCEPT AT({n},{n}):A", "ACCEPT AT({n},{n})SIZE({n}):B$",
    "ACCEPT AT(5,{n})SIZE({n}):A", "ACCEPT SIZE({n}):C$", "ACCEPT VALIDATE({s}):A$",
    "ACCEPT AT(3,3)VALIDATE({s},DIGIT)SIZE({n}):A$", "ACCEPT P({n})", "INPUT {s}:A",
    "ACCEPT VALIDATE(UALPHA,{s})BEEP ERASE ALL:P$({n})", "INPUT {s}:A$,A", "INPUT P({n})",
    "INPUT A,P(A),P$({n})", "LINPUT {s}:P$({n})", "LINPUT A$",
    "DISPLAY AT(9,{n})SIZE({n}):{s}::ACCEPT AT(9,{n})SIZE(-{n}):A$",
)  # fmt: skip
"""What takes a line; {n}: a number, {s}: a string, {l}: a later line."""
_LAST = """\
800 IMAGE ###.## ##
880 PRINT A;B;C;D;E:A$:B$::END
900 ON ERROR 900::CALL ERR(L,M,N,O)::PRINT L;M;N;O::Z=Z+1::IF Z>20 THEN STOP ELSE RETURN NEXT
910 K=K+1::IF ABS(K)>30 THEN 880 ELSE RETURN
920 DATA {items}
930 SUB S(A,B)::A=A+1::B=B*A::PRINT A;B::SUBEND
940 SUB V(R(),N)::R(N)=R(N)+1::PRINT R(N)::SUBEND
950 SUB W(A$,B$)::A$=B$&A$::B$=SEG$(A$,2,200)::PRINT LEN(A$);LEN(B$)::SUBEND
"""


class EdgeMaker:
    """Makes a program of a seed; its errors are shown by a handler, and it goes on."""

    def __init__(self, seed: int, lines: bool = False) -> None:
        """`lines`: it takes lines, too."""
        self._random = Random(f"edges {seed}")
        self._statements = (*STATEMENTS, *LINES * 3) if lines else STATEMENTS

    def program(self) -> str:
        """Its listing."""
        r = self._random
        values = "::".join(f"{name}={r.choice(NUMBERS)}" for name in "CDE")
        rows = [
            *(["80 OPTION BASE 1"] if r.random() < 0.2 else []),
            "90 ON ERROR 900",
            '100 DIM P(9),Q(3,3),P$(5)::DEF F(X)=X*2-C::DEF F$(X$)=X$&"<"',
            f"110 {values if r.random() < 0.6 else 'READ C,D,E'}",
            f"115 B$={r.choice(TEXTS)}::C$={r.choice(TEXTS)}",
        ]
        numbers = range(120, 120 + 10 * r.randint(6, 14), 10)
        for number in numbers:
            rows.append(f"{number} {self._statement(range(number + 10, numbers.stop, 10))}")
        items = ",".join(r.choices(NUMBERS, k=5))
        return "\n".join((*rows, _LAST.format(items=items)))

    def keys(self) -> list[str]:
        """What is typed: anything, then lines that are taken."""
        return LineMaker(self._random.randrange(9999)).keys()

    def _statement(self, later: range) -> str:
        r = self._random

        def value(kind: re.Match[str]) -> str:
            if kind[1] == "l":
                return str(r.choice(later or [880]))
            return self._number() if kind[1] == "n" else self._text()

        made = re.sub(r"{(.)}", value, r.choice(self._statements))
        if r.random() < 0.1 and not made.startswith(("IF", "FOR")):
            return f"IF {self._number()}{r.choice('<>=')}{self._number()} THEN {made}"
        return made

    def _number(self) -> str:
        r = self._random
        if r.random() < 0.1:
            return f"({r.choice(NUMERIC)}{r.choice('+-*/')}{r.choice(NUMBERS)})"
        return r.choice(r.choice((NUMBERS, NUMBERS, NUMBERS, NUMERIC, NUMERIC, CALCULATED)))

    def _text(self) -> str:
        return self._random.choice(self._random.choice((TEXTS, STRINGS)))
