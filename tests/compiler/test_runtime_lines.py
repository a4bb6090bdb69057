"""The line editor of compiled programs against that of our console, with random keys."""

from random import Random

import pytest

from tests.compiler.runtimeparts import Part
from ti99tools.computer.interp.io.lineeditor import BoxField, InputField, LineEditor, LineField
from ti99tools.hardware.machine.machine import Machine

TEXT = 0x3000
VALIDATED = frozenset(b"ABC1")
KEYS = (*"AAB1CXYZ ", "LEFT", "LEFT", "LEFT", "RIGHT", "RIGHT", "INS", "INS", "DEL", "DEL", "ERASE")


JMP = 0x1000


class Line(Part):
    """A field in the runtime's own memory."""

    def __init__(self) -> None:
        super().__init__("EDGES", "EDIT", "EDTEXT")
        self.bus.load_word(self.address("LINES"), 0xFFFF)
        # No interrupt ends a tone here: nothing waits for that.
        wait, after = self.address("EDTYP0"), self.address("EDTYPH")
        self.bus.load_word(wait, JMP + (after - wait) // 2 - 1)

    def set(self, name: str, value: int) -> None:
        """Set a word of the runtime."""
        self.bus.load_word(self.address(name), value)

    def field(self, top: int, column: int, size: int, length: int, validated: bool) -> None:
        """Prepare a field."""
        names = ("EDTOP", "EDCOL", "EDSIZ", "EDLEN", "EDVAL")
        for name, value in zip(names, (top, column, size, length, validated), strict=True):
            self.set(name, value)
        bits = sum(1 << (255 - code) for code in VALIDATED)
        self.bus.load(self.address("EDSET"), bits.to_bytes(32, "big"))


def fill(machine: Machine) -> None:
    """Put something onto the screen that typing may uncover."""
    for at in range(768):
        machine.screen.put(*divmod(at, 32), 0x61 + at % 20)


def press(machine: Machine, keys: list[str]) -> None:
    """Queue keys, and ENTER after them."""
    for key in [*keys, "ENTER"]:
        machine.keyboard.press(key, 1, 1)


def tones(machine: Machine) -> bytes:
    """What the sound chip got, without the ends of tones: time decides whether they come."""
    return bytes(machine.sound.written).replace(b"\x9f", b"")


def expected(keys: list[str], field: InputField, machine: Machine, length: int, some: bool) -> str:
    """Type on our console; the text."""
    allowed = VALIDATED.__contains__ if some else None
    editor = LineEditor(
        machine.screen, machine.keyboard, machine.sound, field, length=length, allowed=allowed
    )
    press(machine, keys)
    editor.run()
    return editor.text


@pytest.mark.parametrize("seed", range(8))
def test_the_editor_does_with_every_key_what_basic_does(seed: int) -> None:
    random = Random(seed)
    keys = random.choices(KEYS, k=14)
    column, some = random.choice((0, 3, 20, 27)), seed % 3 == 0
    basic, part = Machine(), Line()
    ours = part.console.machine
    fill(basic)
    fill(ours)
    if seed % 2:  # in rows that follow: at the bottom they scroll in
        row, size, length = 23, 140 - column, 0
        field: InputField = LineField(basic.screen, column)
    else:
        row, size = 10, min(random.choice((1, 4, 9)), 28 - column)
        length = random.choice((0, size))
        field = BoxField(row, column, size)
    part.field(32 * row + 2, column, size, length, some)
    text = expected(keys, field, basic, length, some)
    press(ours, keys)
    part.call("EDIT", r14=0xA000)
    end = part.call("EDTEXT", r9=TEXT)[9]
    assert bytes(part.bus.bytes_at(TEXT, end - TEXT)).decode() == text, keys
    assert ours.screen.codes == basic.screen.codes
    assert tones(ours) == tones(basic)
