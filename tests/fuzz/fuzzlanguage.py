"""Random programs that reach the whole language: screen, sprites, sound, files, input, errors.

They grow from the rules of `fuzzgrammar`. The last lines of most of them wait for a key: the end of
a program resets colours and sprites, so these are looked at before it and after it.
"""

from __future__ import annotations

from random import Random

from tests.fuzz.fuzzgrammar import Maker

DISK = {
    "IN": {
        "type": "DIS/VAR",
        "recl": 80,
        "records": ["4c494e45204f4e45", "312c322c33", "22412c42222c35", "202d372e35453320", ""],
    },
    "IV": {
        "type": "INT/VAR",
        "recl": 80,
        "records": ["03414243084005000000000000", "0141"],
    },
    "DF": {
        "type": "DIS/FIX",
        "recl": 20,
        "records": [text.ljust(20).encode().hex() for text in ("REC0", "12,X", "REC2")],
    },
}
"""Files that a program with files finds on its disk."""
IMAGES = ("##.##", "###", "#.##^^^^", "TOTAL ##", "-##.#", "####.## <#####>", "##^^^^^", "##.", "#")
TEXT_PATTERNS = ('"00"', '"FF818181818181FF"', '"F"', "A$", "B$", 'RPT$("AA55",9)', '"XYZ"')
TYPED = ("5", "-7.5", "HELLO", "", "1,2", '"A,B"', "1E200", "X", "12345678901234567890", "YES")
CONTROLS = ("LEFT", "RIGHT", "DEL", "INS", "ERASE", "UP", "DOWN")
TOPICS = ("screen", "display", "print", "sprites", "sound", "files", "input", "errors", "odd")
IMAGE_LINES = range(7000, 7003)
MARK = "@@"
"""At the end of the first row it shows that a program waits for a key before its end."""


def key_lines(number: int) -> list[str]:
    """Lines that wait for a key: the end resets colours and sprites."""
    return [
        f"{number} CALL HCHAR(1,31,64,2)",
        f"{number + 1} CALL KEY(0,K9,S9)::IF S9=0 THEN {number + 1}",
    ]


class Speaker(Maker):
    """Makes one program about the given topics (all of them if none is given)."""

    def __init__(self, rng: Random, topics: tuple[str, ...] = ()) -> None:
        super().__init__(rng)
        self.topics = topics or TOPICS
        self.share = rng.choice((0.3, 0.6, 0.9))

    def near(self, low: int, high: int) -> str:
        """A number of a range, seldom at its ends or beyond, or an expression."""
        if self.rng.random() < 0.08:
            return self.value(1)
        if self.rng.random() < 0.1:
            return self.pick(str(low), str(high), str(low - 1), str(high + 1), f"{low}.5")
        return str(self.rng.randint(low, high))

    def simple(self) -> str:
        """A statement of a topic, or of the plain language."""
        if self.rng.random() > self.share:
            return super().simple()
        statement: str = getattr(self, self.rng.choice(self.topics))()
        return statement

    def screen(self) -> str:
        row, column = self.near(1, 24), self.near(1, 32)
        again = self.pick("", f",{self.near(1, 40)}")
        code = self.near(32, 143)
        return self.pick(
            f"CALL HCHAR({row},{column},{code}{again})",
            f"CALL VCHAR({row},{column},{code}{again})",
            f"CALL GCHAR({row},{column},{self.pick('A', 'N(1)')})",
            "CALL CLEAR",
            f"CALL SCREEN({self.near(1, 16)})",
            f"CALL COLOR({self.near(0, 14)},{self.near(1, 16)},{self.near(1, 16)})",
            f"CALL CHAR({code},{self.pick(*TEXT_PATTERNS)})",
            f"CALL CHARPAT({code},{self.pick('A$', 'S$(1)')})",
            "CALL CHARSET",
        )

    def display(self) -> str:
        options = [
            self.pick("", f" AT({self.near(1, 24)},{self.near(1, 28)})"),
            self.pick("", "", " BEEP"),
            self.pick("", "", f" SIZE({self.near(-10, 28)})"),
            self.pick("", "", "", " ERASE ALL"),
        ]
        self.rng.shuffle(options)
        chosen = "".join(options)
        if self.rng.random() < 0.25:
            return f"DISPLAY{chosen}{':' if chosen else ' '}{self.using()}"
        return f"DISPLAY{chosen}{':' if chosen else ' '}{self.items()}"

    def using(self) -> str:
        form = self.pick(*(f'"{image}"' for image in IMAGES), *map(str, IMAGE_LINES), "A$")
        values = (self.value(1), self.text(1), self.pick(".037", "9.995", "-.5", "1234567"))
        parts = [self.pick(*values) for _ in range(self.rng.randint(1, 3))]
        return f"USING {form}:{','.join(parts)}{self.pick('', '', ';')}"

    def print(self) -> str:
        return self.pick(
            f"PRINT {self.using()}",
            f"PRINT TAB({self.near(1, 28)});{self.items()}",
            f"PRINT {self.items()},{self.items()}",
            f"PRINT {self.text(2)};:{self.value(2)}:",
            "PRINT",
            "PRINT ::",
        ).removesuffix("::")

    def sprites(self) -> str:
        number, other = (f"#{self.near(1, 28)}" for _ in "ab")
        place = f"{self.near(1, 256)},{self.near(1, 256)}"
        speed = self.pick("", "", "", ",0,0", f",{self.near(-20, 20)},{self.near(-20, 20)}")
        return self.pick(
            f"CALL SPRITE({number},{self.near(32, 143)},{self.near(1, 16)},{place}{speed})",
            f"CALL SPRITE({number},65,2,{place},{other},66,7,{place})",
            f"CALL LOCATE({number},{place})",
            f"CALL PATTERN({number},{self.near(32, 143)})",
            f"CALL COLOR({number},{self.near(1, 16)})",
            f"CALL MAGNIFY({self.near(1, 4)})",
            f"CALL POSITION({number},A,B)",
            f"CALL DISTANCE({number},{other},C)",
            f"CALL COINC({number},{other},{self.near(0, 20)},C)",
            f"CALL COINC({number},{place},{self.near(0, 20)},C)",
            f"CALL DELSPRITE({self.pick(number, 'ALL', f'{number},{other}')})",
        )

    def sound(self) -> str:
        tones = ",".join(
            f"{self.near(110, 3000)},{self.near(0, 30)}" for _ in range(self.rng.randint(1, 3))
        )
        noise = self.pick("", "", f",{self.near(-8, -1)},{self.near(0, 30)}")
        duration = self.pick(self.near(20, 400), f"-{self.near(20, 400)}")
        return self.pick(
            f"CALL SOUND({duration},{tones}{noise})",
            f"CALL SOUND({duration},{self.near(-8, -1)},{self.near(0, 30)})",
            'CALL SAY("HELLO")',
            'CALL SPGET("A",A$)',
        )

    def files(self) -> str:
        file = f"#{self.pick('1', '2', '3')}"
        name = self.pick("IN", "IV", "DF", "OUT", "O2", "NOPE")
        organised = self.pick("", "", ",INTERNAL", ",DISPLAY", ",RELATIVE", ",SEQUENTIAL")
        mode = self.pick("", ",INPUT", ",OUTPUT", ",UPDATE", ",APPEND")
        length = self.pick("", "", ",FIXED", ",FIXED 20", ",VARIABLE 80", ",VARIABLE")
        record = self.pick("", "", "", f",REC {self.near(0, 6)}")
        return self.pick(
            f'OPEN {file}:"DSK1.{name}"{organised}{mode}{length}',
            f'OPEN {file}:"DSK1.{name}"{organised}{mode}{length}',
            f"PRINT {file}{record}:{self.items()}",
            f"PRINT {file}{record}:{self.items()}",
            f"PRINT {file},{self.using()}",
            f"INPUT {file}{record}:{self.pick('A', 'A$', 'A$,B', 'A,B', 'S$(1),N(2)')}",
            f"INPUT {file}{record}:{self.pick('A$,', 'A,')}",
            f"LINPUT {file}{record}:{self.pick('A$', 'B$')}",
            f"RESTORE {file}{record}",
            f"CLOSE {file}{self.pick('', '', '', ':DELETE')}",
            f'DELETE "DSK1.{name}"',
            f"A=EOF({file[1]})",
            f"B=REC({file[1]})",
        )

    def input(self) -> str:
        kinds = self.pick("DIGIT", "NUMERIC", "UALPHA", '"YN"', 'DIGIT,"-"')
        options = [
            self.pick(f" AT({self.near(1, 24)},{self.near(1, 20)})", ""),
            self.pick("", f" SIZE({self.pick('', '-')}{self.near(1, 12)})"),
            self.pick("", f" VALIDATE({kinds})"),
            self.pick("", "", " BEEP"),
            self.pick("", "", "", " ERASE ALL"),
        ]
        chosen = "".join(options)
        target = self.pick("A", "A$", "B$", "N(1)")
        prompt = self.pick("", '"NAME? ":', "A$:", '"":')
        return self.pick(
            f"ACCEPT{chosen}{':' if chosen else ' '}{target}",
            f"ACCEPT{chosen}{':' if chosen else ' '}{target}",
            f"INPUT {prompt}{self.pick('A', 'A$', 'A,B', 'A$,B$', 'A,B$')}",
            f"LINPUT {prompt}{self.pick('A$', 'B$')}",
        )

    def errors(self) -> str:
        return self.pick(
            "ON WARNING PRINT",
            "ON WARNING NEXT",
            "ON WARNING STOP",
            "ON ERROR STOP",
            "ON ERROR 9000",
            "ON BREAK NEXT",
            "ON BREAK STOP",
            "CALL ERR(A,B,C,X)",
            "CALL ERR(A,B)",
            f"UNBREAK {self.number - 10}",
            "UNBREAK",
            "TRACE",
            "UNTRACE",
            f"A=SQR({self.value(0)})",
            f"A={self.value(0)}^{self.value(0)}",
            f"A=VAL({self.text(0)})",
            f"A=LOG({self.value(0)})",
            f"A=ASC({self.text(0)})",
        )

    def odd(self) -> str:
        return self.pick(
            "CALL KEY(0,K,S)",
            "CALL KEY(3,K,S)",
            f"CALL KEY({self.near(0, 5)},K,S)",
            f"CALL JOYST({self.near(1, 4)},X,Y)",
            "CALL VERSION(A)",
            "CALL INIT",
            "CALL LOAD(10000,1,2)",
            "CALL PEEK(10000,A,B)",
            "RANDOMIZE",
            "RANDOMIZE 7",
            f"ON {self.near(1, 3)} GOTO {self.number + 10},{self.number + 10}",
            f"LET {self.pick(*'ABC')}={self.value(1)}",
            "RESTORE 8010",
            "! REMARK",
            "REM",
        )

    def program(self) -> list[str]:
        """The lines of the program."""
        lines = super().program()
        rng = self.rng
        lines += [f"{number} IMAGE {rng.choice(IMAGES)}" for number in IMAGE_LINES]
        if rng.random() < 0.7:
            lines += [*key_lines(4902), "4905 PRINT K9"]
        return lines


def subject(rng: Random, topic: str) -> list[str]:
    """Many short statements of one topic, all of which run whatever errors they meet."""
    speaker = Speaker(rng, (topic,))
    lines = ["90 ON ERROR 900", "95 DIM N(8),M(3,4),S$(9)", "96 DEF F(X)=X*2"]
    lines.append("97 DEF G(Q)=Q-1")
    for number in range(100, 100 + 10 * rng.randint(5, 18), 10):
        speaker.number = number
        statement = getattr(speaker, topic)()
        lines.append(f"{number} {statement}")
    if topic in ("screen", "sprites"):
        lines += key_lines(880)
    return [
        *lines,
        "890 STOP",
        "900 ON ERROR 900::CALL ERR(E1,E2,E3,E4)::PRINT E1;E4",
        "910 N9=N9+1::IF N9>14 THEN STOP ELSE RETURN NEXT",
        *(f"{number} IMAGE {rng.choice(IMAGES)}" for number in IMAGE_LINES),
    ]


def whole_language(rng: Random) -> list[str]:
    """A program of a few topics."""
    topics = tuple(rng.sample(TOPICS, rng.randint(1, 4)))
    lines = Speaker(rng, topics).program()
    return sorted(lines, key=lambda line: int(line.partition(" ")[0]))
