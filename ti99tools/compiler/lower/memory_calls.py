"""INIT, PEEK and LOAD: the cells of memory that mean the same in a compiled program.

A calculated address is read as it is. LOAD needs INIT before it, as on the machine.
"""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.ir import Expr, const
from ti99tools.compiler.lower.calls import Arguments, built_in
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.refusing import refuse
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW

HOOK = (-31804, -31803)
"""What the console calls at each interrupt: here always 0 to the program."""
SOUND = -31744
CELLS = frozenset({-31888, -31887, *range(-31884, -31876), -31806, *HOOK, -31794, -31788})
"""Cells for PEEK and LOAD: the end of video memory, those of the keyboard and the joysticks, the
random number of RANDOMIZE, the counter of frames, sprites in motion, the status of the video
processor, what an interrupt leaves out and calls, frames of the sound, and video register 1."""


@built_in("INIT")
def _init(low: Context, _: Arguments) -> None:
    low.blocks.do("init")


@built_in("PEEK")
def _peek(low: Context, args: Arguments) -> None:
    address = _word(args)
    known = _constant(address)
    if known is None:
        hidden = low.names.hidden("address of PEEK")
        low.blocks.assign(hidden, address)
        address = Expr("round", (ir.var(hidden),), address.data)
    for offset, _ in enumerate(args.groups()):
        value = Expr("byte", (address,), offset)
        if known is not None:
            at = known + offset
            if at not in CELLS:
                refuse(f"PEEK of {at} looks at Extended BASIC's memory")
            value = const(0) if at in HOOK else Expr("byte", (const(at),), 0)
        low.blocks.assign(args.target(), value)
        args.settle()


@built_in("LOAD")
def _load(low: Context, args: Arguments) -> None:
    low.blocks.do("check init")
    while args.more():
        if args.is_text():
            text = args.text()
            if text.op != "text" or text.data:
                refuse("LOAD of a file puts machine code into memory")
            continue
        at = _constant(_word(args))
        if at is None:
            refuse("LOAD to an address that is calculated")
        while args.more() and not args.is_text():
            _load_byte(low, at, _word(args))
            at += 1


def _load_byte(low: Context, at: int, value: Expr) -> None:
    if at in HOOK and _constant(value) != 0:
        refuse(f"LOAD to {at} lets machine code run")
    if at not in CELLS and at != SOUND:
        refuse(f"LOAD to {at} changes Extended BASIC's memory")
    if at not in HOOK:
        low.blocks.do("load", value, data=at)


def _word(args: Arguments) -> Expr:
    """An address or a value."""
    return args.whole(WORD_LOW, WORD_HIGH, error=xb.NUMERIC_OVERFLOW)


def _constant(word: Expr) -> int | None:
    """The value of a word that is known, if it is a word."""
    inner = word.args[0]
    value = to_integer(inner.data) if inner.op == "const" else WORD_LOW - 1
    return value if WORD_LOW <= value <= WORD_HIGH else None
