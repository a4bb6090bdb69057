"""Machine code in a program: kept by every form and by editing."""

import pytest

from ti99tools.base.errors import ProgramError
from ti99tools.computer.console.session import Console
from ti99tools.language.listing.listing import Line
from ti99tools.language.listing.tokenize import tokenize_line
from ti99tools.language.program.editor import entering, place_of, with_code
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

CODE = bytes.fromhex("02001234c8003000045b")
LISTING = f"""100 CALL INIT
110 {entering({"GO": place_of(len(CODE))})}
120 CALL LINK("GO")
130 CALL PEEK(12288,A,B):: PRINT A;B
"""


def test_it_runs_from_where_it_lies() -> None:
    program = with_code(Program.from_listing(LISTING), CODE)
    image = DiskImage.new()
    image.add(DiskFile.program("LOAD", program.to_program_bytes()))
    console = Console({"DSK1": image}, max_seconds=60)
    console.boot()
    assert console.run_until(ready=True)
    assert "18  52" in console.screen.text


def test_all_forms_and_edits_keep_it() -> None:
    program = with_code(Program.from_listing(LISTING), CODE)
    assert program.image.memory.endswith(CODE)
    assert program.lines == Program.from_listing(LISTING).lines
    again = Program.from_bytes(program.to_program_bytes())
    assert again.image.memory.endswith(CODE)
    long = Program.from_records(program.to_long_records())
    assert long.image.memory.endswith(CODE)
    number, tokens = tokenize_line("125 PRINT 1")
    edited = Program(program.image.with_line(Line(number or 0, tokens)))
    assert edited.image.memory.endswith(CODE)
    assert Program(edited.image.without(100)).image.memory.endswith(CODE)


def test_too_much_of_it() -> None:
    with pytest.raises(ProgramError, match="memory holds"):
        with_code(Program.from_listing("100 END\n"), bytes(24_481))
