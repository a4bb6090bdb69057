"""A compiled program as an execution of its source: its names, its variables, its callers.

The values lie in the memory of the machine, where the compiler has put them; so do the return
addresses of GOSUB and CALL. From these an `Execution` of the source is kept up to date, which can
be looked at as if the program ran in Extended BASIC. It cannot be run.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import CellType
from typing import NamedTuple

from ti99tools.base import tokens as tk
from ti99tools.base.basic import HIGHEST_INTEGER, LOWEST_INTEGER
from ti99tools.computer.console.compiledmemory import (
    FIRST_TEXT,
    NOWHERE,
    Spot,
    TextMemory,
    fetches_at,
    line_table,
    place,
    place_back,
    places_on_stack,
)
from ti99tools.computer.console.session import Console
from ti99tools.computer.console.variables import WrongValue
from ti99tools.computer.interp.compile.compiler import Compiler
from ti99tools.computer.interp.compile.units import StatementPlace
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.stack import Activation, CallFrame, Frame, after
from ti99tools.computer.numbers.forms import LENGTH, from_bytes, to_bytes, to_str
from ti99tools.computer.numbers.radix import Number
from ti99tools.hardware.cpu.bus import HIGH, Bus
from ti99tools.language.listing.listing import Line
from ti99tools.language.prescan.symbols import Scope, Symbol
from ti99tools.language.program.program import Program

BYTE_POINTER = 0x838C + 2 * 14
"""R14 of the runtime's workspace: where byte code goes on when a byte of it is fetched; in a
program without, where it goes on after what the runtime does for it. An error leaves it as it is.
"""
BUFFER = 48
"""Bytes of the memory in which the words of an instruction of byte code run."""
WORKSPACE = 0x8320
"""Where compiled programs keep their registers, in the scratchpad."""
STACK_POINTER = WORKSPACE + 2 * 10
"""R10 of the program's workspace: the end of the stack of GOSUB and FOR."""
BEGINNING = slice(6, 70)
"""Bytes at the beginning of a program that hardly two have in common: addresses, code."""
_WORD = 2
_LAST = 254
"""The last code of an element that is a byte."""


class Stored(NamedTuple):
    """Where a variable or array lies, and whether it is made of words, of handles of strings, or of
    bytes: codes of characters and 1, 0 for empty strings; else of cells of 8 bytes.
    """

    address: int
    word: bool
    text: bool = False
    character: bool = False


class StoredSub(NamedTuple):
    """Addresses of words: where a SUB returns to (0: it does not run), where its part of the stack
    begins, and what selects the bank that it returns to (0: no code is in banks).
    """

    back: int
    stack: int
    bank: int = 0


@dataclass(frozen=True)
class Symbols:
    """What the compiler knows of a program.

    `places`, see `compiledmemory`, are where the code of statements begins, ascending, and where it
    ends (`NOWHERE`); `stored` has variables and arrays by name, those of a SUB as `SUB.NAME`.
    """

    program: Program
    places: Sequence[tuple[int, Spot]]
    stored: Mapping[str, Stored] = field(default_factory=dict)
    subs: Mapping[str, StoredSub] = field(default_factory=dict)
    stack: int = 0
    texts: int = 0
    """Where the bytes that strings take are counted; 0: there are none in video memory."""
    fetches: int = 0
    """Where a byte of byte code is fetched, see `BYTE_POINTER`; 0: there is no byte code."""
    buffer: int = 0
    """Where the words of an instruction of byte code run; with byte code."""
    after_fetched: int = 0
    """Where the address is kept at which byte code goes on after them."""
    first_text: int = FIRST_TEXT
    """Where strings begin in video memory."""
    begins: bytes = b""
    """Bytes of the program by which it is told from others; see `beginning`."""


def beginning(bus: Bus) -> bytes:
    """Bytes at the beginning of the compiled program in memory that it does not change."""
    return bus.bytes_at(HIGH[0] + BEGINNING.start, BEGINNING.stop - BEGINNING.start)


def bare_symbols(bus: Bus, video: Sequence[int], banks: Sequence[bytes] = ()) -> Symbols | None:
    """What a compiled program itself tells: its lines, without their text; None without them.

    `video` is video memory; `banks` are those of its cartridge.
    """
    lines = line_table(bus, video, banks)
    if not lines:
        return None
    numbers = sorted({number for _, number in lines if number})
    program = Program.from_lines(Line(number, bytes((tk.REM,))) for number in numbers)
    places = [(place, (number, 0)) for place, number in lines]
    return Symbols(program, places, fetches=fetches_at(bus), begins=beginning(bus))


class _InMemory(Activation):
    """The main program, or a SUB, whose variables lie in the machine's memory."""

    def __init__(
        self,
        like: Execution,
        scope: Scope,
        where: Callable[[Symbol], Stored | None],
        texts: TextMemory,
    ) -> None:
        known = {
            name: symbol
            for name, symbol in scope.symbols.items()
            if symbol.function is not None or where(symbol) is not None
        }
        own = scope.copy()
        own.symbols = known
        super().__init__(like.compiler, own, like.names)
        self._where, self._texts = where, texts

    def variable(self, symbol: Symbol) -> CellType:
        """A cell with what the variable holds now."""
        cell, stored = super().variable(symbol), self._where(symbol)
        if stored is not None:
            first = self.first_value(symbol)
            count = len(first) if isinstance(first, list) else 1
            values = read(self._texts, stored, count)
            cell.cell_contents = values if symbol.dimensions else values[0]
        return cell

    def assign(self, symbol: Symbol, value: Number | str, index: int | None = None) -> None:
        """Give a variable or an element a value. Raises WrongValue for one that it cannot hold."""
        stored = self._where(symbol)
        assert stored is not None, "only these have symbols"
        if isinstance(value, str) and stored.character:
            if len(value) > 1 or value > chr(_LAST):
                problem = f"{symbol.name} has single characters here"
                raise WrongValue(problem, remedy=f"use one of a code up to {_LAST}, or none")
            byte = ord(value) + 1 if value else 0
            self._texts.bus.load(stored.address + (index or 0), bytes((byte,)))
            return
        if isinstance(value, str):
            self._texts.give(stored.address + _WORD * (index or 0), value)
            return
        if isinstance(value, int) and LOWEST_INTEGER <= value <= HIGHEST_INTEGER:
            word = (value & 0xFFFF).to_bytes(2, "big")
            data = word if stored.word else bytes(2) + word + bytes(4)
        elif stored.word:
            problem = f"{symbol.name} is a word here and cannot be {to_str(value)}"
            span = f"{LOWEST_INTEGER} to {HIGHEST_INTEGER}"
            raise WrongValue(problem, remedy=f"use a whole number from {span}")
        else:
            data = to_bytes(value)
        self._texts.bus.load(stored.address + len(data) * (index or 0), data)


def read(texts: TextMemory, stored: Stored, count: int) -> Sequence[Number | str]:
    """The values from an address on."""
    bus = texts.bus
    if stored.character:
        return [chr(byte - 1) if byte else "" for byte in bus.bytes_at(stored.address, count)]
    if stored.text:
        return [texts.text(handle) for handle in bus.words_at(stored.address, count)]
    if stored.word:
        return [_signed(word) for word in bus.words_at(stored.address, count)]
    data = bus.bytes_at(stored.address, LENGTH * count)
    return [_cell(data[at : at + LENGTH]) for at in range(0, len(data), LENGTH)]


def _signed(word: int) -> int:
    return word - 0x10000 if word & 0x8000 else word


def _cell(data: bytes) -> Number:
    """A cell: 0 and a word, or a number of Extended BASIC, which never begins with 0."""
    if data[0] or data[1]:
        return from_bytes(data)
    return _signed(int.from_bytes(data[2:4], "big"))


class CompiledView:
    """An execution of the source that shows what a compiled program has in memory."""

    def __init__(self, symbols: Symbols, bus: Bus, video: bytearray) -> None:
        self._symbols = symbols
        self._bus = bus
        self._texts = TextMemory(bus, video, symbols.texts, symbols.first_text)
        self._addresses = [address for address, _ in symbols.places]
        console = Console()
        console.load(symbols.program)
        console.start()
        assert console.execution is not None, "RUN takes what the compiler takes"
        self._execution = execution = console.execution
        self._activations = {
            name: self._activation(execution, scope)
            for name, scope in _scopes(execution.compiler).items()
        }
        execution.main = self._activations[""]

    def _activation(self, execution: Execution, scope: Scope) -> _InMemory:
        stored = self._symbols.stored
        prefix = f"{scope.name}." if scope.name else ""
        return _InMemory(
            execution, scope, lambda symbol: stored.get(prefix + symbol.name), self._texts
        )

    def index(self, spot: Spot) -> StatementPlace:
        """A statement as the execution counts them: the index of its line, and its offset."""
        return self._execution.listing.index[spot[0]], spot[1]

    def _back_at(self, address: int) -> StatementPlace | None:
        """The statement at which control goes on after it has returned to an address.

        None in the runtime: an error that a handler works on lies on the stack as such an address.
        """
        begin, spot = self._symbols.places[max(bisect_right(self._addresses, address) - 1, 0)]
        if spot == NOWHERE:
            return None
        place = self.index(spot)
        # A CALL takes its arguments back before the next statement.
        tokens = self._execution.listing.tokens[place[0]]
        return place if address == begin else after(tokens, place)

    def failed_offset(self, line: int, banks: int) -> int:
        """Where the statement that has ended the program is in the tokens of its line; 0 if that
        is not sure. `banks` is the number of banks of its cartridge.
        """
        symbols = self._symbols
        # The address after a statement's last call of the runtime is that of the next one.
        address = self._bus.word_at(BYTE_POINTER)
        if symbols.buffer <= address < symbols.buffer + BUFFER:
            address = self._bus.word_at(symbols.after_fetched)
        address -= 1
        candidates = {place(address, bank) for bank in range(max(banks, 1))}
        spots = {symbols.places[bisect_right(self._addresses, at) - 1][1] for at in candidates}
        found = [offset for number, offset in spots if number == line]
        return found[0] if len(found) == 1 else 0

    @property
    def execution(self) -> Execution:
        """The execution, with the callers as they are now."""
        execution = self._execution
        execution.frames[:] = self._frames()
        return execution

    def _frames(self) -> list[Frame]:
        """What has been called, the first call first."""
        word_at, symbols = self._bus.word_at, self._symbols
        main = active = self._activations[""]
        # A SUB that was called later has its part of the stack higher up.
        running = sorted(
            (word_at(sub.stack), name, place_back(word_at(sub.back), word_at(sub.bank)))
            for name, sub in symbols.subs.items()
            if word_at(sub.back)
        )
        frames: list[Frame] = []
        at = symbols.stack
        for end, name, back in [*running, (word_at(STACK_POINTER), "", 0)]:
            if symbols.stack and at < end:
                words = self._bus.words_at(at, (end - at) // _WORD)
                places = map(self._back_at, places_on_stack(words))
                frames += [(_nowhere, place) for place in places if place is not None]
                at = end
            if name:
                place = self._back_at(back)
                assert place is not None, "statements call SUBs"
                frames.append(CallFrame(active, place[0], _nowhere, place, ""))
                active = self._activations[name]
        self._execution.active = active if running else main
        return frames


def _scopes(compiler: Compiler) -> dict[str, Scope]:
    """The program and its SUBs by name."""
    return {"": compiler.scan.main, **compiler.scan.subs}


def _nowhere() -> None:
    """A block that nobody runs: the program runs as machine code."""
