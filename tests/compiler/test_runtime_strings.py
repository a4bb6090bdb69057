"""The texts of variables in video memory: assigned, compared, collected, and MEMORY FULL."""

from itertools import product
from random import Random

import pytest

from tests.compiler.runtimeparts import Part
from ti99tools.computer.interp.run.library import order

VARIABLES = tuple(range(0x3D00, 0x3D10, 2))
TEXT, CONSTANT = 0x3000, 0xF000
HEAP, TOP = 0x0958, 0x8370
"""Where texts begin in video memory; the cell that says where it ends."""
BESIDE = 4
"""Bytes of a text's variable and length, and the one after it."""
ROOM = 180


class Strings(Part):
    """Variables that hold texts, in so many bytes of video memory."""

    def __init__(self, room: int = ROOM) -> None:
        super().__init__("STRSET", "HFETCH", "SCMP", "SMOVE", "TPART", "SCHAR", "SLEN", "SASC")
        self.bus.load_word(TOP, HEAP + room - 1)

    def give(self, variable: int, text: str) -> bool:
        """Assign a text; tell whether there was room."""
        self.bus.load(TEXT, text.encode("latin-1"))
        return not self.fails("STRSET", r1=TEXT, r2=len(text), r3=variable, r9=TEXT + 256)

    def held(self, variable: int) -> str:
        """What a variable holds."""
        reply = self.call("HFETCH", r0=self.bus.word_at(variable), r9=TEXT)
        return bytes(self.bus.bytes_at(reply[1], reply[2])).decode("latin-1")

    def handle(self, text: str, at: int, constant: bool) -> int:
        """The handle of a text: of a constant, or of the `at`th variable to which it is given."""
        if constant:
            address = CONSTANT + 256 * at
            self.bus.load(address, bytes((len(text),)) + text.encode("latin-1"))
            return address
        assert self.give(VARIABLES[at], text)
        return self.bus.word_at(VARIABLES[at])


def test_texts_stay_what_they_are_while_memory_is_collected() -> None:
    part, random = Strings(), Random(5)
    held = dict.fromkeys(VARIABLES, "")
    refused = 0
    for _ in range(120):
        variable, size = random.choice(VARIABLES), random.choice((0, 1, 2, 9, 30, 60))
        text = "".join(random.choices("ABC\xff", k=size))
        taken = sum(len(one) + BESIDE for one in held.values() if len(one) > 1)
        if part.give(variable, text):
            held[variable] = text
        else:
            refused += 1
            assert taken + size + BESIDE > ROOM, "there was room"
        assert {one: part.held(one) for one in VARIABLES} == held
    assert 10 < refused < 80


def test_the_last_byte_of_memory_is_used() -> None:
    part = Strings(2 * (BESIDE + 40))
    assert part.give(VARIABLES[0], "A" * 40)
    assert part.give(VARIABLES[1], "B" * 40)
    assert not part.give(VARIABLES[2], "CC")
    assert part.give(VARIABLES[2], "C"), "a single character takes no memory"


def test_a_text_of_the_same_length_needs_room_too() -> None:
    """In Extended BASIC the old one goes when the new one is there."""
    part = Strings()
    assert part.give(VARIABLES[0], "A" * 100)
    assert not part.give(VARIABLES[0], "B" * 100)
    assert part.held(VARIABLES[0]) == "A" * 100
    assert part.give(VARIABLES[0], "B" * 40)
    assert part.give(VARIABLES[0], "C" * 40)
    assert part.held(VARIABLES[0]) == "C" * 40


def test_a_text_that_moves_to_another_variable_is_collected_there() -> None:
    part = Strings()
    part.give(VARIABLES[0], "GONE" * 10)
    part.give(VARIABLES[1], "STAYS")
    part.enter("SMOVE", r1=VARIABLES[1], r2=VARIABLES[2])
    part.give(VARIABLES[0], "")
    assert part.give(VARIABLES[3], "X" * 160)
    assert part.held(VARIABLES[1]) == ""
    assert part.held(VARIABLES[2]) == "STAYS"


TEXTS = ("", "A", "B", "AB", "ABC", "\xc1", "A\xff", "ABD")


@pytest.mark.parametrize("constant", [True, False])
def test_compared_as_in_basic(constant: bool) -> None:
    part = Strings()
    for first, second in product(TEXTS, repeat=2):
        handles = part.handle(first, 0, constant), part.handle(second, 1, False)
        part.bus.load_word(part.address("TSECND"), handles[1])
        found = [part.enter(entry, r0=handles[0])[0] for entry in ("SCMP", "SEQL")]
        assert found[0] == order(first, second) & 0xFFFF, (first, second)
        assert (found[1] == 0) == (first == second), (first, second)


@pytest.mark.parametrize("constant", [True, False])
def test_parts_of_texts(constant: bool) -> None:
    part = Strings()
    second = part.address("TSECND")
    for text in ("HELLO", "HI", "A"):
        handle = part.handle(text, 0, constant)
        assert part.enter("SLEN", r0=handle)[0] == len(text)
        assert part.enter("SASC", r0=handle)[0] == ord(text[0])
        for start, length in product((1, 2, 3, 6, 300), (0, 1, 2, 32767)):
            part.bus.load_word(second, length)
            part.bus.load_word(0x838C + 18, TEXT)
            part.bus.load_word(part.address("TBASE"), handle)
            part.enter("TPART", r0=start)
            end = part.bus.word_at(0x838C + 18)
            output = bytes(part.bus.bytes_at(TEXT, end - TEXT)).decode()
            assert output == text[start - 1 : start - 1 + length]
            part.bus.load_word(second, handle)
            one = text[start - 1 : start]
            assert part.enter("SCHAR", r0=start)[0] == (0x100 + ord(one) if one else 0)
