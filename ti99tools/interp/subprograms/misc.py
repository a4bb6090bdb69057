"""The machine below: VERSION, PEEK, INIT, LOAD, LINK. Source: the recorded lang-misc and
lang-errors cases.

There is no machine-language processor here: LOAD writes bytes, and every LINK finds no
subprogram.
"""

from __future__ import annotations

from ti99tools.base.errors import ProgramError
from ti99tools.base.xberrors import (
    IO_ERROR,
    NUMERIC_OVERFLOW,
    STRING_NUMBER_MISMATCH,
    SUBPROGRAM_NOT_FOUND,
    SYNTAX_ERROR,
    XBError,
)
from ti99tools.interp.subprograms.args import Args
from ti99tools.interp.subprograms.registry import subprogram
from ti99tools.interp.subprograms.surroundings import Surroundings
from ti99tools.machine.pab import IOFailure, Mode, OpenRequest
from ti99tools.numbers.convert import to_integer

VERSION_NUMBER = 110
MIN_WORD, MAX_WORD = -32768, 32767

_LOAD_FILE = 3
"""What CALL ERR gives as file number when LOAD cannot read a file."""

_OBJECT_FILE = OpenRequest(Mode.INPUT, variable=False, record_length=80)


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
        args.store_number(memory.peek(address), string_error=STRING_NUMBER_MISMATCH)
        address += 1


@subprogram("INIT")
def init(rt: Surroundings, args: Args) -> None:
    """Prepare the low memory for LOAD and LINK."""
    rt.machine.memory.initialize()
    args.end()


@subprogram("LOAD")
def load(rt: Surroundings, args: Args) -> None:
    """LOAD(address, byte, …[, "", address, byte, …]) or LOAD(file name, …).

    Bytes are taken modulo 256. SYNTAX ERROR before INIT; I/O ERROR if a file cannot be opened.
    """
    memory = rt.machine.memory
    if not memory.initialized:
        raise XBError(SYNTAX_ERROR)
    while True:
        if args.is_string():
            _load_file(rt, args.string())
        else:
            address = _word(args)
            while args.more() and not args.is_string():
                memory.poke(address, _word(args))
                address += 1
        if not args.more():
            return


def _load_file(rt: Surroundings, name: str) -> None:
    if not name:
        return
    try:
        rt.machine.drives.open(name, _OBJECT_FILE).close()
    except IOFailure as failure:
        raise XBError(IO_ERROR, io_code=failure.code, file=_LOAD_FILE) from None
    raise ProgramError(
        f"CALL LOAD of {name}: this console runs no machine language",
        remedy="use only what Extended BASIC itself offers",
    )


@subprogram("LINK")
def link(rt: Surroundings, args: Args) -> None:
    """LINK(name, …): SYNTAX ERROR before INIT, SUBPROGRAM NOT FOUND afterwards."""
    if not rt.machine.memory.initialized:
        raise XBError(SYNTAX_ERROR)
    args.string()
    raise XBError(SUBPROGRAM_NOT_FOUND)
