"""Rounds that are skipped: the same cycles, the same memory, and which rounds must be executed."""

from collections.abc import Hashable, Iterable

import pytest

from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.hardware.cpu import rounds as rounds_module
from ti99tools.hardware.cpu.bus import SOUND, Bus
from ti99tools.hardware.cpu.jit.compiled import CompiledProcessor
from ti99tools.hardware.cpu.processor import Processor
from ti99tools.hardware.cpu.rounds import Rounds

SCAN = 0x000E
HEAD = "       AORG >A000\n       LWPI >8300\n       LIMI 2\nLOOP   BL   @>000E\n"
END = "       JMP  LOOP\nOTHER  DATA 0\nPLACE  DATA >8400\n       END\n"
STANDS = {
    "a scan alone": "",
    "results are written again": "       LI   R1,5\n       MOV  R1,@OTHER\n       CLR  R1\n",
    "a call": "       BL   @SUB\n       JMP  LOOP\nSUB    MOV  R11,R5\n       B    *R5\n",
    "a context switch": (
        "       BLWP @VECTOR\n       JMP  LOOP\nVECTOR DATA >8320,IN\nIN     STWP R1\n       RTWP\n"
    ),
    "a loop within": "       LI   R2,9\nWITHIN DEC  R2\n       JNE  WITHIN\n",
    "bytes": "       MOVB @OTHER,R3\n       SWPB R3\n       SWPB R3\n",
}
GOES_ON = {
    "a count": "       INC  R1\n",
    "a count in memory": "       INC  @OTHER\n",
    "a byte": "       AB   @LOOP,@OTHER\n",
    "a port": "       MOVB R1,@>8400\n",
    "a port by its address": "       MOV  @PLACE,R4\n       MOVB R1,*R4\n",
    "a port that is read": "       MOVB @>8802,R1\n",
    "a bit of CRU": "       CLR  R12\n       SBO  3\n",
    "another trap": "       BL   @>0020\n",
    "code that changes itself": "       INC  @CHANGE+2\nCHANGE LI   R5,0\n",
}


class Room:
    """What is outside of a processor: scans, which find nothing."""

    def __init__(self) -> None:
        self.standing: Hashable | None = ()
        self.scans = 0
        self.written: list[tuple[int, int]] = []

    @property
    def counts(self) -> tuple[int, ...]:
        return (self.scans,)

    def count(self, more: Iterable[int]) -> None:
        (scans,) = more
        self.scans += scans

    def scan(self, cpu: Processor) -> None:
        self.scans += 1
        cpu.bus.load(0x8375, (0xFF,))
        cpu.bus.cycles += 300
        cpu.pc = cpu.bus.word_at(cpu.at(11))

    def back(self, cpu: Processor) -> None:
        cpu.pc = cpu.bus.word_at(cpu.at(11))

    def read(self, _: int) -> int:
        return 0

    def write(self, address: int, value: int) -> None:
        self.written.append((address, value))


class Machine:
    """A processor with a program, in a room."""

    def __init__(self, body: str) -> None:
        self.room, self.bus = Room(), Bus()
        self.bus.connect(SOUND, self.room)
        self.cpu = CompiledProcessor(self.bus)
        image = assemble(HEAD + body + END).image()
        self.bus.load(image.address, image.data)
        self.rounds = Rounds(self.cpu, self.room)
        self.cpu.traps[SCAN] = self.rounds.from_trap(self.room.scan)
        self.cpu.traps[0x0020] = self.room.back
        self.cpu.pc = image.address

    def after(self, *cycles: int) -> list[object]:
        """What is there after some times."""
        return [self._at(each) for each in cycles]

    def _at(self, cycles: int) -> object:
        self.cpu.run(cycles)
        cpu, bus = self.cpu, self.bus
        registers = cpu.pc, cpu.wp, cpu.st, bus.cycles
        return registers, [*bus.words], self.room.scans, [*self.room.written]


TIMES = (20_001, 70_000, 70_001, 70_300, 123_456, 250_000, 250_777)


def executed(body: str) -> list[object]:
    """The same without skipping."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds_module, "OFTEN", 1 << 60)
        return Machine(body).after(*TIMES)


@pytest.mark.parametrize("name", STANDS)
def test_rounds_that_change_nothing_are_skipped(name: str) -> None:
    machine = Machine(STANDS[name])
    assert machine.after(*TIMES) == executed(STANDS[name])
    assert machine.rounds.skipped > 100


@pytest.mark.parametrize("name", GOES_ON)
def test_rounds_that_change_something_are_executed(name: str) -> None:
    machine = Machine(GOES_ON[name])
    assert machine.after(*TIMES) == executed(GOES_ON[name])
    assert not machine.rounds.skipped


def test_what_the_host_changes_is_seen() -> None:
    """The loop ends when a word is no longer 0; another word is not looked at."""
    body = "       MOV  @OTHER,R1\n       JEQ  LOOP\nON     INC  R2\n       JMP  ON\n"

    def played() -> tuple[list[object], int]:
        machine = Machine(body)
        found = machine.after(50_000)
        machine.bus.load_word(0x8340, 7)
        found += machine.after(100_000)
        other = next(at for at in range(0xA000, 0xA100, 2) if machine.bus.word_at(at) == 0x8400) - 2
        machine.bus.load_word(other, 1)
        return found + machine.after(150_000), machine.rounds.skipped

    found, skipped = played()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds_module, "OFTEN", 1 << 60)
        assert played() == (found, 0)
    assert skipped > 50


COMPARES = "       C    @OTHER,@PLACE\n       JNE  ON\n       JMP  LOOP\nON     INC  R2\n"


def with_words(body: str, words: list[tuple[int, int]]) -> tuple[list[object], Rounds]:
    """What is there while the host changes OTHER and PLACE, and the rounds."""
    machine = Machine(body)
    place = next(at for at in range(0xA000, 0xA100, 2) if machine.bus.word_at(at) == 0x8400)
    found: list[object] = []
    for number, (other, here) in enumerate(words, 1):
        machine.bus.load_words(place - 2, (other, here))
        found += machine.after(20_000 * number)
    return found, machine.rounds


def test_of_words_that_are_only_compared_the_result_counts() -> None:
    """A frame's number, and what it was at the last look: the wait goes on in the next frame."""
    same = [(number, number) for number in range(20)]
    found, rounds = with_words(COMPARES, same)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds_module, "OFTEN", 1 << 60)
        assert with_words(COMPARES, same)[0] == found
    assert rounds.tried == 1
    assert rounds.skipped > 20 * 40


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(COMPARES, id="compared alone"),
        pytest.param("       MOV  @OTHER,R4\n" + COMPARES, id="read before"),
        pytest.param(
            COMPARES.replace("JMP  LOOP", "MOV  @OTHER,R5\n       JMP  LOOP"), id="read after"
        ),
        pytest.param("       CLR  @OTHER\n" + COMPARES, id="written before"),
        pytest.param("HERE   C    @HERE,R1\n" + COMPARES, id="code that compares itself"),
    ],
)
def test_words_that_are_compared_and_change_are_seen(body: str) -> None:
    words = [(1, 1), (2, 2), (2, 3), (3, 3), (0, 0), (0, 9), (9, 9)]
    found, _ = with_words(body, words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds_module, "OFTEN", 1 << 60)
        assert with_words(body, words)[0] == found


def test_a_word_that_is_written_before_it_is_compared() -> None:
    """PLACE is compared with 5, though OTHER is 0 at the scan."""
    body = "       LI   R4,5\n       MOV  R4,@OTHER\n       C    @OTHER,@PLACE\n       JNE  ON\n"
    body += "       CLR  @OTHER\n       JMP  LOOP\nON     INC  R2\n"
    words = [(0, 5), (0, 0)]
    found, rounds = with_words(body, words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds_module, "OFTEN", 1 << 60)
        assert with_words(body, words)[0] == found
    assert rounds.skipped > 20


def test_code_that_is_compared_with_a_register_may_change() -> None:
    """C becomes A; the word is still above the register."""

    def played() -> list[object]:
        machine = Machine("HERE   C    @HERE,R1\n")
        found = machine.after(20_000)
        while machine.cpu.pc != SCAN:
            machine.cpu.step()
        here = next(at for at in range(0xA000, 0xA100, 2) if machine.bus.word_at(at) == 0x8060)
        machine.bus.load_word(here, 0xA060)
        return found + machine.after(40_000)

    found = played()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds_module, "OFTEN", 1 << 60)
        assert played() == found


def test_nothing_is_skipped_while_something_changes_outside() -> None:
    machine = Machine("")
    machine.room.standing = None
    assert machine.after(*TIMES) == executed("")
    assert not machine.rounds.skipped


def test_an_interrupt_that_waits_is_served_in_the_next_round() -> None:
    body = "       LIMI 0\n       LIMI 2\n"

    def served() -> int:
        machine = Machine(body)
        machine.bus.load(4, (0x83, 0x80, 0x00, 0x20))
        machine.cpu.traps[0x0020] = lambda cpu: pytest.fail(str(cpu.bus.cycles))
        machine.cpu.run(100_001)
        machine.cpu.request = 1
        try:
            machine.cpu.run(200_000)
        except pytest.fail.Exception as served:
            return int(str(served))
        return 0

    cycles = served()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds_module, "OFTEN", 1 << 60)
        assert served() == cycles
    assert 100_001 < cycles < 101_000


def test_nothing_is_skipped_step_by_step() -> None:
    """A profiler counts each instruction."""
    machine = Machine("")
    while machine.bus.cycles < 50_000:
        machine.cpu.step()
    assert not machine.rounds.skipped
    assert machine.room.scans > 100
