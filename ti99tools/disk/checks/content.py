"""Checks of descriptors against the records they describe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ti99tools.base.errors import DiskError
from ti99tools.disk import layout
from ti99tools.disk.checks.finding import ERROR, NOTE, WARNING, Entry, Finding, entries
from ti99tools.disk.geometry import SECTOR
from ti99tools.disk.layout import Fdr
from ti99tools.disk.records import last_records, sector_end, sector_records
from ti99tools.disk.volume import Volume


def check_contents(volume: Volume) -> Iterator[Finding]:
    """What is wrong with the files' types, counts and ends."""
    for entry in entries(volume):
        fdr = entry.fdr
        if fdr.flags & layout.PROGRAM:
            if fdr.flags & (layout.VARIABLE | layout.INTERNAL):
                yield Finding("flags", NOTE, entry.place, f"unusual flags {fdr.flags:02X}")
        elif fdr.extended_record_length:
            yield Finding("records-long", WARNING, entry.place, "records over 255 bytes")
        elif not (fdr.record_length or fdr.sectors):
            yield Finding("unclosed", WARNING, entry.place, "it was never closed and is empty")
        elif not fdr.record_length:
            yield Finding("record-length", ERROR, entry.place, "its record length is 0")
        elif fdr.flags & layout.VARIABLE:
            yield from _check_variable(volume, entry)
        else:
            yield from _check_fixed(entry)


def _editing(entry: Entry, change: Callable[[Fdr], Fdr]) -> Callable[[Volume], None]:
    return lambda volume: volume.set_fdr(entry.pointer, change(volume.fdr(entry.pointer)))


def _swapped(count: int) -> int:
    return (count & 0xFF) << 8 | count >> 8


def _wrong_count(entry: Entry, limit: int, what: str) -> Finding:
    count = entry.fdr.level3_records
    right = _swapped(count) if 0 < _swapped(count) <= limit else limit
    why = "its bytes are swapped" if right != limit or _swapped(count) == limit else "impossible"
    return Finding(
        "count",
        ERROR,
        entry.place,
        f"it counts {count} {what}, room is for {limit} ({why})",
        f"counts {right}",
        _editing(entry, lambda fdr: replace(fdr, level3_records=right)),
    )


def _check_fixed(entry: Entry) -> Iterator[Finding]:
    fdr = entry.fdr
    fitting = SECTOR // fdr.record_length
    if fdr.records_per_sector != fitting & 0xFF:
        impossible = not 0 < fdr.records_per_sector <= fitting
        yield Finding(
            "per-sector",
            ERROR if impossible else WARNING,
            entry.place,
            f"it says {fdr.records_per_sector} records a sector, {fitting} fit",
            f"says {fitting}" if impossible else "",
            _editing(entry, lambda f: replace(f, records_per_sector=fitting & 0xFF))
            if impossible
            else None,
        )
    if fdr.level3_records > fitting * fdr.sectors:
        yield _wrong_count(entry, fitting * fdr.sectors, "records")


def _check_variable(volume: Volume, entry: Entry) -> Iterator[Finding]:
    fdr = entry.fdr
    if fdr.level3_records > fdr.sectors:
        yield _wrong_count(entry, fdr.sectors, "sectors of records")
        return
    try:
        numbers = volume.file_sectors(fdr)
        sectors = [volume.sector(number) for number in numbers]
    except DiskError:
        return
    if not fdr.level3_records:
        yield from _check_uncounted(entry, sectors)
        return
    numbers, sectors = numbers[: fdr.level3_records], sectors[: fdr.level3_records]
    longest = 0
    for number, sector in zip(numbers, sectors, strict=True):
        found = sector_records(sector)
        if sector is sectors[-1] and found is None:
            found = last_records(sector, fdr.eof_offset)
        if found is None:
            yield Finding(
                "records", ERROR, entry.place, f"a record runs past the end of sector {number}"
            )
            return
        longest = max(longest, *map(len, found), 0)
    if longest > fdr.record_length:
        yield Finding(
            "record-over",
            WARNING,
            entry.place,
            f"a record has {longest} bytes, its limit is {fdr.record_length}",
        )
    yield from _check_end(entry, sectors[-1])


def _check_uncounted(entry: Entry, sectors: list[bytes]) -> Iterator[Finding]:
    """A file that counts no sectors of records: empty, unless its end lies in the last one."""
    said = entry.fdr.eof_offset
    if said:
        whole = all(sector_records(sector) is not None for sector in sectors)
        right = bool(sectors) and whole and sector_end(sectors[-1]) == said
        yield Finding(
            "count",
            ERROR,
            entry.place,
            f"it counts no records, but ends at offset {said} of its {len(sectors)} sectors",
            f"counts {len(sectors)} sectors of records" if right else "",
            _editing(entry, lambda fdr: replace(fdr, level3_records=fdr.sectors))
            if right
            else None,
        )
    elif sectors:
        yield Finding(
            "unused", NOTE, entry.place, f"none of its {len(sectors)} sectors holds records"
        )


def _check_end(entry: Entry, last: bytes) -> Iterator[Finding]:
    end = sector_end(last)
    said = entry.fdr.eof_offset
    if end is None:
        severity = WARNING if last_records(last, said) is not None else ERROR
        yield Finding("end", severity, entry.place, "no FF ends its last sector")
    elif end != said:
        yield Finding(
            "end",
            ERROR,
            entry.place,
            f"it ends at offset {said}, the FF that ends its records is at {end}",
            f"sets the end to {end}",
            _editing(entry, lambda fdr: replace(fdr, eof_offset=end)),
        )
