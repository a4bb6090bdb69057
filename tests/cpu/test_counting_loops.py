"""Loops that only count a register: compiled code skips their rounds, and does the same."""

from random import Random
from typing import Any

import pytest

from tests.cpu.randomcode import snapshot
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.cpu.jit import compiled
from ti99tools.hardware.cpu.jit.compiled import CompiledProcessor
from ti99tools.hardware.cpu.processor import Processor

COUNTING = """\
       AORG >A000
       LWPI {workspace}
AGAIN  LI   R2,{first}
WITHIN {count}  R2
       JNE  WITHIN
       STST R3
       MOV  R3,@>A100
       LI   R1,3
OTHER  {count}  R1
       JEQ  AGAIN
       JNE  OTHER
       END
"""


@pytest.mark.parametrize("workspace", [">8300", ">A200"])
@pytest.mark.parametrize("count", ["DEC", "INC", "DECT"])
@pytest.mark.parametrize("first", [1, 2, 150, 0, 65530, 32769])
def test_counting_loops_agree(
    workspace: str, count: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "OFTEN", 1)
    source = COUNTING.format(workspace=workspace, count=f"{count:4}", first=first)
    image = assemble(source).image()
    plain, quick = Processor(Bus()), CompiledProcessor(Bus())
    rng = Random(first)
    for processor in (plain, quick):
        processor.bus.load(image.address, image.data)
        processor.pc = image.address
    for _ in range(25):
        until = plain.bus.cycles + rng.choice((1, 19, 20, 21, 400, 3000))
        for processor in (plain, quick):
            processor.run(until)
        assert snapshot(quick, quick.bus) == snapshot(plain, plain.bus)
        assert quick.bus.words == plain.bus.words


class CountedWords(list[int]):
    """Memory that counts how often it is written."""

    writes = 0

    def __setitem__(self, index: Any, word: Any) -> None:
        self.writes += 1
        super().__setitem__(index, word)


def test_most_rounds_of_a_counting_loop_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "OFTEN", 1)
    image = assemble(COUNTING.format(workspace=">8300", count="DEC ", first=0)).image()
    bus = Bus()
    bus.words = words = CountedWords(bus.words)
    processor = CompiledProcessor(bus)
    bus.load(image.address, image.data)
    processor.pc = image.address
    processor.run(500_000)
    assert bus.word_at(0x8304) < 0xC000
    assert words.writes < 100


def test_a_counting_loop_leaves_no_time_for_what_follows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The interpreter does what is left before a time to run to: a round or two, not ten."""
    monkeypatch.setattr(compiled, "OFTEN", 1)
    after = "       MOV  @>A100,@>A102\n" * 6
    source = COUNTING.format(workspace=">8300", count="DEC ", first=0).replace(
        "       STST R3\n", f"       STST R3\n{after}"
    )
    image = assemble(source).image()
    processor = CompiledProcessor(Bus())
    processor.bus.load(image.address, image.data)
    processor.pc = image.address
    processor.run(2_000)
    steps = []

    def step() -> None:
        steps.append(1)
        Processor.step(processor)

    monkeypatch.setattr(processor, "step", step)
    processor.run(40_000)
    assert 0 < len(steps) <= 6
