"""What a caller connects to the processor: memory-mapped ports and the CRU."""

from __future__ import annotations

from typing import Protocol


class Port(Protocol):
    """A device on the memory bus: video, sound, GROM, speech."""

    def read(self, address: int) -> int:
        """The byte that a read of the word at `address` (even) brings: 0-255."""
        ...

    def write(self, address: int, value: int) -> None:
        """Take the high byte of the word written to `address` (even)."""
        ...


class Cru(Protocol):
    """The bits of the communications register unit, numbered 0-4095 (R12 / 2 + displacement)."""

    def read_bit(self, number: int) -> int:
        """0 or 1."""
        ...

    def write_bit(self, number: int, value: int) -> None:
        """Set a bit to 0 or 1."""
        ...


class NoPort:
    """A port that nothing answers: it reads 0."""

    def read(self, address: int) -> int:
        """0."""
        return 0

    def write(self, address: int, value: int) -> None:
        """Do nothing."""


class NoCru:
    """A CRU without cards: all bits read 0."""

    def read_bit(self, number: int) -> int:
        """0."""
        return 0

    def write_bit(self, number: int, value: int) -> None:
        """Do nothing."""
