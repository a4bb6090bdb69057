"""Where compiled SUBs have their memory, and which arguments they take."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.subs.provedsubs import ITEMS, WORDS
from tests.subs.subforms import Proved, program_of
from ti99tools.base.errors import SourceError
from ti99tools.compiler.subs import submemory
from ti99tools.compiler.subs.submemory import HEAP_BYTES, Room, laid_out, room_below
from ti99tools.computer.console.session import Console
from ti99tools.computer.machinecode.addresses import FREE_AFTER_INIT
from ti99tools.games.making.twins import Twins
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.language.dialect import generate
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile


def made(source: str) -> Twins:
    """The machine code of a program's SUBs."""
    twins = Twins(Path())
    generate(source, root=Path(), native=twins.entered)
    return twins


def test_low_memory_ends_below_the_names_and_what_other_code_uses() -> None:
    assert room_below([0x2030, 0x8C00, 0xA000], 3, 0) == Room(0x3FE8)
    assert room_below([0x2601, 0x3000], 1, 500) == Room(0x2600, 500)


def test_what_does_not_fit_into_low_memory_lies_within_the_code() -> None:
    whole = laid_out([("V", 10)], [("TW", 3)], True, Room(0x3000))
    assert (whole.blocks, whole.low_end) == ("", 0x3000)
    assert whole.heap == 0x3000 - FREE_AFTER_INIT - 14, "the heap has what is left"
    small = laid_out([("V", 10)], [("TW", 3)], True, Room(FREE_AFTER_INIT + 20))
    assert small.heap == HEAP_BYTES
    assert "HEAPLO\n       BSS  1024\nHEAPHI\n" in small.blocks
    assert small.low_end == FREE_AFTER_INIT + 14
    stated = laid_out([], [], True, Room(0x4000, 99))
    assert (stated.heap, stated.low_end) == (100, FREE_AFTER_INIT + 100)


@pytest.mark.slow
@pytest.mark.parametrize("sub", [ITEMS, WORDS], ids=lambda sub: sub.name)
def test_they_do_the_same_without_low_memory(
    sub: Proved, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submemory, "room_below", lambda *_: Room())
    assert sub.differ(tmp_path, 60) == []


def test_an_array_is_copied_only_if_an_element_is_used() -> None:
    source = "DIM A(9)\nCALL GO(A(),N)\nEND\nSUB GO(A(),N) COMPILED\n  N={}\nSUBEND\n"
    unused, used = (made(source.format(value)) for value in ("5", "A(1)"))
    assert unused.call_cycles["GO"] + 10 * 4_000 < used.call_cycles["GO"]
    assert len(unused.code) < len(used.code)


def test_the_bytes_for_strings_must_be_a_number() -> None:
    for word in ("0", "99999", "1.5"):
        with pytest.raises(SourceError, match="no number of bytes for strings"):
            made(f"CALL GO\nEND\nSUB GO COMPILED {word}\n  A$=CHR$(A)\nSUBEND\n")


@pytest.mark.parametrize(("heap", "last"), [("200", "KEPT THIS"), ("", "MEMORY FULL")])
def test_a_file_loads_after_them_where_the_source_states_the_heap(heap: str, last: str) -> None:
    code = "       DEF  HAND\nHAND   B    *R11\n       END\n"
    image = DiskImage.new()
    image.add(DiskFile.display_fix("OBJ", assemble(code).object_code.records()))
    console = Console({"DSK1": image}, max_seconds=60)
    console.load(
        program_of(
            'T$="KEPT"\nCALL TAKE(T$)\nCALL LOAD("DSK1.OBJ")\nCALL LINK("HAND")\nT$=""\n'
            "CALL TAKE(T$)\nPRINT T$\nEND\n"
            f'SUB TAKE(T$) COMPILED {heap}\n  IF T$="" THEN T$=K$ ELSE K$=T$&" THIS"\nSUBEND\n'
        )
    )
    console.run()
    assert last in console.screen.text
