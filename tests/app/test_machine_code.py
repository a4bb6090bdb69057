"""`tokenize --code`: a listing and a source of routines become one program that runs."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.app.machine_code import embedded, initializes
from ti99tools.base.errors import ProgramError, SourceError, TIError
from ti99tools.computer.console.session import Console
from ti99tools.fronts.cli.main import cli
from ti99tools.language.program.editor import code_size
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

SOURCE = """
NUMASG EQU >2008
       DEF ONE,TWO,THREE,FOUR,FIVE
ONE    LI  R2,>4001
       JMP ASSIGN
TWO    LI  R2,>4002
       JMP ASSIGN
THREE  LI  R2,>4003
       JMP ASSIGN
FOUR   LI  R2,>4004
       JMP ASSIGN
FIVE   LI  R2,>4005
ASSIGN MOV R2,@>834A
       CLR @>834C
       CLR @>834E
       CLR @>8350
       CLR R0
       LI  R1,1
       BLWP @NUMASG
       B   *R11
TABLE  DATA ONE
"""
NAMES = ("ONE", "TWO", "THREE", "FOUR", "FIVE")
LISTING = "".join(f'{100 + n} CALL LINK("{name}",A({n}))\n' for n, name in enumerate(NAMES))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "routines.a99"
    path.write_text(SOURCE)
    return path


def test_routines_are_found_and_run(source: Path) -> None:
    embedding = embedded(Program.from_listing(LISTING), source)
    assert tuple(embedding.names) == NAMES
    assert embedding.size % 2 == 0
    assert embedding.lines == tuple(range(100 - len(embedding.lines), 100))
    assert len(embedding.lines) > 1
    console = Console(max_seconds=30)
    console.load(embedding.program)
    console.run()
    assert console.error is None
    assert [console.variables[f"A({n})"] for n in range(5)] == [1, 2, 3, 4, 5]


WITH_ROOM = """
       DEF GO
BEFORE BSS 32
GO     LWPI AFTER
       LI  R15,>FFFF
       MOV @VALUE,@BEFORE
       MOV @BEFORE,@>2600
       LI  R1,AFTER+33
       MOV R1,@>2602
       LWPI >83E0
       B   *R11
VALUE  DATA >1234
AFTER  BSS 33
"""


def test_room_before_and_after_the_code_is_the_programs(source: Path) -> None:
    source.write_text(WITH_ROOM)
    embedding = embedded(Program.from_listing('100 CALL LINK("GO")\n'), source)
    console = Console(max_seconds=30)
    console.load(embedding.program)
    assert console.run() == "ready"
    memory = console.machine.memory
    assert (memory.word(0x2600), memory.word(0x2602)) == (0x1234, 0xFFE7)


def test_the_file_is_kept_by_list_disk_and_tokenize(source: Path, tmp_path: Path) -> None:
    (tmp_path / "game.bas").write_text(LISTING)
    run = CliRunner().invoke
    path, disk = str(tmp_path / "GAME"), tmp_path / "game.dsk"
    result = run(cli, ["tokenize", f"{tmp_path}/game.bas", "--code", str(source), "-o", path])
    assert result.exit_code == 0
    assert "without CALL INIT" not in result.output
    assert "machine code with ONE, TWO" in result.output
    assert run(cli, ["disk", "new", str(disk), path]).exit_code == 0
    assert code_size(Program.from_bytes(DiskImage.open(disk).read("GAME").data)) > 40
    again = run(cli, ["tokenize", path, "--code", str(source), "-o", f"{path}2"])
    assert again.exit_code == 2
    assert "has machine code inside" in again.output


@pytest.mark.parametrize(
    ("listing", "text", "problem"),
    [
        ("1 END", SOURCE, "no line number is free before line 1"),
        ("100 END", SOURCE.replace("DEF ONE,TWO,THREE,FOUR,FIVE", "EVEN"), "no DEF"),
        ("100 END", f" AORG >3000\n{SOURCE}", r"routines\.a99:5:1: AORG fixes"),
    ],
)
def test_what_cannot_be_put_in(listing: str, text: str, problem: str, source: Path) -> None:
    source.write_text(text)
    with pytest.raises((ProgramError, SourceError), match=problem):
        embedded(Program.from_listing(listing), source)


def test_mistakes_in_the_source_are_told_with_their_place(source: Path) -> None:
    source.write_text(" DEF A\nA MOVE R1,R2\n")
    with pytest.raises(SourceError, match=r"routines\.a99:2"):
        embedded(Program.from_listing("100 END"), source)


def test_without_the_source(tmp_path: Path) -> None:
    with pytest.raises(TIError):
        embedded(Program.from_listing("100 END"), tmp_path / "no.a99")


def test_a_second_init_is_found() -> None:
    program = Program.from_listing('10 CALL INIT\n20 PRINT "CALL INIT"\n30 CALL INITS\n')
    assert initializes(program) == [10]
