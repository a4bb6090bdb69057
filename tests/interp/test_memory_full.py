"""Strings and the stack share video memory: what is left is counted exactly, seldom in full."""

from __future__ import annotations

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ti99tools.base.xberrors import XBError
from ti99tools.console.session import Console
from ti99tools.interp.run.heap import Heap
from ti99tools.program.program import Program
from ti99tools.source.prescan.sizes import LOOP_FRAME, OTHER_FRAME, STRING_OVERHEAD, VIDEO_SPACE
from ti99tools.source.prescan.taken import Taken

LOOP: list[object] = []
SUBROUTINE = (None, (0, 0))

STEPS = some.lists(
    some.one_of(
        some.tuples(some.just("assign"), some.integers(0, 40), some.integers(0, 255)),
        some.tuples(some.just("push"), some.sampled_from([LOOP, SUBROUTINE]), some.integers(1, 90)),
        some.tuples(some.just("pop"), some.none(), some.integers(1, 60)),
        some.tuples(some.just("symbol"), some.none(), some.integers(1, 300)),
    ),
    max_size=80,
)


@given(STEPS)
def test_gosub_finds_the_memory_full_exactly_when_it_is(
    steps: list[tuple[str, object, int]],
) -> None:
    variables = [""] * 41
    frames: list[object] = []
    taken = Taken()
    heap = Heap(taken, frames, lambda: variables)
    for step, what, size in steps:
        try:
            if step == "assign":
                assert isinstance(what, int)
                variables[what] = heap.kept("*" * size)
            elif step == "push":
                frames += [what] * size
            elif step == "pop":
                del frames[-size:]
            else:
                taken.take(size)
        except XBError:
            return
        stack = sum(LOOP_FRAME if frame is LOOP else OTHER_FRAME for frame in frames)
        strings = sum(STRING_OVERHEAD + len(text) for text in variables if text)
        if taken.video + stack + strings + OTHER_FRAME > VIDEO_SPACE:
            with pytest.raises(XBError):
                heap.check_stack()
        else:
            heap.check_stack()


def test_deep_gosubs_do_not_count_the_strings_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = 0
    counted = Heap._counted

    def noted(heap: Heap) -> int:
        nonlocal counts
        counts += 1
        return counted(heap)

    monkeypatch.setattr(Heap, "_counted", noted)
    console = Console()
    console.load(
        Program.from_listing(
            '100 DIM A$(300)\n110 FOR I=1 TO 300 :: A$(I)="*" :: NEXT I\n120 GOSUB 130\n'
            "130 N=N+1 :: IF N<800 THEN 120\n140 END\n"
        )
    )
    assert console.run() == "ready"
    assert console.variables["N"] == 800
    assert counts < 5


def test_what_typed_lines_were_compiled_to_is_forgotten() -> None:
    console = Console()
    console.load(Program.from_listing("100 A=1\n"))
    console.run()
    assert console.execution is not None
    files = console.execution.compiler.files
    before = len(files)
    for _ in range(30):
        console.command("A=A+2")
    gc.collect()
    assert console.variables["A"] == 61
    assert len(files) < before + 5
