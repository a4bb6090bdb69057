"""PRINT # and INPUT # on records, with a device that is a list."""

import pytest

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.openfiles import Files
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.pab import IOFailure, Mode, OpenRequest


class ListFile:
    """Records in a list; reading past the end is I/O error 5."""

    def __init__(self, records: list[bytes], request: OpenRequest) -> None:
        self.records = records
        self.record_length = request.record_length or 80
        self.fixed = not request.variable
        self.at = 0

    def read(self, record: int) -> bytes:
        at = record if self.fixed else self.at
        if at >= len(self.records):
            raise IOFailure(5)
        self.at = at + 1
        return self.records[at]

    def write(self, data: bytes, record: int) -> None:
        if not self.fixed:
            self.records.append(data)
            return
        while len(self.records) <= record:
            self.records.append(b"")
        self.records[record] = data

    def rewind(self) -> None:
        self.at = 0

    def status(self, record: int) -> int:
        return int((record if self.fixed else self.at) >= len(self.records))

    def close(self) -> None:
        pass


class ListDevice:
    def __init__(self) -> None:
        self.files: dict[str, list[bytes]] = {}

    def open(self, name: str, request: OpenRequest) -> ListFile:
        if name not in self.files and request.mode is Mode.INPUT:
            raise IOFailure(2)
        if request.mode is Mode.OUTPUT:
            self.files[name] = []
        return ListFile(self.files.setdefault(name, []), request)

    def delete(self, name: str) -> None:
        self.files.pop(name, None)


@pytest.fixture
def device() -> ListDevice:
    return ListDevice()


@pytest.fixture
def files(device: ListDevice) -> Files:
    return Files(device, Machine().conversations, lambda: pytest.fail("PRINT #0"))


def show(files: Files, *items: object, keep: bool = False) -> None:
    """PRINT #1 with `;` between the items."""
    printer = files.printer(1)
    for i, item in enumerate(items):
        if i:
            printer.semicolon()
        if isinstance(item, str):
            printer.string(item)
        else:
            printer.number(item)  # type: ignore[arg-type]
    if keep:
        printer.semicolon()
    printer.end()


def output(files: Files, **attributes: object) -> None:
    files.open(1, "DSK1.OUT", OpenRequest(Mode.OUTPUT, **attributes))  # type: ignore[arg-type]


def test_a_number_fits_without_its_trailing_blank(files: Files, device: ListDevice) -> None:
    output(files, record_length=30)
    for i in range(1, 13):
        show(files, i, keep=True)
    files.close(1)
    assert device.files["DSK1.OUT"] == [b" 1  2  3  4  5  6  7  8  9  10", b" 11  12 "]


def test_zones_are_fourteen_columns(files: Files, device: ListDevice) -> None:
    output(files)
    for text in ("ABCDEFGHIJKLM", "ABCDEFGHIJKLMN"):
        printer = files.printer(1)
        printer.string(text)
        printer.comma()
        printer.string("X")
        printer.end()
    assert device.files["DSK1.OUT"] == [b"ABCDEFGHIJKLM X", b"ABCDEFGHIJKLMN" + b" " * 14 + b"X"]


def test_over_long_strings_are_split(files: Files, device: ListDevice) -> None:
    output(files, record_length=20)
    show(files, "X", "=" * 45)
    assert device.files["DSK1.OUT"] == [b"X", b"=" * 20, b"=" * 20, b"=" * 5]


def test_an_error_in_the_middle_keeps_what_was_pending(files: Files, device: ListDevice) -> None:
    output(files)
    show(files, "PEND", keep=True)
    files.printer(1).string("LOST")
    show(files, "!")
    assert device.files["DSK1.OUT"] == [b"PEND!"]


def test_internal_items_and_their_overflow(files: Files, device: ListDevice) -> None:
    output(files, internal=True, record_length=12)
    show(files, "AB", 5)
    with pytest.raises(XBError) as error:
        show(files, "0123456789", 5)
    assert error.value.code == xb.FILE_ERROR
    show(files, "")
    assert device.files["DSK1.OUT"] == [b"\x02AB\x08\x40\x05" + bytes(6), b"\0"]


def test_fields_of_a_display_record(files: Files, device: ListDevice) -> None:
    device.files["DSK1.IN"] = [b' A B , "C,""D" ,5', b"1E3", b'"X"Y', b"1 2", b"LAST"]
    files.open(1, "DSK1.IN", OpenRequest(Mode.INPUT))
    reader = files.reader(1)
    assert [reader.string(), reader.string(), reader.number()] == ["A B", 'C,"D', 5]
    assert reader.number() == 1000
    reader.end()
    for read in ("string", "number"):
        with pytest.raises(XBError) as error:
            getattr(files.reader(1), read)()
        assert error.value.code == xb.INPUT_ERROR
    assert files.reader(1, line=True).linput() == "LAST"
    with pytest.raises(XBError) as error:
        files.reader(1).string()
    assert (error.value.code, error.value.io_code, error.value.file) == (xb.IO_ERROR, 25, 1)


def test_a_trailing_comma_keeps_the_rest(files: Files, device: ListDevice) -> None:
    device.files["DSK1.IN"] = [b"A,B,C", b"D"]
    files.open(1, "DSK1.IN", OpenRequest(Mode.INPUT))
    reader = files.reader(1)
    assert reader.string() == "A"
    reader.end(keep=True)
    assert files.eof(1) == 0
    assert files.reader(1, line=True).linput() == "B,C"
    reader = files.reader(1)
    assert reader.string() == "D"
    reader.end(keep=True)
    assert files.eof(1) == 1
    with pytest.raises(XBError) as error:
        files.reader(1, line=True).linput()
    assert error.value.io_code == 25


def test_relative_files_share_one_record_number(files: Files, device: ListDevice) -> None:
    request = OpenRequest(relative=True, variable=False, record_length=4)
    files.open(1, "DSK1.OUT", request)
    show(files, "A")
    printer = files.printer(1, 2)
    printer.string("C")
    printer.semicolon()
    printer.end()
    assert files.reader(1, 0).string() == "A"
    show(files, "B")
    assert files.rec(1) == 2
    files.close(1)
    assert device.files["DSK1.OUT"] == [b"A   ", b"B   ", b"C   "]


@pytest.mark.parametrize(
    ("number", "code"), [(0, xb.FILE_ERROR), (-1, xb.FILE_ERROR), (256, xb.BAD_VALUE)]
)
def test_file_numbers(files: Files, number: int, code: int) -> None:
    with pytest.raises(XBError) as error:
        files.open(number, "DSK1.X", OpenRequest(Mode.OUTPUT))
    assert error.value.code == code
