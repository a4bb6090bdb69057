"""Rounds of code that waits: as long as nothing comes from outside, each is like the one before.

Code that waits for a key calls the console's scan of the keyboard again and again. If everything is
as it was when it gets there once more, each further round does the same and takes the same time,
until an interrupt or an event of the clock. Such rounds need not be executed: the time is moved on
by a whole number of them, and the last one before that is executed.

That everything is as it was is not assumed. One round is executed by the interpreter on a bus that
notes each word of memory it reads or writes, with the value that it had. The round stands if all
these words have their values again, if it has met no port, no CRU bit and no other trap, and if
what is outside has not changed. It is repeated only where these words have these values. Of two
words that are only compared with each other, as those with the number of the frame now and at the
last look, the result counts alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Protocol, cast

from ti99tools.hardware.cpu.bus import ROM_END, Bus, Cru
from ti99tools.hardware.cpu.core import compare
from ti99tools.hardware.cpu.instructions import DECODED
from ti99tools.hardware.cpu.processor import Processor, Trap

LONGEST = 2000
"""Instructions of a round at most."""
OFTEN = 8
"""How often code comes to a place in the same registers before a round from there is noted."""
MOST = 4
"""Rounds of a place that are kept: the code that waits there may have other values in memory."""
CREDIT = 10_000
"""Instructions of a place that may be noted at first; noting takes some times as long."""
WORTH = 10
"""Instructions that must have been left out for one more to be noted."""


class Outside(Protocol):
    """What a scan of the keyboard depends on besides memory, and what it counts."""

    @property
    def standing(self) -> Hashable | None:
        """All of it, to be compared; None while anything there changes by being looked at."""
        ...

    @property
    def counts(self) -> tuple[int, ...]:
        """What goes on counting with each scan, for others to look at."""
        ...

    def count(self, more: Iterable[int]) -> None:
        """Add to the `counts`."""
        ...


@dataclass(slots=True)
class _Notes:
    """What has been met of memory, and whether anything else was."""

    bus: Bus
    values: dict[int, int]
    """Word of memory → the value that it had when it was met first."""
    pairs: dict[tuple[int, int], int] = field(default_factory=dict)
    """Two words of memory that are compared → the status of that."""
    compared: tuple[int, ...] = ()
    """The words that the present instruction only compares."""
    strange: bool = False

    def before(self, cpu: Processor) -> None:
        """Look at the instruction that is executed next."""
        self.compared = ()
        pair = _compared(cpu)
        if pair is not None and self.values.keys().isdisjoint(pair):
            words = self.bus.words
            self.compared = pair
            self.pairs.setdefault(pair, compare(words[pair[0]], words[pair[1]]))

    def end(self) -> None:
        """Let the bus work as usual again."""
        self.bus.__class__ = Bus


class NotedBus(Bus):
    """A bus in use, while it notes what is read and written; others have it as it is."""

    notes: _Notes

    @classmethod
    def begin(cls, bus: Bus, words: tuple[int, ...]) -> _Notes:
        """Let a bus note what it meets, and some words from the beginning."""
        noted = cast(NotedBus, bus)
        noted.__class__ = cls
        noted.notes = _Notes(bus, {index: bus.words[index] for index in words})
        return noted.notes

    def _note(self, index: int) -> None:
        if index >= 0 and index not in self.notes.compared:
            self.notes.values.setdefault(index, self.words[index])

    def _note_bytes(self, address: int, count: int) -> None:
        for at in range(address & 0xFFFE, address + count, 2):
            self._note(self.places[at & 0xFFFF])

    def read(self, address: int) -> int:
        """The word at an address, with its wait states."""
        self._note(self.reads[address])
        return super().read(address)

    def write(self, address: int, value: int) -> None:
        """Write a word, with its wait states."""
        self._note(self.writes[address])
        super().write(address, value)

    def read_port(self, address: int) -> int:
        """A read outside memory; only the word of ROM that code goes to is no port."""
        self.notes.strange |= address >= ROM_END
        return super().read_port(address)

    def write_port(self, address: int, value: int) -> None:
        """A write outside plain memory: nothing happens only if the word has that value."""
        index = self.places[address]
        self.notes.strange |= index < 0 or not self._writable(index)
        self._note(index)
        super().write_port(address, value)

    def peek(self, address: int) -> int:
        """The byte of memory at an address, without cycles."""
        self._note_bytes(address, 1)
        return super().peek(address)

    def load(self, address: int, data: Iterable[int]) -> None:
        """Put bytes into memory of any kind, without cycles."""
        data = bytes(data)
        self._note_bytes(address, len(data))
        super().load(address, data)

    def load_byte(self, address: int, byte: int) -> None:
        """Put a byte into memory of any kind, without cycles."""
        self._note_bytes(address, 1)
        super().load_byte(address, byte)

    def load_word(self, address: int, word: int) -> None:
        """Put a word into memory of any kind, without cycles."""
        self.load(address, word.to_bytes(2, "big"))

    def load_words(self, address: int, words: Iterable[int]) -> None:
        """Put words into memory of any kind, without cycles."""
        self.load(address, b"".join(word.to_bytes(2, "big") for word in words))

    def word_at(self, address: int) -> int:
        """The word at an address, without cycles."""
        self._note_bytes(address & 0xFFFE, 2)
        return super().word_at(address)

    def words_at(self, address: int, count: int) -> list[int]:
        """Words from an address on, without cycles."""
        self._note_bytes(address, 2 * count)
        return super().words_at(address, count)


@dataclass(slots=True)
class _NotedCru:
    """CRU lines in use, while they note that they are."""

    cru: Cru
    used: bool = False

    def read_bit(self, number: int) -> int:
        """A bit as the lines have it now."""
        self.used = True
        return self.cru.read_bit(number)

    def write_bit(self, number: int, value: int) -> None:
        """Set a bit on the lines to 0 or 1."""
        self.used = True
        self.cru.write_bit(number, value)


@dataclass(frozen=True, slots=True)
class Round:
    """A round that leaves everything as it was: when it holds, and what it takes."""

    standing: Hashable
    version: int
    """Of the set of traps."""
    words: Callable[[list[int]], object]
    """Takes the words that it depends on from memory."""
    values: object
    """What these words are."""
    pairs: tuple[tuple[int, int, int], ...]
    """Words that are only compared, and the status."""
    cycles: int
    counts: tuple[int, ...]
    instructions: int

    def holds(self, cpu: Processor, standing: Hashable) -> bool:
        """Tell whether the next round is this one."""
        return (
            self.standing == standing
            and self.version == cpu.traps.version
            and self.words(cpu.bus.words) == self.values
            and all(
                compare(cpu.bus.words[one], cpu.bus.words[other]) == status
                for one, other, status in self.pairs
            )
        )


def _compared(cpu: Processor) -> tuple[int, int] | None:
    """The words that a C compares, each a register or of a fixed address; None for all else."""
    bus, at = cpu.bus, cpu.pc
    word = bus.words[bus.places[at]]
    if cpu.pending is not None or DECODED[word].name != "C":
        return None
    found: list[int] = []
    for bits in (word, word >> 6):
        mode, number = bits >> 4 & 3, bits & 15
        if mode == 0:
            address = cpu.at(number)
        elif mode == 2 and not number:
            at = (at + 2) & 0xFFFF
            address = bus.words[bus.places[at]]
        else:
            return None
        found.append(bus.places[address])
    # Code that compares itself is left to the notes.
    own = {bus.places[(cpu.pc + offset) & 0xFFFF] for offset in (0, 2, 4)}
    return (found[0], found[1]) if own.isdisjoint(found) and min(found) >= 0 else None


class Rounds:
    """The rounds of a processor that begin with a scan of the keyboard."""

    def __init__(self, cpu: Processor, outside: Outside) -> None:
        self._cpu = cpu
        self._outside = outside
        self._visits: Counter[int] = Counter()
        self._rounds: dict[int, list[Round]] = {}
        """PC | WP << 16 | ST << 32 → rounds from there, newest first."""
        self._credit: dict[int, int] = {}
        self._failed: Counter[int] = Counter()
        """How often in a row a round was noted in vain."""
        self._again: dict[int, int] = {}
        """The visit from which on a round is noted again."""
        self.skipped = self.tried = 0
        """Rounds that have not been executed, and those that have been noted, if in vain or not."""

    def from_trap(self, trap: Trap, code: tuple[int, ...] = ()) -> Trap:
        """A trap with which rounds may begin; `code` are words of memory that it reads itself."""

        def begun(cpu: Processor) -> None:
            # Without a time to run to, somebody looks at each instruction.
            if cpu.request is None and cpu.bus.cycles < cpu.until:
                key = cpu.pc | cpu.wp << 16 | cpu.st << 32
                self._visits[key] += 1
                worth = self._visits[key] > OFTEN and self._credit.get(key, CREDIT) > 0
                if worth and self._begin(key, trap, code):
                    return
            trap(cpu)

        return begun

    def _begin(self, key: int, trap: Trap, code: tuple[int, ...]) -> bool:
        """Skip rounds, or note one; True if one has been executed, trap and all."""
        standing = self._outside.standing
        if standing is None:
            return False
        cpu, rounds = self._cpu, self._rounds.setdefault(key, [])
        self._credit.setdefault(key, CREDIT)
        for each in rounds:
            if each.holds(cpu, standing):
                self._skip(key, each)
                return False
        if self._visits[key] < self._again.get(key, 0):
            return False
        found = self._noted(key, trap, code)
        if found is None:
            self._failed[key] += 1
            self._again[key] = self._visits[key] + 2 ** self._failed[key]
        else:
            self._failed[key] = 0
            self._rounds[key] = [found, *rounds][:MOST]
        return True

    def _skip(self, key: int, each: Round) -> None:
        """Move the time on; the last round that begins in time is executed."""
        cpu = self._cpu
        times = (cpu.until - 1 - cpu.bus.cycles) // each.cycles
        cpu.bus.cycles += times * each.cycles
        self._outside.count(times * count for count in each.counts)
        self._credit[key] += times * each.instructions // WORTH
        self.skipped += times

    def _noted(self, key: int, trap: Trap, code: tuple[int, ...]) -> Round | None:
        """Execute a round; None if it is not like the next."""
        cpu, bus, outside = self._cpu, self._cpu.bus, self._outside
        self.tried += 1
        began, standing, version = bus.cycles, outside.standing, cpu.traps.version
        counts = outside.counts
        noted = NotedBus.begin(bus, code)
        cpu.cru = cru = _NotedCru(cpu.cru)
        instructions = 0
        try:
            trap(cpu)
            while (
                cpu.pc not in cpu.traps
                and bus.cycles < cpu.until
                and instructions < LONGEST
                and not (noted.strange or cru.used)
            ):
                noted.before(cpu)
                cpu.step()
                instructions += 1
        finally:
            noted.end()
            cpu.cru = cru.cru
            self._credit[key] -= instructions
        same = (
            key == cpu.pc | cpu.wp << 16 | cpu.st << 32
            and bus.cycles < cpu.until
            and cpu.request is None
            and not (noted.strange or cru.used)
            and outside.standing == standing
            and cpu.traps.version == version
            and all(bus.words[index] == value for index, value in noted.values.items())
        )
        if not same:
            return None
        words = itemgetter(*noted.values)
        return Round(
            standing,
            version,
            words,
            words(bus.words),
            tuple((*pair, status) for pair, status in noted.pairs.items()),
            bus.cycles - began,
            tuple(now - then for now, then in zip(outside.counts, counts, strict=True)),
            instructions,
        )
