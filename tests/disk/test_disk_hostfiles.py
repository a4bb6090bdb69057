"""TI files on the host: containers, texts, names."""

import os
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ti99tools.app.disk import open_image
from ti99tools.base.errors import DiskError, Remedy, TIError
from ti99tools.language.program.hostfile import HostFile
from ti99tools.media.disk import catalog, hostfiles, records
from ti99tools.media.disk import records as text
from ti99tools.media.disk.extract import (
    from_host,
    host_path,
    select,
    the_one,
    to_host,
    write_all,
    write_new,
)
from ti99tools.media.disk.tifile import DiskFile, FileType, StoredFile, longest

TI_CHARACTER = st.characters(min_codepoint=0x21, max_codepoint=0xFF, exclude_characters=".\x7f")
NAME = st.text(TI_CHARACTER, min_size=1, max_size=10)
STORED = st.builds(
    lambda content, **fields: StoredFile(content=content * 256, **fields),
    content=st.binary(max_size=3),
    name=NAME,
    flags=st.sampled_from([0, 1, 2, 8, 0x80, 0x82, 0x8A, 0x91]),
    records_per_sector=st.integers(0, 255),
    eof_offset=st.integers(0, 255),
    record_length=st.integers(0, 255),
    level3_records=st.integers(0, 0xFFFF),
    created=st.integers(0, 2**32 - 1),
    updated=st.integers(0, 2**32 - 1),
)


@given(STORED)
def test_containers_keep_every_field_and_byte(file: StoredFile) -> None:
    assert hostfiles.contained(hostfiles.build_tifiles(file)) == file
    assert len(hostfiles.build_tifiles(file)) == 128 + len(file.content)
    built = hostfiles.build_fiad(file)
    assert hostfiles.contained(built) == file
    assert HostFile(built, "x").ti_file == file


def test_tifiles_byte_for_byte() -> None:
    file = records.store(DiskFile.display_var("README", [b"HELLO"]))
    assert hostfiles.build_tifiles(file)[:128] == (
        b"\x07TIFILES\x00\x01\x80\x03\x06\x50\x01\x00README    " + bytes(102)
    )
    assert hostfiles.build_fiad(file)[:128] == (
        b"README    \x00\x00\x80\x03\x00\x01\x06\x50\x01\x00" + bytes(108)
    )


def test_odd_tifiles_of_real_programs() -> None:
    file = records.store(DiskFile.program("P", b"x" * 300))
    data = hostfiles.build_tifiles(file)
    assert hostfiles.contained(data[: 128 + 300]) == file  # last sector cut short
    assert hostfiles.contained(data + bytes(128)) == file  # padded by a transfer
    assert hostfiles.contained(b"\x08" + data[1:]) == file
    varied = data[:0x26] + b"\xca\x53" * 45 + data[0x80:]
    assert hostfiles.contained(varied) == file
    nameless = data[:0x10] + bytes(10) + data[0x1A:]
    found = HostFile(nameless, "/tmp/game.tfi").ti_file
    assert found is not None
    assert found.name == "GAME"
    with pytest.raises(DiskError, match="2 sectors, 1 are there"):
        hostfiles.contained(data[: 128 + 256])


def test_what_is_no_fiad_file() -> None:
    good = hostfiles.build_fiad(records.store(DiskFile.program("P", b"x" * 300)))
    assert HostFile(good).container == "fiad"
    for bad in (good[:-256], good + bytes(256), b"A.B" + good[3:], good[:12] + b"\x44" + good[13:]):
        assert HostFile(bad).container != "fiad"
    assert HostFile(bytes(128)).container != "fiad"
    assert HostFile(b"100 PRINT 1\n" * 30, "x").ti_file is None


@given(NAME)
def test_host_names_are_reversible_and_safe(name: str) -> None:
    host = to_host(name)
    assert from_host(host, dotted=True) == name
    assert from_host(f"/some/where/{host}.txt", dotted=True) == name
    assert from_host(host.replace(".", "%2F")) == name
    assert os.path.basename(host) == host
    assert host.strip(".") == host
    assert set(host) <= set(".ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'()+,-;=@[]^_`{}")
    assert len(host) <= 30


@given(st.lists(NAME, unique=True))
def test_no_two_names_become_one_even_without_case(names: list[str]) -> None:
    assert len({to_host(name).lower() for name in names}) == len(names)


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("D5000", "D5000"),
        ("DM/2", "DM.2"),
        ("A/B/C", "A.B.C"),
        ("/A", "%2FA"),
        ("A/", "A%2F"),
        ("A//B", "A%2F%2FB"),
        ("DOC/TXT", "DOC%2FTXT"),
        ("CON/X", "%43ON.X"),
        ("load", "%6C%6F%61%64"),
        ("CON", "%43ON"),
        ("COM1", "%43OM1"),
        ("LPT9", "%4CPT9"),
        ("NUL", "%4EUL"),
        ("100%", "100%25"),
        ("A*B?", "A%2AB%3F"),
        ("..", "%2E%2E"),
        ("", "%"),
        ("../X", "%2E%2E.X"),
        ("\\\\", "%5C%5C"),
        ("~", "%7E"),
    ],
)
def test_host_names(name: str, host: str) -> None:
    assert to_host(name) == host


def test_names_from_the_host() -> None:
    assert from_host("game/d5000.xb") == "D5000"
    assert from_host("README") == from_host("README.md") == "README"
    assert from_host("game.mrg") == from_host("GAME.b99") == "GAME"
    assert from_host("dm%2f2.txt") == from_host("dm.2.txt", dotted=True) == "DM/2"
    for path in ("much-too-long-a-name.txt", "two words.txt", ".txt.txt", "ä€.txt", "a.b c"):
        with pytest.raises(DiskError, match="gives no TI file name") as caught:
            from_host(path)
        assert caught.value.meaning is Remedy.NAME_FILE
    with pytest.raises(DiskError, match=r"'a\.b' gives no TI file name; .* the name A/B"):
        from_host("a.b")


def test_nothing_is_written_outside_or_over(tmp_path: Path) -> None:
    for name in ("../../X", "/etc/passwd", "..", "A/B", "C:\\X"):
        assert tmp_path in host_path(tmp_path, name).resolve().parents
    assert host_path(tmp_path, "GAMES.A/B") == tmp_path / "GAMES" / "A.B"
    target = tmp_path / "X"
    write_new(target, b"1")
    with pytest.raises(DiskError, match="already exists"):
        write_new(target, b"2")
    assert target.read_bytes() == b"1"
    write_new(target, b"2", replace=True)
    assert target.read_bytes() == b"2"
    with pytest.raises(TIError, match=r"/X: not a folder; make it first"):
        write_new(target / "Y", b"3")
    with pytest.raises(TIError, match=r"/new: no such folder; make it first"):
        write_new(tmp_path / "new" / "X", b"1")


def test_several_files_are_written_all_or_none(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "files"
    files = {folder / name: name.encode() for name in ("A", "B", "C")}
    write_all(folder, files)
    assert all(path.read_bytes() == data for path, data in files.items())
    (folder / "A").unlink()
    with pytest.raises(DiskError, match="/B: this file and 1 more already exist, nothing was"):
        write_all(folder, files)
    assert not (folder / "A").exists()
    write_all(folder, files, replace=True)
    (folder / "C").unlink()
    (folder / "C").mkdir()
    with pytest.raises(DiskError, match="/C: a folder is there already"):
        write_all(folder, dict.fromkeys(files, b"new"), replace=True)
    assert (folder / "A").read_bytes() == b"A"
    with pytest.raises(TIError, match="/A: cannot make the folder: File exists; choose"):
        write_all(folder / "A", {folder / "A" / "X": b""})


def test_a_full_disk_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    folder = tmp_path / "new" / "files"
    with pytest.raises(TIError, match="no space left"):
        write_all(folder, {folder / "A": b"A", folder / "SUB" / "B": b"B"})
    assert not list(tmp_path.iterdir())


@given(st.lists(st.binary(max_size=80)))
def test_records_become_text_and_back(content: list[bytes]) -> None:
    written = text.to_text(content)
    assert text.to_records(written) == tuple(content)
    assert written.count("\n") == len(content)
    assert all(c == "\n" or c >= " " for c in written)


def test_codes_that_editors_take_for_line_ends_are_written_out() -> None:
    content = (b"A\x85B\x80\x9f", b"\xa0\xff")
    assert text.to_text(content) == "A\\x85B\\x80\\x9F\n\xa0\xff\n"
    assert len(text.to_text(content).splitlines()) == 2
    assert text.to_records(text.to_text(content)) == content


def test_texts_of_the_host() -> None:
    assert text.to_records("\ufeffA\r\nB\n\nC") == (b"A", b"B", b"", b"C")
    assert text.to_records("") == ()
    assert text.to_text([b"TAB\x09", b"\\x41", b"\\"]) == "TAB\\x09\n\\x5Cx41\n\\\n"
    with pytest.raises(DiskError, match=r"2: the line has 81 characters"):
        text.to_records("A\n" + "B" * 81)
    with pytest.raises(DiskError, match="line 1, column 2: the TI has no character '€'"):
        text.to_records("A€")


def test_bare_bytes_become_files_of_a_type() -> None:
    assert hostfiles.read_as(b"\0\1", "P", FileType.PROGRAM).data == b"\0\1"
    assert hostfiles.read_as(b"A\nB\n", "T", FileType.DIS_VAR).records == (b"A", b"B")
    assert hostfiles.read_as(b"A\nB\n", "T", FileType.DIS_FIX, 3).records == (b"A  ", b"B  ")
    assert hostfiles.read_as(bytes(256), "T", FileType.INT_FIX).recl == 128
    with pytest.raises(DiskError, match="whole number"):
        hostfiles.read_as(bytes(100), "T", FileType.INT_FIX)
    assert hostfiles.read_as(b"\1A\0\2BC", "T", FileType.INT_VAR).records == (b"A", b"", b"BC")
    with pytest.raises(DiskError, match="after the length 3 at byte 2 is cut off"):
        hostfiles.read_as(b"\1A\3BC", "T", FileType.INT_VAR)
    with pytest.raises(DiskError, match="a record has 3 bytes, not 2"):
        hostfiles.read_as(b"\3ABC", "T", FileType.DIS_VAR, 2, "raw")
    for kind in (FileType.PROGRAM, FileType.INT_FIX, FileType.INT_VAR):
        with pytest.raises(DiskError, match="no text") as caught:
            hostfiles.read_as(b"A\n", "T", kind, form="text")
        assert caught.value.meaning is Remedy.NOT_TEXT


def test_what_was_given_is_not_proposed_again() -> None:
    for kind, form, words in (
        (FileType.DIS_VAR, "raw", Remedy.TAKE_AS_TEXT.value),
        (FileType.INT_VAR, "raw", "before each record stands a byte with its length"),
        (FileType.DIS_FIX, "raw", Remedy.RECORD_LENGTH.value),
    ):
        with pytest.raises(DiskError) as caught:
            hostfiles.read_as(b"HELLO\nYOU", "T", kind, form=form)
        assert caught.value.remedy == words


@pytest.mark.parametrize(
    ("data", "kind", "recl", "expected"),
    [
        (b"\1" + 39 * b"A" + b"\n" + 39 * b"A", FileType.DIS_FIX, 40, 2),
        (80 * b"A", FileType.DIS_FIX, 40, 2),
        (40 * b"A", FileType.DIS_FIX, 40, 1),
        (39 * b"A" + b"\n", FileType.DIS_FIX, 40, "text of 1 lines, and 1 records of DIS/FIX 40"),
        (19 * b"A" + b"\n" + 19 * b"B" + b"\n", FileType.DIS_FIX, 40, "text of 2 lines, and 1 rec"),
        (b"ONE\r\nTWO\r\n", FileType.DIS_FIX, 40, 2),
        (b"ONE\nTWO", FileType.DIS_VAR, 80, 2),
        (b"\3ONE\0\3TWO", FileType.DIS_VAR, 80, 3),
        (b"  ABCDEFGHIJKLMNOPQRSTUVWXYZABCDE", FileType.DIS_VAR, 80, "can be text of 1 lines"),
        (b"\3ON", FileType.DIS_VAR, 80, "neither text .* nor records: the record after the length"),
        (b"\1\n\n", FileType.DIS_FIX, 2, "neither text .* nor records: 3 bytes are not"),
        (81 * b"A" + b"\n", FileType.DIS_FIX, 80, "the line has 81 characters"),
        (b"", FileType.DIS_FIX, 80, 0),
        (b"", FileType.DIS_VAR, 80, 0),
    ],
)
def test_text_or_bare_records(data: bytes, kind: FileType, recl: int, expected: int | str) -> None:
    if isinstance(expected, int):
        assert len(hostfiles.read_as(data, "T", kind, recl).records) == expected
        return
    with pytest.raises(DiskError, match=expected) as caught:
        hostfiles.read_as(data, "T", kind, recl)
    neither = Remedy.TAKE_AS_TEXT if kind.variable else Remedy.RECORD_LENGTH
    remedies = {"neither": neither, "can be": Remedy.TEXT_OR_RAW, "text of": Remedy.TEXT_OR_RAW}
    start = next((start for start in remedies if start in caught.value.problem), "")
    assert caught.value.meaning is remedies.get(start, Remedy.LONGER_RECORDS)


RECORDED = [kind for kind in FileType if kind is not FileType.PROGRAM]
BYTES = st.one_of(st.binary(max_size=255), st.text("AZ \n", max_size=255).map(str.encode))


@given(st.sampled_from(RECORDED), st.integers(1, 255), st.lists(BYTES, max_size=6))
def test_bare_records_come_back(kind: FileType, recl: int, parts: list[bytes]) -> None:
    """`disk get --form raw`, then `disk add`: the same sectors, or the question which form."""
    recl = min(recl, longest(kind.variable))
    stored = records.store(DiskFile("T", kind, recl, tuple(part[:recl] for part in parts)))
    raw = hostfiles.write_form(stored, "raw")
    assert records.store(hostfiles.read_as(raw, "T", kind, recl, "raw")) == stored
    try:
        again = hostfiles.read_as(raw, "T", kind, recl)
    except DiskError as error:
        assert error.meaning is Remedy.TEXT_OR_RAW
        assert "can be text" in error.problem
    else:
        assert records.store(again) == stored


@given(st.lists(st.text("ABC xyz/\\\x0e\xe4", max_size=40), max_size=6), st.booleans())
def test_texts_come_back(lines: list[str], variable: bool) -> None:
    kind = FileType.DIS_VAR if variable else FileType.DIS_FIX
    stored = records.store(DiskFile("T", kind, 40, tuple(line.encode("latin-1") for line in lines)))
    text = hostfiles.write_form(stored, "text")
    assert records.store(hostfiles.read_as(text, "T", kind, 40, "text")) == stored


def test_forms_of_a_file() -> None:
    stored = records.store(DiskFile.display_var("T", [b"A", b"BC"]))
    assert hostfiles.write_form(stored, "text") == b"A\nBC\n"
    assert hostfiles.write_form(stored, "raw") == b"\1A\2BC"
    fixed = records.store(DiskFile.display_fix("F", [b"A", b"BC"], 3))
    assert hostfiles.write_form(fixed, "raw") == b"A  BC "
    with pytest.raises(DiskError, match="PROGRAM, no text") as caught:
        hostfiles.write_form(records.store(DiskFile.program("P", b"")), "text")
    assert caught.value.meaning is Remedy.LIST_OR_TIFILES
    with pytest.raises(DiskError, match="no form"):
        hostfiles.write_form(stored, "zip")


@given(st.datetimes(datetime(1970, 1, 1), datetime(2069, 12, 31, 23, 59, 58)))
def test_stamps_come_back_to_two_seconds(moment: datetime) -> None:
    even = moment.replace(second=moment.second & ~1, microsecond=0)
    time = moment.hour << 11 | moment.minute << 5 | moment.second // 2
    date = moment.year % 100 << 9 | moment.month << 5 | moment.day
    assert catalog.to_datetime(time << 16 | date) == even


def test_stamps_bit_by_bit() -> None:
    moment = datetime(1985, 7, 14, 13, 45, 30)
    stamp = (13 << 11 | 45 << 5 | 15) << 16 | 85 << 9 | 7 << 5 | 14
    assert catalog.to_datetime(stamp) == moment
    assert catalog.to_datetime(0) is None
    assert catalog.to_datetime(0xFFFFFFFF) is None


def test_choosing_names() -> None:
    names = ["A*B", "AXB", "LOAD", "load", "SUB.X"]
    assert select(names, ["A*B"]) == ["A*B"]
    assert select(names, ["A?B"]) == ["A*B", "AXB"]
    assert select(names, ["Load"]) == ["LOAD"]
    assert select(names, ["load", "axb"]) == ["AXB", "load"]
    assert select(names, ["sub.*"]) == ["SUB.X"]
    assert select(names, ["*"]) == names
    with pytest.raises(DiskError, match="no file 'Q'"):
        select(names, ["A*B", "Q"])
    with pytest.raises(DiskError, match="5 files"):
        the_one(names, "*")


def test_a_ti_file_that_is_taken_for_a_disk(tmp_path: Path) -> None:
    stored = records.store(DiskFile.program("GAME", b"x" * 300))
    for build in (hostfiles.build_tifiles, hostfiles.build_fiad):
        (tmp_path / "GAME").write_bytes(build(stored))
        with pytest.raises(DiskError, match="a TI file, not a disk image") as caught:
            open_image(tmp_path / "GAME")
        assert caught.value.meaning is Remedy.ADD_TO_DISK
    (tmp_path / "GAME").write_bytes(b"x" * 300)
    with pytest.raises(DiskError, match="not a disk image in any known format"):
        open_image(tmp_path / "GAME")
