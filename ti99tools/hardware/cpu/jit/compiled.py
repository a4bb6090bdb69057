"""The processor with its code compiled to Python, trace by trace; otherwise like the interpreter.

A place that is often come to, by a jump or from another trace, is compiled for the workspace in use
there; if another machine has compiled it, that translation is used at once. The words of a trace
are watched: when one changes, the trace is dropped. Code that keeps changing is left to the
interpreter, and so is the end of each run, instruction by instruction, so that both stop at the
same place. Memory must be changed through the bus (`write`, `load`, `load_words`, `show`). Traces
of the cartridge are kept for each of its banks.

Translations are shared by all machines of this process that run the same code. A translation fits a
machine if its memory has the same words at the same places, none of them is trapped, and none of
the words that it writes unchecked is watched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from ti99tools.hardware.cpu.bus import CARTRIDGE, Bus, Cru
from ti99tools.hardware.cpu.core import ODD, against_zero
from ti99tools.hardware.cpu.jit.sametexts import code_of
from ti99tools.hardware.cpu.jit.traces import Step, Tracer
from ti99tools.hardware.cpu.jit.tracetext import TraceText
from ti99tools.hardware.cpu.jit.translating import begin, translate
from ti99tools.hardware.cpu.processor import Processor, Traps

MOST, MOST_FORMS = 4096, 4
"""Most places that are kept, and most translations of each, for different code at that place."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A trace as the code of a Python function, with its conditions.

    `code` are the indexes of the words of memory it is made of, `words` their values, `places` the
    addresses of its instructions, `written` the words that it writes unchecked. `calls` are the
    traps that it calls, with the number of words they skip. `loops` tells whether it ends where it
    begins.
    """

    code: tuple[int, ...]
    words: tuple[int, ...]
    places: tuple[int, ...]
    written: frozenset[int]
    calls: frozenset[tuple[int, int]]
    function: CodeType
    loops: bool

    def fits(self, bus: Bus, traps: Traps) -> bool:
        """Tell whether it is valid on a machine."""
        memory = bus.words
        return (
            tuple([memory[index] for index in self.code]) == self.words
            and traps.keys().isdisjoint(self.places)
            and self.calls <= traps.returning.items()
            and bus.unwatched(self.written)
        )

    def writes(self, indexes: Iterable[int]) -> bool:
        """Tell whether it writes one of these words unchecked."""
        return not self.written.isdisjoint(indexes)


_KNOWN: dict[tuple[int, bool], list[Translation]] = {}
"""Start of a trace (PC | WP << 16 | the word there << 32) and whether there is an expansion → its
translations, newest first.
"""


def translated(bus: Bus, key: int, steps: Sequence[Step], tracer: Tracer) -> Translation:
    """Translate a trace whose code is watched, and keep the result for other machines."""
    memory = tracer.code
    text = TraceText(bus, key, wp=key >> 16)
    begin(text, steps)
    translate(text, steps)
    translation = Translation(
        tuple(memory),
        tuple(memory.values()),
        tuple(_places(steps)),
        frozenset(text.written),
        frozenset(tracer.calls.items()),
        # Only the code is kept: each machine makes a function with its own memory as defaults.
        code_of(text.text()),
        text.loops,
    )
    # Clearing all is rare and simple; what is in use will be kept again.
    if len(_KNOWN) >= MOST:
        _KNOWN.clear()
    start = key | steps[0].words[0] << 32, bus.expansion
    _KNOWN[start] = [translation, *_KNOWN.get(start, ())][:MOST_FORMS]
    return translation


def _places(steps: Sequence[Step]) -> Iterator[int]:
    """The addresses of the instructions on all branches."""
    for step in steps:
        yield step.address
        yield from _places(step.way)


OFTEN = 64
"""Visits to a place, by all machines together, before it is compiled: by then its instructions have
taken about as long as compiling them will.
"""
LOOKS = 8
"""Visits of a place after which translations that did not fit are looked at again. Those of other
programs that begin alike there never fit; to find that out takes as long as some instructions.
"""
MOST_DROPS = 20
"""Drops of a trace before its place is left to the interpreter: code that changes itself."""

LONGEST_STEP = 6
"""Bytes of the longest instruction."""
BANK_SHIFT = 32
"""The bits of PC and WP in a key."""
Run = Callable[[int, int, int], tuple[int, int, int]]
"""Cycles, status, limit → where to go on (PC | WP << 16), cycles, status."""


_REACHED: dict[int, int] = {}
"""PC | WP << 16 | the word there << 32 → visits since it was last compiled. Of many programs that
lie at the same place, each has to be visited often enough by itself.
"""
MOST_REACHED = 0x10000
"""Most places that are counted; beyond that the counts start again."""


@lru_cache(maxsize=1)
def _against_zero() -> list[int]:
    """Word → its status compared with 0."""
    return [against_zero(word) for word in range(0x10000)]


class CompiledProcessor(Processor):
    """A processor that compiles what it executes often."""

    def __init__(self, bus: Bus | None = None, cru: Cru | None = None) -> None:
        super().__init__(bus, cru)
        self.bus.changed = self._changed
        self.bus.guarding = self._guarded
        self.bus.shown = self._shown
        self._runs: dict[int, Run] = {}
        self._bank = 0
        self._banks: dict[int, dict[int, Run]] = {0: {}}
        """Bank of the cartridge → the runs in it; `_runs` has those of the bank that is shown."""
        self._drops: dict[int, int] = {}
        self._uses: Counter[int] = Counter()
        """Word of memory → the number of traces made of it."""
        self._written: set[int] = set()
        """Words of memory that traces have written unchecked."""
        self._parts: dict[int, Translation] = {}
        """Trace, see `_own` → its translation."""
        self._loops: set[int] = set()
        """Traces that end where they begin; others end at such a place."""
        self._version = self.traps.version
        self._looked: dict[int, list[Translation]] = {}
        """Place, as in `_KNOWN` → its translations when they were last looked at."""
        self._dropped = 0
        """The number of traces dropped so far."""
        self.stale = False
        """Set when a trace was dropped or a bank was shown since the processor began to run."""
        bus = self.bus
        self._globals: dict[str, Any] = {}
        self._defaults = (
            self,
            self._call,
            bus,
            bus.read,
            bus.write,
            bus.reads,
            bus.writes,
            bus.waits,
            bus.words,
            _against_zero(),
            ODD,
        )
        """What the text of a trace calls by the names `NAMES`."""

    @property
    def traces(self) -> int:
        """The number of traces compiled at the moment."""
        return len(self._parts)

    def run(self, until: int) -> None:
        """Execute until `bus.cycles` has reached `until`."""
        self.until = until
        try:
            self._run(until)
        finally:
            self.until = 0

    def _run(self, until: int) -> None:
        bus, runs, traps = self.bus, self._runs, self.traps
        self._look_at_traps()
        key, cycles, status = self.pc | self.wp << 16, bus.cycles, self.st
        self.stale = False
        arrived, short = True, False
        # Whether a trace may begin here, and whether the last one had too little time. No trace
        # begins in the middle of code of the interpreter: it would be one of many, each a step
        # shorter than the last. Only what is left of the time is filled with shorter ones.
        while cycles < until:
            request = self.request
            # A pending X or a due interrupt is for the interpreter, which knows them.
            plain = self.pending is None and (request is None or request > status & 15)
            run = (runs.get(key) or (self._found(key) if arrived else None)) if plain else None
            if run is not None:
                key, after, status = run(cycles, status, until)
                # A trace that did nothing had too little time left: one interpreted step makes
                # progress.
                short = after == cycles
                if not short:
                    cycles = after
                    arrived = True
                    continue
            bus.cycles = cycles
            pc = key & 0xFFFF
            self.pc, self.wp, self.st = pc, key >> 16, status
            self.step()
            if traps.version != self._version:
                self._look_at_traps()
            arrived = short or not 0 < self.pc - pc <= LONGEST_STEP
            key, cycles, status = self.pc | self.wp << 16, bus.cycles, self.st
        bus.cycles = cycles
        self.pc, self.wp, self.st = key & 0xFFFF, key >> 16, status

    def _look_at_traps(self) -> None:
        """Drop all traces when the set of trapped addresses has changed."""
        if self.traps.version != self._version:
            self._version = self.traps.version
            self._looked.clear()
            for key in list(self._parts):
                self._drop(key)
            for runs in (self._runs, *self._banks.values()):
                runs.clear()

    def _found(self, key: int) -> Run | None:
        """What is at a place: a trap or a trace, which may be compiled now; None: nothing yet."""
        if key & 0xFFFF in self.traps:
            return self._keep(key, self._trapped(key))
        bus = self.bus
        place = key | bus.words[bus.reads[key & 0xFFFF]] << 32
        reached = _REACHED[place] = _REACHED.get(place, 0) + 1
        forms = _KNOWN.get((place, bus.expansion))
        if forms is not None and (forms is not self._looked.get(place) or not reached % LOOKS):
            self._looked[place] = forms
            shared = self._known(key, forms)
            if shared is not None:
                _REACHED.pop(place, None)  # another thread may have been here
                return self._taken(key, shared)
        # Most code of a program runs only a few times: compiling it would take longer.
        if reached < OFTEN:
            if len(_REACHED) > MOST_REACHED:
                _REACHED.clear()
            return None
        _REACHED.pop(place, None)
        translation = self._translated(key)
        if translation is None:
            return self._keep(key, _stay(key))
        return self._taken(key, translation)

    def _trapped(self, key: int) -> Run:
        """A function that calls the trap at a place."""
        bus, traps, pc, wp = self.bus, self.traps, key & 0xFFFF, key >> 16

        def run(cycles: int, status: int, _until: int) -> tuple[int, int, int]:
            bus.cycles = cycles
            self.pc, self.wp, self.st = pc, wp, status
            self._trap(pc, cycles)
            if traps.version != self._version:
                self._look_at_traps()
            return self.pc | self.wp << 16, bus.cycles, self.st

        return run

    def _call(self, cycles: int, status: int, place: int, back: int) -> bool:
        """Call the trap at a place (PC | WP << 16) for a trace, which expects to go on at `back`.

        True if the trace must stop: the trap went elsewhere, or traces were dropped.
        """
        dropped = self._dropped
        self.bus.cycles = cycles
        self.pc, self.wp, self.st = place & 0xFFFF, place >> 16, status
        self.traps[self.pc](self)
        if self.traps.version != self._version:
            self._look_at_traps()
        arrived = self.pc | self.wp << 16
        return arrived != back or self.st != status or self._dropped != dropped

    def _known(self, key: int, forms: Sequence[Translation]) -> Translation | None:
        """A translation made by another machine of the same code, if it fits here."""
        if self._drops.get(self._own(key), 0) > MOST_DROPS:
            return None
        return next((form for form in forms if form.fits(self.bus, self.traps)), None)

    def _translated(self, key: int) -> Translation | None:
        """Translate the trace at a place; None when it is left to the interpreter."""
        if self._drops.get(self._own(key), 0) > MOST_DROPS:
            return None
        tracer = Tracer(self.bus, self.traps, self._loops, self.traps.returning)
        steps = tracer.trace(key & 0xFFFF, key >> 16)
        if not steps:
            return None
        self._watch(tracer.code)
        return translated(self.bus, key, steps, tracer)

    def _taken(self, key: int, translation: Translation) -> Run:
        """Use a translation, and watch its code."""
        self._watch(translation.code)
        self._uses.update(translation.code)
        self._written |= translation.written
        self._parts[self._own(key)] = translation
        if translation.loops:
            self._loops.add(key)
        function = FunctionType(translation.function, self._globals, "run", self._defaults)
        return self._keep(key, function)

    def _keep(self, key: int, run: Run) -> Run:
        """Keep what is at a place, in the cartridge for its bank."""
        self._runs[key] = run
        if _in_cartridge(key):
            self._banks[self._bank][key] = run
        return run

    def _own(self, key: int) -> int:
        """The place as `_parts` and `_drops` know it: with the bank, counted from 1, on top."""
        return key | self._bank + 1 << BANK_SHIFT if _in_cartridge(key) else key

    def _shown(self, bank: int) -> None:
        """Go on with the runs of the bank that is shown now."""
        self.stale = True
        runs = self._runs
        for key in self._banks[self._bank]:
            del runs[key]
        self._bank = bank
        runs.update(self._banks.setdefault(bank, {}))

    def _watch(self, code: Collection[int]) -> None:
        """Watch words; traces that write one of them unchecked are compiled again."""
        watched = self.bus.watched
        fresh = [index for index in code if not watched(index)]
        if not self._written.isdisjoint(fresh):
            for key in [key for key, part in self._parts.items() if part.writes(fresh)]:
                self._drop(key)
            # Dropping may have ended the watch of some words; look again.
            fresh = [index for index in code if not watched(index)]
        for index in fresh:
            self.bus.watch(index)

    def _guarded(self, words: range) -> None:
        """Drop the traces that write one of the newly guarded words unchecked."""
        for key in [
            key for key, part in self._parts.items() if any(map(words.__contains__, part.written))
        ]:
            self._drop(key)

    def _changed(self, index: int) -> None:
        """Drop what was made of a word of code that has changed."""
        for key in [key for key, part in self._parts.items() if index in part.code]:
            # Only drops by changed code count, not those for a new watch.
            self._drops[key] = self._drops.get(key, 0) + 1
            self._drop(key)

    def _drop(self, key: int) -> None:
        """Forget a trace; the key is that of `_parts`."""
        translation = self._parts.pop(key, None)
        bank, key = divmod(key, 1 << BANK_SHIFT)
        if bank:
            self._banks[bank - 1].pop(key, None)
        if bank in (0, self._bank + 1):
            self._runs.pop(key, None)
        if translation is None:
            return
        self._dropped += 1
        self.stale = True
        self._loops.discard(key)
        for index in translation.code:
            self._uses[index] -= 1
            if not self._uses[index]:
                del self._uses[index]
                self.bus.unwatch(index)


def _in_cartridge(key: int) -> bool:
    return CARTRIDGE[0] <= key & 0xFFFF < CARTRIDGE[1]


@lru_cache(maxsize=4096)
def _stay(key: int) -> Run:
    """A function that leaves the next instruction to the interpreter."""
    return lambda cycles, status, _until: (key, cycles, status)
