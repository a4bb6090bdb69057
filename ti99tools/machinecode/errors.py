"""How machine code ends when it cannot return."""

from __future__ import annotations

from ti99tools.base.errors import TIError


class CodeError(TIError):
    """Machine code that this console cannot go on with; `line` is that of the CALL LINK."""

    line: int | None = None


class Quit(Exception):
    """Machine code has left for the title screen, or QUIT was pressed."""


class Returned(Exception):
    """Machine code has come back to BASIC."""
