"""Which program runs: that of the target, or one that RUN has started."""

from __future__ import annotations

from ti99tools.app.disk_contents import programs_on
from ti99tools.app.target import Target
from ti99tools.base.errors import Place
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.compiled import beginning


def where_now(target: Target, console: AnyConsole, line: int, offset: int = 0) -> Place:
    """The place of a line of the program in memory, or of the token at `offset` in it.

    Of a program that RUN has started only the file is known.
    """
    other = started(target, console)
    return target.where(line, offset) if other is None else Place(other)


def started(target: Target, console: AnyConsole) -> str | None:
    """The file of the program in memory if RUN has started it; None for the target's."""
    if target.cartridge is not None:
        symbols, engine = target.symbols, console.engine
        if symbols is None or engine is None or beginning(engine.bus) == symbols.begins:
            return None
        return target.name
    program = console.program
    if target.program is None or program is None or program == target.program:
        return None
    # What is on no disk is the target's, changed by lines that were typed.
    return next(
        (
            f"{drive}.{name}"
            for drive, image in sorted(console.disks.items())
            for name, stored in programs_on(image).items()
            if stored == program
        ),
        None,
    )
