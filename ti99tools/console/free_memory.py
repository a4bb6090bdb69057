"""What SIZE says: bytes free for the stack and for the program.

Symbols and values exist once a program has run; before that only its lines take room.
"""

from __future__ import annotations

from ti99tools.interp.run.execution import Execution
from ti99tools.program.program import Program
from ti99tools.source.prescan.sizes import HIGH_SPACE, STRING_OVERHEAD, VIDEO_SPACE


def free_memory(program: Program | None, execution: Execution | None) -> tuple[int, int]:
    """Bytes of stack free, and bytes of program space free."""
    if program is None:
        return VIDEO_SPACE, HIGH_SPACE
    if execution is None:
        return VIDEO_SPACE, HIGH_SPACE - program.size
    report = program.memory
    stack = VIDEO_SPACE - report.symbols - _strings(execution)
    return stack, HIGH_SPACE - program.size - report.values


def _strings(execution: Execution) -> int:
    """Bytes of the texts that string variables and arrays of the main program hold."""
    activation = execution.main
    total = 0
    for symbol in activation.scope.symbols.values():
        if symbol.is_string and symbol.function is None:
            value = activation.value(symbol)
            texts = [value] if isinstance(value, str) else value
            total += sum(STRING_OVERHEAD + len(text) for text in texts if text)
    return total
