"""Checks of the volume block, the bitmap and the size of the image."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ti99tools.media.disk import descriptors
from ti99tools.media.disk.checks.index import (
    ERROR,
    NOTE,
    WARNING,
    DiskFinding,
    entries,
    hides_files,
    is_descriptor_place,
    readable_indexes,
    whole_file,
)
from ti99tools.media.disk.geometry import SECTOR, Geometry, by_size, sectors_per_unit
from ti99tools.media.disk.tifile import is_legal_name
from ti99tools.media.disk.volume import ROOT_INDEX, Volume

BLOCK = "volume block (sector 0)"
MAP_OF_BAD_SECTORS = 3
"""Sectors that V9T9 appends to an image; they belong to no volume."""


def check_volume(volume: Volume) -> Iterator[DiskFinding]:
    """What is wrong with the volume block and the image's size."""
    yield from _unreadable(volume)
    vib = volume.vib
    if vib.magic != descriptors.MARK:
        yield _mark(volume)
    yield from _check_size(volume)
    if vib.tracks * vib.sides * vib.sectors_per_track != vib.total_sectors:
        yield _geometry(volume)
    name = descriptors.clean_name(vib.name)
    if not is_legal_name(name):
        yield DiskFinding("disk-name", WARNING, BLOCK, f"the disk's name {name!r} is invalid")
    for entry in vib.subdirectories:
        if any(entry.name) and entry.fdir and not volume.is_directory(entry):
            # Old controllers left any bytes there: only a legal name is meant as a directory.
            name_in_text = descriptors.clean_name(entry.name)
            named = is_legal_name(name_in_text)
            yield DiskFinding(
                "directory",
                ERROR if named else NOTE,
                BLOCK,
                f"the index of directory {name_in_text!r} is not in sector {entry.fdir}"
                if named
                else "odd bytes where later disks name directories",
            )


def _unreadable(volume: Volume) -> Iterator[DiskFinding]:
    """The sectors that could not be read, neighbours with the same flaw together."""
    runs: list[list[int]] = []
    for sector in sorted(volume.defects):
        flaw = volume.defects[sector].partition(":")[0]
        last = runs[-1][-1] if runs else -1
        # Neighbours with the same flaw become one line: a lost track would make nine.
        if last == sector - 1 and volume.defects[last].partition(":")[0] == flaw:
            runs[-1].append(sector)
        else:
            runs.append([sector])
    for run in runs:
        place, reason = f"sector {run[0]}", volume.defects[run[0]]
        if len(run) > 1:
            place, reason = f"sectors {ranges(run)}", f"{reason}, and the {len(run) - 1} after it"
        yield DiskFinding("unreadable", ERROR, place, reason)


def _mark(volume: Volume) -> DiskFinding:
    problem = f"DSK is missing (found {volume.vib.magic!r})"
    # All else is right: only the mark was overwritten.
    if volume.vib.total_sectors in (volume.held, volume.held - MAP_OF_BAD_SECTORS):
        return DiskFinding("mark", ERROR, BLOCK, problem, "writes DSK", _write_mark)
    # The block is lost, but the index proves that this is a TI disk.
    if _shape(volume) and _lists_whole_files(volume):
        mend = "writes a new block, for the files that the index lists"
        return DiskFinding("mark", ERROR, BLOCK, f"{problem} and all else wrong", mend, _rebuild)
    return DiskFinding("mark", ERROR, BLOCK, f"{problem}: not initialised, or no TI disk?")


def _shape(volume: Volume) -> Geometry | None:
    """The usual geometry of an image of this size, without V9T9's map of bad sectors."""
    return by_size(volume.held) or by_size(volume.held - MAP_OF_BAD_SECTORS)


def _lists_whole_files(volume: Volume) -> bool:
    """Tell whether the index has entries and every one is clearly a file."""
    pointers = volume.pointers(ROOT_INDEX)
    return bool(pointers) and all(
        is_descriptor_place(volume, pointer) and whole_file(volume, volume.fdr(pointer))
        for pointer in pointers
    )


def _rebuild(volume: Volume) -> None:
    shape = _shape(volume)
    assert shape is not None
    name = descriptors.clean_name(volume.vib.name)
    if not (is_legal_name(name) and name.isascii()):
        name = "DISK"
    fields = (shape.tracks, shape.sides, shape.sectors_per_track, shape.density)
    volume.vib = descriptors.blank_vib(name, shape.sectors, fields, sectors_per_unit(shape.sectors))
    volume.mark(volume.referenced(), True)


def _check_size(volume: Volume) -> Iterator[DiskFinding]:
    total, held = volume.vib.total_sectors, volume.held
    if total != volume.size:
        fixable = by_size(held) is not None
        yield DiskFinding(
            "total",
            ERROR,
            BLOCK,
            f"{total} sectors are claimed, the image has {held}",
            f"sets it to {held}" if fixable else "",
            _set_total if fixable else None,
        )
    elif total > held:
        harmless = volume.resizable and not _points_outside(volume)
        yield DiskFinding(
            "cut-off",
            ERROR,
            "image",
            f"it has {held} of {total} sectors",
            "adds empty sectors (no file reaches there)" if harmless else "",
            _pad if harmless else None,
        )
    elif held > total + MAP_OF_BAD_SECTORS:
        yield DiskFinding(
            "surplus", NOTE, "image", f"{held - total} sectors lie after the volume's {total}"
        )


def _points_outside(volume: Volume) -> bool:
    """Tell whether an index or a file's clusters leave the image."""
    pointers = (p for _, _, listed in readable_indexes(volume) for p in listed)
    return any(pointer >= volume.held for pointer in pointers) or any(
        sum(map(len, volume.sound_extents(e.fdr))) < e.fdr.sectors for e in entries(volume)
    )


def _geometry(volume: Volume) -> DiskFinding:
    vib = volume.vib
    # Only fields that were never filled in are completed; any other contradiction may be intended.
    empty = not (vib.tracks or vib.sides)
    fixable = empty and by_size(vib.total_sectors) is not None
    return DiskFinding(
        "geometry",
        WARNING if empty else NOTE,
        BLOCK,
        f"{vib.tracks} tracks × {vib.sides} sides × {vib.sectors_per_track} sectors are not "
        f"{vib.total_sectors}",
        "fills in the usual geometry of this size" if fixable else "",
        _set_geometry if fixable else None,
    )


def check_bitmap(volume: Volume) -> Iterator[DiskFinding]:
    """Where the bitmap and the files disagree, as far as all descriptors can be read."""
    total, unit = volume.size, volume.unit
    bits = volume.vib.bitmap
    # The controller sets these bits when it formats, so that it never allocates past the end.
    past = [b for b in range(-(-total // unit), 8 * len(bits)) if not bits[b >> 3] & 1 << (b & 7)]
    if past:
        yield DiskFinding(
            "bitmap-end",
            ERROR,
            "bitmap (sector 0)",
            f"{len(past)} bits past the end of the disk are not set",
            "sets them",
            _set_past_end,
        )
    # What an unreadable descriptor owns cannot be told from lost sectors.
    if hides_files(volume):
        return
    referenced = {s for s in volume.referenced() if s < total}
    loose = sorted(s for s in referenced if not volume.is_used(s))
    if loose:
        yield DiskFinding(
            "bitmap-free",
            ERROR,
            "bitmap (sector 0)",
            f"sectors in use are marked free: {ranges(loose)}",
            "marks them used",
            lambda v: v.mark({s for s in v.referenced() if s < v.size}, True),
        )
    lost = lost_sectors(volume)
    if lost:
        yield DiskFinding(
            "bitmap-lost",
            NOTE,
            "bitmap (sector 0)",
            f"sectors of no file are marked used (bad or lost): {ranges(lost)}",
        )


def lost_sectors(volume: Volume) -> list[int]:
    """Sectors marked as used in units that nothing points at."""
    unit = volume.unit
    in_use = {sector // unit for sector in volume.referenced()}
    return [s for s, used in enumerate(volume.marked(True)) if used and s // unit not in in_use]


def ranges(sectors: Iterable[int]) -> str:
    """`3–5, 9` for 3, 4, 5, 9; long lists are cut."""
    runs: list[tuple[int, int]] = []
    for sector in sectors:
        if runs and runs[-1][1] == sector - 1:
            runs[-1] = (runs[-1][0], sector)
        else:
            runs.append((sector, sector))
    # Eight runs fill a line; a scattered disk has hundreds.
    text = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs[:8])
    return text + (f" and {len(runs) - 8} more" if len(runs) > 8 else "")


def _write_mark(volume: Volume) -> None:
    volume.vib = replace(volume.vib, magic=descriptors.MARK)


def _set_total(volume: Volume) -> None:
    volume.vib = replace(volume.vib, total_sectors=volume.held)


def _set_geometry(volume: Volume) -> None:
    usual = by_size(volume.vib.total_sectors)
    assert usual is not None
    volume.vib = replace(
        volume.vib,
        tracks=usual.tracks,
        sides=usual.sides,
        sectors_per_track=usual.sectors_per_track,
        density=volume.vib.density or usual.density,
    )


def _pad(volume: Volume) -> None:
    missing = volume.size - volume.held
    volume.data.extend(bytes(SECTOR * missing))


def _set_past_end(volume: Volume) -> None:
    vib = volume.vib
    bits = bytearray(vib.bitmap)
    for bit in range(-(-volume.size // volume.unit), 8 * len(bits)):
        bits[bit >> 3] |= 1 << (bit & 7)
    volume.vib = replace(vib, bitmap=bytes(bits))
