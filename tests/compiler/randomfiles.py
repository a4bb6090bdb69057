"""Random programs that use files: their errors are shown by a handler, and the program goes on."""

from __future__ import annotations

from random import Random

_NAMES = {1: ("DSK1.A", "DSK1.IN"), 2: ("DSK1.B", "DSK1.FIX"), 3: ("DSK1.C", "DSK2.D", "NOWHERE")}
"""Number → names: two of one file are not recorded well enough."""
_MODES = ("", ",INPUT", ",OUTPUT", ",UPDATE", ",APPEND")
_KINDS = ("", "", ",INTERNAL", ",DISPLAY")
_SOUND = {
    1: (
        *('"DSK1.A",OUTPUT', '"DSK1.A",UPDATE,INTERNAL,FIXED 40'),
        *('"DSK1.IN",INPUT', '"DSK1.IN",UPDATE', '"DSK1.IN",APPEND'),
    ),
    2: ('"DSK1.B",VARIABLE 30', '"DSK1.B",RELATIVE', '"DSK1.FIX",RELATIVE,INTERNAL'),
    3: ('"DSK1.C",OUTPUT,VARIABLE 20',),
}
"""Number → files that can be opened, as long as they have the same form."""
_ITEMS = ("X", "A$", "STR$(X)", '"TEXT"', "X/3", "I", '"A,B"', 'RPT$("LONG ",I)', '""', "-1.5E20")
_SEPARATORS = (";", ",", ":", ";", ",", ";TAB(I*7);")
_HANDLER = (
    "900 ON ERROR 900 :: CALL ERR(E,K,S,L):: PRINT E;K;S;L",
    "910 N=N+1 :: IF N>40 THEN STOP ELSE RETURN NEXT",
)


class FileMaker:
    """Makes a program by a seed."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(f"files {seed}")

    def program(self) -> str:
        """Its listing."""
        rng = self._rng
        body = [self._open(number) for number in (1, 2)]
        body += [self._statement() for _ in range(rng.randrange(10, 26))]
        lines = ["100 ON ERROR 900 :: X=12.25 :: I=2 :: F=1"]
        lines += [f"{110 + 10 * at} {text}" for at, text in enumerate(body)]
        lines.append(f"890 {rng.choice(('END', 'A=SQR(0)', 'CLOSE #2'))} :: STOP")
        return "\n".join((*lines, *_HANDLER)) + "\n"

    def _open(self, number: int) -> str:
        rng = self._rng
        if rng.random() < 0.7:
            return f"OPEN #{number}:{rng.choice(_SOUND[number])}"
        form = rng.choice(
            (*("", ",VARIABLE 30", ",FIXED", ",FIXED 40", ",RELATIVE"), ",RELATIVE 5")
        )
        name = rng.choice(_NAMES[number])
        return f'OPEN #{number}:"{name}"{rng.choice(_MODES)}{rng.choice(_KINDS)}{form}'

    def _number(self) -> str:
        return self._rng.choice(("1", "2", "1", "2", "1", "2", "F", "3"))

    def _file(self) -> str:
        rng = self._rng
        return self._number() + (f",REC {rng.randrange(4)}" if rng.random() < 0.25 else "")

    def _statement(self) -> str:
        rng = self._rng
        match rng.randrange(16):
            case 0 | 1:
                number = rng.choice((1, 2))
                return f"CLOSE #{number} :: {self._open(number)}"
            case 9:
                return self._open(rng.choice((1, 2, 3)))
            case 10:
                return f"CLOSE #{self._number()}{rng.choice(('', '', '', ':DELETE'))}"
            case 2:
                return f"RESTORE #{self._file()}"
            case 3:
                return f"PRINT EOF({self._number()});REC({self._number()})"
            case 4 | 5:
                targets = rng.choice(("A$", "A$,Y", "Y", "B$(I),A$", "Y,Z(I)", "A$,"))
                return f"INPUT #{self._file()}:{targets} :: PRINT A$;Y;B$(2);Z(2)"
            case 6:
                return f"LINPUT #{self._file()}:A$ :: PRINT A$"
            case 7:
                return rng.choice(('DELETE "DSK1.B"', "F=3-F", "I=I+1 :: X=X*-3", "X=I"))
            case 8:
                image = rng.choice(('"##.# <####>"', '"NO FIELD"', 'A$&"###"'))
                return f"PRINT #{self._file()},USING {image}:{rng.choice(('X', 'X,I', 'A$,X'))}"
            case _:
                return f"PRINT #{self._file()}:{self._items()}"

    def _items(self) -> str:
        rng = self._rng
        made = rng.choice(_ITEMS)
        for _ in range(rng.randrange(4)):
            made += rng.choice(_SEPARATORS) + rng.choice(_ITEMS)
        return made + rng.choice(("", "", "", ";", ","))
