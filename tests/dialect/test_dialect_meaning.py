"""What a structured source means is kept: random programs against the same program in Python.

Each program is nested IF, SELECT CASE, WHILE, REPEAT and FOR blocks with EXIT that print numbers,
with GOSUBs and calls of PROCs; the console runs the generated listing, packed and not, and must
print what Python prints.
"""

import random

import pytest

from tests.dialect.dialectrun import printed_rows
from ti99tools import Console, DiskImage, Program
from ti99tools.language.dialect import generate

NAMES = "ABC"
RELATIONS = {"=": "==", "<>": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}


class Writer:
    """Writes one random program in both languages at once."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.basic: list[str] = []
        self.python: list[str] = []
        self.counters = 0

    def line(self, depth: int, basic: str, python: str | None = None) -> None:
        """The same statement in both; a Python text of None leaves it out there."""
        self.basic.append("  " * depth + basic)
        if python is not None:
            self.python.append("    " * (depth + 1) + python)

    def condition(self) -> tuple[str, str]:
        name, other = self.random.choices(NAMES, k=2)
        number = self.random.randint(0, 6)
        relation, same = self.random.choice(list(RELATIONS.items()))
        kind = self.random.randrange(5)
        if kind == 0:
            return name, f"{name} != 0"
        if kind == 1:
            return f"{name}{relation}{number} AND {other}<4", f"{name}{same}{number} and {other}<4"
        if kind == 2:
            return f"{name}{relation}{number} OR {other}=2", f"{name}{same}{number} or {other}==2"
        if kind == 3:
            return f"NOT {name}{relation}{number}", f"not {name}{same}{number}"
        return f"{name}{relation}{other}+{number}", f"{name}{same}{other}+{number}"

    def body(self, depth: int, loop: str | None) -> None:
        for _ in range(self.random.randint(1, 4)):
            self.statement(depth, loop)

    def select(self, depth: int, loop: str | None) -> None:
        chosen = self.random.choice(("A", "B", "C", "A+B", "C*2"))
        self.line(depth, f"SELECT CASE {chosen}", f"chosen{depth}={chosen}")
        word = "if"
        for _ in range(self.random.randint(1, 3)):
            low, high = sorted(self.random.choices(range(8), k=2))
            basic, python = self.random.choice(
                (
                    (f"{low}", f"x=={low}"),
                    (f"{low},{high}", f"x in ({low},{high})"),
                    (f"{low} TO {high}", f"{low}<=x<={high}"),
                    (f"IS>{high},{low}", f"x>{high} or x=={low}"),
                    (f"{low} TO {high},9,IS<1", f"{low}<=x<={high} or x==9 or x<1"),
                )
            )
            self.line(depth, f"CASE {basic}", f"{word} {python.replace('x', f'chosen{depth}')}:")
            self.body(depth + 1, loop)
            word = "elif"
        if self.random.random() < 0.5:
            self.line(depth, "CASE ELSE", "else:")
            self.body(depth + 1, loop)
        self.line(depth, "END SELECT")

    def statement(self, depth: int, loop: str | None) -> None:
        kind = self.random.randrange(13 if depth < 4 and len(self.basic) < 100 else 5)
        name = self.random.choice(NAMES)
        if kind < 2:
            number = self.random.randint(0, 99999999)
            self.line(depth, f"PRINT #1:{number}", f"out.append({number})")
        elif kind == 2:
            self.line(depth, f"{name}={name}+1", f"{name}={name}+1")
        elif kind == 3:
            basic, python = self.condition()
            if loop is not None and self.random.random() < 0.5:
                self.line(depth, f"IF {basic} THEN EXIT", f"if {python}: break")
            else:
                self.line(depth, f"IF {basic} THEN {name}=0", f"if {python}: {name}=0")
        elif kind == 4:
            self.call(depth)
        elif kind < 8:
            self.block_if(depth, loop)
        elif kind > 10:
            self.select(depth, loop)
        else:
            self.loop(depth, ("WHILE", "REPEAT", "FOR")[kind - 8])

    def call(self, depth: int) -> None:
        """A GOSUB or a call of a PROC, alone or in a one-line IF."""
        calls = (
            ("GOSUB first", "out.append(1)"),
            (f"ON 1+({self.condition()[0]})*0 GOSUB first,second", "out.append(1)"),
            ("CALL SHOW(5)", "out.append(5)"),
            ("CALL TAKE(7,A)", "A=7"),
        )
        (basic, python), (other, meant) = self.random.choices(calls, k=2)
        if self.random.random() < 0.5:
            self.line(depth, basic, python)
            return
        condition, same = self.condition()
        self.line(depth, f"IF {condition} THEN {basic} ELSE {other}::B=B+1", f"if {same}: {python}")
        self.line(depth, "REM", "else:")
        self.line(depth + 1, "REM", meant)
        self.line(depth + 1, "REM", "B=B+1")

    def block_if(self, depth: int, loop: str | None) -> None:
        word = "if"
        for _ in range(self.random.choice((1, 1, 2, 3))):
            basic, python = self.condition()
            head = "IF" if word == "if" else "ELSEIF"
            self.line(depth, f"{head} {basic} THEN", f"{word} {python}:")
            self.body(depth + 1, loop)
            word = "elif"
        if self.random.random() < 0.5:
            self.line(depth, "ELSE", "else:")
            self.body(depth + 1, loop)
        self.line(depth, self.random.choice(("END IF", "ENDIF")))

    def loop(self, depth: int, kind: str) -> None:
        self.counters += 1
        counter = f"N{self.counters}"
        basic, python = self.condition()
        if kind == "FOR":
            top = self.random.randint(0, 3)
            self.line(depth, f"FOR {counter}=1 TO {top}", f"for {counter} in range(1,{top}+1):")
            self.line(depth + 1, f"PRINT #1:{counter}", f"out.append({counter})")
            self.body(depth + 1, "FOR")
            self.line(depth, f"NEXT {counter}")
            return
        # Every loop ends: a counter of its own sees to it.
        self.line(depth, f"{counter}=0", f"{counter}=0")
        if kind == "WHILE":
            self.line(depth, f"WHILE {basic}", f"while {python}:")
        else:
            self.line(depth, "REPEAT", "while True:")
        step = f"{counter}={counter}+1"
        self.line(depth + 1, step, step)
        self.line(depth + 1, f"IF {counter}>3 THEN EXIT", f"if {counter}>3: break")
        self.body(depth + 1, kind)
        if kind == "WHILE":
            self.line(depth, "END WHILE")
        else:
            self.line(depth, f"UNTIL {basic}")
            self.python.append("    " * (depth + 2) + f"if {python}: break")

    def both(self) -> tuple[str, str]:
        self.line(0, 'OPEN #1:"DSK1.OUT",OUTPUT')
        for _ in range(8):
            self.statement(0, None)
        for name in NAMES:
            self.line(0, f"PRINT #1:{name}", f"out.append({name})")
        self.line(0, "CLOSE #1\nEND")
        self.line(0, "first:\nPRINT #1:1\nRETURN\nsecond:\nPRINT #1:2\nRETURN")
        self.line(0, "PROC SHOW(X)\nPRINT #1:X\nEND PROC\nPROC TAKE(X,Y OUT)\nY=X\nEND PROC")
        header = "def run():\n    out=[]\n    A=B=C=0\n"
        return "\n".join(self.basic), header + "\n".join(self.python) + "\n    return out\n"


def console_prints(listing: str) -> list[int]:
    console = Console(disks={"DSK1": DiskImage.new("SSSD")})
    console.load(Program.from_listing(listing))
    assert console.run() == "ready", console.error
    image = console.machine.drives.images()["DSK1"]
    assert isinstance(image, DiskImage)
    return [int(record) for record in image.read("OUT").records]


@pytest.mark.parametrize("seed", range(30))
def test_the_console_does_what_the_blocks_say(seed: int) -> None:
    basic, python = Writer(seed).both()
    names: dict[str, object] = {}
    exec(python, names)
    run = names["run"]
    assert callable(run)
    wanted = run()
    for pack in (True, False):
        assert console_prints(generate(basic, pack=pack).text) == wanted, basic


def test_an_exit_is_followed_by_its_own_branch() -> None:
    source = """
FOR I=1 TO 4
  IF I=3 THEN EXIT::PRINT 1::EXIT FOR ELSE PRINT 2
  IF I>9 THEN PRINT 3 ELSE IF I=2 THEN EXIT FOR::PRINT 4
NEXT I
PRINT I
"""
    assert printed_rows(source) == ["2", "2", "2"]
