"""Strings and the stack share video memory: what is left is counted exactly, seldom in full."""

from __future__ import annotations

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.interp.programs import console, printed, rows, run
from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.run.heap import UNCHECKED, Heap
from ti99tools.language.prescan.symbols import (
    LOOP_FRAME,
    OTHER_FRAME,
    STACK_RESERVE,
    STRING_OVERHEAD,
    VIDEO_SPACE,
    MemoryTaken,
)
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

LOOP: list[object] = []
SUBROUTINE = (None, (0, 0))
NEEDED = 100

STEPS = some.lists(
    some.one_of(
        some.tuples(some.just("assign"), some.integers(0, 40), some.integers(0, 255)),
        some.tuples(some.just("push"), some.sampled_from([LOOP, SUBROUTINE]), some.integers(1, 90)),
        some.tuples(some.just("pop"), some.none(), some.integers(1, 60)),
    ),
    max_size=80,
)


@given(STEPS, some.integers(0, VIDEO_SPACE - 1000))
def test_memory_is_full_exactly_when_it_is(
    steps: list[tuple[str, object, int]], symbols: int
) -> None:
    """Wherever the program runs on without looking, there is room for what statements need."""
    variables = [""] * 41
    frames: list[object] = []
    taken = MemoryTaken()
    taken.take(symbols)
    heap = Heap(taken, frames, lambda: variables)

    def room() -> int:
        stack = sum(LOOP_FRAME if frame is LOOP else OTHER_FRAME for frame in frames)
        strings = sum(STRING_OVERHEAD + len(text) for text in variables if text)
        return VIDEO_SPACE + STACK_RESERVE - symbols - stack - strings

    for step, what, size in steps:
        if step == "assign":
            assert isinstance(what, int)
            fits = room() > STRING_OVERHEAD + size + OTHER_FRAME + STACK_RESERVE or not size
            try:
                variables[what] = heap.kept("*" * size)
                assert fits
            except XBError:
                assert not fits
                return
        elif step == "pop":
            del frames[-size:]
        for _ in range(size if step == "push" else 0):
            full = room() < LOOP_FRAME + NEEDED
            try:
                heap.need(LOOP_FRAME + NEEDED)
                assert not full
            except XBError:
                assert full
                return
            frames.append(what)
            if what is LOOP:
                heap.pushed(LOOP_FRAME)
            elif len(frames) > heap.names[UNCHECKED]:
                heap.press()


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


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("N=N+1::GOSUB 100", 1483),
        ("N=N+1::PRINT N::GOSUB 100", 1479),
        ("N=N+1::FOR I=1 TO 2::FOR J=1 TO 2::GOSUB 100::NEXT J::NEXT I", 1473),
        ("N=N+1::FOR I=1 TO 2::GOSUB 100::NEXT I", 1478),
    ],
)
def test_subroutines_without_return(line: str, last: int) -> None:
    console = run(f"100 {line}\n", "error")
    assert console.error is not None
    assert console.error.text == "MEMORY FULL"
    assert console.variables["N"] == last


def test_strings_of_200_characters() -> None:
    console = run('100 DIM A$(500)\n110 N=N+1::A$(N)=RPT$("X",200)::GOTO 110\n', "error")
    assert rows(console)[-1] == "* MEMORY FULL IN 110"
    assert console.variables["N"] == 53


def test_the_handler_of_a_full_memory_has_no_room_either() -> None:
    listing = "100 ON ERROR 120\n110 GOSUB 110\n120 PRINT 1\n"
    assert printed(listing, "error") == ["* MEMORY FULL IN 120"]


def test_there_is_room_again_after_returning() -> None:
    listing = """
100 ON ERROR 130
110 N=N+1::GOSUB 110
120 M=M+1::IF M<9 THEN RETURN ELSE PRINT "OUT"::END
130 RETURN 140
140 RETURN
"""
    assert printed(listing) == ["OUT"]


def test_a_program_whose_names_leave_little_room() -> None:
    """Each string array of 5000 elements takes 10,000 bytes of video memory."""
    listing = "100 DIM A$(5000)\n110 N=N+1::GOSUB 110\n"
    console = run(listing, "error")
    assert console.variables["N"] == (VIDEO_SPACE - 9 - 10010 + STACK_RESERVE - 32) // 8 + 1


def test_memory_that_is_free_again_is_used_again() -> None:
    listing = """
100 DIM A$(60)
110 FOR R=1 TO 3
120 FOR I=1 TO 50::A$(I)=RPT$("X",200)::NEXT I
130 FOR I=1 TO 50::A$(I)=""::NEXT I
140 N=0::GOSUB 200
150 NEXT R
160 PRINT "OK"::END
200 N=N+1::IF N<1200 THEN GOSUB 200
210 RETURN
"""
    assert printed(listing) == ["OK"]


def test_trace_goes_on_where_memory_is_tight() -> None:
    listing = "100 DIM A$(5300)\n110 TRACE\n120 A=1\n130 UNTRACE\n140 B=1\n150 PRINT A+B\n"
    assert printed(listing) == ["<120><130> 2"]


def test_size_counts_what_is_there() -> None:
    computer = console('100 A$="HELLO"::BREAK\n110 GOSUB 100\n')

    def stack_free() -> int:
        computer.command("SIZE")
        return next(int(row.split()[0]) for row in rows(computer)[::-1] if "STACK" in row)

    assert stack_free() == VIDEO_SPACE
    computer.run()
    assert stack_free() == VIDEO_SPACE - 10 - 9
    computer.command("B=1")
    assert stack_free() == VIDEO_SPACE - 10 - 9 - 9
    computer.command("CALL GCHAR(1,1,B)")
    assert stack_free() == VIDEO_SPACE - 10 - 9 - 9 - 13
    computer.command("CON")
    assert stack_free() == VIDEO_SPACE - 10 - 9 - 9 - 13 - 8


def test_an_open_file_takes_its_buffer() -> None:
    console = Console(disks={"DSK1": DiskImage.new()})
    console.load(Program.from_listing('100 OPEN #1:"DSK1.X",OUTPUT\n110 BREAK\n'))
    assert console.run() == "stopped"
    console.command("SIZE")
    assert f"{VIDEO_SPACE - 100} BYTES OF STACK FREE" in rows(console)
