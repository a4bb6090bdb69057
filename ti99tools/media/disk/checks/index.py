"""What a check finds, and the checks of the indexes: pointers, names, order, lost descriptors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import field, replace

from ti99tools.base.errors import DiskError
from ti99tools.base.record import Record
from ti99tools.media.disk import descriptors
from ti99tools.media.disk.descriptors import Fdr
from ti99tools.media.disk.geometry import MAX_FILES, NAME_BYTES, SECTOR
from ti99tools.media.disk.tifile import is_legal_name
from ti99tools.media.disk.volume import ROOT_INDEX, Volume

ERROR, WARNING, NOTE = "error", "warning", "note"
"""Error: a file or the disk cannot be used as it should. Warning: it may not be. Note: it is merely
unusual.
"""


class DiskFinding(Record):
    """What is wrong, where, how bad, and what `repair` would do (`mend`; empty: nothing)."""

    code: str
    severity: str
    place: str
    problem: str
    mend: str = ""
    fix: Callable[[Volume], None] | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        text = f"{self.severity}: {self.place}: {self.problem}"
        return f"{text} (repair: {self.mend})" if self.mend else text


class IndexEntry(Record):
    """A file as an index lists it: where its descriptor is and what it holds."""

    directory: str
    index: int
    pointer: int
    fdr: Fdr

    @property
    def name(self) -> str:
        """The name as users write it, with its directory."""
        name = descriptors.clean_name(self.fdr.name)
        return f"{self.directory}.{name}" if self.directory else name

    @property
    def place(self) -> str:
        """The place as messages give it."""
        return f"file {self.name!r} (descriptor in sector {self.pointer})"


def readable_indexes(volume: Volume) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """(directory, index sector, pointers) of each directory whose index can be read."""
    for directory, index in volume.indexes().items():
        try:
            yield directory, index, volume.pointers(index)
        except DiskError:
            # `check_volume` reports the unreadable sector itself.
            continue


def entries(volume: Volume) -> list[IndexEntry]:
    """Every file whose descriptor can be read; each descriptor once."""
    by_pointer: dict[int, IndexEntry] = {}
    for directory, index, pointers in readable_indexes(volume):
        for pointer in pointers:
            if pointer in by_pointer or not is_descriptor_place(volume, pointer):
                continue
            by_pointer[pointer] = IndexEntry(directory, index, pointer, volume.fdr(pointer))
    return list(by_pointer.values())


def hides_files(volume: Volume) -> bool:
    """Tell whether an index lists a descriptor that cannot be read.

    The sectors of its file are then unknown.
    """
    return any(
        pointer in volume.defects
        for _, _, pointers in readable_indexes(volume)
        for pointer in pointers
    )


def is_descriptor_place(volume: Volume, pointer: int) -> bool:
    """Tell whether `pointer` can be a descriptor: on the disk, readable, and no other structure."""
    return (
        1 < pointer < volume.held
        and pointer not in volume.defects
        and pointer not in volume.indexes().values()
    )


def check_indexes(volume: Volume) -> Iterator[DiskFinding]:
    """What is wrong with the directories."""
    seen: set[int] = set()
    for directory, index, pointers in readable_indexes(volume):
        place = f"index of {directory or 'the disk'} (sector {index})"
        # The index has 128 words and must end with a 0.
        if len(pointers) > MAX_FILES:
            yield DiskFinding("index-long", ERROR, place, "it does not end after 127 files")
        wrong: Counter[tuple[str, str, int]] = Counter()
        for pointer in pointers:
            problem = _pointer_problem(volume, pointer, seen)
            seen.add(pointer)
            # The file may still be whole on another copy of the disk: its entry is kept.
            if volume.held <= pointer < volume.size:
                text = f"the descriptor in sector {pointer} is in the missing part of the image"
                yield DiskFinding("index-cut", ERROR, place, text)
            elif problem:
                wrong[*problem, pointer] += 1
        for (code, text, pointer), count in wrong.items():
            fix = _drop(index, pointer, count)
            mend = "removes the entry"
            if count > 1:
                text, mend = f"{text} ({count} such entries)", "removes the entries"
            yield DiskFinding(code, ERROR, place, text, mend, fix)
        yield from _check_names(volume, index)
        yield from _check_order(volume, index, place)


def _pointer_problem(volume: Volume, pointer: int, seen: set[int]) -> tuple[str, str] | None:
    if not is_descriptor_place(volume, pointer):
        # Unreadable is not wrong: the sector may be read again one day.
        if pointer in volume.defects:
            return None
        return "index-pointer", f"an entry points at sector {pointer}, which holds no descriptor"
    if pointer in seen:
        return "index-double", f"two entries point at sector {pointer}"
    # E5 fills sectors of freshly formatted disks, FF those of erased memory.
    if not volume.fdr(pointer).name.strip(b" \0\xe5\xff"):
        return "index-empty", f"the descriptor in sector {pointer} is blank"
    return None


def _drop(index: int, pointer: int, count: int) -> Callable[[Volume], None]:
    """Remove the last `count` entries for `pointer` from an index."""

    def fix(volume: Volume) -> None:
        backwards = list(reversed(volume.pointers(index)))
        for _ in range(min(count, backwards.count(pointer))):
            backwards.remove(pointer)
        volume.set_pointers(index, tuple(reversed(backwards)))

    return fix


def _check_names(volume: Volume, index: int) -> Iterator[DiskFinding]:
    names: set[bytes] = set()
    for entry in entries(volume):
        if entry.index != index:
            continue
        name = entry.fdr.name
        plain = descriptors.clean_name(name)
        if not is_legal_name(plain) or name != descriptors.pad_name(plain):
            name_in_text = name.decode("latin-1")
            yield _renaming(entry, "name", f"its name field {name_in_text!r} is invalid")
        elif name in names:
            yield _renaming(entry, "name-double", "another file has the same name")
        names.add(name)


def _renaming(entry: IndexEntry, code: str, problem: str) -> DiskFinding:
    def fix(volume: Volume) -> None:
        name = unused_name(
            volume, entry.index, descriptors.clean_name(entry.fdr.name), entry.pointer
        )
        volume.set_fdr(entry.pointer, replace(entry.fdr, name=descriptors.pad_name(name)))

    return DiskFinding(code, ERROR, entry.place, problem, "renames it", fix)


def unused_name(volume: Volume, index: int, wanted: str, itself: int = 0) -> str:
    """A legal name like `wanted` that no other file in the directory has."""
    legal = "".join(c if is_legal_name(c) else "_" for c in wanted)[:10] or "NONAME"
    in_use = {
        descriptors.clean_name(e.fdr.name)
        for e in entries(volume)
        if e.index == index and e.pointer != itself
    }
    name, number = legal, 1
    while name in in_use:
        # A name has ten characters: the number and its `_` replace the last ones.
        name = f"{legal[: 9 - len(str(number))]}_{number}"
        number += 1
    return name


def _check_order(volume: Volume, index: int, place: str) -> Iterator[DiskFinding]:
    try:
        names = [volume.fdr(pointer).name for pointer in volume.pointers(index)]
    except DiskError:
        return
    # The controller searches an index by halving, so it misses files out of order.
    if names != sorted(names):
        yield DiskFinding(
            "index-order",
            ERROR,
            place,
            "the files are not in the order of their names, the controller will miss some",
            "sorts the index",
            lambda v: v.set_pointers(index, _sorted(v, index)),
        )


def _sorted(volume: Volume, index: int) -> tuple[int, ...]:
    return tuple(sorted(volume.pointers(index), key=lambda pointer: volume.fdr(pointer).name))


def check_orphans(volume: Volume) -> Iterator[DiskFinding]:
    """Descriptors of whole files, marked as used, that no index lists.

    No two of these files share a sector. The search is skipped when some descriptors cannot be
    read: their files may own the sectors.
    """
    if hides_files(volume):
        return
    unlisted = volume.unlisted(used=True)
    room = MAX_FILES - len(volume.pointers(ROOT_INDEX))
    for sector in range(2, volume.total):
        extents = stray_file(volume, sector, unlisted) if unlisted[sector] else []
        if not extents:
            continue
        # A later stray descriptor may not claim the same sectors again.
        for extent in extents:
            unlisted[extent.start : extent.stop] = bytes(len(extent))
        name = descriptors.clean_name(volume.fdr(sector).name)
        yield DiskFinding(
            "orphan",
            ERROR,
            f"sector {sector}",
            f"it describes the file {name!r}, which no index lists",
            "lists the file" if room > 0 else "",
            _adopt(sector) if room > 0 else None,
        )
        room -= 1


def stray_file(volume: Volume, sector: int, unlisted: bytearray) -> list[range]:
    """The extents of the whole file whose descriptor is in `sector`, all of them `unlisted`.

    Empty when the sector holds no descriptor, or some sectors of the file are not `unlisted` (see
    `Volume.unlisted`).
    """
    if sector in volume.defects or not _maybe_descriptor(volume.data, sector * SECTOR):
        return []
    extents = whole_file(volume, volume.fdr(sector))
    mine = all(
        extent.stop <= len(unlisted) and unlisted.find(0, extent.start, extent.stop) < 0
        for extent in extents
    )
    return extents if mine else []


def _maybe_descriptor(data: bytearray, at: int) -> bool:
    """A quick test before the thorough one: printable name, no extended record length."""
    return (
        0x20 < data[at] < 0x7F
        and 0x20 <= data[at + NAME_BYTES - 1] < 0x7F
        and not any(data[at + NAME_BYTES : at + NAME_BYTES + 2])
    )


def whole_file(volume: Volume, fdr: Fdr) -> list[range]:
    """The extents of the file that `fdr` describes; none unless it is clearly a descriptor."""
    name = descriptors.clean_name(fdr.name)
    if not is_legal_name(name) or not name.isascii() or fdr.name != descriptors.pad_name(name):
        return []
    if fdr.extended_record_length or fdr.flags & ~descriptors.KNOWN_FLAGS:
        return []
    if not (fdr.flags & descriptors.PROGRAM or fdr.record_length):
        return []
    extents = volume.sound_extents(fdr)
    return extents if sum(map(len, extents)) == fdr.sectors else []


def _adopt(sector: int) -> Callable[[Volume], None]:
    def fix(volume: Volume) -> None:
        pointers = volume.pointers(ROOT_INDEX)
        if len(pointers) >= MAX_FILES:
            return
        # An earlier repair of the same run may have given its sectors to another file.
        if not stray_file(volume, sector, volume.unlisted(used=True)):
            return
        fdr = volume.fdr(sector)
        name = unused_name(volume, ROOT_INDEX, descriptors.clean_name(fdr.name))
        volume.set_fdr(sector, replace(fdr, name=descriptors.pad_name(name)))
        volume.set_pointers(ROOT_INDEX, (*pointers, sector))
        volume.set_pointers(ROOT_INDEX, _sorted(volume, ROOT_INDEX))

    return fix
