"""Where a compiled program keeps its variables: for debuggers, and for those who give it keys."""

from __future__ import annotations

from collections.abc import Iterator

from ti99tools.compiler.compiling import Compiled
from ti99tools.compiler.kinds import CHARACTER, TEXT, WORD
from ti99tools.computer.console.asking import Deciding, Span
from ti99tools.computer.console.compiled import BEGINNING, WORKSPACE, Stored, StoredSub, Symbols
from ti99tools.computer.console.questions import deciding_names, loop_names
from ti99tools.computer.interp.compile.units import Listing
from ti99tools.computer.numbers.forms import LENGTH
from ti99tools.language.program.program import Program

TEXTS_IN_USE = "strset.a99"
"""The part of the runtime of a program that has strings in video memory."""
BYTE_CODE = "bytes.a99"
"""The part of the runtime of a program that has byte code."""
PACE = "pace.a99"
"""The part of the runtime of a program that waits to be as slow as Extended BASIC."""
KEY, LINE = "KEY0", "EDIT"
"""Labels of the runtime: where the code of KEY, and of the line that is typed, begins."""
READING = 160
"""Bytes from there on in which the keyboard is scanned for the program."""


def symbols_of(result: Compiled, program: Program) -> Symbols:
    """Where the statements, variables and SUBs of a compiled program are in memory."""
    places, address_of = result.places, result.linked.assembled.address_of

    def stored(operand: str, kind: str) -> Stored:
        name = operand.removeprefix("@")
        if operand.startswith("R"):
            address = WORKSPACE + 2 * int(operand[1:])
        else:
            address = int(name[1:], 16) if name.startswith(">") else address_of(name)
        return Stored(address, kind == WORD, kind == TEXT, kind == CHARACTER)

    def of_byte_code(name: str) -> int:
        return address_of(name) if BYTE_CODE in result.linked.parts else 0

    kinds = result.kinds
    variables = {
        name: stored(operand, kinds.of(name))
        for name, operand in places.operands.items()
        if name not in result.code.hidden
    }
    arrays = {name: stored(label, kinds.array(name)) for name, label in places.arrays.items()}
    sub_words = ("SR", "SB", "SK") if result.linked.banks else ("SR", "SB")
    subs = {
        name: StoredSub(*(address_of(f"{word}{at}") for word in sub_words))
        for at, name in enumerate(result.code.subs)
    }
    return Symbols(
        program,
        result.linked.places,
        {**variables, **arrays},
        subs,
        address_of("STACK"),
        address_of("HEAPAT") if TEXTS_IN_USE in result.linked.parts else 0,
        fetches=of_byte_code("VMOP"),
        buffer=of_byte_code("VMBUF"),
        after_fetched=of_byte_code("VMIP"),
        first_text=address_of("HEAPLO"),
        begins=result.linked.image[BEGINNING],
    )


def deciding_of(result: Compiled, program: Program) -> Deciding:
    """Where a compiled program keeps what tells a question from a pause."""
    listing = Listing((line.number, line.tokens) for line in program.lines)
    assembled, stored = result.linked.assembled, symbols_of(result, program).stored

    def spans(names: frozenset[str]) -> Iterator[Span]:
        for name, each in sorted(stored.items()):
            if name not in result.kinds.arrays and name.rpartition(".")[2] in names:
                yield each.address, 2 if each.word or each.text else LENGTH

    return Deciding(
        tuple((assembled.address_of(at), READING) for at in (KEY, LINE) if at in assembled.symbols),
        tuple(spans(deciding_names(listing))),
        tuple(spans(loop_names(listing))),
        *_patience(result),
    )


def _patience(result: Compiled) -> tuple[Span, int]:
    """The code of KEY, if the program has a pace, and the word with the time that it waits for."""
    assembled = result.linked.assembled
    if PACE not in result.linked.parts or KEY not in assembled.symbols:
        return (0, 0), 0
    return (assembled.address_of(KEY), READING), assembled.address_of("OWES")
