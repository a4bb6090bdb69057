"""How much faster than a real TMS9900 (3 MHz) machine code runs, and what compiling it gains.

The loops are those of programs that were recorded, up to their first call of a utility: a sieve
of 4,096 flags, a sort of 400 words, and a maze, which is over before much of it is compiled.
"""

from __future__ import annotations

import time
from operator import itemgetter

import pytest

from tests.cpu.recordedprograms import source
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.hardware.cpu.jit.compiled import CompiledProcessor
from ti99tools.hardware.cpu.processor import FREQUENCY, Processor

pytestmark = pytest.mark.bench

PROGRAMS = ("code-prog-sieve", "code-prog-sort", "code-prog-maze")
VECTORS, ENTRY = range(0x2008, 0x2038, 4), 0x0100
LEAST = 10
"""Times as fast as the real processor."""


def measured(processor: Processor, program: str) -> tuple[int, float]:
    """Cycles of the loops, up to the first call of a utility, and seconds of our processor."""
    code = assemble(source(program))
    for address, word in code.memory().items():
        processor.bus.load(address, word.to_bytes(2, "big"))
    for vector in VECTORS:
        processor.bus.load(vector, bytes.fromhex("83A0") + ENTRY.to_bytes(2, "big"))
    processor.pc, processor.wp = code.address_of("GO"), 0x83E0
    done: list[int] = []

    def stop(processor: Processor) -> None:
        done.append(processor.bus.cycles)
        processor.bus.cycles += FREQUENCY

    processor.traps[ENTRY] = stop
    start = time.process_time()
    while not done:
        processor.run(processor.bus.cycles + 50_064)
    return done[0], time.process_time() - start


@pytest.mark.parametrize("program", PROGRAMS)
def test_machine_code_is_faster_than_the_machine(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    interpreted = min((measured(Processor(), program) for _ in range(2)), key=itemgetter(1))
    compiled = min((measured(CompiledProcessor(), program) for _ in range(3)), key=itemgetter(1))
    assert compiled[0] == interpreted[0]
    speeds = [cycles / FREQUENCY / seconds for cycles, seconds in (interpreted, compiled)]
    with capsys.disabled():
        print(
            f"\n{program}: interpreted {speeds[0]:.1f} × real time, compiled {speeds[1]:.1f} ×, "
            f"gain {speeds[1] / speeds[0]:.1f} ×"
        )
    assert speeds[1] >= LEAST
