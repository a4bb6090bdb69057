"""Random programs that take lines of the keyboard and show values by images, and what is typed."""

from __future__ import annotations

from tests.compiler.randomprograms import NAMES, Maker

TEXTS = ("A$", "B$", "T$(I)", "T$(2)")
PIECES = ("#", "##", "###.##", "#.#", "-##", "+##.#", "##^^^^", "#.##^^^^^", " ", "A", "<", ":")
EDITING = ("LEFT", "LEFT", "RIGHT", "INS", "DEL", "ERASE")
ENDS = ("ENTER", "ENTER", "ENTER", "UP", "DOWN")
GOOD = ("ERASE", *"7\n", "ERASE", *"7,8\n", "ERASE", *"7,8,9\n")
"""Lines that every statement takes, one or the other, whatever is in its field."""


class LineMaker(Maker):
    """Makes a program of a seed, and the keys for it."""

    def target(self) -> str:
        """A numeric variable or element."""
        return self.random.choice((*NAMES, "P(I)", "P(3)"))

    def item(self) -> str:
        """A value for an image or a list."""
        r = self.random
        return r.choice((self.number(), self.number(), r.choice(NAMES), r.choice(TEXTS), '"XY"'))

    def image(self) -> str:
        """An image, which may have no field."""
        r = self.random
        return '"' + "".join(r.choices(PIECES, k=r.randint(1, 5))) + '"'

    def clauses(self, text: bool) -> str:
        """Clauses of ACCEPT; what a number has to have can be typed."""
        r = self.random
        found = []
        if r.random() < 0.7:
            found.append(f"AT({r.randint(1, 24)},{r.choice((1, 5, 20, 28))})")
        if r.random() < 0.6:
            found.append(f"SIZE({r.choice((1, 3, 9, 40, -4, -7))})")
        if r.random() < 0.5:
            words = ("UALPHA", '"XY"', "A$", "DIGIT,UALPHA") if text else ("DIGIT", "NUMERIC")
            found.append(f"VALIDATE({r.choice(words)})")
        found += [word for word in ("BEEP", "ERASE ALL") if r.random() < 0.15]
        r.shuffle(found)
        return " " + " ".join(found) + ":" if found else " "

    def asking(self) -> str:
        """A statement that takes a line."""
        r = self.random
        prompt = r.choice(("", "", '"? ":', '"N":', "A$:", '"":', 'RPT$("LONG ",6):'))
        match r.randint(0, 5):
            case 0:
                return f"INPUT {prompt}{self.target()}"
            case 1:
                found = [r.choice((self.target(), r.choice(TEXTS))) for _ in range(r.randint(2, 3))]
                return f"INPUT {prompt}{','.join(found)}"
            case 2:
                return f"LINPUT {prompt}{r.choice(TEXTS)}"
            case 3 | 4:
                return f"ACCEPT{self.clauses(True)}{r.choice(TEXTS)}"
            case _:
                return f"ACCEPT{self.clauses(False)}{self.target()}"

    def showing(self) -> str:
        """A statement that shows values."""
        r = self.random
        values = ",".join(self.item() for _ in range(r.randint(0, 3)))
        using = f"USING {self.image() if r.random() < 0.7 else 800}:{values}{r.choice(('', ';'))}"
        items = r.choice(";,:").join(self.item() for _ in range(r.randint(1, 3)))
        match r.randint(0, 4):
            case 0 | 1:
                return f"PRINT {using if values else self.item()}"
            case 2:
                place = f"AT({r.randint(1, 24)},{r.randint(1, 28)})"
                size = r.choice(("", f"SIZE({r.randint(1, 30)})", "SIZE(-4)"))
                return f"DISPLAY {place}{size}:{using if values else items}"
            case _:
                end = r.choice(("", ";", ",", ":"))
                return f"DISPLAY SIZE({r.choice((-3, r.randint(1, 30)))}):{items}{end}"

    def program(self) -> str:
        """The listing."""
        r = self.random
        wish = r.choice(("", "", "", "ON WARNING NEXT::", "ON WARNING STOP::", "ON ERROR 895::"))
        rows = [f'100 DIM P(5),T$(5)::{wish}A$="XYZ 1"::I=1']
        for n in range(110, 110 + 10 * r.randint(3, 7), 10):
            work = self.asking() if r.random() < 0.5 else self.showing()
            rows.append(f"{n} {r.choice((work, work, work, 'CALL S(X)'))}")
        rows.append(f"800 IMAGE {self.image()[1:-1]}")
        rows.append("890 PRINT A;B;C;D;X;Y;P(1);P(3):A$:B$:T$(1)&T$(2)::END")
        rows.append('895 PRINT "FAILED"::RETURN NEXT')
        rows.append(f"900 SUB S(A)::{self.asking()}")
        rows.append(f"910 {self.showing().replace('800', self.image())}")
        rows.append("920 SUBEND")
        return "\n".join(rows) + "\n"

    def keys(self) -> list[str]:
        """What is typed: anything, then lines that are taken."""
        r = self.random
        found: list[str] = []
        for _ in range(r.randint(2, 5)):
            for _ in range(r.randint(0, 9)):
                found.append(r.choice(EDITING) if r.random() < 0.2 else r.choice('1X2Y3,. "-E'))
            found.append(r.choice(ENDS))
        return [*found, *GOOD * 12]
