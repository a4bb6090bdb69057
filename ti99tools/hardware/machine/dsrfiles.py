"""Open disk files: records packed into sectors as the disk controller's routines do it.

A file's descriptor is held in memory and written by CLOSE; until then the disk shows a new file
with a name and nothing else. A failed operation closes the file (recorded: after I/O ERROR 25 or 43
CLOSE finds no file, and everything written before is on the disk). VARIABLE: length byte and data,
FF after a sector's last record; only that of the last sector ends the file, whatever the descriptor
says (recorded for a file without it). FIXED: 256 // length records a sector.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, NoReturn

from ti99tools.base.cycles import console as cycles
from ti99tools.base.cycles.code import CARD_LOADED_BYTE, CARD_LOOKED, CARD_READ, CARD_WRITTEN
from ti99tools.hardware.machine.dsrvolume import DiskVolume
from ti99tools.hardware.machine.pab import (
    DEVICE_ERROR,
    FILE_ERROR,
    ILLEGAL_OPERATION,
    PAST_END,
    DeviceFile,
    IOFailure,
    Mode,
)
from ti99tools.media.disk import descriptors
from ti99tools.media.disk.descriptors import Fdr
from ti99tools.media.disk.geometry import MAX_FILES, SECTOR
from ti99tools.media.disk.records import END
from ti99tools.media.disk.volume import ROOT_INDEX, VOLUME_BLOCK


class RecordTimes(NamedTuple):
    """Cycles of reading and writing a record and each of its bytes, and of a look for the end."""

    read: int
    read_byte: int
    written: int
    written_byte: int
    looked: int


BASIC_TIMES = RecordTimes(
    cycles.DISK_READ,
    cycles.DISK_READ_BYTE,
    cycles.DISK_WRITTEN,
    cycles.DISK_WRITTEN_BYTE,
    cycles.DISK_LOOKED,
)
"""With what Extended BASIC itself takes for a statement."""
CODE_TIMES = RecordTimes(CARD_READ, CARD_LOADED_BYTE, CARD_WRITTEN, CARD_LOADED_BYTE, CARD_LOOKED)
"""Of the controller alone, where machine code calls it."""


class DiskDataFile:
    """What VARIABLE and FIXED files share: descriptor, sectors, closing.

    `_used` counts FIXED records, or the sectors of a VARIABLE file, the last of which is filled up
    to `_end`; there may be more `sectors`.
    """

    fixed = False
    times = BASIC_TIMES

    def __init__(
        self, volume: DiskVolume, sector: int, fdr: Fdr, sectors: list[int], mode: Mode
    ) -> None:
        self.volume = volume
        self.descriptor_sector = sector
        self._fdr = fdr
        self._used = fdr.level3_records
        self._end = fdr.eof_offset
        self.sectors = sectors
        self.mode = mode
        self.is_open = True
        self.record_length = fdr.record_length
        # OUTPUT writes a descriptor even if nothing is printed.
        self._modified = mode is Mode.OUTPUT
        self._held: int | None = None
        self._changed = False
        self.namesake: Callable[[], DeviceFile] | None = None
        """Finds the open file of the same name, see `close`; raises IOFailure."""

    def _check_open(self) -> None:
        if not self.is_open:
            raise IOFailure(FILE_ERROR)

    def _fail(self, code: int) -> NoReturn:
        """Close the file and refuse the operation."""
        if self.is_open:
            self.close()
        raise IOFailure(code)

    def _sector_for(self, index: int) -> int:
        """The disk sector of file sector `index`; the file grows to it."""
        fresh = len(self.sectors) <= index
        while len(self.sectors) <= index:
            try:
                self.volume.check_present()
                self.volume.extend(self.sectors)
            except IOFailure as failure:
                self._fail(failure.code)
        self._hold(index, fresh)
        self._changed = True
        return self.sectors[index]

    def _hold(self, index: int, fresh: bool = False) -> None:
        """Take the time until the file's buffer holds file sector `index`; a `fresh` one is not
        read.

        A changed buffer is written to the disk first.
        """
        if index == self._held:
            return
        self.volume.check_present()
        self._put_back()
        if not fresh:
            self.volume.drive.read(self.sectors[index])
        self._held = index

    def _put_back(self) -> None:
        if self._changed and self._held is not None:
            self.volume.drive.write(self.sectors[self._held])
        self._changed = False

    def rewind(self) -> None:
        """Back to the first record; error 3 for OUTPUT and APPEND."""
        self._check_open()
        self.volume.drive.spend(cycles.DISK_REWOUND)
        if self.mode in (Mode.OUTPUT, Mode.APPEND):
            self._fail(ILLEGAL_OPERATION)

    def close(self) -> None:
        """Write the descriptor if anything changed.

        The controller knows a file by its name alone: after this one is closed, it closes another
        of that name (recorded: random4-files2, two OPENs of a file).
        """
        if not self.is_open and self.namesake is not None:
            self.namesake().close()
            return
        self._check_open()
        self.is_open = False
        drive = self.volume.drive
        drive.spend(cycles.DISK_CLOSED)
        if self._modified:
            self._put_back()
            drive.spend(cycles.DISK_DESCRIBED)
            fdr = replace(self._fdr, level3_records=self._used, eof_offset=self._end)
            self.volume.write_descriptor(self.descriptor_sector, fdr, self.sectors)
            drive.write(VOLUME_BLOCK)

    def _read_time(self, length: int) -> None:
        self.volume.drive.spend(self.times.read + self.times.read_byte * length)

    def _write_time(self, length: int) -> None:
        self.volume.drive.spend(self.times.written + self.times.written_byte * length)

    def status(self, record: int) -> int:
        """0: more to read, 1: at the end, -1: at the end of a full disk."""
        self.volume.drive.spend(self.times.looked)
        return self._status(record)

    def _status(self, record: int) -> int:
        raise NotImplementedError

    def reserve(self, records: int) -> None:
        """RELATIVE n, SEQUENTIAL n in a new file: take the sectors of the first `records` records.

        VARIABLE records are counted at their full length.
        """
        if records > 0:
            self._modified = True
            self._sector_for((records - 1) // self._per_sector)

    @property
    def _per_sector(self) -> int:
        """Records of full length that a sector takes."""
        if self.fixed:
            return SECTOR // self.record_length
        return (SECTOR - 1) // (self.record_length + 1)

    def mark_modified(self) -> None:
        """Make CLOSE write the descriptor."""
        self._modified = True

    def abandon(self) -> None:
        """Forget the file: it was deleted."""
        self.is_open = False


class VariableFile(DiskDataFile):
    """DIS/VAR and INT/VAR: the position of the next record, as file sector and offset."""

    def __init__(
        self, volume: DiskVolume, sector: int, fdr: Fdr, sectors: list[int], mode: Mode
    ) -> None:
        super().__init__(volume, sector, fdr, sectors, mode)
        self._index, self._offset = 0, 0
        if mode is Mode.APPEND and fdr.level3_records:
            self._index, self._offset = fdr.level3_records - 1, fdr.eof_offset

    @property
    def _last(self) -> int:
        """The file sector with the last records; -1 without any."""
        return min(self._used, len(self.sectors)) - 1

    def _at_end(self) -> bool:
        """Tell whether no record follows; the buffer is looked at, which takes no time."""
        if self._index != self._last:
            return self._index > self._last
        return self._ended(self.volume.read(self.sectors[self._index]))

    def _ended(self, data: bytes) -> bool:
        """Tell whether no record follows in this sector."""
        return self._offset >= SECTOR or data[self._offset] == END

    def read(self, _record: int) -> bytes:
        """The next record; error 5 past the end, 6 for a length that makes no sense."""
        self._check_open()
        last = self._last
        while self._index <= last:
            self._hold(self._index)
            data = self.volume.read(self.sectors[self._index])
            if not self._ended(data):
                return self._taken(data)
            if self._index == last:
                break
            self._index, self._offset = self._index + 1, 0
        self._fail(PAST_END)

    def _taken(self, data: bytes) -> bytes:
        length, first = data[self._offset], self._offset + 1
        if length > self.record_length or first + length > SECTOR:
            self._fail(DEVICE_ERROR)
        self._offset = first + length
        self._read_time(length)
        return data[first : first + length]

    def write(self, data: bytes, _record: int) -> None:
        """Put a record at the position reached; whatever followed is lost."""
        self._check_open()
        self._modified = True
        self._write_time(len(data))
        index, offset = self._index, self._offset
        # The FF after the record must fit into the sector too.
        if offset + 1 + len(data) + 1 > SECTOR:
            index, offset = index + 1, 0
        sector = self._sector_for(index)
        content = bytearray(self.volume.read(sector))
        end = offset + 1 + len(data)
        content[offset : end + 1] = bytes((len(data), *data, END))
        self.volume.write(sector, bytes(content))
        self._index, self._offset = index, end
        self._used, self._end = index + 1, end

    def rewind(self) -> None:
        """Back to the first record; error 3 for OUTPUT and APPEND."""
        super().rewind()
        self._index, self._offset = 0, 0

    def _status(self, _record: int) -> int:
        return int(self.is_open and self._at_end())


class FixedFile(DiskDataFile):
    """DIS/FIX and INT/FIX: records by number."""

    fixed = True

    def _place(self, record: int) -> tuple[int, int]:
        index, place = divmod(record, self._per_sector)
        return index, place * self.record_length

    def read(self, record: int) -> bytes:
        """Record number `record`; error 5 past the end."""
        self._check_open()
        index, offset = self._place(record)
        if record >= self._used or index >= len(self.sectors):
            self._fail(PAST_END)
        self._hold(index)
        self._read_time(self.record_length)
        data = self.volume.read(self.sectors[index])
        return data[offset : offset + self.record_length]

    def write(self, data: bytes, record: int) -> None:
        """Write record number `record`; the file grows to it."""
        self._check_open()
        self._modified = True
        self._write_time(len(data))
        index, offset = self._place(record)
        sector = self._sector_for(index)
        content = bytearray(self.volume.read(sector))
        content[offset : offset + self.record_length] = data
        self.volume.write(sector, bytes(content))
        self._used = max(self._used, record + 1)

    def _status(self, record: int) -> int:
        if not self.is_open or record < self._used:
            return 0
        # EOF is -1 only if the next record would need a sector and none is left.
        no_room = self._place(record)[0] >= len(self.sectors) and self.volume.free == 0
        return -1 if no_room else 1


class CatalogFile:
    """The catalogue, opened as "DSK1.": 128 INTERNAL FIXED 38 records of one string, three numbers.

    Record 0: disk name, 0, sectors less two, free sectors. Then one record for each file: name,
    type 1–5 (negative if protected), sectors with the descriptor, record length. The records after
    the last file are empty.
    """

    fixed = True
    record_length = 38
    is_open = True

    def __init__(self, volume: DiskVolume | None) -> None:
        """`volume` None: no disk in the drive."""
        self.volume = volume

    def read(self, record: int) -> bytes:
        """Catalogue record 0–127; error 5 after them, 6 without a disk."""
        if not self.is_open:
            raise IOFailure(FILE_ERROR)
        if self.volume is None:
            raise IOFailure(DEVICE_ERROR)
        if record > MAX_FILES:
            raise IOFailure(PAST_END)
        self.volume.drive.spend(cycles.DISK_READ + cycles.DISK_READ_BYTE * self.record_length)
        self.volume.drive.read(ROOT_INDEX if record else VOLUME_BLOCK)
        if record == 0:
            volume = self.volume
            # Less two: the volume block and the index are not for files.
            return _catalog_record(volume.name, 0, volume.total - 2, volume.free)
        entries = self.volume.directory()
        if record > len(entries):
            return _catalog_record("", 0, 0, 0)
        sector, fdr = entries[record - 1]
        self.volume.drive.read(sector)
        return _catalog_record(
            descriptors.clean_name(fdr.name), _catalog_type(fdr), fdr.sectors + 1, fdr.record_length
        )

    def write(self, _data: bytes, _record: int) -> None:
        """The catalogue cannot be written: error 3."""
        raise IOFailure(ILLEGAL_OPERATION)

    def rewind(self) -> None:
        """Do nothing: records go by number."""

    def status(self, _record: int) -> int:
        """The catalogue has no EOF: error 3."""
        raise IOFailure(ILLEGAL_OPERATION)

    def close(self) -> None:
        """Close the catalogue, so that another file can be open; error 7 if it is closed."""
        if not self.is_open:
            raise IOFailure(FILE_ERROR)
        self.is_open = False
        if self.volume is not None:
            self.volume.drive.spend(cycles.DISK_CLOSED)


def _catalog_type(fdr: Fdr) -> int:
    if fdr.flags & descriptors.PROGRAM:
        kind = 5
    else:
        # Types of the catalogue: 1 DIS/FIX, 2 DIS/VAR, 3 INT/FIX, 4 INT/VAR, 5 PROGRAM.
        kind = (
            1 + bool(fdr.flags & descriptors.VARIABLE) + 2 * bool(fdr.flags & descriptors.INTERNAL)
        )
    return -kind if fdr.flags & descriptors.PROTECTED else kind


def _catalog_record(name: str, *numbers: int) -> bytes:
    record = bytes((len(name),)) + name.encode("latin-1")
    for number in numbers:
        # An INTERNAL number is its length, 8, and a radix-100 value.
        record += b"\x08" + _radix(number)
    return record.ljust(CatalogFile.record_length, b"\0")


def _radix(number: int) -> bytes:
    """A whole number (a sector count of a real or damaged disk, or a type) as radix 100."""
    digits: list[int] = []
    rest = abs(number)
    while rest:
        rest, digit = divmod(rest, 100)
        digits.insert(0, digit)
    if not digits:
        return bytes(8)
    # The exponent, in powers of 100, is kept with 40h added; only integers occur here.
    word = (0x3F + len(digits)) << 8 | digits[0]
    if number < 0:
        # Negative numbers have their first word negated, as the console stores them.
        word = -word & 0xFFFF
    return (word.to_bytes(2, "big") + bytes(digits[1:])).ljust(8, b"\0")
