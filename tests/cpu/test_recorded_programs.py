"""Whole programs take the cycles that they took on the recording machine, in both forms."""

import pytest

from tests.cpu.recordedprograms import RECORDED, cycles
from ti99tools.hardware.cpu.jit.compiled import CompiledProcessor
from ti99tools.hardware.cpu.processor import Processor

FORMS = (Processor, CompiledProcessor)


@pytest.mark.parametrize("name", RECORDED)
def test_compiled_programs_take_the_recorded_time(name: str) -> None:
    assert cycles(CompiledProcessor(), name) == RECORDED[name]


@pytest.mark.parametrize("name", ["code-prog-maze"])
def test_interpreted_programs_take_the_recorded_time(name: str) -> None:
    assert cycles(Processor(), name) == RECORDED[name]


@pytest.mark.parametrize("form", FORMS)
def test_programs_do_what_they_should(form: type[Processor]) -> None:
    maze = form()
    cycles(maze, "code-prog-maze")
    drawn = {maze.bus.peek(0xC000 + at) for at in range(768)}
    assert len(drawn) == 2
    sort = CompiledProcessor()
    cycles(sort, "code-prog-sort")
    words = sort.bus.words_at(0xC000, 400)
    signed = [word - 0x10000 if word & 0x8000 else word for word in words]
    assert signed == sorted(signed)
    assert len(set(signed)) == 400
