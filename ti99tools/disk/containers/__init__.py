"""Image forms, one module each, and how to tell them apart by content."""

from __future__ import annotations

from ti99tools.disk.containers.base import Container
from ti99tools.disk.containers.sectors import unpack_sectors


def unpack(data: bytes, volume: int = 1) -> tuple[bytes, Container]:
    """Sectors in logical order and the container they came in."""
    return unpack_sectors(data)
