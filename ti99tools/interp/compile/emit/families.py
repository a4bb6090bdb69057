"""Every family of statements, imported so that it registers."""

from ti99tools.interp.compile.emit import (
    accept,
    assign,
    calls,
    control,
    data,
    display,
    file_statements,
    input,
    loops,
    misc,
    on_error,
    print,
)

__all__ = [
    "accept",
    "assign",
    "calls",
    "control",
    "data",
    "display",
    "file_statements",
    "input",
    "loops",
    "misc",
    "on_error",
    "print",
]
