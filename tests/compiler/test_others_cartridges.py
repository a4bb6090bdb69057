"""Cartridges of another compiler start: three examples of CVBasic, where they have been built.

Its sources and what is built of them are not part of this project. Build `happy_face`, `viboritas`
and `plot` for the TI-99/4A as its manual says (NAME_8.bin) and name their folder in CVBASIC_BUILT.
"""

import os
from pathlib import Path

import pytest

from ti99tools.computer.console.cartridge_console import CartridgeConsole

EXAMPLES = {"happy_face": "Happy face!", "viboritas": "Lives: ", "plot": ""}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_starts(name: str) -> None:
    path = Path(os.environ.get("CVBASIC_BUILT", "")) / f"{name}_8.bin"
    if not path.is_file():
        pytest.skip("CVBASIC_BUILT does not name a folder with the built examples")
    console = CartridgeConsole(path.read_bytes())
    console.choose()
    console.wait(300)
    assert not console.ended
    assert console.remarks == []
    vdp = console.machine.vdp
    assert vdp.registers[1] & 0x40, "the screen is on"
    at = (vdp.registers[2] & 15) << 10
    names = bytes(vdp.ram[at : at + 768]).decode("latin-1")
    assert EXAMPLES[name] in names
    assert len(set(names)) > 8
