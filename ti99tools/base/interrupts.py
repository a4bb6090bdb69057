"""Ctrl-C: the first asks the work to end with what it has, the next ends the process at once.

SIGTERM does the same for commands that heed it, and so does SIGHUP, which says that the terminal
has gone. The first raises KeyboardInterrupt, as Python does. Only the command line listens in this
way; a user of Python keeps the usual handler.
"""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType

EXIT_CODE = 130
"""The exit code after Ctrl-C, as shells use it: 128 and the number of the signal."""
_SHOW_CURSOR = b"\x1b[?25h\n"
"""What a terminal needs when the bar of progress has no time to show the cursor again."""
_asked = False


def listen() -> None:
    """Listen to Ctrl-C from now on, unless this process ignores it, as in the background."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _interrupt)


def heed_termination() -> None:
    """From now on SIGTERM and SIGHUP ask as Ctrl-C does, for a command that has results to keep."""
    if threading.current_thread() is not threading.main_thread():
        return
    signal.signal(signal.SIGTERM, _interrupt)
    hangup = getattr(signal, "SIGHUP", None)  # Windows has none
    # A command that was started to outlive its terminal (nohup) ignores it.
    if hangup is not None and signal.getsignal(hangup) is signal.SIG_DFL:
        signal.signal(hangup, _hang_up)


def answered() -> None:
    """Take the last Ctrl-C as answered: the process goes on, and the next one is a first."""
    global _asked
    _asked = False


def _hang_up(number: int, _frame: FrameType | None) -> None:
    # The kernel and the shell both tell: the second must not end what the first has begun.
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    global _asked
    if _asked:
        end_at_once()
    _asked = True
    raise KeyboardInterrupt


def end_at_once() -> None:
    """End this process without finishing anything; its workers end with it."""
    if os.isatty(2):
        os.write(2, _SHOW_CURSOR)
    os._exit(EXIT_CODE)
