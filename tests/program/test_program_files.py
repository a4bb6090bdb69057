"""Program files: recorded sizes exactly, round trips of odd layouts, damaged files refused."""

import json
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ti99tools.base.decoding import is_text
from ti99tools.base.errors import DiskError, ProgramError, SourceError, TIError
from ti99tools.language.listing.listing import Line
from ti99tools.language.program.memory_image import ProgramImage
from ti99tools.language.program.program import Program, Saved
from ti99tools.language.program.sourcefile import read_source
from ti99tools.media.disk.hostfiles import build_tifiles
from ti99tools.media.disk.records import bare, pack_variable, store
from ti99tools.media.disk.tifile import DiskFile

RECORDED = Path(__file__).parents[1] / "conformance" / "tokens-size.jsonl"
CASES = [json.loads(line) for line in RECORDED.read_text().splitlines()]
SMALL = Program.from_listing('100 PRINT "A";B\n110 GOTO 100\n120 REM X\n')


def records(form: dict[str, Any]) -> list[bytes]:
    return [bytes.fromhex(record) for record in form["records"]]


def pack(rows: Iterable[bytes]) -> bytes:
    """Records in bare sectors."""
    return pack_variable(tuple(rows))[0]


def same(saved: Saved, form: dict[str, Any]) -> bool:
    if saved.type != form["type"]:
        return False
    if saved.type == "PROGRAM":
        return saved.content == bytes.fromhex(form["data"])
    return list(saved.content) == records(form) and saved.recl == form["recl"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_what_save_writes(case: dict[str, Any]) -> None:
    form = case["input"]
    if form["type"] == "PROGRAM":
        program = Program.from_bytes(bytes.fromhex(form["data"]))
        assert program.to_program_bytes().hex() == form["data"]
    else:
        program = Program.from_records(records(form))
        assert Program.from_bytes(pack(records(form))) == program
    assert same(program.saved(), case["saved"])
    assert same(program.with_protection(True).saved(), case["protected"])
    assert list(program.to_merge_records()) == [bytes.fromhex(r) for r in case["merge"]]
    assert [r.decode("latin-1") for r in program.list_records()] == case["listing"]
    assert same(Program.from_listing("\n".join(case["source"])).saved(), case["saved"])


def test_protected_long_program_is_read() -> None:
    program = Program.from_records(SMALL.with_protection(True).to_long_records())
    assert program.protected
    assert program.lines == SMALL.lines
    with pytest.raises(ProgramError, match="protected"):
        program.to_merge_records()


@st.composite
def layouts(draw: st.DrawFn) -> bytes:
    """PROGRAM files as real ones are: any line order, dead bytes, any top, bytes after."""
    numbers = draw(st.lists(st.integers(1, 32767), min_size=1, max_size=8, unique=True))
    top = draw(st.sampled_from([0x37D7, 0x3FFF, 0x3BE3, 0x36D7]))
    memory = b""
    table = []
    for number in numbers:
        dead = draw(st.binary(max_size=5))
        tokens = draw(st.binary(min_size=1, max_size=30))
        memory = bytes([len(tokens) + 1]) + tokens + b"\0" + dead + memory
        table.append((number, len(memory) - 1))
    memory = draw(st.binary(max_size=3)) + memory
    entries = [struct.pack(">2H", n, top + 1 - back) for n, back in sorted(table, reverse=True)]
    end = top - len(memory)
    start = end + 1 - 4 * len(entries)
    check = start ^ end
    if draw(st.booleans()):
        check = -check & 0xFFFF
    head = struct.pack(">4H", check, end, start, top)
    return head + b"".join(entries) + memory + draw(st.binary(max_size=4))


@given(layouts())
def test_layout_survives_when_nothing_is_edited(data: bytes) -> None:
    program = Program.from_bytes(data)
    assert program.to_program_bytes() == data
    again = Program.from_records(program.to_long_records())
    assert again == program
    assert again.image.memory == program.image.memory
    assert again.image.in_memory_order() == program.image.in_memory_order()
    assert program.listing().count("\n") == len(program.lines)


@given(layouts(), st.data())
def test_editing_moves_lines_and_keeps_the_others(data: bytes, draws: st.DataObject) -> None:
    image = Program.from_bytes(data).image
    lines = {line.number: line for line in image.lines()}
    gone = draws.draw(st.sampled_from(sorted(lines)))
    before = image.in_memory_order()
    image = image.without(gone)
    assert image.in_memory_order() == tuple(n for n in before if n != gone)
    new = Line(draws.draw(st.integers(1, 32767)), draws.draw(st.binary(min_size=1, max_size=9)))
    image = image.with_line(new)
    del lines[gone]
    lines[new.number] = new
    assert image.lines() == tuple(lines[n] for n in sorted(lines))
    assert image.in_memory_order()[-1] == new.number


@given(layouts() | st.just(SMALL.to_program_bytes()), st.data())
def test_damaged_program_files(data: bytes, draws: st.DataObject) -> None:
    """A clear error, or a program that is written back as it was read."""
    damaged = bytearray(data)
    for _ in range(draws.draw(st.integers(1, 4))):
        damaged[draws.draw(st.integers(0, len(damaged) - 1))] = draws.draw(st.integers(0, 255))
    cut = draws.draw(st.integers(0, len(damaged)))
    for candidate in (bytes(damaged), bytes(damaged[:cut])):
        try:
            program = Program.from_bytes(candidate)
        except TIError as error:
            assert error.problem
        else:
            assert is_text(candidate) or program.to_program_bytes() == candidate
            assert program.listing()
            assert program.memory.program == program.size


@given(st.binary(max_size=600))
def test_any_bytes(data: bytes) -> None:
    try:
        assert Program.from_bytes(data).lines
    except TIError as error:
        assert error.problem


@given(st.data())
def test_damaged_records(draws: st.DataObject) -> None:
    forms = [SMALL.to_long_records(), SMALL.to_merge_records()]
    damaged = [bytearray(r) for r in draws.draw(st.sampled_from(forms))]
    record = draws.draw(st.sampled_from([r for r in damaged if r]))
    record[draws.draw(st.integers(0, len(record) - 1))] = draws.draw(st.integers(0, 255))
    if draws.draw(st.booleans()):
        damaged.pop(draws.draw(st.integers(0, len(damaged) - 1)))
    try:
        assert Program.from_records([bytes(r) for r in damaged]).lines
    except ProgramError as error:
        assert error.problem


def with_words(**words: int) -> bytes:
    """SMALL's PROGRAM file with header words changed."""
    fields = dict(zip(("check", "end", "start", "top"), struct.unpack(">4H", HEAD), strict=True))
    fields |= words
    return struct.pack(">4H", *fields.values()) + SMALL.to_program_bytes()[8:]


HEAD = SMALL.to_program_bytes()[:8]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\x01", "at least 8 bytes"),
        (with_words(check=0x1234), "checksum"),
        (with_words(end=0x37D8, check=0x37D8 ^ 0x37B9), "length"),
        (SMALL.to_program_bytes()[:-3], "3 of .* bytes are missing"),
        (SMALL.to_program_bytes()[:8] + b"\0" * 100, "descending order"),
        (SMALL.to_program_bytes()[:10] + b"\0\0" + SMALL.to_program_bytes()[12:], "outside"),
    ],
)
def test_errors_say_what_is_wrong(data: bytes, problem: str) -> None:
    with pytest.raises(ProgramError, match=problem):
        Program.from_bytes(data)


def test_bare_sectors_of_records() -> None:
    rows = (b"", b"A" * 254, b"B" * 100, b"C" * 154, b"D" * 155)
    assert bare(pack(rows)) == rows
    assert len(pack(rows)) % 256 == 0
    with pytest.raises(DiskError, match="runs over the end of sector 0"):
        bare(b"\x05AB")


@pytest.mark.parametrize("form", ["long", "merge"])
@pytest.mark.parametrize("filling", [b"", bytes(40)])
def test_records_without_the_last_ff_are_read_with_and_without_a_header(
    form: str, filling: bytes
) -> None:
    rows = SMALL.to_long_records() if form == "long" else SMALL.to_merge_records()
    end = pack_variable(rows)[1]
    bytes_alone = pack(rows)[:end] + filling
    assert Program.from_bytes(bytes_alone) == SMALL
    make = DiskFile.internal_var if form == "long" else DiskFile.display_var
    container = build_tifiles(store(make("P", rows, 254 if form == "long" else 163)))
    assert Program.from_bytes(container[: 128 + end] + filling) == SMALL


def test_a_header_that_counts_no_sectors_of_records_is_helped() -> None:
    container = bytearray(build_tifiles(store(DiskFile.internal_var("P", SMALL.to_long_records()))))
    container[0x0C] = container[0x0E] = 0
    assert Program.from_bytes(bytes(container)) == SMALL


@pytest.mark.parametrize("end", [b"", b"\xff", b"\xff" + bytes(40)])
def test_the_long_form_without_sectors_is_read(end: bytes) -> None:
    big = Program.from_lines([Line(n, b"\x9a" + b"X" * 151) for n in range(1, 90)])
    for program in (SMALL, big, big.with_protection(True)):
        rows = program.to_long_records()
        assert Program.from_bytes(b"".join(bytes([len(r)]) + r for r in rows) + end) == program
    with pytest.raises(TIError):
        Program.from_bytes(b"".join(bytes([len(r)]) + r for r in rows)[:-3])


def test_the_last_record_may_tell_the_length_of_a_full_one() -> None:
    big = Program.from_lines([Line(n, b"\x9a" + b"X" * 151) for n in range(1, 90)])
    for program in (SMALL, big):
        head, *rows = program.to_long_records()
        data = bytes([len(head)]) + head + b"".join(b"\xfe" + row for row in rows)
        assert Program.from_bytes(data) == program
        with pytest.raises(TIError, match=r"3 of .* bytes are missing"):
            Program.from_bytes(data[:-3])


def test_an_end_told_one_byte_late_is_read() -> None:
    rows = SMALL.to_merge_records()
    container = bytearray(build_tifiles(store(DiskFile.display_var("M", rows, 163))))
    container[0x0C] += 1
    assert Program.from_bytes(bytes(container)) == SMALL
    container[0x0C] += 1
    with pytest.raises(TIError, match="do not end where they should"):
        Program.from_bytes(bytes(container))


def test_tifiles_and_v9t9_headers() -> None:
    data = SMALL.to_program_bytes()
    padded = data.ljust(256, b"\xe5")
    tifiles = b"\x07TIFILES\0\x01\x01\0" + bytes([len(data)]) + b"\0" * 115
    v9t9 = b"PROG      \0\0\x01\0\0\x01" + bytes([len(data)]) + b"\0" * 111
    assert Program.from_bytes(tifiles + padded).to_program_bytes() == data
    assert Program.from_bytes(v9t9 + padded).to_program_bytes() == data
    merge = pack(SMALL.to_merge_records())
    assert Program.from_bytes(b"\x07TIFILES\0\x01\x80\x01\0\xa3" + b"\0" * 114 + merge) == SMALL
    with pytest.raises(ProgramError, match="fixed records"):
        Program.from_bytes(b"\x07TIFILES\0\x01\0\x03\0\x50" + b"\0" * 114 + merge)


def test_listing_file_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "game.bas"
    path.write_bytes(b'\xef\xbb\xbf 100 print "A";b\r\n\r\n\t110 goto 100\r\n120 rem X')
    assert Program.open(path).lines[:2] == SMALL.lines[:2]
    path.write_text("100 PRINT 1\n110 PRINT ?\n")
    with pytest.raises(SourceError, match=r"game\.bas:2:11: UNRECOGNIZED CHARACTER"):
        Program.open(path)
    with pytest.raises(TIError, match="missing"):
        Program.open(tmp_path / "missing")


@given(st.sampled_from([b"\x9a ", b"\x83", b"\x9cA\x83"]), st.binary(max_size=80))
def test_comments_of_any_bytes_go_through_a_listing(start: bytes, comment: bytes) -> None:
    program = Program.from_lines([Line(100, start + comment.replace(b"\0", b" "))])
    assert Program.from_listing(program.listing()).lines == program.lines


def test_control_characters_go_through_a_listing() -> None:
    program = Program.from_lines([Line(100, b"\x9c\xc7\x04\x0a\x00\x7f\x85")])
    assert Program.from_listing(program.listing()).lines == program.lines
    assert program.listing() == '100 PRINT "␊␀␡▅"\n'


def test_limits() -> None:
    full = [Line(n, b"\x9a" + b"X" * 151) for n in range(1, 155)]
    assert Program.from_lines(full).size == 154 * 158
    with pytest.raises(ProgramError, match="memory holds 24487"):
        Program.from_lines([*full, Line(200, b"\x9a" + b"X" * 151)])
    with pytest.raises(ProgramError, match="PROGRAM file holds 11584"):
        Program.from_lines(full).to_program_bytes()
    with pytest.raises(ProgramError, match="has 255 bytes of tokens"):
        Program.from_lines([Line(1, b"\x9a" * 255)])
    with pytest.raises(ProgramError, match="MERGE"):
        Program.from_lines([Line(1, b"\x9a" * 161)]).to_merge_records()
    for number in (0, 32768, 65535, 70000):
        with pytest.raises(ProgramError, match="not within 1–32767"):
            Program.from_lines([Line(number, b"\x8b")])


def test_saved_normalises_the_top_and_drops_what_is_behind() -> None:
    image = SMALL.image
    data = image.to_program(top=0x3FFF) + b"junk"
    program = Program.from_bytes(data)
    assert program.to_program_bytes() == data
    assert program.saved().content == SMALL.to_program_bytes()


def test_shared_bytes_do_not_tear_when_a_line_goes() -> None:
    image = ProgramImage(((10, 3), (20, 3)), b"\x03\x9c\x41\x00"[:4])
    assert [line.tokens for line in image.lines()] == [b"\x9cA", b"\x9cA"]
    assert image.without(10).lines() == (Line(20, b"\x9cA"),)


def test_a_program_has_a_line() -> None:
    for empty in ("100\n", "100 PRINT\n100\n"):
        with pytest.raises(SourceError, match="no program line"):
            Program.from_listing(empty)
    with pytest.raises(ProgramError, match="no line"):
        Program.from_records([b"\xff\xff"])
    with pytest.raises(ProgramError, match="no line"):
        Program.from_lines([]).saved()


def test_a_text_file_of_the_console_is_read_as_a_listing(tmp_path: Path) -> None:
    """As LIST "DSK1.X" writes it: rows of 80, the first one empty."""
    long = f'100 PRINT "{"X" * 75}" :: PRINT 1'
    rows = (b"", long[:80].encode(), long[80:].encode(), b'110 PRINT "\x85"', b"120 END")
    path = tmp_path / "LISTING"
    path.write_bytes(build_tifiles(store(DiskFile.display_var("LISTING", rows, 80))))
    source = read_source(path)
    assert [entry.number for entry in source.entries] == [100, 110, 120]
    assert source.width == 80
    assert str(source.entries[1].place) == f"{path}:4:1"
    assert Program.from_bytes(path.read_bytes()) == Program.of(source)


def test_a_text_file_of_the_console_that_is_no_listing_is_not_taken_for_a_cut_program() -> None:
    data = build_tifiles(store(DiskFile.display_var("NOTES", (b"BUY BREAD", b"AND MILK"), 80)))
    with pytest.raises(ProgramError, match="a text, and no listing"):
        Program.from_bytes(data)


@pytest.mark.parametrize(
    "data",
    [
        "100 PRINT 1\n110 END\n".encode("utf-16"),
        b"\xfe\xff" + "100 PRINT 1\n110 END\n".encode("utf-16-be"),
        b"100 PRINT 1\r110 END\r\x1a\x1a",
        b"100 PRINT 1\n110 END\n" + bytes(100),
    ],
)
def test_texts_of_other_systems(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "p.bas"
    path.write_bytes(data)
    assert Program.of(read_source(path)).listing() == "100 PRINT 1\n110 END\n"
