"""Checks of where files lie: damaged chains, wrong lengths, sectors with two owners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from ti99tools.base.errors import DiskError
from ti99tools.disk import allocation, layout
from ti99tools.disk.checks.finding import ERROR, WARNING, Entry, Finding, entries
from ti99tools.disk.checks.volume import ranges
from ti99tools.disk.geometry import SECTOR
from ti99tools.disk.layout import Fdr
from ti99tools.disk.volume import Volume


def check_clusters(volume: Volume) -> Iterator[Finding]:
    """What is wrong with the files' places on the disk."""
    files = entries(volume)
    for entry in files:
        yield from _check_chain(volume, entry)
    yield from _check_owners(volume, files)


def _check_chain(volume: Volume, entry: Entry) -> Iterator[Finding]:
    try:
        extents = volume.extents(entry.fdr)
    except DiskError as error:
        yield Finding("chain", ERROR, entry.place, error.problem)
        return
    outside = [e for e in extents if e.stop > volume.held]
    if outside:
        first = max(outside[0].start, volume.held)
        yield Finding("chain", ERROR, entry.place, f"it reaches sector {first}, outside the disk")
        return
    length = sum(map(len, extents))
    if length > entry.fdr.sectors:
        yield Finding(
            "chain-long",
            WARNING,
            entry.place,
            f"its clusters hold {length} sectors, it counts {entry.fdr.sectors}",
        )
    elif length < entry.fdr.sectors:
        yield Finding(
            "chain-short",
            ERROR,
            entry.place,
            f"its clusters hold {length} sectors, it counts {entry.fdr.sectors}",
            f"counts {length}",
            lambda v: v.set_fdr(entry.pointer, shortened(v, entry.fdr, length)),
        )


def shortened(volume: Volume, fdr: Fdr, sectors: int) -> Fdr:
    """`fdr` counting `sectors` sectors, with the end of the data inside them."""
    changed = replace(fdr, sectors=sectors)
    if fdr.flags & layout.PROGRAM:
        return replace(changed, eof_offset=0)
    if fdr.flags & layout.VARIABLE:
        return replace(changed, level3_records=min(fdr.level3_records, sectors))
    return replace(
        changed,
        level3_records=min(fdr.level3_records, sectors * (SECTOR // max(fdr.record_length, 1))),
    )


def _check_owners(volume: Volume, files: list[Entry]) -> Iterator[Finding]:
    owner = {0: "the volume block"}
    for directory, index in volume.indexes().items():
        owner[index] = f"the index of {directory or 'the disk'}"
    for entry in files:
        owner[entry.pointer] = f"the descriptor of {entry.name!r}"
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
            room = len(allocation.free_units(volume)) * volume.unit
        for other, sectors in shared.items():
            yield _cross_link(volume, entry, other, sectors, room or 0)


def _cross_link(volume: Volume, entry: Entry, other: str, sectors: list[int], room: int) -> Finding:
    """The finding of a file that shares `sectors`; `room` sectors are free for copies."""
    whole = len(volume.sound_extents(entry.fdr)) == _blocks(entry.fdr)
    fixable = room >= len(sectors) and whole and not any(s in volume.defects for s in sectors)
    return Finding(
        "cross-link",
        ERROR,
        entry.place,
        f"sectors {ranges(sorted(set(sectors)))} belong to {other} too",
        "gives the file copies of its own" if fixable else "",
        (lambda v: separate(v, entry)) if fixable else None,
    )


def _blocks(fdr: Fdr) -> int:
    """Cluster blocks in use, sound or not."""
    chain = fdr.chain
    starts = (chain[at] | (chain[at + 1] & 0x0F) << 8 for at in range(0, len(chain), 3))
    return sum(1 for _ in takewhile(bool, starts))


def separate(volume: Volume, entry: Entry) -> None:
    """Give the file copies of all sectors that something before it owns, or that it has twice.

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


def _owned_before(volume: Volume, entry: Entry) -> set[int]:
    """Sectors of structures and of the files listed before `entry`."""
    files = entries(volume)
    owned = {0, *volume.indexes().values(), *(e.pointer for e in files)}
    for other in files:
        if other.pointer == entry.pointer:
            break
        owned.update(s for extent in volume.sound_extents(other.fdr) for s in extent)
    return owned
