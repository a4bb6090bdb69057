"""The compiled form does what the interpreter does: the same memory, ports, status and time."""

from random import Random

import pytest

from tests.cpu.randomcode import snapshot, start
from tests.cpu.wildcode import Machine
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.cpu.jit import compiled
from ti99tools.hardware.cpu.jit.compiled import CompiledProcessor
from ti99tools.hardware.cpu.processor import Processor

pytestmark = pytest.mark.long

PROGRAMS, WILD = 80, 50
SLICES = 12


def compare(seed: str) -> int:
    """Run a program in both forms, slice by slice; the number of traces compiled."""
    plain, quick = Processor(Bus()), CompiledProcessor(Bus())
    ports = [start(processor, seed) for processor in (plain, quick)]
    rng = Random(seed)
    most = 0
    for _ in range(SLICES):
        until = plain.bus.cycles + rng.choice((1, 50, 700, 3000, 9000))
        request = rng.choice((None, None, 1, 2))
        for processor in (plain, quick):
            processor.request = request
            processor.run(until)
        assert snapshot(quick, quick.bus) == snapshot(plain, plain.bus), seed
        assert quick.bus.words == plain.bus.words, seed
        assert ports[1].seen == ports[0].seen, seed
        most = max(most, quick.traces)
    return most


def test_random_programs_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "OFTEN", 1)
    traces = [compare(f"program {seed}") for seed in range(PROGRAMS)]
    assert sum(count > 3 for count in traces) > PROGRAMS // 2


@pytest.mark.slow
def test_many_random_programs_agree(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(compiled, "OFTEN", 1)
    for number in range(20_000):
        compare(f"program {seed * 20_000 + number}")


def compare_wild(seed: int) -> int:
    """The same for code and workspaces anywhere; somebody else changes memory now and then."""
    plain, quick = Machine(seed, Processor), Machine(seed, CompiledProcessor)
    rng = Random(seed)
    for _ in range(10):
        until = plain.processor.bus.cycles + rng.choice((1, 30, 400, 3000, 8000))
        request = rng.choice((None, None, None, 1, 2, 15))
        change = (rng.getrandbits(16), rng.randbytes(3)) if rng.random() < 0.15 else None
        for machine in (plain, quick):
            if change is not None:
                machine.processor.bus.load(*change)
            machine.processor.request = request
            machine.processor.run(until)
        assert quick.state == plain.state, seed
    assert isinstance(quick.processor, CompiledProcessor)
    return quick.processor.traces


def test_wild_programs_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "OFTEN", 1)
    traces = [compare_wild(seed) for seed in range(WILD)]
    assert sum(count > 0 for count in traces) > WILD // 3


@pytest.mark.slow
def test_many_wild_programs_agree(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(compiled, "OFTEN", 1)
    for number in range(20_000):
        compare_wild(seed * 20_000 + number)


def loaded(source: str) -> CompiledProcessor:
    processor = CompiledProcessor()
    image = assemble(source).image()
    processor.bus.load(image.address, image.data)
    processor.pc, processor.wp = image.address, 0x8320
    return processor


def test_changed_code_is_compiled_anew() -> None:
    processor = loaded(" AORG >3000\nL INC R1\n JMP L\n")
    processor.run(20_000)
    assert processor.traces == 1
    before = processor.register(1)
    processor.bus.load(0x3000, b"\x05\x82")  # INC R2
    assert processor.traces == 0
    processor.run(40_000)
    assert processor.register(1) == before
    assert processor.register(2) > 500


def test_code_that_changes_itself_all_the_time_is_left_to_the_interpreter() -> None:
    source = " AORG >3000\nL INC @M+2\nM LI R1,0\n JMP L\n"
    processor, plain = loaded(source), Processor()
    image = assemble(source).image()
    plain.bus.load(image.address, image.data)
    plain.pc, plain.wp = 0x3000, 0x8320
    for each in (processor, plain):
        each.run(200_000)
    assert processor.bus.words == plain.bus.words
    assert processor.traces < 2
    assert processor.bus.cycles == plain.bus.cycles


def test_places_that_another_thread_has_forgotten_do_no_harm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Cleared(dict[int, int]):
        def __setitem__(self, key: int, value: int) -> None:
            """Somebody clears it at once."""

    monkeypatch.setattr(compiled, "OFTEN", 1)
    monkeypatch.setattr(compiled, "_REACHED", Cleared())
    processor = loaded(" AORG >3100\nL INC R4\n JMP L\n")
    processor.run(20_000)
    assert processor.traces == 1


def test_programs_at_the_same_place_are_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "OFTEN", 4)
    for line in ("INC R4", "DEC R4", "INCT R4"):
        processor = loaded(f" AORG >3300\nL {line}\n JMP L\n")
        place = processor.pc | processor.wp << 16
        for _ in range(3):
            processor._found(place)
        assert processor.traces == 0, line
    processor._found(place)
    assert processor.traces == 1


def test_a_new_trap_is_seen() -> None:
    processor = loaded(" AORG >3000\nL INC R1\n NOP\n JMP L\n")
    processor.run(20_000)
    hits = []

    def trap(processor: Processor) -> None:
        hits.append(processor.bus.cycles)
        processor.pc = 0x3004

    processor.traps[0x3002] = trap
    processor.run(30_000)
    assert len(hits) > 100


def test_a_request_is_answered_after_the_port_access_that_made_it() -> None:
    processor = loaded(" AORG >3000\n LIMI 2\nL MOVB R1,@>8400\n INC R2\n JMP L\n")
    processor.bus.load(4, bytes.fromhex("83C00900"))
    seen: list[int] = []

    class Asking:
        def read(self, address: int) -> int:
            return 0

        def write(self, address: int, value: int) -> None:
            if len(seen) < 3 and processor.bus.cycles > 10_000:
                processor.request = 1

    def answer(processor: Processor) -> None:
        seen.append(processor.register(14))
        processor.request = None
        processor.wp, processor.pc, processor.st = (
            processor.register(number) for number in (13, 14, 15)
        )

    processor.bus.connect(0x8400, Asking())
    processor.traps[0x0900] = answer
    processor.run(20_000)
    assert processor.traces
    assert seen == [0x3008] * 3


LOOP = " AORG >3000\nL INC R1\n JMP L\n"


def test_another_machine_uses_at_once_what_the_first_has_compiled() -> None:
    first, second = loaded(LOOP), loaded(LOOP)
    first.run(20_000)
    second.run(100)
    assert second.traces
    third = loaded(LOOP.replace("INC", "DEC"))
    third.run(100)
    assert third.traces == 0
    first.run(40_000)
    third.run(40_000)
    assert first.register(1) == -third.register(1) & 0xFFFF


def test_code_stays_watched_when_a_trace_of_the_same_words_is_dropped() -> None:
    source = " AORG >3A00\nB MOV R1,@L+2\n JMP M\nL LI R6,>7777\nM INC R2\n B *R5\n"
    writing, patched, both = loaded(source), loaded(source), loaded(source)
    writer, code, shared = 0x3A00, 0x3A06, 0x3A0A

    def run(processor: CompiledProcessor, place: int) -> None:
        """Go round from a place, and have a trace made of this one alone."""
        compiled._REACHED.clear()
        word = processor.bus.word_at(place)
        compiled._REACHED[place | 0x8320 << 16 | word << 32] = compiled.OFTEN
        for number, value in ((1, 0x7777), (5, place)):
            processor.bus.write(0x8320 + 2 * number, value)
        processor.pc = place
        processor.run(processor.bus.cycles + 600)

    run(writing, writer)
    run(patched, code)
    run(both, writer)
    run(both, code)
    assert both.traces == 1
    both.bus.write(shared, 0x05C3)  # INCT R3
    before = both.register(2)
    run(both, code)
    assert both.register(2) == before
    assert both.register(3) > 5


def test_a_changed_vector_is_seen() -> None:
    source = """ AORG >3000
L BLWP @V
 JMP L
V DATA >8340,A
A INC R1
 RTWP
B INC R2
 RTWP
"""
    processor = loaded(source)
    processor.run(50_000)
    assert processor.traces
    other = assemble(source).address_of("B")
    processor.wp = 0x8340
    before = processor.register(1), processor.register(2)
    processor.wp, processor.pc = 0x8320, 0x3000
    processor.bus.load(0x3008, other.to_bytes(2, "big"))
    processor.run(100_000)
    processor.wp = 0x8340
    assert processor.register(1) == before[0]
    assert processor.register(2) > before[1] + 100


def test_a_return_elsewhere_than_to_the_call_is_taken() -> None:
    source = """ AORG >3000
L BL @S
 INC R1
 JMP L
S AI R11,0
 B *R11
"""
    processor = loaded(source)
    processor.run(50_000)
    before = processor.register(1)
    processor.bus.load(0x300A, b"\x00\x02")  # AI R11,2: back after INC
    processor.pc = 0x3000
    processor.run(100_000)
    assert processor.register(1) - before <= 1


CALLS = """ AORG >3000
L INC R1
 BLWP @V
 DATA >1234
 A R2,R1
 BLWP @V
 DATA >0001
 JEQ L
 MOV R1,@>8300
 JMP L
V DATA >8340,>0A00
"""


def calling(processor: Processor) -> Processor:
    """`CALLS` with a trap that takes a word and goes back; now and then it does something else."""
    image = assemble(CALLS).image()
    bus = processor.bus
    bus.load(image.address, image.data)
    processor.pc, processor.wp = image.address, 0x8320
    calls = 0

    def trap(processor: Processor) -> None:
        nonlocal calls
        calls += 1
        back = bus.word_at(0x8340 + 28)
        bus.load_words(0x8320 + 4, (bus.word_at(back),))
        bus.load_words(0x8340 + 28, (back + (4 if calls % 37 == 0 else 2),))
        if calls % 41 == 0:
            bus.load_words(0x8340 + 30, (bus.word_at(0x8340 + 30) ^ 0x2000,))
        if calls % 301 == 0:
            bus.load_words(0x3000, (bus.word_at(0x3000) ^ 0x0003,))  # INC R1, INC R2
        if calls == 1000:
            del processor.traps[0x0A00]
            processor.traps[0x0A02] = trap
            bus.load_words(processor.bus.word_at(back - 2), (0x8340, 0x0A02))
        bus.cycles += 50 + calls % 7 * 20
        processor.restore()

    processor.traps[0x0A00] = trap
    processor.traps.returning[0x0A00] = 1
    return processor


def test_traps_that_come_back_are_part_of_traces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "OFTEN", 1)
    within: list[int] = []
    call = CompiledProcessor._call

    def called(self: CompiledProcessor, cycles: int, status: int, place: int, back: int) -> bool:
        within.append(place)
        return call(self, cycles, status, place, back)

    monkeypatch.setattr(CompiledProcessor, "_call", called)
    plain, quick = calling(Processor(Bus())), calling(CompiledProcessor(Bus()))
    rng = Random(7)
    for _ in range(600):
        until = plain.bus.cycles + rng.choice((1, 50, 333, 2000))
        for processor in (plain, quick):
            processor.run(until)
        assert snapshot(quick, quick.bus) == snapshot(plain, plain.bus)
        assert quick.bus.words == plain.bus.words
    assert len(within) > 800
    assert 0x0A02 in plain.traps


WRITER = " AORG >3000\nL INC R1\n CI R1,2000\n JNE L\n SETO @>C000\n JMP L\n"


@pytest.mark.parametrize("early", [True, False])
def test_a_change_of_guarded_memory_is_noticed(early: bool) -> None:
    first = loaded(WRITER)
    first.run(400_000)  # what it has compiled is there for the second
    processor = loaded(WRITER)
    bus = processor.bus
    if early:
        bus.guard(range(0xC000 >> 1, 0xC100 >> 1))
    processor.run(20_000)
    if not early:
        assert processor.traces
        bus.guard(range(0xC000 >> 1, 0xC100 >> 1))
    assert not bus.touched
    processor.run(400_000)
    assert bus.touched
    assert bus.word_at(0xC000) == 0xFFFF
    assert bus.cycles == first.bus.cycles
    assert bus.words == first.bus.words


def test_memory_is_guarded_against_loading_too() -> None:
    bus = Bus()
    bus.guard(range(0xC000 >> 1, 0xC100 >> 1))
    for address, data, seen in (
        (0xBF00, bytes([1]) * 0x100, False),
        (0xC000, bytes(4), False),
        (0xC0FF, b"\1", True),
        (0xC100, b"\1", False),
        (0xBFF0, bytes([2]) * 0x40, True),
    ):
        bus.touched = False
        bus.load(address, data)
        assert bus.touched == seen, f"{address:04X}"
    bus.touched = False
    bus.load_words(0xC010, (7,))
    assert bus.touched
    assert bus.word_at(0xC010) == 7
    bus.guard(range(0xD000 >> 1, 0xD100 >> 1))
    bus.write(0xC010, 8)
    assert not bus.touched
    assert bus.word_at(0xC010) == 8
    bus.write(0xD000, 8)
    assert bus.touched
    assert bus.word_at(0xD000) == 8


def test_guarded_code_that_changes_is_compiled_anew() -> None:
    processor = loaded(" AORG >C000\nL INC R1\n JMP L\n")
    processor.bus.guard(range(0xC000 >> 1, 0xC100 >> 1))
    processor.run(20_000)
    assert processor.traces == 1
    processor.bus.load(0xC000, b"\x05\x82")  # INC R2
    assert processor.traces == 0
    assert processor.bus.touched
    processor.bus.touched = False
    processor.bus.load(0xC000, b"\x05\x81")
    assert processor.bus.touched


def test_a_word_is_loaded_wherever_it_is() -> None:
    processor = loaded(" AORG >3006\nL INC R1\n JMP L\n")
    processor.run(20_000)
    bus = processor.bus
    for address in (0x8310, 0x3006, 0x0900):  # memory, code, ROM
        bus.load_word(address, 0x0582)
        assert bus.word_at(address) == 0x0582
    assert processor.traces == 0


WAITING = """ AORG >3000
L LIMI 2
 LIMI 0
 CB @>8379,@>8340
 JNE S
 CI R1,5
 JLT L
 COC @M,R1
 JEQ L
 JMP L
S MOVB @>8379,@>8340
 INC R2
 JMP L
M DATA >0800
"""


def waiting(processor: Processor) -> Processor:
    """`WAITING` with an interrupt that counts frames."""
    image = assemble(WAITING).image()
    processor.bus.load(image.address, image.data)
    processor.pc, processor.wp = image.address, 0x8320
    processor.bus.load(4, bytes.fromhex("83C00900"))

    def serve(processor: Processor) -> None:
        bus = processor.bus
        processor.request = None
        bus.load(0x8379, (bus.peek(0x8379) + 1 & 0xFF,))
        processor.restore()

    processor.traps[0x0900] = serve
    return processor


def test_waiting_for_an_interrupt_ends_at_the_same_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "OFTEN", 1)
    plain, quick = waiting(Processor(Bus())), waiting(CompiledProcessor(Bus()))
    rng = Random(3)
    for number in range(600):
        until = plain.bus.cycles + rng.choice((1, 2, 50, 333, 2000, 9000))
        request, word = rng.choice((None, None, 1)), rng.choice((0, 7, 0x0800, 0xFFFF))
        for processor in (plain, quick):
            processor.request = processor.request or request
            if number % 5 == 0:
                processor.bus.load_word(0x8322, word)
            processor.run(until)
        assert snapshot(quick, quick.bus) == snapshot(plain, plain.bus), number
        assert quick.bus.words == plain.bus.words, number
    assert plain.register(2) > 100


def test_rounds_that_change_nothing_are_passed_at_once() -> None:
    """Round by round this would take hours."""
    processor = waiting(CompiledProcessor(Bus()))
    processor.run(1_000_000)
    end = processor.bus.cycles + 10**12
    processor.run(end)
    assert end <= processor.bus.cycles < end + 100
    assert 0x3000 <= processor.pc < 0x3020
    assert processor.register(2) == 0


BANKED = """\
       AORG >A000
       LI   R2,500
LOOP   BL   @>6000
       CLR  @>6002
       BL   @>6000
       CLR  @>6000
       DEC  R2
       JNE  LOOP
       JMP  $
"""
INC, INCT, RETURN = 0x0581, 0x05C1, 0x045B


def in_two_banks(processor: Processor) -> Processor:
    """A loop that calls the same address in two banks, which do different things."""
    bus = processor.bus
    banks = [(code, RETURN, *[0] * 4094) for code in (INC, INCT)]
    bus.cartridge = lambda address: bus.show(address >> 1 & 1, banks[address >> 1 & 1])
    bus.cartridge(0x6000)
    bus.load(0xA000, assemble(BANKED).image().data)
    processor.wp, processor.pc = 0x8300, 0xA000
    processor.run(200_000)
    return processor


def test_code_of_banks_is_kept_for_each_of_them() -> None:
    plain, quick = in_two_banks(Processor(Bus())), in_two_banks(CompiledProcessor(Bus()))
    assert isinstance(quick, CompiledProcessor)
    assert quick.bus.word_at(0x8302) == 3 * 500
    assert (quick.bus.words, quick.bus.cycles) == (plain.bus.words, plain.bus.cycles)
    # Dropped at each change of the bank, they would be left to the interpreter.
    assert {key >> 32 for key in quick._parts} == {0, 1, 2}
