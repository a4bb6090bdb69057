"""The items of a line typed for INPUT: what compiled programs make of it, and our console."""

from random import Random

import pytest

from tests.compiler.runtimeparts import RUNTIME_WORKSPACE, Part
from ti99tools.base.xberrors import INPUT_ERROR, NUMERIC_OVERFLOW
from ti99tools.computer.interp.io.lineeditor import BadLine, input_values
from ti99tools.computer.numbers.forms import from_bytes

KINDS, CELL = 0x3000, 0x3F00
PIECES = (*'12.5,,,"""  AB-E', "1E200", " 7 ", '"X"', '"A,B"', ',"', '",', '""')
TEXT = 0x3200


class Input(Part):
    """A line and the kinds of the variables that it is for."""

    def __init__(self) -> None:
        super().__init__("INPUT", "INNUM", "INTXT")

    def takes(self, line: str, strings: list[bool]) -> int:
        """Split and test a line; 0 if it is good, else the warning, with 1000 if it is early."""
        buffer = self.address("INBUF")
        self.bus.load(buffer + 1, line.encode())
        kinds = "\0" + "".join("NS"[string] for string in strings)
        self.bus.load(KINDS, bytes((len(kinds),)) + kinds.encode())
        self.bus.load_word(self.address("INKIND"), KINDS)
        if not self.skips("INSPLT", r4=buffer + 1 + len(line)):
            return 1000 + INPUT_ERROR
        count = self.bus.word_at(RUNTIME_WORKSPACE + 12)
        if self.skips("INTEST", r6=count):
            return 0
        address = self.bus.word_at(RUNTIME_WORKSPACE + 24)
        return {self.address("M83"): INPUT_ERROR, self.address("M10"): NUMERIC_OVERFLOW}[address]

    def values(self, strings: list[bool]) -> list[object]:
        """The values, one after the other."""
        self.bus.load_word(self.address("INPTR"), self.address("INBUF"))
        return [self._text() if string else self._number() for string in strings]

    def _number(self) -> object:
        self.enter("INNUM", CELL)
        kept = self.bus.bytes_at(CELL, 8)
        small = int.from_bytes(kept[2:4], "big", signed=True)
        return from_bytes(kept) if any(kept[:2]) else small

    def _text(self) -> str:
        self.bus.load_word(RUNTIME_WORKSPACE + 18, TEXT)
        self.enter("INTXT")
        end = self.bus.word_at(RUNTIME_WORKSPACE + 18)
        return bytes(self.bus.bytes_at(TEXT, end - TEXT)).decode()


@pytest.mark.parametrize("seed", range(2))
def test_lines_are_taken_as_in_basic(seed: int) -> None:
    random, part = Random(seed), Input()
    good = 0
    for _ in range(150):
        line = "".join(random.choices(PIECES, k=random.randint(0, 5)))
        strings = random.choices((False, True), k=random.choice((1, 1, 2, 3)))
        try:
            expected = input_values(line, strings)
        except BadLine as bad:
            assert part.takes(line, strings) == bad.code + 1000 * bad.early, line
            continue
        assert part.takes(line, strings) == 0, line
        assert part.values(strings) == expected, line
        good += 1
    assert good > 15, "not all of them are refused"


def test_spaces_before_an_open_quote_do_not_hide_it() -> None:
    part = Input()
    assert part.takes(' "A', [True]) == 1000 + INPUT_ERROR
    with pytest.raises(BadLine):
        input_values(' "A', [True])
