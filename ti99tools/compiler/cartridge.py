"""The cartridge of one program or several: banks of 8 KB, which the console sees one at a time.

Every bank begins alike, with a header that has the menu's entries, so that the console finds them
whichever bank is selected. They go to the loader in the first bank. It copies the image of a
program to high memory, piece by piece; images lie wherever code in banks leaves room. A program
that RUN starts comes by the same way. Source of the header's form, of how banks are selected, and
of the fastest way to copy: measured on the console (a cartridge without GROM, Extended BASIC or
disk).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import pack

from ti99tools.base.errors import TIError
from ti99tools.base.packed import zipped
from ti99tools.compiler.bankparts import BANK_END, MOST, Bank
from ti99tools.compiler.emit.emission import FIRST_BANK
from ti99tools.compiler.linking import ORIGIN
from ti99tools.compiler.tables import LOW_END
from ti99tools.computer.console.collected import ROUND, StoredProgram
from ti99tools.computer.console.compiledmemory import SEVERAL_MARK, WORD_COUNT, WORDS, selector
from ti99tools.hardware.assembler.assembling import assemble

BANK, START = 0x2000, 0x6000
"""Bytes of a bank, and where the console sees the one that is selected."""
MOST_TITLE = 20
"""Characters of a title for which the menu of the console has room."""
MOST_ENTRIES = 8
"""Entries of the console's menu, which has the numbers 2 to 9."""
MOST_ROUNDS = 64
"""The most rounds of copying of a piece: after each piece the loader lets interrupts in, so that
sprites and sounds go on while a program loads another one.
"""

_HEADER = """\
       AORG >6000
       BYTE >AA,1,1,0
       DATA 0,{last},0,0,0,0
       BSS  {words}
{entries}{starts}GO     CLR  @>6000              the first bank
       B    @LOAD
LOAD
       END
"""
_ENTRY = """\
L{number:<5} DATA {next},E{number}
       BYTE {length}
       TEXT '{title}'
       EVEN
"""
_START = """\
E{number:<5} LI   R5,LOAD+{place}
       JMP  GO
"""
PLACES = 4
"""The loader begins with two jumps, for the menu and for RUN; then come the places of programs.

The menu leaves the address of such a place in R5 of workspace >83E0, RUN in R5 of >8300.
"""
_LOADER = """\
VDPWD  EQU  >8C00
VDPWA  EQU  >8C02
       AORG >{first:04X}
       JMP  MENU
       JMP  RUNS
       DATA {places}
MENU   LIMI 0
       LWPI >8300
       MOV  @>83EA,R5
       CLR  R9                 not by RUN
       LI   R1,>A55A            is there memory?
       MOV  R1,@>A000
       C    R1,@>A000
       JNE  NONE
       INV  R1
       MOV  R1,@>FFFE
       C    R1,@>FFFE
       JNE  NONE
RUNS   LI   R0,COPY             the copying loop runs in the scratch pad
       LI   R1,>831E
MOVE   MOV  *R0+,*R1+
       CI   R0,COPYED
       JNE  MOVE
       MOV  *R5,R5
       LI   R4,>6000            writing here selects a bank
NEXT   MOV  *R5+,R3
       JEQ  READY
       MOV  *R5+,R0
       MOV  *R5+,R1
       MOV  *R5+,R2
       BL   @>831E
       LIMI 2
       LIMI 0
       JMP  NEXT
READY  B    @>A000
COPY   CLR  *R3
COPY1
{copies}
       DEC  R2
       JNE  COPY1
       CLR  *R4
       B    *R11
COPYED
NONE   LI   R0,>4000+256+2      a row of the screen
       SWPB R0
       MOVB R0,@VDPWA
       SWPB R0
       MOVB R0,@VDPWA
       LI   R1,NEEDS
NONE1  MOVB *R1+,R2
       JEQ  NONE2
       MOVB R2,@VDPWD
       JMP  NONE1
NONE2  LIMI 2
       LIMI 0
       JMP  NONE2
NEEDS  TEXT 'NEEDS 32K MEMORY EXPANSION'
       BYTE 0,0
       EVEN
{rest}       END
"""


@dataclass(frozen=True)
class Part:
    """A program of a cartridge: its name for RUN, its image, its banks from number `bank` on, and
    what the end of low memory has.
    """

    name: str
    image: bytes
    banks: Sequence[Bank] = ()
    bank: int = FIRST_BANK
    low: bytes = b""

    @property
    def size(self) -> int:
        """Its bytes on a cartridge."""
        return len(self.image) + len(self.low) + sum(len(bank.data) for bank in self.banks)

    @property
    def copies(self) -> list[tuple[int, bytes]]:
        """What the loader copies to memory, in whole rounds: where to, and the bytes."""
        low = self.low.rjust(_rounded(len(self.low)), b"\0")
        image = self.image.ljust(_rounded(len(self.image)), b"\0")
        return [(ORIGIN, image), (LOW_END - len(low), low)]


@dataclass(frozen=True)
class _Piece:
    """What is copied at once: the bank that has it, where, to where it goes, and the rounds."""

    bank: int
    address: int
    to: int
    rounds: int

    @property
    def words(self) -> str:
        """The words that the loader has of it."""
        return f">{selector(self.bank):04X},>{self.address:04X},>{self.to:04X},{self.rounds}"


def cartridge(parts: Sequence[Part], titles: Sequence[str], chained: bool = False) -> bytes:
    """The banks of a cartridge, one after the other; their number is a power of two.

    `titles` are those of the menu, for the first of the parts. `chained`: its programs RUN others.
    Raises TIError for a title without a character that the menu can show, and for `TooManyParts`.
    """
    header = _header(tuple(map(clean_title, titles)))
    first = START + len(header)
    code = {part.bank + at: bank for part in parts for at, bank in enumerate(part.banks)}
    loader = b""
    while True:
        rooms = [(0, first + len(loader))] + [
            (number, bank.address + len(bank.data) + 1 & ~1) for number, bank in code.items()
        ]
        tables = list(_placed(parts, rooms, first))
        made = _loader(first, parts, tables)
        if len(made) <= len(loader):
            break
        loader = made
    count = 1 + max((piece.bank for table in tables for piece in table), default=0)
    count = max(count, 1 + max(code, default=0))
    if count > MOST:
        raise TooManyParts(count, parts)
    banks = [bytearray(header.ljust(BANK, b"\xff")) for _ in range(1 << (count - 1).bit_length())]
    words = SEVERAL_MARK, len(parts), first + PLACES, count << 1 | chained
    _put(banks[0], WORDS, pack(">4H", *words))
    _put(banks[0], first, made)
    for number, bank in code.items():
        _put(banks[number], WORDS, pack(f">{len(bank.words)}H", *bank.words))
        _put(banks[number], bank.address, bank.data)
    for part, table in zip(parts, tables, strict=True):
        rest = b"".join(data for _, data in part.copies)
        for piece in table:
            size = piece.rounds * ROUND
            _put(banks[piece.bank], piece.address, rest[:size])
            rest = rest[size:]
    return b"".join(banks)


def _put(bank: bytearray, address: int, data: bytes) -> None:
    at = address - START
    bank[at : at + len(data)] = data


def code_start(titles: Sequence[str]) -> int:
    """Where the header of all banks ends in a cartridge with these entries in the menu."""
    return START + len(_header(tuple(map(clean_title, titles))))


@lru_cache(maxsize=8)
def _header(titles: tuple[str, ...]) -> bytes:
    """What all banks begin with, but for the words of their own.

    The menu shows the last of the linked entries first.
    """
    entries = "".join(
        _ENTRY.format(
            number=number,
            next=f"L{number - 1}" if number else 0,
            length=len(title),
            title=title.replace("'", "''"),
        )
        for number, title in enumerate(titles)
    )
    starts = "".join(
        _START.format(number=number, place=PLACES + 2 * number) for number in range(len(titles))
    )
    text = _HEADER.format(
        last=f"L{len(titles) - 1}", words=2 * WORD_COUNT, entries=entries, starts=starts
    )
    image = assemble(text, "header").image()
    assert image.address == START
    return image.data


def _loader(first: int, parts: Sequence[Part], tables: Sequence[Sequence[_Piece]]) -> bytes:
    """The loader with the pieces of each image, and the names of the programs."""
    rows = []
    for number, (part, table) in enumerate(zip(parts, tables, strict=True)):
        letters = [len(part.name), *part.name.encode("latin-1")]
        rows.append(f"T{number}")
        rows += [f"       DATA {piece.words}" for piece in table]
        rows += ["       DATA 0", f"       BYTE {','.join(map(str, letters))}", "       EVEN"]
    text = _LOADER.format(
        first=first,
        places=",".join(f"T{number}" for number in range(len(parts))),
        copies="\n".join(["       MOV  *R0+,*R1+"] * (ROUND // 2)),
        rest="".join(f"{row}\n" for row in rows),
    )
    assert ORIGIN == 0xA000
    return assemble(text, "loader").image().data


def _placed(
    parts: Sequence[Part], rooms: Sequence[tuple[int, int]], first: int
) -> Iterator[list[_Piece]]:
    """The pieces of each program, in the largest of the rooms: a bank, the address of what is free.

    As many banks more are used as are needed, from `first` on.
    """
    free = [[number, at, (BANK_END - at) // ROUND] for number, at in rooms]
    size = sum(len(data) for part in parts for _, data in part.copies)
    missing = size // ROUND - sum(rounds for _, _, rounds in free)
    number = max(bank for bank, _ in rooms)
    while missing > 0:
        number += 1
        free.append([number, first, (BANK_END - first) // ROUND])
        missing -= free[-1][2]
    # The longest piece comes last in the list.
    free.sort(key=lambda each: (each[2], -each[0]))
    for part in parts:
        table = []
        for to, data in part.copies:
            end = to + len(data)
            while to < end:
                bank, address, rounds = free.pop()
                taken = min((end - to) // ROUND, rounds, MOST_ROUNDS)
                table.append(_Piece(bank, address, to, taken))
                to += taken * ROUND
                if taken < rounds:
                    free.append([bank, address + taken * ROUND, rounds - taken])
        yield table


def is_stored(part: Part, stored: StoredProgram, banks: Sequence[bytes]) -> bool:
    """Tell whether a cartridge with these banks has a program as it is here."""

    def there(number: int, address: int, data: bytes) -> bool:
        return number < len(banks) and banks[number][address - START :].startswith(data)

    return all(stored.memory(to, len(data)) == data for to, data in part.copies) and all(
        there(part.bank + at, bank.address, bank.data)
        and there(part.bank + at, WORDS, pack(f">{len(bank.words)}H", *bank.words))
        for at, bank in enumerate(part.banks)
    )


def _rounded(size: int) -> int:
    """Bytes that are copied in whole rounds."""
    return -(-size // ROUND) * ROUND


class TooManyParts(TIError):
    """The programs need more banks than a cartridge has."""

    def __init__(self, count: int, parts: Sequence[Part]) -> None:
        each = ", ".join(f"{part.name} {part.size:,}" for part in parts)
        super().__init__(
            f"the programs need {count} banks of {BANK:,} bytes, a cartridge has {MOST}: "
            f"{(count - MOST) * BANK:,} bytes are missing; the programs have {each}",
            remedy="leave out a program",
        )


def clean_title(title: str) -> str:
    """A title as the console's menu shows it. Raises TIError if nothing is left of it."""
    printable = "".join(c for c in title.upper() if " " <= c <= "_")[:MOST_TITLE].strip()
    if not printable:
        raise TIError(f"{title!r} is no title", remedy="use letters and digits")
    return printable


def rpk(cartridge_bytes: bytes) -> bytes:
    """A cartridge for MAME: a ZIP with the image and a layout (pcb type paged378)."""
    layout = (
        '<?xml version="1.0" encoding="utf-8"?>\n<romset version="1.0">\n'
        ' <resources>\n  <rom id="rom" file="program.bin"/>\n </resources>\n'
        ' <configuration>\n  <pcb type="paged378">\n   <socket id="rom_socket" uses="rom"/>\n'
        "  </pcb>\n </configuration>\n</romset>\n"
    )
    return zipped({"layout.xml": layout.encode(), "program.bin": cartridge_bytes})
