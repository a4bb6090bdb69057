"""What every form of a disk image can do: give its sectors, and take them back."""

from __future__ import annotations

from typing import Protocol


class Container(Protocol):
    """The form an image is stored in."""

    @property
    def form(self) -> str:
        """The form's name, as shown to users."""
        ...

    def pack(self, sectors: bytes) -> bytes:
        """The file's bytes with `sectors` (logical order) in it; all else as it was read."""
        ...
