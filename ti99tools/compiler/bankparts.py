"""The banks of a linked program: their code, constants and tables, and words for the runtime.

These words come after the header of the cartridge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ti99tools.base.errors import TIError
from ti99tools.compiler import ir
from ti99tools.compiler.emit.assembly import bytes_of
from ti99tools.compiler.emit.emission import FIRST_BANK, Emission
from ti99tools.compiler.emit.sections import Section
from ti99tools.compiler.tables import constants, tables
from ti99tools.computer.console.compiledmemory import MARK, NOWHERE, WORD_COUNT, WORDS
from ti99tools.hardware.assembler.assembling import Assembled, MemoryImage

BANK_END = 0x8000
TABLES = ("LINES", "SCOPES", "RESUMS", "DEFS")
"""The addresses among the words of a bank."""
assert 3 + len(TABLES) == WORD_COUNT
MOST = 64
"""Banks of the largest cartridge: 512 KB."""


@dataclass(frozen=True)
class Bank:
    """What a bank with code has after the header: words for the runtime, bytes from an address on.

    The first bank of a program has the tables of its code in high memory.
    """

    words: tuple[int, ...]
    address: int
    data: bytes


@dataclass(frozen=True)
class Berth:
    """Where a program is in its cartridge: the header of all banks ends at `first`, and its code in
    banks begins in bank `bank`.

    `programs` are the names of all programs of the cartridge, of which it is number `number`; no
    names: it is alone and has none. `chained`: some of them RUN others.
    """

    first: int
    bank: int = FIRST_BANK
    programs: tuple[str, ...] = ()
    number: int = 0
    chained: bool = False

    @property
    def name(self) -> str:
        """Its name for RUN, empty without one."""
        return self.programs[self.number] if self.programs else ""

    def equates(self) -> str:
        """Where the loader is that RUN of another program goes to, and the places of programs."""
        return f"CHLOAD EQU  >{self.first + 2:04X}\nCHPLAC EQU  >{self.first + 4:04X}\n"


class BankFull(TIError):
    """Some banks lack bytes: section → how many. Section 0: the tables of code in high memory."""

    def __init__(self, emission: Emission, missing: dict[int, int]) -> None:
        self.missing = missing
        section = min(missing)
        bank = emission.bank_of(section)
        super().__init__(
            f"bank {bank} of the compiled program lacks {missing[section]} bytes",
            remedy="use shorter lines",
        )


class TooManyBanks(TIError):
    """The program needs more banks than cartridges have."""

    def __init__(self) -> None:
        super().__init__(
            f"the compiled program needs more than {MOST} banks", remedy="use less of the program"
        )


def equates(emission: Emission) -> str:
    """Where the words of a bank are, and what selects the bank with the tables of high memory."""
    rows = [f"BANKNO EQU  >{WORDS + 2:04X}\n", f"TABSEL EQU  >{emission.selector(0):04X}\n"]
    rows += [f"{name:<6} EQU  >{WORDS + 4 + 2 * at:04X}\n" for at, name in enumerate(TABLES)]
    return "".join(rows)


def bank_sources(emission: Emission, first: int) -> list[str]:
    """The source of each bank that has code or tables, from `first` on, where the header ends.

    Raises BankFull.
    """
    missing = {}
    sources = []
    for section in emission.out.sections:
        own = tables(emission, section)
        if section.number:
            own = section.listing.text() + own + constants(section.constants)
        size = bytes_of(own)
        if size > BANK_END - first:
            missing[section.number] = size - (BANK_END - first)
        sources.append(f"       AORG >{first:04X}\n{own}")
    if missing:
        raise BankFull(emission, missing)
    return sources


def banks_of(emission: Emission, assembled: Assembled, pieces: list[MemoryImage]) -> Iterator[Bank]:
    """The banks of an assembled program; `pieces` is what its sources have become."""
    for section, piece in zip(emission.out.sections, pieces, strict=emission.banked):
        yield Bank(bank_words(emission, assembled, section), piece.address, piece.data)


def bank_words(emission: Emission, assembled: Assembled, section: Section) -> tuple[int, ...]:
    """The words at the beginning of a section's bank."""
    names = [f"{name}{section.suffix}" for name in TABLES]
    there = [assembled.address_of(name) if name in assembled.symbols else 0 for name in names]
    return (MARK, emission.selector(section.number), *there, emission.selector(0))


def pieces_of(assembled: Assembled) -> list[MemoryImage]:
    """The memory from each AORG of a source on; the pieces may have the same addresses."""
    found: list[tuple[int, bytearray]] = []
    for row in assembled.rows:
        if row.spot is None:
            continue
        if row.line.operation == "AORG":
            found.append((row.spot.address, bytearray()))
        data = b"".join([word.value.to_bytes(2, "big") for word in row.words]) or row.octets
        if data:
            first, memory = found[-1]
            # Bytes that were skipped to an even address are 0.
            memory += bytes(row.spot.address - first - len(memory)) + data
    return [MemoryImage(first, bytes(memory)) for first, memory in found]


def places(emission: Emission, assembled: Assembled) -> Iterator[tuple[int, ir.Spot]]:
    """The places of statements, see `Linked.places`."""
    for section in emission.out.sections:
        above = emission.bank_of(section.number) << 16 if section.number else 0
        for mark in section.marks:
            yield above + assembled.address_of(mark.label), mark.spot
        yield above + assembled.address_of(section.ended), NOWHERE
