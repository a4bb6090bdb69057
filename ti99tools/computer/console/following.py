"""A compiled program followed on a cartridge's console, statement by statement.

It contains a table of its lines, so that it can be timed and stopped by line; whoever has compiled
it knows its statements, too. The time of the runtime and of the console's routines counts for the
statement that calls them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from ti99tools.base.errors import TIError
from ti99tools.computer.console.compiled import BYTE_POINTER, Symbols, bare_symbols, beginning
from ti99tools.computer.console.compiledmemory import NOWHERE, Spot, place
from ti99tools.computer.console.profiling import Profile
from ti99tools.computer.machinecode.cartridges import CartridgeEngine

START = 0xA000
"""The address of a compiled program's first instruction."""


@dataclass
class Follower:
    """Executes a cartridge's program instruction by instruction and follows its statements.

    `entered` is called with each statement that begins. `cycles` and `times` count, by statement,
    CPU cycles and how often it began. Without `symbols` the program's own table of lines is used.
    Programs that it RUNs are not followed.
    """

    engine: CartridgeEngine
    symbols: Symbols | None = None
    entered: Callable[[Spot], None] = lambda _spot: None
    spot: Spot = NOWHERE
    """The current statement; `NOWHERE`: none yet."""
    cycles: Counter[Spot] = field(default_factory=Counter)
    times: Counter[Spot] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._fetches = 0
        if self.symbols is None:
            self._take(())
        else:
            self._know(self.symbols)
        self._reported = -1
        """The address last reported to `entered`, until its instruction has run; −1: none."""
        self._interrupted = -1
        """The address where an interrupt came, until control is back there; −1: nowhere."""
        self.engine.execute = self._execute

    def _learn(self) -> None:
        """Follow the program that has been copied to memory, unless another one has RUN it."""
        if self.symbols is not None:
            if self.symbols.begins in (b"", beginning(self.engine.bus)):
                self._know(self.symbols)
            else:
                self._fetches, self.spot = 0, NOWHERE
                self._take(())
            return
        self.symbols = bare_symbols(
            self.engine.bus, self.engine.machine.vdp.ram, self.engine.slot.cartridge.banks
        )
        if self.symbols is None:
            raise TIError(
                "the cartridge has no table of its lines",
                remedy="compile its program with ti99tools compile",
            )
        self._know(self.symbols)

    def _know(self, symbols: Symbols) -> None:
        self._fetches = symbols.fetches
        self._take(symbols.places)

    def _take(self, places: Sequence[tuple[int, Spot]]) -> None:
        self._addresses = [address for address, _ in places]
        self._spots = [spot for _, spot in places]
        self._starts = dict(places)
        # Reversed, so that the lowest of a statement's several addresses wins.
        self._first = {spot: address for address, spot in reversed(places)}

    def spot_at(self, address: int) -> Spot:
        """The statement whose code contains an address, with its bank; `NOWHERE`: none."""
        if not self._addresses or address < self._addresses[0]:
            return NOWHERE
        return self._spots[bisect_right(self._addresses, address) - 1]

    def _execute(self, until: int) -> None:
        cpu, bus, slot = self.engine.cpu, self.engine.bus, self.engine.slot
        while bus.cycles < until:
            at, before = place(cpu.pc, slot.bank), bus.cycles
            if at == self._fetches and at:
                at = bus.word_at(BYTE_POINTER)
            # The cartridge copies the program into memory just before it starts there.
            if at == START:
                self._learn()
            started = self._starts.get(at)
            # After a stop the same instruction comes again; it must not count twice.
            known = (self._reported, self._interrupted)
            if started not in (None, NOWHERE) and at not in known:
                self._reported = at
                # A statement may have several places. It begins at its first one, and wherever it
                # is entered from another.
                if started != self.spot or at == self._first[started]:
                    self.times[started] += 1
                    self.spot = started
                    self.entered(started)
            interrupted = cpu.request is not None and cpu.request <= cpu.mask
            if at == self._interrupted:
                self._interrupted = -1
            spot = self.spot_at(at)
            if spot != NOWHERE:
                self.spot = spot
            try:
                cpu.step()
            # Cycles have passed even when the instruction raises.
            finally:
                self.cycles[self.spot] += bus.cycles - before
            # Nor after an interrupt, whose routine runs first.
            self._interrupted = at if interrupted else self._interrupted
            self._reported = -1


@contextmanager
def following(engine: CartridgeEngine) -> Iterator[Profile]:
    """Profile the lines of what a cartridge runs in the body of the `with` statement.

    Raises TIError for a cartridge without a table of lines.
    """
    follower, profile = Follower(engine), Profile()

    def now() -> tuple[Counter[Spot], Counter[Spot]]:
        # What comes before the first line is of the cartridge's loader.
        spent = Counter({spot: n for spot, n in follower.cycles.items() if spot != NOWHERE})
        return spent, follower.times.copy()

    def mark() -> None:
        profile.before = Profile(*now())

    profile.mark = mark
    try:
        yield profile
    finally:
        profile.cycles, profile.runs = now()
        engine.execute = engine.cpu.run
