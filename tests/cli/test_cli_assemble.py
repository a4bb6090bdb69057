"""assemble from the outside: files, listing, messages."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools.fronts.cli.main import cli
from ti99tools.hardware.assembler.tagged import RECORD, load
from ti99tools.media.disk.hostfiles import contained
from ti99tools.media.disk.records import load as loaded

SOURCE = " DEF GO\nGO LI R1,>1234\n RT\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "go.a99"
    path.write_text(SOURCE)
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, ["assemble", *map(str, words)])


def test_object_code_as_on_a_disk(source: Path) -> None:
    output = source.with_name("GO")
    result = run(source, "-o", output, "--list", source.with_name("go.lst"))
    assert result.exit_code == 0
    assert "object code, 6 bytes, GO" in result.output
    assert "go.lst: listing" in result.output
    data = output.read_bytes()
    assert len(data) == 256
    loaded = load([data[at : at + RECORD] for at in range(0, 240, RECORD)], 0x2500)
    assert loaded.definitions == {"GO": 0x2500}
    assert loaded.words[0x2502] == 0x1234
    assert "0201" in source.with_name("go.lst").read_text()


def test_tifiles_and_images(source: Path) -> None:
    output = source.with_name("GO")
    assert run(source, "-o", output, "--tifiles", "--name", "CODE").exit_code == 0
    stored = contained(output.read_bytes())
    assert stored is not None
    file = loaded(stored)
    assert (file.name, file.type.label, file.recl) == ("CODE", "DIS/FIX", RECORD)
    result = run(source, "-o", output, "--format", "image", "--base", ">3000", "--json")
    assert output.read_bytes() == bytes.fromhex("02011234045B")
    figures = json.loads(result.stdout)
    assert figures["symbols"] == {"GO": 0x3000}
    assert figures["first"] == 0x3000


def test_mistakes_are_told_line_by_line(source: Path) -> None:
    source.write_text(" MOV R1\n LI R1,NOPE\n")
    result = run(source, "-o", source.with_name("GO"))
    assert result.exit_code == 2
    assert [line.partition("go.a99:")[2][:4] for line in result.stderr.splitlines()] == [
        "1:8:",
        "2:8:",
    ]
    assert not source.with_name("GO").exists()


def test_what_call_load_refuses_is_told(source: Path) -> None:
    source.write_text(" REF VSBW\n BLWP @VSBW\n")
    result = run(source, "-o", source.with_name("GO"))
    assert result.exit_code == 0
    assert "use VSBW EQU" in result.stderr


@pytest.mark.parametrize(("room", "warned"), [(0x1B02, False), (0x1B03, True)])
def test_code_for_which_low_memory_has_no_room(room: int, warned: bool, source: Path) -> None:
    source.write_text(f" DEF GO\nGO NOP\n BSS {room - 2}\n")
    result = run(source, "-o", source.with_name("GO"))
    assert result.exit_code == 0
    assert ("has no room" in result.stderr) == warned


@pytest.mark.parametrize("base", ["XYZ", "3001", "12345"])
def test_a_base_is_an_even_address(source: Path, base: str) -> None:
    result = run(source, "-o", source.with_name("GO"), "--format", "image", "--base", base)
    assert result.exit_code == 2
    assert "address" in result.stderr


def test_the_source_is_not_overwritten(source: Path) -> None:
    assert run(source, "-o", source).exit_code == 2
    assert source.read_text() == SOURCE


def test_the_listing_does_not_take_the_place_of_the_code(source: Path) -> None:
    output = source.with_name("GO")
    result = run(source, "-o", output, "--list", output)
    assert result.exit_code == 2
    assert "named twice" in result.stderr
    assert not output.exists()


@pytest.mark.parametrize("command", ["run", "lint", "generate", "profile"])
def test_assembly_language_is_no_program_of_extended_basic(command: str, source: Path) -> None:
    result = CliRunner().invoke(cli, [command, str(source)])
    assert result.exit_code == 2
    assert "by its name assembly language" in result.stderr
    assert "assemble" in result.stderr


def test_what_ti_takes_is_a_warning(source: Path) -> None:
    source.write_text(SOURCE + " DEF SLOAD\nA EQU 1,2\n")
    result = run(source, "-o", source.with_name("GO"))
    assert result.exit_code == 0
    assert [line.split()[:2] for line in result.stderr.splitlines()] == [
        ["warning:", f"{source}:4:6:"],
        ["warning:", f"{source}:5:8:"],
    ]


@pytest.mark.parametrize("text", ["", "* A REMARK\n", "A EQU 1\n"])
def test_a_source_without_code_is_refused(text: str, source: Path) -> None:
    source.write_text(text)
    result = run(source, "-o", source.with_name("GO"))
    assert result.exit_code == 2
    assert f"{source}: there is no code in it" in result.stderr
    assert not source.with_name("GO").exists()
