"""The processor and its memory map: what single recorded instructions do not show."""

import pytest

from ti99tools.hardware.cpu import bus as bus_map
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.cpu.instructions import DECODED, INSTRUCTIONS
from ti99tools.hardware.cpu.processor import Processor

PAD, CODE = 0x8320, 0xA000


class Recorder:
    """A port that keeps what is written and gives bytes in order."""

    def __init__(self, *given: int) -> None:
        self.given = list(given)
        self.seen: list[tuple[int, int]] = []

    def read(self, address: int) -> int:
        return self.given.pop(0)

    def write(self, address: int, value: int) -> None:
        self.seen.append((address, value))


class Bits:
    """A CRU of 4,096 bits that can be set and read."""

    def __init__(self) -> None:
        self.bits = dict.fromkeys(range(0x1000), 0)

    def read_bit(self, number: int) -> int:
        return self.bits[number]

    def write_bit(self, number: int, value: int) -> None:
        self.bits[number] = value


def machine(
    *code: int, registers: dict[int, int] | None = None, expansion: bool = True
) -> Processor:
    processor = Processor(Bus(expansion=expansion), Bits())
    processor.bus.load(CODE, b"".join(word.to_bytes(2, "big") for word in code))
    processor.pc, processor.wp = CODE, PAD
    for number, value in (registers or {}).items():
        processor.bus.load(PAD + 2 * number, value.to_bytes(2, "big"))
    return processor


def test_scratchpad_has_four_addresses() -> None:
    bus = Bus()
    bus.write(0x8044, 0x1234)
    assert [bus.read(address) for address in (0x8144, 0x8244, 0x8344)] == [0x1234] * 3
    assert bus.cycles == 0
    assert bus.words[0x8344 >> 1] == 0x1234


def test_rom_is_read_not_written_and_needs_no_wait() -> None:
    bus = Bus()
    bus.load(0x0040, b"\x12\x34")
    bus.write(0x0040, 0xFFFF)
    assert bus.read(0x0040) == 0x1234
    assert bus.cycles == 0


@pytest.mark.parametrize("address", [0x2000, 0x3FFE, 0xA000, 0xFFFE])
def test_without_expansion_memory_reads_0_slowly(address: int) -> None:
    bus = Bus(expansion=False)
    bus.write(address, 0x1234)
    assert bus.read(address) == 0
    assert bus.cycles == 8


def test_ports_take_the_high_byte() -> None:
    bus, sound, grom = Bus(), Recorder(), Recorder(0x5A)
    bus.connect(bus_map.SOUND, sound)
    bus.connect(bus_map.GROM_READ, grom)
    bus.write(0x8400, 0x9F12)
    assert sound.seen == [(0x8400, 0x9F)]
    assert bus.cycles == 32
    assert bus.read(0x9800) == 0x5A00
    assert bus.cycles == 32 + 23
    assert bus.read(0x8400) == 0
    with pytest.raises(ValueError):
        bus.connect(0x8402, sound)


def test_a_byte_write_reads_the_word_first() -> None:
    bus, video = Bus(), Recorder(7)
    bus.connect(bus_map.VDP_READ, video)
    bus.write_byte(0x8800, 1)
    assert video.given == []
    assert video.seen == []


def test_an_interrupt_comes_when_the_mask_lets_it() -> None:
    processor = machine(0x0300, 0x0002, 0x1000, 0x1000)  # LIMI 2, two jumps to the next
    processor.bus.load(0x0004, bytes.fromhex("83C00900"))
    processor.request = 1
    processor.step()
    assert processor.pc == CODE + 4
    assert processor.mask == 2
    before = processor.bus.cycles
    processor.step()  # the interrupt, and what stands at >0900: an illegal word of 10 cycles
    assert (processor.wp, processor.mask, processor.pc) == (0x83C0, 0, 0x0902)
    assert processor.bus.cycles - before == 22 + 10
    saved = processor.bus.words_at(0x83C0 + 26, 3)
    assert saved == [PAD, CODE + 4, 2]


def test_a_trap_stands_for_the_code_at_its_address() -> None:
    def double(processor: Processor) -> None:
        value = processor.register(1)
        processor.bus.write(processor.at(1), 2 * value)
        processor.pc = processor.register(11)

    processor = machine(0x06A0, 0x0500, registers={1: 21})  # BL @>0500
    processor.traps[0x0500] = double
    processor.step()
    processor.step()
    assert processor.register(1) == 42
    assert processor.pc == CODE + 4


def test_x_takes_operands_after_itself_and_may_name_another_x() -> None:
    processor = machine(0x0481, 0x1234, registers={1: 0x0202})  # X R1: LI R2
    processor.step()
    assert processor.register(2) == 0x1234
    assert processor.pc == CODE + 4
    endless = machine(0x0481, registers={1: 0x0481})
    endless.run(1000)
    assert endless.bus.cycles >= 1000


@pytest.mark.parametrize(
    ("word", "cycles"),
    [(0x0340, 12), (0x03A0, 0), (0x03C0, 0), (0x03E0, 0), (0x0000, 10), (0x0C00, 10), (0x0780, 10)],
)
def test_instructions_that_the_console_ignores(word: int, cycles: int) -> None:
    processor = machine(word)
    processor.step()
    assert processor.bus.cycles == cycles + bus_map.SLOW
    assert (processor.pc, processor.wp, processor.st) == (CODE + 2, PAD, 0)


def test_illegal_words_are_those_of_the_data_manual() -> None:
    illegal = {word for word, row in enumerate(DECODED) if row.name == "ILLEGAL"}
    assert illegal == {
        *range(0x0200),
        *range(0x0320, 0x0340),
        *range(0x0780, 0x0800),
        *range(0x0C00, 0x1000),
    }
    assert len(INSTRUCTIONS) == 69


def test_cru_bits_go_out_and_come_in_lowest_first() -> None:
    # LI R12,>1100; LDCR R1,5; SBO 7; STCR R2,9; TB 7
    code = (0x020C, 0x1100, 0x3141, 0x1D07, 0x3642, 0x1F07)
    processor = machine(*code, registers={1: 0x1500})
    for _ in range(5):
        processor.step()
    assert processor.register(2) == 0x0095
    assert processor.st & 0x2000
    assert isinstance(processor.cru, Bits)
    assert [processor.cru.bits[0x880 + bit] for bit in range(8)] == [1, 0, 1, 0, 1, 0, 0, 1]


def test_changes_of_watched_words_are_told() -> None:
    bus, indexes = Bus(), list[int]()
    bus.changed = indexes.append
    for address in (0x8344, 0x2100, 0x0040):
        bus.watch(address >> 1)
    bus.write(0x8144, 1)
    bus.write(0x2100, 0)
    bus.write(0x2100, 5)
    bus.write(0x0040, 9)
    assert [2 * index for index in indexes] == [0x8344, 0x2100]
    assert bus.words[0x20] == 0
    bus.unwatch(0x2100 >> 1)
    bus.write(0x2100, 6)
    assert len(indexes) == 2
    assert bus.words[0x2100 >> 1] == 6
