"""Put code that does not fit into high memory into banks of the cartridge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ti99tools.base.errors import TIError
from ti99tools.compiler.bankparts import BANK_END, MOST, BankFull, Berth, TooManyBanks
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.linking import Linked, TooLarge, free_bytes, link
from ti99tools.compiler.placing import Placing

SLACK = 1.12
"""Constants, tables of addresses and jumps to other banks, against the code alone."""
TRIES = 12
SPARE = 32
"""Bytes that are left over when something did not fit."""


@dataclass(frozen=True)
class Rooms:
    """The bytes of code that high memory and each bank get."""

    high: int
    bank: int


def in_banks(
    emit: Callable[[Mapping[str, int]], Emission],
    placing: Placing,
    berth: Berth,
    rooms: Rooms | None = None,
) -> Linked:
    """Link a program with code in banks; `emit` generates the code with each block in its section.

    Raises TIError where it does not fit.
    """
    rooms = rooms or _rooms(emit, placing, int((BANK_END - berth.first) / SLACK))
    homes = placing.homes(rooms.high, rooms.bank)
    spare = max(homes.values()) + 1
    full: TIError
    for _ in range(TRIES):
        if berth.bank + max(homes.values()) >= MOST:
            raise TooManyBanks
        try:
            return link(emit(homes), berth)
        except TooLarge as error:
            full = error
            rooms = Rooms(max(0, rooms.high - error.missing - SPARE), rooms.bank)
            homes = placing.homes(rooms.high, rooms.bank)
        except BankFull as error:
            full = error
            for section, missing in error.missing.items():
                placing.move_out(homes, section, missing + SPARE, spare, rooms.bank)
    raise full


def _rooms(emit: Callable[[Mapping[str, int]], Emission], placing: Placing, bank: int) -> Rooms:
    """What high memory has left if all code is in banks. Raises TooLarge if that is too little."""
    emission = emit(placing.homes(0, bank))
    free = free_bytes(emission)
    if free < 0:
        raise TooLarge(emission, -free)
    return Rooms(int(free / SLACK), bank)
