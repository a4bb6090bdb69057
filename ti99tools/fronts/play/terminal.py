"""A text terminal to play in: the screen in characters, keys as the terminal sends them.

The screen is 24 rows of 32 cells in the console's colours. From the first drawing on, a cell takes
two characters if there is room (`render.textpicture`). Only rows that have changed are written.
The terminal determines the number of colours: 24 bits, 256, 16 or none.

Keys: characters arrive as themselves, function and arrow keys as sequences that begin with ESC
(xterm, rxvt and the Linux console differ a little). Alt with a key arrives as ESC and the key; it
means FCTN. Terminals do not report the release of a key. Sources: ECMA-48; xterm's control
sequences.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from types import FrameType
from typing import Any

from rich.color import ColorSystem

from ti99tools.app.realtime import Control, Stage, function_key
from ti99tools.app.terminal_picture import EDGE, PLAIN, lines, terminal_colors
from ti99tools.base.errors import Remedy, TIError
from ti99tools.hardware.machine.keycodes import FUNCTION_KEYS
from ti99tools.hardware.machine.screen import COLUMNS, ROWS
from ti99tools.hardware.machine.vdp import Snapshot
from ti99tools.hardware.render import textpicture

ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
"""At the beginning: alternate screen, no cursor, no wrapping at the edge, screen cleared."""

LEAVE = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
"""At the end: the terminal as it was."""

_CLEAR = "\x1b[2J"
_TO_END = "\x1b[K"


class Painter:
    """Writes pictures and a panel of text to a terminal.

    `write` sends a text to the terminal; `colors` is None for a terminal without colours.
    """

    def __init__(self, write: Callable[[str], object], colors: ColorSystem | None) -> None:
        self._write = write
        self._colors = colors
        self._size = (0, 0)
        self._rows: list[str] = []
        self._drawings = False

    def resize(self, columns: int, rows: int) -> None:
        """The terminal has a new size: redraw everything."""
        self._size = columns, rows
        self._rows = []
        self._write(_CLEAR)

    def paint(self, picture: Snapshot, panel: Sequence[str]) -> None:
        """Show a picture, and lines of text to its right as far as there is room."""
        columns, rows = self._size
        # Once wide, always wide, so that the screen does not jump.
        self._drawings = self._drawings or textpicture.has_drawings(picture.vdp())
        wide = self._drawings and columns >= textpicture.WIDTH
        width = textpicture.WIDTH if wide else COLUMNS
        edge = EDGE if columns >= width + 2 * EDGE else 0
        room = columns - width - 2 * edge - 2
        painted = []
        # A terminal with fewer rows than the screen shows the upper ones.
        for number, line in enumerate(lines(picture, self._colors, edge, wide)[:rows]):
            text = panel[number][: max(0, room)] if number < len(panel) else ""
            painted.append(f"{line}{PLAIN}  {text}{_TO_END}" if room > 0 else f"{line}{PLAIN}")
        # After a resize nothing is known of the terminal: every row is new.
        before = self._rows or [""] * len(painted)
        self._rows = painted
        changes = [
            f"\x1b[{row};1H{line}"
            for row, (line, old) in enumerate(zip(painted, before, strict=True), 1)
            if line != old
        ]
        if changes:
            self._write("".join(changes))


class LeaveKey(Enum):
    """The key that ends the game."""

    LEAVE = 3


Key = str | Control | LeaveKey

_ESC = 0x1B
_SEQUENCE = re.compile(
    rb"\x1b(?:\[\[(?P<linux>[A-E])|\[(?P<numbers>[0-9;]*)(?P<end>[@-Z\\-~])|O(?P<ss3>[@-~]))"
)
_BEGUN = re.compile(rb"\x1b(?:\[\[?[0-9;]*|O)?")
_ARROWS = {b"A": "UP", b"B": "DOWN", b"C": "RIGHT", b"D": "LEFT"}
_NUMBERED: dict[bytes, Key] = {
    b"2": "INS",
    b"3": "DEL",
    **{
        str(code).encode(): function_key(n)
        for n, code in enumerate((11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24), 1)
    },
}
_FIRST_FOUR = {bytes((ord("P") + n,)): function_key(n + 1) for n in range(4)}
_CODES: dict[int, Key] = {
    3: LeaveKey.LEAVE,
    8: "LEFT",
    9: Control.TURBO,
    10: "ENTER",
    13: "ENTER",
    32: "SPACE",
    127: "LEFT",
}


class KeyReader:
    """Makes keys of the bytes a terminal sends, however they are split."""

    def __init__(self) -> None:
        self._rest = b""

    @property
    def waiting(self) -> bool:
        """Tell whether the last bytes may be the beginning of a longer key."""
        return bool(self._rest)

    def read(self, data: bytes) -> list[Key]:
        """The keys that are complete."""
        data, self._rest = self._rest + data, b""
        keys: list[Key | None] = []
        while data:
            if data[0] != _ESC:
                keys.append(_plain(data[0]))
                data = data[1:]
            elif match := _SEQUENCE.match(data):
                keys.append(_sequence(match))
                data = data[match.end() :]
            # It may go on with the next read: kept until then, or until time is up.
            elif _BEGUN.fullmatch(data):
                self._rest = data
                break
            else:
                keys.append(_escaped(data[1]))
                data = data[2:]
        return [key for key in keys if key is not None]

    def give_up(self) -> list[Key]:
        """The keys in the remaining bytes, once nothing more follows."""
        rest, self._rest = self._rest, b""
        # A lone ESC is BACK.
        if rest == b"\x1b":
            return ["BACK"]
        key = _escaped(rest[1]) if len(rest) == 2 else None
        return [] if key is None else [key]


def _plain(byte: int) -> Key | None:
    """A key that sends one byte; Ctrl with a letter is CTRL with that letter."""
    if byte in _CODES:
        return _CODES[byte]
    if 0 < byte < 27:
        return f"CTRL-{chr(byte + 64)}"
    return chr(byte) if 32 < byte < 127 else None


def _escaped(byte: int) -> Key | None:
    """A key typed with Alt: FCTN. ESC twice is BACK."""
    return "BACK" if byte == _ESC else FUNCTION_KEYS.get(chr(byte).upper())


def _sequence(match: re.Match[bytes]) -> Key | None:
    if match["linux"]:
        return function_key(match["linux"][0] - ord("A") + 1)
    end = match["ss3"] or match["end"]
    if end == b"~":
        # A modifier may follow the number after a semicolon; it is ignored.
        return _NUMBERED.get(match["numbers"].split(b";")[0])
    return _ARROWS.get(end) or _FIRST_FOUR.get(end)


HELP = (
    "F1-F9    FCTN-1 to FCTN-9",
    "         (F4 is CLEAR)",
    "Alt-key  FCTN-key",
    "Ctrl-key CTRL-key",
    "F10      pause",
    "F11, Tab turbo",
    "F12      save the picture",
    "Ctrl-C   leave",
)

_BYTES = 1024
_ESCAPE_SECONDS = 0.05
"""Seconds after which an ESC that nothing follows is a key."""


class Terminal:
    """Shows a stage in the terminal on standard input and output until Ctrl-C."""

    def __init__(self, stage: Stage) -> None:
        """Raises TIError without a terminal, or in one that is too small."""
        # Keys cannot be read one by one from a pipe or a file.
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise TIError("there is no terminal to play in", remedy=Remedy.WINDOW)
        columns, rows = shutil.get_terminal_size()
        if columns < COLUMNS or rows < ROWS:
            raise TIError(
                f"the terminal is too small: {columns} columns of {rows} rows",
                remedy=f"make it at least {COLUMNS} by {ROWS}",
            )
        self._stage = stage
        self._keys = KeyReader()
        self._painter = Painter(_write, terminal_colors())
        self._open = True
        self._resized = True
        self._settings: list[Any] = []

    def run(self) -> None:
        """Play at the machine's speed until Ctrl-C."""
        with _raw(self._notice_size) as self._settings:
            while self._open:
                self._read_keys()
                if self._resized:
                    self._resized = False
                    self._painter.resize(*shutil.get_terminal_size())
                self._stage.frames()
                panel = (self._stage.name, self._stage.status, "", *HELP)
                self._painter.paint(self._stage.picture, panel)

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Make the terminal an ordinary one while the body runs, for uses other than playing."""
        _write(LEAVE)
        raw = _ordinary(self._settings)
        try:
            yield
        finally:
            _ordinary(raw)
            _write(ENTER)
            self._resized = True

    def _notice_size(self, _number: int, _frame: FrameType | None) -> None:
        self._resized = True

    def _read_keys(self) -> None:
        """Take what has been typed; waits until a frame is due."""
        # The rest of an escape sequence follows at once; a person is slower.
        if self._keys.waiting:
            ready, _, _ = select.select([sys.stdin], [], [], _ESCAPE_SECONDS)
            if not ready:
                self._press(self._keys.give_up())
                return
        else:
            ready, _, _ = select.select([sys.stdin], [], [], self._stage.rest)
        if ready:
            data = os.read(sys.stdin.fileno(), _BYTES)
            # No data means that the terminal has closed.
            self._open = bool(data)
            self._press(self._keys.read(data))

    def _press(self, keys: list[Key]) -> None:
        for key in keys:
            if isinstance(key, LeaveKey):
                self._open = False
            elif isinstance(key, Control):
                self._stage.do(key)
            else:
                self._stage.pilot.tap(key)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


@contextmanager
def _raw(resized: signal._HANDLER) -> Iterator[list[Any]]:
    """Let keys arrive one by one, without echo; restore the terminal at the end.

    Gives the settings that the terminal had before. Raises TIError on systems without termios.
    """
    try:
        import termios
        import tty
    except ImportError as error:
        raise TIError("this system has no such terminal", remedy=Remedy.WINDOW) from error
    before = termios.tcgetattr(sys.stdin)
    old_handler = signal.signal(signal.SIGWINCH, resized)
    try:
        tty.setraw(sys.stdin)
        _write(ENTER)
        yield before
    finally:
        signal.signal(signal.SIGWINCH, old_handler)
        # A terminal that was closed takes neither.
        with suppress(OSError, termios.error):
            _write(LEAVE)
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _ordinary(settings: list[Any]) -> list[Any]:
    """Give the terminal these settings; returns those that it had."""
    import termios

    before = termios.tcgetattr(sys.stdin)
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, settings)
    return before
