"""Every way in for a text gives the same program, or refuses it in the same words."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.app.target import find_target
from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.main import cli
from ti99tools.language.findings import Severity
from ti99tools.language.program.hostfile import HostFile
from ti99tools.language.program.judgement import advise_file
from ti99tools.language.program.program import Program
from ti99tools.media.disk.hostfiles import build_tifiles
from ti99tools.media.disk.records import store
from ti99tools.media.disk.tifile import DiskFile

FILE = "odd.bas"
NUMBERED = {
    "a bare number deletes": "100 PRINT 1\n110 PRINT 2\n110\n",
    "a bare number before its line": "110\n100 PRINT 1\n110 PRINT 2\n",
    "deleted and written again": "100 PRINT 1\n110 PRINT 2\n100\n100 PRINT 3\n",
    "the last of three counts": "100 PRINT 1\n100 PRINT 2\n110 END\n100 PRINT 3\n",
    "all is deleted": "100 PRINT 1\n100\n",
    "a bare number alone": "100\n",
    "rows ended by CR": "100 PRINT 1\r110 PRINT 2\r",
    "rows ended by CR LF": "100 PRINT 1\r\n110 PRINT 2\r\n",
    "CR between rows ended by LF": "100 PRINT 1\n110 PRINT 2\r120 PRINT 3\n",
    "no end of the last row": "100 PRINT 1\n110 PRINT 2",
    "a byte order mark": "\ufeff100 PRINT 1\n",
    "a byte order mark and CR": "\ufeff100 PRINT 1\r110 END\r",
    "the end as DOS marks it": "100 PRINT 1\n\x1a",
    "the end, and zeros": "100 PRINT 1\n\x1a\0\0\0",
    "not in order": "120 END\n100 PRINT 1\n110 PRINT 2\n",
    "NEW before and RUN after": "NEW\n100 PRINT 1\n110 END\nRUN\n",
    "remarks and fences": "```basic\n100 PRINT 1\n```\n",
    "prompts": ">100 PRINT 1\n>110 PRINT 2\n",
    "no-break spaces": "100\xa0PRINT\xa01\n",
    "tabs and form feeds": "100\tPRINT 1\f\n110 END\n",
    "wrapped after 28": '100 PRINT "ABCDEFGHIJKLMNOPQ\nRSTUVW"\n110 PRINT 1\n',
    "control pictures": '100 PRINT "␁▀"\n',
    "Latin-1": '100 PRINT "äöü"\n',
    "a refused row": '100 PRINT "A\n110 PRINT 2\n',
    "two refused rows": '110 A B\n100 PRINT "A\n',
    "a number too large": "40000 PRINT 1\n",
    "a line too long": "100 " + "A=A+1::" * 60 + "END\n",
    "a name too long": "100 A234567890123456=1\n",
}
EMPTY = {
    "nothing": "",
    "blanks": "  \n\t\n",
    "a byte order mark alone": "\ufeff",
    "CR alone": "\r\r",
    "form feeds": "\f\n",
}
STRUCTURED = {
    "a statement": "PRINT 1\n",
    "rows ended by CR": "again:\rPRINT 1\rGOTO again\r",
    "a byte order mark": "\ufeffPRINT 1\n",
    "blocks": "REPEAT\n  I=I+1\nUNTIL I=9\n",
    "remarks alone": "! nothing\n",
    "a mistake": "PRNT 1\n",
    "the end as DOS marks it": "PRINT 1\n\x1a",
}


def of_listing(text: str, path: Path) -> Program:
    return Program.from_listing(text, str(path))


def of_source(text: str, path: Path) -> Program:
    return Program.from_source(text, str(path))


def of_bytes(text: str, path: Path) -> Program:
    try:
        return Program.from_bytes(path.read_bytes())
    except TIError as error:
        raise error.at(str(path)) from None


def opened(text: str, path: Path) -> Program:
    return Program.open(path)


def run(text: str, path: Path) -> Program:
    program = find_target(str(path)).program
    assert program is not None
    return program


def linted(text: str, path: Path) -> Program:
    """What lint sees has no order of memory: its lines are compared, and what it refuses."""
    findings, memory = advise_file(path)
    worst = [f for f in findings if f.severity is Severity.ERROR and f.code in ("entry", "source")]
    if worst:
        raise TIError(worst[0].message, remedy=worst[0].remedy, place=worst[0].place)
    assert memory is not None
    program = Program.open(path)
    assert memory.program == program.size
    return program


def tokenized(text: str, path: Path) -> Program:
    output = path.with_suffix(".out")
    result = CliRunner().invoke(cli, ["tokenize", str(path), "-o", str(output)])
    if result.exit_code:
        message = next(row for row in result.output.split("\n") if row.startswith("error: "))
        raise TIError(message.removeprefix("error: "))
    return Program.open(output)


DOORS = (of_source, of_bytes, opened, run, linted, tokenized)


def lines_or_refusal(door: object, text: str, path: Path) -> object:
    """The lines in the order of memory, or what is refused."""
    assert callable(door)
    try:
        program = door(text, path)
    except TIError as error:
        return str(error)
    return program.lines, program.image.in_memory_order()


def agreed(text: str, folder: Path, doors: tuple[object, ...]) -> object:
    path = folder / FILE
    path.write_bytes(text.encode())
    found = {str(lines_or_refusal(door, text, path)) for door in doors}
    assert len(found) == 1, found
    return lines_or_refusal(doors[0], text, path)


@pytest.mark.parametrize("text", NUMBERED.values(), ids=NUMBERED)
def test_a_numbered_text(text: str, tmp_path: Path) -> None:
    agreed(text, tmp_path, (of_listing, *DOORS))


@pytest.mark.parametrize("text", STRUCTURED.values(), ids=STRUCTURED)
def test_a_structured_text(text: str, tmp_path: Path) -> None:
    agreed(text, tmp_path, DOORS)


@pytest.mark.parametrize("text", EMPTY.values(), ids=EMPTY)
def test_an_empty_text_has_one_error(text: str, tmp_path: Path) -> None:
    assert "the source is empty; write a program" in str(
        agreed(text, tmp_path, (of_listing, *DOORS))
    )


def test_what_they_agree_on(tmp_path: Path) -> None:
    def numbers(name: str) -> object:
        path = tmp_path / FILE
        path.write_bytes(NUMBERED[name].encode())
        return Program.open(path).image.in_memory_order()

    assert numbers("a bare number deletes") == (100,)
    assert numbers("a bare number before its line") == (100, 110)
    assert numbers("deleted and written again") == (110, 100)
    assert numbers("the last of three counts") == (110, 100)
    assert numbers("rows ended by CR") == (100, 110)


def test_a_listing_in_a_container_and_in_utf_16(tmp_path: Path) -> None:
    text = NUMBERED["a bare number deletes"]
    wanted = Program.from_listing(text)
    rows = tuple(row.encode() for row in text.splitlines())
    for data in (
        text.encode("utf-16"),
        text.encode("latin-1"),
        build_tifiles(store(DiskFile.display_var("ODD", rows))),
    ):
        path = tmp_path / FILE
        path.write_bytes(data)
        assert Program.from_bytes(data) == Program.open(path) == run("", path) == wanted


def test_a_door_that_differs_is_found(tmp_path: Path) -> None:
    def keeps_deleted(text: str, path: Path) -> Program:
        return Program.from_listing("\n".join(row for row in text.split("\n") if " " in row))

    with pytest.raises(AssertionError):
        agreed(NUMBERED["a bare number deletes"], tmp_path, (of_listing, keeps_deleted))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'100 PRINT "A\0B"\n110 END\n', "x.bas:1:13: the byte >00 is no text; remove it"),
        (b"100 END\r\n110 !\1\r\n", "x.bas:2:6: the byte >01 is no text; remove it"),
        ("100 END\n".encode("utf-16-le"), "x.bas: UTF-16 without the mark that it begins with"),
        ("100 END\n".encode("utf-16-be"), "x.bas: UTF-16 without the mark that it begins with"),
        (bytes(range(256)), "the checksum is wrong"),
    ],
)
def test_a_text_that_is_spoilt(data: bytes, problem: str) -> None:
    with pytest.raises(TIError) as caught:
        _ = HostFile(data, "x.bas").content
    assert problem in str(caught.value.at("x.bas"))
