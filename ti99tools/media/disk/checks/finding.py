"""One thing wrong with a disk, and how it can be repaired."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from ti99tools.base.errors import DiskError
from ti99tools.base.record import Record
from ti99tools.media.disk import layout
from ti99tools.media.disk.layout import Fdr
from ti99tools.media.disk.volume import Volume

ERROR, WARNING, NOTE = "error", "warning", "note"
"""Error: a file or the disk cannot be used as it should. Warning: it may not be. Note: it is merely
unusual.
"""


class Finding(Record):
    """What is wrong, where, how bad, and what `repair` would do ("" = nothing)."""

    code: str
    severity: str
    place: str
    problem: str
    mend: str = ""
    fix: Callable[[Volume], None] | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        text = f"{self.severity}: {self.place}: {self.problem}"
        return f"{text} (repair: {self.mend})" if self.mend else text


class Entry(Record):
    """A file as an index lists it: where its descriptor is and what it holds."""

    directory: str
    index: int
    pointer: int
    fdr: Fdr

    @property
    def name(self) -> str:
        """The name as users write it, with its directory."""
        name = layout.clean_name(self.fdr.name)
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


def entries(volume: Volume) -> list[Entry]:
    """Every file whose descriptor can be read; each descriptor once."""
    found: dict[int, Entry] = {}
    for directory, index, pointers in readable_indexes(volume):
        for pointer in pointers:
            if pointer in found or not is_descriptor_place(volume, pointer):
                continue
            found[pointer] = Entry(directory, index, pointer, volume.fdr(pointer))
    return list(found.values())


def hides_files(volume: Volume) -> bool:
    """Tell whether an index lists a descriptor that cannot be read: the sectors of its file are
    unknown.
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
