"""`LOAD`, the program that Extended BASIC starts from a disk: a picture while the game loads.

The picture is `picture.xb` in the game's folder: statements in the dialect that draw it, without
jumps. Subprograms that they call may be machine code, which `LOAD` then contains. RUN of a program
keeps characters, colours, sprites and the screen (recorded), so the picture stays until the game
draws over it. `LOAD` first resets what an earlier program may have left. A game that needs standard
colours where its picture has others sets them itself.

A program in the long form cannot be loaded without the 32K memory expansion: RUN then fails with
I/O ERROR 57, which no ON ERROR catches, since the program with the ON ERROR is gone. CALL INIT
fails with SYNTAX ERROR without the expansion and does no harm with it, so `LOAD` tests with CALL
INIT first.
"""

from __future__ import annotations

from ti99tools.base.basic import CLEAN, NEEDS, PRINT_WIDTH, quoted
from ti99tools.base.hostio import decode
from ti99tools.base.inputs import is_input, read_input
from ti99tools.base.record import Record
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.twins import INIT, Twins
from ti99tools.language.dialect import generate
from ti99tools.language.lint.hidden import hidden

PICTURE = "picture.xb"
"""The picture's source in the game's folder."""
FIRST_LINE = 100


class Drawing(Record):
    """The lines of statements that draw a picture, without numbers, and what they call."""

    lines: tuple[str, ...]
    code: bytes = b""
    """Machine code for the top of memory, just below any other code. It needs CALL INIT."""
    names: tuple[str, ...] = ()
    """The names of its routines."""


def drawing(manifest: Manifest, above: int = 0) -> Drawing:
    """How to draw the game's picture, with `above` bytes of other code above its own.

    Without a picture the lines say which game is loading. Raises SourceError for a mistake in the
    picture's source.
    """
    path = manifest.folder / PICTURE
    if not is_input(path):
        message = quoted(f"LOADING {manifest.title.upper()[: PRINT_WIDTH - 11]}...")
        return Drawing((f"CALL CLEAR::DISPLAY AT(12,1):{message}",))
    text = decode(read_input(path))
    twins = Twins(manifest.folder, above)
    picture = generate(
        text,
        str(path),
        root=manifest.folder,
        defines=manifest.constants,
        native=twins.entered,
        review=hidden,
    )
    # Line numbers and CALL INIT are dropped: `LOAD` numbers its lines, and has its own CALL INIT.
    lines = [line.split(" ", 1)[1] for line in picture.text.splitlines()]
    lines[0] = lines[0].removeprefix(f"{INIT}::")
    return Drawing(tuple(lines), twins.code, tuple(twins.names))


def loading(manifest: Manifest, drawn: Drawing) -> list[str]:
    """The numbered lines of `LOAD`: picture, test for the 32K, RUN; a message without the 32K."""
    lines = starting(manifest, drawn)
    lines[0] = f"ON BREAK NEXT::{lines[0]}"
    last = FIRST_LINE + len(lines)
    # ON ERROR is for CALL INIT alone.
    check = f"ON ERROR {last + 1}::{INIT}::ON ERROR STOP"
    lines.insert(1 if drawn.code else len(lines) - 1, check)
    lines.append(f"CALL CLEAR::PRINT {quoted(f'{manifest.title.upper()} {NEEDS}')}:")
    return [f"{number} {line}" for number, line in enumerate(lines, FIRST_LINE)]


def starting(manifest: Manifest, drawn: Drawing) -> list[str]:
    """Lines of statements, without numbers, that clean up, draw the picture and run the game.

    If the picture has machine code, CALL INIT must come before the second line.
    """
    return [CLEAN, *drawn.lines, f"RUN {quoted(f'DSK1.{manifest.program}')}"]
