"""The memory map of a console: words, wait states, ports, and reports of changed code.

Every access is to a 16-bit word; the last address bit chooses one of its bytes. Reading a byte
reads the word; writing one reads the word and writes it back. All memory except scratchpad and
console ROM is on the multiplexed 8-bit bus and costs 4 more cycles an access. Some ports hold the
processor longer (recorded).

What a caller connects to the processor are memory-mapped ports and the CRU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from functools import lru_cache
from struct import pack, unpack
from typing import Protocol


class BusPort(Protocol):
    """A device on the memory bus: video, sound, GROM, speech."""

    def read(self, address: int) -> int:
        """The byte that a read of the word at `address` (even) returns: 0-255."""
        ...

    def write(self, address: int, value: int) -> None:
        """Take the high byte of the word written to `address` (even)."""
        ...


class Cru(Protocol):
    """The bits of the communications register unit, numbered 0-4095 (R12 / 2 + displacement)."""

    def read_bit(self, number: int) -> int:
        """The bit with this number (half of the address in R12), 0 or 1."""
        ...

    def write_bit(self, number: int, value: int) -> None:
        """Set a bit to 0 or 1."""
        ...


CARD_LINES = 0x0800 // 2
"""The first bit of the CRU that belongs to cards; those below are the console's own chip."""


class NoPort:
    """A port that no device answers: it reads 0."""

    def read(self, _address: int) -> int:
        """Give 0: nothing is there to read."""
        return 0

    def write(self, address: int, value: int) -> None:
        """Ignore the byte: nothing listens."""


class NoCru:
    """A CRU without cards: all bits read 0."""

    def read_bit(self, _number: int) -> int:
        """Give 0 for every bit."""
        return 0

    def write_bit(self, number: int, value: int) -> None:
        """Ignore the bit: no card takes it."""


NOWHERE = -1
"""The index of an address without plain memory."""
SLOW = 4
"""Cycles that an access over the 8-bit bus adds."""
ROM_END, VECTORS_END = 0x2000, 0x0008
"""The end of the console's ROM, and of its vectors for reset and interrupt."""
LOW = (0x2000, 0x4000)
HIGH = (0xA000, 0x10000)
CARD = (0x4000, 0x6000)
CARTRIDGE = (0x6000, 0x8000)
"""The two parts of the memory expansion, and where cards and cartridges show their memory."""
# The scratchpad has 256 bytes; the four pages of this range are the same memory.
PAD = (0x8000, 0x8400)
PAD_BASE = 0x8300
PORTS = (0x8400, 0xA000)
LONG = 32
"""Fewest bytes for which it pays to check whether they can be loaded as words."""
PAGE, LAST = 0x100, 0xFF
"""Bytes of a page, within which memory is contiguous, and the offset of its last byte."""

SOUND, VDP_READ, VDP_WRITE, SPEECH_READ, SPEECH_WRITE, GROM_READ, GROM_WRITE = range(
    0x8400, 0xA000, 0x400
)
"""First address of each port; each takes 1K."""
READABLE = (VDP_READ, SPEECH_READ, GROM_READ)
WRITABLE = (SOUND, VDP_WRITE, SPEECH_WRITE, GROM_WRITE)
READ_WAITS = {GROM_READ: 23, GROM_READ + 2: 17}
WRITE_WAITS = {SOUND: 32, SPEECH_WRITE: 68, GROM_WRITE: 29, GROM_WRITE + 2: 29}
"""Cycles of an access to a port, by its first address plus bit 1; all others cost SLOW."""
MOST_WAIT = 68
"""The most cycles that one access can take."""


class Bus:
    """Memory, ports and the clock that accesses advance.

    `words` holds the memory by word index (address / 2), scratchpad at >8300 only. `reads` and
    `writes` map an address to its index as the processor has it, or to NOWHERE: ports, ROM
    (writes), watched code (writes). `places` has all memory. All machines share `places` and
    `waits`, which never change. `cycles` counts from the start of the machine, at 3 MHz.
    """

    def __init__(self, *, expansion: bool = True) -> None:
        self.cycles = 0
        self.expansion = expansion
        self.words = [0] * 0x8000
        reads, writes, waits = _map(expansion)
        self.places = self.reads = reads
        self.writes = list(writes)
        self.waits = waits
        self.changed: Callable[[int], None] = _nobody
        self._ports: dict[int, BusPort] = {}
        self._watched: set[int] = set()
        self._guarded = range(0)
        self.touched = False
        """Set when a guarded word has changed."""
        self.cartridge: Callable[[int], None] = _nobody
        """Called with the address of a write to the cartridge's ROM."""
        self.shown: Callable[[int], None] = _nobody
        """Called with the number of a bank of the cartridge whose words are now in `words`."""
        self.guarding: Callable[[range], None] = _nobody_writes
        """Called with the words that are guarded from now on."""
        self._rom_read: Callable[[int], None] = _nobody

    def connect(self, address: int, port: BusPort) -> None:
        """Connect a device to a port: `address` is SOUND, VDP_READ, VDP_WRITE, …"""
        if address not in READABLE + WRITABLE:
            raise ValueError(f">{address:04X} is not the first address of a port")
        self._ports[address] = port

    def tell_rom(self, listener: Callable[[int], None]) -> None:
        """Call `listener` with each address of the console's ROM that code reads, but the vectors.

        Do so before a processor is connected: the map of reads becomes this machine's own.
        """
        self._rom_read = listener
        self.reads = list(self.places)
        self.reads[VECTORS_END:ROM_END] = [NOWHERE] * (ROM_END - VECTORS_END)

    def read(self, address: int) -> int:
        """The word at an address, with its wait states."""
        index = self.reads[address]
        if index >= 0:
            self.cycles += self.waits[index]
            return self.words[index]
        return self.read_port(address)

    def write(self, address: int, value: int) -> None:
        """Write a word, with its wait states."""
        # Unchecked for speed: `writes` leads anything special to NOWHERE.
        index = self.writes[address]
        if index >= 0:
            self.cycles += self.waits[index]
            self.words[index] = value
        else:
            self.write_port(address, value)

    def read_byte(self, address: int) -> int:
        """The byte at an address."""
        word = self.read(address)
        return word & 0xFF if address & 1 else word >> 8

    def write_byte(self, address: int, value: int) -> None:
        """Write a byte: the word is read, then written."""
        # The read is real: a port sees it, and it costs its wait states.
        word = self.read(address)
        self.write(address, word & 0xFF00 | value if address & 1 else word & 0xFF | value << 8)

    def read_port(self, address: int) -> int:
        """A read outside memory: the port's byte in the high half."""
        if address < ROM_END:
            self._rom_read(address)
            return self.words[address >> 1]
        first = address & 0xFC00
        # GROM data and GROM address have different waits: bit 1 of the address tells them apart.
        self.cycles += READ_WAITS.get(first | address & 2, SLOW)
        port = self._ports.get(first) if first in READABLE else None
        return (port or NO_PORT).read(address & 0xFFFE) << 8

    def write_port(self, address: int, value: int) -> None:
        """A write outside plain memory: ports, ROM, watched code."""
        if PORTS[0] <= address < PORTS[1]:
            first = address & 0xFC00
            self.cycles += WRITE_WAITS.get(first | address & 2, SLOW)
            port = self._ports.get(first) if first in WRITABLE else None
            (port or NO_PORT).write(address & 0xFFFE, value >> 8)
            return
        if CARTRIDGE[0] <= address < CARTRIDGE[1]:
            self.cartridge(address)
        # Not a port: the word is watched or guarded, or it is ROM, which takes the time and ignores
        # the value.
        index = self.places[address]
        self.cycles += self.waits[index]
        seen = index in self._watched or index in self._guarded
        if seen and self._writable(index) and self.words[index] != value:
            self.words[index] = value
            self._tell(index)

    def _tell(self, index: int) -> None:
        """Report a word with a new value."""
        if index in self._guarded:
            self.touched = True
        if index in self._watched:
            self.changed(index)

    def watch(self, index: int) -> None:
        """Call `changed` when a write changes the word of memory with this index."""
        self._watched.add(index)
        self._aim(index, NOWHERE)

    def unwatch(self, index: int) -> None:
        """Undo `watch`: changes of the word are no longer reported."""
        self._watched.discard(index)
        plain = self._writable(index) and index not in self._guarded
        self._aim(index, index if plain else NOWHERE)

    def guard(self, words: range) -> None:
        """Let `touched` report changes of these words of high memory, and only of these."""
        before, self._guarded = self._guarded, words
        self.touched = False
        first, end = 2 * before.start, 2 * before.stop
        # High memory maps to itself, so `places` has the entries to restore.
        self.writes[first:end] = self.places[first:end]
        self.writes[2 * words.start : 2 * words.stop] = [NOWHERE] * (2 * len(words))
        for index in self._watched.intersection(before):
            self._aim(index, NOWHERE)
        self.guarding(words)

    def watched(self, index: int) -> bool:
        """Tell whether changes of a word are reported."""
        return index in self._watched

    def unwatched(self, indexes: Set[int]) -> bool:
        """Tell whether none of these words is watched or guarded."""
        guarded = map(self._guarded.__contains__, indexes)
        return self._watched.isdisjoint(indexes) and not any(guarded)

    def writable(self, address: int) -> bool:
        """Tell whether an address is memory that can be written."""
        index = self.places[address & 0xFFFF]
        return index >= 0 and self._writable(index)

    def _writable(self, index: int) -> bool:
        address = 2 * index
        ram = (PAD, LOW, HIGH) if self.expansion else (PAD,)
        return any(first <= address < end for first, end in ram)

    def _aim(self, index: int, target: int) -> None:
        """Set where writes to a word go; a scratchpad word has four mirrors of two addresses."""
        address = 2 * index
        if PAD[0] <= address < PAD[1]:
            mirrors = range(PAD[0] | address & LAST, PAD[1], PAGE)
        else:
            mirrors = range(address, address + 1)
        for at in mirrors:
            self.writes[at] = self.writes[at + 1] = target

    def peek(self, address: int) -> int:
        """The byte of memory at an address, without cycles; ports read 0."""
        index = self.places[address & 0xFFFF]
        word = self.words[index] if index >= 0 else 0
        return word & 0xFF if address & 1 else word >> 8

    def load(self, address: int, data: Iterable[int]) -> None:
        """Put bytes into memory of any kind, even ROM, without cycles; ports are left out."""
        # Large blocks of bytes are common when programs load: unpacked at once they cost little.
        if isinstance(data, bytes) and self._in_one_piece(address, len(data)):
            place = range(address >> 1, (address + len(data)) >> 1)
            if self._watched.isdisjoint(place) and not _overlap(place, self._guarded):
                self.words[place.start : place.stop] = unpack(f">{len(place)}H", data)
                return
        for at, byte in enumerate(data, address):
            self.load_byte(at, byte)

    def load_byte(self, address: int, byte: int) -> None:
        """Put a byte into memory of any kind, even ROM, without cycles; ports are left out."""
        index = self.places[address & 0xFFFF]
        if index < 0:
            return
        word = self.words[index]
        new = word & 0xFF00 | byte if address & 1 else word & 0xFF | byte << 8
        self.words[index] = new
        if new != word and (index in self._watched or index in self._guarded):
            self._tell(index)

    def word_at(self, address: int) -> int:
        """The word at an address, without cycles; the last address bit is ignored, ports read 0."""
        index = self.places[address & 0xFFFE]
        return self.words[index] if index >= 0 else 0

    def _in_one_piece(self, address: int, size: int) -> bool:
        """Tell whether the bytes are whole words of contiguous plain memory."""
        end = address + size
        plain = end <= PAD[0] or (address >= HIGH[0] and end <= HIGH[1])
        return size >= LONG and plain and not (address | size) & 1

    def show(self, number: int, bank: Sequence[int]) -> None:
        """Show a bank of the cartridge, all of its words. Code made of another bank is kept."""
        first, end = CARTRIDGE
        self.words[first >> 1 : end >> 1] = bank
        self.shown(number)

    def load_words(self, address: int, words: Sequence[int]) -> None:
        """`load` of words to an even address."""
        size = 2 * len(words)
        end = address + size
        if address & LAST <= PAGE - size and NOWHERE not in self.writes[address:end:2]:
            first = self.places[address]
            self.words[first : first + len(words)] = words
        else:
            self.load(address, pack(f">{len(words)}H", *words))

    def load_word(self, address: int, word: int) -> None:
        """`load` of a word to an even address."""
        index = self.writes[address]
        if index >= 0:
            self.words[index] = word
        else:
            self.load(address, word.to_bytes(2, "big"))

    def words_at(self, address: int, count: int) -> list[int]:
        """Words from an address on, without cycles."""
        size = 2 * count
        first = self.places[address & 0xFFFF]
        # Within a page one slice is enough, since mirrors and ports begin at page borders.
        if address & LAST <= PAGE - size and first >= 0 and not address & 1:
            return self.words[first : first + count]
        end = address + size
        # An odd address or the end of memory: byte by byte.
        if address & 1 or end > len(self.places):
            places = range(address, end, 2)
            return [self.peek(at) << 8 | self.peek(at + 1) for at in places]
        words = self.words
        return [words[index] if index >= 0 else 0 for index in self.places[address:end:2]]

    def bytes_at(self, address: int, count: int) -> bytes:
        """Bytes from an address on, without cycles."""
        skipped = address & 1
        words = self.words_at(address - skipped, (count + skipped + 1) // 2)
        return pack(f">{len(words)}H", *words)[skipped : skipped + count]


NO_PORT = NoPort()


@lru_cache(maxsize=2)
def _map(expansion: bool) -> tuple[list[int], list[int], list[int]]:
    """The maps of a new machine: indexes for reads and for writes, waits."""
    reads, writes, waits = [NOWHERE] * 0x10000, [NOWHERE] * 0x10000, [SLOW] * 0x8000
    # Console ROM and scratchpad are on the 16-bit bus, without wait states.
    waits[: ROM_END // 2] = [0] * (ROM_END // 2)
    for first, end in ((0, ROM_END), LOW, CARD, CARTRIDGE, HIGH):
        reads[first:end] = [address >> 1 for address in range(first, end)]
    for address in range(*PAD):
        index = (PAD_BASE | address & 0xFF) >> 1
        reads[address] = writes[address] = index
        waits[index] = 0
    if expansion:
        for first, end in (LOW, HIGH):
            writes[first:end] = reads[first:end]
    return reads, writes, waits


def _overlap(first: range, second: range) -> bool:
    """Tell whether two ranges share a word."""
    return max(first.start, second.start) < min(first.stop, second.stop)


def _nobody(place: int) -> None:
    """Do nothing: nobody watches code, or listens to the cartridge port."""


def _nobody_writes(words: range) -> None:
    """Do nothing: no code writes unchecked."""
