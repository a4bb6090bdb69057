"""A program in its three forms: Extended BASIC, compiled with words, compiled with cells only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ti99tools.compiler.banking import Rooms
from ti99tools.compiler.compiling import compile_program
from ti99tools.compiler.short.bytecode import Video
from ti99tools.computer.console.anyconsole import RunEnd
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.run.signals import EmptyStatementHang
from ti99tools.hardware.machine.vdp import COLORS, MOTION, SPRITES, pattern_address
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

SECONDS = 200.0
AFTER = 30
"""Frames in which tones end."""
PATIENCE = 3000
"""Frames until a program waits for a key."""
WORDS_AND_CELLS = (True, False)


@dataclass(frozen=True)
class Left:
    """What a program leaves: the screen, patterns, colours, sprites, registers."""

    rows: tuple[str, ...]
    memory: bytes
    registers: bytes

    @classmethod
    def of(cls, console: Console | CartridgeConsole) -> Left:
        """What a console shows now; the cursor counts as a blank."""
        console.machine.sync()
        vdp = console.machine.vdp
        areas = ((SPRITES, 113), (pattern_address(30), 130 * 8), (COLORS, 32), (MOTION, 112))
        memory = b"".join(bytes(vdp.ram[at : at + size]) for at, size in areas)
        rows = tuple(row.replace("\x1e", " ") for row in console.screen.rows)
        return cls(rows, memory, bytes(vdp.registers))


def in_basic(
    listing: str, keys: Sequence[str] = (), drives: Mapping[str, DiskImage] | None = None
) -> Left:
    """Run in Extended BASIC to the end; each key is pressed when the program waits for one."""
    console = Console(disks=drives, max_seconds=SECONDS)
    console.load(Program.from_listing(listing))
    run(console, keys)
    return Left.of(console)


def run(console: Console, keys: Sequence[str]) -> str:
    """Run the program in memory, and press each key when it waits for one; why it stops."""
    reason = console.run()
    for key in keys:
        if reason != RunEnd.KEYS:
            break
        console.press(key)
        reason = console.resume()
    return reason


def as_cartridge(
    listing: str,
    words: bool = True,
    keys: Sequence[str] = (),
    drives: Mapping[str, DiskImage] | None = None,
    rooms: Rooms | None = None,
    short: int = 0,
    video: Video = Video.PLACES,
) -> CartridgeConsole:
    """Compile, start from the menu, run to the end; keys as in `in_basic`.

    `rooms`: in banks; `short`, `video`: what is byte code, see `compile_program`.
    """
    program = compile_program(
        Program.from_listing(listing), "TEST", words, rooms=rooms, short=short, video=video
    )
    return played(program.cartridge, keys, drives)


def played(
    cartridge: bytes,
    keys: Sequence[str] = (),
    drives: Mapping[str, DiskImage] | None = None,
) -> CartridgeConsole:
    """Start from the menu, run to the end; keys as in `in_basic`."""
    console = CartridgeConsole(cartridge, disks=drives)
    console.choose()
    for key in keys:
        _until_it_waits(console)
        if console.over:
            break
        console.press(key, 1, 1)
        console.take_keys()
    console.resume(SECONDS)
    assert console.over, "the program does not end"
    console.wait(AFTER)
    assert console.remarks == []
    return console


def _until_it_waits(console: CartridgeConsole) -> None:
    for _ in range(PATIENCE):
        if console.waiting_line or console.over:
            return
        console.wait(1)


def full_rows(console: CartridgeConsole | Console) -> list[str]:
    """The rows that show something, without blanks around them."""
    return [row.strip(" \x1f") for row in console.screen.rows if row.strip(" \x1f")]


def check(
    listing: str,
    forms: Sequence[bool] = WORDS_AND_CELLS,
    keys: Sequence[str] = (),
    rooms: Rooms | None = None,
    short: int = 0,
    video: Video = Video.PLACES,
) -> None:
    """Hold the compiled forms against Extended BASIC; the rest as in `as_cartridge`."""
    expected = in_basic(listing, keys)
    for words in forms:
        got = Left.of(as_cartridge(listing, words, keys, rooms=rooms, short=short, video=video))
        assert got.rows == expected.rows, f"words: {words}\n{listing}"
        assert got == expected, f"words: {words}\n{listing}"


def can_be_held(listing: str, keys: Sequence[str] = ()) -> bool:
    """Tell whether RUN takes a program, which then ends with these keys before memory is full."""
    program = Program.from_listing(listing)
    if program.analysis.scanned.error is not None:
        return False
    console = Console(max_seconds=60.0)
    console.load(program)
    try:
        reason = run(console, keys)
    except EmptyStatementHang:
        return False
    ends = reason != RunEnd.LIMIT and (not keys or reason != RunEnd.KEYS)
    return ends and not any("MEMORY FULL" in row for row in console.screen.rows)
