"""CALL ERR: what went wrong. Source: the recorded lang-errors cases."""

from __future__ import annotations

from ti99tools.base.xberrors import (
    INPUT_ERROR,
    IO_ERROR,
    NO_PROGRAM_PRESENT,
    NUMERIC_OVERFLOW,
    STRING_NUMBER_MISMATCH,
    STRING_TRUNCATED,
)
from ti99tools.interp.subprograms.args import Args
from ti99tools.interp.subprograms.registry import subprogram
from ti99tools.interp.subprograms.surroundings import Surroundings

NO_FILE = -1
SEVERE, LIGHT = 9, 1
WARNINGS = frozenset((NUMERIC_OVERFLOW, STRING_TRUNCATED, INPUT_ERROR, NO_PROGRAM_PRESENT))
"""Codes that elsewhere are warnings have the light severity as errors, too."""


@subprogram("ERR")
def err(rt: Surroundings, args: Args) -> None:
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
    _store(args, values[0])
    _store(args, values[1])
    if args.more():
        _store(args, values[2])
        _store(args, values[3])
    args.end()


def _store(args: Args, value: int) -> None:
    args.store_number(value, string_error=STRING_NUMBER_MISMATCH)
