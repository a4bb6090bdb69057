"""How long a program takes to load: the controller copies a partly filled sector byte by byte."""

from __future__ import annotations

from ti99tools import Console
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile


def loading(size: int) -> int:
    """Cycles of loading a program whose file has so many bytes."""
    empty = len(Program.from_listing("100 !").to_program_bytes())
    content = Program.from_listing(f"100 !{'A' * (size - empty)}").to_program_bytes()
    assert len(content) == size
    image = DiskImage.new()
    image.add(DiskFile.program("LOAD", content))
    console = Console({"DSK1": image})
    console.boot()
    return console.loading_cycles


def test_a_full_sector_is_quicker_than_a_partly_filled_one() -> None:
    assert loading(255) > loading(256) + 250_000


def test_each_byte_of_a_partly_filled_sector_takes_its_time() -> None:
    assert (loading(140) - loading(40)) / 100 == (loading(240) - loading(140)) / 100 > 1_400
