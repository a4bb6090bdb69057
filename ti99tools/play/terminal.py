"""A text terminal to play in: the screen in characters, keys as the terminal sends them."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.base.remedy import Remedy
from ti99tools.machine.screen import COLUMNS, ROWS
from ti99tools.play import painter
from ti99tools.play.painter import Painter
from ti99tools.play.stage import Control, Stage
from ti99tools.play.terminalkeys import Key, KeyReader, Leave

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
"""A lone ESC is a key when nothing follows it for so long."""


class Terminal:
    """Shows a stage in the terminal on standard input and output until Ctrl-C."""

    def __init__(self, stage: Stage) -> None:
        """Raises TIError where there is no terminal, or one that is too small."""
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
        self._painter = Painter(_write, painter.terminal_colors())
        self._open = True
        self._resized = True
        self._settings: list[Any] = []

    def run(self) -> None:
        """Play until Ctrl-C."""
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
        """Inside, the terminal is an ordinary one, for other things than playing."""
        _write(painter.LEAVE)
        raw = _ordinary(self._settings)
        try:
            yield
        finally:
            _ordinary(raw)
            _write(painter.ENTER)
            self._resized = True

    def _notice_size(self, number: int, frame: FrameType | None) -> None:
        self._resized = True

    def _read_keys(self) -> None:
        """Take what has been typed; waits until a frame is due."""
        if self._keys.waiting:
            ready, _, _ = select.select([sys.stdin], [], [], _ESCAPE_SECONDS)
            if not ready:
                self._press(self._keys.give_up())
                return
        else:
            ready, _, _ = select.select([sys.stdin], [], [], self._stage.rest)
        if ready:
            data = os.read(sys.stdin.fileno(), _BYTES)
            self._open = bool(data)
            self._press(self._keys.read(data))

    def _press(self, keys: list[Key]) -> None:
        for key in keys:
            if isinstance(key, Leave):
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
    """Keys come one by one and unseen; the terminal is put right again at the end.

    Gives the settings that it had before.
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
        _write(painter.ENTER)
        yield before
    finally:
        _write(painter.LEAVE)
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
        signal.signal(signal.SIGWINCH, old_handler)


def _ordinary(settings: list[Any]) -> list[Any]:
    """Give the terminal other settings; those that it had."""
    import termios

    before = termios.tcgetattr(sys.stdin)
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, settings)
    return before
