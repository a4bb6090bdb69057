"""Every family of statements, imported so that it registers."""

from ti99tools.interp.compile.emit import (
    accept,
    assign,
    calls,
    control,
    data,
    display,
    input,
    misc,
    print,
)
from ti99tools.interp.compile.emit import file_statements as files
from ti99tools.interp.compile.emit import on_error as errors

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
