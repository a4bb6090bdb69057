"""Random programs of what is compiled: numbers, control flow, texts, RND, screen."""

from __future__ import annotations

from random import Random

NAMES = ("A", "B", "C", "D", "X", "Y")
COUNTERS = ("I", "J", "K")
TEXTS = ("A$", "B$", "C$")
FUNCTIONS = ("INT", "ABS", "SGN")


PIECES, PIECE = 5, 1000


def piece(seed: int) -> range:
    """The seeds of the programs that a slow test plays with its own seed: one piece of five."""
    first = PIECE + PIECE * (seed % PIECES)
    return range(first, first + PIECE)


class Maker:
    """Makes one program of a seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.loops = 0

    def number(self) -> str:
        """A constant."""
        r = self.random
        return r.choice(
            (
                str(r.randint(0, 9)),
                str(r.randint(-40, 300)),
                str(r.randint(-33_000, 33_000)),
                f"{r.randint(0, 99)}.{r.randint(0, 99)}",
                f".{r.randint(1, 999)}",
                "32767",
                "-32768",
            )
        )

    def value(self, depth: int = 2) -> str:
        """A numeric expression."""
        r = self.random
        kind = r.randint(0, 12 if depth else 3)
        if kind <= 1:
            return self.number()
        if kind <= 3:
            return r.choice((*NAMES, *COUNTERS, "P(ABS(INT(A/997)))" if r.random() < 0.1 else "A"))
        if kind <= 7:
            sign = r.choice("++--**/")
            right = self.value(depth - 1) if sign != "/" else str(r.choice((2, 3, 7, 10, 64, 1000)))
            return f"({self.value(depth - 1)}{sign}{right})"
        if kind == 8:
            return f"{r.choice(FUNCTIONS)}({self.value(depth - 1)})"
        if kind == 9:
            divisor = r.choice((2, 3, 8, 10))
            return f"({r.choice(NAMES)}-{divisor}*INT({r.choice(NAMES)}/{divisor}))"
        if kind == 10:
            return f"(INT(RND*{r.choice((2, 6, 10, 100))})+{r.randint(0, 3)})"
        if kind == 11:
            if r.random() < 0.5:
                return f"F({r.choice(NAMES)}{r.choice('+-*')}{self.number()})"
            return f"({self.condition()})"
        return f"{r.choice(('MAX', 'MIN'))}({self.value(depth - 1)},{self.value(depth - 1)})"

    def condition(self) -> str:
        """A comparison."""
        sign = self.random.choice(("=", "<>", "<", ">", "<=", ">="))
        if self.random.random() < 0.3:
            return f"({self.text(1)}){sign}({self.text(1)})"
        return f"{self.value(1)}{sign}{self.value(1)}"

    def text_place(self) -> str:
        """A string variable or an element."""
        r = self.random
        return r.choice((*TEXTS, *TEXTS, "T$(INT(RND*4))", "T$(ABS(INT(A/997)))"))

    def of_text(self) -> str:
        """A number made of a string."""
        r = self.random
        text = self.text(1)
        return r.choice(
            (f"LEN({text})", f'POS({text},"{r.choice("AB1")}",1)', f"POS({text},{self.text(1)},2)")
            + ((f"ASC({text})", f"VAL({text})") if r.random() < 0.1 else ())
        )

    def text(self, depth: int = 2) -> str:
        """A string expression."""
        r = self.random
        small = f"(ABS({r.choice(COUNTERS)})+{r.randint(1, 3)})"
        if depth and r.random() < 0.5:
            inner, other = self.text(depth - 1), self.text(depth - 1)
            return r.choice(
                (
                    f"{inner}&{other}",
                    f"({inner})&({other})",
                    f"SEG$({inner},{small},{r.choice((1, 1, 2, 9))})",
                    f"RPT$({inner},{r.randint(0, 4)})",
                    inner if "RND" in inner else f"G$({inner})",
                )
            )
        if r.random() < 0.5:
            return self.text_place()
        return r.choice(
            (
                '"TEXT"',
                f"STR$({self.value(1)})",
                f'RPT$("AB",{r.randint(0, 4)})',
                f'SEG$("HELLO WORLD",{small},{r.randint(0, 5)})',
                f'"N"&STR$({r.choice(NAMES)})&"!"',
                f"CHR$({r.randint(65, 90)})",
            )
        )

    def simple(self) -> str:
        """A statement without jumps."""
        r = self.random
        match r.randint(0, 13):
            case 0 | 1 | 2:
                return f"{r.choice(NAMES)}={self.value()}"
            case 10 | 11:
                return f"{self.text_place()}={self.text()}"
            case 12:
                return f"{self.text_place()},{self.text_place()}={self.text()}"
            case 13:
                return f"{r.choice(NAMES)}={self.of_text()}"
            case 3:
                name = r.choice(NAMES)
                return f"{name}={name}{r.choice('+-')}{r.randint(1, 9)}"
            case 4:
                return f"P({r.randint(0, 5)})={self.value(1)}"
            case 5:
                return f"{r.choice(NAMES)}=P({r.randint(0, 5)})"
            case 6:
                return f"PRINT {self.value()};{self.text()}"
            case 7:
                return f"PRINT {self.text()},{r.choice(NAMES)}"
            case 8:
                row, column = r.randint(1, 20), r.randint(1, 28)
                return f"DISPLAY AT({row},{column})SIZE({r.randint(1, 9)}):{self.text()}"
            case _:
                place = f"{r.randint(1, 24)},{r.randint(1, 32)}"
                return f"CALL HCHAR({place},{r.randint(33, 90)},{r.randint(0, 40)})"

    def call(self) -> str:
        """A CALL: values, references, the same place twice, one array or another."""
        r = self.random
        name, other, at = r.choice(NAMES), r.choice(NAMES), r.randint(0, 5)
        return r.choice(
            (
                f"CALL S({name},({self.value(1)}))",
                f"CALL S({name},{other})",
                f"CALL S({name},{name})",
                f"CALL S(P({at}),P(ABS(INT({other}/997))))",
                f"CALL V(P(),{at},{name})",
                f"CALL V(Q(),{at},Q({r.randint(0, 3)}))",
                f"CALL W({self.text_place()},{self.text_place()})",
                f"CALL W({self.text_place()},({self.text(1)}))",
                f"CALL U(T$(),{self.text_place()})",
            )
        )

    def loop(self, number: int, later: int) -> list[str]:
        """A loop of several lines that may be left, or be entered at its NEXT."""
        r = self.random
        name = r.choice(COUNTERS)
        ends = r.choice(
            ("1 TO 3", "4 TO 1 STEP -1", "A TO B STEP 20000", "RND*2 TO RND*3", "0 TO 1 STEP .4")
        )
        inner = f"IF {self.condition()} THEN {later}" if r.random() < 0.5 else self.simple()
        return [
            f"{number} FOR {name}={ends}",
            f"{number + 1} {self.simple()}::{inner}",
            f"{number + 2} NEXT {name}",
        ]

    def line(self, later: int) -> str:
        """The statements of a line; `later` is a line after it."""
        r = self.random
        match r.randint(0, 9):
            case 0:
                return f"IF {self.condition()} THEN {later}"
            case 1:
                return f"IF {self.condition()} THEN {self.simple()} ELSE {self.simple()}"
            case 2:
                return f"IF ({self.condition()})AND({self.condition()})THEN {self.simple()}"
            case 3 if self.loops < 2:
                self.loops += 1
                name = COUNTERS[self.loops - 1]
                ends = r.choice(("1 TO 4", "5 TO 1 STEP -2", "0 TO 2 STEP .5", "3 TO 1"))
                inner = self.simple()
                return f"FOR {name}={ends}::{inner}::{self.simple()}::NEXT {name}"
            case 4:
                return "GOSUB 900"
            case 5:
                return self.call()
            case _:
                return f"{self.simple()}::{self.simple()}"

    def program(self) -> str:
        """The listing."""
        count = self.random.randint(6, 14)
        rows = ["100 DIM P(10),Q(5)", '105 DEF F(X)=X*2-Y::DEF G$(X$)="<"&X$&B$']
        numbers = [110 + 10 * n for n in range(count)]
        for n in numbers:
            later = self.random.choice([m for m in numbers if m > n] or [890])
            if self.random.random() < 0.15:
                rows += self.loop(n, later + self.random.choice((0, 0, 0, 0, 2)) * (later < 890))
            else:
                rows.append(f"{n} {self.line(later)}")
                if self.random.random() < 0.2:
                    rows.append(f"{n + 2} REM")
        rows.append("890 PRINT A;B;C;D;X;Y:A$;B$;C$;T$(0);T$(1);T$(2)::END")
        rows.append(f"900 {self.simple()}::C=C+1::RETURN")
        more = self.random.choice(("B=0", "PRINT T;B", "X=B"))
        rows.append(f"910 SUB S(A,B)::T=T+1::A=A+T+B::{more}::SUBEND")
        rows.append(
            f"920 SUB V(R(),N,Z)::R(N)=R(N)+1.5::Z=Z+R(N)::{more.replace('B', 'N')}::SUBEND"
        )
        rows.append('930 SUB W(A$,B$)::C$=C$&"."::A$=A$&B$&C$::B$="("&A$::SUBEND')
        rows.append("940 SUB U(R$(),A$)::R$(1)=R$(2)&A$::A$=R$(0)&R$(1)::SUBEND")
        listing = "\n".join(rows) + "\n"
        there = {row.split()[0] for row in rows}
        for line in sorted({n for n in map(str, range(112, 260, 10)) if n not in there}):
            listing = listing.replace(f" THEN {line}\n", f" THEN {int(line) - 2}\n")
        return listing
