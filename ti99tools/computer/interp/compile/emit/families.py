"""Every family of statements, imported so that it registers."""

from ti99tools.computer.interp.compile.emit import (
    calls,
    control,
    file_statements,
    loops,
    screen_statements,
    simple_statements,
)

__all__ = ["calls", "control", "file_statements", "loops", "screen_statements", "simple_statements"]
