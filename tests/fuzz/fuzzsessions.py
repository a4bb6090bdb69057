"""Fuzz area: sessions of commands, played in several forms.

Nothing but the package's own errors comes out; a session ends alike whether it is played at once,
in other slices of time or line by line; the memory that names take is what they need; RUN finds
what it finds on a console that has just got the program; and NEW leaves nothing of the session
but what the table of `states` keeps.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, fields, replace
from math import prod
from random import Random

from tests.fuzz.fuzzcore import Attempt, Fault
from tests.fuzz.fuzzprograms import is_taken
from tests.fuzz.fuzzstates import Session, disk_of_states, session
from ti99tools import Console, DiskImage, Program
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.games.conformance.playback import file_of
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.prescan import symbols as sizes
from ti99tools.language.prescan.symbols import Scope

SECONDS = 60.0
SLICES = (1, 50, 3_000, 50_064, 400_000)
PATTERNS, COLORS, SPRITES = slice(0x400, 0x6F8), slice(0x800, 0x820), slice(0x300, 0x370)
"""In video memory; of the patterns those of the characters 32-126."""

RUN = ("UNTRACE", "UNBREAK", "RUN")
"""A RUN that is compared: what it keeps is put back before."""
PROBES = (
    "PRINT A;B$;Q(2);RND;1/0",
    "PRINT #1:5",
    "CON",
    "RESTORE",
    "CALL S(1)",
    "SIZE",
    "100 PRINT RND;A",
    "110 PRINT 1/0",
    "510 PRINT 5",
    "RUN",
)
"""Typed after NEW: what they show must not depend on what was before."""


@dataclass(frozen=True)
class Left:
    """The state after a session; `loose` names what may differ between forms."""

    rows: tuple[str, ...]
    error: str
    stopped_at: int | None
    lines: tuple[tuple[int, bytes], ...]
    values: dict[str, object]
    disk: bytes
    picture: bytes
    registers: bytes
    mapping: int

    def differences(self, other: Left, *loose: str) -> str:
        """What differs, with both values; empty if nothing does."""
        names = [one.name for one in fields(self) if one.name not in loose]
        wrong = [name for name in names if getattr(self, name) != getattr(other, name)]
        return "\n".join(
            f"{name}: {getattr(self, name)!r}\n  {getattr(other, name)!r}"[:3000] for name in wrong
        )


def states(one: Attempt) -> str:
    """A session of commands after a program."""
    rng = one.rng
    program = session(rng)
    program = Session(tuple(line for line in program.source if is_taken(line)), program.typed)
    one.input = str(program)
    console = started(program)
    console.run()
    for line in program.typed:
        console.command(line)
        check_memory(console)
    left = left_by(console)
    form = rng.choice(("slices", "careful"))
    twin = played(program, form, rng)
    wrong = left.differences(left_by(twin))
    if wrong:
        raise Fault(f"{form}:\n{wrong}")
    if not console.running:
        rng.choice((check_run, check_new))(console, twin)
    return "stopped" if left.stopped_at else left.error.split(" IN ")[0] or "at rest"


# -- playing ------------------------------------------------------------------------------


def started(session: Session) -> Console:
    """A console with the session's program."""
    image = DiskImage.new(geometry="SSSD", name="FUZZ")
    for name, form in disk_of_states().items():
        image.add(file_of(name, form))
    console = Console(disks={"DSK1": image}, max_seconds=SECONDS)
    console.load(Program.from_listing("\n".join(session.source) + "\n", strict=False))
    return console


def played(session: Session, form: str, rng: Random) -> Console:
    """The session in another form."""
    console = started(session)
    watched = console.computer.workspace.line_by_line()
    with watched if form == "careful" else nullcontext():
        console.run()
        for line in session.typed:
            if form == "slices":
                _in_slices(console, line, rng)
            else:
                console.command(line)
    return console


def _in_slices(console: Console, line: str, rng: Random) -> None:
    """Type a line and let it be carried out a little at a time."""
    console.machine.keyboard.type(line + "\n")
    limit = console.clock.seconds + SECONDS
    while console.busy and console.clock.seconds < limit:
        console.advance_to(console.clock.cycles + rng.choice(SLICES))


# -- looking ------------------------------------------------------------------------------


def left_by(console: Console) -> Left:
    """What a console at rest shows and holds."""
    vdp = console.machine.vdp
    program = console.program
    return Left(
        tuple(row.replace("\x1e", " ") for row in console.screen.rows),
        "" if console.error is None else str(console.error),
        console.stopped_at,
        () if program is None else tuple((line.number, line.tokens) for line in program.lines),
        console.variables.everything(),
        console.disks["DSK1"].to_bytes(),
        bytes(vdp.ram[PATTERNS]) + bytes(vdp.ram[COLORS]) + bytes(vdp.ram[SPRITES]),
        bytes(vdp.registers),
        console.machine.keyboard.mapping,
    )


def check_memory(console: Console) -> None:
    """Check that names take the memory that the table of sizes gives. Raises Fault."""
    execution = console.execution
    if execution is None or console.running:
        return
    left_over = console.computer.workspace.left_over
    counted = taken_by(execution)
    memory = execution.heap.memory
    if (memory.video - left_over, memory.values) != counted:
        raise Fault(f"names take {memory.video - left_over}, {memory.values}; counted {counted}")


def taken_by(execution: Execution) -> tuple[int, int]:
    """Bytes of video memory and of high memory, counted name by name."""
    scan = execution.typed or execution.compiler.scan
    known: dict[str, Scope] = {"": scan.main, **scan.subs}
    symbols = [symbol for scope in known.values() for symbol in scope.symbols.values()]
    for scope in scan.scopes.values():
        own = known[scope.name].symbols
        symbols += [symbol for name, symbol in scope.symbols.items() if name not in own]
    video = values = 0
    for symbol in symbols:
        elements = prod(symbol.extents(scan.base)) if symbol.dimensions else 1
        video += sizes.ENTRY + len(symbol.name)
        if symbol.function is not None:
            numeric = symbol.argument is not None and not symbol.argument.endswith("$")
            values += sizes.NUMBER * numeric
            continue
        video += sizes.PER_DIMENSION * symbol.dimensions
        values += 0 if symbol.is_string else sizes.NUMBER * elements
        if symbol.is_string and symbol.dimensions:
            video += sizes.POINTER * (elements - 1)
    for sub in scan.subs.values():
        video += sizes.SUB_ENTRY + len(sub.name) + sizes.PER_PARAMETER * len(sub.parameters)
    video += sum(sizes.ENTRY + len(name) for name in scan.called if name in SUBPROGRAMS)
    return video, values


def check_run(console: Console, twin: Console) -> None:
    """Check that RUN does the same on a console that has just got the program. Raises Fault.

    `twin` gives its disk, as it is when files are closed.
    """
    if console.program is None:
        return
    other = _beside(twin)
    other.load(console.program)
    files = console.computer.workspace.runtime.files
    other.computer.workspace.runtime.files.spared = files.spared
    for line in RUN:
        console.command(line)
        other.command(line)
    wrong = _shown_by_run(console).differences(_shown_by_run(other))
    if wrong:
        raise Fault(f"RUN after the session and RUN at once:\n{wrong}")


def check_new(console: Console, twin: Console) -> None:
    """Check that NEW leaves a console as if it was just switched on. Raises Fault."""
    other = _beside(twin)
    for line in ("NEW", *PROBES):
        console.command(line)
        other.command(line)
        wrong = left_by(console).differences(left_by(other))
        if wrong:
            raise Fault(f"{line} after the session's NEW and after NEW at once:\n{wrong}")


def _beside(twin: Console) -> Console:
    """A console at its prompt with the disk of another one, and as much room for files."""
    twin.close_files()
    image = DiskImage.from_bytes(twin.disks["DSK1"].to_bytes())
    other = Console(disks={"DSK1": image}, max_seconds=SECONDS)
    other.machine.drives.reserved = twin.machine.drives.reserved
    other.computer.show_ready()
    return other


def _shown_by_run(console: Console) -> Left:
    left = left_by(console)
    return replace(left, rows=_from_run(left.rows))


def _from_run(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The rows from the last RUN on; all of them without one."""
    runs = [at for at, row in enumerate(rows) if row[1:].rstrip(" \x1f") == ">RUN"]
    return rows[runs[-1] :] if runs else rows
