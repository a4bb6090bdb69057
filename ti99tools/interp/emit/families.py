"""Every family of statements, imported so that it registers."""

from ti99tools.interp.emit import (
    accept,
    assign,
    calls,
    control,
    data,
    display,
    errors,
    files,
    input,
    misc,
    print,
)

__all__ = [
    "accept",
    "assign",
    "calls",
    "control",
    "data",
    "display",
    "errors",
    "files",
    "input",
    "misc",
    "print",
]
