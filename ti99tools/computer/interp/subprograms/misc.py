"""ERR, VERSION, PEEK, INIT, LOAD, LINK.

Source: the recorded lang-errors cases for CALL ERR, the recorded lang-misc, lang-errors and code
cases for the others.
"""

from __future__ import annotations

from ti99tools.base.cycles.language import (
    ERR_TOLD,
    LINK_VALUE,
    LINK_VARIABLE,
    LOAD_BYTE,
    PEEK_TARGET,
)
from ti99tools.base.xberrors import (
    BAD_ARGUMENT,
    INPUT_ERROR,
    IO_ERROR,
    NO_PROGRAM_PRESENT,
    NUMERIC_OVERFLOW,
    STRING_NUMBER_MISMATCH,
    STRING_TRUNCATED,
    SYNTAX_ERROR,
    XBError,
)
from ti99tools.computer.interp.subprograms.args import (
    ARRAY,
    NUMBER,
    STRING,
    SUBPROGRAMS,
    Arg,
    Args,
    SubprogramContext,
)
from ti99tools.computer.machinecode.utilities import NUMBER as NUMBER_VALUE
from ti99tools.computer.machinecode.utilities import (
    NUMBER_ARRAY,
    NUMBER_VARIABLE,
    STRING_ARRAY,
    STRING_VARIABLE,
    LinkArgument,
)
from ti99tools.computer.machinecode.utilities import STRING as TEXT_VALUE
from ti99tools.computer.numbers.functions import to_integer

NO_FILE = -1
SEVERE, LIGHT = 9, 1
"""The severities that CALL ERR gives."""
WARNINGS = frozenset((NUMERIC_OVERFLOW, STRING_TRUNCATED, INPUT_ERROR, NO_PROGRAM_PRESENT))
"""Codes that are warnings elsewhere: as errors they have the light severity."""


@SUBPROGRAMS("ERR")
def err(rt: SubprogramContext, args: Args) -> None:
    """ERR(code, type[, severity, line]) of the error being handled; zeros when there is none.

    The type is the file number of an I/O error, else -1. The severity is 9, or 1 for a
    code that is a warning elsewhere.
    """
    frame = rt.error
    values = (0, 0, 0, 0)
    if frame is not None:
        error = frame.error
        kind = error.file if error.code == IO_ERROR and error.file is not None else NO_FILE
        severity = error.severity or (LIGHT if error.code in WARNINGS else SEVERE)
        values = (error.code, kind, severity, frame.line)
        rt.machine.clock.cycles += ERR_TOLD
    _store(args, values[0])
    _store(args, values[1])
    if args.more():
        _store(args, values[2])
        _store(args, values[3])
    args.end()


def _store(args: Args, value: int) -> None:
    args.store_number(value, string_error=STRING_NUMBER_MISMATCH)


VERSION_NUMBER = 110
"""What the Extended BASIC of the TI-99/4A gives."""
MIN_WORD, MAX_WORD = -32768, 32767


@SUBPROGRAMS("VERSION")
def version(_rt: SubprogramContext, args: Args) -> None:
    """VERSION(variable): the variable becomes `VERSION_NUMBER`."""
    args.store_number(VERSION_NUMBER, string_error=STRING_NUMBER_MISMATCH)
    args.end()


def word(args: Args) -> int:
    """Take an address or value as the machine's 16-bit integers; NUMERIC OVERFLOW beyond."""
    value = to_integer(args.number())
    if not MIN_WORD <= value <= MAX_WORD:
        raise XBError(NUMERIC_OVERFLOW)
    return value


@SUBPROGRAMS("PEEK")
def peek(rt: SubprogramContext, args: Args) -> None:
    """PEEK(address, variable, …): successive bytes of CPU memory."""
    memory = rt.machine.memory
    address = word(args)
    args.peek()
    rt.note_leftovers()
    while args.more():
        rt.code.leftovers.peeking(address)
        byte = memory.peek(address)
        args.store_number(byte, string_error=STRING_NUMBER_MISMATCH)
        rt.code.peeked(address, byte)
        address += 1
    rt.machine.clock.cycles += PEEK_TARGET * (args.count - 2)


@SUBPROGRAMS("INIT")
def init(rt: SubprogramContext, args: Args) -> None:
    """Prepare the low memory for LOAD and LINK."""
    rt.code.initialize()
    args.end()


@SUBPROGRAMS("LOAD")
def load(rt: SubprogramContext, args: Args) -> None:
    """LOAD(address, byte, …[, "", address, byte, …]) or LOAD(file name, …).

    Bytes are taken modulo 256. SYNTAX ERROR before INIT; I/O ERROR if a file cannot be opened.
    """
    memory = rt.machine.memory
    if not rt.code.ready:
        raise XBError(SYNTAX_ERROR)
    for _ in args.groups():
        if args.is_string():
            name = args.string()
            if name:
                rt.code.load(name)
        else:
            address = word(args)
            while args.more() and not args.is_string():
                memory.poke(address, word(args))
                rt.code.loaded(address)
                address += 1
                rt.machine.clock.cycles += LOAD_BYTE
    rt.program_poked()


@SUBPROGRAMS("LINK")
def link(rt: SubprogramContext, args: Args) -> None:
    """LINK(name, …): find the code, which `run_code` runs. SYNTAX ERROR before INIT."""
    if not rt.code.ready:
        raise XBError(SYNTAX_ERROR)
    if not args.is_string():
        raise XBError(BAD_ARGUMENT)
    name = args.string()
    arguments: list[LinkArgument] = []
    while args.more():
        arguments.append(_passed(args.take()))
        variable = arguments[-1].read is not None
        rt.machine.clock.cycles += LINK_VARIABLE if variable else LINK_VALUE
    rt.note_leftovers()
    rt.code.link(name, arguments)


def _passed(arg: Arg) -> LinkArgument:
    """An argument as machine code sees it: an expression's value, a variable, an array."""
    if arg.kind == ARRAY:
        elements = arg.get()
        assert isinstance(elements, list)
        kind = STRING_ARRAY if arg.string else NUMBER_ARRAY
        return LinkArgument(kind, elements=elements, base=arg.base)
    if arg.kind not in (NUMBER, STRING):
        raise XBError(SYNTAX_ERROR)
    text = arg.kind == STRING
    value = arg.get()
    if arg.set is None:
        return LinkArgument(TEXT_VALUE if text else NUMBER_VALUE, value)
    kind = STRING_VARIABLE if text else NUMBER_VARIABLE
    return LinkArgument(kind, value, arg.get, arg.set)
