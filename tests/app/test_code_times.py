"""The time of machine code by its labels."""

from pathlib import Path

import pytest

from ti99tools.app.profile import UTILITIES, code_times, labels_of
from ti99tools.computer.console.session import Console
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

CODE = """
VSBW EQU >2020
 DEF GO
GO CLR R0
 LI R1,>A100
 BLWP @VSBW
 LI R2,1000
SLOW DEC R2
 JNE SLOW
 B *R11
 END
"""
LISTING = """100 CALL INIT::CALL LOAD("DSK1.OBJ")
110 CALL LINK("GO")::CALL LINK("GO")
"""


def console() -> Console:
    image = DiskImage.new()
    image.add(DiskFile.display_fix("OBJ", assemble(CODE).object_code.records()))
    console = Console({"DSK1": image}, max_seconds=60)
    console.load(Program.from_listing(LISTING))
    return console


def test_calls_and_cycles_by_label(tmp_path: Path) -> None:
    source = tmp_path / "go.a99"
    source.write_text(CODE)
    plain, watched = console(), console()
    assert plain.run() == "ready"
    with code_times(watched) as times:
        assert watched.run() == "ready"
    assert watched.clock.cycles == plain.clock.cycles
    rows = {row.label: row for row in times.rows(labels_of(watched, source))}
    assert rows["GO"].calls == 2
    assert rows["SLOW"].calls == 0
    assert rows["SLOW"].seconds == pytest.approx(2 * 1000 * (14 + 14) / 3e6, rel=0.01)
    assert 0 < rows[UTILITIES].seconds < rows["SLOW"].seconds
    assert next(iter(rows)) == "GO", "what LINK calls comes first"
    alone = times.rows(labels_of(watched))
    assert {row.label for row in alone} == {"GO", UTILITIES}


def test_afterwards_code_runs_as_before() -> None:
    computer = console()
    with code_times(computer):
        assert computer.run() == "ready"
    engine = computer.computer.workspace.runtime.code.engine
    assert engine.execute == engine.cpu.run


def test_without_machine_code() -> None:
    console = Console(max_seconds=10)
    console.load(Program.from_listing("100 PRINT 1\n"))
    with code_times(console) as times:
        assert console.run() == "ready"
    assert times.rows(labels_of(console)) == []
    assert not console.machine.memory.in_use
