"""The console that a target runs on, and which program runs there.

A source beside a cartridge that has its name is taken for its source if it gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ti99tools.app.disk_contents import programs_on
from ti99tools.app.target import Target
from ti99tools.base.basic import AUTOSTART
from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import MANIFEST
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.compiled import beginning
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.run.runtime import Stepper
from ti99tools.computer.machinecode.addresses import COMPILED, COMPILED_MARKS, COMPILED_TABLE
from ti99tools.hardware.machine.machine import Connected
from ti99tools.language.program.hostfile import TEXTS
from ti99tools.media.disk.image import DiskImage

MAX_SECONDS = 600.0
"""Seconds of machine time for a run without another limit."""


def console_for(
    target: Target,
    images: Mapping[str, DiskImage],
    max_seconds: float = MAX_SECONDS,
    connected: Connected | None = None,
    real_drives: bool = False,
    step: Stepper | None = None,
    **others: Any,
) -> AnyConsole:
    """A console for a target; `others` are arguments of `Console` that cartridges do not need.

    Raises TIError.
    """
    if target.cartridge is None:
        return Console(
            images,
            max_seconds=max_seconds,
            real_drives=real_drives,
            step=step,
            connected=connected,
            basic=target.basic,
            **others,
        )
    try:
        return CartridgeConsole(
            target.cartridge,
            disks=images,
            real_drives=real_drives,
            connected=connected,
            max_seconds=max_seconds,
            step=step,
            symbols=lambda: with_source(target).symbols,
            entry=target.entry,
        )
    except TIError as error:
        raise error.at(target.name) from error


def with_source(target: Target) -> Target:
    """The target of a cartridge with its source, if that lies beside it; any other as it is."""
    if target.cartridge is None or target.file is None or target.symbols is not None:
        return target
    from ti99tools.app.compile import compiled_again, program_in
    from ti99tools.compiler.symbols import symbols_of

    for name in _beside(Path(target.file), target.entry_name):
        try:
            pair = compiled_again(name, target.cartridge, target.entry)
        # What does not compile as it is now is not the cartridge's source.
        except TIError:
            continue
        if pair is not None:
            origin, code = pair
            symbols = symbols_of(code, program_in(origin))
            return replace(target, source=origin.source, symbols=symbols)
    return target


def nameless(target: Target) -> str:
    """A remark for a cartridge whose lines have no text and whose variables no names; or empty.

    Or for a disk whose `LOAD` loads a compiled program, whose lines nothing follows.
    """
    if target.cartridge is None and target.disk is not None and _loads_compiled(target.disk):
        return (
            f"{target.name}: these are the lines of {AUTOSTART}, which loads a compiled program; "
            "to follow that, compile it into a cartridge"
        )
    if target.cartridge is None or target.symbols is not None:
        return ""
    return (
        f"{target.name}: no source beside it gives this cartridge, so lines are numbers and "
        "variables have no names; compile it again from a source of the same name"
    )


def _loads_compiled(disk: DiskImage) -> bool:
    """Tell whether `LOAD` of a disk loads a compiled program: its first part has the mark."""
    at = COMPILED_TABLE - COMPILED
    parts = (disk.read(name).data for name in disk.names() if name.endswith("-0"))
    marks = (int.from_bytes(part[at : at + 2], "big") for part in parts)
    return AUTOSTART in disk and any(mark in COMPILED_MARKS for mark in marks)


def _beside(path: Path, name: str) -> Iterator[str]:
    """Names of what may be the source of a cartridge: a file, or the game in its folder.

    With `name`, that of one of several programs: a file or the folder of a game of this name
    beside it, or the game.
    """
    from ti99tools.app.compile import BANKED
    from ti99tools.games.making.finding import game_names

    if name:
        there = sorted(each for each in path.parent.iterdir() if each.stem.upper() == name)
        yield from (str(each) for each in there if each.suffix.lower() in TEXTS)
        yield from (str(each) for each in there if (each / MANIFEST).is_file())
        yield from (game for game in game_names() if game.upper() == name)
        return
    for stem in dict.fromkeys((path.stem, path.stem.removesuffix(BANKED))):
        files = (path.with_name(f"{stem}{suffix}") for suffix in TEXTS)
        yield from (str(file) for file in files if file.is_file())
    if (path.parent / MANIFEST).is_file():
        yield str(path.parent)


def where_now(target: Target, console: AnyConsole, line: int, offset: int) -> Place:
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
