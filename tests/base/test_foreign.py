"""What a file of another kind is, told by the commands that cannot use it."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.base.decoding import foreign, is_cartridge
from ti99tools.fronts.cli.main import cli

EA5 = bytes.fromhex("ffff0010a000") + bytes(10)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04" + bytes(20), "a zip archive, as .rpk cartridges are"),
        (b"TI-99/4A Module - PARSEC" + bytes(60), "a cartridge of ti99sim (.ctg)"),
        (b"\xaa\x01" + bytes(4) + b"\xa0\0" + bytes(90), "a ROM or GROM of a cartridge"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "sound, as a cassette is (WAV)"),
        (EA5, "machine code for Editor/Assembler, option 5"),
    ],
)
def test_list_names_what_it_is_given(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(data)
    result = CliRunner().invoke(cli, ["list", str(tmp_path / "x.bin")])
    assert result.exit_code == 2
    assert f"x.bin: it is {message}, not an Extended BASIC program; " in result.output


def test_tape_names_what_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "x.tzx").write_bytes(b"ZXTape!\x1a\x01\x14")
    result = CliRunner().invoke(cli, ["tape", "list", str(tmp_path / "x.tzx")])
    assert "x.tzx: it is a tape in TZX form, not a WAV file; " in result.output


def test_the_length_of_a_memory_image_must_fit() -> None:
    assert foreign(EA5) is not None
    assert foreign(EA5 + bytes(300)) is None
    assert foreign(b"") is None


@pytest.mark.parametrize(
    ("start", "is_one"),
    [
        ("AA01 0100 0000 600C 0000 0000", True),
        ("AA00 0000 0000 0000 0000 0000", True),  # a ROM beside GROMs has no list
        ("AA01 0100 0000 A00C 0000 0000", False),
        ("AA58 5858 5858 5858 5858 5858", False),  # a record that begins with AA
        ("5501 0100 0000 600C 0000 0000", False),
        ("", False),
    ],
)
def test_a_cartridge_is_told_by_its_header(start: str, is_one: bool) -> None:
    assert is_cartridge(bytes.fromhex(start)) is is_one


def test_records_are_not_called_a_cartridge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scores.bin").write_bytes(b"\xaa".ljust(160, b"X"))
    for command in (
        "disk new a.dsk",
        "disk add a.dsk scores.bin --type DF80",
        "disk get a.dsk SCORES -o again.bin",
    ):
        result = CliRunner().invoke(cli, command.split())
        assert result.exit_code == 0, result.output
    assert "wrote again.bin: file, 160 bytes" in result.output
    refused = CliRunner().invoke(cli, ["disk", "add", "a.dsk", "again.bin"]).output
    assert "cannot tell what kind of TI file this is" in refused
