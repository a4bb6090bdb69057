"""What a file of another kind is, told by the commands that cannot use it."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.base.foreign import foreign
from ti99tools.fronts.cli.main import cli

EA5 = bytes.fromhex("ffff0010a000") + bytes(10)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"PK\x03\x04" + bytes(20), "a zip archive, as .rpk cartridges are"),
        (b"TI-99/4A Module - PARSEC" + bytes(60), "a cartridge of ti99sim (.ctg)"),
        (b"\xaa\x01" + bytes(100), "a ROM or GROM of a cartridge"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "sound, as a cassette is (WAV)"),
        (EA5, "machine code for Editor/Assembler, option 5"),
    ],
)
def test_list_names_what_it_is_given(data: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(data)
    result = CliRunner().invoke(cli, ["list", str(tmp_path / "x.bin")])
    assert result.exit_code == 2
    assert f"x.bin: it is {told}, not an Extended BASIC program; " in result.output


def test_tape_names_what_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "x.tzx").write_bytes(b"ZXTape!\x1a\x01\x14")
    result = CliRunner().invoke(cli, ["tape", "list", str(tmp_path / "x.tzx")])
    assert "x.tzx: it is a tape in TZX form, not a WAV file; " in result.output


def test_the_length_of_a_memory_image_must_fit() -> None:
    assert foreign(EA5) is not None
    assert foreign(EA5 + bytes(300)) is None
    assert foreign(b"") is None
