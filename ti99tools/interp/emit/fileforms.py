"""The forms of PRINT, INPUT and LINPUT with `#n`: emitters that the file family adds.

@for_files(st.Print)
def print_to_file(e: Emitter, node: st.Print) -> None: ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ti99tools.interp.emit.emitter import Emitter
from ti99tools.source.syntax.statements import Statement

F = TypeVar("F", bound=Callable[..., None])

FILE_FORMS: dict[type[Statement], Callable[[Emitter, Any], None]] = {}


def for_files(kind: type[Statement]) -> Callable[[F], F]:
    """Register a function as the emitter of a kind of statement with a file number."""

    def register(function: F) -> F:
        FILE_FORMS[kind] = function
        return function

    return register


def file_form(e: Emitter, node: Statement) -> None:
    """Emit a statement that has a file number."""
    FILE_FORMS[type(node)](e, node)
