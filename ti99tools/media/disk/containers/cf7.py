"""Cards of the CF7+ and nanoPEB: volumes of 1600 sectors, each byte followed by an unused one.

Volume n (from 1) lies at (n − 1) · 819,200 bytes. We write the unused bytes as 00; cards of other
origin have E5 or anything else. A blank or foreign place on the card is not a volume. Everything
outside the chosen volume is kept, and so are its unused bytes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ti99tools.base.errors import DiskError, Remedy
from ti99tools.media.disk import structs
from ti99tools.media.disk.containers.sectors import Codec, Unpacked
from ti99tools.media.disk.descriptors import MARK, Vib, clean_name, vib_of
from ti99tools.media.disk.geometry import GEOMETRIES, SECTOR

SECTORS = GEOMETRIES["CF"].sectors
VOLUME = SECTORS * SECTOR * 2
"""Bytes a volume takes on the card."""


@dataclass(frozen=True, slots=True)
class CardVolume:
    """Volume `number` of the card image `card`."""

    card: bytes
    number: int = 1

    form = "CF7+"

    def pack(self, sectors: bytes, _unreadable: Collection[int] = ()) -> bytes:
        """The card with this volume's sectors.

        Raises DiskError for another number of sectors than a volume has.
        """
        if len(sectors) != SECTORS * SECTOR:
            raise DiskError(
                f"a CF7+ volume has {SECTORS} sectors, not {len(sectors) // SECTOR}",
                remedy=Remedy.CARD_FORM,
            )
        start = (self.number - 1) * VOLUME
        card = bytearray(self.card.ljust(start + VOLUME, b"\0"))
        card[start : start + VOLUME : 2] = sectors
        return bytes(card)


def is_card(data: bytes) -> bool:
    """Tell whether `data` looks like a card: one of the first 32 volumes has DSK, spread out."""
    # A whole card may be gigabytes; one that is in use has a disk among the first volumes.
    starts = range(0, min(len(data) - VOLUME + 1, 32 * VOLUME), VOLUME)
    return any(_initialised(data, start) for start in starts)


def volumes(data: bytes) -> dict[int, str]:
    """Number → name of the initialised volumes of a card."""
    names = {}
    for start in range(0, len(data) - VOLUME + 1, VOLUME):
        if _initialised(data, start):
            names[start // VOLUME + 1] = clean_name(_block(data, start).name)
    return names


def read(data: bytes, volume: int) -> Unpacked | None:
    """Volume `volume` of a card."""
    return unpack_card(data, volume) if is_card(data) else None


def put(sectors: bytes, card: bytes, volume: int) -> bytes:
    """`card` with the 1600 `sectors` as its volume `volume`, extended as far as needed.

    Raises DiskError for a volume below 1.
    """
    if volume < 1:
        raise DiskError(f"no volume {volume}", remedy="volumes count from 1")
    return CardVolume(card.ljust(volume * VOLUME, b"\0"), volume).pack(sectors)


def unpack_card(data: bytes, volume: int) -> Unpacked:
    """Volume `volume` of a card image. Raises `DiskError` when the card has no such place."""
    count = len(data) // VOLUME
    if not 1 <= volume <= count:
        raise DiskError(f"the card has no volume {volume}", remedy=Remedy.VOLUME.of(count=count))
    start = (volume - 1) * VOLUME
    if not _initialised(data, start):
        known = ", ".join(map(str, volumes(data)))
        raise DiskError(
            f"volume {volume} of the card is not initialised",
            remedy=f"initialised volumes: {known}",
        )
    return Unpacked(data[start : start + VOLUME : 2], CardVolume(data, volume))


def _initialised(data: bytes, start: int) -> bool:
    return _block(data, start).magic == MARK


def _block(data: bytes, start: int) -> Vib:
    """The volume block of the volume at `start`."""
    return vib_of(structs.parse(structs.CF7_VIB, data[start : start + structs.CF7_VIB.sizeof()]))


CODEC = Codec(read, None, put)
