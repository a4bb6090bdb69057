"""Well-formed random programs: loops, subroutines, subprograms, arrays, functions, handlers.

Mutated listings mostly stop early; these run on. Loops are bounded by a counter, so that nearly
all of them come to an end, and what they compute is printed.
"""

from __future__ import annotations

from random import Random

NUMERIC = ("A", "B", "C", "I", "J", "X", "Y")
TEXT = ("A$", "B$", "C$")
CONSTANTS = tuple(
    """
    0 1 2 3 7 10 100 -1 -2 .5 .1 1.5 -.25 255 256 32767 99999999999999 1E13 1E14 1E-5 3.14159
    12345.678 1E60 -1E60 1E127 1.5E+20 1.5E-20
    """.split()
)
TEXTS = ('""', '"A"', '"HELLO"', '" "', '"12"', '"-3.5"', '"1E3"', '"X,Y"', '"ABCDEFGHIJ"')
HANDLER = 9000


class Maker:
    """Makes one program; `plain` ones have no SUB, no handler and show no warnings."""

    def __init__(self, rng: Random, plain: bool = False) -> None:
        self.rng = rng
        self.plain = plain
        self.lines: list[str] = []
        self.number = 100
        self.subroutines = rng.randint(0, 3)
        self.subs = 0 if plain else rng.randint(0, 3)
        self.loops: list[str] = []

    def pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    # -- expressions ----------------------------------------------------------------------

    def value(self, depth: int = 2) -> str:
        """A numeric expression."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.35:
            return self.pick(*CONSTANTS, *NUMERIC, *NUMERIC, *NUMERIC, self.element(), "RND", "PI")
        a, b = self.value(depth - 1), self.value(depth - 1)
        match rng.randrange(14):
            case 0 | 1 | 2:
                return f"{a}{self.pick('+', '-', '*')}{b}"
            case 3:
                return f"({a}{self.pick('+', '-', '*', '/')}{b})"
            case 4:
                return f"{a}/{b}"
            case 5:
                return f"INT({a})"
            case 6:
                if self.plain:
                    return self.pick(f"ABS({a})", f"SGN({a})", f"SQR(ABS({a}))", f"ATN({a})")
                return f"{self.pick('ABS', 'SGN', 'INT', 'SQR', 'COS', 'ATN')}({a})"
            case 7:
                return f"({self.condition(depth - 1)})"
            case 8:
                return self.pick("MAX", "MIN") + f"({a},{b})"
            case 9:
                return f"LEN({self.text(depth - 1)})"
            case 10:
                return f"POS({self.text(depth - 1)},{self.text(0)},{self.place(a)})"
            case 11:
                return f"VAL({self.digits()})" if self.plain else f"VAL({self.text(depth - 1)})"
            case 12:
                return f"{self.pick('F', 'G')}({a})"
            case _:
                return f"-{a}" if not a.startswith("-") else f"({a})"

    def place(self, value: str) -> str:
        """A position in a string: in plain programs never out of range."""
        return self.pick("1", "2", "J*J+1", "256") if self.plain else self.pick("1", "2", value)

    def digits(self) -> str:
        """A string that is a number."""
        return self.pick('"12"', '"-3.5"', '"1E3"', "STR$(I)", "STR$(C/3)", '"0"&STR$(ABS(J))')

    def element(self) -> str:
        if self.plain and self.rng.random() < 0.95:
            return self.pick("N(1)", "N(MIN(8,ABS(I)+1))", "M(1,MIN(4,ABS(J)+1))", "M(2,2)")
        index = self.pick("0", "1", "3", "I", "J", "ABS(A)", "I+1", "INT(RND*5)")
        return self.pick(f"N({index})", f"M({index},{self.pick('1', 'J', '2')})")

    def text(self, depth: int = 2) -> str:
        """A string expression."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.4:
            at = "MIN(9,ABS(I)+1)" if self.plain else self.pick("0", "1", "I", "J")
            return self.pick(*TEXTS, *TEXT, *TEXT, f"S$({at})")
        match rng.randrange(6):
            case 0 | 1:
                joined = f"{self.text(depth - 1)}&{self.text(depth - 1)}"
                return f"({joined})" if self.plain else joined
            case 2:
                start, size = self.place(self.value(0)), self.pick("1", "2", "20", "ABS(I)")
                return f"SEG$({self.text(depth - 1)},{start},{size})"
            case 3:
                return f"STR$({self.value(depth - 1)})"
            case 4:
                code = "ABS(I)+65" if self.plain else self.value(0)
                return f"CHR$({self.pick('65', 'ABS(I)+64', '200', code)})"
            case _:
                return f"RPT$({self.text(depth - 1)},{self.pick('0', '2', '3', 'ABS(J)')})"

    def condition(self, depth: int = 2) -> str:
        rng = self.rng
        if depth and rng.random() < 0.3:
            joint = self.pick(" AND ", " OR ", " XOR ")
            if self.plain:
                return f"({self.condition(0)}){joint}({self.condition(0)})"
            return f"{self.condition(depth - 1)}{joint}{self.condition(depth - 1)}"
        if rng.random() < 0.25:
            return f"{self.text(1)}{self.relation()}{self.text(1)}"
        if rng.random() < 0.15 and not self.plain:
            return self.pick(*NUMERIC)
        return f"{self.value(1)}{self.relation()}{self.value(1)}"

    def relation(self) -> str:
        return self.pick("=", "<", ">", "<=", ">=", "<>")

    # -- statements -----------------------------------------------------------------------

    def simple(self) -> str:
        """A statement that goes on after itself."""
        rng = self.rng
        match rng.randrange(16):
            case 0 | 1 | 2 | 3:
                return f"{self.pick(*NUMERIC[:3], 'X', 'Y')}={self.value()}"
            case 4:
                return f"{self.element()}={self.value()}"
            case 5 | 6:
                at = "S$(3)" if self.plain else "S$(I)"
                return f"{self.pick(*TEXT, at, 'S$(2)')}={self.text()}"
            case 7 | 8:
                return f"PRINT {self.items()}"
            case 9 if self.plain:
                return f"RESTORE::READ {self.pick(*NUMERIC, 'N(3)', 'A$')},X,B$"
            case 9:
                return f"READ {self.pick(*NUMERIC, *TEXT, 'N(J)', 'S$(1)')}"
            case 10:
                return self.pick("RESTORE", "RESTORE 8000", "RESTORE 8010")
            case 11:
                return f"A=A+{self.pick('1', '2', '.5', 'I')}"
            case 12:
                mode = self.pick("ON WARNING NEXT", "ON WARNING PRINT", "I=I+1")
                return self.pick("I=I+1" if self.plain else mode, "RANDOMIZE 5", "J=J-.5")
            case 13 if self.subs:
                return self.call()
            case 14 if self.subroutines:
                return f"GOSUB {5000 + 100 * rng.randrange(self.subroutines)}"
            case _:
                return f"X,Y={self.value()}" if rng.random() < 0.5 else f"A,N(1)={self.value()}"

    def items(self) -> str:
        parts = []
        for _ in range(self.rng.randint(1, 3)):
            parts.append(self.value(1) if self.rng.random() < 0.6 else self.text(1))
            parts.append(self.pick(";", ";", ",", ":"))
        return "".join(parts[:-1] if self.plain or self.rng.random() < 0.8 else parts)

    def call(self) -> str:
        which = self.rng.randrange(self.subs)
        number = self.pick(*NUMERIC, self.value(1), "(A)", "N(2)", "N(I)")
        text = self.pick(*TEXT, self.text(1), "S$(1)")
        return f"CALL S{which}({number},{text},N())"

    def branch(self) -> str:
        """An IF, all of whose branches come back to the next line."""
        then = "::".join(self.simple() for _ in range(self.rng.choice((1, 1, 2))))
        text = f"IF {self.condition()} THEN {then}"
        match self.rng.randrange(4):
            case 0:
                return f"{text} ELSE {self.simple()}"
            case 1:
                return f"{text} ELSE {self.branch()}" if self.rng.random() < 0.4 else text
            case 2:
                return f"IF {self.condition()} THEN {self.number + 20}"
            case _:
                return text

    # -- lines ----------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append(f"{self.number} {text}")
        self.number += 10

    def body(self, depth: int) -> None:
        for _ in range(self.rng.randint(1, 5)):
            if depth and len(self.lines) < 40 and self.rng.random() < 0.35:
                self.loop(depth)
            elif self.rng.random() < 0.3:
                self.line(self.branch())
            else:
                parts = [self.simple() for _ in range(self.rng.choice((1, 1, 2, 3)))]
                self.line("::".join(parts))

    def loop(self, depth: int) -> None:
        free = [name for name in ("I", "J", "K", "L") if name not in self.loops]
        if not free:
            return
        variable = self.rng.choice(free)
        self.loops.append(variable)
        first, last = self.pick("1", "0", "5", "-2", ".5", "A"), self.pick("3", "5", "0", "8", "B")
        step = self.pick("", "", "", " STEP 1", " STEP 2", " STEP -1", " STEP .5", " STEP C*C+1")
        if not self.plain and self.rng.random() < 0.1:
            step = " STEP C"
        self.line(f"T=T+1::IF T>60 THEN 4900::FOR {variable}={first} TO {last}{step}")
        if "::FOR" in self.lines[-1]:
            # FOR may not follow THEN: give it a line of its own
            head, _, tail = self.lines.pop().rpartition("::")
            self.number -= 10
            self.line(head.partition(" ")[2])
            self.line(tail)
        self.line(f"U=U+1::IF U>150 THEN {self.pick('4900', '4900', str(self.number + 20))}")
        self.body(depth - 1)
        if self.rng.random() < 0.1:
            self.line(f"{variable}={self.value(1)}")
        self.line(f"NEXT {variable}")
        self.loops.pop()

    def program(self) -> list[str]:
        """The lines of the program."""
        rng = self.rng
        if rng.random() < 0.2:
            self.line("OPTION BASE 1")
        self.line("DIM N(8),M(3,4),S$(9)")
        self.line(f"DEF F(X)={self.pick('X*2', 'X+A', 'INT(X/3)', 'X*X', 'N(1)+X', 'X=B')}")
        self.line(f"DEF G(Q)={self.pick('F(Q)+1', 'Q-1', 'Q/7', 'LEN(A$)+Q', 'RND*Q')}")
        if self.plain:
            self.line("ON WARNING NEXT")
        elif rng.random() < 0.7:
            self.line(f"ON ERROR {HANDLER}")
        for _ in range(rng.randint(2, 5)):
            self.body(2)
        lines = self.lines
        lines += ["4900 PRINT A;B;C;X;Y;I;J:A$:B$:N(1);N(2);T;U;RND", "4910 END"]
        for which in range(self.subroutines):
            self.number = 5000 + 100 * which
            self.line(f"V=V+1::IF V>40 THEN {self.pick('RETURN', '4900')}")
            for _ in range(rng.randint(1, 3)):
                self.line(self.pick(self.simple(), self.branch()))
            self.number = 5090 + 100 * which
            self.line("RETURN")
        lines += ['8000 DATA 1,2.5,HELLO,-3,"A,B",1E5', "8010 DATA 7,X,,99999999999999,.001"]
        if not self.plain:
            lines += self.handler()
        self.number = 10000
        for which in range(self.subs):
            self.sub(which)
        return lines

    def handler(self) -> list[str]:
        back = self.pick("RETURN NEXT", "RETURN NEXT", "RETURN 4900", "RETURN 8500", "GOTO 4900")
        again = self.pick(f"ON ERROR {HANDLER}", "ON ERROR STOP", "REM")
        return [
            f"{HANDLER} CALL ERR(E1,E2,E3,E4)::PRINT E1;E2;E3;E4",
            f"{HANDLER + 10} W=W+1::IF W>20 THEN 4900 ELSE {again}",
            f"{HANDLER + 20} {back}",
            '8500 PRINT "BACK"::GOTO 4900',
        ]

    def sub(self, which: int) -> None:
        parameters = self.pick("(A,A$,N())", "(X,T$,N())", "(P,Q$,Z())")
        self.line(f"SUB S{which}{parameters}")
        self.line("DIM M(3,4),S$(5)" if self.rng.random() < 0.5 else "REM")
        names = parameters.strip("()").replace("()", "").replace(")", "").split(",")
        self.line(f'{names[0]}={names[0]}+1::{names[1]}={names[1]}&"*"::{names[2]}(2)={names[0]}')
        subroutines, subs = self.subroutines, self.subs
        self.subroutines = self.subs = 0
        for _ in range(self.rng.randint(0, 3)):
            self.line(self.simple().replace("RESTORE", "REM"))
        self.subroutines, self.subs = subroutines, subs
        if self.rng.random() < 0.3:
            self.line(f"IF {self.condition(1)} THEN SUBEXIT")
        self.line("SUBEND")


def well_formed(rng: Random, plain: bool = False) -> list[str]:
    """A program's lines."""
    return sorted(Maker(rng, plain).program(), key=lambda line: int(line.partition(" ")[0]))
