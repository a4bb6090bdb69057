"""Checks of files: where they lie, and what their descriptors claim.

The first part finds damaged chains, wrong lengths and sectors with two owners. The second compares
descriptors with the records they describe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile

from ti99tools.base.errors import DiskError
from ti99tools.media.disk import allocation, descriptors
from ti99tools.media.disk.checks.index import ERROR, NOTE, WARNING, DiskFinding, IndexEntry, entries
from ti99tools.media.disk.checks.volume_block import ranges
from ti99tools.media.disk.descriptors import Fdr
from ti99tools.media.disk.geometry import SECTOR
from ti99tools.media.disk.records import END, last_records, sector_end, sector_records
from ti99tools.media.disk.volume import Volume


def check_clusters(volume: Volume) -> Iterator[DiskFinding]:
    """What is wrong with the place of the files on the disk."""
    files = entries(volume)
    for entry in files:
        yield from _check_chain(volume, entry)
    yield from _check_owners(volume, files)


def _check_chain(volume: Volume, entry: IndexEntry) -> Iterator[DiskFinding]:
    try:
        extents = volume.extents(entry.fdr)
    except DiskError as error:
        yield DiskFinding("chain", ERROR, entry.place, error.problem)
        return
    outside = [e for e in extents if e.stop > volume.held]
    if outside:
        first = max(outside[0].start, volume.held)
        yield DiskFinding(
            "chain", ERROR, entry.place, f"it reaches sector {first}, outside the disk"
        )
        return
    length = sum(map(len, extents))
    # Harmless to readers, which stop at the count: a warning only.
    if length > entry.fdr.sectors:
        yield DiskFinding(
            "chain-long",
            WARNING,
            entry.place,
            f"its clusters hold {length} sectors, it counts {entry.fdr.sectors}",
        )
    elif length < entry.fdr.sectors:
        yield DiskFinding(
            "chain-short",
            ERROR,
            entry.place,
            f"its clusters hold {length} sectors, it counts {entry.fdr.sectors}",
            f"counts {length}",
            lambda v: v.set_fdr(entry.pointer, shortened(v, entry.fdr, length)),
        )


def shortened(volume: Volume, fdr: Fdr, sectors: int) -> Fdr:
    """`fdr` with its count set to `sectors`, and the end of the data inside them."""
    changed = replace(fdr, sectors=sectors)
    if fdr.flags & descriptors.PROGRAM:
        # EOF offset 0 means that the whole last sector counts.
        return replace(changed, eof_offset=0)
    if fdr.flags & descriptors.VARIABLE:
        return _ended_within(volume, changed)
    return replace(
        changed,
        level3_records=min(fdr.level3_records, sectors * (SECTOR // max(fdr.record_length, 1))),
    )


def _ended_within(volume: Volume, fdr: Fdr) -> Fdr:
    """`fdr` of a VARIABLE file with no more sectors of records than it has.

    Where there were more, the end was an offset in one that is lost: it is at the FF of the last
    one now, or at 0 when records fill that (see `last_records`).
    """
    if fdr.level3_records <= fdr.sectors:
        return fdr
    last = volume.file_sectors(fdr)[-1:]
    end = sector_end(volume.sector(last[0])) if last else 0
    return replace(fdr, level3_records=fdr.sectors, eof_offset=end or 0)


def _check_owners(volume: Volume, files: list[IndexEntry]) -> Iterator[DiskFinding]:
    owner = {0: "the volume block"}
    for directory, index in volume.indexes().items():
        owner[index] = f"the index of {directory or 'the disk'}"
    for entry in files:
        owner[entry.pointer] = f"the descriptor of {entry.name!r}"
    # Counted only when a cross-link turns up: on a large disk it takes a while.
    room: int | None = None
    for entry in files:
        shared: dict[str, list[int]] = {}
        for extent in volume.sound_extents(entry.fdr):
            for sector in extent:
                if sector in owner:
                    shared.setdefault(owner[sector], []).append(sector)
                else:
                    owner[sector] = f"file {entry.name!r}"
        if shared and room is None:
            room = sum(1 for _ in allocation.free_units(volume)) * volume.unit
        for other, sectors in shared.items():
            yield _cross_link(volume, entry, other, sectors, room or 0)


def _cross_link(
    volume: Volume, entry: IndexEntry, other: str, sectors: list[int], room: int
) -> DiskFinding:
    """The finding of a file that shares `sectors`; `room` sectors are free for copies."""
    whole = len(volume.sound_extents(entry.fdr)) == _blocks(entry.fdr)
    fixable = room >= len(sectors) and whole and not any(s in volume.defects for s in sectors)
    return DiskFinding(
        "cross-link",
        ERROR,
        entry.place,
        f"sectors {ranges(sorted(set(sectors)))} belong to {other} too",
        "gives the file copies of its own" if fixable else "",
        (lambda v: separate(v, entry)) if fixable else None,
    )


def _blocks(fdr: Fdr) -> int:
    """The number of cluster blocks in use, sound or not."""
    chain = fdr.chain
    starts = (chain[at] | (chain[at + 1] & 0x0F) << 8 for at in range(0, len(chain), 3))
    return sum(1 for _ in takewhile(bool, starts))


def separate(volume: Volume, entry: IndexEntry) -> None:
    """Give the file its own copies of the sectors that something before it owns, or that it has
    twice.

    Nothing is changed when the disk has no room or the file would be in too many pieces.
    """
    fdr = volume.fdr(entry.pointer)
    others = _owned_before(volume, entry)
    chain: list[int] = []
    doubtful: list[int] = []
    for extent in volume.sound_extents(fdr):
        for sector in extent:
            if sector in others:
                doubtful.append(len(chain))
            others.add(sector)
            chain.append(sector)
    # Taking sectors changes the bitmap: a failure half-way must put that back too.
    before = bytes(volume.data)
    try:
        fresh = allocation.take_contents(volume, len(doubtful))
        for place, new in zip(doubtful, (s for e in fresh for s in e), strict=True):
            volume.write_sector(new, volume.sector(chain[place]))
            chain[place] = new
        extents = allocation.merge([range(sector, sector + 1) for sector in chain])
        volume.set_fdr(entry.pointer, replace(fdr, chain=volume.chain(extents)))
    except DiskError:
        volume.data[:] = before


def _owned_before(volume: Volume, entry: IndexEntry) -> set[int]:
    """Sectors of structures, and of the files listed before `entry`."""
    files = entries(volume)
    owned = {0, *volume.indexes().values(), *(e.pointer for e in files)}
    for other in files:
        if other.pointer == entry.pointer:
            # The first of two owners keeps the sector; only later files get copies.
            break
        owned.update(s for extent in volume.sound_extents(other.fdr) for s in extent)
    return owned


def check_contents(volume: Volume) -> Iterator[DiskFinding]:
    """What is wrong with the files' types, counts and ends."""
    for entry in entries(volume):
        fdr = entry.fdr
        if fdr.flags & descriptors.PROGRAM:
            if fdr.flags & (descriptors.VARIABLE | descriptors.INTERNAL):
                yield DiskFinding("flags", NOTE, entry.place, f"unusual flags {fdr.flags:02X}")
        elif fdr.extended_record_length:
            yield DiskFinding("records-long", WARNING, entry.place, "records over 255 bytes")
        elif not (fdr.record_length or fdr.sectors):
            yield DiskFinding("unclosed", WARNING, entry.place, "it was never closed and is empty")
        elif not fdr.record_length:
            yield DiskFinding("record-length", ERROR, entry.place, "its record length is 0")
        elif fdr.flags & descriptors.VARIABLE:
            yield from _check_variable(volume, entry)
        else:
            yield from _check_fixed(entry)


def _editing(entry: IndexEntry, change: Callable[[Fdr], Fdr]) -> Callable[[Volume], None]:
    return lambda volume: volume.set_fdr(entry.pointer, change(volume.fdr(entry.pointer)))


def _swapped(count: int) -> int:
    # The count is the only little-endian word of a descriptor; some writers store it big-endian.
    return (count & 0xFF) << 8 | count >> 8


def _wrong_count(entry: IndexEntry, limit: int, what: str) -> DiskFinding:
    count = entry.fdr.level3_records
    right = _swapped(count) if 0 < _swapped(count) <= limit else limit
    why = "its bytes are swapped" if right != limit or _swapped(count) == limit else "impossible"
    return DiskFinding(
        "count",
        ERROR,
        entry.place,
        f"it counts {count} {what}, room is for {limit} ({why})",
        f"counts {right}",
        _editing(entry, lambda fdr: replace(fdr, level3_records=right)),
    )


def _check_fixed(entry: IndexEntry) -> Iterator[DiskFinding]:
    fdr = entry.fdr
    # 256 records of one byte are stored as 0: the field is a byte.
    fitting = SECTOR // fdr.record_length
    if fdr.records_per_sector != fitting & 0xFF:
        impossible = not 0 < fdr.records_per_sector <= fitting
        yield DiskFinding(
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


def _check_variable(volume: Volume, entry: IndexEntry) -> Iterator[DiskFinding]:
    fdr = entry.fdr
    if fdr.level3_records > fdr.sectors:
        yield _wrong_count(entry, fdr.sectors, "sectors of records")
        return
    try:
        numbers = volume.file_sectors(fdr)
        sectors = [volume.sector(number) for number in numbers]
    except DiskError:
        # Reported as a damaged chain already.
        return
    if not fdr.level3_records:
        yield from _check_uncounted(entry, sectors)
        return
    numbers, sectors = numbers[: fdr.level3_records], sectors[: fdr.level3_records]
    longest = 0
    for number, sector in zip(numbers, sectors, strict=True):
        records = sector_records(sector)
        # The last sector may lack its FF; then the EOF offset says where the records end.
        if number == numbers[-1] and sector_end(sector) is None:
            records = last_records(sector, fdr.eof_offset)
        if records is None:
            yield DiskFinding(
                "records", ERROR, entry.place, f"a record runs past the end of sector {number}"
            )
            return
        longest = max(longest, *map(len, records), 0)
    if longest > fdr.record_length:
        yield DiskFinding(
            "record-over",
            WARNING,
            entry.place,
            f"a record has {longest} bytes, its limit is {fdr.record_length}",
        )
    yield from _check_end(entry, sectors[-1], numbers[-1])


def _check_uncounted(entry: IndexEntry, sectors: list[bytes]) -> Iterator[DiskFinding]:
    """A file that counts no sectors of records: empty, unless its end lies in the last one."""
    end = entry.fdr.eof_offset
    if end:
        whole = all(sector_records(sector) is not None for sector in sectors)
        right = bool(sectors) and whole and sector_end(sectors[-1]) == end
        yield DiskFinding(
            "count",
            ERROR,
            entry.place,
            f"it counts no records, but ends at offset {end} of its {len(sectors)} sectors",
            f"counts {len(sectors)} sectors of records" if right else "",
            _editing(entry, lambda fdr: replace(fdr, level3_records=fdr.sectors))
            if right
            else None,
        )
    elif sectors:
        yield DiskFinding(
            "unused", NOTE, entry.place, f"none of its {len(sectors)} sectors holds records"
        )


def _check_end(entry: IndexEntry, last: bytes, number: int) -> Iterator[DiskFinding]:
    """Compare the descriptor with the FF after the last record, in the last sector, `number`."""
    end = sector_end(last)
    eof = entry.fdr.eof_offset
    if end is None and not eof:
        yield _full(entry, last)
    elif end is None:
        yield DiskFinding(
            "end",
            WARNING,
            entry.place,
            "no FF ends its last sector, so the console reads on after its last record",
            f"sets the FF at offset {eof} of sector {number}",
            _ending(number, eof),
        )
    elif end != eof:
        yield DiskFinding(
            "end",
            ERROR,
            entry.place,
            f"it ends at offset {eof}, the FF that ends its records is at {end}",
            f"sets the end to {end}",
            _editing(entry, lambda fdr: replace(fdr, eof_offset=end)),
        )


def _full(entry: IndexEntry, last: bytes) -> DiskFinding:
    """What to say of records that fill their last sector, at whose offset 0 the file would end.

    Nothing tells which of them are too many, so there is no fix: an FF would cut off the others.
    """
    records = sector_records(last) or []
    if records[-1:] == [b""]:
        problem = "no FF ends its last sector, and empty records fill it"
        return DiskFinding("end", WARNING, entry.place, problem)
    problem = "its records fill the last sector, which leaves no room for the FF"
    return DiskFinding("end", NOTE, entry.place, problem)


def _ending(number: int, at: int) -> Callable[[Volume], None]:
    """Put FF at an offset of a sector."""

    def fix(volume: Volume) -> None:
        data = bytearray(volume.sector(number))
        data[at] = END
        volume.write_sector(number, bytes(data))

    return fix
