"""What traces were translated to, shared by all machines of this process that run the same code.

A translation holds for a machine whose memory has the same words at its places, where none of them
is trapped, and where none of the words that it writes without a look is watched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType

from ti99tools.cpu.bus import Bus
from ti99tools.cpu.processor import Traps
from ti99tools.cpu.traces import Step, Tracer
from ti99tools.cpu.tracetext import TraceText
from ti99tools.cpu.translating import translate

MOST, MOST_FORMS = 4096, 4
"""Places that are kept, and translations of each: of other code at the same place."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A trace as the code of a Python function, and what it stands for.

    `code` are the indexes of the words of memory that it is made of, `words` these words, `places`
    the addresses of its instructions, `written` the words that it writes without a look. `calls`
    are the traps that it calls, and how many words they skip. `loops` tells whether it goes round.
    """

    code: tuple[int, ...]
    words: tuple[int, ...]
    places: tuple[int, ...]
    written: frozenset[int]
    calls: frozenset[tuple[int, int]]
    function: CodeType
    loops: bool

    def fits(self, bus: Bus, traps: Traps) -> bool:
        """Tell whether it holds for a machine."""
        memory = bus.words
        return (
            tuple([memory[index] for index in self.code]) == self.words
            and traps.keys().isdisjoint(self.places)
            and self.calls <= traps.returning.items()
            and bus.unwatched(self.written)
        )

    def writes(self, indexes: Iterable[int]) -> bool:
        """Tell whether it writes one of these words without a look."""
        return not self.written.isdisjoint(indexes)


_KNOWN: dict[tuple[int, bool], list[Translation]] = {}
"""Where a trace begins (PC | WP << 16), and whether there is the expansion → the newest first."""


def known(bus: Bus, key: int, traps: Traps) -> Translation | None:
    """A translation that was made before and fits; None without one."""
    found = _KNOWN.get((key, bus.expansion), ())
    return next((each for each in found if each.fits(bus, traps)), None)


def translated(bus: Bus, key: int, steps: Sequence[Step], tracer: Tracer) -> Translation:
    """Translate a trace whose code is watched, and keep that for other machines."""
    memory = tracer.code
    text = TraceText(bus, key, wp=key >> 16)
    translate(text, steps)
    found = Translation(
        tuple(memory),
        tuple(memory.values()),
        tuple(_places(steps)),
        frozenset(text.written),
        frozenset(tracer.calls.items()),
        _compiled(text.text()),
        text.loops,
    )
    if len(_KNOWN) >= MOST:
        _KNOWN.clear()
    forms = _KNOWN.get((key, bus.expansion), [])
    _KNOWN[key, bus.expansion] = [found, *forms][:MOST_FORMS]
    return found


def _compiled(text: str) -> CodeType:
    """The code of the only function of a text."""
    module = compile(text, "<trace>", "exec")
    return next(each for each in module.co_consts if isinstance(each, CodeType))


def _places(steps: Sequence[Step]) -> Iterator[int]:
    """The addresses of the instructions on all ways."""
    for step in steps:
        yield step.address
        yield from _places(step.way)
