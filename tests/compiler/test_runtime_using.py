"""USING in compiled programs against that of our console: random images and values."""

from random import Random

import pytest

from tests.compiler.runtimeparts import Part
from ti99tools.base.xberrors import XBError
from ti99tools.compiler.emit.sections import cell_bytes
from ti99tools.computer.interp.io.printer import next_field
from ti99tools.computer.numbers.forms import val
from ti99tools.computer.numbers.radix import Number

CELL, IMAGE, TEXT = 0x3F00, 0x3000, 0x3200
PIECES = ("#", "##", "###", "######", ".", ".", "+", "-", "^^^^", "^^^^^", "^^^", "A", " ", "")
NUMBERS = (
    "0 1 -1 7 12 99 100 -345 9999 32767 -32768 123456 9999999999 .5 -.5 .05 .001 -.001 .995 .0049 "
    "9.995 99.5 -99.96 3.14159265358979 1234.5678 999.9996 1E10 -1E20 9.99999E127 1E-5 -2.5E-100 "
    "123456.789 1E-127 -9.5E-128"
).split()


class Using(Part):
    """One image and its values."""

    def __init__(self) -> None:
        super().__init__("USING", "USNUM", "USSTR", "USEXP0")

    def begin(self, image: str) -> None:
        """Begin with an image."""
        self.bus.load(IMAGE, bytes((len(image),)) + image.encode())
        self.enter("USING", IMAGE, 1)

    def number(self, value: Number) -> str:
        """Put a number into the next field; the whole image then."""
        self.bus.load(CELL, cell_bytes(value))
        self.enter("USNUM", CELL)
        return self.image_now()

    def text(self, value: str) -> str:
        """Put a text into the next field; the whole image then."""
        marks = 0x3700
        self.bus.load(TEXT, value.encode())
        self.bus.load_word(marks, TEXT)
        for register, word in ((8, marks + 2), (9, TEXT + len(value))):
            self.bus.load_word(0x838C + 2 * register, word)
        self.enter("USSTR")
        return self.image_now()

    def image_now(self) -> str:
        """The image with what has been put into it."""
        end = self.bus.word_at(self.address("USSTOP"))
        return bytes(self.bus.bytes_at(self.address("USBUF"), end - self.address("USBUF"))).decode()


def images(random: Random) -> str:
    """A random image with a field."""
    while True:
        image = "".join(random.choices(PIECES, k=random.randint(1, 7)))
        if next_field(image, 0) is not None:
            return image


@pytest.mark.parametrize("seed", range(3))
def test_values_in_fields_are_those_of_basic(seed: int) -> None:
    random, part = Random(seed), Using()
    for _ in range(60):
        image = images(random)
        field = next_field(image, 0)
        assert field is not None
        part.begin(image)
        if random.random() < 0.2:
            word = "ABCDEFGH"[: random.randint(0, 8)]
            expected, found = field.string(word), part.text(word)
            value = word
        else:
            value = random.choice(NUMBERS)
            try:
                expected = field.number(val(value))
            except XBError:
                continue
            found = part.number(val(value))
        assert found == image[: field.start] + expected + image[field.end :], (image, value)


@pytest.mark.parametrize(
    ("image", "refused"),
    [("#" * 14, False), ("#" * 15, True), ("#####.#####^^^^", False), ("######.#####^^^^", True)],
)
def test_a_field_may_have_too_many_places(image: str, refused: bool) -> None:
    part = Using()
    part.begin(image)
    part.bus.load(CELL, cell_bytes(1))
    assert part.ends("USNUM", CELL) == refused
