"""What every form of a disk image can do: give its sectors, and take them back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ti99tools.base.record import Record
from ti99tools.disk.geometry import Geometry


class Container(Protocol):
    """The form an image is stored in."""

    @property
    def form(self) -> str:
        """The form's name, as shown to users."""
        ...

    def pack(self, sectors: bytes, unreadable: Collection[int] = ()) -> bytes:
        """The file's bytes with `sectors` (logical order) in it; all else as it was read.

        Sectors listed as `unreadable` are left as they are in the file.
        """
        ...


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A container's content: sectors in logical order, and which of them could not be read."""

    sectors: bytes
    container: Container
    defects: Mapping[int, str] = field(default_factory=dict)
    """Logical sector → what is wrong with it, e.g. `bad CRC at cylinder 3, side 0, sector 5`."""


class Codec(Record):
    """What the module of a form offers.

    `read` gives the volume in a file's bytes (of a card: the one of that number), None when they
    are not of this form; `DiskError` when they are, but damaged. `create` makes a fresh file of
    sectors; `DiskError` for a geometry that the form cannot hold. A form of cards has `put` in its
    place: it makes the sectors a volume of a card.
    """

    read: Callable[[bytes, int], Unpacked | None]
    create: Callable[[bytes, Geometry], bytes] | None
    put: Callable[[bytes, bytes, int], bytes] | None = None
