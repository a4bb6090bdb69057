"""The machine below: VERSION, PEEK, INIT, LOAD, LINK. Source: the recorded lang-misc,
lang-errors and code cases.
"""

from __future__ import annotations

from ti99tools.base.xberrors import (
    BAD_ARGUMENT,
    NUMERIC_OVERFLOW,
    STRING_NUMBER_MISMATCH,
    SYNTAX_ERROR,
    XBError,
)
from ti99tools.interp.subprograms.args import ARRAY, NUMBER, STRING, Arg, Args
from ti99tools.interp.subprograms.registry import subprogram
from ti99tools.interp.subprograms.surroundings import Surroundings
from ti99tools.machinecode.arguments import NUMBER as NUMBER_VALUE
from ti99tools.machinecode.arguments import (
    NUMBER_ARRAY,
    NUMBER_VARIABLE,
    STRING_ARRAY,
    STRING_VARIABLE,
    Argument,
)
from ti99tools.machinecode.arguments import STRING as TEXT_VALUE
from ti99tools.numbers.convert import to_integer

VERSION_NUMBER = 110
MIN_WORD, MAX_WORD = -32768, 32767

NEXT_BYTE, NEXT_TARGET = 1_810, 8_630
"""Cycles of each byte of LOAD and each variable of PEEK after the first, besides those of any
argument (measured)."""
PASSED, PASSED_VARIABLE = 11_490, 13_600
"""Cycles of each argument of LINK likewise."""


@subprogram("VERSION")
def version(rt: Surroundings, args: Args) -> None:
    """VERSION(variable): 110."""
    args.store_number(VERSION_NUMBER, string_error=STRING_NUMBER_MISMATCH)
    args.end()


def _word(args: Args) -> int:
    """Take an address or value as the machine's 16-bit integers; NUMERIC OVERFLOW beyond."""
    value = to_integer(args.number())
    if not MIN_WORD <= value <= MAX_WORD:
        raise XBError(NUMERIC_OVERFLOW)
    return value


@subprogram("PEEK")
def peek(rt: Surroundings, args: Args) -> None:
    """PEEK(address, variable, …): successive bytes of CPU memory."""
    memory = rt.machine.memory
    address = _word(args)
    args.peek()
    while args.more():
        byte = memory.peek(address)
        args.store_number(byte, string_error=STRING_NUMBER_MISMATCH)
        rt.code.peeked(address, byte)
        address += 1
    rt.machine.clock.cycles += NEXT_TARGET * (args.count - 2)


@subprogram("INIT")
def init(rt: Surroundings, args: Args) -> None:
    """Prepare the low memory for LOAD and LINK."""
    rt.code.initialize()
    args.end()


@subprogram("LOAD")
def load(rt: Surroundings, args: Args) -> None:
    """LOAD(address, byte, …[, "", address, byte, …]) or LOAD(file name, …).

    Bytes are taken modulo 256. SYNTAX ERROR before INIT; I/O ERROR if a file cannot be opened.
    """
    memory = rt.machine.memory
    if not rt.code.ready:
        raise XBError(SYNTAX_ERROR)
    while True:
        if args.is_string():
            name = args.string()
            if name:
                rt.code.load(name)
        else:
            address = _word(args)
            while args.more() and not args.is_string():
                memory.poke(address, _word(args))
                rt.code.loaded(address)
                address += 1
                rt.machine.clock.cycles += NEXT_BYTE
        if not args.more():
            break
    rt.program_poked()


@subprogram("LINK")
def link(rt: Surroundings, args: Args) -> None:
    """LINK(name, …): SYNTAX ERROR before INIT; the code is found, it runs afterwards."""
    if not rt.code.ready:
        raise XBError(SYNTAX_ERROR)
    if not args.is_string():
        raise XBError(BAD_ARGUMENT)
    name = args.string()
    arguments: list[Argument] = []
    while args.more():
        arguments.append(_passed(args.take()))
        variable = arguments[-1].read is not None
        rt.machine.clock.cycles += PASSED_VARIABLE if variable else PASSED
    rt.code.link(name, arguments)


def _passed(arg: Arg) -> Argument:
    """An argument as machine code sees it: an expression's value, a variable, an array."""
    if arg.kind == ARRAY:
        elements = arg.get()
        assert isinstance(elements, list)
        return Argument(STRING_ARRAY if arg.string else NUMBER_ARRAY, elements=elements)
    if arg.kind not in (NUMBER, STRING):
        raise XBError(SYNTAX_ERROR)
    text = arg.kind == STRING
    value = arg.get()
    if arg.set is None:
        return Argument(TEXT_VALUE if text else NUMBER_VALUE, value)
    kind = STRING_VARIABLE if text else NUMBER_VARIABLE
    return Argument(kind, value, arg.get, arg.set)
