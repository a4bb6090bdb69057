"""Programs in which every statement takes the time that it takes in Extended BASIC.

Each part of a statement leaves a `pace` action with its cycles, before what can be seen of it. At
run time these add up to what is owed (`runtime/take.a99`): of a whole frame or more that is owed
the program waits for the interrupt, which takes it off. So an interrupt comes between the same two
things that happen as in Extended BASIC, and moves sprites as far.

In shut time Extended BASIC serves no interrupt (`hardware.machine.interrupts`): of those that come
meanwhile one is served afterwards, the others are lost.
"""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from ti99tools.base.cycles import console as cc
from ti99tools.base.cycles import language as cy
from ti99tools.base.cycles.code import GPL_ROUTINES
from ti99tools.compiler import ir
from ti99tools.compiler.pace import UNIT
from ti99tools.computer.interp.run.arithmetic import MOST_DIGITS, NO_SERIES
from ti99tools.hardware.machine.clock import FRAME

EDEND = 80_000
"""Cycles that the runtime itself waits at the end of a line, for the key to go up."""
_TO_TEXT = cc.TO_PROMPT - cc.READY_SOONER
_ROW = cy.SCROLL_CYCLES + cy.ROW_CYCLES
_EXP_SAVED = cy.EXP_TOO_LARGE - cy.COSTS["EXP"]
_ATN_SAVED = -cy.ATN_DIGIT_LESS * (MOST_DIGITS - NO_SERIES)
_UNIT = gcd(cy.SCANNED, cy.MATCHED)
_ROUTINES = {
    "CNS": 0x14,
    "POW": 0x24,
    "SQR": 0x26,
    "EXP": 0x28,
    "LOG": 0x2A,
    "COS": 0x2C,
    "SIN": 0x2E,
    "TAN": 0x30,
    "ATN": 0x32,
}
"""Routines of the console that take long, and where they are in its GROM."""
_TIMES = {
    "FRMCYC": FRAME,
    "SPRSRV": cc.SPRITES_SERVED,
    "EACSPR": cc.SPRITE_SERVED,
    "ROWNEA": cy.COINC_ROWS_NEAR,
    "COIMET": cy.COINC_MET,
    "PROFRM": cy.AFTER_PROMPT // FRAME,
    "PROCYC": cy.AFTER_PROMPT % FRAME,
    "AGACYC": 2 * FRAME - cy.AFTER_PROMPT,
    "TYPCYC": cy.TYPED_CYCLES - FRAME,
    "REFCYC": cy.REFUSED_CYCLES,
    "WARCYC": cy.WARNING_CYCLES - FRAME,
    "TXTCYC": cy.TEXT_CYCLES,
    "ERRCYC": cc.AFTER_ERROR,
    "ENDFRM": _TO_TEXT // FRAME,
    "ENDCYC": _TO_TEXT % FRAME,
    "LINFRM": (cy.LINE_CYCLES - EDEND) // FRAME,
    "LINCYC": (cy.LINE_CYCLES - EDEND) % FRAME,
    "NEWCYC": cy.BOUNCING,
    "MOVCYC": cy.MOVED,
    "FIGCYC": cy.SHOWN_FIGURE,
    "SEGCYC": cy.SEGMENT_CHARACTER,
    "AGNCYC": cy.COSTS["repetition"],
    "UNICYC": _UNIT,
    "SCNUNI": cy.SCANNED // _UNIT,
    "MATUNI": cy.MATCHED // _UNIT,
    "REPCYC": cy.REPEATED,
    "RIGHTW": cy.RIGHTWARDS,
    "DOWNWA": cy.DOWNWARDS,
    "CAUCYC": cy.CAUGHT,
    "ATOCYC": cy.SOUND_AT_ONCE,
    "SCRFRM": cy.SCROLL_CYCLES // FRAME,
    "SCRCYC": cy.SCROLL_CYCLES % FRAME,
    "ROWFRM": cy.SCROLL_UNSERVED // FRAME,
    "ROWSHU": cy.SCROLL_UNSERVED % FRAME,
    "ROWEND": _ROW - cy.SCROLL_UNSERVED,
    "EXPUPP": cy.EXP_UPPER,
    "EXPLAF": -(_EXP_SAVED // FRAME),
    "EXPLAR": _EXP_SAVED % FRAME,
    "ATNDIG": cy.ATN_DIGIT_LESS,
    "ATNNOF": -(_ATN_SAVED // FRAME),
    "ATNNOC": _ATN_SAVED % FRAME,
    "POWTWO": cy.POWER_2,
    "POWINV": cy.POWER_INVERTED,
    "POWFRA": cy.POWER_OF_FRACTION,
    "POWSTP": cy.POWER_STEP,
    "POWPAC": cy.POWER_DIGIT_PRODUCT,
    "POWLFR": cy.POWER_BY_LOGARITHM // FRAME,
    "POWLCY": cy.POWER_BY_LOGARITHM % FRAME,
    "POWNFR": cy.POWER_NOT_POSITIVE // FRAME,
    "POWNCY": cy.POWER_NOT_POSITIVE % FRAME,
    "POWUSC": 4 * cy.POWER_STEP,
}
"""Names of the runtime → cycles, or frames."""
LOST = {"SQR": 0, "EXP": 0, "LOG": 1, "COS": 0, "SIN": 0, "TAN": 1, "ATN": 0}
"""Interrupts that are lost while the runtime works out a function: one waits until it is done."""
for _name, _lost in LOST.items():
    _TIMES[f"{_name}CYC"] = cy.COSTS[_name] // 8
    _TIMES[f"{_name}EAC"] = cy.COSTS[f"{_name} digit"] // 8
    _TIMES[f"{_name}NIL"] = cy.OF_NOTHING.get(_name, 0) // 8
    _TIMES[f"PY{_name}"] = GPL_ROUTINES[_ROUTINES[_name]] // UNIT - 64 * (1 + _lost)
for _name, _entry in _ROUTINES.items():
    _TIMES[f"GP{_name}"] = max(GPL_ROUTINES[_entry] - FRAME, 0) * 256 // FRAME
EQUATES = "".join(f"{name:6} EQU  {value}\n" for name, value in _TIMES.items())
"""They as the runtime sees them."""
BEGIN = "begin"
"""The block before the first statement."""


class Span(NamedTuple):
    """Some time of a statement; in `shut` time no interrupt is served."""

    cycles: int
    shut: bool = False


def gather_whole(code: ir.Code) -> None:
    """Join the times between which nothing happens."""
    code.whole = True
    for block in code.blocks.values():
        body: list[ir.Action] = []
        for action in block.body:
            last = body[-1] if body else None
            if (
                isinstance(action, ir.Do)
                and isinstance(last, ir.Do)
                and action.name == last.name == "pace"
            ):
                body[-1] = ir.Do("pace", (), last.spot, last.data + action.data)
            else:
                body.append(action)
        block.body = body


def begin_at(code: ir.Code, cycles: int) -> None:
    """Let a program begin so many cycles after an interrupt."""
    first = code.blocks[code.first]
    spot = next(part.spot for part in (*first.body, first.end) if part is not None)
    action = ir.Do("pace begin", (), spot, cycles)
    block = ir.Block(BEGIN, "", [action], ir.Jump(code.first, spot))
    code.blocks = {BEGIN: block, **code.blocks}
    code.first = BEGIN
