"""Records ↔ sectors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ti99tools.base.errors import DiskError
from ti99tools.media.disk import records
from ti99tools.media.disk.records import load, store
from ti99tools.media.disk.tifile import DiskFile, FileType, StoredFile


def records_of(limit: int) -> st.SearchStrategy[list[bytes]]:
    return st.lists(st.binary(max_size=limit), max_size=40)


@given(st.integers(1, 254).flatmap(lambda n: st.tuples(st.just(n), records_of(n))))
def test_variable_records_come_back(case: tuple[int, list[bytes]]) -> None:
    recl, content = case
    for kind in (FileType.DIS_VAR, FileType.INT_VAR):
        file = DiskFile("X", kind, recl, tuple(content))
        stored = store(file)
        assert load(stored) == file
        assert stored.level3_records == stored.sectors
        for at in range(0, len(stored.content), 256):
            end = records.sector_end(stored.content[at : at + 256])
            assert end is not None
        if content:
            assert end == stored.eof_offset


@given(st.integers(1, 255).flatmap(lambda n: st.tuples(st.just(n), records_of(n))))
def test_fixed_records_come_back_full_length(case: tuple[int, list[bytes]]) -> None:
    recl, content = case
    full = tuple(record.ljust(recl, b"\0") for record in content)
    stored = store(DiskFile("X", FileType.INT_FIX, recl, tuple(content)))
    assert load(stored).records == full
    assert stored.level3_records == len(content)
    assert stored.sectors == -(-len(content) // (256 // recl))


@given(st.binary(max_size=2000), st.booleans())
def test_programs_come_back(data: bytes, protected: bool) -> None:
    file = DiskFile("X", FileType.PROGRAM, data=data, protected=protected)
    assert load(store(file)) == file


@pytest.mark.parametrize(
    ("size", "sectors", "eof"), [(0, 0, 0), (1, 1, 1), (255, 1, 255), (256, 1, 0), (257, 2, 1)]
)
def test_a_program_of_whole_sectors_ends_at_offset_0(size: int, sectors: int, eof: int) -> None:
    stored = store(DiskFile.program("X", b"x" * size))
    assert (stored.sectors, stored.eof_offset) == (sectors, eof)


def test_the_ff_always_has_room() -> None:
    assert store(DiskFile.display_var("X", [b"x" * 253, b""], 254)).sectors == 1
    assert store(DiskFile.display_var("X", [b"x" * 254, b""], 254)).sectors == 2


@pytest.mark.parametrize(
    "file",
    [
        DiskFile.display_var("X", [b"123456"], 5),
        DiskFile.display_fix("X", [b"123456"], 5),
        DiskFile.display_var("X", [], 0),
        DiskFile.display_var("X", [], 255),
        DiskFile.display_fix("X", [], 256),
    ],
)
def test_what_does_not_fit_is_refused_not_cut(file: DiskFile) -> None:
    with pytest.raises(DiskError, match="length"):
        store(file)


def stored(kind: FileType, content: bytes, **fields: int) -> StoredFile:
    values = {"records_per_sector": 3, "eof_offset": 0, "record_length": 80, "level3_records": 1}
    return StoredFile(name="X", flags=kind.value, content=content, **{**values, **fields})


def test_damage_is_an_error_never_a_wrong_record() -> None:
    run_over = b"\xf0".ljust(256, b"\xf0")
    with pytest.raises(DiskError, match="do not end where they should"):
        load(stored(FileType.DIS_VAR, run_over, eof_offset=9))
    with pytest.raises(DiskError, match="do not end where they should"):
        load(stored(FileType.DIS_VAR, b"\x01A\x01B\xff".ljust(256, b"\0"), eof_offset=2))
    with pytest.raises(DiskError, match="records in 2 sectors"):
        load(stored(FileType.DIS_VAR, bytes(256), level3_records=2))
    with pytest.raises(DiskError, match="4 records of 80"):
        load(stored(FileType.DIS_FIX, bytes(256), level3_records=4))
    with pytest.raises(DiskError, match="records of 0"):
        load(stored(FileType.DIS_FIX, bytes(256), record_length=0))


def test_a_sector_may_lack_its_ff_when_the_end_offset_is_right() -> None:
    content = b"\x02AB\x01C".ljust(256, b"\x07")
    assert load(stored(FileType.DIS_VAR, content, eof_offset=5)).records == (b"AB", b"C")


def test_offset_0_without_ff_means_that_the_records_fill_the_sector() -> None:
    record = b"?".ljust(64, b"X")
    assert load(stored(FileType.DIS_VAR, record * 4)).records == (record[1:],) * 4
    assert load(stored(FileType.DIS_VAR, b"\xff".ljust(256, b"\0"))).records == ()
    for content in (record * 3 + b"@" * 64, (record * 2 + b"\xff").ljust(256, b"\0")):
        with pytest.raises(DiskError, match="do not end where they should"):
            load(stored(FileType.DIS_VAR, content))


def test_sectors_taken_in_advance_hold_no_records() -> None:
    content = b"A" * 80 + bytes(176) + bytes(512)
    assert load(stored(FileType.DIS_FIX, content)).records == (b"A" * 80,)
    content = b"\x01A\xff".ljust(768, b"\0")
    assert load(stored(FileType.DIS_VAR, content, eof_offset=2)).records == (b"A",)
